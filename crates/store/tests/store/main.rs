//! The guarantees of the store, tested on all databases and under faults.

mod accounts;
mod acquire_queue;
mod backups;
mod cut_connections;
mod faults;
mod log;
mod memory;
mod owners;
mod portions;
mod retention;
mod support;
mod writer;
