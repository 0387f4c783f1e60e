//! What is kept beside the events, and how long: owners and their quotas, who sits where, the trusted
//! time, archives and removals, what is rewritten, and what is erased of a player.

use store::{
    Account, AppendOutcome, AppendStore, Epoch, FinishedSeat, LinkedWrite, LogKind, LogOpener,
    PlayerId, PlayerTraces, Retention, Session, SessionKind, Store, StoreError, StoredEvent,
    TokenHash,
};

use crate::support::{
    Place, all_events, append, bodies, finished, info, on_all_databases, player, table, with_write,
};

on_all_databases!(
    a_player_has_so_many_logs_and_no_more,
    a_ledger_counts_for_thirty_days_after_its_last_line,
    the_size_and_the_time_of_a_log_are_known_without_its_events,
    it_is_stored_who_sits_where,
    the_seats_of_older_tables_are_filled_once,
    the_trusted_time_only_advances,
    the_time_of_what_is_newest_is_known,
    an_archived_table_is_read_as_before,
    an_archived_ledger_still_grows,
    a_table_in_use_is_not_archived,
    what_is_removed_leaves_nothing,
    a_log_is_not_removed_as_quiet_when_it_is_no_longer_quiet,
    appends_and_removals_at_the_same_time_leave_no_event_without_a_log,
    what_was_never_begun_is_found,
    all_logs_are_listed_with_what_they_take,
    a_log_is_rewritten_where_it_is_stored,
    many_events_are_rewritten,
    a_player_is_erased_outside_the_logs,
);

async fn a_player_has_so_many_logs_and_no_more(place: &Place) {
    let store = place.open().await;
    let owner = |number| Some(LogOpener { player: player(number), max: 2 });
    for number in [1, 2] {
        store.create(LogKind::Table, table(number), owner(7), 0).await.unwrap();
    }
    let third = store.create(LogKind::Table, table(3), owner(7), 0).await;
    assert_eq!(third, Err(StoreError::TooMany));
    assert_eq!(store.find_log(table(3)).await, Ok(None));
    let known = store.create(LogKind::Table, table(2), owner(7), 0).await;
    assert_eq!(known, Err(StoreError::LogExists));
    // Other kinds, other players and logs without an owner do not count.
    store.create(LogKind::Ledger, table(4), owner(7), 0).await.unwrap();
    store.create(LogKind::Table, table(5), owner(8), 0).await.unwrap();
    store.create(LogKind::Table, table(6), None, 0).await.unwrap();
    // Neither does a closed table.
    let closing = with_write(append(table(1), Epoch::FIRST, 1, &["end"]), LinkedWrite::Closed);
    store.append(&[closing]).await.unwrap();
    store.create(LogKind::Table, table(3), owner(7), 0).await.unwrap();
    let fourth = store.create(LogKind::Table, table(9), owner(7), 0).await;
    assert_eq!(fourth, Err(StoreError::TooMany));
}

async fn a_ledger_counts_for_thirty_days_after_its_last_line(place: &Place) {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    let store = place.open().await;
    let owner = Some(LogOpener { player: player(7), max: 2 });
    let open = async |number, at_ms| {
        store.create(LogKind::Ledger, table(number), owner, at_ms).await.map(|_| ())
    };
    let write = async |number, sequence, at_ms| {
        let mut line = append(table(number), Epoch::FIRST, sequence, &["line"]);
        line.events[0].at_ms = at_ms;
        assert_eq!(store.append(&[line]).await, Ok(vec![AppendOutcome::Done]));
    };
    for number in [1, 2] {
        open(number, 0).await.unwrap();
        write(number, 1, 0).await;
        // To archive it early gives no place back.
        assert_eq!(store.archive(table(number)).await, Ok(true));
    }
    assert_eq!(open(3, 0).await, Err(StoreError::TooMany));
    write(2, 2, 10 * DAY).await;
    assert_eq!(open(3, 30 * DAY - 1).await, Err(StoreError::TooMany));
    open(3, 30 * DAY).await.unwrap();
    assert_eq!(open(4, 30 * DAY).await, Err(StoreError::TooMany), "one of them is still used");
    open(4, 40 * DAY).await.unwrap();
    // A table counts for as long as it is open.
    for number in [5, 6] {
        store.create(LogKind::Table, table(number), owner, 0).await.unwrap();
    }
    let third = store.create(LogKind::Table, table(7), owner, 400 * DAY).await;
    assert_eq!(third, Err(StoreError::TooMany));
}

async fn the_size_and_the_time_of_a_log_are_known_without_its_events(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 40).await.unwrap();
    let known = info(&store, table(1)).await;
    assert_eq!((known.last, known.last_ms, known.bytes), (0, 40, 0));
    let first = append(table(1), epoch, 1, &["abc", "ță"]);
    let second = append(table(1), epoch, 3, &["d"]);
    store.append(&[first, second]).await.unwrap();
    let known = info(&store, table(1)).await;
    assert_eq!((known.last, known.last_ms, known.bytes), (3, 1_000, 8));
    let closing = with_write(append(table(1), epoch, 4, &[]), LinkedWrite::Closed);
    store.append(&[closing]).await.unwrap();
    let known = info(&store, table(1)).await;
    assert_eq!((known.last_ms, known.bytes, known.closed), (1_000, 8, true));
}

async fn it_is_stored_who_sits_where(place: &Place) {
    let store = place.open().await;
    for number in 1..=3 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
    }
    let seats = |number, first, players: &[u64], at_ms| {
        let players: Vec<PlayerId> = players.iter().copied().map(player).collect();
        let mut append = append(table(number), Epoch::FIRST, first, &["sat"]);
        append.events[0].at_ms = at_ms;
        with_write(append, LinkedWrite::Seats(players))
    };
    store.append(&[seats(1, 1, &[7, 8, 7], 10), seats(2, 1, &[7], 30)]).await.unwrap();
    store.append(&[seats(3, 1, &[7], 20)]).await.unwrap();
    let tables = async |number, limit| {
        let tables = store.seated_tables(player(number), limit).await.unwrap();
        tables.iter().map(|table| table.get()).collect::<Vec<u64>>()
    };
    assert_eq!(tables(7, 10).await, [2, 3, 1]);
    assert_eq!(tables(7, 2).await, [2, 3]);
    assert_eq!(tables(8, 10).await, [1]);
    // Of two changes in a batch the later one counts, and one that is not stored changes nothing.
    let late = seats(2, 9, &[8], 50);
    let outcomes = store.append(&[seats(1, 2, &[], 40), seats(1, 3, &[8], 41), late]).await;
    assert_eq!(outcomes.unwrap()[2], AppendOutcome::OutOfOrder);
    assert_eq!(tables(7, 10).await, [2, 3]);
    assert_eq!(tables(8, 10).await, [1]);
    assert_eq!(tables(9, 10).await, [0; 0]);
}

async fn the_seats_of_older_tables_are_filled_once(place: &Place) {
    let store = place.open().await;
    for number in 1..=2 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
    }
    // Tables of this version know their seats from the beginning.
    assert_eq!(store.tables_without_seats(10).await, Ok(vec![]));
    store.fill_seats(table(1).as_table(), &[player(7)]).await.unwrap();
    assert_eq!(store.seated_tables(player(7), 10).await, Ok(vec![]), "it is known who sits there");
}

async fn the_trusted_time_only_advances(place: &Place) {
    let store = place.open().await;
    assert_eq!(store.trusted_time().await, Ok(None));
    for (at_ms, trusted) in [(500, 500), (400, 500), (501, 501), (0, 501)] {
        store.advance_trusted_time(at_ms).await.unwrap();
        assert_eq!(store.trusted_time().await, Ok(Some(trusted)));
    }
}

async fn the_time_of_what_is_newest_is_known(place: &Place) {
    let store = place.open().await;
    assert_eq!(store.newest_ms().await, Ok(None));
    let session = |created_ms| Session {
        player: player(7),
        kind: SessionKind::Browser,
        label: String::new(),
        created_ms,
        expires_ms: i64::MAX,
    };
    store.create_session(TokenHash([1; 32]), &session(20)).await.unwrap();
    assert_eq!(store.newest_ms().await, Ok(Some(20)));
    store.create(LogKind::Ledger, table(1), None, 30).await.unwrap();
    assert_eq!(store.newest_ms().await, Ok(Some(30)));
    store.append(&[append(table(1), Epoch::FIRST, 1, &["a"])]).await.unwrap();
    assert_eq!(store.newest_ms().await, Ok(Some(1_000)));
    let account = Account {
        name: "Ana".into(),
        folded: "ana".into(),
        passphrase: "hash".into(),
        player: player(7),
        created_ms: 2_000,
    };
    store.create_account(&account).await.unwrap();
    assert_eq!(store.newest_ms().await, Ok(Some(2_000)));
}

async fn an_archived_table_is_read_as_before(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let texts: Vec<String> = (0..2_500).map(|number| format!("event {number}, ță")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let events = with_write(append(table(1), epoch, 1, &texts), LinkedWrite::Checkpoint(1_200));
    store.append(&[with_write(events, LinkedWrite::Closed)]).await.unwrap();
    let before = all_events(&store, table(1)).await;
    assert_eq!(store.quiet_logs(Retention::Archive, 1_000, None, 10).await, Ok(vec![]));
    assert_eq!(store.quiet_logs(Retention::Archive, 1_001, None, 10).await, Ok(vec![table(1)]));
    assert_eq!(store.archive(table(1)).await, Ok(true));
    assert_eq!(store.archive(table(1)).await, Ok(false), "there is nothing left to compress");
    assert_eq!(store.quiet_logs(Retention::Archive, 1_001, None, 10).await, Ok(vec![]));
    assert_eq!(all_events(&store, table(1)).await, before);
    let page = store.events(table(1), 2_499, 1_000).await.unwrap();
    assert_eq!(page, before[2_498..]);
    let rest = store.events(table(1), 1_000, 3).await.unwrap();
    assert_eq!(rest, before[999..], "an archive is unpacked once, not for every page");
    assert_eq!(store.events(table(1), 2_501, 3).await, Ok(vec![]));
    let known = info(&store, table(1)).await;
    assert_eq!((known.last, known.archived, known.checkpoint), (2_500, 2_500, Some(1_200)));
}

async fn an_archived_ledger_still_grows(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Ledger, table(1), None, 0).await.unwrap();
    store.append(&[append(table(1), epoch, 1, &["a", "b", "c"])]).await.unwrap();
    assert_eq!(store.archive(table(1)).await, Ok(true));
    store.append(&[append(table(1), epoch, 4, &["d"])]).await.unwrap();
    assert_eq!(bodies(&store, table(1)).await, ["a", "b", "c", "d"]);
    assert_eq!(store.events(table(1), 3, 1).await.unwrap()[0].body, "c");
    assert_eq!(store.events(table(1), 4, 9).await.unwrap()[0].body, "d");
    let acquired = store.acquire(LogKind::Ledger, table(1)).await.unwrap().unwrap();
    assert_eq!(acquired.last, 4);
    assert_eq!(store.archive(table(1)).await, Ok(true), "the archive holds the new line too");
    store.append(&[append(table(1), acquired.epoch, 5, &["e"])]).await.unwrap();
    assert_eq!(bodies(&store, table(1)).await, ["a", "b", "c", "d", "e"]);
}

async fn a_table_in_use_is_not_archived(place: &Place) {
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    store.append(&[append(table(1), epoch, 1, &["a"])]).await.unwrap();
    assert_eq!(store.quiet_logs(Retention::Archive, i64::MAX, None, 10).await, Ok(vec![]));
    assert_eq!(store.quiet_logs(Retention::Remove, i64::MAX, None, 10).await, Ok(vec![]));
    assert_eq!(store.archive(table(1)).await, Ok(false));
    assert_eq!(store.archive(table(2)).await, Ok(false), "there is no such table");
}

async fn what_is_removed_leaves_nothing(place: &Place) {
    let store = place.open().await;
    for number in 1..=2 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
        let events = append(table(number), Epoch::FIRST, 1, &["a", "b"]);
        let events =
            with_write(events, LinkedWrite::Finished(finished(1, 1_000, &[Some(7), None])));
        let events = with_write(events, LinkedWrite::Seats(vec![player(7)]));
        store.append(&[with_write(events, LinkedWrite::Closed)]).await.unwrap();
        store.archive(table(number)).await.unwrap();
    }
    // A table that was created and never opened is removed, however young its kind.
    store.create(LogKind::Table, table(3), None, 5).await.unwrap();
    let quiet = store.quiet_logs(Retention::Remove, 10, None, 10).await.unwrap();
    assert_eq!(quiet, [table(3)]);
    let quiet = store.quiet_logs(Retention::Remove, 1_001, None, 10).await.unwrap();
    assert_eq!(quiet, [table(1), table(2), table(3)]);
    let quiet = store.quiet_logs(Retention::Remove, 1_001, Some(table(1)), 1).await.unwrap();
    assert_eq!(quiet, [table(2)]);
    assert_eq!(store.remove(table(1), None).await, Ok(true));
    assert_eq!(store.remove(table(1), None).await, Ok(false), "it is gone");
    assert_eq!(store.remove(table(3), Some((Retention::Remove, 10))).await, Ok(true));
    assert_eq!(store.find_log(table(1)).await, Ok(None));
    assert_eq!(all_events(&store, table(1)).await, []);
    let history = store.history(player(7), None, 10).await.unwrap();
    assert_eq!(history.iter().map(|past| past.table.get()).collect::<Vec<_>>(), [2]);
    assert_eq!(store.seated_tables(player(7), 10).await.unwrap(), [table(2).as_table()]);
    assert_eq!(bodies(&store, table(2)).await, ["a", "b"]);
    let late = append(table(1), Epoch::FIRST, 3, &["late"]);
    assert_eq!(store.append(&[late]).await, Ok(vec![AppendOutcome::Gone]));
}

async fn a_log_is_not_removed_as_quiet_when_it_is_no_longer_quiet(place: &Place) {
    let store = place.open().await;
    for (number, kind) in [(1, LogKind::Ledger), (2, LogKind::Table), (3, LogKind::Table)] {
        store.create(kind, table(number), None, 500).await.unwrap();
    }
    let remove = async |retention, number, before_ms| {
        store.remove(table(number), Some((retention, before_ms))).await.unwrap()
    };
    store.append(&[append(table(1), Epoch::FIRST, 1, &["line"])]).await.unwrap();
    assert!(!remove(Retention::Remove, 1, 1_000).await, "it was written to meanwhile");
    // One that has begun meanwhile, with an event of the time at which it was created.
    let mut first = append(table(2), Epoch::FIRST, 1, &["opened"]);
    first.events[0].at_ms = 500;
    store.append(&[first]).await.unwrap();
    assert!(!remove(Retention::NeverBegun, 2, 501).await);
    assert!(!remove(Retention::Remove, 2, 501).await, "an open table");
    assert!(!remove(Retention::NeverBegun, 3, 500).await);
    for (number, events) in [(1, 1), (2, 1), (3, 0)] {
        assert_eq!(info(&store, table(number)).await.last, events);
    }
    // Its owner may go on: a removal that did not happen fences no one.
    let next = append(table(1), Epoch::FIRST, 2, &["line"]);
    assert_eq!(store.append(&[next]).await, Ok(vec![AppendOutcome::Done]));
    assert!(remove(Retention::Remove, 1, 1_001).await);
    assert!(remove(Retention::NeverBegun, 3, 501).await);
    assert_eq!(store.find_log(table(1)).await, Ok(None));
    assert_eq!(store.find_log(table(3)).await, Ok(None));
}

async fn appends_and_removals_at_the_same_time_leave_no_event_without_a_log(place: &Place) {
    const LOGS: u64 = 30;
    let (store, other) = (place.open().await, place.open().await);
    for number in 1..=LOGS {
        store.create(LogKind::Ledger, table(number), None, 0).await.unwrap();
    }
    let appends = async {
        for sequence in 1..=40 {
            let line = |number| append(table(number), Epoch::FIRST, sequence, &["line"]);
            let batch: Vec<_> = (1..=LOGS).map(line).collect();
            store.append(&batch).await.unwrap();
        }
    };
    let removals = async {
        for number in 1..=LOGS {
            assert_eq!(other.remove(table(number), None).await, Ok(true));
        }
    };
    tokio::join!(appends, removals);
    for number in 1..=LOGS {
        assert_eq!(store.find_log(table(number)).await, Ok(None));
        assert_eq!(all_events(&store, table(number)).await, []);
    }
}

async fn what_was_never_begun_is_found(place: &Place) {
    let store = place.open().await;
    for (number, kind) in [(1, LogKind::Table), (2, LogKind::Ledger), (3, LogKind::Table)] {
        store.create(kind, table(number), None, 500).await.unwrap();
    }
    store.append(&[append(table(1), Epoch::FIRST, 1, &["a"])]).await.unwrap();
    let found = async |before| store.quiet_logs(Retention::NeverBegun, before, None, 10).await;
    assert_eq!(found(500).await, Ok(vec![]));
    assert_eq!(found(501).await, Ok(vec![table(2), table(3)]));
    let after = store.quiet_logs(Retention::NeverBegun, 501, Some(table(2)), 10).await;
    assert_eq!(after, Ok(vec![table(3)]));
}

async fn all_logs_are_listed_with_what_they_take(place: &Place) {
    let store = place.open().await;
    assert_eq!(store.logs(None, 10).await, Ok(vec![]));
    let long = "noroc ".repeat(400);
    for (number, kind) in [(1, LogKind::Table), (2, LogKind::Ledger), (3, LogKind::Table)] {
        store.create(kind, table(number), None, 500).await.unwrap();
        store.append(&[append(table(number), Epoch::FIRST, 1, &[&long])]).await.unwrap();
    }
    store.archive(table(2)).await.unwrap();
    let listed = store.logs(None, 2).await.unwrap();
    assert_eq!(listed[0].info, info(&store, table(1)).await);
    assert_eq!(listed[0].stored_bytes, 2_400);
    assert_eq!((listed[1].info.bytes, listed[1].info.archived), (2_400, 1));
    let packed = listed[1].stored_bytes;
    assert!((1..200).contains(&packed), "{packed}");
    assert_eq!(listed.len(), 2);
    let rest = store.logs(Some(table(2)), 2).await.unwrap();
    assert_eq!(rest.iter().map(|listed| listed.info.log).collect::<Vec<_>>(), [table(3)]);
    // An archived ledger that has grown takes both.
    store.append(&[append(table(2), Epoch::FIRST, 2, &["abc"])]).await.unwrap();
    assert_eq!(store.logs(Some(table(1)), 1).await.unwrap()[0].stored_bytes, packed + 3);
    let usage = store.usage().await.unwrap();
    assert_eq!((usage.finished, usage.sessions, usage.accounts), (0, 0, 0));
    assert!(usage.bytes > 7_000, "{usage:?}");
}

fn changed(sequence: u64, body: &str) -> StoredEvent {
    StoredEvent { sequence, at_ms: 1_000, body: body.to_owned() }
}

async fn a_log_is_rewritten_where_it_is_stored(place: &Place) {
    let store = place.open().await;
    for (number, kind) in [(1, LogKind::Table), (2, LogKind::Ledger)] {
        let epoch = store.create(kind, table(number), None, 0).await.unwrap();
        store.append(&[append(table(number), epoch, 1, &["ana", "b", "ana"])]).await.unwrap();
    }
    // One that is archived in part.
    store.archive(table(2)).await.unwrap();
    store.append(&[append(table(2), Epoch::FIRST, 4, &["ana", "e"])]).await.unwrap();
    let known = info(&store, table(1)).await;
    assert_eq!(store.rewrite(&known, vec![changed(1, "ț"), changed(3, "")]).await, Ok(true));
    assert_eq!(bodies(&store, table(1)).await, ["ț", "b", ""]);
    let known = info(&store, table(2)).await;
    assert_eq!(store.rewrite(&known, vec![changed(3, "-"), changed(4, "--")]).await, Ok(true));
    assert_eq!(bodies(&store, table(2)).await, ["ana", "b", "-", "--", "e"]);
    for (number, bytes) in [(1, 3), (2, 8)] {
        let known = info(&store, table(number)).await;
        assert_eq!((known.bytes, known.epoch), (bytes, Epoch::new(2)));
    }
    // The owner who still has the old events cannot write any more.
    let late = append(table(1), Epoch::FIRST, 4, &["late"]);
    assert_eq!(store.append(&[late]).await, Ok(vec![AppendOutcome::Fenced]));
    // Neither is a log rewritten that has changed since it was read.
    let known = info(&store, table(1)).await;
    store.append(&[append(table(1), known.epoch, 4, &["d"])]).await.unwrap();
    assert_eq!(store.rewrite(&known, vec![changed(2, "x")]).await, Ok(false));
    let known = info(&store, table(2)).await;
    store.archive(table(2)).await.unwrap();
    assert_eq!(store.rewrite(&known, vec![changed(2, "x")]).await, Ok(false));
    assert_eq!(bodies(&store, table(1)).await, ["ț", "b", "", "d"]);
    assert_eq!(bodies(&store, table(2)).await, ["ana", "b", "-", "--", "e"]);
}

async fn many_events_are_rewritten(place: &Place) {
    const EVENTS: u64 = 2_500;
    let store = place.open().await;
    let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    let texts = vec!["Ana"; EVENTS as usize];
    store.append(&[append(table(1), epoch, 1, &texts)]).await.unwrap();
    let known = info(&store, table(1)).await;
    let all = (1..=EVENTS).filter(|sequence| sequence % 7 != 0);
    let all = all.map(|sequence| changed(sequence, &format!("- {sequence}"))).collect();
    assert_eq!(store.rewrite(&known, all).await, Ok(true));
    for event in all_events(&store, table(1)).await {
        let body = match event.sequence % 7 {
            0 => "Ana".to_owned(),
            _ => format!("- {}", event.sequence),
        };
        assert_eq!(event.body, body);
    }
}

async fn a_player_is_erased_outside_the_logs(place: &Place) {
    let store = place.open().await;
    let owner = Some(LogOpener { player: player(7), max: 9 });
    store.create(LogKind::Table, table(1), owner, 0).await.unwrap();
    let events = append(table(1), Epoch::FIRST, 1, &["a"]);
    let ended = finished(1, 1_000, &[Some(7), Some(8), Some(7)]);
    let events = with_write(events, LinkedWrite::Finished(ended.clone()));
    let events = with_write(events, LinkedWrite::Seats(vec![player(7), player(8)]));
    store.append(&[events]).await.unwrap();
    for number in [7, 8] {
        let session = Session {
            player: player(number),
            kind: SessionKind::Browser,
            label: "Ana's phone".into(),
            created_ms: 0,
            expires_ms: i64::MAX,
        };
        store.create_session(TokenHash([number as u8; 32]), &session).await.unwrap();
        let account = Account {
            name: format!("Ana{number}"),
            folded: format!("ana{number}"),
            passphrase: "hash".into(),
            player: player(number),
            created_ms: 0,
        };
        store.create_account(&account).await.unwrap();
    }
    let all = PlayerTraces {
        account: Some("Ana7".into()),
        sessions: 1,
        seated: 1,
        finished: 2,
        opened: 1,
    };
    assert_eq!(store.player_traces(player(7)).await, Ok(all));
    let others = store.player_traces(player(8)).await.unwrap();
    store.erase_player(player(7), "—").await.unwrap();
    let nothing = PlayerTraces { account: None, sessions: 0, seated: 0, finished: 0, opened: 0 };
    assert_eq!(store.player_traces(player(7)).await, Ok(nothing));
    assert_eq!(store.player_traces(player(8)).await, Ok(others));
    assert_eq!(store.history(player(7), None, 10).await, Ok(vec![]));
    let mut left = store.history(player(8), None, 10).await.unwrap();
    let seats = left.remove(0).finished.seats;
    assert_eq!(seats[1], ended.seats[1]);
    for seat in [0, 2] {
        assert_eq!(seats[seat], FinishedSeat { player: None, name: "—".into() });
    }
    // The name of the account is free again.
    let account = store.find_account("ana7").await.unwrap();
    assert_eq!(account, None);
}
