//! The host and origin checks of every request, and the security headers of every response.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;
use super::answers::PermittedBody;
use super::problem::Problem;
use super::session::client_ip;

/// Pages load only from this server, connect only to it, and cannot be framed.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src 'self'; object-src 'none'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'; connect-src 'self'";

/// How long a request may take, including its body. A WebSocket is answered at once, and outlives its
/// request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Refuses requests of foreign pages and to foreign names, and sets the security headers of responses.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let policy = policy(request.headers().get(HOST));
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let upgrades = request.headers().contains_key("upgrade");
    let foreign_host = app.settings.hosts.refusal(&request);
    let mut response = if let Some(problem) = foreign_host {
        problem.into_response()
    } else if (changes || upgrades) && !is_own_origin(&app, request.headers()) {
        metrics::counter!("ghinda_foreign_origins_total").increment(1);
        Problem::forbidden("foreign_origin", "requests of other sites are not served")
            .into_response()
    } else {
        serve(&app, request, next).await
    };
    let status = response.status().as_str().to_owned();
    metrics::counter!("ghinda_requests_total", "status" => status).increment(1);
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(X_FRAME_OPTIONS, "DENY");
    set(REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()");
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    response
}

/// The policy of pages that are read under a name. Safari before version 16 does not count WebSockets of the
/// same host as its own, so they are named.
fn policy(host: Option<&HeaderValue>) -> HeaderValue {
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._:".contains(byte);
    let host = host.and_then(|host| host.to_str().ok());
    // A policy cannot name an IPv6 address.
    let host = host.filter(|host| !host.is_empty() && host.as_bytes().iter().all(letter));
    let whole = host.map(|host| format!("{POLICY} ws://{host} wss://{host}"));
    let whole = whole.and_then(|policy| HeaderValue::try_from(policy).ok());
    whole.unwrap_or(HeaderValue::from_static(POLICY))
}

/// Serves a request in time, unless too many are under way.
async fn serve(app: &App, request: Request, next: Next) -> Response {
    // An operator must see how a server is that has too much to do.
    if matches!(request.uri().path(), "/health" | "/ready" | "/metrics") {
        return next.run(request).await;
    }
    let address = client_ip(app, request.headers(), request.extensions());
    // The files of the pages are in memory once for all, and may take long on a slow network.
    let is_api = request.uri().path().starts_with("/api/");
    let Some(permit) = app.connection_limits.permit_request(address) else {
        return Problem::busy().into_response();
    };
    match tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await {
        Ok(response) if is_api => response.map(|body| Body::new(PermittedBody::new(body, permit))),
        Ok(response) => response,
        Err(_) => Problem::too_slow().into_response(),
    }
}

/// Whether a request comes from an allowed page, or not from a page.
fn is_own_origin(app: &App, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    if app.settings.origins.iter().any(|known| known == origin) {
        return true;
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let named = origin.split_once("://").map(|(_, host)| host);
    host.is_some() && named == host
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connect_sources(host: Option<&str>) -> String {
        let host = host.map(|host| HeaderValue::from_str(host).unwrap());
        let policy = policy(host.as_ref());
        let policy = policy.to_str().unwrap().to_owned();
        let mut parts = policy.split("; ").filter_map(|part| part.strip_prefix("connect-src "));
        let sources = parts.next().unwrap().to_owned();
        assert_eq!(parts.next(), None, "{policy}");
        sources
    }

    #[test]
    fn pages_connect_to_the_host_that_they_come_from_and_to_no_other() {
        for host in ["ghinda.example", "localhost:8080", "127.0.0.1:1"] {
            let own = format!("'self' ws://{host} wss://{host}");
            assert_eq!(connect_sources(Some(host)), own);
        }
        // What is no name adds nothing, least of all another source.
        for host in ["", "*", "a wss:", "a;script-src *", "a, b", "[::1]:8080", "a'", "a/b"] {
            assert_eq!(connect_sources(Some(host)), "'self'", "{host}");
        }
        assert_eq!(connect_sources(None), "'self'");
    }
}
