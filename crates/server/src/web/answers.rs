//! Large answers: how many bytes of them the server holds for clients that read slowly is bounded.

use std::net::IpAddr;

use axum::body::{Body, Bytes};

use super::App;
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
}
