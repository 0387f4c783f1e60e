//! Contests and score sheets over HTTP: opening and reading them. Everything else goes over the WebSocket
//! of the ledger.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use game::record::{InvalidName, Name};
use hyper::body::{Frame, SizeHint};
use store::LedgerId;
use wire::contest::parse_role;
use wire::http::{NewLedger, OpenedLedger, SeatTaken, TakeSeat};
use wire::ledger::Ledger;

use super::App;
use super::extract::{JsonBody, PathParam};
use super::problem::{ApiResult, Problem};
use super::session::{Authenticated, ClientIp};
use crate::ledger::{LineBlock, LineBlocks};

/// The maximum bytes of a request that opens a ledger.
const MAX_BYTES: usize = 2 << 20;

pub(super) fn routes() -> Router<Arc<App>> {
    let open = post(open).layer(DefaultBodyLimit::max(MAX_BYTES));
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
    ClientIp(address): ClientIp,
    session: Authenticated,
    JsonBody(new): JsonBody<NewLedger>,
) -> ApiResult<(StatusCode, Json<OpenedLedger>)> {
    app.check_costly(address)?;
    if !app.connection_limits.allows_ledger_bytes(address, new.lines.len()) {
        return Err(Problem::too_many());
    }
    let ledger =
        Ledger::from_lines(&new.lines).map_err(|fault| Problem::bad("bad_ledger", fault))?;
    if !ledger.names().into_iter().all(Name::is_legible) {
        return Err(Problem::bad("bad_ledger", InvalidName));
    }
    let (ledger, key) = app.ledgers.open(ledger, session.player).await?;
    metrics::counter!("ghinda_ledgers_opened_total").increment(1);
    let opened = OpenedLedger { ledger: ledger.to_string(), key: key.to_string() };
    Ok((StatusCode::CREATED, Json(opened)))
}

/// All lines of a ledger: the header, then one line for each change, each a JSON object.
#[utoipa::path(get, path = "/api/ledgers/{ledger}", tag = "ledgers",
    params(("ledger" = String, Path, description = "the name of the ledger in links")),
    responses((status = 200, body = String, content_type = "application/jsonl"),
        (status = 404, body = Problem)))]
pub(super) async fn lines(
    State(app): State<Arc<App>>,
    PathParam(ledger): PathParam<String>,
) -> ApiResult<Response> {
    let name: LedgerId = ledger.parse().map_err(|_| Problem::not_found("ledger"))?;
    let lines = Body::new(LinesBody::new(app.ledgers.lines(name).await?));
    Ok(([(CONTENT_TYPE, "application/jsonl; charset=utf-8")], lines).into_response())
}

/// The body of an answer with lines, which it shares with all other readers.
struct LinesBody {
    blocks: Box<dyn Iterator<Item = Arc<LineBlock>> + Send>,
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
    fn new(lines: LineBlocks) -> LinesBody {
        let bytes_left = lines.bytes() as u64;
        LinesBody { blocks: Box::new(lines.into_blocks()), bytes_left }
    }
}

impl HttpBody for LinesBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = self.blocks.next().map(|block| Bytes::from_owner(BlockBytes(block)));
        self.bytes_left -= bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
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
    responses((status = 200, body = SeatTaken), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn sit(
    State(app): State<Arc<App>>,
    session: Authenticated,
    PathParam(ledger): PathParam<String>,
    JsonBody(asks): JsonBody<TakeSeat>,
) -> ApiResult<Json<SeatTaken>> {
    let name: LedgerId = ledger.parse().map_err(|_| Problem::not_found("ledger"))?;
    let no_seat = || Problem::forbidden("no_seat", "the contest has no seat for you now");
    let role = parse_role(&asks.role).map_err(|_| no_seat())?;
    let key = asks.key.parse().map_err(|_| no_seat())?;
    let table = app.ledgers.sit(name, (role, key), session.player).await?.ok_or_else(no_seat)?;
    Ok(Json(SeatTaken { table: table.to_string() }))
}
