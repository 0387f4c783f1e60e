//! A complete bot for Ghinda in one file, with `serde_json` alone: it always makes
//! the lowest bid and plays the weakest legal card.
//!
//! ```sh
//! cargo build --release -p ghinda --example least
//! ghinda arena random cmd:target/release/examples/least
//! ```
//!
//! `docs/bots.md` explains the protocol.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

/// The ranks of Cruce and of whist, weakest first.
const STRENGTH: [&str; 2] = ["9234XA", "3456789TJQKA"];

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let reply = match serde_json::from_str::<Value>(&line?) {
            Ok(message) => match message["type"].as_str() {
                Some("bye") => return Ok(()),
                Some("hello") => {
                    Some(json!({"ghinda": 1, "type": "hello", "name": "least", "version": "1"}))
                }
                Some("act") => Some(answer(&message)),
                Some("deal_over" | "match_over" | "error") => None,
                _ => Some(error("there is no message of this type")),
            },
            Err(_) => Some(error("this is no JSON")),
        };
        if let Some(reply) = reply {
            writeln!(out, "{reply}")?;
            out.flush()?;
        }
    }
    Ok(())
}

fn answer(question: &Value) -> Value {
    // Only honour tables have `lawful`: the actions that break no duty and challenge no player.
    let lawful = question["lawful"].as_array().or(question["legal"].as_array());
    let actions = lawful.into_iter().flatten().filter_map(Value::as_str);
    let rules = question["state"]["rules"].as_str().unwrap_or_default();
    let ranks = STRENGTH[usize::from(rules.starts_with("whist"))];
    // Bids come lowest first, and `min_by_key` keeps the first of equal actions.
    let weakest = actions.min_by_key(|action| match action.len() {
        0 | 1 => None,
        _ => action.chars().next().and_then(|rank| ranks.find(rank)),
    });
    json!({"type": "action", "id": question["id"], "action": weakest})
}

fn error(message: &str) -> Value {
    json!({"type": "error", "message": message})
}
