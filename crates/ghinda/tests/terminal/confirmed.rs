//! What an operator is asked before something is deleted.

use serde_json::json;
use test_support::folder::TempFolder;

use crate::pty::Pty;
use crate::test_server::TestServer;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_removed_before_the_operator_has_typed_yes() {
    let mut server = TestServer::open().await;
    let mut host = server.new_client().await;
    let table = server.table_with(&mut host, json!({ "rules": "cruce2", "listed": true })).await;
    let folder = TempFolder::create();
    let path = format!("/api/tables/{table}");
    let database = server.database().to_owned();
    let args = ["admin", "remove", &table, "--database", &database];
    for (answer, ending, left) in [("y\r", "ended=1", true), ("yes\r", "ended=0", false)] {
        let mut terminal = Pty::in_shell((100, 30), &folder.file(""), &args);
        let text = terminal.wait_for("Type yes to go on:");
        assert!(text.contains("an open table, 1 event,"), "{text}");
        terminal.press(answer);
        let text = terminal.wait_for(ending);
        assert_eq!(text.contains("nothing was changed"), left, "{text}");
        assert_eq!(text.contains("is removed"), !left, "{text}");
    }
    // The server has had it in memory.
    server.stop().await;
    server.start_again().await;
    let request = server.http().get(server.url(&path)).bearer_auth(&host.token);
    assert_eq!(request.send().await.expect("an answer").status().as_u16(), 404);
}
