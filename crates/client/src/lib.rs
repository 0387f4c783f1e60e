//! What both faces of the game share, without a terminal, a page or a socket.
//!
//! The crates below speak in typed values; here they become sentences for
//! people, in Romanian and in English.
//!
//! - [`Phrases`]: why something is refused, what rules mean, what happens at a table.
//! - [`Story`]: a match told from its events, card by card.
//! - [`Felt`]: a match as it is to be drawn for one viewer.
//! - [`company`]: who sits at a table. [`scores`]: the score sheet. [`spoken`]: what happens, said aloud.
//! - [`Route`]: the places of the page and their addresses.
//! - [`house_rules`]: the rules as a form.
//! - [`follower`]: what a client knows of a ledger. [`pass`]: what a link to one lets somebody do.
//! - [`hall`]: a contest in plain text, and as pages draw it. [`paper`]: the score sheet of a real table in
//!   plain text. [`pad`]: the same, to be drawn and written on.
//! - [`hint`]: what to do on a seat, why, and what everything else is worth.
//! - [`lesson`]: a game learnt by playing it.
//! - [`mirror`]: what a client knows of a table on a server.
//! - [`picture`]: cards drawn in plain text.
//! - [`rows`]: hands and tricks in rows.
//! - [`Replay`]: a match that is over, step by step.
//! - [`sheet`]: how a deal was scored, as a small table.
//! - [`layout`]: the plain text they are all written in.
//!
//! ```
//! use client::{Language, Phrases};
//! use game::{Illegal, Rules};
//!
//! let rules = Rules::from_code("classic").unwrap();
//! let phrases = Phrases::new(Language::of_locale("ro_RO.UTF-8"));
//! let said = phrases.refusal(&Illegal::BidTooLow { highest: 2 }, &rules);
//! assert_eq!(said, "S-a zis deja două: ori zici mai mult, ori zici pas (C6).");
//! ```

pub mod card_text;
pub mod contest_view;
pub mod deal_score;
pub mod glance;
pub mod hint;
pub mod house_rules;
pub mod language;
pub mod layout;
pub mod ledger_replica;
pub mod lesson;
pub mod narrator;
pub mod participants;
pub mod past_matches;
pub mod phrases;
pub mod replay;
pub mod role_key;
pub mod route;
pub mod scores;
pub mod sheet_text;
pub mod sheet_view;
pub mod story;
pub mod table_actions;
pub mod table_replica;
pub mod table_scene;
pub mod text_rows;

pub use language::Language;
pub use phrases::Phrases;
pub use replay::Replay;
pub use route::Route;
pub use story::Story;
pub use table_replica::TableReplica;
pub use table_scene::TableScene;
