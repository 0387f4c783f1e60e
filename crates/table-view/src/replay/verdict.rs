//! The verification of a record in words: what was verified, or the first fault.

use game::record::{Record, RecordError, RecordErrorAt};

use phrases::{Phrases, game_word};

/// The result of verifying a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether the record is correct.
    pub right: bool,
    /// What was verified, or the fault, as sentences.
    pub lines: Vec<String>,
}

impl Verdict {
    /// Verifies a record: the commitment, every deal, every action and every score.
    pub fn of(record: &Record, names: &[String], phrases: &Phrases) -> Verdict {
        let verified = match record.verify() {
            Ok(verified) => verified,
            Err(wrong) => {
                return Verdict { right: false, lines: vec![fault_text(&wrong, record, phrases)] };
            }
        };
        let mut lines = Vec::new();
        if verified.revealed {
            let words = record.words.iter().zip(names);
            let speakers: Vec<String> =
                words.filter(|(word, _)| word.is_some()).map(|(_, name)| name.clone()).collect();
            lines.push(phrases.verified_secret(record.commitment.to_string()));
            lines.push(match speakers.is_empty() {
                true => phrases.verified_no_words(),
                false => phrases.verified_words(phrases.list_and(&speakers)),
            });
            lines.push(phrases.verified_deals(verified.deals));
        } else {
            lines.push(phrases.wrong_record("not_revealed"));
        }
        lines.push(phrases.verified_actions(verified.actions));
        Verdict { right: verified.revealed, lines }
    }
}

/// The fault and its position.
fn fault_text(wrong: &RecordErrorAt, record: &Record, phrases: &Phrases) -> String {
    let what = match &wrong.what {
        RecordError::NotRevealed => phrases.wrong_record("not_revealed"),
        RecordError::OtherSecret => phrases.wrong_record("other_secret"),
        RecordError::OtherFirst { expected, found } => phrases.wrong_first(*expected, *found),
        RecordError::OtherCards => phrases.wrong_record("other_cards"),
        RecordError::Deal(_) => phrases.wrong_record("no_deal"),
        RecordError::Illegal(illegal) => {
            phrases.wrong_action(phrases.refusal(illegal, &record.rules))
        }
        RecordError::NobodyActs => phrases.wrong_record("nobody_acts"),
        RecordError::OtherJudgement { .. } => phrases.wrong_record("other_judgement"),
        RecordError::OtherEnd => phrases.wrong_record("other_end"),
        RecordError::NoSuchDeal => phrases.wrong_record("no_such_deal"),
        RecordError::OtherWinner => phrases.wrong_record("other_winner"),
    };
    match (wrong.deal, wrong.action) {
        (Some(deal), action) => {
            let game = game_word(&record.rules);
            phrases.wrong_at(game, deal, action.unwrap_or_default(), what)
        }
        (None, _) => what,
    }
}
