//! Contests and score sheets over HTTP: opening and reading them. Everything else goes over the WebSocket
//! of the ledger.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use contest::Venue;
use game::record::{InvalidName, Name};
use hyper::body::{Frame, SizeHint};
use store::{LedgerId, PlayerId};
use wire::contest::parse_role;
use wire::http::{AssignedTable, NewLedger, OpenedLedger, TakeSeat};
use wire::ledger::Ledger;

use super::App;
use super::connection_limits::Permit;
use super::extract::{JsonBody, PathParam};
use super::problem::{ApiResult, Problem};
use super::session::{Authenticated, ClientIp, client_ip};
use crate::ledger::{AnswerLines, LineBlock};
use crate::rations::{ENTRY_BYTES, Payer, RationKind, ShareOf};

/// The maximum bytes of a request that opens a ledger.
const MAX_UPLOAD: usize = 2 << 20;
/// As how many written bytes a table counts that the server opens for an uploaded contest.
const TABLE_BYTES: usize = 4 << 10;
/// As how many written bytes it counts that a player takes a seat.
const SEAT_BYTES: usize = 1 << 10;

impl App {
    /// The player for whom counts what a request stores, unless their ration is used up.
    fn ledger_payer(&self, address: IpAddr, player: PlayerId) -> ApiResult<Payer> {
        let payer = self.connection_limits.payer(address, ShareOf::Player(player));
        match payer.may_store(RationKind::Ledger) {
            true => Ok(payer),
            false => Err(Problem::too_many()),
        }
    }
}

pub(super) fn routes() -> Router<Arc<App>> {
    let open = post(open).layer(DefaultBodyLimit::max(MAX_UPLOAD));
    Router::new()
        .route("/ledgers", open)
        .route("/ledgers/{ledger}", get(lines))
        .route("/ledgers/{ledger}/seat", post(sit))
}

/// Opens a contest or a score sheet on the server.
#[utoipa::path(post, path = "/api/ledgers", tag = "ledgers", request_body = NewLedger,
    security(("token" = []), ("cookie" = [])),
    responses((status = 201, body = OpenedLedger), (status = 400, body = Problem),
        (status = 401, body = Problem), (status = 409, body = Problem), (status = 429, body = Problem)))]
pub(super) async fn open(
    State(app): State<Arc<App>>,
    session: Authenticated,
    Upload { address, _permit }: Upload,
    JsonBody(new): JsonBody<NewLedger>,
) -> ApiResult<(StatusCode, Json<OpenedLedger>)> {
    let payer = app.ledger_payer(address, session.player)?;
    let bytes = new.lines.len() + new.lines.lines().count() * ENTRY_BYTES;
    let read = move || {
        let ledger = Ledger::from_lines(&new.lines).map_err(|fault| fault.to_string())?;
        let is_legible = ledger.names().into_iter().all(Name::is_legible);
        if is_legible { Ok(ledger) } else { Err(InvalidName.to_string()) }
    };
    let read = app.ledgers.run(address, read).await?;
    let ledger = read.map_err(|fault: String| Problem::bad("bad_ledger", fault))?;
    let bytes = bytes + tables_of(&ledger) * TABLE_BYTES;
    let (ledger, key) = app.ledgers.open(ledger, session.player, address).await?;
    payer.charge(RationKind::Ledger, bytes);
    metrics::counter!("ghinda_ledgers_opened_total").increment(1);
    let opened = OpenedLedger { ledger: ledger.to_string(), key: key.to_string() };
    Ok((StatusCode::CREATED, Json(opened)))
}

/// The permission to send a ledger. It comes before the body of the request, which may be large.
pub(super) struct Upload {
    address: IpAddr,
    _permit: Permit,
}

impl FromRequestParts<Arc<App>> for Upload {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Upload, Problem> {
        let address = client_ip(app, &parts.headers, &parts.extensions);
        app.check_costly(address)?;
        let permit = app.connection_limits.permit_upload(address).ok_or_else(Problem::busy)?;
        Ok(Upload { address, _permit: permit })
    }
}

/// How many tables the server opens at most for a ledger, whatever its lines say about them.
fn tables_of(ledger: &Ledger) -> usize {
    let online = ledger.contest().filter(|contest| contest.settings().venue() == Venue::Online);
    online.and_then(|contest| contest.phases().last()).map_or(0, |phase| phase.tables().len())
}

/// All lines of a ledger: the header, then one line for each change, each a JSON object.
#[utoipa::path(get, path = "/api/ledgers/{ledger}", tag = "ledgers",
    params(("ledger" = String, Path, description = "the name of the ledger in links")),
    responses((status = 200, body = String, content_type = "application/jsonl"),
        (status = 404, body = Problem)))]
pub(super) async fn lines(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    PathParam(ledger): PathParam<String>,
) -> ApiResult<Response> {
    let name: LedgerId = ledger.parse().map_err(|_| Problem::not_found("ledger"))?;
    let lines = Body::new(LinesBody::new(app.ledgers.lines(name, address).await?));
    Ok(([(CONTENT_TYPE, "application/jsonl; charset=utf-8")], lines).into_response())
}

/// The body of an answer with lines, which it shares with all other readers.
struct LinesBody {
    lines: Arc<AnswerLines>,
    /// How many blocks were sent.
    sent: usize,
    bytes_left: u64,
}

/// Gives the bytes of a block.
struct BlockBytes(Arc<LineBlock>);

impl AsRef<[u8]> for BlockBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.text().as_bytes()
    }
}

impl LinesBody {
    fn new(lines: Arc<AnswerLines>) -> LinesBody {
        let bytes_left = lines.bytes() as u64;
        LinesBody { lines, sent: 0, bytes_left }
    }
}

impl HttpBody for LinesBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(block) = self.lines.blocks().get(self.sent).cloned() else {
            return Poll::Ready(None);
        };
        self.sent += 1;
        self.bytes_left -= block.text().len() as u64;
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_owner(BlockBytes(block))))))
    }

    /// From which the answer gets its length.
    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes_left)
    }
}

/// Gives a player of an online contest the seat that was drawn for them.
#[utoipa::path(post, path = "/api/ledgers/{ledger}/seat", tag = "ledgers", request_body = TakeSeat,
    params(("ledger" = String, Path, description = "the name of the ledger in links")),
    security(("token" = []), ("cookie" = [])),
    responses((status = 200, body = AssignedTable), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 429, body = Problem)))]
pub(super) async fn sit(
    State(app): State<Arc<App>>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    PathParam(ledger): PathParam<String>,
    JsonBody(asks): JsonBody<TakeSeat>,
) -> ApiResult<Json<AssignedTable>> {
    let name: LedgerId = ledger.parse().map_err(|_| Problem::not_found("ledger"))?;
    let no_seat = || Problem::forbidden("no_seat", "the contest has no seat for you now");
    let role = parse_role(&asks.role).map_err(|_| no_seat())?;
    let key = asks.key.parse().map_err(|_| no_seat())?;
    let payer = app.ledger_payer(address, session.player)?;
    let seat = app.ledgers.sit(name, (role, key), session.player, address).await?;
    let table = seat.ok_or_else(no_seat)?;
    payer.charge(RationKind::Ledger, SEAT_BYTES);
    Ok(Json(AssignedTable { table: table.to_string() }))
}
