//! Sessions, accounts and histories.

use store::{
    Account, AppendStore, Epoch, LinkedWrite, LogKind, Session, SessionKind, Store, StoreError,
    TokenHash,
};

use crate::support::{Place, append, finished, on_all_databases, player, table, with_write};

on_all_databases!(
    a_session_is_found_until_it_expires,
    sessions_are_revoked_one_by_one_or_all_at_once,
    an_account_is_found_by_its_folded_name,
    a_name_is_taken_once_and_a_player_has_one_account,
    a_passphrase_is_changed,
    a_history_starts_with_the_newest_match,
    matches_that_ended_together_are_all_in_the_history,
);

const A: TokenHash = TokenHash([1; 32]);
const B: TokenHash = TokenHash([2; 32]);
const C: TokenHash = TokenHash([255; 32]);

fn session(owner: u64, kind: SessionKind) -> Session {
    let label = "Firefox pe Linux".to_owned();
    Session { player: player(owner), kind, label, created_ms: 100, expires_ms: 200 }
}

async fn a_session_is_found_until_it_expires(place: &Place) {
    let store = place.open().await;
    let (browser, bot) = (session(1, SessionKind::Browser), session(2, SessionKind::Bot));
    store.create_session(A, &browser).await.unwrap();
    store.create_session(B, &bot).await.unwrap();
    assert_eq!(store.find_session(A, 199).await, Ok(Some(browser.clone())));
    assert_eq!(store.find_session(B, 0).await, Ok(Some(bot)));
    assert_eq!(store.find_session(A, 200).await, Ok(None));
    assert_eq!(store.find_session(C, 0).await, Ok(None));
    let twice = store.create_session(A, &browser).await;
    assert!(matches!(twice, Err(StoreError::Refused(_))), "{twice:?}");
    assert_eq!(store.prune_sessions(199).await, Ok(0));
    assert_eq!(store.prune_sessions(200).await, Ok(2));
    assert_eq!(store.find_session(A, 0).await, Ok(None));
}

async fn sessions_are_revoked_one_by_one_or_all_at_once(place: &Place) {
    let store = place.open().await;
    for (token, whose) in [(A, 1), (B, 1), (C, 2)] {
        store.create_session(token, &session(whose, SessionKind::Browser)).await.unwrap();
    }
    assert_eq!(store.revoke_session(A).await, Ok(true));
    assert_eq!(store.revoke_session(A).await, Ok(false));
    assert_eq!(store.find_session(A, 0).await, Ok(None));
    assert_eq!(store.revoke_sessions_of(player(1)).await, Ok(1));
    assert_eq!(store.find_session(B, 0).await, Ok(None));
    assert!(store.find_session(C, 0).await.unwrap().is_some());
}

fn account(name: &str, owner: u64) -> Account {
    Account {
        name: name.to_owned(),
        folded: name.to_lowercase(),
        passphrase: "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".to_owned(),
        player: player(owner),
        created_ms: 7,
    }
}

async fn an_account_is_found_by_its_folded_name(place: &Place) {
    let store = place.open().await;
    let owner = account("Țica", (1 << 63) - 1);
    store.create_account(&owner).await.unwrap();
    assert_eq!(store.find_account("țica").await, Ok(Some(owner.clone())));
    assert_eq!(store.find_account("Țica").await, Ok(None));
    assert_eq!(store.account_of(owner.player).await, Ok(Some(owner)));
    assert_eq!(store.account_of(player(1)).await, Ok(None));
}

async fn a_name_is_taken_once_and_a_player_has_one_account(place: &Place) {
    let store = place.open().await;
    store.create_account(&account("Ana", 1)).await.unwrap();
    assert_eq!(store.create_account(&account("ANA", 2)).await, Err(StoreError::NameTaken));
    assert_eq!(store.create_account(&account("Ion", 1)).await, Err(StoreError::HasAccount));
    assert_eq!(store.create_account(&account("Ion", 2)).await, Ok(()));
    let ana = store.find_account("ana").await.unwrap().unwrap();
    assert_eq!((ana.name.as_str(), ana.player), ("Ana", player(1)));
}

async fn a_passphrase_is_changed(place: &Place) {
    let store = place.open().await;
    store.create_account(&account("Ana", 1)).await.unwrap();
    store.create_session(A, &session(1, SessionKind::Browser)).await.unwrap();
    store.create_session(B, &session(2, SessionKind::Browser)).await.unwrap();
    assert_eq!(store.change_passphrase("ion", "$new$").await, Ok(false));
    assert!(store.find_session(A, 0).await.unwrap().is_some());
    assert_eq!(store.change_passphrase("ana", "$new$").await, Ok(true));
    assert_eq!(store.find_session(A, 0).await, Ok(None), "all sessions of the player end");
    assert!(store.find_session(B, 0).await.unwrap().is_some());
    assert_eq!(store.find_account("ana").await.unwrap().unwrap().passphrase, "$new$");
}

async fn a_history_starts_with_the_newest_match(place: &Place) {
    let store = place.open().await;
    for number in 1..=3 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
        let mut batch = Vec::new();
        for game in 1..=3_u32 {
            // Every third match is without player 1; in the second they have two seats.
            let players = [Some(7), (game < 3).then_some(1), None, (game == 2).then_some(1)];
            let ended_ms = i64::from(game) * 100 + i64::try_from(number).unwrap();
            let match_ended = LinkedWrite::Finished(finished(game, ended_ms, &players));
            let event = append(table(number), Epoch::FIRST, u64::from(game), &["end"]);
            batch.push(with_write(event, match_ended));
        }
        store.append(&batch).await.unwrap();
    }
    let mut ends = Vec::new();
    let mut after = None;
    loop {
        let page = store.history(player(1), after, 4).await.unwrap();
        after = page.last().map(|last| last.cursor());
        ends.extend(page.iter().map(|past| past.finished.ended_ms));
        if page.len() < 4 {
            break;
        }
    }
    assert_eq!(ends, [203, 202, 201, 103, 102, 101]);
    assert_eq!(store.history(player(7), None, 100).await.unwrap().len(), 9);
    assert_eq!(store.history(player(8), None, 100).await, Ok(vec![]));
    let past = store.finished_match(table(2).as_table(), 2).await.unwrap().unwrap();
    assert_eq!(past.table, table(2).as_table());
    assert_eq!(past.finished, finished(2, 202, &[Some(7), Some(1), None, Some(1)]));
    assert_eq!(store.history(player(1), None, 2).await.unwrap()[1], past);
    assert_eq!(store.finished_match(table(2).as_table(), 4).await, Ok(None));
}

async fn matches_that_ended_together_are_all_in_the_history(place: &Place) {
    let store = place.open().await;
    for number in 1..=5 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
        let ended = LinkedWrite::Finished(finished(1, 100, &[Some(1)]));
        let ended = with_write(append(table(number), Epoch::FIRST, 1, &["end"]), ended);
        store.append(&[ended]).await.unwrap();
    }
    let mut tables = Vec::new();
    let mut after = None;
    while let [past] = &store.history(player(1), after, 1).await.unwrap()[..] {
        tables.push(past.table.get());
        after = Some(past.cursor());
    }
    assert_eq!(tables, [5, 4, 3, 2, 1]);
}
