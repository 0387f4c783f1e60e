//! The web client as a table of compressed files, with names that carry tags of their content.
//!
//! The build script compiles the crate `web` for wasm. Only the binary uses this crate: the server
//! takes the files as a value and is tested without them.

/// One file of the client.
#[derive(Clone, Copy, Debug)]
pub struct AssetFile {
    /// Its path, without a slash before it.
    pub path: &'static str,
    /// Its `content-type`.
    pub kind: &'static str,
    /// Its bytes.
    pub plain: &'static [u8],
    /// Its bytes compressed with brotli; None if that saves nothing.
    pub brotli: Option<&'static [u8]>,
    /// A tag of its content.
    pub tag: &'static str,
    /// Whether its path carries the tag, so that its content never changes.
    pub forever: bool,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));
