//! The answer to a request that is refused or fails.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store::StoreError;
use utoipa::ToSchema;
use wire::table::{CommandRefusal, RefusalReason};

use crate::accounts::AuthError;
use crate::ledger::LedgerError;
use crate::tables::TableError;

/// Why something was not done.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Problem {
    #[serde(skip)]
    #[schema(ignore)]
    status: StatusCode,
    /// The reason, for programs.
    #[schema(example = "not_found")]
    error: &'static str,
    /// The reason in words, for developers.
    message: String,
}

/// What a handler answers.
pub(super) type ApiResult<T> = Result<T, Problem>;

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

    pub(super) fn no_session() -> Problem {
        let message = "there is no session; begin one with POST /api/session";
        Problem::new(StatusCode::UNAUTHORIZED, "no_session", message)
    }

    /// Whether the request only lacks a session.
    pub(super) fn is_no_session(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    pub(super) fn not_found(what: &str) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not_found", format!("there is no such {what}"))
    }

    pub(super) fn forbidden(error: &'static str, message: &str) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, error, message)
    }

    pub(super) fn too_many() -> Problem {
        let message = "too many requests; try again in a moment";
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message)
    }

    pub(super) fn too_slow() -> Problem {
        let message = "the request took too long";
        Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message)
    }

    pub(super) fn busy() -> Problem {
        let message = "the server has too much to do; try again in a moment";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    pub(super) fn unavailable() -> Problem {
        let message = "this cannot be stored at the moment; try again later";
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

impl From<TableError> for Problem {
    fn from(error: TableError) -> Problem {
        match error {
            TableError::NotFound => Problem::not_found("table"),
            error @ TableError::TooMany => {
                Problem::new(StatusCode::CONFLICT, "too_many_tables", error.to_string())
            }
            TableError::Busy => Problem::busy(),
            TableError::Store(error) => error.into(),
            TableError::Unreadable(error) => {
                tracing::error!(%error, "a table cannot be read");
                Problem::unavailable()
            }
            TableError::Stopping => Problem::unavailable(),
        }
    }
}

impl From<LedgerError> for Problem {
    fn from(error: LedgerError) -> Problem {
        match error {
            LedgerError::NotFound => Problem::not_found("ledger"),
            error @ LedgerError::TooMany => {
                Problem::new(StatusCode::CONFLICT, "too_many_ledgers", error.to_string())
            }
            LedgerError::Busy => Problem::busy(),
            LedgerError::Store(error) => error.into(),
            LedgerError::Unreadable(error) => {
                tracing::error!(%error, "a ledger cannot be read");
                Problem::unavailable()
            }
            LedgerError::Stopping => Problem::unavailable(),
        }
    }
}

impl From<AuthError> for Problem {
    fn from(error: AuthError) -> Problem {
        let message = error.to_string();
        let (status, code) = match error {
            AuthError::WrongPassphrase => (StatusCode::FORBIDDEN, "wrong_passphrase"),
            AuthError::BadName => (StatusCode::BAD_REQUEST, "bad_name"),
            AuthError::BadPassphrase => (StatusCode::BAD_REQUEST, "bad_passphrase"),
            AuthError::NameTaken => (StatusCode::CONFLICT, "name_taken"),
            AuthError::HasAccount => (StatusCode::CONFLICT, "has_account"),
            AuthError::Busy => (StatusCode::TOO_MANY_REQUESTS, "too_many"),
            AuthError::TooManyTries => (StatusCode::TOO_MANY_REQUESTS, "too_many_tries"),
            AuthError::NotHashed => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            AuthError::LinkUsed => (StatusCode::GONE, "link_used"),
            AuthError::Store(error) => return error.into(),
        };
        Problem::new(status, code, message)
    }
}

impl From<CommandRefusal> for Problem {
    fn from(refusal: CommandRefusal) -> Problem {
        match refusal.reason {
            RefusalReason::Unavailable => Problem::unavailable(),
            RefusalReason::Closed => Problem::not_found("table"),
            RefusalReason::Kicked => Problem::forbidden("sent_away", "the host has removed you"),
            RefusalReason::TooFast => Problem::too_many(),
            _ => {
                Problem::forbidden("not_admitted", "the table is private, and this is not its link")
            }
        }
    }
}
