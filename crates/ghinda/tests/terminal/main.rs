//! The client in a real pseudo-terminal: whole matches by keys, with resizes and kills; line by
//! line, compared with the record; at a table of a real server with another client.
#![allow(missing_docs, reason = "tests name themselves")]

mod confirmed;
mod matches;
mod plain;
mod pty;
mod screen;
mod shared;
#[path = "../serve/test_client.rs"]
#[allow(dead_code, reason = "the tests of the server use all of it")]
mod test_client;
#[path = "../serve/test_server.rs"]
#[allow(dead_code, reason = "the tests of the server use all of it")]
mod test_server;
mod tools;
