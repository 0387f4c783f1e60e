//! Appending and reading back.

use store::{
    AppendOutcome, AppendStore, Database, Epoch, LinkedWrite, LogKind, Store, StoreError,
    StoredEvent,
};

use crate::support::{
    Place, all_events, append, bodies, check_sequences, finished, info, on_all_databases, table,
    with_write,
};

on_all_databases!(
    appended_events_are_read_back,
    any_text_in_a_body_is_kept,
    a_batch_leaves_out_what_is_fenced_or_out_of_order,
    a_table_may_append_twice_in_one_batch,
    a_checkpoint_is_kept_until_the_next,
    a_closed_table_does_not_change,
    a_table_is_created_once,
    a_batch_with_an_impossible_write_stores_nothing,
    a_batch_may_be_large,
    a_ping_fails_only_after_closing,
);

async fn appended_events_are_read_back(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 500).await.unwrap();
    assert_eq!(epoch, Epoch::FIRST);
    assert_eq!(info(&store, table(1)).await.last, 0);
    assert_eq!(store.find_log(table(2)).await, Ok(None));
    let batch = [append(table(1), epoch, 1, &["a", "b"]), append(table(1), epoch, 3, &["c"])];
    for append in &batch {
        assert_eq!(store.append(std::slice::from_ref(append)).await, Ok(vec![AppendOutcome::Done]));
    }
    let event =
        |sequence, body: &str| StoredEvent { sequence, at_ms: 1_000, body: body.to_owned() };
    let all = [event(1, "a"), event(2, "b"), event(3, "c")];
    assert_eq!(all_events(&store, table(1)).await, all);
    assert_eq!(store.events(table(1), 2, 1).await.unwrap(), all[1..2]);
    assert_eq!(store.events(table(1), 3, 9).await.unwrap(), all[2..]);
    assert_eq!(store.events(table(1), 4, 9).await.unwrap(), []);
    assert_eq!(info(&store, table(1)).await.last, 3);
    // A store that is opened later reads the same.
    store.close().await;
    assert_eq!(all_events(&place.open().await, table(1)).await, all);
}

async fn any_text_in_a_body_is_kept(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let long = "șah ".repeat(300_000);
    let odd = ["", "{\"a\":\"'; DROP TABLE events; --\"}", "ă\u{10ffff}\n\\u0000\\", &long];
    assert_eq!(
        store.append(&[append(table(1), epoch, 1, &odd)]).await,
        Ok(vec![AppendOutcome::Done])
    );
    assert_eq!(bodies(&store, table(1)).await, odd);
}

async fn a_batch_leaves_out_what_is_fenced_or_out_of_order(place: &Place) {
    let store = place.open().await;
    let old = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    for number in 2..=4 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
    }
    let new = store.acquire(LogKind::Table, table(1)).await.unwrap().unwrap().epoch;
    let first = Epoch::FIRST;
    assert!(new > old);
    let batch = [
        append(table(2), first, 1, &["fine"]),
        append(table(1), old, 1, &["fenced"]),
        append(table(3), first, 2, &["a gap"]),
        append(table(9), first, 1, &["no table"]),
        append(table(4), first, 1, &["fine too"]),
        append(table(4), first, 1, &["there already"]),
        append(table(4), Epoch::new(7), 2, &["an epoch that never was"]),
    ];
    use AppendOutcome::{Done, Fenced, Gone, OutOfOrder};
    let expected = vec![Done, Fenced, OutOfOrder, Gone, Done, OutOfOrder, Fenced];
    assert_eq!(store.append(&batch).await, Ok(expected));
    assert_eq!(bodies(&store, table(2)).await, ["fine"]);
    assert_eq!(bodies(&store, table(4)).await, ["fine too"]);
    for number in [1, 3] {
        assert_eq!(check_sequences(&store, table(number)).await, []);
    }
    let mine = append(table(1), new, 1, &["mine"]);
    assert_eq!(store.append(&[mine]).await, Ok(vec![Done]));
    assert_eq!(store.append(&[]).await, Ok(vec![]));
}

async fn a_table_may_append_twice_in_one_batch(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let batch = [append(table(1), epoch, 1, &["a", "b"]), append(table(1), epoch, 3, &["c", "d"])];
    assert_eq!(store.append(&batch).await, Ok(vec![AppendOutcome::Done; 2]));
    assert_eq!(bodies(&store, table(1)).await, ["a", "b", "c", "d"]);
    check_sequences(&store, table(1)).await;
}

async fn a_checkpoint_is_kept_until_the_next(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    assert_eq!(info(&store, table(1)).await.checkpoint, None);
    let with = with_write(append(table(1), epoch, 1, &["a", "b"]), LinkedWrite::Checkpoint(2));
    let without = append(table(1), epoch, 3, &["c"]);
    store.append(&[with]).await.unwrap();
    store.append(&[without]).await.unwrap();
    assert_eq!(info(&store, table(1)).await.checkpoint, Some(2));
    let acquired = store.acquire(LogKind::Table, table(1)).await.unwrap().unwrap();
    assert_eq!((acquired.last, acquired.checkpoint), (3, Some(2)));
    let beyond =
        with_write(append(table(1), acquired.epoch, 4, &["d"]), LinkedWrite::Checkpoint(5));
    assert_eq!(store.append(&[beyond]).await, Ok(vec![AppendOutcome::OutOfOrder]));
    let later = with_write(append(table(1), acquired.epoch, 4, &["d"]), LinkedWrite::Checkpoint(4));
    assert_eq!(store.append(&[later]).await, Ok(vec![AppendOutcome::Done]));
    assert_eq!(info(&store, table(1)).await.checkpoint, Some(4));
}

async fn a_closed_table_does_not_change(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let last = with_write(append(table(1), epoch, 1, &["good night"]), LinkedWrite::Closed);
    assert_eq!(store.append(&[last]).await, Ok(vec![AppendOutcome::Done]));
    let late = append(table(1), epoch, 2, &["hello?"]);
    assert_eq!(store.append(&[late]).await, Ok(vec![AppendOutcome::Gone]));
    assert_eq!(store.acquire(LogKind::Table, table(1)).await, Ok(None));
    assert_eq!(store.acquire(LogKind::Table, table(2)).await, Ok(None));
    assert_eq!(bodies(&store, table(1)).await, ["good night"]);
}

async fn a_table_is_created_once(place: &Place) {
    let store = place.open().await;
    store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let acquired = store.acquire(LogKind::Table, table(1)).await.unwrap().unwrap();
    assert_eq!(store.create(LogKind::Table, table(1), None, 0).await, Err(StoreError::LogExists));
    let append = append(table(1), acquired.epoch, 1, &["still mine"]);
    assert_eq!(store.append(&[append]).await, Ok(vec![AppendOutcome::Done]));
}

async fn a_batch_with_an_impossible_write_stores_nothing(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    store.create(LogKind::Table, table(2), None, 0).await.unwrap();
    let first = LinkedWrite::Finished(finished(1, 9, &[Some(1), None]));
    let once = with_write(append(table(1), epoch, 1, &["a"]), first.clone());
    assert_eq!(store.append(&[once]).await, Ok(vec![AppendOutcome::Done]));
    let innocent = append(table(2), epoch, 1, &["b"]);
    let twice = with_write(append(table(1), epoch, 2, &["c"]), first);
    let outcome = store.append(&[innocent.clone(), twice]).await;
    assert!(matches!(outcome, Err(StoreError::Refused(_))), "{outcome:?}");
    assert_eq!(bodies(&store, table(1)).await, ["a"]);
    assert_eq!(check_sequences(&store, table(2)).await, []);
    assert_eq!(store.append(&[innocent]).await, Ok(vec![AppendOutcome::Done]));
}

async fn a_batch_may_be_large(place: &Place) {
    let store = place.open().await;
    let mut batch = Vec::new();
    for number in 0..100 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
        let many: Vec<String> = (0..100).map(|event| format!("{number}/{event}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        batch.push(append(table(number), Epoch::FIRST, 1, &many));
    }
    assert_eq!(store.append(&batch).await, Ok(vec![AppendOutcome::Done; 100]));
    for number in 0..100 {
        let events = check_sequences(&store, table(number)).await;
        assert_eq!(events.len(), 100);
        assert_eq!(events[41].body, format!("{number}/41"));
    }
}

async fn a_ping_fails_only_after_closing(place: &Place) {
    let store = place.open().await;
    assert_eq!(store.ping().await, Ok(()));
    store.close().await;
    assert!(matches!(store.ping().await, Err(StoreError::Unavailable(_))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_sqlite_file_alone_holds_everything() {
    let place = Place::sqlite();
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    store.append(&[append(table(1), epoch, 1, &["a", "b", "c"])]).await.unwrap();
    // A reader that is still connected when the store is closed.
    assert_eq!(bodies(&store, table(1)).await, ["a", "b", "c"]);
    store.backup(&place.folder.file("backup.db"), |_| ()).await.unwrap();
    store.close().await;
    for rest in ["ghinda.db-wal", "ghinda.db-shm"] {
        assert!(!place.folder.file(rest).exists(), "{rest}");
    }
    let copy = place.folder.file("copy.db");
    std::fs::copy(place.folder.file("ghinda.db"), &copy).unwrap();
    let copy = Database::open(copy.to_str().unwrap()).await.unwrap();
    assert_eq!(bodies(&copy, table(1)).await, ["a", "b", "c"]);
    copy.close().await;
}

#[tokio::test]
async fn an_empty_file_is_not_taken_for_a_database() {
    let place = Place::sqlite();
    let file = place.folder.file("ghinda.db");
    std::fs::write(&file, "").unwrap();
    let error = Database::open(&place.address).await.err().unwrap();
    assert!(error.to_string().contains("ghinda.db is empty"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), b"");
    assert!(!place.folder.file("ghinda.db-wal").exists());
}
