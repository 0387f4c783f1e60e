//! A practice table for a browser page: handles the requests of the page and returns reports. The caller
//! supplies a clock, timers and random bytes, and carries the texts.

use std::sync::Arc;

use room::Millis;

use crate::messages::{WorkerReport, WorkerRequest};
use crate::plan::{PracticePlan, timings};
use crate::practice::{Due, Practice};

/// The practice table of a page, once the page has opened one.
#[derive(Default)]
pub struct PracticeWorker {
    practice: Option<Practice>,
    /// Whether the record of the finished match was reported.
    record_reported: bool,
}

impl PracticeWorker {
    /// Handles a request of the page and returns the reports to it. `entropy` returns random bytes that
    /// were never used before; a new table needs them.
    pub fn handle(
        &mut self,
        request: &str,
        now: Millis,
        entropy: impl FnOnce() -> [u8; 32],
    ) -> Vec<WorkerReport> {
        let opened = match WorkerRequest::read(request) {
            Some(WorkerRequest::Open { plan, name }) => open(&plan, &name, entropy(), now),
            Some(WorkerRequest::Resume { journal }) => {
                let resumed = Practice::resume(journal.lines(), timings(), now);
                resumed.map_err(|error| error.to_string())
            }
            Some(WorkerRequest::Message(text)) => {
                let Some(practice) = &mut self.practice else { return Vec::new() };
                let messages = practice.receive(now, &text);
                return self.report(messages);
            }
            None => return Vec::new(),
        };
        match opened {
            Ok(practice) => {
                (self.practice, self.record_reported) = (Some(practice), false);
                let mut reports = vec![WorkerReport::Opened];
                reports.extend(self.report(Vec::new()));
                reports
            }
            Err(why) => vec![WorkerReport::Refused(why)],
        }
    }

    /// What is due next without a request of the page: see [`Practice::due`].
    pub fn due(&self) -> Option<Due> {
        self.practice.as_ref()?.due()
    }

    /// Computes what is due: see [`Practice::think`].
    pub fn think(&mut self, may_go_on: impl Fn() -> bool) {
        if let Some(practice) = &mut self.practice {
            practice.think(may_go_on);
        }
    }

    /// Does what is due by now, and returns the reports to the page.
    pub fn wake(&mut self, now: Millis) -> Vec<WorkerReport> {
        let messages = self.practice.as_mut().map(|practice| practice.wake(now));
        self.report(messages.unwrap_or_default())
    }

    /// The reports to the page: first what it must store, so that it never shows what could be lost, then
    /// the messages of the table.
    fn report(&mut self, messages: Vec<Arc<str>>) -> Vec<WorkerReport> {
        let Some(practice) = &mut self.practice else { return Vec::new() };
        let update = practice.take_journal_update();
        // A new match has begun.
        self.record_reported &= !update.replaces;
        let mut reports = Vec::new();
        reports.extend(
            (update.replaces || !update.lines.is_empty()).then_some(WorkerReport::Journal(update)),
        );
        reports.extend(messages.iter().map(|text| WorkerReport::Message(text.to_string())));
        if !self.record_reported
            && let Some(record) = practice.record()
        {
            self.record_reported = true;
            reports.push(WorkerReport::Record(record.to_string()));
        }
        reports
    }
}

fn open(plan: &str, name: &str, entropy: [u8; 32], now: Millis) -> Result<Practice, String> {
    let name = name.parse().map_err(|_| format!("{name:?} is not a valid player name"))?;
    let plan = PracticePlan::of_text(plan, name).map_err(|error| error.to_string())?;
    Practice::open(&plan, entropy, now).map_err(|refusal| format!("{:?}", refusal.reason))
}
