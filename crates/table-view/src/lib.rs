//! A table as clients show it, without a terminal, a page or a socket.
//!
//! - [`TableScene`]: a match as it is drawn for one viewer. [`participants`]: the players by name.
//!   [`actions`]: what a user may do besides playing. [`glance`]: the table in a few words.
//! - [`scores`]: the score sheet of a match. [`deal_score`]: how one deal was scored.
//! - [`Story`]: the text of a whole match. [`narrator`]: each event as a sentence. [`refusals`]: why a command
//!   was refused.
//! - [`Replay`]: a finished match, step by step. [`past_matches`]: the list of them.
//! - [`hint`]: advice for a seat, with reasons. [`lesson`]: a game learnt by playing it.
//! - [`house_rules`]: the rules as a form. [`layout`]: where everything at a table is drawn.

pub mod actions;
pub mod deal_score;
pub mod glance;
pub mod hint;
pub mod house_rules;
pub mod layout;
pub mod lesson;
pub mod narrator;
pub mod participants;
pub mod past_matches;
pub mod refusals;
pub mod replay;
pub mod scene;
pub mod scores;
pub mod story;

pub use replay::Replay;
pub use scene::TableScene;
pub use story::Story;
