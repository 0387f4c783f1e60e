//! What a client is told when something cannot be done, or cannot be read.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store::StoreError;
use utoipa::ToSchema;
use wire::table::{Reason, Refusal};

use crate::hall::NoTable;
use crate::ledger::NoLedger;
use crate::people::Stranger;

/// Why something was not done.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Problem {
    #[serde(skip)]
    #[schema(ignore)]
    status: StatusCode,
    /// The reason, for programs.
    #[schema(example = "not_found")]
    error: &'static str,
    /// The reason in words, for people who write programs.
    message: String,
}

/// What a handler answers.
pub(super) type Answer<T> = Result<T, Problem>;

impl Problem {
    pub(super) fn new(
        status: StatusCode,
        error: &'static str,
        message: impl Into<String>,
    ) -> Problem {
        Problem { status, error, message: message.into() }
    }

    pub(super) fn bad(error: &'static str, message: impl ToString) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, error, message.to_string())
    }

    pub(super) fn nobody() -> Problem {
        let message = "say who you are first: POST /api/session";
        Problem::new(StatusCode::UNAUTHORIZED, "no_session", message)
    }

    /// Whether it is only that nobody knows who asks.
    pub(super) fn is_nobody(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    pub(super) fn not_found(what: &str) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not_found", format!("there is no such {what}"))
    }

    pub(super) fn forbidden(error: &'static str, message: &str) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, error, message)
    }

    pub(super) fn too_many() -> Problem {
        let message = "too much in a short time; try again in a moment";
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message)
    }

    pub(super) fn too_slow() -> Problem {
        let message = "the request took too long";
        Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message)
    }

    fn unavailable() -> Problem {
        let message = "this cannot be kept at the moment; try again later";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        tracing::error!(%error, "the store failed");
        Problem::unavailable()
    }
}

impl From<NoTable> for Problem {
    fn from(error: NoTable) -> Problem {
        match error {
            NoTable::NotFound => Problem::not_found("table"),
            NoTable::Store(error) => error.into(),
            NoTable::Unreadable(error) => {
                tracing::error!(%error, "a table cannot be read");
                Problem::unavailable()
            }
            NoTable::Stopping => Problem::unavailable(),
        }
    }
}

impl From<NoLedger> for Problem {
    fn from(error: NoLedger) -> Problem {
        match error {
            NoLedger::NotFound => Problem::not_found("ledger"),
            NoLedger::Store(error) => error.into(),
            NoLedger::Unreadable(error) => {
                tracing::error!(%error, "a ledger cannot be read");
                Problem::unavailable()
            }
            NoLedger::Stopping => Problem::unavailable(),
        }
    }
}

impl From<Stranger> for Problem {
    fn from(error: Stranger) -> Problem {
        let message = error.to_string();
        let (status, code) = match error {
            Stranger::WrongPassphrase => (StatusCode::FORBIDDEN, "wrong_passphrase"),
            Stranger::BadName => (StatusCode::BAD_REQUEST, "bad_name"),
            Stranger::BadPassphrase => (StatusCode::BAD_REQUEST, "bad_passphrase"),
            Stranger::NameTaken => (StatusCode::CONFLICT, "name_taken"),
            Stranger::HasAccount => (StatusCode::CONFLICT, "has_account"),
            Stranger::Busy => (StatusCode::TOO_MANY_REQUESTS, "too_many"),
            Stranger::LinkUsed => (StatusCode::GONE, "link_used"),
            Stranger::Store(error) => return error.into(),
        };
        Problem::new(status, code, message)
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        match refusal.reason {
            Reason::Unavailable => Problem::unavailable(),
            Reason::Closed => Problem::not_found("table"),
            Reason::SentAway => Problem::forbidden("sent_away", "the host has sent you away"),
            Reason::TooFast => Problem::too_many(),
            _ => {
                Problem::forbidden("not_admitted", "the table is private, and this is not its link")
            }
        }
    }
}
