//! The guarantees of the store, tested on both databases and under faults.

mod accounts;
mod backups;
mod cut_connections;
mod faults;
mod log;
mod owners;
mod support;
mod writer;
