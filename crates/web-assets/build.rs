//! Compiles `web` for wasm with cargo, binds it to JavaScript, makes pages of the rule documents,
//! compresses everything and writes the table of files. A packager who has built the client before
//! sets `WEB_DIST` to its folder.

mod documents;
mod shell;

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{ScopedJoinHandle, available_parallelism, scope};

use anyhow::{Context, Result, bail, ensure};
use wasm_bindgen_cli_support::Bindgen;
use wasm_encoder::{Module, RawSection};
use wasmparser::{Parser, Payload};

const TARGET: &str = "wasm32-unknown-unknown";
/// Variables of the outer build. Flags for wasm are in `.cargo/config.toml`.
const OUTER_VARIABLES: [&str; 9] = [
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTFLAGS",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_TARGET_DIR",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_TARGET_DIR",
    "TARGET",
    "HOST",
    "OUT_DIR",
];
/// The programs of the crate `web`: one that is split into modules, and one that is loaded whole.
const PAGE: &str = "page";
const WORKER: &str = "worker";
/// A script that starts the worker and names its files. Its own name carries a tag of its content.
const STARTS_WORKER: &str = "practice.js";

fn main() -> Result<()> {
    println!("cargo::rerun-if-env-changed=WEB_DIST");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let files = match env::var_os("WEB_DIST") {
        Some(folder) => Files::read(Path::new(&folder))?,
        None => match build_client(&out)? {
            Some(files) => files,
            // The error is printed above; a failing exit would hide it under a trace.
            None => return Ok(()),
        },
    };
    files.write(&out)
}

/// The folder with the sources of the client.
fn web() -> Result<PathBuf> {
    let here = env::var("CARGO_MANIFEST_DIR")?;
    Ok(Path::new(&here).join("../web").canonicalize()?)
}

/// Builds the client from its sources; returns None if this machine cannot.
fn build_client(out: &Path) -> Result<Option<Files>> {
    let web = web()?;
    let target = target_folder(out).join("client");
    if !can_build_wasm() {
        println!(
            "cargo::error=The web client needs Rust's target {TARGET}. \
             Install it with: rustup target add {TARGET}"
        );
        return Ok(None);
    }
    compile(&web, &target)?;
    let built = target.join(TARGET).join("client");
    let mut files = Files::default();
    for program in [PAGE, WORKER] {
        watch_sources(&built.join(format!("{program}.d")))?;
    }
    add_page(&mut files, &built.join("page.wasm"), &out.join("pieces"))?;
    let mut worker = bind(&built.join("worker.wasm"), WORKER)?;
    files.add_scripts(&mut worker);
    files.add_forever("worker.wasm", worker.wasm);
    files.add_forever("worker.js", worker.script.into_bytes());
    let assets = web.join("assets");
    println!("cargo::rerun-if-changed={}", assets.display());
    let mut pages = Vec::new();
    for (name, bytes) in read_folder(&assets)? {
        if name.ends_with(".html") || name == "sw.js" || name.ends_with(".webmanifest") {
            pages.push((name, String::from_utf8(bytes)?));
        } else if name == STARTS_WORKER {
            // The files that it names have been added already.
            let text = files.with_names(&String::from_utf8(bytes)?, "")?;
            files.add_forever(&name, text.into_bytes());
        } else {
            files.add_forever(&name, bytes);
        }
    }
    let phrases = web.join("../phrases/texts");
    println!("cargo::rerun-if-changed={}", phrases.display());
    for (name, text) in read_folder(&phrases)? {
        files.add_forever(&format!("phrases.{name}"), text);
    }
    for (name, page) in documents::read(&web.join("../../docs/rules"))? {
        files.add_forever(&name, page.into_bytes());
    }
    let phrases = shell::ShellPhrases::read(&phrases)?;
    for (_, text) in &mut pages {
        *text = phrases.fill(text)?;
    }
    let version = files.version(&pages);
    // These files name the others.
    for (name, text) in pages {
        let text = files.with_names(&text, &version)?;
        files.add(&name, text.into_bytes());
    }
    Ok(Some(files))
}

/// The folder that all builds of this workspace share, so that `check`, `clippy` and `build` do not
/// each compile the client. If cargo has not marked it, the output folder of this build.
fn target_folder(out: &Path) -> &Path {
    let is_marked = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    out.ancestors().find(is_marked).unwrap_or(out)
}

fn can_build_wasm() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    let Ok(output) = output else { return false };
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success() && Path::new(&folder).is_dir()
}

fn compile(web: &Path, target: &Path) -> Result<()> {
    let mut cargo = Command::new(env::var_os("CARGO").context("CARGO")?);
    cargo.current_dir(web).args(["build", "--bins", "--profile", "client", "--target", TARGET]);
    cargo.arg("--target-dir").arg(target);
    // Variables that describe the outer build would change this one.
    for (name, _) in env::vars_os() {
        let name_text = name.to_string_lossy();
        let outer_prefixes = ["CARGO_CFG_", "CARGO_FEATURE_", "CARGO_PKG_", "CARGO_MANIFEST_"];
        if outer_prefixes.iter().any(|prefix| name_text.starts_with(prefix)) {
            cargo.env_remove(&name);
        }
    }
    for name in OUTER_VARIABLES {
        cargo.env_remove(name);
    }
    let ended = cargo.output().context("cargo cannot be started")?;
    if !ended.status.success() {
        bail!("the web client does not compile:\n{}", String::from_utf8_lossy(&ended.stderr));
    }
    Ok(())
}

/// Makes cargo run this script again when a source of the client changes.
fn watch_sources(dependencies: &Path) -> Result<()> {
    let text = fs::read_to_string(dependencies)?;
    let list = text.lines().next().and_then(|line| line.split_once(": ")).map(|(_, list)| list);
    for path in list.unwrap_or_default().replace("\\ ", "\0").split(' ') {
        println!("cargo::rerun-if-changed={}", path.replace('\0', " "));
    }
    let lock = web()?.join("../../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    Ok(())
}

struct Bound {
    script: String,
    /// Scripts of dependencies, by the path under which the script imports them.
    scripts: Vec<(String, String)>,
    wasm: Vec<u8>,
}

fn bind(wasm: &Path, name: &str) -> Result<Bound> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).out_name(name).typescript(false);
    bindgen.remove_name_section(true).remove_producers_section(true).omit_default_module_path(true);
    // The modules use the memory and the function table of the main module.
    bindgen.keep_lld_exports(name == PAGE);
    let mut bound = bindgen.web(true)?.generate_output()?;
    ensure!(bound.local_modules().is_empty(), "the client needs files of its dependencies");
    let mut scripts = Vec::new();
    for (of, inline) in bound.snippets() {
        for (at, script) in inline.iter().enumerate() {
            scripts.push((format!("./snippets/{of}/inline{at}.js"), script.clone()));
        }
    }
    let script = bound.js().to_owned();
    Ok(Bound { script, scripts, wasm: bound.wasm_mut().emit_wasm() })
}

/// Splits the page into modules and adds them, with the scripts that load them.
fn add_page(files: &mut Files, whole: &Path, folder: &Path) -> Result<()> {
    let first = folder.join("page.wasm");
    let whole = fs::read(whole)?;
    let mut options = wasm_split_cli_support::Options::new(&whole);
    options.output_dir = folder;
    options.main_out_path = &first;
    options.main_module = "./page.js";
    options.link_name = "./pieces.js";
    let cut = wasm_split_cli_support::transform(options).map_err(anyhow::Error::msg)?;
    let mut loader = fs::read_to_string(folder.join("pieces.js"))?;
    for piece in cut.split_modules {
        let name = piece.file_name().and_then(|name| name.to_str()).context("a plain name")?;
        let path = files.add_forever(name, without_custom_sections(&fs::read(&piece)?)?);
        loader = loader.replace(&format!("./{name}"), &format!("./{path}"));
    }
    let mut page = bind(&first, PAGE)?;
    files.add_scripts(&mut page);
    files.add_forever("page.wasm", page.wasm);
    // The two scripts import each other, so they share one tag.
    let tag = tag([page.script.as_str(), &loader].concat().as_bytes());
    let named = |text: &str| {
        // Only imports of files: the program knows its imports by the plain names.
        let text = text.replace("from \"./pieces.js\"", &format!("from \"./pieces.{tag}.js\""));
        text.replace("from \"./page.js\"", &format!("from \"./page.{tag}.js\"")).into_bytes()
    };
    files.add_tagged("page.js", &tag, named(&page.script));
    files.add_tagged("pieces.js", &tag, named(&loader));
    Ok(())
}

/// The same module without custom sections, such as names. For the main module bindgen does it.
fn without_custom_sections(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        let custom = matches!(payload, Payload::CustomSection(_));
        if let Some((id, range)) = payload.as_section().filter(|_| !custom) {
            let data = &wasm[range.start as usize..range.end as usize];
            module.section(&RawSection { id, data });
        }
    }
    Ok(module.finish())
}

/// Files by their paths.
#[derive(Default)]
struct Files(BTreeMap<String, EmbeddedFile>);

struct EmbeddedFile {
    plain: Vec<u8>,
    forever: bool,
}

impl Files {
    /// The files of a folder that was built before.
    fn read(folder: &Path) -> Result<Files> {
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files = Files::default();
        for (name, plain) in read_folder(folder)? {
            // A tag between the last two dots: page.0123456789abcdef.js
            let tag = name.rsplit('.').nth(1).unwrap_or_default();
            let forever = tag.len() == 16 && tag.bytes().all(|byte| byte.is_ascii_hexdigit());
            files.0.insert(name, EmbeddedFile { plain, forever });
        }
        ensure!(files.0.contains_key("index.html"), "no index.html in {}", folder.display());
        Ok(files)
    }

    fn add(&mut self, path: &str, plain: Vec<u8>) {
        self.0.insert(path.into(), EmbeddedFile { plain, forever: false });
    }

    /// Adds a file under a name that carries a tag of its content, and returns the name.
    fn add_forever(&mut self, path: &str, plain: Vec<u8>) -> String {
        let tag = tag(&plain);
        self.add_tagged(path, &tag, plain)
    }

    /// Adds a file under a name that carries a tag.
    fn add_tagged(&mut self, path: &str, tag: &str, plain: Vec<u8>) -> String {
        let (stem, kind) = path.rsplit_once('.').unwrap_or((path, ""));
        let path = format!("{stem}.{tag}.{kind}");
        self.0.insert(path.clone(), EmbeddedFile { plain, forever: true });
        path
    }

    /// Adds the scripts of a program's dependencies, and corrects their paths in the program.
    fn add_scripts(&mut self, bound: &mut Bound) {
        for (place, script) in std::mem::take(&mut bound.scripts) {
            let name = place.trim_matches(['.', '/']).replace('/', "-");
            let path = self.add_forever(&name, script.into_bytes());
            bound.script = bound.script.replace(&place, &format!("./{path}"));
        }
    }

    /// A tag of all files together, including pages that are not added yet.
    fn version(&self, pages: &[(String, String)]) -> String {
        let pages = pages.iter().flat_map(|(name, text)| [name, text]);
        let all: Vec<&str> = self.0.keys().chain(pages).map(String::as_str).collect();
        tag(all.join("\n").as_bytes())
    }

    /// The text with `{page.js}` replaced by the path of that file, and `{files}` by all paths
    /// that never change.
    fn with_names(&self, text: &str, version: &str) -> Result<String> {
        let mut text = text.replace("{version}", version);
        let mut all = Vec::new();
        for path in self.0.iter().filter(|(_, entry)| entry.forever).map(|(path, _)| path) {
            let mut parts = path.rsplitn(3, '.');
            let kind = parts.next().unwrap_or_default();
            let stem = parts.nth(1).unwrap_or_default();
            text = text.replace(&format!("{{{stem}.{kind}}}"), &format!("/{path}"));
            all.push(format!("\"/{path}\""));
        }
        Ok(text.replace("{files}", &all.join(", ")))
    }

    /// Every file compressed, in order. All processors share the work, which takes seconds.
    fn compressed(&self) -> Result<Vec<Vec<u8>>> {
        let files: Vec<&[u8]> = self.0.values().map(|entry| &entry.plain[..]).collect();
        let next = AtomicUsize::new(0);
        let workers = available_parallelism().map_or(1, NonZero::get);
        let take = || {
            let at = next.fetch_add(1, Ordering::Relaxed);
            files.get(at).map(|plain| (at, *plain))
        };
        let work = || -> Result<Vec<(usize, Vec<u8>)>> {
            let mut done = Vec::new();
            while let Some((at, plain)) = take() {
                done.push((at, compress(plain)?));
            }
            Ok(done)
        };
        let done: Result<Vec<_>> = scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let joined = |worker: ScopedJoinHandle<'_, _>| worker.join().expect("no panic");
            workers.into_iter().map(joined).collect()
        });
        let mut done = done?.concat();
        done.sort_unstable_by_key(|(at, _)| *at);
        Ok(done.into_iter().map(|(_, small)| small).collect())
    }

    fn write(&self, out: &Path) -> Result<()> {
        let folder = out.join("files");
        fs::create_dir_all(&folder)?;
        let mut table =
            String::from("/// All files of the client.\npub static FILES: &[AssetFile] = &[\n");
        for ((path, EmbeddedFile { plain, forever }), small) in
            self.0.iter().zip(self.compressed()?)
        {
            let plain_at = folder.join(path);
            fs::write(&plain_at, plain)?;
            let brotli = if small.len() < plain.len() {
                let at = folder.join(format!("{path}.br"));
                fs::write(&at, small)?;
                format!("Some(include_bytes!({:?}))", at)
            } else {
                "None".into()
            };
            let (kind, tag) = (kind(path)?, tag(plain));
            writeln!(
                table,
                "    AssetFile {{ path: {path:?}, kind: {kind:?}, plain: include_bytes!({plain_at:?}), \
                 brotli: {brotli}, tag: {tag:?}, forever: {forever} }},"
            )?;
        }
        table.push_str("];\n");
        fs::write(out.join("files.rs"), table)?;
        Ok(())
    }
}

/// The plain files of a folder.
fn read_folder(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("no folder {}", folder.display()))? {
        let path = entry?.path();
        if path.is_file() {
            let name = path.file_name().and_then(|name| name.to_str()).context("a plain name")?;
            files.push((name.to_owned(), fs::read(&path)?));
        }
    }
    files.sort();
    Ok(files)
}

/// A tag of a content: 16 hexadecimal digits.
fn tag(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn kind(path: &str) -> Result<&'static str> {
    Ok(match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "ftl" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        _ => bail!("unknown kind of file: {path}"),
    })
}

fn compress(plain: &[u8]) -> Result<Vec<u8>> {
    // A release is compressed best; other builds in a tenth of the time.
    let quality = if env::var("OPT_LEVEL")? == "3" { 11 } else { 9 };
    let mut small = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &plain[..], &mut small, &parameters)?;
    Ok(small)
}
