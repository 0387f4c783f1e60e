//! The contests that this device knows, with the passes that were opened here, last used first.
//!
//! A device may hold several passes of one contest: an organiser who tries a player's link must not lose
//! his own.

use replica::role_key::RoleKey;

use crate::storage;

const PLACE: &str = "contests";
/// More than anybody goes to.
const MOST: usize = 60;
/// What stands for no pass.
const NONE: &str = "-";

/// A contest that is known.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct KnownContest {
    pub(super) ledger: String,
    pub(super) pass: Option<RoleKey>,
    pub(super) title: String,
}

impl KnownContest {
    fn read(line: &str) -> Option<KnownContest> {
        let mut cells = line.splitn(3, '\t');
        let (ledger, pass) = (cells.next()?.to_owned(), cells.next()?);
        let pass = if pass == NONE { None } else { Some(pass.parse().ok()?) };
        Some(KnownContest { ledger, pass, title: cells.next().unwrap_or_default().into() })
    }

    fn line(&self) -> String {
        let pass = self.pass.map_or(NONE.into(), |pass| pass.to_string());
        format!("{}\t{pass}\t{}", self.ledger, self.title)
    }
}

/// All that are known.
pub(super) fn all() -> Vec<KnownContest> {
    let kept = storage::read(PLACE).unwrap_or_default();
    kept.lines().filter_map(KnownContest::read).collect()
}

/// The pass that was used last in a contest.
pub(super) fn latest(ledger: &str) -> Option<RoleKey> {
    all().into_iter().find(|known| known.ledger == ledger)?.pass
}

/// The organiser's pass, wherever it stands: what is printed needs it.
pub(super) fn best(ledger: &str) -> Option<RoleKey> {
    let passes = passes(ledger);
    let organiser = passes.iter().find(|pass| pass.role == contest::Role::Organiser);
    organiser.or(passes.first()).copied()
}

/// All passes of a contest, in the order of their roles.
pub(super) fn passes(ledger: &str) -> Vec<RoleKey> {
    let of_it = all().into_iter().filter(|known| known.ledger == ledger);
    let mut passes: Vec<RoleKey> = of_it.filter_map(|known| known.pass).collect();
    passes.sort_by_key(|pass| pass.role);
    passes
}

/// Keeps a contest, and its title where that is known.
pub(super) fn keep(ledger: &str, pass: Option<RoleKey>, title: Option<&str>) {
    let mut all = all();
    let same = |known: &KnownContest| known.ledger == ledger && known.pass == pass;
    let before = all.iter().find(|known| known.ledger == ledger).map(|known| known.title.clone());
    let title = title.map(String::from).or(before).unwrap_or_default();
    all.retain(|known| !same(known));
    // Who has a pass does not only look any more.
    all.retain(|known| known.ledger != ledger || known.pass.is_some());
    all.insert(0, KnownContest { ledger: ledger.into(), pass, title });
    all.truncate(MOST);
    write(&all);
}

/// Forgets a contest with this pass.
pub(super) fn forget(ledger: &str, pass: Option<RoleKey>) {
    let mut all = all();
    all.retain(|known| known.ledger != ledger || known.pass != pass);
    write(&all);
}

fn write(all: &[KnownContest]) {
    let lines: Vec<String> = all.iter().map(KnownContest::line).collect();
    storage::keep(PLACE, &lines.join("\n"));
}
