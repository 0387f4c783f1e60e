//! A practice table for a browser page: takes the requests of the page and returns reports. The caller
//! supplies a clock, timers and random bytes, and carries the texts.

use std::sync::Arc;

use room::Millis;

use crate::messages::{HostReport, HostRequest};
use crate::plan::{PracticePlan, tempo};
use crate::practice::{Due, Practice};

/// The practice table of a page, once the page has opened one.
#[derive(Default)]
pub struct PracticeHost {
    practice: Option<Practice>,
    /// Whether the record of the finished match was reported.
    told: bool,
}

impl PracticeHost {
    /// Handles a request of the page and returns the reports to it. `entropy` returns random bytes that
    /// were never used before; a new table needs them.
    pub fn take(
        &mut self,
        request: &str,
        now: Millis,
        entropy: impl FnOnce() -> [u8; 32],
    ) -> Vec<HostReport> {
        let opened = match HostRequest::read(request) {
            Some(HostRequest::Open { plan, name }) => open(&plan, &name, entropy(), now),
            Some(HostRequest::Resume { journal }) => {
                let resumed = Practice::resume(journal.lines(), tempo(), now);
                resumed.map_err(|spoilt| spoilt.to_string())
            }
            Some(HostRequest::Say(text)) => {
                let Some(practice) = &mut self.practice else { return Vec::new() };
                let sent = practice.hear(now, &text);
                return self.report(sent);
            }
            None => return Vec::new(),
        };
        match opened {
            Ok(practice) => {
                (self.practice, self.told) = (Some(practice), false);
                let mut reports = vec![HostReport::Opened];
                reports.extend(self.report(Vec::new()));
                reports
            }
            Err(why) => vec![HostReport::Refused(why)],
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
    pub fn wake(&mut self, now: Millis) -> Vec<HostReport> {
        let sent = self.practice.as_mut().map(|practice| practice.wake(now));
        self.report(sent.unwrap_or_default())
    }

    /// The reports to the page: first what it must store, so that it never shows what could be lost, then
    /// the messages of the table.
    fn report(&mut self, sent: Vec<Arc<str>>) -> Vec<HostReport> {
        let Some(practice) = &mut self.practice else { return Vec::new() };
        let pages = practice.journal();
        // A new match has begun.
        self.told &= !pages.anew;
        let mut reports = Vec::new();
        reports
            .extend((pages.anew || !pages.lines.is_empty()).then_some(HostReport::Journal(pages)));
        reports.extend(sent.iter().map(|text| HostReport::Said(text.to_string())));
        if !self.told
            && let Some(record) = practice.record()
        {
            self.told = true;
            reports.push(HostReport::Record(record.to_string()));
        }
        reports
    }
}

fn open(plan: &str, name: &str, entropy: [u8; 32], now: Millis) -> Result<Practice, String> {
    let name = name.parse().map_err(|_| format!("nobody can be called {name:?}"))?;
    let plan = PracticePlan::of_text(plan, name).map_err(|error| error.to_string())?;
    Practice::open(&plan, entropy, now).map_err(|refusal| format!("{:?}", refusal.reason))
}
