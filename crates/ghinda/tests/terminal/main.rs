//! The client in a real pseudo-terminal: whole matches by keys, resized and killed; line by line,
//! compared with the record; at a table of a real server with another client.
#![allow(missing_docs, reason = "tests name themselves")]

#[path = "../serve/guest.rs"]
#[allow(dead_code, reason = "the tests of the server use all of it")]
mod guest;
#[path = "../serve/house.rs"]
#[allow(dead_code, reason = "the tests of the server use all of it")]
mod house;
mod matches;
mod plain;
mod pty;
mod screen;
mod shared;
mod tools;
