//! The contests that this device knows, with the role keys that were opened here, last used first.
//!
//! A device may hold several role keys of one contest: an organiser who tries a player's link must
//! not lose their own.

use replica::role_key::RoleKey;

use crate::storage;

const STORAGE_KEY: &str = "contests";
/// More contests than a player takes part in.
const MOST: usize = 60;
/// Stands for no role key.
const NONE: &str = "-";

/// A contest that this device knows.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct KnownContest {
    pub(super) ledger: String,
    pub(super) role_key: Option<RoleKey>,
    pub(super) title: String,
}

impl KnownContest {
    fn read(line: &str) -> Option<KnownContest> {
        let mut cells = line.splitn(3, '\t');
        let (ledger, role_key) = (cells.next()?.to_owned(), cells.next()?);
        let role_key = if role_key == NONE { None } else { Some(role_key.parse().ok()?) };
        Some(KnownContest { ledger, role_key, title: cells.next().unwrap_or_default().into() })
    }

    fn line(&self) -> String {
        let role_key = self.role_key.map_or(NONE.into(), |role_key| role_key.to_string());
        format!("{}\t{role_key}\t{}", self.ledger, self.title)
    }
}

/// All known contests.
pub(super) fn all() -> Vec<KnownContest> {
    let stored = storage::read(STORAGE_KEY).unwrap_or_default();
    stored.lines().filter_map(KnownContest::read).collect()
}

/// The role key that was used last in a contest.
pub(super) fn latest(ledger: &str) -> Option<RoleKey> {
    all().into_iter().find(|known| known.ledger == ledger)?.role_key
}

/// The organiser's role key if there is one, because printing needs it; or else the first one.
pub(super) fn best(ledger: &str) -> Option<RoleKey> {
    let role_keys = role_keys(ledger);
    let organiser = role_keys.iter().find(|role_key| role_key.role == contest::Role::Organiser);
    organiser.or(role_keys.first()).copied()
}

/// All role keys of a contest, in the order of their roles.
pub(super) fn role_keys(ledger: &str) -> Vec<RoleKey> {
    let of_it = all().into_iter().filter(|known| known.ledger == ledger);
    let mut role_keys: Vec<RoleKey> = of_it.filter_map(|known| known.role_key).collect();
    role_keys.sort_by_key(|role_key| role_key.role);
    role_keys
}

/// Stores a contest, and its title if that is known.
pub(super) fn remember(ledger: &str, role_key: Option<RoleKey>, title: Option<&str>) {
    let mut all = all();
    let same = |known: &KnownContest| known.ledger == ledger && known.role_key == role_key;
    let before = all.iter().find(|known| known.ledger == ledger).map(|known| known.title.clone());
    let title = title.map(String::from).or(before).unwrap_or_default();
    all.retain(|known| !same(known));
    // An entry with a role key replaces the one without.
    all.retain(|known| known.ledger != ledger || known.role_key.is_some());
    all.insert(0, KnownContest { ledger: ledger.into(), role_key, title });
    all.truncate(MOST);
    write(&all);
}

/// Forgets a contest with this role key.
pub(super) fn forget(ledger: &str, role_key: Option<RoleKey>) {
    let mut all = all();
    all.retain(|known| known.ledger != ledger || known.role_key != role_key);
    write(&all);
}

fn write(all: &[KnownContest]) {
    let lines: Vec<String> = all.iter().map(KnownContest::line).collect();
    storage::store(STORAGE_KEY, &lines.join("\n"));
}
