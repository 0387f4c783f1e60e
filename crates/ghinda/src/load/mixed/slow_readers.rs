//! Clients of the mixed load that ask for a large ledger and hardly read it. The server must end them, and
//! not those that read.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use contest::{Contest, ContestChange, ContestSettings, EntrantId, Party, Role, Venue};
use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use game::Rules;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use wire::contest::{entry_line, header_line};
use wire::ledger::{LedgerClientMessage, VERSION};

use super::abuse::{Buffers, connect, web_socket};
use super::{MixedLoad, PAUSE, lock};

/// The fewest bytes of the lines of the large ledger.
const LARGE: usize = 1 << 20;
/// How the connections of a round ask for the lines, and whether they read a few bytes now and then.
const ROUND: [(ReaderKind, bool); 6] = [
    (ReaderKind::Http, false),
    (ReaderKind::Http, false),
    (ReaderKind::Http, true),
    (ReaderKind::WebSocket, false),
    (ReaderKind::WebSocket, false),
    (ReaderKind::WebSocket, true),
];
/// How much a client reads that reads a few bytes, and how often.
const FEW_BYTES: usize = 100;
const FEW_INTERVAL: Duration = Duration::from_millis(500);
/// How long a client may take to read the rest.
const REST: Duration = Duration::from_secs(15);

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReaderKind {
    Http,
    WebSocket,
}

/// Gives the server the large ledger, once.
pub(super) async fn open_large_ledger(load: Arc<MixedLoad>) {
    let lines = match large_contest() {
        Ok(lines) => lines,
        Err(error) => return load.fault("there is no large ledger", &format!("{error:#}")),
    };
    while !load.is_over() {
        if let Some(opened) = load.open_ledger(lines.clone()).await {
            lock(&load.created).large_ledger = Some(opened.ledger);
            return;
        }
        sleep(PAUSE).await;
    }
}

/// The lines of a contest whose organiser has corrected the names of two players very often.
fn large_contest() -> Result<String> {
    let rules = Rules::from_code("contest")?;
    let title = "A large contest".parse()?;
    let settings = ContestSettings::new(title, "large".parse()?, rules, Venue::Hall)?;
    let mut lines = header_line(&settings);
    let mut contest = Contest::new(settings);
    let party = |number: usize| -> Result<Party> {
        Ok(Party::Alone(format!("Player with a long name, number {number:06}").parse()?))
    };
    let mut add = |change| -> Result<usize> {
        let entry = contest.decide(0, Role::Organiser, change)?;
        contest.apply(&entry)?;
        lines += &entry_line(&entry);
        Ok(lines.len())
    };
    add(ContestChange::Enter(vec![party(1)?, party(2)?]))?;
    let entrant = EntrantId::new(0).context("the first entrant")?;
    for number in 3.. {
        if add(ContestChange::Rename { entrant, party: party(number)? })? >= LARGE {
            break;
        }
    }
    Ok(lines)
}

/// Asks for the large ledger on several connections, which read hardly anything for a time, and then the rest.
/// Counts those that the server has ended before they had everything.
pub(super) async fn read_slowly(load: &MixedLoad, ledger: &str, slow: Duration) {
    let path = format!("/api/ledgers/{ledger}");
    let readers = ROUND
        .map(|(kind, reads_few)| is_ended(load, &path, kind, reads_few.then_some(FEW_BYTES), slow));
    tokio::select! {
        ended = join_all(readers) => {
            for _ in ended.into_iter().filter(|ended| *ended == Some(true)) {
                load.count("slow readers that were ended");
            }
        }
        // If a client that reads loses its connection too, the server has been killed.
        _ = read_everything(load, &path) => {}
    }
}

/// Whether the server ends a connection that asks for the lines and reads at most a few bytes now and
/// then. Returns None if there is no connection.
async fn is_ended(
    load: &MixedLoad,
    path: &str,
    kind: ReaderKind,
    few: Option<usize>,
    slow: Duration,
) -> Option<bool> {
    let mut stream = match kind {
        ReaderKind::Http => {
            let mut stream = connect(load, Buffers::Small).await?;
            let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", load.host);
            stream.write_all(request.as_bytes()).await.ok()?;
            stream
        }
        ReaderKind::WebSocket => subscribe(load, path, Buffers::Small).await?.into_inner(),
    };
    let (mut buffer, mut read) = (vec![0; 64 << 10], 0);
    let begins_to_read = Instant::now() + slow;
    while Instant::now() < begins_to_read {
        sleep(FEW_INTERVAL).await;
        if let Some(bytes) = few {
            match stream.try_read(&mut buffer[..bytes]) {
                Ok(bytes) if bytes > 0 => read += bytes,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Ok(_) | Err(_) => return Some(true),
            }
        }
    }
    let rest = async {
        while read < LARGE {
            match stream.read(&mut buffer).await {
                Ok(bytes) if bytes > 0 => read += bytes,
                // The end, or the connection was reset.
                Ok(_) | Err(_) => return true,
            }
        }
        false
    };
    timeout(REST, rest).await.ok()
}

/// A connection to a ledger that has asked for its lines.
async fn subscribe(
    load: &MixedLoad,
    path: &str,
    buffers: Buffers,
) -> Option<WebSocketStream<TcpStream>> {
    let mut socket = web_socket(load, &format!("{path}/socket"), None, buffers).await?;
    let hello = LedgerClientMessage::Hello { ghinda: VERSION, since: 0, role: None, key: None };
    socket.send(Message::text(hello.text())).await.ok()?;
    Some(socket)
}

/// Reads all lines, and then waits until the connection is lost.
async fn read_everything(load: &MixedLoad, path: &str) -> Option<()> {
    let mut socket = subscribe(load, path, Buffers::Local).await?;
    while let Some(Ok(_)) = socket.next().await {}
    None
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use metrics_exporter_prometheus::PrometheusBuilder;
    use room::Timings;
    use server::clock::Clocks;
    use server::quotas::MemoryQuotas;
    use server::tables::TableRegistry;
    use server::web::{App, Limits, PageFiles, WebSettings, serve};
    use store::{Database, MemoryDatabase};
    use tokio::net::TcpListener;

    use super::*;

    /// A server that waits so long for its clients.
    async fn serve_for(write_timeout: Duration) -> String {
        let database = Arc::new(Database::Memory(MemoryDatabase::default()));
        let clocks = Clocks::start(&database).await.expect("clocks");
        let timings = Timings::default();
        let tables = TableRegistry::new(
            database.clone(),
            clocks,
            NonZeroUsize::MIN,
            timings,
            MemoryQuotas::default(),
        );
        let tables = Arc::new(tables.expect("threads"));
        let limits = Limits { write_timeout, ..Limits::default() };
        let settings = WebSettings { limits, ..WebSettings::default() };
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let app = App::new(tables, database, settings, metrics, PageFiles::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let host = listener.local_addr().expect("an address").to_string();
        tokio::spawn(serve(app.expect("threads"), listener, std::future::pending()));
        host
    }

    /// How many readers a server has ended that waits so long, when they read slowly for so long.
    async fn ended(write_timeout: Duration, slow: Duration) -> usize {
        let load = Arc::new(MixedLoad::test(serve_for(write_timeout).await));
        open_large_ledger(load.clone()).await;
        let ledger = lock(&load.created).large_ledger.clone().expect("a ledger");
        read_slowly(&load, &ledger, slow).await;
        let totals = lock(&load.tally).totals();
        assert_eq!(totals["errors"], serde_json::json!({}));
        totals["counts"]["slow readers that were ended"].as_u64().unwrap_or(0) as usize
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_server_that_ends_slow_readers_is_told_from_one_that_waits_for_them() {
        let (short, long) = (Duration::from_secs(1), Duration::from_secs(120));
        assert_eq!(ended(short, Duration::from_secs(5)).await, ROUND.len());
        assert_eq!(ended(long, Duration::from_secs(1)).await, 0);
    }
}
