//! The bodies of requests and responses of the HTTP API, as JSON.
//! `/api/openapi.json` describes them.

use serde::{Deserialize, Serialize};

use crate::table::{Occupant, Pace, TableStage};

#[cfg(feature = "openapi")]
use utoipa::ToSchema;

/// A request for a session.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    /// The code from another device, which makes this device the same player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer: Option<String>,
}

/// The player of a session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct Identity {
    /// The player's id.
    #[cfg_attr(feature = "openapi", schema(example = "0ryg3n5h8zk41"))]
    pub player: String,
    /// The name of the player's account, if there is one.
    pub account: Option<String>,
    /// The tables at which the player sits.
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
    /// The old passphrase.
    pub old: String,
    /// The new passphrase: 10 to 200 characters.
    #[cfg_attr(feature = "openapi", schema(min_length = 10, max_length = 200))]
    pub new: String,
}

/// A token that is shown once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct CreatedToken {
    /// 64 hexadecimal digits.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub token: String,
}

/// A request for a program's token, with a label.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// 1 to 40 characters.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 40))]
    pub label: String,
}

/// A request to open a table.
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
    /// Whether the lobby shows the table.
    #[serde(default)]
    pub listed: bool,
}

/// A request to open tables that play the same deals.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewDuplicate {
    /// The settings of each table.
    pub table: NewTable,
    /// The number of tables: 2 to 16.
    #[cfg_attr(feature = "openapi", schema(minimum = 2, maximum = 16))]
    pub tables: usize,
}

/// A table that was opened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct OpenedTable {
    /// The table's id.
    #[cfg_attr(feature = "openapi", schema(example = "7rk2m0q9xw"))]
    pub table: String,
    /// The key in the table's link, which admits players.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{32}$"))]
    pub key: String,
}

/// A request to be admitted to a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AdmitRequest {
    /// The key from the table's link: 32 hexadecimal digits.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{32}$"))]
    pub key: String,
}

/// A table as the lobby shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct ListedTable {
    /// The table's id.
    pub table: String,
    /// The rules code.
    pub rules: String,
    /// The pace: how long a player may think.
    pub pace: Pace,
    /// The stage.
    pub stage: TableStage,
    /// The occupant of each seat; null if the seat is free.
    pub seats: Vec<Option<Occupant>>,
    /// The time of the last event, in milliseconds since 1970.
    pub at: u64,
}

/// The lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct Lobby {
    /// The tables that are open to all, the most active first.
    pub tables: Vec<ListedTable>,
}

/// A finished match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct PastMatchSummary {
    /// The id of its table.
    pub table: String,
    /// Its number at the table.
    pub number: u32,
    /// The rules code.
    pub rules: String,
    /// The time of its end, in milliseconds since 1970.
    pub ended: i64,
    /// The names of the players.
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
    /// The start of the next page, if there is one.
    pub next: Option<String>,
}

/// A comparison of the same deals at several tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct Comparison {
    /// The ids of the tables.
    pub tables: Vec<String>,
    /// Whether all tables are over, so that all deals are shown.
    pub over: bool,
    /// For every deal that all tables have played: the change of the scores at each table.
    pub deals: Vec<Vec<Vec<i16>>>,
}

/// A request that the server keep a contest or a score sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewLedger {
    /// Its lines: the header, and the entries so far.
    pub lines: String,
}

/// A request of a player in an online contest for the seat that the draw assigned to them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TakeSeat {
    /// The player's role in the contest.
    #[cfg_attr(feature = "openapi", schema(example = "player 7"))]
    pub role: String,
    /// The key from the player's link.
    pub key: String,
}

/// The table at which the player sits now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct AssignedTable {
    /// The table's id.
    #[cfg_attr(feature = "openapi", schema(example = "7rk2m0q9xw"))]
    pub table: String,
}

/// The code of a refused request, where the status does not say enough. The other fields are for
/// developers.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct ProblemCode {
    /// The reason.
    pub error: String,
}

/// The code of a log-in that is refused because too many passphrases for the name were wrong.
pub const TOO_MANY_TRIES: &str = "too_many_tries";

/// A ledger that the server keeps now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct OpenedLedger {
    /// The ledger's id.
    #[cfg_attr(feature = "openapi", schema(example = "7rk2m0q9xw"))]
    pub ledger: String,
    /// The organiser's key.
    pub key: String,
}
