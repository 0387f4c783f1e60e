//! The promises of the store, tested on both databases, and under faults.

mod backups;
mod cut_connections;
mod faults;
mod log;
mod owners;
mod people;
mod support;
mod writer;
