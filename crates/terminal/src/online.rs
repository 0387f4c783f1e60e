//! A table on a server: a thread with a socket that comes back by itself.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use replica::Route;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, interval, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use wire::http::{AdmitRequest, NewSession};
use wire::table::ClientMessage;

use crate::table_session::{SendText, SessionEnd, TransportEvent};

/// How often we say that we are there.
const BEATS: Duration = Duration::from_secs(20);
/// How long a server may be silent before the line is taken for dead.
const SILENCE: Duration = Duration::from_secs(50);
/// How long we wait before we try again, at first and at most.
const WAITS: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(8));
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// The link to a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableLink {
    /// Whether the connection is encrypted.
    pub secure: bool,
    /// The server, with its port.
    pub host: String,
    /// The table's name.
    pub table: String,
    /// What lets people in.
    pub key: Option<String>,
}

impl FromStr for TableLink {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<TableLink> {
        const LIKE: &str = "a link to a table looks like http://127.0.0.1:8080/t/7rk2m0q9xw#…";
        let (scheme, rest) = text.trim().split_once("://").unwrap_or(("http", text.trim()));
        let secure = match scheme {
            "http" => false,
            "https" => true,
            _ => bail!("{LIKE}"),
        };
        let (place, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (host, path) = place.split_once('/').context(LIKE)?;
        match Route::of(path, fragment) {
            Route::Table { table, key } if !host.is_empty() => {
                Ok(TableLink { secure, host: host.into(), table, key })
            }
            _ => bail!("{LIKE}"),
        }
    }
}

impl fmt::Display for TableLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.secure { "https" } else { "http" };
        let route = Route::Table { table: self.table.clone(), key: self.key.clone() };
        write!(f, "{scheme}://{}{}", self.host, route.address())
    }
}

impl TableLink {
    fn api(&self, path: &str) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{}/api/{path}", self.host)
    }

    fn socket(&self) -> String {
        let scheme = if self.secure { "wss" } else { "ws" };
        format!("{scheme}://{}/api/tables/{}/socket", self.host, self.table)
    }
}

/// A table on a server, and who comes to it.
#[derive(Clone, Debug)]
pub struct Online {
    /// Where it is.
    pub link: TableLink,
    /// Where it is kept who we are for this server, so that a seat is still ours next time.
    pub session: Option<PathBuf>,
}

/// The thread of a connection. It ends when nobody can hand it a text any more.
pub(crate) struct SocketThread {
    thread: JoinHandle<()>,
}

impl SocketThread {
    /// Waits for its end.
    pub(crate) fn end(self) {
        // It has nothing to tell any more.
        let _ = self.thread.join();
    }
}

impl Online {
    /// Connects. Whatever the table says goes to `news`.
    pub(crate) fn open<N>(self, news: N) -> Result<(SendText, SocketThread)>
    where
        N: Fn(TransportEvent) + Send + 'static,
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("there is no network")?;
        let (sender, texts) = unbounded_channel();
        let thread = std::thread::Builder::new().name("line".into());
        let line = SocketLoop { online: self, news, texts, http: reqwest::Client::new() };
        let thread = thread.spawn(move || runtime.block_on(line.keep())).context("no thread")?;
        // A line that has ended has said so.
        let post = Box::new(move |text| _ = sender.send(text));
        Ok((post, SocketThread { thread }))
    }
}

/// Why a connection is over.
enum SocketEnd {
    /// It was lost, or the server asks us to come back; whether there was one at all.
    Lost(bool),
    /// It is of no use to come back.
    Ended(SessionEnd),
    /// Nobody needs it any more.
    Left,
}

struct SocketLoop<N> {
    online: Online,
    news: N,
    texts: UnboundedReceiver<String>,
    http: reqwest::Client,
}

impl<N: Fn(TransportEvent)> SocketLoop<N> {
    async fn keep(mut self) {
        let (mut waits, mut ever) = (WAITS.0, false);
        loop {
            match self.connect().await {
                SocketEnd::Left => return,
                SocketEnd::Ended(ended) => return (self.news)(TransportEvent::Ended(ended)),
                // Whoever mistyped an address does not want to wait for ever.
                SocketEnd::Lost(false) if !ever && waits == WAITS.1 => {
                    return (self.news)(TransportEvent::Ended(SessionEnd::Unreachable));
                }
                SocketEnd::Lost(was_up) => {
                    (self.news)(TransportEvent::Lost);
                    ever |= was_up;
                    waits = if was_up { WAITS.0 } else { (waits * 2).min(WAITS.1) };
                }
            }
            // What is wished meanwhile is kept by the mirror.
            let wait = sleep(waits);
            tokio::pin!(wait);
            loop {
                tokio::select! {
                    () = &mut wait => break,
                    text = self.texts.recv() => if text.is_none() { return },
                }
            }
        }
    }

    /// One connection from its beginning to its end.
    async fn connect(&mut self) -> SocketEnd {
        let token = match timeout(PATIENCE, self.admitted()).await {
            Ok(Ok(token)) => token,
            Ok(Err(Some(ended))) => return SocketEnd::Ended(ended),
            Ok(Err(None)) | Err(_) => return SocketEnd::Lost(false),
        };
        let Ok(mut request) = self.online.link.socket().into_client_request() else {
            return SocketEnd::Ended(SessionEnd::Gone);
        };
        let Ok(bearer) = format!("Bearer {token}").parse() else {
            return SocketEnd::Ended(SessionEnd::Unwell);
        };
        request.headers_mut().insert("authorization", bearer);
        let connecting = tokio_tungstenite::connect_async(request);
        let Ok(Ok((mut socket, _))) = timeout(PATIENCE, connecting).await else {
            return SocketEnd::Lost(false);
        };
        (self.news)(TransportEvent::Up);
        let mut beat = interval(BEATS);
        let mut heard = Instant::now();
        loop {
            let text = tokio::select! {
                frame = socket.next() => {
                    match frame {
                        Some(Ok(Message::Text(text))) => {
                            heard = Instant::now();
                            (self.news)(TransportEvent::Text(text.to_string()));
                        }
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return SocketEnd::Lost(true),
                        Some(Ok(_)) => heard = Instant::now(),
                    }
                    continue;
                }
                text = self.texts.recv() => match text {
                    Some(text) => text,
                    None => {
                        let _ = timeout(Duration::from_secs(1), socket.close(None)).await;
                        return SocketEnd::Left;
                    }
                },
                _ = beat.tick() => {
                    if heard.elapsed() > SILENCE {
                        return SocketEnd::Lost(true);
                    }
                    ClientMessage::Beat.text()
                }
            };
            if socket.send(Message::text(text)).await.is_err() {
                return SocketEnd::Lost(true);
            }
        }
    }

    /// The session of somebody whom the table lets in. Nothing can be said of a server that does
    /// not answer.
    async fn admitted(&self) -> Result<String, Option<SessionEnd>> {
        let link = &self.online.link;
        let token = self.session().await?;
        if let Some(key) = &link.key {
            let enter = AdmitRequest { key: key.clone() };
            let path = link.api(&format!("tables/{}/enter", link.table));
            status(self.http.post(path).bearer_auth(&token).json(&enter)).await?;
        }
        let path = link.api(&format!("tables/{}", link.table));
        status(self.http.get(path).bearer_auth(&token)).await?;
        Ok(token)
    }

    /// Who we are for this server; somebody new where nobody knows.
    async fn session(&self) -> Result<String, Option<SessionEnd>> {
        let path = self.online.session.as_ref();
        let known = path.and_then(|path| fs::read_to_string(path).ok());
        if let Some(token) = known.as_deref().map(str::trim).filter(|token| !token.is_empty()) {
            let asked = self.http.get(self.online.link.api("me")).bearer_auth(token);
            match status(asked).await {
                Err(Some(_)) => {}
                answer => return answer.map(|_| token.to_owned()),
            }
        }
        let asked = self.http.post(self.online.link.api("session")).json(&NewSession::default());
        let answer = status(asked).await?;
        let cookie = answer.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok());
        let token = cookie.and_then(|cookie| cookie.split(['=', ';']).nth(1));
        let token = token.ok_or(Some(SessionEnd::Unwell))?.to_owned();
        if let Some(path) = path {
            // Where it cannot be kept, we are somebody else next time.
            let _ = write_secret(path, &token);
        }
        Ok(token)
    }
}

/// The answer to a request, if it is what was asked for.
async fn status(request: reqwest::RequestBuilder) -> Result<reqwest::Response, Option<SessionEnd>> {
    let answer = request.send().await.map_err(|_| None)?;
    match answer.status().as_u16() {
        200..=299 => Ok(answer),
        404 | 410 => Err(Some(SessionEnd::Gone)),
        400 | 401 | 403 => Err(Some(SessionEnd::Private)),
        429 | 502..=504 => Err(None),
        _ => Err(Some(SessionEnd::Unwell)),
    }
}

fn write_secret(path: &PathBuf, text: &str) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    std::io::Write::write_all(&mut options.open(path)?, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_as_it_is_sent() {
        for (text, api, key) in [
            ("http://127.0.0.1:8080/t/7rk2m0q9xw#ab", "http://127.0.0.1:8080/api/me", Some("ab")),
            ("https://ghinda.example/t/7rk2m0q9xw", "https://ghinda.example/api/me", None),
            (" localhost:8080/t/7rk2m0q9xw#ab\n", "http://localhost:8080/api/me", Some("ab")),
        ] {
            let link: TableLink = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((link.api("me").as_str(), link.key.as_deref()), (api, key));
            assert_eq!(
                link.to_string().parse::<TableLink>().expect("the same").table,
                "7rk2m0q9xw"
            );
        }
    }

    #[test]
    fn what_is_no_link_is_refused() {
        for text in [
            "",
            "7rk2m0q9xw",
            "http://host",
            "http:///t/7rk2m0q9xw",
            "ftp://host/t/x",
            "http://host/lobby",
        ] {
            assert!(text.parse::<TableLink>().is_err(), "{text:?}");
        }
    }
}
