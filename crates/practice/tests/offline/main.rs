//! A person with a client at a table of his own: the client knows the messages and
//! nothing else, and what it shows is what the table would show.

mod evening;
mod host;
mod journals;
mod matches;
mod refusals;
mod tempo;
