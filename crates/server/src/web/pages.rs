//! The files of the web client. The server takes them as a value, so that it can be built and tested
//! without them.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::App;
use super::problem::Problem;

/// One file.
#[derive(Clone, Debug)]
pub struct PageFile {
    /// Its media type.
    pub kind: &'static str,
    /// Its bytes. All answers share them.
    pub plain: Bytes,
    /// Its bytes compressed with brotli.
    pub brotli: Option<Bytes>,
    /// A hash of its content.
    pub tag: String,
    /// Whether its path contains the tag, so that the file at this path never changes.
    pub forever: bool,
}

/// All files by their paths without the leading slash. `index.html` is served for every path of the
/// client.
#[derive(Clone, Debug, Default)]
pub struct PageFiles(pub BTreeMap<String, PageFile>);

/// Serves a file of the client, or its page.
pub(super) async fn page(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let file = app.pages.0.get(path).or_else(|| {
        // A path without a dot is a route of the client.
        let is_route = !path.starts_with("api/") && !path.contains('.');
        app.pages.0.get("index.html").filter(|_| is_route)
    });
    let Some(file) = file else { return Problem::not_found("page").into_response() };
    let quoted = format!("\"{}\"", file.tag);
    let is_unchanged =
        headers.get(IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == quoted.as_bytes());
    let caching = if file.forever { "public, max-age=31536000, immutable" } else { "no-cache" };
    let basics =
        [(CACHE_CONTROL, caching.to_owned()), (ETAG, quoted), (VARY, "accept-encoding".into())];
    if is_unchanged {
        return (StatusCode::NOT_MODIFIED, basics).into_response();
    }
    let accepts = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let brotli = file.brotli.as_ref().filter(|_| accepts.is_some_and(|list| list.contains("br")));
    let kind = [(CONTENT_TYPE, file.kind)];
    match brotli {
        Some(bytes) => (basics, kind, [(CONTENT_ENCODING, "br")], bytes.clone()).into_response(),
        None => (basics, kind, file.plain.clone()).into_response(),
    }
}
