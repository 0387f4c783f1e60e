//! `ghinda load`: plays many tables against a server and measures the time from the sending of a
//! move to the answer, which means that the move is on the disk.
//!
//! Every client has its own WebSocket, and the replica and the conversation of real clients; it plays
//! the first legal action. Only the thinking is simulated. `--contest` measures a contest instead, and
//! `--mixed` does everything that clients do for a long time.

mod client;
mod contest;
mod mixed;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use game::deal::{RandomStream, Seed};
use hdrhistogram::Histogram;
use indicatif::ProgressBar;
use replica::table::{Prompt, TableReplica};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, sleep_until, timeout};
use wire::http::OpenedTable;
use wire::table::TableCommand;

use client::{Guest, LoadClient, Wake, at};

/// How many clients connect at the same time.
const MAX_CONNECTING: usize = 64;
/// The time limit of every request.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Play many tables against a server and measure it
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda serve --sockets-from-one 30000 --costly-a-minute 4000000 &
  ghinda load http://127.0.0.1:8080 --tables 4900 --rate 4000 --seconds 60

Each table has four clients with a WebSocket each. The server must admit them:
raise --sockets, --sockets-from-one and --costly-a-minute, and the limit of
open files (ulimit -n). Latency is measured from the sending of a move to its
answer, which means that it is on the disk.

  ghinda load http://127.0.0.1:8080 --contest 1024

With --contest the page of every entrant is open, and all tables report their
results at the same moment. Latency is measured from the sending of a result to
its arrival on a page.

  ghinda load http://127.0.0.1:8080 --mixed --database sqlite:ghinda.db \\
      --tables 40 --rate 150 --seconds 600

With --mixed clients do everything that clients do: they play, chat, leave and
come back, keep score sheets and contests, register, read records, and some send
nonsense or too much. Tables are abandoned and new ones opened. If the server is
restarted, they come back. Every ten seconds one line of JSON is printed. At the
end every acknowledged action is looked up in the database: none may be missing
or stored twice.")]
pub(crate) struct LoadArgs {
    /// The address of the server
    url: String,
    /// How many tables of four clients
    #[arg(long, default_value_t = 100, value_name = "N")]
    tables: usize,
    /// Moves per second of all tables together
    #[arg(long, default_value_t = 1000.0, value_name = "N")]
    rate: f64,
    /// How long to play after all clients are seated
    #[arg(long, default_value_t = 20, value_name = "N")]
    seconds: u64,
    /// The rules of all tables
    #[arg(long, default_value = "classic", value_name = "CODE")]
    rules: String,
    /// Measure a contest of this many entrants instead; all its tables report results at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(4..=1024),
        conflicts_with_all = ["tables", "rate", "seconds", "rules", "mixed"])]
    contest: Option<u16>,
    /// Do everything that good and bad clients do, and check what the server has stored; only
    /// against a server on this machine
    #[arg(long, conflicts_with_all = ["rules", "json"], requires = "database")]
    mixed: bool,
    /// The database of the server, for --mixed
    #[arg(long, value_name = "URL", requires = "mixed")]
    database: Option<String>,
    /// The seed of --mixed [default: a new one, which is printed]
    #[arg(long, value_name = "N", requires = "mixed")]
    seed: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The state that all clients share.
struct LoadContext {
    host: String,
    http: reqwest::Client,
    rules: String,
    /// The mean time that a seat in turn thinks.
    think: Duration,
    connecting: Semaphore,
    counting: AtomicBool,
    moves: AtomicU64,
    messages: AtomicU64,
    latencies: mpsc::UnboundedSender<u64>,
    started: Instant,
}

impl LoadArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
        runtime.block_on(self.play(out))
    }

    async fn play(&self, out: &mut impl Write) -> Result<()> {
        let host = self.url.trim_end_matches('/').strip_prefix("http://");
        let Some(host) = host else { bail!("the address looks like http://127.0.0.1:8080") };
        if let Some(entrants) = self.contest {
            return contest::play(host, entrants.into(), self.json, out).await;
        }
        ensure!(self.rate > 0.0 && self.tables > 0, "there must be tables, and moves");
        if self.mixed {
            return mixed::play(self, host, out).await;
        }
        let (latencies, mut measured) = mpsc::unbounded_channel();
        let shared = Arc::new(LoadContext {
            host: host.to_owned(),
            http: reqwest::Client::new(),
            rules: self.rules.clone(),
            think: Duration::from_secs_f64(self.tables as f64 / self.rate),
            connecting: Semaphore::new(MAX_CONNECTING),
            counting: AtomicBool::new(false),
            moves: AtomicU64::new(0),
            messages: AtomicU64::new(0),
            latencies,
            started: Instant::now(),
        });
        let bar = ProgressBar::new(self.tables as u64).with_message("tables");
        let mut opening = tokio::task::JoinSet::new();
        for number in 0..self.tables {
            opening.spawn(open_table(shared.clone(), number));
        }
        let mut players = tokio::task::JoinSet::new();
        while let Some(opened) = opening.join_next().await {
            for player in opened?? {
                players.spawn(player.play());
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        // All clients play now; counting begins.
        tokio::time::sleep(Duration::from_secs(2)).await;
        shared.counting.store(true, Ordering::Relaxed);
        let began = Instant::now();
        let mut histogram = Histogram::<u64>::new_with_bounds(1, 60_000_000, 3)?;
        let end = began + Duration::from_secs(self.seconds);
        loop {
            tokio::select! {
                latency = measured.recv() => histogram.saturating_record(latency.unwrap_or(1)),
                ended = players.join_next() => match ended {
                    Some(Ok(Ok(()))) => {}
                    Some(Ok(Err(error))) => bail!(error.context("a client failed")),
                    Some(Err(error)) => bail!(error),
                    None => bail!("all clients have ended"),
                },
                () = sleep_until(end) => break,
            }
        }
        let took = began.elapsed().as_secs_f64();
        self.report(&shared, &histogram, took, out)
    }

    fn report(
        &self,
        shared: &LoadContext,
        histogram: &Histogram<u64>,
        took: f64,
        out: &mut impl Write,
    ) -> Result<()> {
        let per_second = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64 / took;
        let (moves, messages) = (per_second(&shared.moves), per_second(&shared.messages));
        let ms = |quantile: f64| histogram.value_at_quantile(quantile) as f64 / 1000.0;
        if self.json {
            let report = serde_json::json!({
                "tables": self.tables, "sockets": self.tables * 4, "seconds": took,
                "moves_per_second": moves, "messages_per_second": messages,
                "latency_ms": {
                    "p50": ms(0.5), "p90": ms(0.9), "p99": ms(0.99), "p999": ms(0.999),
                    "max": histogram.max() as f64 / 1000.0,
                },
            });
            writeln!(out, "{report}")?;
            return Ok(());
        }
        writeln!(out, "tables             {}", self.tables)?;
        writeln!(out, "sockets            {}", self.tables * 4)?;
        writeln!(out, "moves a second     {moves:.0}")?;
        writeln!(out, "messages a second  {messages:.0}")?;
        writeln!(out, "latency, ms        50 %  {:.1}", ms(0.5))?;
        for (name, quantile) in [("90", 0.9), ("99", 0.99), ("99.9", 0.999)] {
            writeln!(out, "{:>21} %  {:.1}", name, ms(quantile))?;
        }
        writeln!(out, "{:>23}  {:.1}", "max", histogram.max() as f64 / 1000.0)?;
        Ok(())
    }
}

/// Opens a table, seats four clients and starts the match.
async fn open_table(shared: Arc<LoadContext>, number: usize) -> Result<Vec<LoadPlayer>> {
    let _permit = shared.connecting.acquire().await?;
    let mut players: Vec<LoadPlayer> = Vec::new();
    let mut table = String::new();
    for seat in 1..=4 {
        let url = format!("http://{}/api/session", shared.host);
        let answer = shared.http.post(url).json(&serde_json::json!({})).send().await?;
        let Guest { token, .. } = Guest::read(answer.error_for_status()?).await?;
        if seat == 1 {
            let body = serde_json::json!({ "rules": shared.rules, "listed": true });
            let url = format!("http://{}/api/tables", shared.host);
            let answer = shared.http.post(url).bearer_auth(&token).json(&body).send().await?;
            let opened: OpenedTable = answer.error_for_status()?.json().await?;
            table = opened.table;
        }
        let url = format!("ws://{}/api/tables/{table}/socket", shared.host);
        let mut client = LoadClient::new(TableReplica::new(""), url, Some(token), shared.started);
        client.join().await?;
        let mut player = LoadPlayer {
            client,
            shared: shared.clone(),
            lots: lots((number * 4 + seat) as u64, 0),
            thinks_until: None,
        };
        player.command(TableCommand::Sit { seat, name: format!("Client {seat}") }).await?;
        players.push(player);
    }
    players[0].command(TableCommand::Start).await?;
    Ok(players)
}

/// Random numbers of a stream, the same for the same seed.
fn lots(seed: u64, stream: u64) -> RandomStream {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_be_bytes());
    RandomStream::new(Seed(bytes), stream)
}

struct LoadPlayer {
    client: LoadClient<TableReplica>,
    shared: Arc<LoadContext>,
    lots: RandomStream,
    thinks_until: Option<Instant>,
}

impl LoadPlayer {
    /// Sends a command and waits until it is done.
    async fn command(&mut self, what: TableCommand) -> Result<()> {
        self.client.command(what, 1).await?;
        while !self.client.replica.is_settled() {
            let wake = timeout(TIME_LIMIT, self.client.wait()).await?;
            self.handle(wake).await?;
        }
        Ok(())
    }

    /// Plays for ever.
    async fn play(mut self) -> Result<()> {
        loop {
            self.plan();
            let thinks_until = self.thinks_until;
            tokio::select! {
                wake = self.client.wait() => self.handle(wake).await?,
                () = at(thinks_until) => self.act().await?,
            }
        }
    }

    /// Begins to think if there is something to do.
    fn plan(&mut self) {
        if self.thinks_until.is_some()
            || !self.client.replica.is_settled()
            || self.next_command().is_none()
        {
            return;
        }
        self.thinks_until = Some(Instant::now() + around(self.shared.think, &mut self.lots));
    }

    /// The first legal command that the table waits for.
    fn next_command(&self) -> Option<TableCommand> {
        let replica = &self.client.replica;
        match replica.prompt()? {
            Prompt::Act => replica.act(*replica.view()?.lawful_actions().first()?),
            Prompt::Ready => Some(TableCommand::Ready),
            Prompt::Rematch => Some(TableCommand::AskForRematch),
        }
    }

    async fn act(&mut self) -> Result<()> {
        self.thinks_until = None;
        if let Some(what) = self.next_command() {
            self.client.command(what, 1).await?;
        }
        Ok(())
    }

    /// Handles what the client woke up for. A lost connection is an error here.
    async fn handle(&mut self, wake: Wake) -> Result<()> {
        let is_text = matches!(&wake, Wake::Frame(Some(Ok(frame))) if frame.is_text());
        let counting = self.shared.counting.load(Ordering::Relaxed);
        let received = self.client.handle(wake).await?;
        if counting && is_text {
            self.shared.messages.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(answer) = received.and_then(|received| received.answer)
            && counting
        {
            self.shared.moves.fetch_add(1, Ordering::Relaxed);
            let _ = self.shared.latencies.send(answer.took.as_micros() as u64);
        }
        Ok(())
    }
}

/// Between 0.5 and 1.5 times a mean.
fn around(mean: Duration, lots: &mut RandomStream) -> Duration {
    mean.mul_f64(0.5 + lots.below(1000) as f64 / 1000.0)
}
