//! What the HTTP API is sent and answers, as JSON. `/api/openapi.json` describes all
//! of it.

use serde::{Deserialize, Serialize};

use crate::table::{Occupant, Pace, TableStage};

#[cfg(feature = "openapi")]
use utoipa::ToSchema;

/// How a session begins.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    /// The code of a link from another device, which makes this one the same player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer: Option<String>,
}

/// Who somebody is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct Identity {
    /// The player's name for programs.
    #[cfg_attr(feature = "openapi", schema(example = "0ryg3n5h8zk41"))]
    pub player: String,
    /// The name of his account, if he has one.
    pub account: Option<String>,
    /// The tables at which he sits.
    pub tables: Vec<String>,
}

/// A name and a passphrase.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// 3 to 30 letters, digits, dots, dashes or underscores.
    #[cfg_attr(feature = "openapi", schema(min_length = 3, max_length = 30))]
    pub name: String,
    /// 10 to 200 characters.
    #[cfg_attr(feature = "openapi", schema(min_length = 10, max_length = 200))]
    pub passphrase: String,
}

/// A change of passphrase; it ends all other sessions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewPassphrase {
    /// The old one.
    pub old: String,
    /// The new one: 10 to 200 characters.
    #[cfg_attr(feature = "openapi", schema(min_length = 10, max_length = 200))]
    pub new: String,
}

/// A token that is told once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct OneToken {
    /// 64 hexadecimal digits.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub token: String,
}

/// What a program is called by its owner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// 1 to 40 characters.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 40))]
    pub label: String,
}

/// A table to be opened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// A rules code.
    #[cfg_attr(feature = "openapi", schema(example = "cruce4t-21"))]
    pub rules: String,
    /// The clock.
    #[serde(default)]
    pub pace: Pace,
    /// Whether the lobby shows it.
    #[serde(default)]
    pub listed: bool,
}

/// Tables that play the same deals.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewDuplicate {
    /// How each of them is.
    pub table: NewTable,
    /// How many: 2 to 16.
    #[cfg_attr(feature = "openapi", schema(minimum = 2, maximum = 16))]
    pub tables: usize,
}

/// A table that was opened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct OpenedTable {
    /// Its name in links.
    #[cfg_attr(feature = "openapi", schema(example = "7rk2m0q9xw"))]
    pub table: String,
    /// What its link holds besides: it lets people in.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{32}$"))]
    pub key: String,
}

/// Something that lets people in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AdmitRequest {
    /// What the table's link holds: 32 hexadecimal digits.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{32}$"))]
    pub key: String,
}

/// A table as the lobby shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct ListedTable {
    /// Its name in links.
    pub table: String,
    /// The rules code.
    pub rules: String,
    /// The clock.
    pub pace: Pace,
    /// Where it stands.
    pub stage: TableStage,
    /// Who sits where; nothing where a seat is free.
    pub seats: Vec<Option<Occupant>>,
    /// When something happened last, in milliseconds since 1970.
    pub at: u64,
}

/// The lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct Lobby {
    /// The tables that are open to all, the liveliest first.
    pub tables: Vec<ListedTable>,
}

/// A match that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct PastMatchSummary {
    /// Its table.
    pub table: String,
    /// Its number at the table.
    pub number: u32,
    /// The rules code.
    pub rules: String,
    /// When it ended, in milliseconds since 1970.
    pub ended: i64,
    /// What the players were called.
    pub names: Vec<String>,
    /// The score of each side.
    pub score: Vec<i32>,
    /// The sides that won, counted from 1.
    pub winners: Vec<usize>,
}

/// A page of a player's history.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct History {
    /// Matches, newest first.
    pub matches: Vec<PastMatchSummary>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

/// The same deals at several tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct Comparison {
    /// The tables.
    pub tables: Vec<String>,
    /// Whether every one of them is done, so that all is shown.
    pub over: bool,
    /// For every deal that all of them have played: what it changed at each table.
    pub deals: Vec<Vec<Vec<i16>>>,
}

/// A contest or a score sheet to be kept by the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewLedger {
    /// Its lines: the header, and whatever was done before.
    pub lines: String,
}

/// A player of an online contest wants the seat that the lots have given him.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TakeSeat {
    /// Who he is in the contest.
    #[cfg_attr(feature = "openapi", schema(example = "player 7"))]
    pub role: String,
    /// The key of his link.
    pub key: String,
}

/// Where somebody sits now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct SeatTaken {
    /// The table's name in links.
    #[cfg_attr(feature = "openapi", schema(example = "7rk2m0q9xw"))]
    pub table: String,
}

/// A ledger that is kept now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct OpenedLedger {
    /// Its name in links.
    #[cfg_attr(feature = "openapi", schema(example = "7rk2m0q9xw"))]
    pub ledger: String,
    /// What makes a link that of the organiser.
    pub key: String,
}
