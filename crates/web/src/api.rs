//! What is asked of the server besides the game: who we are, tables, records.

use gloo_net::http::{Request, Response};
use wire::http::{
    Credentials, Enter, History, Lobby, Me, NewLedger, NewSession, NewTable, Opened, OpenedLedger,
    SeatTaken, TakeSeat,
};

/// Why something could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
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

impl Trouble {
    fn of_status(status: u16) -> Trouble {
        match status {
            404 | 410 => Trouble::Gone,
            400 | 401 | 403 => Trouble::Forbidden,
            429 => Trouble::TooMany,
            502..=504 => Trouble::Unreachable,
            _ => Trouble::Unwell,
        }
    }
}

type Answer<T> = Result<T, Trouble>;

/// An answer that is what was asked for.
async fn sent(request: Result<Request, gloo_net::Error>) -> Answer<Response> {
    let request = request.map_err(|_| Trouble::Unwell)?;
    let response = request.send().await.map_err(|_| Trouble::Unreachable)?;
    if response.ok() { Ok(response) } else { Err(Trouble::of_status(response.status())) }
}

fn garbled(_: gloo_net::Error) -> Trouble {
    Trouble::Unwell
}

/// Who we are; somebody new where nobody knows.
pub(crate) async fn session() -> Answer<Me> {
    match sent(Request::get("/api/me").build()).await {
        Err(Trouble::Forbidden) => {
            let new = Request::post("/api/session").json(&NewSession::default());
            sent(new).await?.json().await.map_err(garbled)
        }
        answer => answer?.json().await.map_err(garbled),
    }
}

/// Opens a table.
pub(crate) async fn open(table: &NewTable) -> Answer<Opened> {
    session().await?;
    sent(Request::post("/api/tables").json(table)).await?.json().await.map_err(garbled)
}

/// Comes in by a link.
pub(crate) async fn enter(table: &str, key: &str) -> Answer<()> {
    session().await?;
    let body = Enter { key: key.into() };
    sent(Request::post(&format!("/api/tables/{table}/enter")).json(&body)).await?;
    Ok(())
}

/// Whether a table is there and lets us in.
pub(crate) async fn look(table: &str) -> Answer<()> {
    session().await?;
    sent(Request::get(&format!("/api/tables/{table}")).build()).await?;
    Ok(())
}

/// What lets others in.
pub(crate) async fn link(table: &str) -> Answer<Opened> {
    let request = Request::get(&format!("/api/tables/{table}/link")).build();
    sent(request).await?.json().await.map_err(garbled)
}

/// The tables that are open to all.
pub(crate) async fn lobby() -> Answer<Lobby> {
    sent(Request::get("/api/tables").build()).await?.json().await.map_err(garbled)
}

/// A page of our matches; the first one, or the one that begins there.
pub(crate) async fn history(after: Option<&str>) -> Answer<History> {
    let after = after.map(|after| format!("?after={after}")).unwrap_or_default();
    let request = Request::get(&format!("/api/me/matches{after}")).build();
    sent(request).await?.json().await.map_err(garbled)
}

/// Why there is no account for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    /// The name or the passphrase will not do.
    Name,
    /// Somebody has the name.
    Taken,
    /// The passphrase is another.
    Wrong,
    Otherwise(Trouble),
}

async fn account(address: &str, given: &Credentials) -> Result<Me, Refused> {
    let request = Request::post(address).json(given);
    let request = request.map_err(|_| Refused::Otherwise(Trouble::Unwell))?;
    let response = request.send().await.map_err(|_| Refused::Otherwise(Trouble::Unreachable))?;
    match response.status() {
        200 | 201 => response.json().await.map_err(|_| Refused::Otherwise(Trouble::Unwell)),
        400 => Err(Refused::Name),
        401 | 403 => Err(Refused::Wrong),
        409 => Err(Refused::Taken),
        other => Err(Refused::Otherwise(Trouble::of_status(other))),
    }
}

/// Gives whoever we are a name and a passphrase.
pub(crate) async fn register(given: &Credentials) -> Result<Me, Refused> {
    account("/api/accounts", given).await
}

/// Makes us somebody whom the server knows.
pub(crate) async fn log_in(given: &Credentials) -> Result<Me, Refused> {
    account("/api/login", given).await
}

/// Makes us nobody.
pub(crate) async fn log_out() -> Answer<()> {
    sent(Request::delete("/api/session").build()).await?;
    Ok(())
}

/// Opens a ledger with its first line.
pub(crate) async fn open_ledger(lines: String) -> Answer<OpenedLedger> {
    let body = NewLedger { lines };
    sent(Request::post("/api/ledgers").json(&body)).await?.json().await.map_err(garbled)
}

/// Takes the seat that an online contest has for us.
pub(crate) async fn take_seat(ledger: &str, role: &str, key: &str) -> Answer<SeatTaken> {
    // Whoever sits at a table is somebody whom the server knows.
    session().await?;
    let body = TakeSeat { role: role.into(), key: key.into() };
    let request = Request::post(&format!("/api/ledgers/{ledger}/seat")).json(&body);
    sent(request).await?.json().await.map_err(garbled)
}

/// The lines of a ledger.
pub(crate) async fn ledger(name: &str) -> Answer<String> {
    text(&format!("/api/ledgers/{name}")).await
}

/// A file of ours.
pub(crate) async fn text(address: &str) -> Answer<String> {
    sent(Request::get(address).build()).await?.text().await.map_err(garbled)
}

/// Where the record of a match is.
pub(crate) fn record(table: &str, number: u32) -> String {
    format!("/api/tables/{table}/matches/{number}")
}
