//! Requests over HTTP, through all routes and checks of the server: clients that read an answer, that
//! stop reading it, and that send a body without an end.

use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response};
use futures_util::stream;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::world::ShellWorld;

/// A sheet with changes that are undone.
const SHEET: [&str; 5] = [
    r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#,
    r#"{"at":"2026-01-01T00:00:00.000Z","did":"rename","seat":1,"name":"Zoe"}"#,
    r#"{"at":"2026-01-01T00:00:00.000Z","did":"undo"}"#,
    r#"{"at":"2026-01-01T00:00:00.000Z","did":"rename","seat":2,"name":"Pop"}"#,
    r#"{"at":"2026-01-01T00:00:00.000Z","did":"undo"}"#,
];

/// How a client reads an answer.
#[derive(Clone, Copy, Debug)]
enum Reading {
    All,
    /// The first part, and then nothing for so long, until the client is gone.
    First(Duration),
}

/// What a client gets: the status, and as much of the answer as it has read.
struct HttpAnswer {
    status: u16,
    body: Vec<u8>,
}

impl HttpAnswer {
    fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }
}

fn request(method: &str, path: &str, token: Option<&str>, body: Body) -> Request<Body> {
    let builder = Request::builder().method(method).uri(path).header("host", "ghinda.test");
    let builder = builder.header("content-type", "application/json");
    let builder = match token {
        Some(token) => builder.header("authorization", format!("Bearer {token}")),
        None => builder,
    };
    builder.body(body).expect("a request")
}

/// The next part of an answer.
async fn next_part(body: &mut Body) -> Option<Bytes> {
    let frame = std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await;
    frame?.expect("an answer does not fail").into_data().ok()
}

async fn exchange(routes: &Router, request: Request<Body>, reading: Reading) -> HttpAnswer {
    let service = TowerToHyperService::new(routes.clone());
    let answered: Result<Response<Body>, Infallible> = service.call(request).await;
    let Ok(answer) = answered;
    let status = answer.status().as_u16();
    let (mut body, mut read) = (answer.into_body(), Vec::new());
    while let Some(part) = next_part(&mut body).await {
        read.extend_from_slice(&part);
        if let Reading::First(holds) = reading {
            // What it takes until then counts.
            sleep(holds).await;
            break;
        }
    }
    HttpAnswer { status, body: read }
}

/// The token of a new guest.
async fn new_guest(routes: &Router) -> Result<String, HttpAnswer> {
    let begin = request("POST", "/api/session", None, Body::from("{}"));
    let service = TowerToHyperService::new(routes.clone());
    let answered: Result<Response<Body>, Infallible> = service.call(begin).await;
    let Ok(answer) = answered;
    let status = answer.status().as_u16();
    let cookie = answer.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok());
    match cookie.and_then(|cookie| cookie.split(['=', ';']).nth(1)) {
        Some(token) if status == 200 => Ok(token.to_owned()),
        _ => {
            let mut body = answer.into_body();
            let body = next_part(&mut body).await.unwrap_or_default().to_vec();
            Err(HttpAnswer { status, body })
        }
    }
}

/// The body of a request that gives a sheet to the server.
fn upload(lines: usize) -> Body {
    let lines: Vec<&str> = SHEET.into_iter().take(lines).collect();
    Body::from(json!({ "lines": lines.join("\n") }).to_string())
}

impl ShellWorld {
    /// Asks one of the servers something over HTTP.
    pub(super) fn ask_over_http(&mut self, at: usize) {
        let routes = self.server(at).web.routes();
        let reading = match self.lots.below(3) {
            0 => Reading::First(Duration::from_millis(self.lots.within(100..20_000))),
            _ => Reading::All,
        };
        let ledger = self.ledgers.iter().find_map(|ledger| ledger.id);
        let table = self.tables.iter().find_map(|table| table.id);
        let (what, path) = match (self.lots.below(7), ledger, table) {
            (0, Some(ledger), _) => ("lines over HTTP", format!("/api/ledgers/{ledger}")),
            (1, _, Some(table)) => ("a record over HTTP", format!("/api/tables/{table}/matches/1")),
            (2, ..) => return self.give_over_http(at, Given::Sheet),
            (3, ..) => return self.give_over_http(at, Given::Nonsense),
            (4, ..) => return self.give_over_http(at, Given::Endless),
            (5, ..) => ("readiness over HTTP", "/ready".into()),
            _ => ("the lobby over HTTP", "/api/tables".into()),
        };
        self.ask(at, what, None, async move {
            let answer =
                exchange(&routes, request("GET", &path, None, Body::empty()), reading).await;
            move |world: &mut ShellWorld| {
                world.check_http(&answer, &[200, 401, 403, 404, 503]);
                if let (Some(ledger), 200, "lines over HTTP") = (ledger, answer.status, what) {
                    let stored = world.witness.ledger(ledger.into()).lines();
                    let read = answer.body.iter().filter(|byte| **byte == b'\n').count();
                    assert!(read <= stored, "lines that are not stored");
                }
            }
        });
    }

    /// A guest gives something to the server.
    fn give_over_http(&mut self, at: usize, what: Given) {
        let routes = self.server(at).web.routes();
        let lines = 1 + self.lots.below(SHEET.len());
        self.ask(at, "what is given over HTTP", None, async move {
            let answer = match new_guest(&routes).await {
                Err(refused) => refused,
                Ok(token) => {
                    let body = match what {
                        Given::Sheet => upload(lines),
                        Given::Nonsense => Body::from(r#"{"lines":"nonsense"}"#),
                        Given::Endless => {
                            Body::from_stream(stream::pending::<Result<Bytes, Infallible>>())
                        }
                    };
                    let give = request("POST", "/api/ledgers", Some(&token), body);
                    exchange(&routes, give, Reading::All).await
                }
            };
            move |world: &mut ShellWorld| {
                let expected: &[u16] = match what {
                    Given::Sheet => &[201, 503],
                    Given::Nonsense => &[400, 503],
                    Given::Endless => &[408, 503],
                };
                world.check_http(&answer, expected);
                let ledger =
                    answer.json().and_then(|answer| answer["ledger"].as_str()?.parse().ok());
                if let (201, Some(ledger)) = (answer.status, ledger) {
                    let ledger: store::LedgerId = ledger;
                    let stored = world.witness.ledger(ledger.into()).lines();
                    assert_eq!(stored, lines, "what was acknowledged is not stored");
                }
            }
        });
    }

    /// Every answer is one of those that are documented, and a refusal says why.
    fn check_http(&mut self, answer: &HttpAnswer, expected: &[u16]) {
        let HttpAnswer { status, body } = answer;
        // A store that does not answer may take as long as a request may.
        let is_known = expected.contains(status) || *status == 408;
        assert!(is_known, "{status}: {}", String::from_utf8_lossy(body));
        if *status >= 400 {
            let problem = answer.json().expect("a refusal in JSON");
            assert!(problem["error"].is_string() && problem["message"].is_string(), "{problem}");
        }
        self.tally.count(&format!("an answer over HTTP: {status}"));
    }
}

/// What a guest gives to the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Given {
    Sheet,
    Nonsense,
    /// A body without an end.
    Endless,
}
