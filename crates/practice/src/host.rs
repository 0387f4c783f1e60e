//! A host for a page: takes its requests and gives reports. Whoever runs it has a clock,
//! timers and random bytes, and carries texts.

use std::sync::Arc;

use room::Millis;

use crate::plan::{Plan, tempo};
use crate::post::{Report, Request};
use crate::practice::{Due, Practice};

/// A table for a page, once it was asked for.
#[derive(Default)]
pub struct Host {
    practice: Option<Practice>,
    /// Whether the record of the match that is over was told.
    told: bool,
}

impl Host {
    /// Takes a request of the page, and gives the reports to it. `entropy` are random bytes
    /// that were never used before: a table that is opened needs them.
    pub fn take(
        &mut self,
        request: &str,
        now: Millis,
        entropy: impl FnOnce() -> [u8; 32],
    ) -> Vec<Report> {
        let opened = match Request::read(request) {
            Some(Request::Open { plan, name }) => open(&plan, &name, entropy(), now),
            Some(Request::Resume { journal }) => {
                let resumed = Practice::resume(journal.lines(), tempo(), now);
                resumed.map_err(|spoilt| spoilt.to_string())
            }
            Some(Request::Say(text)) => {
                let Some(practice) = &mut self.practice else { return Vec::new() };
                let sent = practice.hear(now, &text);
                return self.report(sent);
            }
            None => return Vec::new(),
        };
        match opened {
            Ok(practice) => {
                (self.practice, self.told) = (Some(practice), false);
                let mut reports = vec![Report::Opened];
                reports.extend(self.report(Vec::new()));
                reports
            }
            Err(why) => vec![Report::Refused(why)],
        }
    }

    /// What is to be done next if the page says nothing: see [`Practice::due`].
    pub fn due(&self) -> Option<Due> {
        self.practice.as_ref()?.due()
    }

    /// Thinks about what is due: see [`Practice::think`].
    pub fn think(&mut self, may_go_on: impl Fn() -> bool) {
        if let Some(practice) = &mut self.practice {
            practice.think(may_go_on);
        }
    }

    /// Does what is due by now, and gives the reports to the page.
    pub fn wake(&mut self, now: Millis) -> Vec<Report> {
        let sent = self.practice.as_mut().map(|practice| practice.wake(now));
        self.report(sent.unwrap_or_default())
    }

    /// What the page is told: first what it is to keep, so that it never shows what would be
    /// forgotten, then what the table says.
    fn report(&mut self, sent: Vec<Arc<str>>) -> Vec<Report> {
        let Some(practice) = &mut self.practice else { return Vec::new() };
        let pages = practice.journal();
        // Another match has begun.
        self.told &= !pages.anew;
        let mut reports = Vec::new();
        reports.extend((pages.anew || !pages.lines.is_empty()).then_some(Report::Journal(pages)));
        reports.extend(sent.iter().map(|text| Report::Said(text.to_string())));
        if !self.told
            && let Some(record) = practice.record()
        {
            self.told = true;
            reports.push(Report::Record(record.to_string()));
        }
        reports
    }
}

fn open(plan: &str, name: &str, entropy: [u8; 32], now: Millis) -> Result<Practice, String> {
    let name = name.parse().map_err(|_| format!("nobody can be called {name:?}"))?;
    let plan = Plan::of_text(plan, name).map_err(|error| error.to_string())?;
    Practice::open(&plan, entropy, now).map_err(|refusal| format!("{:?}", refusal.reason))
}
