//! What is asked of the server besides the game: who we are, tables, records.

use gloo_net::http::{Request, Response};
use wire::http::{Enter, Lobby, Me, NewSession, NewTable, Opened};

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

/// A file of ours.
pub(crate) async fn text(address: &str) -> Answer<String> {
    sent(Request::get(address).build()).await?.text().await.map_err(garbled)
}
