//! A page that knows nothing but texts: what it asks its host, and what it keeps.

use std::collections::VecDeque;

use client::mirror::Mirror;
use practice::post::{Report, Request};
use practice::{Due, Host};
use wire::table::{Command, ServerMessage, Stage};

use crate::evening::{EVENING, entropy, idea};

/// A page, with what the browser keeps for it.
struct Page {
    host: Host,
    mirror: Mirror,
    now: u64,
    journal: Vec<String>,
    record: Option<String>,
    tried: u64,
}

impl Page {
    /// Loads the page for the so many-th time: it goes on with what is kept, or opens a table.
    fn load(number: usize, journal: Vec<String>, now: u64) -> Page {
        let (host, mirror) = (Host::default(), Mirror::new(&format!("page{number}-")));
        let mut page = Page { host, mirror, now, journal, record: None, tried: 0 };
        let request = if page.journal.is_empty() {
            Request::Open { plan: "cruce2-1-m1,easy".into(), name: "Ana".into() }
        } else {
            Request::Resume { journal: page.journal.join("\n") }
        };
        assert_eq!(page.ask(&request), [Report::Opened]);
        let hello = page.mirror.hello().text();
        page.ask(&Request::Say(hello));
        page
    }

    /// Asks something, keeps and mirrors what comes back, and gives the rest.
    fn ask(&mut self, request: &Request) -> Vec<Report> {
        let reports = self.host.take(&request.text(), self.now, || entropy(3));
        self.hear(reports)
    }

    fn hear(&mut self, reports: Vec<Report>) -> Vec<Report> {
        let mut rest = Vec::new();
        let mut reports = VecDeque::from(reports);
        while let Some(report) = reports.pop_front() {
            match Report::read(&report.text()).expect("a report is read as it was written") {
                Report::Journal(pages) => {
                    if pages.anew {
                        self.journal.clear();
                        self.record = None;
                    }
                    self.journal.extend(pages.lines);
                }
                Report::Said(text) => {
                    let message = ServerMessage::read(&text).expect("a message");
                    self.mirror.hear(message);
                }
                Report::Record(text) => assert_eq!(self.record.replace(text), None, "told twice"),
                other => rest.push(other),
            }
        }
        rest
    }

    fn stage(&self) -> Stage {
        self.mirror.state().expect("the table is known").stage
    }

    /// Whether anything was done.
    fn step(&mut self) -> bool {
        if let Some(what) = idea(&self.mirror, &mut self.tried, 1) {
            self.now += 350;
            let wish = self.mirror.wish(what).text();
            self.ask(&Request::Say(wish));
            return true;
        }
        match self.host.due() {
            Some(Due::Think) => self.host.think(|| true),
            Some(Due::Wake { at }) => {
                self.now = self.now.max(at);
                let reports = self.host.wake(self.now);
                self.hear(reports);
            }
            None => return false,
        }
        true
    }
}

#[test]
fn a_match_is_played_to_its_end_however_often_the_page_is_loaded() {
    let mut page = Page::load(0, Vec::new(), EVENING);
    let mut loads = 0;
    while page.stage() != Stage::Over {
        for _ in 0..7 {
            page.step();
        }
        if page.stage() == Stage::Playing {
            loads += 1;
            page = Page::load(loads, page.journal, page.now);
        }
    }
    assert!(loads > 3, "loaded {loads} times");
    let record = page.record.clone().expect("a match that is over has a record");
    let record: game::record::Record = record.parse().expect("a record");
    assert!(record.verify().expect("true").finished);
    // A page that is loaded afterwards is told the record again.
    let after = Page::load(loads + 1, page.journal.clone(), page.now);
    assert_eq!((after.stage(), after.record), (Stage::Over, page.record.clone()));
    let wish = page.mirror.wish(Command::Rematch).text();
    page.ask(&Request::Say(wish));
    while page.stage() == Stage::Over {
        assert!(page.step(), "another match begins");
    }
    assert_eq!(page.record, None);
}

#[test]
fn what_cannot_be_opened_is_refused() {
    for request in [
        Request::Open { plan: "bridge".into(), name: "Ana".into() },
        Request::Open { plan: "whist4".into(), name: String::new() },
        Request::Resume { journal: String::new() },
        Request::Resume { journal: "ghinda practice 2\n1 2 {}".into() },
    ] {
        let reports = Host::default().take(&request.text(), EVENING, || entropy(1));
        assert!(matches!(reports[..], [Report::Refused(_)]), "{request:?}: {reports:?}");
    }
    let mut host = Host::default();
    assert_eq!(host.take(r#"{"beat":{}}"#, EVENING, || entropy(1)), []);
    assert_eq!(host.due(), None);
}
