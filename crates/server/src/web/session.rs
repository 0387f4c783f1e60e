//! The session of a request, from a cookie or a bearer token, and the address of its client.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use cookie::{Cookie, CookieBuilder, SameSite};
use store::PlayerId;

use super::App;
use super::problem::Problem;
use crate::accounts::{SESSION_DAYS, Token};

/// The name of the cookie.
pub(super) const COOKIE_NAME: &str = "ghinda";

/// The player and the token of a request with a session.
pub(super) struct Authenticated {
    pub(super) player: PlayerId,
    pub(super) token: Token,
}

/// The address of the client.
pub(super) struct ClientIp(pub(super) IpAddr);

impl FromRequestParts<Arc<App>> for Authenticated {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> Result<Authenticated, Problem> {
        let token = token_of(&parts.headers).ok_or_else(Problem::no_session)?;
        let session = app.accounts.find_session(&token).await?.ok_or_else(Problem::no_session)?;
        Ok(Authenticated { player: session.player, token })
    }
}

impl FromRequestParts<Arc<App>> for ClientIp {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> Result<ClientIp, Self::Rejection> {
        let forwarded = app.settings.behind_proxy.then(|| forwarded(&parts.headers)).flatten();
        let direct = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        Ok(ClientIp(forwarded.or(direct).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

/// The token of a request.
pub(super) fn token_of(headers: &HeaderMap) -> Option<Token> {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
        return Token::parse(token);
    }
    let lines = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = lines.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies
        .find(|cookie| cookie.name() == COOKIE_NAME)
        .and_then(|cookie| Token::parse(cookie.value()))
}

/// The last address that the proxy in front has added.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let line = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    line.rsplit(',').next()?.trim().parse().ok()
}

/// The cookie that holds a session.
pub(super) fn cookie(token: &Token, secure: bool) -> Option<HeaderValue> {
    let age = cookie::time::Duration::days(SESSION_DAYS);
    header(Cookie::build((COOKIE_NAME, token.reveal())).max_age(age).secure(secure))
}

/// The cookie that removes it.
pub(super) fn no_cookie() -> Option<HeaderValue> {
    header(Cookie::build(COOKIE_NAME).removal())
}

fn header(cookie: CookieBuilder<'_>) -> Option<HeaderValue> {
    let cookie = cookie.path("/").http_only(true).same_site(SameSite::Lax);
    HeaderValue::from_str(&cookie.to_string()).ok()
}
