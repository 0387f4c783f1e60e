//! A table on a server: a thread with a socket that reconnects by itself.

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

/// The interval between beats.
const BEAT: Duration = Duration::from_secs(20);
/// The silence of the server after which the connection counts as lost.
const SILENCE: Duration = Duration::from_secs(50);
/// The delay before the first retry. It doubles with each failure.
const MIN_DELAY: Duration = Duration::from_millis(250);
/// The maximum delay before a retry.
const MAX_DELAY: Duration = Duration::from_secs(8);
/// The maximum time for a request or for connecting.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The link to a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableLink {
    /// Whether the connection is encrypted.
    pub secure: bool,
    /// The server, with its port.
    pub host: String,
    /// The table's id.
    pub table: String,
    /// The key that admits players.
    pub key: Option<String>,
}

impl FromStr for TableLink {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<TableLink> {
        const EXPECTED: &str = "a link to a table looks like http://127.0.0.1:8080/t/7rk2m0q9xw#…";
        let (scheme, rest) = text.trim().split_once("://").unwrap_or(("http", text.trim()));
        let secure = match scheme {
            "http" => false,
            "https" => true,
            _ => bail!("{EXPECTED}"),
        };
        let (place, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (host, path) = place.split_once('/').context(EXPECTED)?;
        match Route::of(path, fragment) {
            Route::Table { table, key } if !host.is_empty() => {
                Ok(TableLink { secure, host: host.into(), table, key })
            }
            _ => bail!("{EXPECTED}"),
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

/// A table on a server, and the player's session there.
#[derive(Clone, Debug)]
pub struct Online {
    /// The link to the table.
    pub link: TableLink,
    /// The file with the session token of this server, so that the player keeps the seat next time.
    pub session: Option<PathBuf>,
}

/// The thread of a connection. It ends when its [`SendText`] is dropped.
pub(crate) struct SocketThread {
    thread: JoinHandle<()>,
}

impl SocketThread {
    /// Waits for the end of the thread.
    pub(crate) fn end(self) {
        // A panic of the thread does not matter any more.
        let _ = self.thread.join();
    }
}

impl Online {
    /// Connects in a thread of its own. The events of the connection go to `on_event`.
    pub(crate) fn open<N>(self, on_event: N) -> Result<(SendText, SocketThread)>
    where
        N: Fn(TransportEvent) + Send + 'static,
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("the network runtime does not start")?;
        let (sender, texts) = unbounded_channel();
        let thread = std::thread::Builder::new().name("socket".into());
        let socket_loop =
            SocketLoop { online: self, on_event, texts, http: reqwest::Client::new() };
        let thread = thread.spawn(move || runtime.block_on(socket_loop.run()));
        let thread = thread.context("the network thread does not start")?;
        // If the loop has ended, it has reported that by an event.
        let send_text = Box::new(move |text| _ = sender.send(text));
        Ok((send_text, SocketThread { thread }))
    }
}

/// Why one connection ended.
enum SocketEnd {
    /// It was lost, or the server asks the client to reconnect.
    Lost {
        /// Whether the connection was open before.
        was_up: bool,
    },
    /// Reconnecting does not help.
    Ended(SessionEnd),
    /// The client does not need it any more.
    Left,
}

struct SocketLoop<N> {
    online: Online,
    on_event: N,
    texts: UnboundedReceiver<String>,
    http: reqwest::Client,
}

impl<N: Fn(TransportEvent)> SocketLoop<N> {
    async fn run(mut self) {
        let (mut delay, mut was_ever_up) = (MIN_DELAY, false);
        loop {
            match self.connect().await {
                SocketEnd::Left => return,
                SocketEnd::Ended(end) => return (self.on_event)(TransportEvent::Ended(end)),
                // The address may be mistyped, so the first connection is not retried for ever.
                SocketEnd::Lost { was_up: false } if !was_ever_up && delay == MAX_DELAY => {
                    return (self.on_event)(TransportEvent::Ended(SessionEnd::Unreachable));
                }
                SocketEnd::Lost { was_up } => {
                    (self.on_event)(TransportEvent::Lost);
                    was_ever_up |= was_up;
                    delay = if was_up { MIN_DELAY } else { (delay * 2).min(MAX_DELAY) };
                }
            }
            // Texts are dropped meanwhile: the replica keeps the commands and sends them again.
            let wait = sleep(delay);
            tokio::pin!(wait);
            loop {
                tokio::select! {
                    () = &mut wait => break,
                    text = self.texts.recv() => if text.is_none() { return },
                }
            }
        }
    }

    /// Runs one connection from its beginning to its end.
    async fn connect(&mut self) -> SocketEnd {
        let token = match timeout(TIMEOUT, self.admission_token()).await {
            Ok(Ok(token)) => token,
            Ok(Err(Some(end))) => return SocketEnd::Ended(end),
            Ok(Err(None)) | Err(_) => return SocketEnd::Lost { was_up: false },
        };
        let Ok(mut request) = self.online.link.socket().into_client_request() else {
            return SocketEnd::Ended(SessionEnd::Gone);
        };
        let Ok(bearer) = format!("Bearer {token}").parse() else {
            return SocketEnd::Ended(SessionEnd::Unwell);
        };
        request.headers_mut().insert("authorization", bearer);
        let connecting = tokio_tungstenite::connect_async(request);
        let Ok(Ok((mut socket, _))) = timeout(TIMEOUT, connecting).await else {
            return SocketEnd::Lost { was_up: false };
        };
        (self.on_event)(TransportEvent::Up);
        let mut beat = interval(BEAT);
        let mut received_at = Instant::now();
        loop {
            let text = tokio::select! {
                frame = socket.next() => {
                    match frame {
                        Some(Ok(Message::Text(text))) => {
                            received_at = Instant::now();
                            (self.on_event)(TransportEvent::Text(text.to_string()));
                        }
                        Some(Ok(Message::Close(_)) | Err(_)) | None => {
                            return SocketEnd::Lost { was_up: true };
                        }
                        Some(Ok(_)) => received_at = Instant::now(),
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
                    if received_at.elapsed() > SILENCE {
                        return SocketEnd::Lost { was_up: true };
                    }
                    ClientMessage::Beat.text()
                }
            };
            if socket.send(Message::text(text)).await.is_err() {
                return SocketEnd::Lost { was_up: true };
            }
        }
    }

    /// The token of a session that is admitted to the table. The error is None if the server does
    /// not answer.
    async fn admission_token(&self) -> Result<String, Option<SessionEnd>> {
        let link = &self.online.link;
        let token = self.session_token().await?;
        if let Some(key) = &link.key {
            let enter = AdmitRequest { key: key.clone() };
            let path = link.api(&format!("tables/{}/enter", link.table));
            request(self.http.post(path).bearer_auth(&token).json(&enter)).await?;
        }
        let path = link.api(&format!("tables/{}", link.table));
        request(self.http.get(path).bearer_auth(&token)).await?;
        Ok(token)
    }

    /// The token of the stored session, or of a new one.
    async fn session_token(&self) -> Result<String, Option<SessionEnd>> {
        let path = self.online.session.as_ref();
        let stored = path.and_then(|path| fs::read_to_string(path).ok());
        if let Some(token) = stored.as_deref().map(str::trim).filter(|token| !token.is_empty()) {
            let me = self.http.get(self.online.link.api("me")).bearer_auth(token);
            match request(me).await {
                Err(Some(_)) => {}
                answer => return answer.map(|_| token.to_owned()),
            }
        }
        let new_session = self.online.link.api("session");
        let answer = request(self.http.post(new_session).json(&NewSession::default())).await?;
        let cookie = answer.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok());
        let token = cookie.and_then(|cookie| cookie.split(['=', ';']).nth(1));
        let token = token.ok_or(Some(SessionEnd::Unwell))?.to_owned();
        if let Some(path) = path {
            // If it cannot be stored, the next run has another session.
            let _ = write_secret(path, &token);
        }
        Ok(token)
    }
}

/// Sends a request. The error is None if the request may succeed later.
async fn request(
    request: reqwest::RequestBuilder,
) -> Result<reqwest::Response, Option<SessionEnd>> {
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
    fn a_link_is_parsed_and_written_back() {
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
    fn other_texts_are_not_links() {
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
