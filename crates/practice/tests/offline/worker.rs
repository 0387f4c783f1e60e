//! A page that exchanges texts with its host, and stores the journal.

use std::collections::VecDeque;

use practice::messages::{WorkerReport, WorkerRequest};
use practice::{Due, PracticeWorker};
use replica::Replica;
use replica::table::TableReplica;
use wire::table::{ServerMessage, TableCommand, TableStage};

use crate::session::{START, entropy, next_command};

/// A page, with what the browser stores for it.
struct Page {
    host: PracticeWorker,
    replica: TableReplica,
    now: u64,
    journal: Vec<String>,
    record: Option<String>,
    claimed_at: u64,
}

impl Page {
    /// Loads the page for the `number`-th time: it resumes the stored match, or opens a table.
    fn load(number: usize, journal: Vec<String>, now: u64) -> Page {
        let (host, replica) =
            (PracticeWorker::default(), TableReplica::new(&format!("page{number}-")));
        let mut page = Page { host, replica, now, journal, record: None, claimed_at: 0 };
        let request = if page.journal.is_empty() {
            WorkerRequest::Open { plan: "cruce2-1-m1,easy".into(), name: "Ana".into() }
        } else {
            WorkerRequest::Resume { journal: page.journal.join("\n") }
        };
        assert_eq!(page.ask(&request), [WorkerReport::Opened]);
        let hello = page.replica.hello().text();
        page.ask(&WorkerRequest::Message(hello));
        page
    }

    /// Sends a request, stores and applies the reports, and returns the other reports.
    fn ask(&mut self, request: &WorkerRequest) -> Vec<WorkerReport> {
        let reports = self.host.handle(&request.text(), self.now, || entropy(3));
        self.receive(reports)
    }

    fn receive(&mut self, reports: Vec<WorkerReport>) -> Vec<WorkerReport> {
        let mut rest = Vec::new();
        let mut reports = VecDeque::from(reports);
        while let Some(report) = reports.pop_front() {
            match WorkerReport::read(&report.text()).expect("a report is read as it was written") {
                WorkerReport::Journal(update) => {
                    if update.replaces {
                        self.journal.clear();
                        self.record = None;
                    }
                    self.journal.extend(update.lines);
                }
                WorkerReport::Message(text) => {
                    let message = ServerMessage::read(&text).expect("a message");
                    self.replica.receive(message);
                }
                WorkerReport::Record(text) => {
                    assert_eq!(self.record.replace(text), None, "the record is reported once")
                }
                other => rest.push(other),
            }
        }
        rest
    }

    fn stage(&self) -> TableStage {
        self.replica.state().expect("the table is known").stage
    }

    /// Does the next step. Returns whether there was one.
    fn step(&mut self) -> bool {
        if let Some(what) = next_command(&self.replica, &mut self.claimed_at, 1) {
            self.now += 350;
            let command = self.replica.command(what).1.text();
            self.ask(&WorkerRequest::Message(command));
            return true;
        }
        match self.host.due() {
            Some(Due::Think) => self.host.think(|| true),
            Some(Due::Wake { at }) => {
                self.now = self.now.max(at);
                let reports = self.host.wake(self.now);
                self.receive(reports);
            }
            None => return false,
        }
        true
    }
}

#[test]
fn a_match_survives_any_number_of_page_loads() {
    let mut page = Page::load(0, Vec::new(), START);
    let mut loads = 0;
    while page.stage() != TableStage::Over {
        for _ in 0..7 {
            page.step();
        }
        if page.stage() == TableStage::Playing {
            loads += 1;
            page = Page::load(loads, page.journal, page.now);
        }
    }
    assert!(loads > 3, "loaded {loads} times");
    let record = page.record.clone().expect("a finished match has a record");
    let record: game::record::Record = record.parse().expect("a record");
    assert!(record.verify().expect("true").finished);
    // A page that is loaded afterwards receives the record again.
    let after = Page::load(loads + 1, page.journal.clone(), page.now);
    assert_eq!((after.stage(), after.record), (TableStage::Over, page.record.clone()));
    let command = page.replica.command(TableCommand::AskForRematch).1.text();
    page.ask(&WorkerRequest::Message(command));
    while page.stage() == TableStage::Over {
        assert!(page.step(), "another match begins");
    }
    assert_eq!(page.record, None);
}

#[test]
fn invalid_requests_are_refused() {
    for request in [
        WorkerRequest::Open { plan: "bridge".into(), name: "Ana".into() },
        WorkerRequest::Open { plan: "whist4".into(), name: String::new() },
        WorkerRequest::Resume { journal: String::new() },
        WorkerRequest::Resume { journal: "ghinda practice 2\n1 2 {}".into() },
    ] {
        let reports = PracticeWorker::default().handle(&request.text(), START, || entropy(1));
        assert!(matches!(reports[..], [WorkerReport::Refused(_)]), "{request:?}: {reports:?}");
    }
    let mut host = PracticeWorker::default();
    assert_eq!(host.handle(r#"{"beat":{}}"#, START, || entropy(1)), []);
    assert_eq!(host.due(), None);
}
