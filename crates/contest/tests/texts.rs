//! Any text is a list of entrants or is refused; no text is taken for what it is not.
#![allow(missing_docs, reason = "tests name themselves")]

use contest::{Party, roster, urn};
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_text_is_a_list_or_is_refused(text in "\\PC*|[a-c,;\t\"\n ]*", pairs: bool) {
        match roster::parse(&text, pairs) {
            Ok(parties) => prop_assert!(parties.iter().all(|party| party.is_pair() == pairs)),
            Err(faults) => {
                let lines = text.lines().count().max(1);
                prop_assert!(faults.iter().all(|fault| (1..=lines).contains(&fault.line)));
            }
        }
    }

    #[test]
    fn a_list_that_was_written_is_read_again(names in prop::collection::vec("[^\\pC\u{2000}-\u{206f}\u{feff}]{1,40}", 1..9)) {
        let named: Vec<Party> =
            names.iter().filter_map(|name| Some(Party::Alone(name.trim().parse().ok()?))).collect();
        let mut csv = contest::csv::Csv::new(["name"]);
        named.iter().for_each(|party| csv.row([format!("{party}")]));
        // A comment or another separator would need quotes that a plain table does not write.
        let tame = named.iter().all(|party| !party.to_string().starts_with('#') && !party.to_string().contains([';', '\t']));
        prop_assume!(tame);
        prop_assert_eq!(roster::parse(&csv.text(), false), Ok(named));
    }

    #[test]
    fn any_text_is_a_ticket_or_is_refused(text in "\\PC*") {
        if let Ok(ticket) = text.parse::<urn::Ticket>() {
            prop_assert_eq!(ticket.to_string().parse::<urn::Ticket>(), Ok(ticket));
        }
    }
}
