//! A proxy cuts the connection to PostgreSQL at chosen moments: what the error states about the
//! transaction must be true.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use store::{Append, AppendOutcome, AppendStore, Database, Epoch, LogKind, Store, StoreError};
use test_support::postgres::Server;

use crate::support::{append, bodies, check_sequences, table};

/// When to cut, relative to the message that contains a text.
#[derive(Debug, Clone, Copy)]
enum Cut {
    /// Before the server receives the message.
    Before,
    /// After the server has executed it, but before the client receives the answer.
    After,
}

type Plan = Arc<Mutex<Option<(&'static str, Cut)>>>;

/// A database proxy a proxy that cuts the next connection on which the text is sent.
struct Proxy {
    plan: Plan,
    address: String,
    direct: String,
}

impl Proxy {
    fn new() -> Self {
        let direct = Server::shared().database();
        let rest = direct.strip_prefix("postgres://postgres@").unwrap();
        let (server, name) = rest.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("postgres://postgres@{}/{name}", listener.local_addr().unwrap());
        let plan = Plan::default();
        let (plans, server) = (Arc::clone(&plan), server.to_owned());
        // Ends with the program.
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, plan) = (client.unwrap(), Arc::clone(&plans));
                let server = TcpStream::connect(&server).unwrap();
                forward(client, server, plan);
            }
        });
        Self { plan, address, direct }
    }

    fn cut(&self, text: &'static str, cut: Cut) {
        *self.plan.lock().unwrap() = Some((text, cut));
    }
}

fn forward(client: TcpStream, server: TcpStream, plan: Plan) {
    let (mut answers, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let muted = Arc::new(Mutex::new(false));
    let is_muted = Arc::clone(&muted);
    thread::spawn(move || {
        let mut buffer = [0; 65536];
        while let Ok(count @ 1..) = answers.read(&mut buffer) {
            if *is_muted.lock().unwrap() || to_client.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
    });
    thread::spawn(move || {
        let (mut client, mut server) = (client, server);
        let mut buffer = [0; 65536];
        while let Ok(count @ 1..) = client.read(&mut buffer) {
            let message = &buffer[..count];
            match take_cut(&plan, message) {
                None => server.write_all(message).unwrap(),
                Some(Cut::Before) => break,
                Some(Cut::After) => {
                    *muted.lock().unwrap() = true;
                    server.write_all(message).unwrap();
                    // Long enough for the server to execute the message.
                    thread::sleep(Duration::from_millis(500));
                    break;
                }
            }
        }
        for stream in [client, server] {
            let _ = stream.shutdown(Shutdown::Both);
        }
    });
}

fn take_cut(plan: &Plan, message: &[u8]) -> Option<Cut> {
    let mut plan = plan.lock().unwrap();
    let (text, cut) = (*plan)?;
    let is_sent = message.windows(text.len()).any(|part| part == text.as_bytes());
    is_sent.then(|| {
        *plan = None;
        cut
    })
}

fn one(epoch: Epoch) -> Append {
    append(table(1), epoch, 1, &["x"])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_lost_at_commit_is_uncertain_until_the_table_is_acquired() {
    for (cut, last) in [(Cut::Before, 0), (Cut::After, 1)] {
        let proxy = Proxy::new();
        let store = Database::open(&proxy.address).await.unwrap();
        let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
        proxy.cut("COMMIT", cut);
        let outcome = store.append(&[one(epoch)]).await;
        assert!(matches!(outcome, Err(StoreError::Uncertain(_))), "{cut:?}: {outcome:?}");
        let acquired = store.acquire(LogKind::Table, table(1)).await.unwrap().unwrap();
        assert_eq!(acquired.last, last, "{cut:?}");
        assert_eq!(check_sequences(&store, table(1)).await.len() as u64, last);
        let next = append(table(1), acquired.epoch, last + 1, &["y"]);
        assert_eq!(store.append(&[next]).await, Ok(vec![AppendOutcome::Done]));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_lost_before_commit_stores_nothing() {
    for text in ["BEGIN", "FOR NO KEY UPDATE", "INSERT INTO events", "UPDATE tables SET last"] {
        for cut in [Cut::Before, Cut::After] {
            let proxy = Proxy::new();
            let store = Database::open(&proxy.address).await.unwrap();
            let epoch = store.create(LogKind::Table, table(1), None, 0).await.unwrap();
            proxy.cut(text, cut);
            let outcome = store.append(&[one(epoch)]).await;
            assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{text}: {outcome:?}");
            let direct = Database::open(&proxy.direct).await.unwrap();
            assert_eq!(bodies(&direct, table(1)).await, [""; 0], "{text}");
            // The same append can be repeated, since it certainly did not happen.
            assert_eq!(store.append(&[one(epoch)]).await, Ok(vec![AppendOutcome::Done]));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_single_statement_is_uncertain_if_it_is_cut() {
    let proxy = Proxy::new();
    let store = Database::open(&proxy.address).await.unwrap();
    store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    proxy.cut("UPDATE tables SET epoch", Cut::After);
    let outcome = store.acquire(LogKind::Table, table(1)).await;
    assert!(matches!(outcome, Err(StoreError::Uncertain(_))), "{outcome:?}");
    let acquired = store.acquire(LogKind::Table, table(1)).await.unwrap().unwrap();
    assert!(acquired.epoch > Epoch::FIRST);
    proxy.cut("SELECT sequence", Cut::After);
    let outcome = store.events(table(1), 1, 10).await;
    assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    assert_eq!(store.events(table(1), 1, 10).await, Ok(vec![]));
}
