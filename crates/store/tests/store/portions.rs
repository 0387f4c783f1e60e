//! Changes of many rows are made in portions, and actions are stored between them.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

use sqlx::{Connection, PgConnection, SqliteConnection};
use store::{
    AppendOutcome, AppendStore, Database, Epoch, FinishedMatch, FinishedSeat, LinkedWrite, LogKind,
    LogOpener, PlayerTraces, Retention, Store,
};

use crate::support::{
    Place, all_events, append, bodies, check_sequences, finished, info, on_both_databases, player,
    table, with_write,
};

on_both_databases!(
    actions_are_stored_while_a_log_is_archived,
    actions_are_stored_while_a_log_is_removed,
    actions_are_stored_while_expired_sessions_are_deleted,
    actions_are_stored_while_a_player_is_erased,
    what_an_interrupted_archive_leaves_is_found_and_deleted,
    what_an_interrupted_removal_leaves_is_a_shorter_log_that_can_be_removed,
);

/// Several portions.
const MANY: usize = 6_500;

/// Does some work, and one append after the other meanwhile. Returns what was there to be counted after
/// those appends that were stored while the work was neither at its begin nor at its end.
async fn seen_between<T>(
    store: &Database,
    work: impl Future<Output = T>,
    count: impl AsyncFn() -> u64,
) -> (T, Vec<u64>) {
    let played = table(999);
    store.create(LogKind::Table, played, None, 0).await.unwrap();
    let (is_done, all) = (Cell::new(false), count().await);
    let playing = async {
        let (mut sequence, mut seen) = (1, Vec::new());
        while !is_done.get() {
            let action = append(played, Epoch::FIRST, sequence, &["played"]);
            assert_eq!(store.append(&[action]).await, Ok(vec![AppendOutcome::Done]));
            sequence += 1;
            seen.push(count().await);
        }
        seen
    };
    let working = async {
        let outcome = work.await;
        is_done.set(true);
        outcome
    };
    let (outcome, mut seen) = tokio::join!(working, playing);
    seen.retain(|&rows| 0 < rows && rows < all);
    seen.dedup();
    (outcome, seen)
}

/// A closed table with many events.
async fn long_table(store: &Database) {
    store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let texts: Vec<String> = (1..=MANY).map(|number| format!("event {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let events = append(table(1), Epoch::FIRST, 1, &texts);
    store.append(&[with_write(events, LinkedWrite::Closed)]).await.unwrap();
}

async fn actions_are_stored_while_a_log_is_archived(place: &Place) {
    let store = place.open().await;
    long_table(&store).await;
    let before = all_events(&store, table(1)).await;
    let events = async || {
        // A reader gets all of it meanwhile.
        assert!(all_events(&store, table(1)).await == before);
        let page = store.events(table(1), 3_000, 100).await.unwrap();
        assert_eq!(page[..100], before[2_999..3_099]);
        let listed = store.logs(None, 1).await.unwrap();
        let archive = store.find_log(table(1)).await.unwrap().unwrap().archived;
        if archive == 0 { u64::MAX } else { listed[0].stored_bytes }
    };
    let (archived, between) = seen_between(&store, store.archive(table(1)), events).await;
    assert_eq!(archived, Ok(true));
    let sizes: BTreeSet<u64> = between.into_iter().collect();
    assert!(sizes.len() >= 4, "the size of the log between portions: {sizes:?}");
}

async fn actions_are_stored_while_a_log_is_removed(place: &Place) {
    let store = place.open().await;
    long_table(&store).await;
    let before = all_events(&store, table(1)).await;
    let events = async || {
        let left = all_events(&store, table(1)).await;
        assert!(left[..] == before[..left.len()], "a log without its first events is damaged");
        left.len() as u64
    };
    let (removed, between) = seen_between(&store, store.remove(table(1), None), events).await;
    assert_eq!(removed, Ok(true));
    assert!(between.len() >= 3, "{between:?}");
    assert_eq!(all_events(&store, table(1)).await, []);
    assert_eq!(store.find_log(table(1)).await, Ok(None));
}

/// Runs a statement on the database itself.
async fn execute(place: &Place, sqlite: &'static str, postgres: &'static str) {
    match place.address.strip_prefix("sqlite:") {
        Some(path) => {
            let connection = SqliteConnection::connect(path).await;
            sqlx::raw_sql(sqlite).execute(&mut connection.unwrap()).await.unwrap();
        }
        None => {
            let connection = PgConnection::connect(&place.address).await;
            sqlx::raw_sql(postgres).execute(&mut connection.unwrap()).await.unwrap();
        }
    }
}

/// Many sessions of a player, which expire at the time 10.
async fn many_sessions(place: &Place) {
    execute(
        place,
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6500)
         INSERT INTO sessions SELECT randomblob(32), 7, 'browser', '', 0, 10 FROM numbers",
        "INSERT INTO sessions
         SELECT sha256(n::text::bytea), 7, 'browser', '', 0, 10 FROM generate_series(1, 6500) AS n",
    )
    .await;
}

async fn actions_are_stored_while_expired_sessions_are_deleted(place: &Place) {
    let store = place.open().await;
    many_sessions(place).await;
    assert_eq!(store.prune_sessions(9).await, Ok(0), "they have not expired");
    let sessions = async || store.usage().await.unwrap().sessions;
    let (pruned, between) = seen_between(&store, store.prune_sessions(10), sessions).await;
    assert_eq!(pruned, Ok(MANY as u64));
    assert!(between.len() >= 3, "{between:?}");
    // Those of one player, who logs out everywhere.
    many_sessions(place).await;
    assert_eq!(store.revoke_sessions_of(player(8)).await, Ok(0));
    assert_eq!(store.revoke_sessions_of(player(7)).await, Ok(MANY as u64));
}

async fn actions_are_stored_while_a_player_is_erased(place: &Place) {
    const TABLES: u64 = 3;
    let store = place.open().await;
    many_sessions(place).await;
    let owner = Some(LogOpener { player: player(7), max: 9 });
    for number in 1..=TABLES {
        let sitting = FinishedSeat { player: Some(player(7)), name: "Ana".into() };
        let matches = (1..=200).map(|number| {
            let seats = vec![sitting.clone(); 8];
            LinkedWrite::Finished(FinishedMatch { seats, ..finished(number, 1_000, &[]) })
        });
        store.create(LogKind::Table, table(number), owner, 0).await.unwrap();
        let mut events = append(table(number), Epoch::FIRST, 1, &["a"]);
        events.linked_writes = matches.collect();
        events.linked_writes.push(LinkedWrite::Seats(vec![player(7)]));
        store.append(&[with_write(events, LinkedWrite::Closed)]).await.unwrap();
    }
    let traces = async || store.player_traces(player(7)).await.unwrap();
    let finished = async || {
        let PlayerTraces { finished, sessions, .. } = traces().await;
        finished + sessions
    };
    let erasing = store.erase_player(player(7), "—");
    let (erased, between) = seen_between(&store, erasing, finished).await;
    assert_eq!(erased, Ok(()));
    assert!(between.len() >= 5, "{between:?}");
    let nothing = PlayerTraces { account: None, sessions: 0, seated: 0, finished: 0, opened: 0 };
    assert_eq!(traces().await, nothing);
}

/// Puts back events that an archive holds.
async fn leave_events(place: &Place) {
    let leave = "INSERT INTO events (table_id, sequence, at_ms, body) VALUES
         (1, 6000, 1000, 'event 6000'), (1, 6500, 1000, 'event 6500')";
    execute(place, leave, leave).await;
}

async fn what_an_interrupted_archive_leaves_is_found_and_deleted(place: &Place) {
    let store = place.open().await;
    long_table(&store).await;
    let before = all_events(&store, table(1)).await;
    store.archive(table(1)).await.unwrap();
    let packed = store.logs(None, 1).await.unwrap()[0].stored_bytes;
    let quiet = async || store.quiet_logs(Retention::Archive, i64::MAX, None, 9).await.unwrap();
    assert_eq!(quiet().await, []);
    leave_events(place).await;
    assert!(all_events(&store, table(1)).await == before);
    assert_eq!(quiet().await, [table(1)]);
    assert_eq!(store.archive(table(1)).await, Ok(true));
    assert_eq!(store.archive(table(1)).await, Ok(false));
    assert_eq!(quiet().await, []);
    assert_eq!(store.logs(None, 1).await.unwrap()[0].stored_bytes, packed);
    // A player who is erased stays nowhere.
    leave_events(place).await;
    let known = info(&store, table(1)).await;
    let mut changed = before[5_999].clone();
    changed.body = "—".into();
    assert_eq!(store.rewrite(&known, vec![changed]).await, Ok(true));
    assert_eq!(store.events(table(1), 6_000, 1).await.unwrap()[0].body, "—");
    assert_eq!(bodies(&store, table(1)).await[5_999], "—");
}

async fn what_an_interrupted_removal_leaves_is_a_shorter_log_that_can_be_removed(place: &Place) {
    let store = place.open().await;
    long_table(&store).await;
    {
        // It is dropped after the first portions.
        let removing = store.remove(table(1), None);
        tokio::pin!(removing);
        while all_events(&store, table(1)).await.len() == MANY {
            let portion = Duration::from_millis(3);
            assert!(tokio::time::timeout(portion, &mut removing).await.is_err(), "too fast");
        }
    }
    let left = info(&store, table(1)).await;
    assert!(left.closed && (1..MANY as u64).contains(&left.last), "{left:?}");
    check_sequences(&store, table(1)).await;
    assert_eq!(store.acquire(LogKind::Table, table(1)).await, Ok(None));
    let late = append(table(1), Epoch::FIRST, left.last + 1, &["late"]);
    let outcome = store.append(&[late]).await.unwrap();
    assert_ne!(outcome, [AppendOutcome::Done]);
    assert_eq!(store.archive(table(1)).await, Ok(true), "other sweeps are not disturbed");
    assert_eq!(store.remove(table(1), None).await, Ok(true));
    assert_eq!(store.find_log(table(1)).await, Ok(None));
    assert_eq!(all_events(&store, table(1)).await, []);
}
