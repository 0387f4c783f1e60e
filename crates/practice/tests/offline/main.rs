//! A player with a client at a practice table: the client knows only the messages, and shows what the
//! table would show.

mod journals;
mod matches;
mod refusals;
mod session;
mod timings;
mod worker;
