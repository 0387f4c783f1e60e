//! Why a table has refused a command, as a sentence.

use game::Rules;
use phrases::Phrases;
use wire::table::{CommandRefusal, RefusalReason};

/// The sentence for a refusal: that of the rules, if the rules forbid the command.
pub fn sentence(refusal: &CommandRefusal, rules: Option<&Rules>, phrases: &Phrases) -> String {
    let by_rules = refusal.illegal.as_ref().filter(|_| refusal.reason == RefusalReason::Illegal);
    let by_rules = by_rules.zip(rules).and_then(|(text, rules)| {
        let illegal = text.illegal(rules).ok()?;
        Some(phrases.refusal(&illegal, rules))
    });
    by_rules.unwrap_or_else(|| phrases.refused_by_table(refusal.reason))
}
