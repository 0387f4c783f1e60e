//! The web client as a table of files, compressed, with names that carry their content.
//!
//! Its build script compiles the crate `web` for wasm. Nobody but the binary needs to know
//! this crate: the server takes the files as a value and is tested without them.

/// One file of the client.
#[derive(Clone, Copy, Debug)]
pub struct AssetFile {
    /// Its path, without a slash before it.
    pub path: &'static str,
    /// What it is, for the header `content-type`.
    pub kind: &'static str,
    /// Its bytes.
    pub plain: &'static [u8],
    /// The same, compressed with brotli; nothing where that saves nothing.
    pub brotli: Option<&'static [u8]>,
    /// A name of its content.
    pub tag: &'static str,
    /// Whether its path carries the tag, so that it never changes.
    pub forever: bool,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));
