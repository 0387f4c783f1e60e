//! A terminal and another client at one table of a real server.

use std::time::Duration;

use game::deal::{RandomStream, Seed};
use test_support::folder::TempFolder;
use wire::table::{Occupant, TableStage};

use crate::pty::Pty;
use crate::test_server::TestServer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_and_another_client_share_a_table_and_finish_a_match() {
    let server = TestServer::open().await;
    let mut host = server.new_client().await;
    let plan = serde_json::json!({ "rules": "cruce4t-2", "listed": false });
    let answer = server.post(&host, "/api/tables", plan).await;
    let opened: wire::http::OpenedTable = answer.json().await.expect("a table");
    host.join(&opened.table).await;
    host.sit(1).await;

    let folder = TempFolder::create();
    let link = server.url(&format!("/t/{}#{}", opened.table, opened.key));
    let args = ["join", &link, "--name", "Zoe", "--lang", "ro"];
    let mut zoe = Pty::ghinda((80, 24), folder.path(), &args);
    let other_folder = TempFolder::create();
    let spectator = Pty::ghinda((100, 30), other_folder.path(), &["watch", &link, "--lang", "en"]);
    let sits = |who: &Option<Occupant>| *who == Some(Occupant::Person("Zoe".into()));
    while !host.replica.state().is_some_and(|state| sits(&state.seats[1].who)) {
        host.next().await.expect("a message");
    }
    host.start_with_bots(2).await;
    let terminal = tokio::task::spawn_blocking(move || {
        zoe.play_until("Încă un joc");
        zoe
    });
    let mut lots = RandomStream::new(Seed([7; 32]), 0);
    while host.stage() != Some(TableStage::Over) {
        if !host.act(&mut lots).await {
            host.listen(Duration::from_millis(50)).await;
        }
    }
    let mut zoe = terminal.await.expect("a thread");
    spectator.wait_for("Zoe");
    // Both show the same score.
    let score = host.replica.view().expect("a view").public().score();
    let text = zoe.text();
    for total in score.as_slice() {
        assert!(text.contains(&phrases::layout::total(*total)), "{score:?}\n{text}");
    }
    zoe.press("q\r");
    assert!(zoe.wait_for_end().success());
    // A player who joins again gets the same seat.
    let again = Pty::ghinda((80, 24), folder.path(), &args);
    again.wait_for("Zoe");
    host.listen(Duration::from_millis(200)).await;
    assert!(host.replica.state().is_some_and(|state| sits(&state.seats[1].who)));
}

#[test]
fn a_wrong_link_is_refused() {
    let folder = TempFolder::create();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ghinda"))
        .args(["join", "not-a-link", "--plain"])
        .env("GHINDA_STATE", folder.path())
        .output()
        .expect("ghinda runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a link to a table looks like"));
}
