//! The upgrade of a request to a WebSocket.
//!
//! axum would do it too, but does not give back the stream under its WebSockets, around which their buffers
//! are [replaced](super::bounded_socket).

use axum::extract::FromRequestParts;
use axum::http::header::{
    CONNECTION, HeaderName, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::bounded_socket::BoundedSocket;
use crate::web::problem::Problem;
use crate::web::timed_stream::TimedStream;

/// A request that may become a WebSocket.
pub(in crate::web) struct SocketUpgrade {
    key: HeaderValue,
    upgrade: OnUpgrade,
}

impl<S: Sync> FromRequestParts<S> for SocketUpgrade {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<SocketUpgrade, Problem> {
        let headers = &parts.headers;
        let asks = parts.method == Method::GET
            && names(headers, CONNECTION, "upgrade")
            && names(headers, UPGRADE, "websocket")
            && names(headers, SEC_WEBSOCKET_VERSION, "13");
        let key = headers.get(SEC_WEBSOCKET_KEY).filter(|_| asks).cloned();
        let upgrade = parts.extensions.remove::<OnUpgrade>();
        match (key, upgrade) {
            (Some(key), Some(upgrade)) => Ok(SocketUpgrade { key, upgrade }),
            _ => Err(Problem::bad("bad_upgrade", "this is the address of a WebSocket, version 13")),
        }
    }
}

/// Whether a header names this word in its list.
fn names(headers: &HeaderMap, header: HeaderName, word: &str) -> bool {
    let lines = headers.get_all(header).into_iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|named| named.trim().eq_ignore_ascii_case(word))
}

impl SocketUpgrade {
    /// Accepts it: when the answer is sent, serves the WebSocket, whose client sends messages of at most this
    /// many bytes.
    pub(super) fn accept(
        self,
        max_bytes: usize,
        serve: impl FnOnce(BoundedSocket) + Send + 'static,
    ) -> Response {
        let accepted = derive_accept_key(self.key.as_bytes());
        tokio::spawn(async move {
            // If the client is gone there is nothing to serve.
            let Ok(upgraded) = self.upgrade.await else { return };
            let Ok(parts) = upgraded.downcast::<TokioIo<TimedStream>>() else {
                tracing::error!("a WebSocket on another stream than that of the server");
                return;
            };
            let stream = parts.io.into_inner().into_inner();
            serve(BoundedSocket::new(stream, parts.read_buf, max_bytes).await);
        });
        let headers = [
            (CONNECTION, "upgrade".to_owned()),
            (UPGRADE, "websocket".to_owned()),
            (SEC_WEBSOCKET_ACCEPT, accepted),
        ];
        (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
    }
}
