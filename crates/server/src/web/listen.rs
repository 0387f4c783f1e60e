//! Accepts connections, limits them, and ends them when the server stops.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::App;
use super::connection_limits::Permit;
use super::timed_stream::TimedStream;
use crate::quotas::CONNECTION_BUFFER;

/// How long the head of a request may take.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum bytes that are buffered of a request whose head is not complete.
const MAX_HEAD: usize = 16 << 10;
/// How long connections may take to end when the server stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);
/// How long to wait after a connection could not be accepted, because the system has no more files.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// Accepts connections until `stopped` is ready, then lets them end.
pub(super) async fn accept(
    app: Arc<App>,
    listener: TcpListener,
    router: Router,
    stopped: impl Future<Output = ()>,
) {
    let (ending, ends) = watch::channel(());
    let mut stopped = pin!(stopped);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stopped => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection cannot be accepted");
                sleep(ACCEPT_RETRY).await;
                continue;
            }
        };
        // A connection above the limit is closed without an answer, which would cost too much.
        if let Some(permit) =
            app.connection_limits.permit_connection(address.ip(), app.settings.behind_proxy)
        {
            // Messages are short, and a client waits for each.
            let _ = stream.set_nodelay(true);
            limit_send_buffer(&stream, CONNECTION_BUFFER);
            let write_timeout = app.settings.limits.write_timeout;
            let (router, ends) = (router.clone(), ends.clone());
            tokio::spawn(serve_connection(stream, address, router, ends, write_timeout, permit));
        }
    }
    drop((listener, ending));
    // The tasks of tables and ledgers send their clients the reason.
    if timeout(STOP_TIMEOUT, app.connection_limits.all_released()).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
}

/// Limits what the system keeps for a client that does not read. Otherwise it may be megabytes, and they count
/// for the memory of the server. What clients send is read at once, and needs no limit.
pub(super) fn limit_send_buffer(stream: &TcpStream, bytes: u32) {
    let socket = SockRef::from(stream);
    // A connection that has just been reset has no buffer.
    let _ = socket.set_send_buffer_size(bytes as usize);
}

/// Serves one connection until it ends or becomes a WebSocket.
async fn serve_connection(
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    mut ends: watch::Receiver<()>,
    write_timeout: Duration,
    _permit: Permit,
) {
    let routes = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        routes.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD);
    let (stream, upgraded) = TimedStream::new(stream, write_timeout);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    tokio::select! {
        ended = connection.as_mut() => {
            upgraded.set();
            return log_end(ended);
        }
        // The sender is gone: the server stops.
        _ = ends.changed() => connection.as_mut().graceful_shutdown(),
    }
    let ended = connection.await;
    upgraded.set();
    log_end(ended);
}

/// Logs and counts connections that ended with an error.
fn log_end(ended: Result<(), hyper::Error>) {
    let Err(error) = ended else { return };
    let kind = if error.is_timeout() || is_write_timeout(&error) {
        "slow"
    } else if error.is_parse() || error.is_parse_too_large() {
        "malformed"
    } else {
        "broken"
    };
    tracing::debug!(%error, "a connection ended badly");
    metrics::counter!("ghinda_bad_connections_total", "kind" => kind).increment(1);
}

/// Whether the client has not read what was sent.
fn is_write_timeout(error: &hyper::Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
}
