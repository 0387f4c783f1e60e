//! What a page and its [host](crate::Host) say to each other across a worker's door: one text
//! at a time, each way.
//!
//! A message of the table is itself. It is JSON, so it begins with a brace; everything else
//! begins with a word on a line of its own.

use crate::book::Pages;

/// What a page says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Opens a table.
    Open {
        /// How it is to be: see [`Plan::of_text`](crate::Plan::of_text).
        plan: String,
        /// What the person is called.
        name: String,
    },
    /// Goes on with a match.
    Resume {
        /// The journal that was kept of it.
        journal: String,
    },
    /// A message to the table.
    Say(String),
}

/// What a host says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Report {
    /// It listens.
    Ready,
    /// The table is open, and hello may be said to it.
    Opened,
    /// There is no table, and why, for developers.
    Refused(String),
    /// What is to be kept, before anything is shown of it.
    Journal(Pages),
    /// A message of the table.
    Said(String),
    /// The record of the match that is over.
    Record(String),
}

impl Request {
    /// As text.
    pub fn text(&self) -> String {
        match self {
            Request::Open { plan, name } => format!("open\n{plan}\n{name}"),
            Request::Resume { journal } => format!("resume\n{journal}"),
            Request::Say(text) => text.clone(),
        }
    }

    /// From text; nothing if no page would say it.
    pub fn read(text: &str) -> Option<Request> {
        if text.starts_with('{') {
            return Some(Request::Say(text.into()));
        }
        let (word, rest) = text.split_once('\n')?;
        match word {
            "open" => {
                let (plan, name) = rest.split_once('\n')?;
                Some(Request::Open { plan: plan.into(), name: name.into() })
            }
            "resume" => Some(Request::Resume { journal: rest.into() }),
            _ => None,
        }
    }
}

impl Report {
    /// As text.
    pub fn text(&self) -> String {
        match self {
            Report::Ready => "ready\n".into(),
            Report::Opened => "opened\n".into(),
            Report::Refused(why) => format!("refused\n{why}"),
            Report::Journal(Pages { anew, lines }) => {
                let word = if *anew { "anew" } else { "more" };
                format!("{word}\n{}", lines.join("\n"))
            }
            Report::Said(text) => text.clone(),
            Report::Record(text) => format!("record\n{text}"),
        }
    }

    /// From text; nothing if no host would say it.
    pub fn read(text: &str) -> Option<Report> {
        if text.starts_with('{') {
            return Some(Report::Said(text.into()));
        }
        let (word, rest) = text.split_once('\n')?;
        let pages = |anew| {
            let lines = rest.lines().map(String::from).collect();
            Some(Report::Journal(Pages { anew, lines }))
        };
        match word {
            "ready" => Some(Report::Ready),
            "opened" => Some(Report::Opened),
            "refused" => Some(Report::Refused(rest.into())),
            "anew" => pages(true),
            "more" => pages(false),
            "record" => Some(Report::Record(rest.into())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_what_is_heard() {
        let pages =
            |anew| Report::Journal(Pages { anew, lines: vec!["1 2 {}".into(), "2 3 {}".into()] });
        for request in [
            Request::Open { plan: "cruce4t-21,hard".into(), name: "Ana Maria".into() },
            Request::Resume { journal: "ghinda practice 1\n1 2 {}".into() },
            Request::Say(r#"{"beat":{}}"#.into()),
        ] {
            assert_eq!(Request::read(&request.text()), Some(request));
        }
        for report in [
            Report::Ready,
            Report::Opened,
            Report::Refused("no\nreason".into()),
            pages(true),
            pages(false),
            Report::Said(r#"{"beat":{}}"#.into()),
            Report::Record("ghinda 1\n\nrules cruce2-3\n".into()),
        ] {
            assert_eq!(Report::read(&report.text()), Some(report));
        }
    }

    #[test]
    fn what_nobody_would_say_is_not_heard() {
        for text in ["", "open", "open\ncruce2-3", "close\n", "ready"] {
            assert_eq!(Request::read(text), None, "{text:?}");
            assert_eq!(Report::read(text), None, "{text:?}");
        }
    }
}
