//! The messages between a page and its [worker](crate::PracticeWorker): one text at a time, in
//! both directions.
//!
//! A message of the table is passed unchanged. It is JSON, so it begins with a brace; every other text
//! begins with a word on a line of its own.

use crate::journal::JournalUpdate;

/// A message of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerRequest {
    /// Opens a table.
    Open {
        /// The plan of the table: see [`PracticePlan::of_text`](crate::PracticePlan::of_text).
        plan: String,
        /// The player's name.
        name: String,
    },
    /// Resumes a match.
    Resume {
        /// The stored journal of the match.
        journal: String,
    },
    /// A message to the table.
    Message(String),
}

/// A message of the worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerReport {
    /// The worker can take requests.
    Ready,
    /// The table is open and takes a hello.
    Opened,
    /// No table was opened; the reason, for developers.
    Refused(String),
    /// The new journal lines. The page stores them before it shows anything of them.
    Journal(JournalUpdate),
    /// A message of the table.
    Message(String),
    /// The record of the finished match.
    Record(String),
}

impl WorkerRequest {
    /// As text.
    pub fn text(&self) -> String {
        match self {
            WorkerRequest::Open { plan, name } => format!("open\n{plan}\n{name}"),
            WorkerRequest::Resume { journal } => format!("resume\n{journal}"),
            WorkerRequest::Message(text) => text.clone(),
        }
    }

    /// From text. Returns `None` if it is not a request.
    pub fn read(text: &str) -> Option<WorkerRequest> {
        if text.starts_with('{') {
            return Some(WorkerRequest::Message(text.into()));
        }
        let (word, rest) = text.split_once('\n')?;
        match word {
            "open" => {
                let (plan, name) = rest.split_once('\n')?;
                Some(WorkerRequest::Open { plan: plan.into(), name: name.into() })
            }
            "resume" => Some(WorkerRequest::Resume { journal: rest.into() }),
            _ => None,
        }
    }
}

impl WorkerReport {
    /// As text.
    pub fn text(&self) -> String {
        match self {
            WorkerReport::Ready => "ready\n".into(),
            WorkerReport::Opened => "opened\n".into(),
            WorkerReport::Refused(why) => format!("refused\n{why}"),
            WorkerReport::Journal(JournalUpdate { replaces: anew, lines }) => {
                let word = if *anew { "anew" } else { "more" };
                format!("{word}\n{}", lines.join("\n"))
            }
            WorkerReport::Message(text) => text.clone(),
            WorkerReport::Record(text) => format!("record\n{text}"),
        }
    }

    /// From text. Returns `None` if it is not a report.
    pub fn read(text: &str) -> Option<WorkerReport> {
        if text.starts_with('{') {
            return Some(WorkerReport::Message(text.into()));
        }
        let (word, rest) = text.split_once('\n')?;
        let journal = |anew| {
            let lines = rest.lines().map(String::from).collect();
            Some(WorkerReport::Journal(JournalUpdate { replaces: anew, lines }))
        };
        match word {
            "ready" => Some(WorkerReport::Ready),
            "opened" => Some(WorkerReport::Opened),
            "refused" => Some(WorkerReport::Refused(rest.into())),
            "anew" => journal(true),
            "more" => journal(false),
            "record" => Some(WorkerReport::Record(rest.into())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let journal = |anew| {
            WorkerReport::Journal(JournalUpdate {
                replaces: anew,
                lines: vec!["1 2 {}".into(), "2 3 {}".into()],
            })
        };
        for request in [
            WorkerRequest::Open { plan: "cruce4t-21,hard".into(), name: "Ana Maria".into() },
            WorkerRequest::Resume { journal: "ghinda practice 1\n1 2 {}".into() },
            WorkerRequest::Message(r#"{"beat":{}}"#.into()),
        ] {
            assert_eq!(WorkerRequest::read(&request.text()), Some(request));
        }
        for report in [
            WorkerReport::Ready,
            WorkerReport::Opened,
            WorkerReport::Refused("no\nreason".into()),
            journal(true),
            journal(false),
            WorkerReport::Message(r#"{"beat":{}}"#.into()),
            WorkerReport::Record("ghinda 1\n\nrules cruce2-3\n".into()),
        ] {
            assert_eq!(WorkerReport::read(&report.text()), Some(report));
        }
    }

    #[test]
    fn other_texts_are_not_messages() {
        for text in ["", "open", "open\ncruce2-3", "close\n", "ready"] {
            assert_eq!(WorkerRequest::read(text), None, "{text:?}");
            assert_eq!(WorkerReport::read(text), None, "{text:?}");
        }
    }
}
