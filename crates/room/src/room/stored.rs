//! How values of the core crates, which know no serialisation, stand in the log.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// As a text: names, words, actions.
pub(super) mod text {
    use super::*;

    pub(in crate::room) fn serialize<S: Serializer, T: Display>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(in crate::room) fn deserialize<'de, D, T>(deserializer: D) -> Result<T, D::Error>
    where
        D: Deserializer<'de>,
        T: FromStr<Err: Display>,
    {
        Cow::<'_, str>::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Defines a module for `#[serde(with = …)]` from a pair of conversions.
macro_rules! stored_as {
    ($(#[$doc:meta])* $module:ident: $value:ty as $form:ty, $to:expr, $from:expr) => {
        $(#[$doc])*
        pub(super) mod $module {
            use super::*;

            pub(in crate::room) fn serialize<S: Serializer>(
                value: &$value,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let to: fn(&$value) -> $form = $to;
                to(value).serialize(serializer)
            }

            pub(in crate::room) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$value, D::Error> {
                let from: fn($form) -> Result<$value, String> = $from;
                from(<$form>::deserialize(deserializer)?).map_err(de::Error::custom)
            }
        }
    };
}

fn seat_of(number: usize) -> Result<cards::Seat, String> {
    let seat = cards::Seat::from_number(number);
    seat.ok_or_else(|| format!("there is no seat {number}"))
}

stored_as! {
    /// A seat by its number, counted from one.
    seat: cards::Seat as usize, |seat| seat.number(), seat_of
}
stored_as! {
    /// Two seats.
    seats: [cards::Seat; 2] as [usize; 2],
    |seats| seats.map(|seat| seat.number()),
    |[one, two]| Ok([seat_of(one)?, seat_of(two)?])
}
stored_as! {
    /// Rules by their code.
    rules: game::Rules as String,
    |rules| rules.code(),
    |code| game::Rules::from_code(&code).map_err(|faults| faults.to_string())
}
stored_as! {
    /// The level of a bot by its name.
    level: bots::Level as String,
    |level| level.name().into(),
    |name| name.parse().map_err(|unknown: bots::UnknownLevel| unknown.to_string())
}
stored_as! {
    /// A secret in hexadecimal digits. Logs are the one place that keeps secrets.
    secret: game::fair::Secret as String,
    |secret| secret.reveal(),
    |text| text.parse().map_err(|error: game::fair::InvalidHex| error.to_string())
}
stored_as! {
    /// The word of each seat, or null.
    words: cards::BySeat<Option<game::fair::Word>> as Vec<Option<String>>,
    |words| words.iter().map(|word| word.map(|word| word.to_string())).collect(),
    |texts| {
        if texts.len() > cards::MAX_SEATS {
            return Err(format!("words of {} seats", texts.len()));
        }
        let mut words = cards::BySeat::filled(None, texts.len());
        for (seat, text) in cards::Seat::first(texts.len()).zip(texts) {
            let parse = |text: String| text.parse::<game::fair::Word>();
            words[seat] = text.map(parse).transpose().map_err(|error| error.to_string())?;
        }
        Ok(words)
    }
}
stored_as! {
    /// What every seat plays in the rest of a deal.
    line: Vec<(cards::Seat, game::notation::ActionText)> as Vec<(usize, String)>,
    |line| line.iter().map(|(seat, action)| (seat.number(), action.to_string())).collect(),
    |line| {
        let read = |(seat, action): (usize, String)| {
            let action = action.parse();
            let action = action.map_err(|error: game::notation::InvalidAction| error.to_string());
            Ok((seat_of(seat)?, action?))
        };
        line.into_iter().map(read).collect()
    }
}
