//! `ghinda load`: plays many tables against a server and measures the time from the sending of a
//! move to the answer, which means that the move is on the disk.
//!
//! Every client has its own WebSocket, and the replica and the conversation of real clients; it plays
//! the first legal action. Only the thinking is simulated. `--contest` measures a contest instead.

mod hall;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use futures_util::{SinkExt, StreamExt};
use game::deal::{RandomStream, Seed};
use hdrhistogram::Histogram;
use indicatif::ProgressBar;
use replica::conversation::{Conversation, Replica, Tick};
use replica::table::{Prompt, TableChange, TableReplica};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use wire::http::OpenedTable;
use wire::table::{ClientMessage, CloseReason, ServerMessage, TableCommand};

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
its arrival on a page.")]
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
        conflicts_with_all = ["tables", "rate", "seconds", "rules"])]
    contest: Option<u16>,
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

impl LoadContext {
    /// Milliseconds since the start.
    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

impl LoadArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
        runtime.block_on(self.play(out))
    }

    async fn play(&self, out: &mut impl Write) -> Result<()> {
        let host = self.url.trim_end_matches('/').strip_prefix("http://");
        let Some(host) = host else { bail!("the address looks like http://127.0.0.1:8080") };
        if let Some(entrants) = self.contest {
            return hall::play(host, entrants.into(), self.json, out).await;
        }
        ensure!(self.rate > 0.0 && self.tables > 0, "there must be tables, and moves");
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
        let token = session(&shared).await?;
        if seat == 1 {
            let body = serde_json::json!({ "rules": shared.rules, "listed": true });
            let url = format!("http://{}/api/tables", shared.host);
            let answer = shared.http.post(url).bearer_auth(&token).json(&body).send().await?;
            let opened: OpenedTable = answer.error_for_status()?.json().await?;
            table = opened.table;
        }
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&((number * 4 + seat) as u64).to_be_bytes());
        let mut player = LoadPlayer {
            socket: connect(&shared, &table, &token).await?,
            replica: TableReplica::new(""),
            conversation: Conversation::default(),
            shared: shared.clone(),
            lots: RandomStream::new(Seed(seed), 0),
            sent_at: None,
            thinks_until: None,
        };
        let hello = player.conversation.connected(&player.replica, shared.now());
        player.send(&hello).await?;
        player.command(TableCommand::Sit { seat, name: format!("Client {seat}") }).await?;
        players.push(player);
    }
    players[0].command(TableCommand::Start).await?;
    Ok(players)
}

async fn session(shared: &LoadContext) -> Result<String> {
    let url = format!("http://{}/api/session", shared.host);
    let answer = shared.http.post(url).json(&serde_json::json!({})).send().await?;
    let answer = answer.error_for_status()?;
    let cookie = answer.headers().get("set-cookie").context("the server sent no session cookie")?;
    let token = cookie
        .to_str()?
        .split(['=', ';'])
        .nth(1)
        .context("the session cookie has no value")?
        .to_owned();
    Ok(token)
}

async fn connect(shared: &LoadContext, table: &str, token: &str) -> Result<Socket> {
    connect_to(&format!("ws://{}/api/tables/{table}/socket", shared.host), Some(token)).await
}

/// A connection, with or without a session token.
async fn connect_to(url: &str, token: Option<&str>) -> Result<Socket> {
    let mut request = url.into_client_request()?;
    if let Some(token) = token {
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
    }
    // With larger buffers, thousands of clients would take more memory than the server.
    let config = tokio_tungstenite::tungstenite::protocol::WebSocketConfig::default()
        .read_buffer_size(2 << 10)
        .write_buffer_size(1 << 10);
    let connected = timeout(TIME_LIMIT, connect_async_with_config(request, Some(config), true));
    Ok(connected.await??.0)
}

/// Waits until a moment; for ever without one.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

struct LoadPlayer {
    socket: Socket,
    replica: TableReplica,
    conversation: Conversation<CloseReason>,
    shared: Arc<LoadContext>,
    lots: RandomStream,
    /// When the move was sent whose answer is awaited.
    sent_at: Option<Instant>,
    thinks_until: Option<Instant>,
}

impl LoadPlayer {
    async fn send(&mut self, message: &ClientMessage) -> Result<()> {
        Ok(self.socket.send(Message::text(message.text())).await?)
    }

    /// Sends a command and waits until it is done.
    async fn command(&mut self, what: TableCommand) -> Result<()> {
        self.send_command(what).await?;
        while !self.replica.is_settled() {
            let frame = timeout(TIME_LIMIT, self.socket.next())
                .await?
                .context("the connection ended")??;
            self.receive(frame).await?;
        }
        Ok(())
    }

    async fn send_command(&mut self, what: TableCommand) -> Result<()> {
        match self.conversation.command(&mut self.replica, what) {
            (_, Some(message)) => self.send(&message).await,
            // It is sent once the replica is up to date.
            (_, None) => Ok(()),
        }
    }

    /// Plays for ever.
    async fn play(mut self) -> Result<()> {
        loop {
            self.plan();
            let (thinks_until, wakes_at) = (self.thinks_until, self.wakes_at());
            tokio::select! {
                frame = self.socket.next() => {
                    self.receive(frame.context("the connection ended")??).await?;
                }
                () = at(thinks_until) => self.act().await?,
                () = at(wakes_at) => self.tick().await?,
            }
        }
    }

    /// Begins to think if there is something to do.
    fn plan(&mut self) {
        if self.thinks_until.is_some()
            || !self.replica.is_settled()
            || self.next_command().is_none()
        {
            return;
        }
        // Between 0.5 and 1.5 times the average.
        let share = 0.5 + self.lots.below(1000) as f64 / 1000.0;
        self.thinks_until = Some(Instant::now() + self.shared.think.mul_f64(share));
    }

    /// The first legal command that the table waits for.
    fn next_command(&self) -> Option<TableCommand> {
        match self.replica.prompt()? {
            Prompt::Act => self.replica.act(*self.replica.view()?.legal_actions().first()?),
            Prompt::Ready => Some(TableCommand::Ready),
            Prompt::Rematch => Some(TableCommand::Rematch),
        }
    }

    async fn act(&mut self) -> Result<()> {
        self.thinks_until = None;
        let Some(what) = self.next_command() else { return Ok(()) };
        self.sent_at = Some(Instant::now());
        self.send_command(what).await
    }

    fn wakes_at(&self) -> Option<Instant> {
        let at = self.conversation.wakes_at()?;
        Some(self.shared.started + Duration::from_millis(at))
    }

    async fn tick(&mut self) -> Result<()> {
        match self.conversation.tick(self.shared.now()) {
            Tick::Wait => Ok(()),
            Tick::Beat => self.send(&TableReplica::beat()).await,
            Tick::HangUp => bail!("the server is silent"),
        }
    }

    async fn receive(&mut self, frame: Message) -> Result<()> {
        let Message::Text(text) = frame else {
            ensure!(!frame.is_close(), "the server closed the connection: {frame}");
            return Ok(());
        };
        let counting = self.shared.counting.load(Ordering::Relaxed);
        if counting {
            self.shared.messages.fetch_add(1, Ordering::Relaxed);
        }
        let message = ServerMessage::read(text.as_str())?;
        let now = self.shared.now();
        let step = self.conversation.receive(&mut self.replica, message, now);
        ensure!(step.change != TableChange::Lost, "an update does not fit: {text}");
        ensure!(!step.hang_up, "the server ended the connection: {text}");
        for message in &step.send {
            self.send(message).await?;
        }
        if self.replica.is_settled()
            && let Some(sent_at) = self.sent_at.take()
            && counting
        {
            self.shared.moves.fetch_add(1, Ordering::Relaxed);
            let _ = self.shared.latencies.send(sent_at.elapsed().as_micros() as u64);
        }
        Ok(())
    }
}
