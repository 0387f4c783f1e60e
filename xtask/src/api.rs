//! Checks the HTTP API: an independent validator reads the OpenAPI document, and a real server
//! answers generated requests, valid and invalid ones, as the document describes.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::checks::native;
use crate::steps::{step, succeed};
use crate::workspace::Workspace;
use crate::{no_options, python};

/// The tools from PyPI, with their versions.
const TOOLS: [(&str, &str); 2] = [("openapi-spec-validator", "0.9.0"), ("schemathesis", "4.32.5")];

/// The checks of every answer.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,\
                      negative_data_rejection,unsupported_method,ignored_auth";

/// Requests of each kind for each operation: enough to find simple faults in half a minute.
const EXAMPLES: &str = "15";

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    no_options(options)?;
    step("OpenAPI", || check(workspace))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let folder = workspace.target.join("check-api");
    python::tools(workspace, &folder, &TOOLS)?;
    // The server of the tests: building it alone, with other features, would take longer.
    succeed(native(workspace, "test").arg("--no-run"))?;
    let server = RunningServer::start(&workspace.target.join("debug/ghinda"), &folder)?;
    let document = folder.join("openapi.json");
    fs::write(&document, server.request("GET /api/openapi.json", "")?.1)
        .with_context(|| document.display().to_string())?;
    let mut validator = Command::new(folder.join("bin/openapi-spec-validator"));
    succeed(validator.args(["--schema", "3.1"]).arg(&document))?;
    let token = server.token()?;
    // First with a session, without the request that ends it; then without a session.
    generated(&folder, &document, &server)
        .args(["--header", &format!("Authorization: Bearer {token}")])
        .args(["--exclude-operation-id", "log_out"])
        .run()?;
    generated(&folder, &document, &server).args(["--phases", "coverage"]).run()
}

/// Requests generated from the document, the same ones every time.
fn generated(folder: &Path, document: &Path, server: &RunningServer) -> Generated {
    let mut schemathesis = Command::new(folder.join("bin/schemathesis"));
    // What it stores and reports stays under target.
    schemathesis.current_dir(folder).args(["run", "--no-color", "--seed", "1"]);
    schemathesis.args(["--checks", CHECKS, "--max-examples", EXAMPLES, "--workers", "1"]);
    // Without warnings that table names cannot be guessed and that requests without a session are
    // refused.
    schemathesis.args(["--warnings", "off", "--url", &server.url]).arg(document);
    Generated(schemathesis)
}

struct Generated(Command);

impl Generated {
    fn args<'a>(mut self, args: impl IntoIterator<Item = &'a str>) -> Generated {
        self.0.args(args);
        self
    }

    fn run(mut self) -> Result<()> {
        succeed(&mut self.0)
    }
}

/// A server that ends with this process.
struct RunningServer {
    process: Child,
    url: String,
    database: PathBuf,
}

impl RunningServer {
    fn start(program: &Path, folder: &Path) -> Result<RunningServer> {
        let database = folder.join(format!("check-{}.db", std::process::id()));
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--costly-a-minute", "1000000"])
            .arg("--database")
            .arg(&database)
            .env("RUST_LOG", "error")
            .stdout(Stdio::piped())
            .spawn()
            .context("ghinda serve")?;
        let mut line = String::new();
        let stdout = process.stdout.take().context("no output")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let url = line.trim().to_owned();
        let server = RunningServer { process, url, database };
        if !server.url.starts_with("http://") {
            bail!("ghinda serve did not print its address, but `{}`.", server.url);
        }
        Ok(server)
    }

    /// A request without an HTTP library: returns headers and body.
    fn request(&self, what: &str, body: &str) -> Result<(String, String)> {
        let host = self.url.trim_start_matches("http://");
        let mut connection = TcpStream::connect(host)?;
        write!(
            connection,
            "{what} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut answer = String::new();
        connection.read_to_string(&mut answer)?;
        let parts = answer.split_once("\r\n\r\n");
        let (headers, body) = parts.with_context(|| format!("no answer to {what}"))?;
        Ok((headers.to_owned(), body.to_owned()))
    }

    /// The token of a new session.
    fn token(&self) -> Result<String> {
        let (headers, _) = self.request("POST /api/session", "{}")?;
        let cookie = headers.lines().find_map(|line| line.strip_prefix("set-cookie: ghinda="));
        let token = cookie.and_then(|cookie| cookie.split(';').next());
        token.map(str::to_owned).context("the server sent no session cookie")
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        // The process may have ended already, and the next run has another file.
        let _ = self.process.kill();
        let _ = self.process.wait();
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", self.database.display()));
        }
    }
}
