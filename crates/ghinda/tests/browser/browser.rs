//! Chromium, driven by chromedriver.
//!
//! WebDriver is JSON over HTTP, and the binary already has an HTTP client: a dozen requests need no
//! library, which would bring a second one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::process_guard::ProcessGuard;

const INSTALL_HINT: &str = "the tests of the page need Chromium and its driver: install them with \
                    `apt-get install chromium chromium-driver` (`cargo xtask test` does so)";
/// The time limit of every wait, for a busy machine.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(30);

const FLAGS: [&str; 11] = [
    "--headless=new",
    // The tests run as root in containers, where Chromium has no sandbox.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
];

/// Records the last pointer events, for the report of a failed test.
const TOUCHED: &str = r"
window.touched = [];
for (const kind of ['pointerdown', 'pointerup', 'pointercancel', 'click'])
  addEventListener(kind, (event) => {
    const part = event.target.closest?.('button, a, input') ?? event.target;
    window.touched.push(`${Math.round(event.timeStamp)} ${kind} ${event.clientX},${event.clientY} ` +
      `${part.nodeName}.${part.getAttribute?.('class')} ${part.dataset?.card ?? ''}`);
    window.touched.splice(0, window.touched.length - 12);
  }, true);
";

/// The process that drives browsers, shared by all tests.
struct Driver {
    port: u16,
    _process: Child,
}

impl Driver {
    fn shared() -> &'static Driver {
        static SHARED: OnceLock<Driver> = OnceLock::new();
        SHARED.get_or_init(Driver::start)
    }

    fn start() -> Driver {
        let guard = ProcessGuard::shared();
        let log = guard.folder().join("chromedriver.log");
        let mut process = Command::new("chromedriver")
            .args(["--port=0", &format!("--log-path={}", log.display())])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver: {error}; {INSTALL_HINT}"));
        guard.add(process.id().into());
        let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
        });
        // The rest must be read, or chromedriver ends when it writes.
        std::thread::spawn(move || lines.for_each(drop));
        Driver { port: port.expect("chromedriver prints its port"), _process: process }
    }
}

/// The properties of a browser.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) size: (u32, u32),
    pub(crate) touch: bool,
    pub(crate) language: &'static str,
    pub(crate) dark: bool,
}

/// A large screen with a mouse.
pub(crate) const DESKTOP: Kind =
    Kind { size: (1440, 900), touch: false, language: "en-GB", dark: false };
/// A phone, held upright.
pub(crate) const PHONE: Kind =
    Kind { size: (390, 844), touch: true, language: "ro-RO", dark: false };

/// One browser with a profile of its own.
pub(crate) struct Browser {
    http: reqwest::Client,
    /// The path of the session at the driver.
    session: String,
    /// The server whose pages it shows.
    pub(crate) home: String,
    pub(crate) kind: Kind,
    /// Texts of console errors that are expected.
    expected_errors: Vec<&'static str>,
}

impl Browser {
    pub(crate) async fn open(home: &str, kind: Kind) -> Browser {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let profile = ProcessGuard::shared().folder().join(format!("profile-{number}"));
        let mut flags: Vec<String> = FLAGS.iter().map(|flag| flag.to_string()).collect();
        let (width, height) = kind.size;
        flags.push(format!("--user-data-dir={}", profile.display()));
        flags.push(format!("--window-size={width},{height}"));
        flags.push(format!("--accept-lang={}", kind.language));
        let http = reqwest::Client::builder().timeout(TIME_LIMIT * 2).build().expect("a client");
        let mut browser = Browser {
            http,
            session: "/session".into(),
            home: home.into(),
            kind,
            // A new browser has no session, so the first request for it fails.
            expected_errors: vec!["/api/me"],
        };
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": { "args": flags },
        } } });
        let made = browser.post("", wanted).await;
        let id = made["sessionId"].as_str().unwrap_or_else(|| panic!("{made}; {INSTALL_HINT}"));
        browser.session = format!("/session/{id}");
        let process = made["capabilities"]["goog:processID"].as_u64();
        ProcessGuard::shared().add(process.expect("the number of its process"));
        let ratio = if kind.touch { 2 } else { 1 };
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": kind.touch,
        });
        browser.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        let touch = json!({ "enabled": kind.touch, "maxTouchPoints": 5 });
        browser.devtools("Emulation.setTouchEmulationEnabled", touch).await;
        browser.set_dark(kind.dark).await;
        let script = json!({ "source": TOUCHED });
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
        browser
    }

    /// Sets the colour scheme of the system to dark or light.
    pub(crate) async fn set_dark(&self, dark: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Stores settings before the page is loaded.
    pub(crate) async fn store_settings(&self, settings: &[(&str, &str)]) {
        let scripts: Vec<String> = settings
            .iter()
            .map(|(name, value)| format!("localStorage.setItem('ghinda.{name}', '{value}');"))
            .collect();
        // Every browser starts with a page that has no local storage.
        let source = format!("try {{ {} }} catch {{}}", scripts.concat());
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await;
    }

    /// Sends a command to the DevTools.
    pub(crate) async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await
    }

    /// Goes to an address of the server.
    pub(crate) async fn go(&self, path: &str) {
        self.post("/url", json!({ "url": format!("{}{path}", self.home) })).await;
    }

    pub(crate) async fn reload(&self) {
        self.post("/refresh", json!({})).await;
    }

    /// Runs a script and returns its result.
    pub(crate) async fn run(&self, script: &str, arguments: Value) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": arguments })).await
    }

    /// Runs a script that may use `await` and returns its result.
    pub(crate) async fn run_waiting(&self, script: &str, arguments: Value) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; const given = arguments; \
             (async () => {{ {script} }})().then(done, (error) => done({{ failed: String(error) }}));"
        );
        let value = self.post("/execute/async", json!({ "script": script, "args": arguments }));
        let value = value.await;
        assert!(value["failed"].is_null(), "{value}");
        value
    }

    /// Performs pointer and key actions.
    pub(crate) async fn perform(&self, actions: Value) {
        self.post("/actions", json!({ "actions": actions })).await;
    }

    /// A screenshot, as PNG in Base64.
    pub(crate) async fn picture(&self) -> String {
        let shot = self.devtools("Page.captureScreenshot", json!({ "format": "png" })).await;
        shot["data"].as_str().expect("a picture").to_owned()
    }

    /// Ignores console errors that contain this text.
    pub(crate) fn ignore_errors(&mut self, what: &'static str) {
        self.expected_errors.push(what);
    }

    /// The errors and warnings on the console since the last call, without the expected ones.
    pub(crate) async fn console_errors(&self) -> Vec<String> {
        let entries = self.post("/se/log", json!({ "type": "browser" })).await;
        let entries = entries.as_array().cloned().unwrap_or_default();
        let bad = entries.iter().filter(|entry| {
            let text = entry["message"].as_str().unwrap_or_default();
            let level = entry["level"].as_str().unwrap_or_default();
            ["SEVERE", "WARNING"].contains(&level)
                && !self.expected_errors.iter().any(|what| text.contains(what))
        });
        bad.map(|entry| entry["message"].to_string()).collect()
    }

    /// Closes the browser after checking its console.
    #[track_caller]
    pub(crate) fn close(self) -> impl Future<Output = ()> {
        let at = std::panic::Location::caller();
        async move {
            let console_errors = self.console_errors().await;
            assert!(console_errors.is_empty(), "{at}: the console has {console_errors:#?}");
        }
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let url = format!("http://127.0.0.1:{}{}{path}", Driver::shared().port, self.session);
        let answer = self.http.post(&url).json(&body).send().await;
        let answer = answer.unwrap_or_else(|error| panic!("{path}: {error}"));
        let value: Value = answer.json().await.expect("JSON");
        let value = value["value"].clone();
        let what = body.to_string();
        let what: String = what.chars().take(300).collect();
        let problem = value["error"].as_str().filter(|_| value["stacktrace"].is_string());
        assert!(problem.is_none(), "{path} {what}: {} {}", problem.unwrap_or(""), value["message"]);
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A raw request: nothing can be awaited here.
        let Ok(mut driver) = TcpStream::connect(("127.0.0.1", Driver::shared().port)) else {
            return;
        };
        let _ = driver.set_read_timeout(Some(Duration::from_secs(5)));
        let request = format!(
            "DELETE {} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
            self.session
        );
        if driver.write_all(request.as_bytes()).is_ok() {
            let _ = driver.read(&mut [0; 64]);
        }
    }
}

/// The path of a file that a test leaves for inspection.
pub(crate) fn artifact_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}
