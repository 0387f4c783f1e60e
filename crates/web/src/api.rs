//! Requests to the HTTP API of the server: the session, tables, records, accounts, ledgers.

use gloo_net::http::{Request, Response};
use wire::http::{
    AdmitRequest, AssignedTable, Credentials, History, Identity, Lobby, NewLedger, NewSession,
    NewTable, OpenedLedger, OpenedTable, ProblemCode, TOO_MANY_TRIES, TakeSeat,
};

/// Why a request failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ApiError {
    /// The server does not answer.
    Unreachable,
    /// The resource does not exist any more.
    Gone,
    /// The client is not allowed to do this.
    Forbidden,
    /// Too many requests in a short time.
    TooMany,
    /// The player has as many of these as a player may have.
    Full,
    /// The server reports a fault, or its answer cannot be read.
    ServerFault,
}

impl ApiError {
    fn of_status(status: u16) -> ApiError {
        match status {
            404 | 410 => ApiError::Gone,
            400 | 401 | 403 => ApiError::Forbidden,
            409 => ApiError::Full,
            429 => ApiError::TooMany,
            502..=504 => ApiError::Unreachable,
            _ => ApiError::ServerFault,
        }
    }
}

type FetchResult<T> = Result<T, ApiError>;

/// Sends a request. Returns the response only if its status is a success.
async fn send(request: Result<Request, gloo_net::Error>) -> FetchResult<Response> {
    let request = request.map_err(|_| ApiError::ServerFault)?;
    let response = request.send().await.map_err(|_| ApiError::Unreachable)?;
    if response.ok() { Ok(response) } else { Err(ApiError::of_status(response.status())) }
}

fn unreadable(_: gloo_net::Error) -> ApiError {
    ApiError::ServerFault
}

/// The session of this client; opens a new one if the server does not know the client.
pub(crate) async fn session() -> FetchResult<Identity> {
    match send(Request::get("/api/me").build()).await {
        Err(ApiError::Forbidden) => {
            let new = Request::post("/api/session").json(&NewSession::default());
            send(new).await?.json().await.map_err(unreadable)
        }
        answer => answer?.json().await.map_err(unreadable),
    }
}

/// Opens a table.
pub(crate) async fn open(table: &NewTable) -> FetchResult<OpenedTable> {
    session().await?;
    send(Request::post("/api/tables").json(table)).await?.json().await.map_err(unreadable)
}

/// Exchanges the key of a link for admission to the table.
pub(crate) async fn admit(table: &str, key: &str) -> FetchResult<()> {
    session().await?;
    let body = AdmitRequest { key: key.into() };
    send(Request::post(&format!("/api/tables/{table}/enter")).json(&body)).await?;
    Ok(())
}

/// Checks that a table exists and admits this client.
pub(crate) async fn look(table: &str) -> FetchResult<()> {
    session().await?;
    send(Request::get(&format!("/api/tables/{table}")).build()).await?;
    Ok(())
}

/// The table with the key of its invitation link.
pub(crate) async fn link(table: &str) -> FetchResult<OpenedTable> {
    let request = Request::get(&format!("/api/tables/{table}/link")).build();
    send(request).await?.json().await.map_err(unreadable)
}

/// The tables that are listed publicly.
pub(crate) async fn lobby() -> FetchResult<Lobby> {
    send(Request::get("/api/tables").build()).await?.json().await.map_err(unreadable)
}

/// A page of the player's matches: the first one, or the one after a cursor.
pub(crate) async fn history(after: Option<&str>) -> FetchResult<History> {
    let after = after.map(|after| format!("?after={after}")).unwrap_or_default();
    let request = Request::get(&format!("/api/me/matches{after}")).build();
    send(request).await?.json().await.map_err(unreadable)
}

/// Why the server refused to register or log in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AccountRefusal {
    /// The name or the passphrase is not acceptable.
    Name,
    /// The name is taken.
    Taken,
    /// The passphrase is wrong.
    Wrong,
    /// Too many passphrases for this name were wrong.
    Tries,
    Other(ApiError),
}

async fn account(address: &str, given: &Credentials) -> Result<Identity, AccountRefusal> {
    let request = Request::post(address).json(given);
    let request = request.map_err(|_| AccountRefusal::Other(ApiError::ServerFault))?;
    let response =
        request.send().await.map_err(|_| AccountRefusal::Other(ApiError::Unreachable))?;
    match response.status() {
        200 | 201 => {
            response.json().await.map_err(|_| AccountRefusal::Other(ApiError::ServerFault))
        }
        400 => Err(AccountRefusal::Name),
        401 | 403 => Err(AccountRefusal::Wrong),
        409 => Err(AccountRefusal::Taken),
        429 => Err(match response.json::<ProblemCode>().await {
            Ok(problem) if problem.error == TOO_MANY_TRIES => AccountRefusal::Tries,
            _ => AccountRefusal::Other(ApiError::TooMany),
        }),
        other => Err(AccountRefusal::Other(ApiError::of_status(other))),
    }
}

/// Gives the current player a name and a passphrase.
pub(crate) async fn register(given: &Credentials) -> Result<Identity, AccountRefusal> {
    account("/api/accounts", given).await
}

/// Logs in to an existing account.
pub(crate) async fn log_in(given: &Credentials) -> Result<Identity, AccountRefusal> {
    account("/api/login", given).await
}

/// Ends the session.
pub(crate) async fn log_out() -> FetchResult<()> {
    send(Request::delete("/api/session").build()).await?;
    Ok(())
}

/// Opens a ledger with its first lines.
pub(crate) async fn open_ledger(lines: String) -> FetchResult<OpenedLedger> {
    session().await?;
    let body = NewLedger { lines };
    send(Request::post("/api/ledgers").json(&body)).await?.json().await.map_err(unreadable)
}

/// Takes the player's seat at a table of an online contest.
pub(crate) async fn take_seat(ledger: &str, role: &str, key: &str) -> FetchResult<AssignedTable> {
    // A seat needs a session.
    session().await?;
    let body = TakeSeat { role: role.into(), key: key.into() };
    let request = Request::post(&format!("/api/ledgers/{ledger}/seat")).json(&body);
    send(request).await?.json().await.map_err(unreadable)
}

/// The lines of a ledger.
pub(crate) async fn ledger(name: &str) -> FetchResult<String> {
    text(&format!("/api/ledgers/{name}")).await
}

/// A text file of the server.
pub(crate) async fn text(address: &str) -> FetchResult<String> {
    send(Request::get(address).build()).await?.text().await.map_err(unreadable)
}

/// The address of the record of a match.
pub(crate) fn record(table: &str, number: u32) -> String {
    format!("/api/tables/{table}/matches/{number}")
}
