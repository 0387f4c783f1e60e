//! Compares `docs/hosting.md` and `deploy/` with the program.
#![allow(missing_docs, reason = "tests name themselves")]

mod binary;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use binary::{file, output_of, refused, repository};
use futures_util::{SinkExt, StreamExt};
use test_support::folder::TempFolder;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

fn read(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A column of the table of settings, without its quotes.
fn settings(column: usize) -> BTreeSet<String> {
    let document = read("docs/hosting.md");
    let rows = document.lines().filter(|line| line.starts_with("| `--"));
    let cells = rows.filter_map(|row| row.split('|').nth(column + 1));
    let names = cells.map(|cell| cell.trim_matches([' ', '`']).to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// The words of a text that begin with `start`, up to the first character that no name has.
fn words(text: &str, start: &str) -> BTreeSet<String> {
    let part = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    let found = text.match_indices(start).map(|(at, _)| &text[at..]);
    let word = |rest: &str| rest.split(|letter| !part(letter)).next().unwrap_or("").to_owned();
    found.map(word).collect()
}

#[test]
fn every_setting_is_documented_and_every_documented_setting_exists() {
    let help = output_of(&["serve", "--help"]);
    let options = help.split("Examples:").next().expect("options before examples");
    let mut flags = words(options, "--");
    for general in ["--help", "--lang"] {
        flags.remove(general);
    }
    assert_eq!(settings(0), flags);
    assert_eq!(settings(1), words(options, "GHINDA_"));
}

/// The example file with all commented settings enabled.
fn everything_set() -> String {
    let example = read("deploy/ghinda.toml");
    let line = |line: &str| match line.strip_prefix("# ") {
        Some(rest) if rest.contains(" = ") => format!("{rest}\n"),
        _ => format!("{line}\n"),
    };
    example.lines().map(line).collect()
}

#[test]
fn the_example_file_has_every_setting_of_a_file() {
    let all = everything_set();
    let keys = all.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key.to_owned());
    assert_eq!(keys.collect::<BTreeSet<_>>(), settings(2));
}

/// A server that ends with the test.
struct Served {
    process: Child,
    port: String,
    /// The folder of its database.
    _folder: TempFolder,
}

impl Served {
    fn start(config: &Path) -> Served {
        let folder = TempFolder::create();
        let mut process = Command::new(env!("CARGO_BIN_EXE_ghinda"))
            .args(["serve", "--listen", "127.0.0.1:0", "--config"])
            .arg(config)
            .arg("--database")
            .arg(folder.file("ghinda.db"))
            .env("RUST_LOG", "error")
            .stdout(Stdio::piped())
            .spawn()
            .expect("ghinda runs");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("its output"))
            .read_line(&mut line)
            .expect("a line");
        let port = line.trim().strip_prefix("http://127.0.0.1:").expect("an address").to_owned();
        Served { process, port, _folder: folder }
    }

    /// Stops the server as systemd and containers do.
    fn stop(&mut self) -> bool {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill runs").success());
        self.process.wait().expect("it ended").success()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_example_file_is_accepted_with_and_without_its_comments() {
    assert!(Served::start(&repository("deploy/ghinda.toml")).stop());
    let all = file("everything.toml");
    fs::write(&all, everything_set()).expect("written");
    assert!(Served::start(&all).stop());
    let wrong = file("wrong.toml");
    fs::write(&wrong, "listens = \"127.0.0.1:0\"\n").expect("written");
    refused(&["serve", "--config", &wrong.display().to_string()], "unknown field `listens`");
}

/// The number after a word of a text.
fn number_after(text: &str, word: &str) -> usize {
    let after = text.split(word).nth(1).unwrap_or_else(|| panic!("no {word:?}"));
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no number after {word:?}"))
}

#[test]
fn the_files_for_operators_ration_and_fit_the_limits_of_the_server() {
    let nginx = read("deploy/nginx.conf");
    let limits = server::web::Limits::default();
    // Below it, the proxy would refuse what the server allows: WebSockets, and 24 other connections.
    assert!(number_after(&nginx, "limit_conn ghinda_connections ") >= limits.sockets_from_one + 24);
    let locations: Vec<&str> = nginx.split("location ").skip(1).collect();
    let of =
        |path: &str| *locations.iter().find(|text| text.starts_with(path)).expect("a location");
    for path in ["/api/ ", "= /api/ledgers "] {
        assert!(of(path).contains("limit_req zone=ghinda_api burst="), "{path}");
    }
    assert!(number_after(&nginx, "rate=") * 60 >= limits.costly_a_minute as usize);
    assert!(of("= /api/ledgers ").contains("client_max_body_size 2m;"));
    // As for the server, an IPv6 network is one address: 8 of its 16 bytes.
    assert!(nginx.contains(r#""~(?s)^(?<ghinda_network>.{8}).{8}\z" $ghinda_network;"#));
    for zone in ["limit_req_zone ", "limit_conn_zone "] {
        let key = nginx.split(zone).nth(1).and_then(|rest| rest.split_whitespace().next());
        assert_eq!(key, Some("$ghinda_address"), "{zone}");
    }
    for timeout in ["client_header_timeout", "client_body_timeout", "send_timeout"] {
        assert!(nginx.contains(timeout), "{timeout}");
    }
    let unit = read("deploy/ghinda.service");
    let of_unit = unit.split("[Service]").next().expect("a section");
    let restarts = unit.contains("Restart=always");
    assert!(restarts && of_unit.contains("StartLimitIntervalSec=0"), "systemd never gives up");
    assert!(number_after(&unit, "LimitNOFILE=") > 2 * limits.sockets);
    for limit in ["\nMemoryHigh=", "\nMemoryMax=", "\nTasksMax="] {
        assert!(number_after(&unit, limit) > 0, "{limit}");
    }
    // The server reads the size of the machine in a file that this would hide.
    assert!(unit.contains("\nMemorySwapMax=0\n") && !unit.contains("\nProcSubset=pid"));
}

#[test]
fn what_is_for_the_operator_is_not_reached_through_a_proxy() {
    let (nginx, caddy) = (read("deploy/nginx.conf"), read("deploy/Caddyfile"));
    let operators = caddy.lines().find_map(|line| line.trim().strip_prefix("@operator path "));
    let operators: BTreeSet<&str> = operators.expect("paths").split_whitespace().collect();
    assert!(caddy.contains("respond @operator 404"));
    // The first table of the chapter about watching a server.
    let document = read("docs/hosting.md");
    let chapter = document.split("\n## Watching it").nth(1).expect("a chapter");
    let rows = chapter.lines().filter_map(|line| line.strip_prefix("| `/"));
    let paths: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert_eq!(paths.len(), 3, "{paths:?}");
    for path in paths {
        let location = format!("location = /{path} {{\n        return 404;\n    }}");
        assert!(nginx.contains(&location), "{path}");
        assert!(operators.contains(format!("/{path}").as_str()), "{path}");
    }
}

#[test]
fn the_health_check_of_the_container_detects_a_stopped_server() {
    let dockerfile = read("deploy/Dockerfile");
    let after = dockerfile.split("HEALTHCHECK").nth(1).expect("a health check");
    let line = after.lines().find_map(|line| line.trim().strip_prefix("CMD ")).expect("a command");
    let words: Vec<String> = serde_json::from_str(line).expect("a list of words");
    let mut server = Served::start(&repository("deploy/ghinda.toml"));
    let check = |port: &str| {
        let words: Vec<String> = words.iter().map(|word| word.replace("8080", port)).collect();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stderr(Stdio::null());
        command.status().expect("bash runs").success()
    };
    assert!(check(&server.port), "the server runs");
    let port = server.port.clone();
    assert!(server.stop());
    assert!(!check(&port), "the server is stopped");
}

/// The names of all metrics in the source of a crate.
fn metrics(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            metrics(&path, found);
        } else {
            let text = fs::read_to_string(&path).expect("a text");
            // A name may be on a line of its own.
            let text: String = text.split_whitespace().collect();
            found.extend(
                words(&text, "ghinda_")
                    .into_iter()
                    .filter(|name| text.contains(&format!("(\"{name}\""))),
            );
        }
    }
}

#[test]
fn every_metric_is_documented() {
    let mut found = BTreeSet::new();
    metrics(&repository("crates/server/src"), &mut found);
    assert!(found.len() >= 11, "{found:?}");
    let document = read("docs/hosting.md");
    let rows = document.lines().filter(|line| line.starts_with("| `ghinda_"));
    let listed: BTreeSet<String> =
        rows.filter_map(|row| row.split('`').nth(1)).map(str::to_owned).collect();
    assert_eq!(listed, found);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_client_receives_bye_when_the_server_stops() {
    let config = file("goodbye.toml");
    fs::write(&config, "sockets-from-one = 1000\n").expect("written");
    let mut server = Served::start(&config);
    let (http, host) = (reqwest::Client::new(), format!("127.0.0.1:{}", server.port));
    let empty = serde_json::json!({});
    let begun = http.post(format!("http://{host}/api/session")).json(&empty).send().await;
    let begun = begun.expect("a session");
    let cookie = begun.headers()["set-cookie"].to_str().expect("a cookie").to_owned();
    let plan = serde_json::json!({ "rules": "cruce2" });
    let tables = http.post(format!("http://{host}/api/tables")).header("cookie", &cookie);
    let opened = tables.json(&plan).send().await.expect("a table");
    let opened: wire::http::OpenedTable = opened.json().await.expect("JSON");
    let mut sockets = Vec::new();
    for _ in 0..60 {
        let url = format!("ws://{host}/api/tables/{}/socket", opened.table);
        let mut request = url.into_client_request().expect("a request");
        request.headers_mut().insert("cookie", cookie.parse().expect("a header"));
        let (mut socket, _) = connect_async(request).await.expect("connected");
        socket.send(Message::text(r#"{"type":"hello","ghinda":1}"#)).await.expect("sent");
        while !next(&mut socket).await.expect("an answer").contains("present") {}
        sockets.push(socket);
    }
    assert!(tokio::task::block_in_place(|| server.stop()));
    for socket in &mut sockets {
        let mut last = String::new();
        while let Some(text) = next(socket).await {
            last = text;
        }
        assert_eq!(last, r#"{"type":"bye","why":"stopping"}"#);
    }
}

/// The next message; None at the end.
async fn next<S>(socket: &mut S) -> Option<String>
where
    S: futures_util::Stream<Item = Result<Message, tokio_tungstenite::tungstenite::Error>> + Unpin,
{
    match socket.next().await {
        Some(Ok(Message::Text(text))) => Some(text.to_string()),
        _ => None,
    }
}
