//! A table on a server: a thread with a socket, which the session requests to connect and to send.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use replica::Route;
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use wire::http::{AdmitRequest, NewSession};

use crate::table_connection::{ConnectionEnd, TransportEvent, TransportRequest, TransportSender};

/// The maximum time for a request or for connecting.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The maximum time for closing a connection.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

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

/// The thread of a connection. It ends when its [`TransportSender`] is dropped.
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
    pub(crate) fn open<N>(self, on_event: N) -> Result<(TransportSender, SocketThread)>
    where
        N: Fn(TransportEvent) + Send + 'static,
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("the network runtime does not start")?;
        let (sender, requests) = unbounded_channel();
        let thread = std::thread::Builder::new().name("socket".into());
        let connector = Connector { online: self, http: reqwest::Client::new() };
        let socket_loop = SocketLoop { connector, on_event, requests };
        let thread = thread.spawn(move || runtime.block_on(socket_loop.run()));
        let thread = thread.context("the network thread does not start")?;
        // If the loop has ended, it has reported that by an event.
        let transport = Box::new(move |request| _ = sender.send(request));
        Ok((transport, SocketThread { thread }))
    }
}

/// Does what a connection requests.
struct SocketLoop<N> {
    connector: Connector,
    on_event: N,
    requests: UnboundedReceiver<TransportRequest>,
}

type ClientSocket = WebSocketStream<MaybeTlsStream<TcpStream>>;

impl<N: Fn(TransportEvent)> SocketLoop<N> {
    /// Ends when the connection drops its sender.
    async fn run(mut self) {
        while let Some(request) = self.requests.recv().await {
            // Without a connection, there is nothing else to do.
            if request != TransportRequest::Connect {
                continue;
            }
            let opened = tokio::select! {
                opened = self.connector.open_socket() => opened,
                () = dropped(&mut self.requests) => return,
            };
            match opened {
                Ok(socket) => {
                    (self.on_event)(TransportEvent::Up);
                    self.carry(socket).await;
                    (self.on_event)(TransportEvent::Lost);
                }
                Err(None) => (self.on_event)(TransportEvent::Lost),
                Err(Some(end)) => return (self.on_event)(TransportEvent::Ended(end)),
            }
        }
    }

    /// Carries texts until the connection ends.
    async fn carry(&mut self, mut socket: ClientSocket) {
        loop {
            tokio::select! {
                frame = socket.next() => match frame {
                    Some(Ok(Message::Text(text))) => {
                        (self.on_event)(TransportEvent::Text(text.to_string()));
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => {}
                },
                request = self.requests.recv() => match request {
                    Some(TransportRequest::Send(text)) => {
                        if socket.send(Message::text(text)).await.is_err() {
                            return;
                        }
                    }
                    Some(TransportRequest::Connect) => {}
                    Some(TransportRequest::Disconnect) | None => {
                        let _ = timeout(CLOSE_TIMEOUT, socket.close(None)).await;
                        return;
                    }
                },
            }
        }
    }
}

/// Waits until the connection drops its sender.
async fn dropped(requests: &mut UnboundedReceiver<TransportRequest>) {
    while requests.recv().await.is_some() {}
}

/// Opens connections to a table. An error is None if a later attempt may succeed.
struct Connector {
    online: Online,
    http: reqwest::Client,
}

impl Connector {
    async fn open_socket(&self) -> Result<ClientSocket, Option<ConnectionEnd>> {
        let token = timeout(TIMEOUT, self.admission_token()).await.map_err(|_| None)??;
        let request = self.online.link.socket().into_client_request();
        let mut request = request.map_err(|_| Some(ConnectionEnd::Gone))?;
        let bearer =
            format!("Bearer {token}").parse().map_err(|_| Some(ConnectionEnd::ServerFault))?;
        request.headers_mut().insert("authorization", bearer);
        let connecting = tokio_tungstenite::connect_async(request);
        match timeout(TIMEOUT, connecting).await {
            Ok(Ok((socket, _))) => Ok(socket),
            Ok(Err(_)) | Err(_) => Err(None),
        }
    }

    /// The token of a session that is admitted to the table.
    async fn admission_token(&self) -> Result<String, Option<ConnectionEnd>> {
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
    async fn session_token(&self) -> Result<String, Option<ConnectionEnd>> {
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
        let token = token.ok_or(Some(ConnectionEnd::ServerFault))?.to_owned();
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
) -> Result<reqwest::Response, Option<ConnectionEnd>> {
    let answer = request.send().await.map_err(|_| None)?;
    match answer.status().as_u16() {
        200..=299 => Ok(answer),
        404 | 410 => Err(Some(ConnectionEnd::Gone)),
        400 | 401 | 403 => Err(Some(ConnectionEnd::Private)),
        429 | 502..=504 => Err(None),
        _ => Err(Some(ConnectionEnd::ServerFault)),
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
