//! Extractors for bodies and parameters. What cannot be read becomes a [`Problem`], so that clients get
//! one kind of refusal.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query};

use super::problem::Problem;

/// A JSON body.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Problem))]
pub(super) struct JsonBody<T>(pub(super) T);

/// The parameters in the path.
#[derive(FromRequestParts)]
#[from_request(via(Path), rejection(Problem))]
pub(super) struct PathParam<T>(pub(super) T);

/// The parameters in the query.
#[derive(FromRequestParts)]
#[from_request(via(Query), rejection(Problem))]
pub(super) struct QueryParam<T>(pub(super) T);

/// Turns rejections of axum's extractors into problems.
macro_rules! rejections {
    ($($rejection:ident)*) => {
        $(
            impl From<$rejection> for Problem {
                fn from(rejection: $rejection) -> Problem {
                    Problem::new(rejection.status(), "bad_request", rejection.body_text())
                }
            }
        )*
    };
}

rejections!(JsonRejection PathRejection QueryRejection);
