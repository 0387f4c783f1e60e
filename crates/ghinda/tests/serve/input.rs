//! Hostile input: each message gets a typed refusal, an error or a close code, a counter goes up,
//! and players at other tables notice nothing.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use store::{Database, Session, SessionKind, Store, TokenHash};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use wire::table::{CloseReason, RefusalReason, ServerMessage, TableCommand};

use crate::crash::wait_until_done;
use crate::load_run::{LoadRun, seed};
use crate::test_client::{ConnectError, TIME_LIMIT, TestClient};
use crate::test_server::TestServer;

/// Tables that are played while other clients misbehave.
struct OtherTables {
    load: LoadRun,
}

impl OtherTables {
    async fn begin(server: &TestServer) -> OtherTables {
        OtherTables { load: LoadRun::begin(server, 4, seed()).await }
    }

    /// Waits until they have played on.
    async fn check_play(&mut self) {
        let since = self.load.shared.done.load(Ordering::Relaxed);
        wait_until_done(&mut self.load, since, 20).await;
    }

    /// Checks that their logs hold exactly what they did.
    async fn end(mut self, server: &mut TestServer) {
        self.check_play().await;
        self.load.end(server).await;
    }
}

/// One fragment of a message.
fn fragment(text: &[u8], kind: Data, last: bool) -> Message {
    Message::Frame(Frame::message(text.to_vec(), OpCode::Data(kind), last))
}

/// A new client at a table.
async fn client_at(server: &TestServer, table: &str) -> TestClient {
    let mut client = server.new_client().await;
    client.join(table).await;
    client
}

/// Checks that a message is answered by an error, and that the connection stays open.
async fn check_error(client: &mut TestClient, text: &str) {
    client.send_text(text).await;
    loop {
        match client.next().await {
            Some(ServerMessage::Error { message }) => {
                assert!(message.len() < 300, "the error is too long: {message}");
                return;
            }
            Some(ServerMessage::Present { .. } | ServerMessage::Update(_)) => {}
            other => panic!("{text}: {other:?} {:?}", client.bye),
        }
    }
}

/// Checks that these frames end the connection with this reason.
async fn check_closed(server: &TestServer, table: &str, frames: Vec<Message>, why: CloseReason) {
    let counted = format!("{why:?}");
    let before = server.metric("ghinda_closed_connections_total", &counted).await;
    let mut client = client_at(server, table).await;
    for frame in &frames {
        client.send_frame(frame.clone()).await;
    }
    assert_eq!(client.wait_for_close().await, Some(why), "{frames:?}");
    assert_eq!(client.code, Some(why.code()), "{frames:?}");
    assert!(
        server.metric("ghinda_closed_connections_total", &counted).await > before,
        "{frames:?}"
    );
}

/// Connects with this first message, and returns how the connection ends.
async fn close_after_first(
    client: &mut TestClient,
    text: &str,
) -> (Option<CloseReason>, Option<u16>) {
    client.disconnect();
    client.connect().await.expect("connected");
    client.send_text(text).await;
    (client.wait_for_close().await, client.code)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_messages_are_answered_or_end_the_connection() {
    let mut server = TestServer::open().await;
    let mut others = OtherTables::begin(&server).await;
    let mut host = server.new_client().await;
    let table = server.table(&mut host, "cruce2").await;
    let mut client = client_at(&server, &table).await;
    check_unreadable_messages(&server, &mut client).await;
    others.check_play().await;
    check_frames(&server, &table, &mut client).await;
    others.check_play().await;
    for (words, why) in [
        ("what?", CloseReason::Garbled),
        (r#"{"type":"beat"}"#, CloseReason::Garbled),
        (r#"{"type":"do","id":"a","what":"claim"}"#, CloseReason::Garbled),
        (r#"{"type":"hello"}"#, CloseReason::Garbled),
        (r#"{"type":"hello","ghinda":0}"#, CloseReason::OtherVersion),
        (r#"{"type":"hello","ghinda":2}"#, CloseReason::OtherVersion),
    ] {
        let closed = close_after_first(&mut client, words).await;
        assert_eq!(closed, (Some(why), Some(why.code())), "{words}");
    }
    others.end(&mut server).await;
}

/// Text messages that cannot be read: each is answered by an error and counted.
async fn check_unreadable_messages(server: &TestServer, client: &mut TestClient) {
    let garbled = server.metric("ghinda_garbled_total", "").await;
    let nested = "[".repeat(2000);
    let deep = format!(r#"{{"type":"do","id":"deep","what":{}"#, r#"{"say":"#.repeat(400));
    let nonsense = [
        "",
        "{",
        "null",
        "7",
        r#"{"type":"sing"}"#,
        r#"{"type":"do"}"#,
        r#"{"type":"do","id":"a","what":"everything"}"#,
        r#"{"type":"do","id":"a","what":{"act":["2"]}}"#,
        // A client cannot act for another seat or player.
        r#"{"type":"do","id":"a","seat":2,"what":{"act":"2"}}"#,
        r#"{"type":"do","id":"a","player":"x","what":{"act":"2"}}"#,
        r#"{"type":"do","id":"a","what":{"sit":{"seat":-1,"name":"Ana"}}}"#,
        r#"{"type":"do","id":"a","what":{"sit":{"seat":99999999999999999999,"name":"A"}}}"#,
        nested.as_str(),
        deep.as_str(),
    ];
    for text in nonsense {
        check_error(client, text).await;
        // Stays below the rate limit.
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let counted = server.metric("ghinda_garbled_total", "").await;
    assert_eq!(counted - garbled, nonsense.len() as f64, "each is counted");
}

/// A message in fragments is accepted; frames that break the protocol end the connection.
async fn check_frames(server: &TestServer, table: &str, client: &mut TestClient) {
    let beat = br#"{"type":"beat"}"#;
    for frame in [
        fragment(&beat[..4], Data::Text, false),
        fragment(&beat[4..9], Data::Continue, false),
        fragment(&beat[9..], Data::Continue, true),
    ] {
        client.send_frame(frame).await;
    }
    while !matches!(client.next().await, Some(ServerMessage::Beat { .. })) {
        assert!(client.is_connected(), "a message in fragments is accepted");
    }
    let long = vec![b'x'; 3000];
    let garbled = CloseReason::Garbled;
    for (frames, why) in [
        (vec![Message::binary(&beat[..])], garbled),
        (vec![Message::text(r#"{"type":"hello","ghinda":1}"#)], garbled),
        (vec![Message::text(r#"{"type":"hello","ghinda":7}"#)], CloseReason::OtherVersion),
        (vec![fragment(b"\xff\xfe{}", Data::Text, true)], garbled),
        (vec![fragment(b"{", Data::Continue, true)], garbled),
        (vec![Message::text("x".repeat(5000))], CloseReason::TooMuch),
        (vec![Message::text("x".repeat(1 << 20))], CloseReason::TooMuch),
        (
            vec![fragment(&long, Data::Text, false), fragment(&long, Data::Continue, true)],
            CloseReason::TooMuch,
        ),
        (vec![Message::text(r#"{"type":"beat"}"#); 60], CloseReason::TooMuch),
        (vec![Message::Ping("are you there?".into()); 60], CloseReason::TooMuch),
    ] {
        check_closed(server, table, frames, why).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forbidden_commands_are_refused_and_repeated_ones_are_done_once() {
    let mut server = TestServer::open().await;
    let mut clients = server.seated("cruce2", 2).await;
    clients[0].command(TableCommand::Start).await;
    let (first, second) = clients.split_at_mut(1);
    let (one, two) = (&mut first[0], &mut second[0]);
    while two.replica.view().is_none_or(|view| view.public().turn().is_none()) {
        two.next().await.expect("the cards are dealt");
    }
    while one.version() < two.version() {
        one.next().await.expect("the cards are dealt");
    }
    let (turn, waits) = match one.replica.view().expect("a view").public().turn() {
        seat if seat == one.replica.seat() => (one, two),
        _ => (two, one),
    };
    let refused = server.metric("ghinda_refused_total", "").await;
    assert_eq!(
        waits.try_command(TableCommand::Act("2".into())).await,
        Err(Some(RefusalReason::Illegal))
    );
    assert_eq!(
        turn.try_command(TableCommand::Act("sing".into())).await,
        Err(Some(RefusalReason::BadAction))
    );
    let seat = waits.replica.seat().expect("a seat").number();
    let taken = TableCommand::Sit { seat, name: "Me".into() };
    assert_eq!(turn.try_command(taken).await, Err(Some(RefusalReason::SeatTaken)));
    let mut spectator = server.new_client().await;
    spectator.join(&turn.table).await;
    for (what, why) in [
        (TableCommand::Act("2".into()), RefusalReason::NotSeated),
        (TableCommand::Kick { seat: 1 }, RefusalReason::NotHost),
        (TableCommand::Listed(false), RefusalReason::NotHost),
        (TableCommand::Say("hello".into()), RefusalReason::NotSeated),
        (TableCommand::Sit { seat: 1, name: "Me".into() }, RefusalReason::SeatTaken),
        (TableCommand::Sit { seat: 9, name: "Me".into() }, RefusalReason::NoSuchSeat),
    ] {
        assert_eq!(spectator.try_command(what.clone()).await, Err(Some(why)), "{what:?}");
    }
    for id in ["", "with space", &"x".repeat(37), "ă"] {
        let text = json!({ "type": "do", "id": id, "what": { "say": "x" } }).to_string();
        turn.send_text(&text).await;
        assert_eq!(turn.answer(id).await, Err(Some(RefusalReason::BadId)), "{id}");
    }
    let counted = server.metric("ghinda_refused_total", "").await - refused;
    assert_eq!(counted, 13.0, "each is counted");

    let (id, version) = check_repeated_command(turn).await;
    // Another player may use the same id: each player has their own ids.
    let other = json!({ "type": "do", "id": id, "what": { "say": "something else" } });
    waits.send_text(&other.to_string()).await;
    assert_ne!(waits.answer(&id).await.expect("done"), version);
    server.stop().await;
    let database = Database::open(server.database()).await.expect("the database");
    let log = crate::checker::Log::read(&database, &turn.table).await;
    log.check(turn);
    log.check(waits);
    database.close().await;
}

/// Sends an id again, with another command and with the same. Returns the id and the version in which the first
/// command was done.
async fn check_repeated_command(turn: &mut TestClient) -> (String, u64) {
    let (id, text) = turn.send_command(TableCommand::Act("0".into())).await;
    let version = turn.answer(&id).await.expect("done");
    let other = json!({ "type": "do", "id": id, "what": { "say": "something else" } });
    turn.send_text(&other.to_string()).await;
    while turn.notes.refused.last() != Some(&(id.clone(), RefusalReason::BadId)) {
        turn.next().await.expect("an answer");
    }
    // The log of what was refused is compared with the store, which has the first command.
    turn.notes.refused.pop();
    let answers = turn.notes.done.len();
    turn.send_text(&text).await;
    while turn.notes.done.len() == answers {
        turn.next().await.expect("an answer");
    }
    assert_eq!(turn.notes.done.last(), Some(&(id.clone(), version)));
    (id, version)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_sessions_and_requests_of_other_sites_are_refused() {
    let mut server = TestServer::open().await;
    let mut others = OtherTables::begin(&server).await;
    let mut host = server.new_client().await;
    let open = server.table(&mut host, "cruce2").await;
    let hidden = server.table_with(&mut host, json!({ "rules": "cruce2" })).await;
    let mut client = server.new_client().await;

    // Tables that do not exist, or are private.
    client.table = "no table!".replace(' ', "%20");
    assert_eq!(client.connect().await, Err(ConnectError::Refused(404)));
    for (table, why) in [("zzzzzzzzzz", CloseReason::Closed), (&hidden, CloseReason::Revoked)] {
        client.table = table.into();
        let hello = r#"{"type":"hello","ghinda":1}"#;
        assert_eq!(close_after_first(&mut client, hello).await, (Some(why), Some(why.code())));
    }

    // Tokens that are forged, revoked or too old.
    let unknown = server.metric("ghinda_requests_total", "401").await;
    let real = client.token.clone();
    client.table = open.clone();
    let mut tokens = vec!["0".repeat(64), "x".repeat(64), String::new(), real[..63].to_owned()];
    tokens.push(expired_token(&server, client.player).await);
    let leaves = server.new_client().await;
    let left = server.http().delete(server.url("/api/session")).bearer_auth(&leaves.token);
    assert_eq!(left.send().await.expect("sent").status().as_u16(), 204);
    tokens.push(leaves.token);
    for token in &tokens {
        client.token = token.clone();
        assert_eq!(client.connect().await, Err(ConnectError::Refused(401)), "{token}");
        let me =
            server.http().get(server.url("/api/me")).header("cookie", format!("ghinda={token}"));
        assert_eq!(me.send().await.expect("sent").status().as_u16(), 401, "{token}");
    }
    let counted = server.metric("ghinda_requests_total", "401").await - unknown;
    assert_eq!(counted, 2.0 * tokens.len() as f64, "each is counted");
    client.token = real;

    // Pages of other sites.
    let foreign = server.metric("ghinda_foreign_origins_total", "").await;
    let mut request = client.request(&open);
    let origin = "https://evil.example".parse().expect("a header");
    request.headers_mut().insert("origin", origin);
    let answer = tokio_tungstenite::connect_async(request).await;
    assert!(answer.is_err(), "no WebSocket for pages of other sites");
    let post =
        server.http().post(server.url("/api/session")).header("origin", "null").json(&json!({}));
    assert_eq!(post.send().await.expect("sent").status().as_u16(), 403);
    assert_eq!(server.metric("ghinda_foreign_origins_total", "").await - foreign, 2.0);
    others.check_play().await;

    check_large_and_malformed_requests(&server, &client).await;
    others.end(&mut server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_for_a_foreign_name_is_refused() {
    let ask = async |server: &TestServer, path: &str, host: &str| {
        let request = format!("GET {path} HTTP/1.1\r\n{host}connection: close\r\n\r\n");
        let answer = send_raw(server, request.as_bytes()).await;
        answer.split(' ').nth(1).expect("a status").to_owned()
    };
    let mut server = TestServer::open().await;
    let answer = send_raw(
        &server,
        b"GET /api/tables HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n",
    );
    let answer = answer.await;
    assert!(answer.starts_with("HTTP/1.1 421") && answer.contains("foreign_host"), "{answer}");
    assert!(answer.contains("content-security-policy"), "{answer}");
    for (path, host, status) in [
        ("/api/tables", "host: localhost:8080\r\n", "200"),
        ("/api/tables", "host: 127.0.0.1\r\n", "200"),
        ("/api/tables", "host: [::1]:8080\r\n", "200"),
        ("/api/tables", "host: ghinda.example\r\n", "421"),
        ("/", "host: evil.example\r\n", "421"),
        ("/metrics", "host: evil.example\r\n", "421"),
        ("http://evil.example/api/tables", "host: localhost\r\n", "421"),
        ("/api/tables", "", "400"),
        ("/api/tables", "host: localhost\r\nhost: localhost\r\n", "400"),
        ("/health", "host: evil.example\r\n", "200"),
        ("/ready", "", "200"),
    ] {
        assert_eq!(ask(&server, path, host).await, status, "{path} {host:?}");
    }
    assert_eq!(server.metric("ghinda_foreign_hosts_total", "").await, 5.0);
    server.stop().await;

    let named = ["--host", "ghinda.example", "--origin", "https://other.example:8443"];
    let mut server = TestServer::on_file(&named).await;
    for (host, status) in [
        ("host: Ghinda.Example:443\r\n", "200"),
        ("host: other.example\r\n", "200"),
        ("host: localhost\r\n", "200"),
        ("host: evil.example\r\n", "421"),
    ] {
        assert_eq!(ask(&server, "/api/tables", host).await, status, "{host:?}");
    }
    server.stop().await;
    // A proxy knows the names of the server.
    let mut server = TestServer::on_file(&["--behind-proxy"]).await;
    assert_eq!(ask(&server, "/api/tables", "host: any.example\r\n").await, "200");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secure_cookie_belongs_to_this_host_and_the_older_one_is_replaced() {
    let begin = async |server: &TestServer, cookie: &str| {
        let post = server.http().post(server.url("/api/session")).header("cookie", cookie);
        let answer = post.json(&json!({})).send().await.expect("sent");
        let cookies = answer.headers().get_all("set-cookie").iter();
        let cookies: Vec<String> =
            cookies.map(|cookie| cookie.to_str().expect("a text").to_owned()).collect();
        let me: Value = answer.json().await.expect("JSON");
        (cookies, me["player"].as_str().expect("a player").to_owned())
    };
    let mut server = TestServer::on_file(&["--secure"]).await;
    let (cookies, player) = begin(&server, "").await;
    let value = cookies[0].strip_prefix("__Host-ghinda=").expect("the prefix");
    let (token, attributes) = value.split_once(';').expect("attributes");
    for attribute in ["Secure", "Path=/", "HttpOnly", "SameSite=Lax"] {
        assert!(attributes.contains(attribute), "{attributes}");
    }
    assert!(!attributes.contains("Domain"), "{attributes}");
    assert_eq!(begin(&server, &format!("__Host-ghinda={token}")).await.1, player);
    // The older name still leads to the session, and is replaced.
    let (replaced, same) = begin(&server, &format!("ghinda={token}")).await;
    assert_eq!(same, player);
    assert!(replaced[0].starts_with(&format!("__Host-ghinda={token};")), "{replaced:?}");
    assert!(replaced[1].starts_with("ghinda=;") && replaced[1].contains("Max-Age=0"));
    // The cookie with the prefix counts.
    let (_, other) = begin(&server, "").await;
    assert_ne!(other, player);
    let both = format!("ghinda={}; __Host-ghinda={token}", "0".repeat(64));
    assert_eq!(begin(&server, &both).await.1, player);
    let end = server.http().delete(server.url("/api/session"));
    let ended = end.header("cookie", format!("__Host-ghinda={token}")).send().await.expect("sent");
    let removed = ended.headers()["set-cookie"].to_str().expect("a text");
    assert!(removed.starts_with("__Host-ghinda=;") && removed.contains("Secure"), "{removed}");
    server.stop().await;

    // Without TLS a browser would refuse the prefix.
    let mut server = TestServer::open().await;
    let (cookies, _) = begin(&server, "").await;
    assert!(cookies.len() == 1 && cookies[0].starts_with("ghinda="), "{cookies:?}");
    server.stop().await;
}

/// The token of an expired session of the player.
async fn expired_token(server: &TestServer, player: store::PlayerId) -> String {
    use sha2::{Digest, Sha256};
    let token = "e".repeat(64);
    let database = Database::open(server.database()).await.expect("the database");
    let session = Session {
        player,
        kind: SessionKind::Browser,
        label: String::new(),
        created_ms: 0,
        expires_ms: 1,
    };
    let hash = TokenHash(Sha256::digest(token.as_bytes()).into());
    database.create_session(hash, &session).await.expect("stored");
    database.close().await;
    token
}

async fn check_large_and_malformed_requests(server: &TestServer, client: &TestClient) {
    let body = "x".repeat(1 << 20);
    let post = server.http().post(server.url("/api/tables")).bearer_auth(&client.token);
    let post = post.header("content-type", "application/json").body(body);
    // The server may close the connection before it has read the whole body.
    if let Ok(answer) = post.send().await {
        assert_eq!(answer.status().as_u16(), 413);
    }
    for (body, status) in [("{", 400), (r#"{"rules":"cruce9"}"#, 400), ("{}", 422)] {
        let post = server.http().post(server.url("/api/tables")).bearer_auth(&client.token);
        let post = post.header("content-type", "application/json").body(body);
        let answer = post.send().await.expect("sent");
        assert_eq!(answer.status().as_u16(), status, "{body}");
        let problem: Value = answer.json().await.expect("a problem");
        assert!(problem["error"].is_string() && problem["message"].is_string(), "{problem}");
    }
    let malformed = server.metric("ghinda_bad_connections_total", "malformed").await;
    let head = |bytes: usize| {
        format!(
            "GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx: {}\r\n\r\n",
            "y".repeat(bytes)
        )
    };
    let answer = send_raw(server, head(15 << 10).as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let large = head(16 << 10);
    for (request, status) in [(large.as_str(), "431"), ("ABRA CADABRA\r\n\r\n", "400")] {
        let answer = send_raw(server, request.as_bytes()).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
    }
    let counted =
        async || server.metric("ghinda_bad_connections_total", "malformed").await - malformed;
    // A connection is counted when it has ended, just after its client knows.
    let all = async {
        while counted().await < 2.0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(TIME_LIMIT, all).await.expect("each is counted");
    assert_eq!(counted().await, 2.0, "each is counted once");
}

/// Sends bytes and reads the answer until the end.
async fn send_raw(server: &TestServer, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(&server.address).await.expect("connected");
    // The server may close the connection in the middle.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = timeout(TIME_LIMIT, stream.read_to_end(&mut answer)).await.expect("in time");
    String::from_utf8_lossy(&answer).into_owned()
}
