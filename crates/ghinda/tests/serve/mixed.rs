//! `ghinda load --mixed` against a server that is killed: clients come back by themselves, and
//! everything that was acknowledged is found in the database.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::time::sleep;

use crate::test_server::TestServer;

/// How long the load plays, and after what time of it the server is killed.
const SECONDS: &str = "9";
const KILLED_AFTER: Duration = Duration::from_secs(4);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mixed_load_survives_a_kill_and_finds_what_was_acknowledged() {
    let mut server = TestServer::open().await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_ghinda"));
    command.args(["load", &format!("http://{}", server.address), "--mixed", "--seed", "7"]);
    command.args(["--database", server.database(), "--seconds", SECONDS]);
    command.args(["--tables", "6", "--rate", "60"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let load = command.spawn().expect("ghinda runs");
    sleep(KILLED_AFTER).await;
    server.kill();
    server.start_again().await;
    let ended = tokio::task::spawn_blocking(move || load.wait_with_output()).await;
    let ended = ended.expect("a thread").expect("an output");
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{errors}");
    let output = String::from_utf8(ended.stdout).expect("text");
    let lines = output.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let lines: Vec<Value> = lines.collect();
    assert_eq!(lines[0]["seed"], 7);
    let end = &lines.last().expect("lines")["end"];
    let check = &end["check"];
    for fault in ["lost", "doubled", "unreadable"] {
        assert_eq!(check[fault], 0, "{fault}: {check} {errors}");
    }
    let count = |value: &Value| value.as_u64().expect("a count");
    assert!(count(&check["acknowledged"]) > 50, "{end}");
    assert_eq!(check["acknowledged"], end["actions"]);
    assert!(count(&check["events"]) > count(&check["acknowledged"]), "{end}");
    let broken = &end["errors"]["a connection broke"];
    assert!(broken.as_u64() > Some(0), "the server was killed while clients were connected: {end}");
    assert_eq!(errors, "", "no fault is printed");
    server.stop().await;
}
