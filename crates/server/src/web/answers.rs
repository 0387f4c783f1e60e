//! Large answers: how many bytes of them the server holds for clients that read slowly is bounded, and a request
//! is under way until its answer is sent.

use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::Error;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use serde::Serialize;

use super::App;
use super::connection_limits::Permit;
use super::problem::{ApiResult, Problem};
use crate::byte_pool::PooledBytes;
use crate::quotas::Quota;

/// A text with the bytes that it takes until it is sent.
struct PooledText {
    text: String,
    _bytes: PooledBytes,
}

impl AsRef<[u8]> for PooledText {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl App {
    /// The body of a large answer to an address, unless too much is being sent.
    pub(super) fn large_answer(&self, address: IpAddr, text: String) -> ApiResult<Body> {
        let Some(bytes) = self.answers.take(address, text.len()) else {
            Quota::Answers.count_refusal();
            return Err(Problem::busy());
        };
        Ok(Body::from(Bytes::from_owner(PooledText { text, _bytes: bytes })))
    }

    /// A large answer in JSON.
    pub(super) fn large_json(
        &self,
        address: IpAddr,
        answer: &impl Serialize,
    ) -> ApiResult<Response> {
        let text = serde_json::to_string(answer).map_err(|error| {
            tracing::error!(%error, "an answer cannot be written");
            Problem::unavailable()
        })?;
        let body = self.large_answer(address, text)?;
        Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
    }
}

/// The body of an answer whose request is under way until it is sent.
pub(super) struct PermittedBody {
    body: Body,
    _permit: Permit,
}

impl PermittedBody {
    pub(super) fn new(body: Body, permit: Permit) -> PermittedBody {
        PermittedBody { body, _permit: permit }
    }
}

impl HttpBody for PermittedBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
