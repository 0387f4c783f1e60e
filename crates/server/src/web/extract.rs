//! Extractors for bodies and parameters. What cannot be read becomes a [`Problem`], so that clients get
//! one kind of refusal.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// A JSON body.
pub(super) struct JsonBody<T>(pub(super) T);

/// The parameters in the path.
pub(super) struct PathParam<T>(pub(super) T);

/// The parameters in the query.
pub(super) struct QueryParam<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, Problem> {
        let read = Json::<T>::from_request(request, state).await;
        read.map(|Json(sent)| JsonBody(sent))
            .map_err(|unread: JsonRejection| unreadable(unread.status(), unread.body_text()))
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParam<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathParam<T>, Problem> {
        let read = Path::<T>::from_request_parts(parts, state).await;
        read.map(|Path(named)| PathParam(named))
            .map_err(|unread: PathRejection| unreadable(unread.status(), unread.body_text()))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParam<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryParam<T>, Problem> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(asked)| QueryParam(asked))
            .map_err(|unread: QueryRejection| unreadable(unread.status(), unread.body_text()))
    }
}

fn unreadable(status: StatusCode, what: String) -> Problem {
    Problem::new(status, "bad_request", what)
}
