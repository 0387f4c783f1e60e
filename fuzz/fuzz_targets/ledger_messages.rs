//! Any lines as what clients and servers of ledgers say to each other, one message or entry a line. A
//! message survives being written and read, or is refused with a short error. What it asks for is
//! decided as a server decides it, on a contest and on a score sheet: a refusal changes nothing and
//! can be sent, an entry applies, and in the end the lines lead to the same ledger.
#![no_main]

use std::sync::LazyLock;

use contest::{Contest, ContestChange, ContestRefusal, Role, urn};
use game::fair::{Secret, Word};
use libfuzzer_sys::fuzz_target;
use wire::contest::export::ContestExport;
use wire::contest::{RefusalText, parse_role};
use wire::ledger::{
    Ledger, LedgerClientMessage, LedgerCommand, LedgerEntry, LedgerRefusal, LedgerServerMessage,
    MessageError,
};

/// The ledgers on which all begins. They are read once, as drawing lots takes time.
static BEGUN: LazyLock<[Ledger; 2]> = LazyLock::new(|| {
    let texts = [include_str!("../seeds/contest/cup"), include_str!("../seeds/contest/whist")];
    texts.map(|lines| Ledger::from_lines(lines).expect("a seed is a ledger"))
});

/// More messages do not find more, and make a run slow.
const MOST_LINES: usize = 40;

/// The time of all entries.
const NOW: u64 = 1_800_000_000_000;

fuzz_target!(|text: &str| {
    let mut ledgers = BEGUN.clone();
    let mut role = Role::Organiser;
    for line in text.lines().take(MOST_LINES) {
        if let Ok(ledger) = Ledger::from_header(line) {
            let kind = usize::from(ledger.sheet().is_some());
            ledgers[kind] = ledger;
            continue;
        }
        for ledger in &mut ledgers {
            add(ledger, |ledger| ledger.add(2, line).map_err(|fault| fault.to_string()));
        }
        hear_client(line, &mut role, &mut ledgers);
        hear_server(line, &mut ledgers);
    }
    for ledger in ledgers.into_iter().filter(|ledger| !BEGUN.contains(ledger)) {
        let _ = ledger.contest().map(ContestExport::of);
        let _ = ledger.sheet().map(|sheet| (sheet.next(), sheet.to_csv()));
        assert_eq!(Ledger::from_lines(&ledger.to_lines()).ok(), Some(ledger));
    }
});

/// A refusal changes nothing and is short, as it is sent.
fn add(ledger: &mut Ledger, change: impl FnOnce(&mut Ledger) -> Result<(), String>) {
    let before = ledger.clone();
    match change(ledger) {
        Ok(()) => assert_eq!(ledger.len(), before.len() + 1),
        Err(fault) => {
            assert!(fault.chars().count() < 400, "{fault}");
            assert_eq!(*ledger, before);
        }
    }
}

fn hear_client(line: &str, role: &mut Role, ledgers: &mut [Ledger; 2]) {
    let message = match LedgerClientMessage::read(line) {
        Ok(message) => message,
        Err(error) => return check_short(&error),
    };
    assert_eq!(LedgerClientMessage::read(&message.text()).as_ref(), Ok(&message));
    match message {
        // Without a key, so that all roles are tried.
        LedgerClientMessage::Hello { role: Some(asked), .. } => {
            *role = parse_role(&asked).unwrap_or(Role::Public);
        }
        LedgerClientMessage::Do { id, what } => {
            for ledger in ledgers {
                match decide(ledger, *role, &what) {
                    Ok(entry) => add(ledger, |ledger| {
                        Ok(ledger.apply(entry).expect("what was decided applies"))
                    }),
                    Err(refusal) => {
                        let refused = LedgerServerMessage::Refused { id: id.clone(), refusal };
                        let again = LedgerServerMessage::read(&refused.text());
                        assert_eq!(again.as_ref(), Ok(&refused));
                    }
                }
            }
        }
        LedgerClientMessage::Hello { .. } | LedgerClientMessage::Beat => {}
    }
}

fn hear_server(line: &str, ledgers: &mut [Ledger; 2]) {
    let message = match LedgerServerMessage::read(line) {
        Ok(message) => message,
        Err(error) => return check_short(&error),
    };
    assert_eq!(LedgerServerMessage::read(&message.text()).as_ref(), Ok(&message));
    if let LedgerServerMessage::Lines { from, lines } = message {
        for (at, line) in lines.iter().enumerate().take(MOST_LINES) {
            for ledger in &mut *ledgers {
                let at = from.saturating_add(at);
                add(ledger, |ledger| ledger.add(at, line).map_err(|fault| fault.to_string()));
            }
        }
    }
}

/// An error quotes the message, but never at length.
fn check_short(error: &MessageError) {
    assert!(error.to_string().len() < 1000);
}

/// What a command leads to on a server, with one secret for all draws.
fn decide(
    ledger: &Ledger,
    by: Role,
    command: &LedgerCommand,
) -> Result<LedgerEntry, LedgerRefusal> {
    let secret = Secret([7; 32]);
    match (ledger, command) {
        (Ledger::Sheet(sheet), LedgerCommand::Sheet(change)) => {
            let change = change.change().map_err(unreadable)?;
            let entry = sheet.decide(NOW, None, change).map_err(|refusal| {
                LedgerRefusal::Because(RefusalText::of(
                    &ContestRefusal::Sheet(refusal),
                    sheet.rules(),
                ))
            })?;
            Ok(LedgerEntry::Sheet(entry))
        }
        (Ledger::Contest(log), LedgerCommand::Contest(change)) => {
            decide_contest(&log.contest, by, change.change().map_err(unreadable)?)
        }
        (Ledger::Contest(log), LedgerCommand::Prepare) => {
            let phase = log.contest.phases().len();
            let commitment = urn::commitment(log.contest.settings(), phase, &secret);
            decide_contest(&log.contest, by, ContestChange::Commit(commitment))
        }
        (Ledger::Contest(log), LedgerCommand::Draw { words }) => {
            let words: Result<Vec<Word>, _> = words.iter().map(|word| word.parse()).collect();
            let words = words.map_err(|fault| unreadable(fault.to_string()))?;
            decide_contest(&log.contest, by, ContestChange::Draw { secret, words })
        }
        _ => Err(LedgerRefusal::OtherLedger),
    }
}

/// The text is sent to the client.
fn unreadable(what: String) -> LedgerRefusal {
    assert!(what.chars().count() < 400, "{what}");
    LedgerRefusal::Unreadable(what)
}

fn decide_contest(
    contest: &Contest,
    by: Role,
    change: ContestChange,
) -> Result<LedgerEntry, LedgerRefusal> {
    let entry = contest.decide(NOW, by, change).map_err(|refusal| {
        LedgerRefusal::Because(RefusalText::of(&refusal, contest.settings().rules()))
    })?;
    Ok(LedgerEntry::Contest(entry))
}
