//! The real server as a process, with real clients: crashes, full disks, lost databases, the cards
//! that each seat receives, hostile input, starting and stopping.
#![allow(missing_docs, reason = "tests name themselves")]

mod admin;
mod checker;
mod crash;
mod crowd;
mod disk;
mod input;
mod knowledge;
mod ledger_client;
mod lifecycle;
mod load_run;
mod many_tables;
mod mixed;
mod older;
mod referees;
mod secrecy;
mod test_client;
mod test_server;
