//! `ghinda serve`: the server on one database.

mod sweeps;

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use room::Timings;
use serde::Deserialize;
use server::clock::Clocks;
use server::retention::RetentionAges;
use server::tables::TableRegistry;
#[cfg(feature = "client")]
use server::web::PageFile;
use server::web::{AllowedHosts, App, Limits, PageFiles, WebSettings, serve, without_port};
use store::{Database, Store};
use tokio::net::TcpListener;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::capacity::Capacity;
use sweeps::SweepAges;

/// The default address of a server.
pub(crate) const LISTEN: &str = "127.0.0.1:8080";
/// The default database.
pub(crate) const DATABASE: &str = "sqlite:ghinda.db";
/// The default number of days after which an inactive table is closed.
const CLOSE_AFTER_DAYS: u32 = 30;
/// The default number of days after which a closed table or an inactive ledger is archived.
const ARCHIVE_AFTER_DAYS: u32 = 30;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Run a server for browsers, terminals and bots
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda serve                            for this machine, stored in ghinda.db
  ghinda serve --listen 0.0.0.0:8080      for the whole network
  ghinda serve --database postgres://ghinda@localhost/ghinda
  ghinda serve --config ghinda.toml       settings from a file

Each setting can stand in the file, as in listen = \"0.0.0.0:8080\" or
hosts = [\"ghinda.example\"], and in the environment (GHINDA_LISTEN). A flag
overrides the environment, the environment overrides the file. RUST_LOG sets
what is logged: info, debug, server=debug.

Behind a TLS proxy use --secure --behind-proxy and --host your.name, and let
the proxy forward WebSockets and the name. /health and /ready report the state
of the server, /metrics is for Prometheus.

SIGTERM and Ctrl-C let tables finish what they are doing; a second signal ends
the server at once. In both cases no acknowledged action is lost.")]
pub(crate) struct ServeArgs {
    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(long, env = "GHINDA_LISTEN", value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Where tables are stored: a file, sqlite:FILE or postgres://… [default: sqlite:ghinda.db]
    #[arg(long, env = "GHINDA_DATABASE", value_name = "URL", hide_env_values = true)]
    database: Option<String>,
    /// A further origin whose pages may connect to the server; may be repeated
    #[arg(long = "origin", env = "GHINDA_ORIGINS", value_name = "ORIGIN", value_delimiter = ',')]
    origins: Vec<String>,
    /// A name by which clients reach the server, such as ghinda.example; may be repeated [default: on
    /// a loopback address without a proxy the names of this machine, else any name]
    #[arg(long = "host", env = "GHINDA_HOSTS", value_name = "NAME", value_delimiter = ',')]
    hosts: Vec<String>,
    /// Set cookies only on encrypted connections
    #[arg(long, env = "GHINDA_SECURE")]
    secure: bool,
    /// Take the address of the client from X-Forwarded-For, as a proxy sends it
    #[arg(long, env = "GHINDA_BEHIND_PROXY")]
    behind_proxy: bool,
    /// Threads that compute the moves of bots [default: one for every two processors]
    #[arg(long, env = "GHINDA_THINKERS", value_name = "N")]
    thinkers: Option<NonZeroUsize>,
    /// The maximum number of connections [default: 30000, or what files and memory allow]
    #[arg(long, env = "GHINDA_SOCKETS", value_name = "N")]
    sockets: Option<usize>,
    /// The maximum number of connections from one address [default: 100]
    #[arg(long, env = "GHINDA_SOCKETS_FROM_ONE", value_name = "N")]
    sockets_from_one: Option<usize>,
    /// New sessions, new tables and log-ins per minute from one address [default: 60]
    #[arg(long, env = "GHINDA_COSTLY_A_MINUTE", value_name = "N")]
    costly_a_minute: Option<u32>,
    /// MiB of contests and score sheets that one address may have stored at once, and in an hour; a
    /// quarter for one player, and for one contest or sheet [default: 16]
    #[arg(long, env = "GHINDA_LEDGER_MIB_AN_HOUR", value_name = "MIB")]
    ledger_mib_an_hour: Option<u16>,
    /// MiB that one address may have stored of what it says and changes at tables, besides the play;
    /// a quarter for one player [default: 16]
    #[arg(long, env = "GHINDA_TABLE_MIB_AN_HOUR", value_name = "MIB")]
    table_mib_an_hour: Option<u16>,
    /// MiB that one address may have stored of what it and the bots at its tables play; a quarter for
    /// one player [default: 64]
    #[arg(long, env = "GHINDA_PLAY_MIB_AN_HOUR", value_name = "MIB")]
    play_mib_an_hour: Option<u16>,
    /// How long a bot takes for a card, in milliseconds [default: 900]
    #[arg(long, env = "GHINDA_BOT_MS", value_name = "MS")]
    bot_ms: Option<u64>,
    /// Close a table after this many days without activity; its records stay; 0 is never [default: 30]
    #[arg(long, env = "GHINDA_CLOSE_AFTER_DAYS", value_name = "N")]
    close_after_days: Option<u32>,
    /// Compress closed tables, contests and score sheets this many days after the last change; they
    /// are read as before; 0 is never [default: 30]
    #[arg(long, env = "GHINDA_ARCHIVE_AFTER_DAYS", value_name = "N")]
    archive_after_days: Option<u32>,
    /// Delete closed tables, contests and score sheets for good this many days after the last
    /// change, with their records; 0 is never [default: never]
    #[arg(long, env = "GHINDA_REMOVE_AFTER_DAYS", value_name = "N")]
    remove_after_days: Option<u32>,
    /// Log as JSON, one object per line
    #[arg(long, env = "GHINDA_LOG_JSON")]
    log_json: bool,
    /// Open the page in this machine's browser
    #[arg(long)]
    open: bool,
    /// A file with these settings
    #[arg(long, env = "GHINDA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The same settings in a file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SettingsFile {
    listen: Option<SocketAddr>,
    database: Option<String>,
    #[serde(default)]
    origins: Vec<String>,
    #[serde(default)]
    hosts: Vec<String>,
    #[serde(default)]
    secure: bool,
    #[serde(default)]
    behind_proxy: bool,
    thinkers: Option<NonZeroUsize>,
    sockets: Option<usize>,
    sockets_from_one: Option<usize>,
    costly_a_minute: Option<u32>,
    ledger_mib_an_hour: Option<u16>,
    table_mib_an_hour: Option<u16>,
    play_mib_an_hour: Option<u16>,
    bot_ms: Option<u64>,
    close_after_days: Option<u32>,
    archive_after_days: Option<u32>,
    remove_after_days: Option<u32>,
    #[serde(default)]
    log_json: bool,
}

impl ServeArgs {
    /// The arguments of the server that is started from the menu: it opens the page in the browser.
    pub(crate) fn from_home() -> ServeArgs {
        #[derive(clap::Parser)]
        struct BareServe {
            #[command(flatten)]
            serve: ServeArgs,
        }
        <BareServe as clap::Parser>::parse_from(["ghinda", "--open"]).serve
    }

    pub(crate) fn run(self) -> Result<()> {
        let settings = self.with_file()?;
        start_log(settings.log_json);
        let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
        runtime.block_on(settings.serve())
    }

    /// The settings, completed from the settings file.
    fn with_file(self) -> Result<ServeArgs> {
        let Some(path) = &self.config else { return Ok(self) };
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let file: SettingsFile =
            toml::from_str(&text).with_context(|| format!("{name} is not valid"))?;
        Ok(ServeArgs {
            listen: self.listen.or(file.listen),
            database: self.database.or(file.database),
            origins: if self.origins.is_empty() { file.origins } else { self.origins },
            hosts: if self.hosts.is_empty() { file.hosts } else { self.hosts },
            secure: self.secure || file.secure,
            behind_proxy: self.behind_proxy || file.behind_proxy,
            thinkers: self.thinkers.or(file.thinkers),
            sockets: self.sockets.or(file.sockets),
            sockets_from_one: self.sockets_from_one.or(file.sockets_from_one),
            costly_a_minute: self.costly_a_minute.or(file.costly_a_minute),
            ledger_mib_an_hour: self.ledger_mib_an_hour.or(file.ledger_mib_an_hour),
            table_mib_an_hour: self.table_mib_an_hour.or(file.table_mib_an_hour),
            play_mib_an_hour: self.play_mib_an_hour.or(file.play_mib_an_hour),
            bot_ms: self.bot_ms.or(file.bot_ms),
            close_after_days: self.close_after_days.or(file.close_after_days),
            archive_after_days: self.archive_after_days.or(file.archive_after_days),
            remove_after_days: self.remove_after_days.or(file.remove_after_days),
            log_json: self.log_json || file.log_json,
            open: self.open,
            config: self.config,
        })
    }

    async fn serve(self) -> Result<()> {
        for origin in &self.origins {
            if !origin.starts_with("http://") && !origin.starts_with("https://") {
                bail!("an origin looks like https://ghinda.example, not {origin:?}");
            }
        }
        let listen = match self.listen {
            Some(listen) => listen,
            None => LISTEN.parse().context("the address is not valid")?,
        };
        let capacity = Capacity::of_machine();
        let settings = self.settings(listen, capacity)?;
        let sweep_ages = self.sweep_ages()?;
        // The recorder is installed before anything is counted.
        let metrics = PrometheusBuilder::new().install_recorder().context("metrics")?;
        let address = self.database.as_deref().unwrap_or(DATABASE);
        let database = Database::open(address).await.context("cannot open the database")?;
        let database = Arc::new(database);
        let outcome = self
            .serve_from(database.clone(), listen, settings, capacity, sweep_ages, metrics)
            .await;
        // Also after an error: what is stored is then in the file itself.
        database.close().await;
        outcome
    }

    async fn serve_from(
        self,
        database: Arc<Database>,
        listen: SocketAddr,
        settings: WebSettings,
        capacity: Capacity,
        sweep_ages: SweepAges,
        metrics: PrometheusHandle,
    ) -> Result<()> {
        let listener = TcpListener::bind(listen)
            .await
            .with_context(|| format!("cannot listen on {listen}"))?;
        let timings = Timings { bot_delay: self.bot_ms.unwrap_or(900), ..Timings::default() };
        let clocks = Clocks::start(&database).await.context("cannot use the database")?;
        let registry = Arc::new(TableRegistry::new(
            database.clone(),
            clocks,
            self.thinkers.unwrap_or_else(half_of_processors),
            timings,
            capacity.memory_quotas(),
        )?);
        let sockets = settings.limits.sockets;
        let app = App::new(registry.clone(), database.clone(), settings, metrics, pages())?;
        let stop = stop_signal()?;
        // The starting process reads this line to know that the server listens.
        let listens = listener.local_addr()?;
        println!("http://{listens}");
        if self.open {
            open_page(listens);
        }
        tracing::info!(%listens, "serving");
        log_capacity(capacity, self.sockets, sockets);
        let trusted = registry.trusted_clock();
        let sweeping = tokio::spawn(sweeps::run(database.clone(), registry, sweep_ages));
        serve(app, listener, stop).await;
        // It would connect to the database once more.
        sweeping.abort();
        let _ = sweeping.await;
        sweeps::store_last_time(&database, trusted).await;
        tracing::info!("stopped");
        Ok(())
    }

    /// The hosts of requests that are served. By default a server for this machine alone serves its own
    /// names; other servers have names that only their proxies and networks know.
    fn allowed_hosts(&self, listen: SocketAddr) -> Result<AllowedHosts> {
        if self.hosts.is_empty() && (self.behind_proxy || !listen.ip().is_loopback()) {
            return Ok(AllowedHosts::Any);
        }
        let of_origins = self.origins.iter().filter_map(|origin| origin.split_once("://"));
        let of_origins = of_origins.map(|(_, host)| without_port(host));
        AllowedHosts::only(self.hosts.iter().map(String::as_str).chain(of_origins))
            .map_err(|name| anyhow!("a host looks like ghinda.example, not {name:?}"))
    }

    /// When something happens to what is not used. What is removed earlier than it is archived would
    /// never be archived, which no operator means.
    fn sweep_ages(&self) -> Result<SweepAges> {
        let days = |days: u32| (days > 0).then(|| DAY * days);
        let archive = days(self.archive_after_days.unwrap_or(ARCHIVE_AFTER_DAYS));
        let remove = days(self.remove_after_days.unwrap_or(0));
        if let (Some(archive), Some(remove)) = (archive, remove)
            && remove < archive
        {
            bail!("--remove-after-days is smaller than --archive-after-days");
        }
        let close = days(self.close_after_days.unwrap_or(CLOSE_AFTER_DAYS));
        Ok(SweepAges { close, retention: RetentionAges { archive, remove } })
    }

    fn settings(&self, listen: SocketAddr, capacity: Capacity) -> Result<WebSettings> {
        let usual = capacity.limits();
        // 65,535 MiB are more than the largest number of bytes here.
        let bytes = |mib: Option<u16>, usual| {
            mib.map_or(usual, |mib| u32::try_from(u64::from(mib) << 20).unwrap_or(u32::MAX))
        };
        Ok(WebSettings {
            origins: self.origins.clone(),
            hosts: self.allowed_hosts(listen)?,
            secure: self.secure,
            behind_proxy: self.behind_proxy,
            limits: Limits {
                sockets: self.sockets.unwrap_or(usual.sockets),
                sockets_from_one: self.sockets_from_one.unwrap_or(usual.sockets_from_one),
                costly_a_minute: self.costly_a_minute.unwrap_or(usual.costly_a_minute),
                ledger_bytes_an_hour: bytes(self.ledger_mib_an_hour, usual.ledger_bytes_an_hour),
                table_bytes_an_hour: bytes(self.table_mib_an_hour, usual.table_bytes_an_hour),
                play_bytes_an_hour: bytes(self.play_mib_an_hour, usual.play_bytes_an_hour),
                ..usual
            },
        })
    }
}

/// Logs what there is room for, and warns if the operator has asked for more or gets less than usual.
fn log_capacity(capacity: Capacity, asked: Option<usize>, sockets: usize) {
    let quotas = capacity.memory_quotas();
    let mib = |bytes: usize| bytes >> 20;
    // What is not known is left out.
    tracing::info!(
        connections = sockets,
        open_files = capacity.files,
        memory_mib = capacity.memory.map(|bytes| bytes >> 20),
        ledgers_mib = mib(quotas.ledger_bytes),
        answers_mib = mib(quotas.answer_bytes),
        waiting_mib = mib(quotas.waiting_bytes),
        "what the server has room for"
    );
    if let Some(warning) = capacity.warning(asked) {
        tracing::warn!(sockets, room = capacity.sockets(), "{warning}");
    }
}

/// The web client.
#[cfg(feature = "client")]
pub(crate) fn pages() -> PageFiles {
    let page = |file: &web_assets::AssetFile| {
        let page = PageFile {
            kind: file.kind,
            plain: file.plain.into(),
            brotli: file.brotli.map(Into::into),
            tag: file.tag.into(),
            forever: file.forever,
        };
        (file.path.to_owned(), page)
    };
    PageFiles(web_assets::FILES.iter().map(page).collect())
}

/// This binary was built without the web client.
#[cfg(not(feature = "client"))]
pub(crate) fn pages() -> PageFiles {
    PageFiles::default()
}

/// Opens the page in the browser of this machine, if it has one.
fn open_page(listens: SocketAddr) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    // The unspecified address (0.0.0.0) cannot be opened in a browser.
    let host =
        if listens.ip().is_unspecified() { "localhost".into() } else { listens.ip().to_string() };
    let page = format!("http://{host}:{}", listens.port());
    let quiet = std::process::Stdio::null;
    let opened = std::process::Command::new(program)
        .arg(&page)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
    if let Err(error) = opened {
        tracing::info!(%error, "no browser could be started; open {page} yourself");
    }
}

fn half_of_processors() -> NonZeroUsize {
    let all = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new(all / 2).unwrap_or(NonZeroUsize::MIN)
}

fn start_log(json: bool) {
    let requested = std::env::var("RUST_LOG").ok().and_then(|text| text.parse().ok());
    let filter = requested.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let log = tracing_subscriber::registry().with(filter);
    // A file or the journal would keep the codes of the colours as they are.
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colours = !no_color && std::io::stderr().is_terminal();
    let lines = tracing_subscriber::fmt::layer().with_ansi(colours).with_writer(std::io::stderr);
    if json { log.with(lines.json()).init() } else { log.with(lines).init() }
}

/// Resolves when a signal asks the server to stop. The signals are handled from this call on, so
/// that a signal that follows the printed address already stops the server gracefully.
fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminated = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut interrupted = signal(SignalKind::interrupt()).context("cannot listen for SIGINT")?;
    let mut signalled = async move || {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    };
    Ok(async move {
        signalled().await;
        tracing::info!("stopping");
        // A second signal stops at once: acknowledged actions are on the disk.
        tokio::spawn(async move {
            signalled().await;
            tracing::warn!("stopped at once");
            std::process::exit(1);
        });
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct ServeCommand {
        #[command(flatten)]
        serve: ServeArgs,
    }

    fn ages(args: &[&str]) -> SweepAges {
        let args = [&["serve"], args].concat();
        ServeCommand::try_parse_from(args).expect("arguments").serve.sweep_ages().expect("ages")
    }

    #[test]
    fn zero_days_are_never() {
        let usual = ages(&[]);
        assert_eq!((usual.close, usual.retention.archive), (Some(DAY * 30), Some(DAY * 30)));
        assert_eq!(usual.retention.remove, None);
        let flags = ["--close-after-days", "--archive-after-days", "--remove-after-days"];
        let never = ages(&flags.map(|flag| [flag, "0"]).concat());
        assert_eq!((never.close, never.retention), (None, RetentionAges::default()));
    }
}
