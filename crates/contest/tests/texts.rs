//! Any text is a valid list or ticket, or is refused.
#![allow(missing_docs, reason = "tests name themselves")]

use contest::{Party, roster, urn};
use game::record::Name;
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
    fn a_written_list_is_read_back(
        names in prop::collection::vec("[^\\pC\u{2000}-\u{206f}\u{feff}]{1,40}", 1..9)
    ) {
        // A list is written by people, so that only names they can read are taken from it.
        let named: Vec<Party> = names
            .iter()
            .filter_map(|name| Some(Party::Alone(Name::new(name.trim()).ok()?)))
            .collect();
        let mut csv = contest::csv::Csv::new(["name"]);
        named.iter().for_each(|party| csv.row([format!("{party}")]));
        // A comment or another separator would need quotes that a plain table does not write.
        let is_plain = |party: &Party| {
            let name = party.to_string();
            !name.starts_with('#') && !name.contains([';', '\t'])
        };
        prop_assume!(named.iter().all(is_plain));
        prop_assert_eq!(roster::parse(&csv.text(), false), Ok(named));
    }

    #[test]
    fn any_text_is_a_ticket_or_is_refused(text in "\\PC*") {
        if let Ok(ticket) = text.parse::<urn::Ticket>() {
            prop_assert_eq!(ticket.to_string().parse::<urn::Ticket>(), Ok(ticket));
        }
    }
}
