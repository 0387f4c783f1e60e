//! Chromium, driven by chromedriver.
//!
//! WebDriver is JSON over HTTP, and the binary has a client for that already: a dozen requests need
//! no library of their own, which would bring a second HTTP client with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::keeper::Keeper;

const MEND: &str = "the tests of the page need Chromium and its driver: install them with \
                    `apt-get install chromium chromium-driver` (`cargo xtask test` does so)";
/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

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

/// Notes what was touched last, for whoever reads why a test failed.
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

/// The program that drives browsers, one for all tests.
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
        let keeper = Keeper::shared();
        let log = keeper.folder().join("chromedriver.log");
        let mut process = Command::new("chromedriver")
            .args(["--port=0", &format!("--log-path={}", log.display())])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver: {error}; {MEND}"));
        keeper.watch(process.id().into());
        let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
        });
        // Somebody must read the rest, or it ends when it writes.
        std::thread::spawn(move || lines.for_each(drop));
        Driver { port: port.expect("chromedriver says where it listens"), _process: process }
    }
}

/// What a browser is like.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) size: (u32, u32),
    pub(crate) touch: bool,
    pub(crate) language: &'static str,
    pub(crate) dark: bool,
}

/// A large screen with a mouse.
pub(crate) const DESK: Kind =
    Kind { size: (1440, 900), touch: false, language: "en-GB", dark: false };
/// A telephone, held upright.
pub(crate) const PHONE: Kind =
    Kind { size: (390, 844), touch: true, language: "ro-RO", dark: false };

/// One browser with a profile of its own.
pub(crate) struct Browser {
    http: reqwest::Client,
    /// The session's path at the driver.
    session: String,
    /// The server whose pages it shows.
    pub(crate) home: String,
    pub(crate) kind: Kind,
    /// Requests whose failure is no fault.
    excused: Vec<&'static str>,
}

impl Browser {
    pub(crate) async fn open(home: &str, kind: Kind) -> Browser {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let profile = Keeper::shared().folder().join(format!("profile-{number}"));
        let mut flags: Vec<String> = FLAGS.iter().map(|flag| flag.to_string()).collect();
        let (width, height) = kind.size;
        flags.push(format!("--user-data-dir={}", profile.display()));
        flags.push(format!("--window-size={width},{height}"));
        flags.push(format!("--accept-lang={}", kind.language));
        let http = reqwest::Client::builder().timeout(PATIENCE * 2).build().expect("a client");
        let mut browser = Browser {
            http,
            session: "/session".into(),
            home: home.into(),
            kind,
            // Somebody new asks who he is, and is told that nobody knows.
            excused: vec!["/api/me"],
        };
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": { "args": flags },
        } } });
        let made = browser.post("", wanted).await;
        let id = made["sessionId"].as_str().unwrap_or_else(|| panic!("{made}; {MEND}"));
        browser.session = format!("/session/{id}");
        let process = made["capabilities"]["goog:processID"].as_u64();
        Keeper::shared().watch(process.expect("the number of its process"));
        let ratio = if kind.touch { 2 } else { 1 };
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": ratio, "mobile": kind.touch,
        });
        browser.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        let touch = json!({ "enabled": kind.touch, "maxTouchPoints": 5 });
        browser.devtools("Emulation.setTouchEmulationEnabled", touch).await;
        browser.dark(kind.dark).await;
        let script = json!({ "source": TOUCHED });
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
        browser
    }

    /// The system turns dark, or light.
    pub(crate) async fn dark(&self, dark: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Settings that are kept before the page is there.
    pub(crate) async fn keep(&self, settings: &[(&str, &str)]) {
        let kept: Vec<String> = settings
            .iter()
            .map(|(name, value)| format!("localStorage.setItem('ghinda.{name}', '{value}');"))
            .collect();
        // Pages that may not keep anything come first in every browser.
        let source = format!("try {{ {} }} catch {{}}", kept.concat());
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await;
    }

    /// A command of the DevTools.
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

    /// What a script returns.
    pub(crate) async fn run(&self, script: &str, arguments: Value) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": arguments })).await
    }

    /// What a script with `await` in it returns.
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

    /// What fingers, mice and keys do.
    pub(crate) async fn perform(&self, actions: Value) {
        self.post("/actions", json!({ "actions": actions })).await;
    }

    /// A picture of what is seen, as PNG in Base64.
    pub(crate) async fn picture(&self) -> String {
        let shot = self.devtools("Page.captureScreenshot", json!({ "format": "png" })).await;
        shot["data"].as_str().expect("a picture").to_owned()
    }

    /// Excuses that requests for something fail.
    pub(crate) fn excuse(&mut self, what: &'static str) {
        self.excused.push(what);
    }

    /// What the console holds besides what is excused; it is told once.
    pub(crate) async fn complaints(&self) -> Vec<String> {
        let entries = self.post("/se/log", json!({ "type": "browser" })).await;
        let entries = entries.as_array().cloned().unwrap_or_default();
        let bad = entries.iter().filter(|entry| {
            let text = entry["message"].as_str().unwrap_or_default();
            let level = entry["level"].as_str().unwrap_or_default();
            ["SEVERE", "WARNING"].contains(&level)
                && !self.excused.iter().any(|what| text.contains(what))
        });
        bad.map(|entry| entry["message"].to_string()).collect()
    }

    /// Closes the browser after a look at its console.
    #[track_caller]
    pub(crate) fn close(self) -> impl Future<Output = ()> {
        let at = std::panic::Location::caller();
        async move {
            let complaints = self.complaints().await;
            assert!(complaints.is_empty(), "{at}: the console holds {complaints:#?}");
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
        // By hand: nothing can be awaited here.
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

/// Where a test leaves what somebody may want to look at.
pub(crate) fn left_over(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}
