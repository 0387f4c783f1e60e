//! The session of a request, from a cookie or a bearer token, and the address of its client.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderValue};
use cookie::{Cookie, CookieBuilder, SameSite};
use store::PlayerId;

use super::App;
use super::problem::Problem;
use crate::accounts::{SESSION_DAYS, Token};

/// The name of the cookie.
pub(super) const COOKIE_NAME: &str = "ghinda";
/// Its name on encrypted connections. A browser takes a cookie with this prefix only from this very
/// host by an encrypted connection, so that a neighbouring site cannot plant its own session.
pub(super) const SECURE_COOKIE_NAME: &str = "__Host-ghinda";

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
        let token =
            token_of(&parts.headers, app.settings.secure).ok_or_else(Problem::no_session)?;
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
        Ok(ClientIp(client_ip(app, &parts.headers, &parts.extensions)))
    }
}

/// The address of the client of a request: the one that the proxy in front names, if there is one.
pub(super) fn client_ip(app: &App, headers: &HeaderMap, extensions: &Extensions) -> IpAddr {
    let forwarded = app.settings.behind_proxy.then(|| forwarded(headers)).flatten();
    let direct = extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    forwarded.or(direct).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

/// The token of a request. A browser that has the older name of a secure cookie keeps its session.
pub(super) fn token_of(headers: &HeaderMap, secure: bool) -> Option<Token> {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
        return Token::parse(token);
    }
    let safe = secure.then(|| cookie_value(headers, SECURE_COOKIE_NAME)).flatten();
    let value = safe.or_else(|| cookie_value(headers, COOKIE_NAME))?;
    Token::parse(&value)
}

fn cookie_value(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = lines.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies.find(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
}

/// The last address that the proxy in front has added.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let line = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    line.rsplit(',').next()?.trim().parse().ok()
}

/// The cookies of an answer with a session: the one that holds it, and the end of one with the older
/// name.
pub(super) fn cookies(token: &Token, secure: bool) -> Vec<HeaderValue> {
    let age = cookie::time::Duration::days(SESSION_DAYS);
    let name = if secure { SECURE_COOKIE_NAME } else { COOKIE_NAME };
    let session = Cookie::build((name, token.reveal())).max_age(age).secure(secure);
    let older = secure.then(|| Cookie::build(COOKIE_NAME).removal().secure(true));
    [Some(session), older].into_iter().flatten().filter_map(header).collect()
}

/// The cookies that remove a session.
pub(super) fn no_cookies(secure: bool) -> Vec<HeaderValue> {
    let names = [secure.then_some(SECURE_COOKIE_NAME), Some(COOKIE_NAME)];
    let removals = names.into_iter().flatten();
    // A browser takes a change of a cookie with the prefix only if it is secure as well.
    removals.filter_map(|name| header(Cookie::build(name).removal().secure(secure))).collect()
}

fn header(cookie: CookieBuilder<'_>) -> Option<HeaderValue> {
    let cookie = cookie.path("/").http_only(true).same_site(SameSite::Lax);
    HeaderValue::from_str(&cookie.to_string()).ok()
}
