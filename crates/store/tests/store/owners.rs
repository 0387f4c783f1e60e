//! Ownership: several owners of one log, and servers that start at the same time.

use std::collections::BTreeMap;
use std::sync::Arc;

use store::{
    AcquiredLog, AppendOutcome, AppendStore, Database, Epoch, LinkedWrite, LogId, LogKind, Store,
    StoreError,
};

use crate::support::{
    Place, acquire_open, append, bodies, check_sequences, info, on_all_databases, table,
};

on_all_databases!(
    a_new_owner_fences_the_earlier_one,
    tables_without_recent_events_are_found,
    a_ledger_is_not_a_table,
    many_logs_are_acquired_together,
    racing_owners_never_duplicate_or_lose_an_event,
    new_owners_and_batches_of_many_tables_do_not_deadlock,
    servers_may_start_at_the_same_time,
);

async fn a_new_owner_fences_the_earlier_one(place: &Place) {
    let (old, new) = (place.open().await, place.open().await);
    let first = old.create(LogKind::Table, table(1), None, 0).await.unwrap();
    old.append(&[append(table(1), first, 1, &["a"])]).await.unwrap();
    let acquired = new.acquire(LogKind::Table, table(1)).await.unwrap().unwrap();
    let expected = AcquiredLog { log: table(1), epoch: Epoch::new(2), last: 1, checkpoint: None };
    assert_eq!(acquired, expected);
    let late = append(table(1), first, 2, &["late"]);
    assert_eq!(old.append(&[late]).await, Ok(vec![AppendOutcome::Fenced]));
    let next = append(table(1), acquired.epoch, 2, &["b"]);
    assert_eq!(new.append(&[next]).await, Ok(vec![AppendOutcome::Done]));
    assert_eq!(bodies(&old, table(1)).await, ["a", "b"]);
}

async fn many_logs_are_acquired_together(place: &Place) {
    let store = place.open().await;
    for number in 1..=4 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
    }
    store.create(LogKind::Ledger, table(5), None, 0).await.unwrap();
    let mut closing = append(table(4), Epoch::FIRST, 1, &["a"]);
    closing.linked_writes.push(LinkedWrite::Closed);
    store.append(&[closing]).await.unwrap();
    let wanted = [3, 1, 9, 4, 5, 2].map(table);
    let mut acquired = store.acquire_all(LogKind::Table, &wanted).await.unwrap();
    acquired.sort_unstable_by_key(|acquired| acquired.log);
    let expected = [1, 2, 3].map(|number| AcquiredLog {
        log: table(number),
        epoch: Epoch::new(2),
        last: 0,
        checkpoint: None,
    });
    assert_eq!(acquired, expected, "open tables, and no others");
    assert_eq!(store.acquire_all(LogKind::Table, &[]).await, Ok(Vec::new()));
}

async fn tables_without_recent_events_are_found(place: &Place) {
    let store = place.open().await;
    // The last event counts, and a closed table is left out.
    for (number, times) in
        [(1, vec![10, 20]), (2, vec![10]), (3, vec![5]), (4, vec![1]), (5, vec![])]
    {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
        if !times.is_empty() {
            let bodies = vec!["a"; times.len()];
            let mut events = append(table(number), Epoch::FIRST, 1, &bodies);
            for (event, at_ms) in events.events.iter_mut().zip(times) {
                event.at_ms = at_ms;
            }
            events.linked_writes.extend((number == 4).then_some(LinkedWrite::Closed));
            store.append(&[events]).await.unwrap();
        }
    }
    assert_eq!(
        store.quiet_tables(15, None, 10).await.unwrap(),
        [table(2).as_table(), table(3).as_table()]
    );
    assert_eq!(store.quiet_tables(10, None, 10).await.unwrap(), [table(3).as_table()]);
    assert_eq!(store.quiet_tables(100, None, 1).await.unwrap(), [table(1).as_table()]);
    let after = Some(table(1).as_table());
    assert_eq!(store.quiet_tables(100, after, 1).await.unwrap(), [table(2).as_table()]);
}

async fn a_ledger_is_not_a_table(place: &Place) {
    let store = place.open().await;
    store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let epoch = store.create(LogKind::Ledger, table(2), None, 0).await.unwrap();
    assert_eq!(
        store.create(LogKind::Table, table(2), None, 0).await,
        Err(StoreError::LogExists),
        "tables and ledgers share their ids"
    );
    store.append(&[append(table(2), epoch, 1, &["a"])]).await.unwrap();
    assert_eq!(store.acquire(LogKind::Table, table(2)).await, Ok(None));
    assert_eq!(store.acquire(LogKind::Ledger, table(1)).await, Ok(None));
    let kinds = [info(&store, table(1)).await.kind, info(&store, table(2)).await.kind];
    assert_eq!(kinds, [LogKind::Table, LogKind::Ledger]);
    assert_eq!(store.quiet_tables(i64::MAX, None, 10).await, Ok(vec![]));
    let acquired = store.acquire(LogKind::Ledger, table(2)).await.unwrap().unwrap();
    let late = append(table(2), epoch, 2, &["late"]);
    assert_eq!(store.append(&[late]).await, Ok(vec![AppendOutcome::Fenced]));
    let next = append(table(2), acquired.epoch, acquired.last + 1, &["b"]);
    assert_eq!(store.append(&[next]).await, Ok(vec![AppendOutcome::Done]));
    assert_eq!(bodies(&store, table(2)).await, ["a", "b"]);
}

/// Acquires the table, appends until another owner has acquired it, and starts again. Returns the
/// acknowledged events.
async fn compete(store: Arc<Database>, name: usize, rounds: usize) -> Vec<(u64, String)> {
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        let acquired = store.acquire(LogKind::Table, table(1)).await.unwrap().unwrap();
        let mut next = acquired.last + 1;
        loop {
            let body = format!("{name}/{round}/{next}");
            let outcome = store.append(&[append(table(1), acquired.epoch, next, &[&body])]).await;
            match outcome.unwrap()[0] {
                AppendOutcome::Done => acknowledged.push((next, body)),
                AppendOutcome::Fenced => break,
                other => panic!("{other:?} in the owner's epoch"),
            }
            next += 1;
            // Enough for one turn, so that the others get theirs.
            if next > acquired.last + 20 {
                break;
            }
        }
    }
    acknowledged
}

async fn racing_owners_never_duplicate_or_lose_an_event(place: &Place) {
    place.open().await.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let mut owners = Vec::new();
    for name in 0..3 {
        let store = Arc::new(place.open().await);
        owners.push(tokio::spawn(compete(store, name, 15)));
    }
    let mut acknowledged = BTreeMap::new();
    for owner in owners {
        for (sequence, body) in owner.await.unwrap() {
            let before = acknowledged.insert(sequence, body);
            assert_eq!(before, None, "{sequence} was acknowledged to two owners");
        }
    }
    let store = place.open().await;
    let stored: BTreeMap<u64, String> = check_sequences(&store, table(1))
        .await
        .into_iter()
        .map(|event| (event.sequence, event.body))
        .collect();
    assert_eq!(stored, acknowledged);
}

const TABLES: u64 = 12;

/// Appends to all tables in one batch, in one of two orders, and acquires lost tables again.
async fn append_to_all(store: Database, reversed: bool, rounds: usize) -> u64 {
    let mut done = 0;
    let mut heads: BTreeMap<LogId, (Epoch, u64)> = BTreeMap::new();
    for round in 0..rounds {
        if round % 5 == 0 {
            let acquired = acquire_open(&store, 0..TABLES).await;
            assert_eq!(acquired.len() as u64, TABLES);
            heads = acquired
                .iter()
                .map(|acquired| (acquired.log, (acquired.epoch, acquired.last)))
                .collect();
        }
        let mut batch: Vec<_> = heads
            .iter()
            .map(|(&table, &(epoch, last))| append(table, epoch, last + 1, &["x"]))
            .collect();
        if reversed {
            batch.reverse();
        }
        let outcomes = store.append(&batch).await.unwrap();
        for (append, outcome) in batch.iter().zip(outcomes) {
            if outcome == AppendOutcome::Done {
                heads.insert(append.log, (append.epoch, append.first));
                done += 1;
            } else {
                assert_eq!(outcome, AppendOutcome::Fenced);
                let acquired = store.acquire(LogKind::Table, append.log).await.unwrap().unwrap();
                heads.insert(append.log, (acquired.epoch, acquired.last));
            }
        }
    }
    done
}

async fn new_owners_and_batches_of_many_tables_do_not_deadlock(place: &Place) {
    let store = place.open().await;
    for number in 0..TABLES {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
    }
    let mut owners = Vec::new();
    for number in 0..4 {
        owners.push(tokio::spawn(append_to_all(place.open().await, number % 2 == 0, 25)));
    }
    let mut done = 0;
    for owner in owners {
        done += owner.await.unwrap();
    }
    let mut stored = 0;
    for number in 0..TABLES {
        stored += check_sequences(&store, table(number)).await.len() as u64;
    }
    assert_eq!(stored, done);
}

async fn servers_may_start_at_the_same_time(place: &Place) {
    let mut starting = Vec::new();
    for number in 0..8 {
        let opening = place.opening();
        starting.push(tokio::spawn(async move {
            let store = opening.await;
            store.create(LogKind::Table, table(number), None, 0).await.unwrap();
        }));
    }
    for server in starting {
        server.await.unwrap();
    }
    assert_eq!(acquire_open(&place.open().await, 0..8).await.len(), 8);
}
