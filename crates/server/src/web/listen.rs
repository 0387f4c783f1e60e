//! Accepting connections: how many there may be, how long one may take to say what it
//! wants, and how all of them end.

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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::App;
use super::connection_limits::Permit;

/// How long the head of a request may take, from the first silence on.
const HEAD: Duration = Duration::from_secs(10);
/// The most bytes that are kept of a request whose head is not complete.
const MAX_HEAD: usize = 16 << 10;
/// How long connections may take to end when the server stops.
const GOODBYE: Duration = Duration::from_secs(5);
/// How long nobody is accepted when the system has no more files for us.
const OUT_OF_FILES: Duration = Duration::from_millis(100);

/// Accepts connections until `stopped` comes, then lets them end.
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
                sleep(OUT_OF_FILES).await;
                continue;
            }
        };
        // One too many is hung up on: an answer would cost what it is to save.
        if let Some(place) = app.door.connect(address.ip(), app.settings.behind_proxy) {
            // Messages are short and somebody waits for each.
            let _ = stream.set_nodelay(true);
            tokio::spawn(serve_one(stream, address, router.clone(), ends.clone(), place));
        }
    }
    drop((listener, ending));
    // WebSockets are told why by their tables.
    if timeout(GOODBYE, app.door.emptied()).await.is_err() {
        tracing::warn!("some connections did not end in time");
    }
}

/// Serves one connection until it ends or becomes a WebSocket.
async fn serve_one(
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    mut ends: watch::Receiver<()>,
    _place: Permit,
) {
    let routes = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        routes.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(MAX_HEAD);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    tokio::select! {
        ended = connection.as_mut() => return noted(ended),
        // The sender is gone: the server stops.
        _ = ends.changed() => connection.as_mut().graceful_shutdown(),
    }
    noted(connection.await);
}

/// Counts connections that ended otherwise than they should.
fn noted(ended: Result<(), hyper::Error>) {
    let Err(error) = ended else { return };
    let kind = match () {
        () if error.is_timeout() => "slow",
        () if error.is_parse() || error.is_parse_too_large() => "malformed",
        () => "broken",
    };
    tracing::debug!(%error, "a connection ended badly");
    metrics::counter!("ghinda_bad_connections_total", "kind" => kind).increment(1);
}
