//! The client's copy of a table or a ledger, folded from the messages of the server.
//!
//! - [`TableReplica`]: a table, as one viewer sees it, with the commands that are not yet answered.
//! - [`LedgerReplica`]: a contest or a shared score sheet.
//! - [`Conversation`]: what a client and a server say to each other over a transport that may be
//!   lost. Every client uses it.
//! - [`Route`]: the addresses of the page. [`RoleKey`]: the role that a link to a ledger grants.
//!
//! Everything here is pure. The page, the terminal, the load generator and the tests transport the
//! messages.

pub mod conversation;
pub mod ledger;
pub mod role_key;
pub mod route;
pub mod table;

pub use conversation::{Conversation, Replica};
pub use ledger::LedgerReplica;
pub use role_key::RoleKey;
pub use route::Route;
pub use table::TableReplica;
