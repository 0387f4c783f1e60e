//! What is asked of the server besides the game: who we are, tables, records.

use gloo_net::http::{Request, Response};
use wire::http::{
    AdmitRequest, Credentials, History, Identity, Lobby, NewLedger, NewSession, NewTable,
    OpenedLedger, OpenedTable, SeatTaken, TakeSeat,
};

/// Why something could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ApiError {
    /// Nobody answers.
    Unreachable,
    /// There is no such thing any more.
    Gone,
    /// We may not.
    Forbidden,
    /// Too much in a short time.
    TooMany,
    /// The server cannot at the moment, or says what we do not understand.
    Unwell,
}

impl ApiError {
    fn of_status(status: u16) -> ApiError {
        match status {
            404 | 410 => ApiError::Gone,
            400 | 401 | 403 => ApiError::Forbidden,
            429 => ApiError::TooMany,
            502..=504 => ApiError::Unreachable,
            _ => ApiError::Unwell,
        }
    }
}

type FetchResult<T> = Result<T, ApiError>;

/// An answer that is what was asked for.
async fn sent(request: Result<Request, gloo_net::Error>) -> FetchResult<Response> {
    let request = request.map_err(|_| ApiError::Unwell)?;
    let response = request.send().await.map_err(|_| ApiError::Unreachable)?;
    if response.ok() { Ok(response) } else { Err(ApiError::of_status(response.status())) }
}

fn garbled(_: gloo_net::Error) -> ApiError {
    ApiError::Unwell
}

/// Who we are; somebody new where nobody knows.
pub(crate) async fn session() -> FetchResult<Identity> {
    match sent(Request::get("/api/me").build()).await {
        Err(ApiError::Forbidden) => {
            let new = Request::post("/api/session").json(&NewSession::default());
            sent(new).await?.json().await.map_err(garbled)
        }
        answer => answer?.json().await.map_err(garbled),
    }
}

/// Opens a table.
pub(crate) async fn open(table: &NewTable) -> FetchResult<OpenedTable> {
    session().await?;
    sent(Request::post("/api/tables").json(table)).await?.json().await.map_err(garbled)
}

/// Comes in by a link.
pub(crate) async fn enter(table: &str, key: &str) -> FetchResult<()> {
    session().await?;
    let body = AdmitRequest { key: key.into() };
    sent(Request::post(&format!("/api/tables/{table}/enter")).json(&body)).await?;
    Ok(())
}

/// Whether a table is there and lets us in.
pub(crate) async fn look(table: &str) -> FetchResult<()> {
    session().await?;
    sent(Request::get(&format!("/api/tables/{table}")).build()).await?;
    Ok(())
}

/// What lets others in.
pub(crate) async fn link(table: &str) -> FetchResult<OpenedTable> {
    let request = Request::get(&format!("/api/tables/{table}/link")).build();
    sent(request).await?.json().await.map_err(garbled)
}

/// The tables that are open to all.
pub(crate) async fn lobby() -> FetchResult<Lobby> {
    sent(Request::get("/api/tables").build()).await?.json().await.map_err(garbled)
}

/// A page of our matches; the first one, or the one that begins there.
pub(crate) async fn history(after: Option<&str>) -> FetchResult<History> {
    let after = after.map(|after| format!("?after={after}")).unwrap_or_default();
    let request = Request::get(&format!("/api/me/matches{after}")).build();
    sent(request).await?.json().await.map_err(garbled)
}

/// Why there is no account for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AccountRefusal {
    /// The name or the passphrase will not do.
    Name,
    /// Somebody has the name.
    Taken,
    /// The passphrase is another.
    Wrong,
    Otherwise(ApiError),
}

async fn account(address: &str, given: &Credentials) -> Result<Identity, AccountRefusal> {
    let request = Request::post(address).json(given);
    let request = request.map_err(|_| AccountRefusal::Otherwise(ApiError::Unwell))?;
    let response =
        request.send().await.map_err(|_| AccountRefusal::Otherwise(ApiError::Unreachable))?;
    match response.status() {
        200 | 201 => response.json().await.map_err(|_| AccountRefusal::Otherwise(ApiError::Unwell)),
        400 => Err(AccountRefusal::Name),
        401 | 403 => Err(AccountRefusal::Wrong),
        409 => Err(AccountRefusal::Taken),
        other => Err(AccountRefusal::Otherwise(ApiError::of_status(other))),
    }
}

/// Gives whoever we are a name and a passphrase.
pub(crate) async fn register(given: &Credentials) -> Result<Identity, AccountRefusal> {
    account("/api/accounts", given).await
}

/// Makes us somebody whom the server knows.
pub(crate) async fn log_in(given: &Credentials) -> Result<Identity, AccountRefusal> {
    account("/api/login", given).await
}

/// Makes us nobody.
pub(crate) async fn log_out() -> FetchResult<()> {
    sent(Request::delete("/api/session").build()).await?;
    Ok(())
}

/// Opens a ledger with its first line.
pub(crate) async fn open_ledger(lines: String) -> FetchResult<OpenedLedger> {
    let body = NewLedger { lines };
    sent(Request::post("/api/ledgers").json(&body)).await?.json().await.map_err(garbled)
}

/// Takes the seat that an online contest has for us.
pub(crate) async fn take_seat(ledger: &str, role: &str, key: &str) -> FetchResult<SeatTaken> {
    // Whoever sits at a table is somebody whom the server knows.
    session().await?;
    let body = TakeSeat { role: role.into(), key: key.into() };
    let request = Request::post(&format!("/api/ledgers/{ledger}/seat")).json(&body);
    sent(request).await?.json().await.map_err(garbled)
}

/// The lines of a ledger.
pub(crate) async fn ledger(name: &str) -> FetchResult<String> {
    text(&format!("/api/ledgers/{name}")).await
}

/// A file of ours.
pub(crate) async fn text(address: &str) -> FetchResult<String> {
    sent(Request::get(address).build()).await?.text().await.map_err(garbled)
}

/// Where the record of a match is.
pub(crate) fn record(table: &str, number: u32) -> String {
    format!("/api/tables/{table}/matches/{number}")
}
