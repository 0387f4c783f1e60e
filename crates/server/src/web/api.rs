//! The HTTP API: sessions, accounts, the lobby, tables and records. Everything that happens at a table
//! goes over its WebSocket.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{ACCEPT, CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use game::Rules;
use room::{Key, Room, TableSummary};
use serde::Deserialize;
use store::{Cursor, PastMatch, PlayerId, Store, TableId};
use utoipa::openapi::RefOr;
use utoipa::openapi::content::Content;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::Ref;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use wire::http::{
    AdmitRequest, Comparison, CreatedToken, Credentials, History, Identity, ListedTable, Lobby,
    NewDuplicate, NewPassphrase, NewSession, NewTable, NewToken, OpenedTable, PastMatchSummary,
};

use super::App;
use super::extract::{JsonBody, PathParam, QueryParam};
use super::problem::{ApiResult, Problem};
use super::session::{Authenticated, COOKIE_NAME, ClientIp, cookies, no_cookies};
use crate::accounts::{AuthError, Token};
use crate::look_queue::TableReader;
use crate::tables::{MAX_SIBLINGS, TableSettings};

/// The maximum bytes of a request.
const MAX_BYTES: usize = 16 << 10;
/// The maximum number of tables in the lobby.
const LOBBY: usize = 200;
/// The maximum number of matches on a page of a history.
const PAGE: u32 = 50;

/// The OpenAPI document of the API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Ghinda",
        description = "Tables, contests and score sheets of Cruce and Romanian whist. What happens at a \
            table goes over its WebSocket, /api/tables/{table}/socket, and what happens in a contest \
            or on a sheet over that of its ledger; docs/protocol.md describes them. Requests that \
            need a session take the cookie `ghinda` (with TLS `__Host-ghinda`) or `Authorization: Bearer TOKEN`.",
        license(name = "MIT OR Apache-2.0")
    ),
    paths(
        begin, me, register, log_in, log_out, passphrase, transfer, bot_token, history, lobby,
        open_table, one_table, admit, link, record, duplicate, comparison, rules,
        super::ledgers::open, super::ledgers::lines, super::ledgers::sit
    ),
    modifiers(&CommonResponses)
)]
struct Described;

/// What all requests share: the ways to send a token, and the form of a refusal.
struct CommonResponses;

impl Modify for CommonResponses {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(COOKIE_NAME)));
        components.add_security_scheme("cookie", cookie);
        let problem = Content::new(Some(Ref::from_schema_name("Problem")));
        let refused = ResponseBuilder::new()
            .description("The request was refused or failed.")
            .content("application/json", problem)
            .build();
        for item in document.paths.paths.values_mut() {
            let operations = [&mut item.get, &mut item.post, &mut item.delete];
            for operation in operations.into_iter().flatten() {
                let all = &mut operation.responses.responses;
                all.insert("default".into(), refused.clone().into());
                for (status, response) in all {
                    if let RefOr::T(response) = response
                        && response.description.is_empty()
                    {
                        response.description = meaning(status).into();
                    }
                }
            }
        }
    }
}

/// The description of a status; a document without descriptions is not valid.
fn meaning(status: &str) -> &'static str {
    match status {
        "200" => "The result.",
        "201" => "It was created.",
        "204" => "It is done.",
        "400" => "The request is not valid.",
        "401" => "The request has no session.",
        "403" => "It is not allowed.",
        "404" => "It does not exist.",
        "408" => "The request took too long. It may have been done.",
        "409" => "The name is taken, or the player has one already, or too much of it.",
        "410" => "The link has been used, or is too old.",
        "429" => "Too many requests in a short time.",
        _ => "The request was refused or failed.",
    }
}

/// The OpenAPI document as JSON.
pub fn document() -> String {
    Described::openapi().to_pretty_json().unwrap_or_default()
}

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/session", post(begin).delete(log_out))
        .route("/me", get(me))
        .route("/me/matches", get(history))
        .route("/me/transfer", post(transfer))
        .route("/me/tokens", post(bot_token))
        .route("/me/passphrase", post(passphrase))
        .route("/accounts", post(register))
        .route("/login", post(log_in))
        .route("/tables", get(lobby).post(open_table))
        .route("/tables/{table}", get(one_table))
        .route("/tables/{table}/enter", post(admit))
        .route("/tables/{table}/link", get(link))
        .route("/tables/{table}/matches/{number}", get(record))
        .route("/duplicates", post(duplicate))
        .route("/duplicates/{table}", get(comparison))
        .route("/rules/{code}", get(rules))
        .route("/openapi.json", get(openapi))
        .merge(super::ledgers::routes())
        .layer(DefaultBodyLimit::max(MAX_BYTES))
}

async fn openapi() -> Response {
    /// All answers share it.
    static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| document().into());
    ([(CONTENT_TYPE, "application/json")], DOCUMENT.clone()).into_response()
}

impl App {
    pub(super) fn check_costly(&self, address: IpAddr) -> ApiResult<()> {
        self.check_as_costly_as(address, NonZeroU32::MIN)
    }

    /// Refuses a request that costs as much as this many, if its address may not send them now. Counts them.
    fn check_as_costly_as(&self, address: IpAddr, requests: NonZeroU32) -> ApiResult<()> {
        match self.connection_limits.allows_costly(address, requests) {
            true => Ok(()),
            false => Err(Problem::too_many()),
        }
    }

    async fn identity(&self, player: PlayerId) -> ApiResult<Identity> {
        let tables = self.tables.tables_of(player).await?;
        Ok(Identity {
            player: player.to_string(),
            account: self.accounts.name_of(player).await?,
            tables: tables.iter().map(ToString::to_string).collect(),
        })
    }

    /// Reads something from a room for a player who may connect to it.
    async fn read_as<T: Send + 'static>(
        &self,
        player: PlayerId,
        address: IpAddr,
        table: TableId,
        read: impl FnOnce(&Room) -> T + Send + 'static,
    ) -> ApiResult<T> {
        let reader = TableReader::Address(address);
        let seen =
            self.tables.read(table, reader, move |room| room.admits(player).then(|| read(room)));
        seen.await?.ok_or_else(not_admitted)
    }

    fn with_cookie(&self, token: &Token, answer: impl IntoResponse) -> Response {
        let cookies = cookies(token, self.settings.secure).into_iter();
        let headers: Vec<_> = cookies.map(|value| (SET_COOKIE, value)).collect();
        (AppendHeaders(headers), answer).into_response()
    }
}

/// Begins a session for a new player, or for the same player on another device.
#[utoipa::path(post, path = "/api/session", tag = "players", request_body = NewSession,
    responses((status = 200, body = Identity), (status = 410, body = Problem),
        (status = 429, body = Problem)))]
async fn begin(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Result<Authenticated, Problem>,
    JsonBody(new): JsonBody<NewSession>,
) -> ApiResult<Response> {
    app.check_costly(address)?;
    let (token, player) = match (&new.transfer, session) {
        (Some(code), _) => {
            let code = Token::parse(code).ok_or(crate::accounts::AuthError::LinkUsed)?;
            app.accounts.exchange(&code).await?
        }
        (None, Ok(session)) => (session.token, session.player),
        (None, Err(problem)) if problem.is_no_session() => app.accounts.create_guest("").await?,
        // If the session cannot be looked up now, the client must not get a new player.
        (None, Err(problem)) => return Err(problem),
    };
    let me = app.identity(player).await?;
    Ok(app.with_cookie(&token, Json(me)))
}

/// The player of the session.
#[utoipa::path(get, path = "/api/me", tag = "players",
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Identity), (status = 401, body = Problem)))]
async fn me(State(app): State<Arc<App>>, session: Authenticated) -> ApiResult<Json<Identity>> {
    app.identity(session.player).await.map(Json)
}

/// Gives the player a name and a passphrase, to log in on other devices.
#[utoipa::path(post, path = "/api/accounts", tag = "players", request_body = Credentials,
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, body = Identity), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 409, body = Problem), (status = 429, body = Problem)))]
async fn register(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    JsonBody(new): JsonBody<Credentials>,
) -> ApiResult<(StatusCode, Json<Identity>)> {
    app.check_costly(address)?;
    app.accounts.register(session.player, &new.name, &new.passphrase).await?;
    Ok((StatusCode::CREATED, Json(app.identity(session.player).await?)))
}

/// Begins a session of the player with the account, in a new cookie, and ends the one that is sent.
#[utoipa::path(post, path = "/api/login", tag = "players", request_body = Credentials,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Identity), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 429, body = Problem)))]
async fn log_in(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    JsonBody(request): JsonBody<Credentials>,
) -> ApiResult<Response> {
    app.check_costly(address)?;
    completed(async move {
        let (token, player) = app.accounts.log_in(&request.name, &request.passphrase).await?;
        let me = app.identity(player).await?;
        // Another client may have planted the old token, and must not become this player.
        app.accounts.end_session(&session.token).await?;
        app.session_connections.end(session.token.hash());
        Ok(app.with_cookie(&token, Json(me)))
    })
    .await
}

/// Completes also if the client does not wait for it: a session that has ended must not leave connections
/// behind.
async fn completed(
    work: impl Future<Output = ApiResult<Response>> + Send + 'static,
) -> ApiResult<Response> {
    // It fails only if it panics, which is logged.
    tokio::spawn(work).await.map_err(|_| Problem::unavailable())?
}

/// Ends this session.
#[utoipa::path(delete, path = "/api/session", tag = "players",
    security(("token" = []), ("cookie" = [])),
    responses((status = 204), (status = 401, body = Problem)))]
async fn log_out(State(app): State<Arc<App>>, session: Authenticated) -> ApiResult<Response> {
    completed(async move {
        app.accounts.end_session(&session.token).await?;
        app.session_connections.end(session.token.hash());
        let cookies = no_cookies(app.settings.secure).into_iter();
        let headers: Vec<_> = cookies.map(|cookie| (SET_COOKIE, cookie)).collect();
        Ok((StatusCode::NO_CONTENT, AppendHeaders(headers)).into_response())
    })
    .await
}

/// Changes the passphrase, ends all sessions of the player, and begins one in a new cookie.
#[utoipa::path(post, path = "/api/me/passphrase", tag = "players", request_body = NewPassphrase,
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = Identity), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 429, body = Problem)))]
async fn passphrase(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    JsonBody(change): JsonBody<NewPassphrase>,
) -> ApiResult<Response> {
    app.check_costly(address)?;
    completed(async move {
        let player = session.player;
        let changed = app.accounts.change_passphrase(player, &change.old, &change.new).await;
        // Also if the store does not know whether it was done: a client whose session goes on reconnects.
        if matches!(changed, Ok(()) | Err(AuthError::Store(_))) {
            app.session_connections.end_all_of(player);
        }
        changed?;
        let token = app.accounts.begin_session_of(player).await?;
        let me = app.identity(player).await?;
        Ok(app.with_cookie(&token, Json(me)))
    })
    .await
}

/// Creates a code that gives another device a session of this player: once, within ten minutes.
#[utoipa::path(post, path = "/api/me/transfer", tag = "players",
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, body = CreatedToken), (status = 401, body = Problem),
        (status = 429, body = Problem)))]
async fn transfer(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
) -> ApiResult<(StatusCode, Json<CreatedToken>)> {
    app.check_costly(address)?;
    let token = app.accounts.transfer(session.player).await?.reveal().to_owned();
    Ok((StatusCode::CREATED, Json(CreatedToken { token })))
}

/// Creates a token for a program that plays for the player.
#[utoipa::path(post, path = "/api/me/tokens", tag = "players", request_body = NewToken,
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, body = CreatedToken), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 429, body = Problem)))]
async fn bot_token(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    JsonBody(new): JsonBody<NewToken>,
) -> ApiResult<(StatusCode, Json<CreatedToken>)> {
    app.check_costly(address)?;
    if !(1..=40).contains(&new.label.chars().count()) {
        return Err(Problem::bad("bad_label", "a label has 1 to 40 characters"));
    }
    let token = app.accounts.bot_token(session.player, &new.label).await?.reveal().to_owned();
    Ok((StatusCode::CREATED, Json(CreatedToken { token })))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct HistoryQuery {
    /// Where the page begins: the `next` of the page before.
    after: Option<String>,
}

/// The player's matches, newest first.
#[utoipa::path(get, path = "/api/me/matches", tag = "players", params(HistoryQuery),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = History), (status = 400, body = Problem),
        (status = 401, body = Problem)))]
async fn history(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    QueryParam(after): QueryParam<HistoryQuery>,
) -> ApiResult<Response> {
    let after =
        match after.after.as_deref() {
            Some(text) => Some(read_cursor(text).ok_or_else(|| {
                Problem::bad("bad_page", "a page begins where the one before ended")
            })?),
            None => None,
        };
    let matches = app.store.history(session.player, after, PAGE).await?;
    let more = matches.len() == PAGE as usize;
    let next = matches.last().filter(|_| more).map(|last| cursor_text(last.cursor()));
    let history = History { matches: matches.iter().map(past_match).collect(), next };
    app.large_json(address, &history)
}

/// The tables in the lobby.
#[utoipa::path(get, path = "/api/tables", tag = "tables", responses((status = 200, body = Lobby)))]
async fn lobby(State(app): State<Arc<App>>, ClientIp(address): ClientIp) -> ApiResult<Response> {
    let summaries = app.tables.index().lobby(LOBBY);
    app.large_json(address, &Lobby { tables: summaries.into_iter().map(listed_table).collect() })
}

/// Opens a table.
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable,
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, body = OpenedTable), (status = 400, body = Problem),
        (status = 401, body = Problem), (status = 429, body = Problem)))]
async fn open_table(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    JsonBody(new): JsonBody<NewTable>,
) -> ApiResult<(StatusCode, Json<OpenedTable>)> {
    app.check_costly(address)?;
    let table = app.tables.open(&table_settings(&new)?, session.player).await?;
    let key = app.tables.read(table, TableReader::Address(address), Room::key).await?;
    Ok((StatusCode::CREATED, Json(OpenedTable { table: table.to_string(), key: key.to_string() })))
}

/// A table in short, for players who may connect to it.
#[utoipa::path(get, path = "/api/tables/{table}", tag = "tables",
    params(("table" = String, Path, description = "the name of the table in links")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = ListedTable), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn one_table(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    PathParam(table): PathParam<String>,
) -> ApiResult<Json<ListedTable>> {
    let summary = app.read_as(session.player, address, table_id(&table)?, Room::summary).await?;
    Ok(Json(listed_table(summary)))
}

/// Admits the player by the key in the table's link.
#[utoipa::path(post, path = "/api/tables/{table}/enter", tag = "tables", request_body = AdmitRequest,
    params(("table" = String, Path, description = "the name of the table in links")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 429, body = Problem)))]
async fn admit(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    PathParam(table): PathParam<String>,
    JsonBody(request): JsonBody<AdmitRequest>,
) -> ApiResult<StatusCode> {
    app.check_costly(address)?;
    let key: Key = request.key.parse().map_err(|error| Problem::bad("bad_key", error))?;
    app.tables.admit(table_id(&table)?, session.player, key).await??;
    Ok(StatusCode::NO_CONTENT)
}

/// The key in the table's link, for players who may connect to it.
#[utoipa::path(get, path = "/api/tables/{table}/link", tag = "tables",
    params(("table" = String, Path, description = "the name of the table in links")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = OpenedTable), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn link(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    PathParam(table): PathParam<String>,
) -> ApiResult<Json<OpenedTable>> {
    let table = table_id(&table)?;
    let key = app.read_as(session.player, address, table, Room::key).await?;
    Ok(Json(OpenedTable { table: table.to_string(), key: key.to_string() }))
}

/// The record of a match that is over, as text or, if asked for, as JSON lines.
#[utoipa::path(get, path = "/api/tables/{table}/matches/{number}", tag = "tables",
    params(("table" = String, Path, description = "the name of the table in links"),
        ("number" = u32, Path, description = "the number of the match at the table")),
    responses((status = 200, description = "docs/notation.md", content(
            (String = "text/plain"), (String = "application/jsonl"))),
        (status = 404, body = Problem)))]
async fn record(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
    PathParam((table, number)): PathParam<(String, u32)>,
) -> ApiResult<Response> {
    let reader = TableReader::Address(address);
    let record = app.tables.finished_record(table_id(&table)?, number, reader).await?;
    let record = record.ok_or_else(|| Problem::not_found("match that is over"))?;
    let json = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    let (kind, text) = if json.is_some_and(|accept| accept.contains("json")) {
        ("application/jsonl", wire::record::to_lines(&record))
    } else {
        ("text/plain; charset=utf-8", record.to_string())
    };
    Ok(([(CONTENT_TYPE, kind)], app.large_answer(address, text)?).into_response())
}

/// Opens several tables that play the same deals.
#[utoipa::path(post, path = "/api/duplicates", tag = "tables", request_body = NewDuplicate,
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, body = Vec<OpenedTable>), (status = 400, body = Problem),
        (status = 401, body = Problem), (status = 429, body = Problem)))]
async fn duplicate(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    JsonBody(new): JsonBody<NewDuplicate>,
) -> ApiResult<(StatusCode, Json<Vec<OpenedTable>>)> {
    let count = u32::try_from(new.tables).ok().and_then(NonZeroU32::new);
    let count = count.filter(|_| (2..=MAX_SIBLINGS).contains(&new.tables));
    let bad_count = || Problem::bad("bad_count", format!("2 to {MAX_SIBLINGS} tables"));
    app.check_as_costly_as(address, count.ok_or_else(bad_count)?)?;
    let tables =
        app.tables.open_all(&table_settings(&new.table)?, session.player, new.tables).await?;
    let mut opened = Vec::new();
    for table in tables {
        let key = app.tables.read(table, TableReader::Address(address), Room::key).await?;
        opened.push(OpenedTable { table: table.to_string(), key: key.to_string() });
    }
    Ok((StatusCode::CREATED, Json(opened)))
}

/// The scores of the same deals at several tables, as far as all of them have played: like their records for
/// everybody when all are over, and before that for players who may connect to the table.
#[utoipa::path(get, path = "/api/duplicates/{table}", tag = "tables",
    params(("table" = String, Path, description = "the name of one of the tables")),
    security((), ("token" = []), ("cookie" = [])),
    responses((status = 200, body = Comparison), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn comparison(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Result<Authenticated, Problem>,
    PathParam(table): PathParam<String>,
) -> ApiResult<Response> {
    let (table, reader) = (table_id(&table)?, TableReader::Address(address));
    let compared = app.tables.compare(table, reader).await?;
    let compared = compared.ok_or_else(|| Problem::not_found("duplicate"))?;
    if !compared.over && !app.tables.admits(table, session?.player, reader).await? {
        return Err(not_admitted());
    }
    app.large_json(address, &compared)
}

/// Whether a rules code can be played, and its canonical form.
#[utoipa::path(get, path = "/api/rules/{code}", tag = "tables",
    params(("code" = String, Path, description = "a rules code")),
    responses((status = 200, body = String), (status = 400, body = Problem)))]
async fn rules(PathParam(code): PathParam<String>) -> ApiResult<String> {
    parse_rules(&code).map(|rules| rules.code())
}

fn not_admitted() -> Problem {
    Problem::forbidden("not_admitted", "the table is private")
}

fn parse_rules(code: &str) -> ApiResult<Rules> {
    Rules::from_code(code).map_err(|faults| Problem::bad("bad_rules", faults))
}

fn table_settings(new: &NewTable) -> ApiResult<TableSettings> {
    let rules = parse_rules(&new.rules)?;
    Ok(TableSettings { rules, pace: new.pace, listed: new.listed, contest: None })
}

fn table_id(text: &str) -> ApiResult<TableId> {
    text.parse().map_err(|_| Problem::not_found("table"))
}

fn listed_table(summary: TableSummary) -> ListedTable {
    ListedTable {
        table: summary.table.to_string(),
        rules: summary.rules,
        pace: summary.pace,
        stage: summary.stage,
        seats: summary.seats,
        at: summary.at,
    }
}

#[derive(Default, Deserialize)]
struct Summary {
    #[serde(default)]
    score: Vec<i32>,
    #[serde(default)]
    winners: Vec<usize>,
}

fn past_match(past_match: &PastMatch) -> PastMatchSummary {
    let finished = &past_match.finished;
    let summary: Summary = serde_json::from_str(&finished.summary).unwrap_or_default();
    PastMatchSummary {
        table: past_match.table.to_string(),
        number: finished.number,
        rules: finished.rules.clone(),
        ended: finished.ended_ms,
        names: finished.seats.iter().map(|seat| seat.name.clone()).collect(),
        score: summary.score,
        winners: summary.winners,
    }
}

fn cursor_text(cursor: Cursor) -> String {
    format!("{}-{}-{}", cursor.ended_ms, cursor.table, cursor.number)
}

fn read_cursor(text: &str) -> Option<Cursor> {
    let mut parts = text.split('-');
    let (ended_ms, table, number) = (parts.next()?, parts.next()?, parts.next()?);
    let cursor = Cursor {
        ended_ms: ended_ms.parse().ok()?,
        table: table.parse().ok()?,
        number: number.parse().ok()?,
    };
    parts.next().is_none().then_some(cursor)
}
