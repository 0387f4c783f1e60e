//! The real server as a process, with real clients: crashes, full disks, lost databases, what
//! each seat is sent, hostile input, and how it starts and stops.
#![allow(missing_docs, reason = "tests name themselves")]

mod checker;
mod crash;
mod crowd;
mod disk;
mod evening;
mod eyes;
mod input;
mod life;
mod referees;
mod sight;
mod test_client;
mod test_server;
