//! Backups, and databases restored from them.

use std::fs;
use std::path::Path;

use store::{
    Account, AppendStore, Database, Epoch, LinkedWrite, LogKind, PastMatch, Progress, Session,
    SessionKind, Store, StoreError, StoredEvent, TokenHash,
};

use crate::support::{
    Place, acquire_open, all_events, append, check_sequences, finished, info, on_both_databases,
    player, table, with_write,
};

on_both_databases!(
    a_backup_is_restored_into_either_database,
    a_backup_is_itself_a_database,
    a_backup_holds_archives,
    archives_are_copied_few_at_a_time,
    a_backup_never_replaces_a_file,
    a_backup_has_its_name_only_when_it_is_complete,
    a_file_that_appears_during_a_backup_is_not_replaced,
    what_a_killed_backup_left_is_named,
    a_backup_is_consistent_while_the_server_continues,
    only_an_empty_database_is_restored_into,
    a_damaged_or_foreign_file_is_not_restored,
);

const TOKEN: TokenHash = TokenHash([9; 32]);

/// Writes a value into every column.
async fn fill(store: &Database) {
    for number in 1..=3 {
        store.create(LogKind::Table, table(number), None, 77).await.unwrap();
    }
    let many: Vec<String> = (0..2500).map(|number| format!("{{\"event\":{number}}}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let ended = finished(1, 500, &[Some(1), None, Some(2), Some(1)]);
    let batch = [
        with_write(append(table(1), Epoch::FIRST, 1, &many), LinkedWrite::Checkpoint(1200)),
        with_write(append(table(2), Epoch::FIRST, 1, &["ă"]), LinkedWrite::Finished(ended)),
        with_write(append(table(3), Epoch::FIRST, 1, &["end"]), LinkedWrite::Closed),
    ];
    store.append(&batch).await.unwrap();
    store.acquire(LogKind::Table, table(2)).await.unwrap();
    let session = Session {
        player: player(1),
        kind: SessionKind::Bot,
        label: "bătrânul".to_owned(),
        created_ms: 1,
        expires_ms: 2,
    };
    store.create_session(TOKEN, &session).await.unwrap();
    let account = Account {
        name: "Ana".to_owned(),
        folded: "ana".to_owned(),
        passphrase: "$phc$".to_owned(),
        player: player(1),
        created_ms: 3,
    };
    store.create_account(&account).await.unwrap();
}

type Contents = (
    Vec<Vec<StoredEvent>>,
    Vec<Option<u64>>,
    Vec<PastMatch>,
    Option<Session>,
    Option<Account>,
    Vec<(u64, u64, u64, Option<u64>)>,
);

/// All contents written by [`fill`]; raises the epochs.
async fn contents(store: &Database) -> Contents {
    let (mut events, mut checkpoints) = (Vec::new(), Vec::new());
    for number in 1..=3 {
        events.push(all_events(store, table(number)).await);
        checkpoints.push(info(store, table(number)).await.checkpoint);
    }
    let history = store.history(player(2), None, 10).await.unwrap();
    let session = store.find_session(TOKEN, 0).await.unwrap();
    let account = store.find_account("ana").await.unwrap();
    let acquired = acquire_open(store, 1..=3).await;
    let acquired = acquired
        .iter()
        .map(|acquired| {
            (acquired.log.get(), acquired.epoch.get(), acquired.last, acquired.checkpoint)
        })
        .collect();
    (events, checkpoints, history, session, account, acquired)
}

async fn a_backup_is_restored_into_either_database(place: &Place) {
    let store = place.open().await;
    fill(&store).await;
    let file = place.folder.file("backup.db");
    let mut reported = Vec::new();
    store.backup(&file, |progress| reported.push(progress)).await.unwrap();
    check_progress(&reported);
    let expected = contents(&store).await;
    assert_eq!(expected.0[0].len(), 2500);
    assert_eq!(expected.5, [(1, 2, 2500, Some(1200)), (2, 3, 1, None)]);
    for other in [Place::sqlite(), Place::postgres()] {
        let restored = other.open().await;
        let mut reported = Vec::new();
        restored.restore(&file, |progress| reported.push(progress)).await.unwrap();
        check_progress(&reported);
        assert_eq!(contents(&restored).await, expected);
    }
}

fn check_progress(reported: &[Progress]) {
    let last = reported.last().unwrap();
    assert_eq!(last.done, last.total);
    assert!(reported.is_sorted_by_key(|progress| progress.done), "{reported:?}");
}

async fn a_backup_is_itself_a_database(place: &Place) {
    let store = place.open().await;
    fill(&store).await;
    let file = place.folder.file("backup.db");
    store.backup(&file, |_| ()).await.unwrap();
    check_private(&file);
    let copy = Database::open(file.to_str().unwrap()).await.unwrap();
    assert_eq!(contents(&copy).await, contents(&store).await);
}

async fn a_backup_holds_archives(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let events = append(table(1), epoch, 1, &["a", "b"]);
    store.append(&[with_write(events, LinkedWrite::Closed)]).await.unwrap();
    let before = all_events(&store, table(1)).await;
    assert_eq!(store.archive(table(1)).await, Ok(true));
    let file = place.folder.file("backup.db");
    store.backup(&file, |_| ()).await.unwrap();
    let elsewhere = Place::sqlite();
    let other = elsewhere.open().await;
    other.advance_trusted_time(5).await.unwrap();
    other.restore(&file, |_| ()).await.unwrap();
    assert_eq!(all_events(&other, table(1)).await, before);
}

async fn archives_are_copied_few_at_a_time(place: &Place) {
    const LOGS: u64 = 40;
    let elsewhere = Place::postgres();
    let store = elsewhere.open().await;
    for number in 1..=LOGS {
        let epoch = store.create(LogKind::Ledger, table(number), None, 0).await.unwrap();
        store.append(&[append(table(number), epoch, 1, &["a"])]).await.unwrap();
        assert_eq!(store.archive(table(number)).await, Ok(true));
    }
    let file = place.folder.file("backup.db");
    let (mut saved, mut restored) = (Vec::new(), Vec::new());
    store.backup(&file, |progress| saved.push(progress.done)).await.unwrap();
    let other = place.open().await;
    other.restore(&file, |progress| restored.push(progress.done)).await.unwrap();
    // All logs, then 16 archives at a time.
    assert_eq!(saved, [40, 56, 72, 80, 80]);
    assert_eq!(restored, saved);
    assert_eq!(all_events(&other, table(LOGS)).await, all_events(&store, table(LOGS)).await);
}

#[cfg(unix)]
fn check_private(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[cfg(not(unix))]
fn check_private(_: &Path) {}

async fn a_backup_never_replaces_a_file(place: &Place) {
    let store = place.open().await;
    let file = place.folder.file("backup.db");
    fs::write(&file, "another file").unwrap();
    assert_eq!(store.backup(&file, |_| ()).await, Err(StoreError::Exists(file.clone())));
    assert_eq!(fs::read(&file).unwrap(), b"another file");
    let nowhere = place.folder.file("missing/backup.db");
    let outcome = store.backup(&nowhere, |_| ()).await;
    assert!(matches!(outcome, Err(StoreError::File { .. })), "{outcome:?}");
    // A failed backup leaves no file behind.
    let names = fs::read_dir(place.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!names.into_iter().any(|name| name.to_str().unwrap().ends_with(".partial")));
}

/// If the program is killed at any moment, the name leads to nothing or to a whole backup.
async fn a_backup_has_its_name_only_when_it_is_complete(place: &Place) {
    let store = place.open().await;
    fill(&store).await;
    let file = place.folder.file("backup.db");
    let backup = store.backup(&file, |_| ());
    tokio::pin!(backup);
    let mut looked = 0;
    loop {
        tokio::select! {
            biased;
            done = &mut backup => break done.unwrap(),
            () = tokio::task::yield_now() => {
                let is_whole = |file: fs::Metadata| file.len() > 0;
                assert!(fs::metadata(&file).map_or(true, is_whole), "the name has an empty file");
                looked += 1;
            }
        }
    }
    assert!(looked > 0);
    assert!(fs::metadata(&file).unwrap().len() > 0);
    assert!(!place.folder.file("backup.db.partial").exists());
}

async fn a_file_that_appears_during_a_backup_is_not_replaced(place: &Place) {
    let store = place.open().await;
    let file = place.folder.file("backup.db");
    let backup = store.backup(&file, |_| ());
    tokio::pin!(backup);
    tokio::select! {
        biased;
        done = &mut backup => panic!("{done:?} at once"),
        () = std::future::ready(()) => fs::write(&file, "another file").unwrap(),
    }
    assert_eq!(backup.await, Err(StoreError::Exists(file.clone())));
    assert_eq!(fs::read(&file).unwrap(), b"another file");
    assert!(!place.folder.file("backup.db.partial").exists());
}

async fn what_a_killed_backup_left_is_named(place: &Place) {
    let store = place.open().await;
    let partial = place.folder.file("backup.db.partial");
    fs::write(&partial, "half of").unwrap();
    let error = store.backup(&place.folder.file("backup.db"), |_| ()).await.unwrap_err();
    assert!(error.to_string().contains("backup.db.partial: another backup"), "{error}");
    assert_eq!(fs::read(&partial).unwrap(), b"half of");
    assert!(!place.folder.file("backup.db").exists());
}

async fn a_backup_is_consistent_while_the_server_continues(place: &Place) {
    let store = place.open().await;
    const TABLES: u64 = 5;
    for number in 1..=TABLES {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
    }
    // Every batch appends one event to each table.
    let keep_appending = async {
        for sequence in 1..=400 {
            let batch: Vec<_> = (1..=TABLES)
                .map(|number| append(table(number), Epoch::FIRST, sequence, &["x"]))
                .collect();
            store.append(&batch).await.unwrap();
        }
    };
    let make_backups = async {
        for number in 0..5 {
            let file = place.folder.file(&format!("{number}.db"));
            store.backup(&file, |_| ()).await.unwrap();
        }
    };
    tokio::join!(keep_appending, make_backups);
    for number in 0..5 {
        let file = place.folder.file(&format!("{number}.db"));
        let copy = Database::open(file.to_str().unwrap()).await.unwrap();
        let first = check_sequences(&copy, table(1)).await.len();
        for number in 2..=TABLES {
            assert_eq!(check_sequences(&copy, table(number)).await.len(), first);
        }
    }
}

async fn only_an_empty_database_is_restored_into(place: &Place) {
    let store = place.open().await;
    fill(&store).await;
    let file = place.folder.file("backup.db");
    store.backup(&file, |_| ()).await.unwrap();
    assert_eq!(store.restore(&file, |_| ()).await, Err(StoreError::NotEmpty));
    assert_eq!(check_sequences(&store, table(1)).await.len(), 2500);
}

async fn a_damaged_or_foreign_file_is_not_restored(place: &Place) {
    let store = place.open().await;
    let file = place.folder.file("backup.db");
    let missing = store.restore(&file, |_| ()).await;
    assert!(matches!(missing, Err(StoreError::File { .. })), "{missing:?}");
    fs::write(&file, "this is not a database. ".repeat(1000)).unwrap();
    let foreign = store.restore(&file, |_| ()).await;
    assert!(matches!(foreign, Err(StoreError::Corrupt(_))), "{foreign:?}");

    let other = Place::sqlite();
    let source = other.open().await;
    fill(&source).await;
    let whole = other.folder.file("backup.db");
    source.backup(&whole, |_| ()).await.unwrap();
    let mut bytes = fs::read(&whole).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8192].fill(0xa5);
    fs::write(&whole, bytes).unwrap();
    let damaged = store.restore(&whole, |_| ()).await;
    assert!(matches!(damaged, Err(StoreError::Corrupt(_))), "{damaged:?}");
    assert_eq!(store.find_log(table(1)).await, Ok(None));
}
