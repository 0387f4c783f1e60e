//! How a server starts and stops: signals, clocks over a restart, tables with the same deals, and
//! errors at the start.

use std::net::TcpListener;
use std::process::{Command as Program, Output, Stdio};
use std::time::Duration;

use game::record::Record;
use replica::Replica;
use room::Entry;
use serde_json::{Value, json};
use store::{Database, Store};
use test_support::folder::TempFolder;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};
use wire::table::{CloseReason, RunningClock, StandInReason, TableCommand, TableEvent, TableStage};

use crate::checker::Log;
use crate::load_run::lots;
use crate::test_client::TestClient;
use crate::test_server::TestServer;

/// The time of a fast clock, and the least time after a restart.
const FAST: u64 = 15_000;
const AFTER_RETURN: u64 = 10_000;
/// The extra time for a busy machine.
const BUSY: u64 = 3_000;

/// The clock of the table as this client sees it.
async fn clock(client: &mut TestClient) -> RunningClock {
    loop {
        let state = client.replica.state().expect("a table");
        if let Some(clock) = state.clock.filter(|clock| clock.seat.is_some()) {
            return clock;
        }
        client.next().await.expect("the clock starts");
    }
}

/// Reconnects after a restart and reads the whole state: updates alone do not report a changed
/// clock.
async fn reconnect(client: &mut TestClient) {
    client.disconnect();
    client.replica.forget();
    while client.connect_with_hello().await.is_err() {
        sleep(Duration::from_millis(20)).await;
    }
    client.wait_until_synced().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_continue_over_a_restart() {
    let mut server = TestServer::open().await;
    let mut client = server.new_client().await;
    let table = server
        .table_with(&mut client, json!({ "rules": "cruce2", "pace": "fast", "listed": true }))
        .await;
    client.join(&table).await;
    client.sit(1).await;
    client.command(TableCommand::AddBot { seat: 2, level: "easy".into() }).await;
    client.command(TableCommand::Start).await;
    let first = clock(&mut client).await;
    assert_eq!(first.seat, Some(1));

    // After a short stop the clock is unchanged.
    server.kill();
    server.start_again().await;
    reconnect(&mut client).await;
    assert_eq!(clock(&mut client).await, first, "the clock is unchanged");

    // After a longer stop the player gets a short time, but not a new clock.
    server.kill();
    sleep(Duration::from_millis(FAST - AFTER_RETURN + 1_000)).await;
    server.start_again().await;
    reconnect(&mut client).await;
    let second = clock(&mut client).await;
    assert!(second.until > first.until, "{second:?} after {first:?}");
    assert!(second.until < first.until + FAST - AFTER_RETURN + BUSY, "{second:?} after {first:?}");

    // Then the time runs out, and a bot stands in.
    let stood_in = TableEvent::StoodIn { seat: 1, why: StandInReason::Time };
    while !client.notes.updates.iter().any(|update| update.events.contains(&stood_in)) {
        client.next().await.expect("the clock runs out");
    }
    server.stop().await;
    let database = Database::open(server.database()).await.expect("the database");
    let log = Log::read(&database, &table).await;
    log.check(&client);
    let stood_in = log.entries.iter().find(|logged| matches!(logged.entry, Entry::StoodIn { .. }));
    let at = stood_in.expect("the log has the entry").at;
    assert!((second.until..second.until + BUSY).contains(&at), "{at} and not {second:?}");
    database.close().await;
}

/// Plays a match of these clients to its end.
async fn play_to_the_end(clients: &mut [TestClient], stream: u64) {
    let mut lots = lots(7, stream);
    loop {
        for client in clients.iter_mut() {
            client.act(&mut lots).await;
            client.listen(Duration::from_millis(2)).await;
        }
        if clients.iter().all(|client| client.stage() == Some(TableStage::Over)) {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_that_play_the_same_deals_can_be_compared() {
    let mut server = TestServer::open().await;
    let host = server.new_client().await;
    let plan = json!({ "table": { "rules": "cruce2-2", "listed": true }, "tables": 2 });
    let opened = server.post(&host, "/api/duplicates", plan).await;
    assert_eq!(opened.status().as_u16(), 201);
    let opened: Value = opened.json().await.expect("JSON");
    let mut records: Vec<Record> = Vec::new();
    let tables: Vec<String> = (0..2)
        .map(|number| opened[number]["table"].as_str().expect("a table").to_owned())
        .collect();
    for (number, table) in tables.iter().enumerate() {
        let mut clients = server.seated_at(table, host.second_client(), 2).await;
        clients[0].command(TableCommand::Start).await;
        play_to_the_end(&mut clients, number as u64).await;
        // The deals of the first table stay hidden until the second has finished.
        let compared = server.http().get(server.url(&format!("/api/duplicates/{table}")));
        let compared = compared.bearer_auth(&host.token).send().await.expect("an answer");
        let compared: Value = compared.json().await.expect("JSON");
        let over = number == 1;
        assert_eq!(compared["over"], over);
        assert_eq!(compared["deals"].as_array().is_some_and(|deals| deals.is_empty()), !over);
        let status = server.status(&format!("/api/tables/{}/matches/1", tables[0])).await;
        assert_eq!(status, if over { 200 } else { 404 });
        assert!(clients[0].replica.state().expect("a table").commitment.secret.is_none());
    }
    for table in &tables {
        let record = server.text(&format!("/api/tables/{table}/matches/1")).await;
        let record: Record = record.parse().expect("a record");
        record.verify().expect("a valid record");
        records.push(record);
    }
    let deals = |record: &Record| {
        let hands = record.deals.iter().map(|deal| deal.deal.hands.as_slice().to_vec());
        hands.collect::<Vec<_>>()
    };
    let (one, two) = (deals(&records[0]), deals(&records[1]));
    assert!(one.iter().zip(&two).all(|(one, two)| one == two), "the same cards at both tables");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_server_notifies_its_clients_and_a_second_signal_ends_it_at_once() {
    let mut server = TestServer::open().await;
    let mut clients = server.seated("cruce2", 2).await;
    clients[0].command(TableCommand::Start).await;
    server.terminate();
    for client in &mut clients {
        assert_eq!(client.wait_for_close().await, Some(CloseReason::Stopping));
        assert_eq!(client.code, Some(CloseReason::Stopping.code()));
    }
    let status = server.wait_for_end().await;
    assert_eq!(status.code(), Some(0), "{status}");
    let log = format!("{}-wal", server.database());
    assert!(!std::path::Path::new(&log).exists(), "the file alone holds everything");

    server.start_again().await;
    reconnect(&mut clients[0]).await;
    // A client without a hello delays the stop.
    let mut silent = clients[1].second_client();
    silent.connect().await.expect("connected");
    let began = Instant::now();
    server.terminate();
    assert_eq!(clients[0].wait_for_close().await, Some(CloseReason::Stopping));
    server.terminate();
    let status = server.wait_for_end().await;
    assert_eq!(status.code(), Some(1), "{status}");
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    assert!(TcpStream::connect(&server.address).await.is_err(), "the server has ended");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_server_has_stored_its_time() {
    let mut server = TestServer::open().await;
    let database = Database::open(server.database()).await.expect("the database");
    let stored = async || database.trusted_time().await.expect("an answer").expect("a time");
    let began = stored().await;
    sleep(Duration::from_millis(1_500)).await;
    server.stop().await;
    let passed = stored().await - began;
    assert!(passed >= 1_500, "{passed} ms");
    database.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_in_a_file_has_no_colours() {
    let mut server = TestServer::open().await;
    server.stop().await;
    let log = server.log();
    assert!(log.contains("serving") && log.contains("stopped"), "{log}");
    assert!(!log.contains('\x1b'), "{log:?}");
}

fn serve(args: &[&str]) -> Output {
    let mut command = Program::new(env!("CARGO_BIN_EXE_ghinda"));
    command.arg("serve").args(args).env("LC_ALL", "C").env_remove("RUST_LOG");
    command.stdin(Stdio::null()).output().expect("ghinda runs")
}

#[test]
fn a_server_that_cannot_start_reports_why_in_one_line() {
    let folder = TempFolder::create();
    let file = folder.file("ghinda.db").display().to_string();
    let letter = folder.file("letter.txt");
    std::fs::write(&letter, "Dear Ana, ".repeat(200)).expect("written");
    let letter = letter.display().to_string();
    let empty = folder.file("empty.db");
    std::fs::write(&empty, "").expect("written");
    let empty = empty.display().to_string();
    let nowhere = folder.file("no/such/folder/ghinda.db").display().to_string();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let here = "127.0.0.1:0";
    let config = folder.file("ghinda.toml");
    std::fs::write(&config, "port = 7\n").expect("written");
    let config = config.display().to_string();
    for (args, sentence) in [
        (vec!["--listen", &address, "--database", &file], "cannot listen on"),
        (vec!["--listen", here, "--database", &nowhere], "cannot open the database"),
        (vec!["--listen", here, "--database", &letter], "cannot open the database"),
        (vec!["--listen", here, "--database", &empty], "is empty and not a database"),
        (
            vec!["--listen", here, "--database", "postgres://nobody@127.0.0.1:1/none"],
            "cannot open the database",
        ),
        (vec!["--listen", here, "--database", "mysql://x"], "cannot open the database"),
        (vec!["--listen", here, "--origin", "ghinda.example"], "an origin looks like"),
        (vec!["--listen", here, "--remove-after-days", "29"], "smaller than --archive-after-days"),
        (vec!["--listen", here, "--host", "http://localhost"], "a host looks like"),
        (vec!["--config", "/no/such/file"], "cannot read /no/such/file"),
        (vec!["--config", &config], "is not valid"),
        (vec!["--listen", "everywhere"], "invalid value 'everywhere'"),
        (vec!["--port", "8080"], "unexpected argument '--port'"),
    ] {
        let output = serve(&args);
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(sentence), "{args:?}: {error}");
        assert!(!error.contains("panicked"), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
        // Errors of flags and files have an explanation; all others are one line.
        let explained = sentence.contains('\'') || sentence == "is not valid";
        assert!(explained || error.trim().lines().count() == 1, "{args:?}: {error}");
    }
}
