//! What the tests of several crates need.
//!
//! - [`document`]: documents that show what a test has seen.
//! - [`fed`]: programs that are given something to read.
//! - [`folder`]: folders that are gone after the test.
//! - [`postgres`]: a private PostgreSQL server.
//! - [`small_disk`]: a disk that is soon full.

pub mod document;
pub mod fed;
pub mod folder;
pub mod postgres;
pub mod small_disk;
