//! Measures a contest in a hall: the page of every entrant is open, and all tables report their
//! results at the same moment. Measured is the time until each result is on each page.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use contest::{ContestChange, ContestSettings, ContestTableId, Role, Venue, urn};
use futures_util::{SinkExt, StreamExt};
use game::Rules;
use hdrhistogram::Histogram;
use indicatif::ProgressBar;
use room::Key;
use tokio::sync::{Barrier, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::Message;
use wire::contest::{ContestChangeText, PartyText, header_line, role_text, table_text};
use wire::http::{NewLedger, OpenedLedger};
use wire::ledger::{
    Ledger, LedgerClientMessage, LedgerCommand, LedgerServerMessage, VERSION, role_key,
};

use super::client::{Guest, Socket, connect_to};
use super::{MAX_CONNECTING, TIME_LIMIT};

/// Lines that arrived on a page: how many it had before, how many came, and when.
struct ReceivedLines {
    from: usize,
    count: usize,
    at: Instant,
}

/// An open page of the contest.
struct OpenPage {
    socket: Socket,
    lines: usize,
    received: Vec<ReceivedLines>,
    /// The ledger. Only the organiser's page folds it.
    ledger: Option<Ledger>,
}

/// The beginning of a message with lines.
const LINES: &str = r#"{"type":"lines","from":"#;

impl OpenPage {
    async fn open(host: &str, ledger: &str, role: Role, key: Key) -> Result<OpenPage> {
        let url = format!("ws://{host}/api/ledgers/{ledger}/socket");
        let mut page = OpenPage {
            socket: connect_to(&url, None).await?,
            lines: 0,
            received: Vec::new(),
            ledger: None,
        };
        let hello = LedgerClientMessage::Hello {
            ghinda: VERSION,
            since: 0,
            role: Some(role_text(role)),
            key: Some(role_key(key, role).to_string()),
        };
        page.send(&hello).await?;
        Ok(page)
    }

    async fn send(&mut self, message: &LedgerClientMessage) -> Result<()> {
        Ok(self.socket.send(Message::text(message.text())).await?)
    }

    /// Receives the next message. Lines are only counted: folding them on every page would load the
    /// machine, which may also run the server.
    async fn receive(&mut self) -> Result<Option<LedgerServerMessage>> {
        let frame =
            timeout(TIME_LIMIT, self.socket.next()).await?.context("the connection ended")??;
        let Message::Text(text) = frame else {
            ensure!(!frame.is_close(), "the server closed the connection: {frame}");
            return Ok(None);
        };
        let text = text.as_str();
        let Some(rest) = text.strip_prefix(LINES) else {
            return Ok(Some(LedgerServerMessage::read(text)?));
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let from: usize = rest[..digits].parse()?;
        let entries = rest.matches(r#"{"at":""#).count();
        let count = entries + usize::from(from == 0);
        ensure!(from == self.lines, "a line is missing, or was sent twice");
        self.received.push(ReceivedLines { from, count, at: Instant::now() });
        self.lines += count;
        if let Some(ledger) = &mut self.ledger {
            let LedgerServerMessage::Lines { lines, .. } = LedgerServerMessage::read(text)? else {
                bail!("the message has no lines");
            };
            for line in lines.iter().skip(usize::from(from == 0)) {
                ledger.add(0, line)?;
            }
        }
        Ok(None)
    }

    async fn command(&mut self, id: &str, what: LedgerCommand) -> Result<()> {
        self.send(&LedgerClientMessage::Do { id: id.into(), what }).await?;
        loop {
            match self.receive().await? {
                Some(LedgerServerMessage::Done { id: done }) if done == id => return Ok(()),
                Some(LedgerServerMessage::Refused { refusal, .. }) => bail!("refused: {refusal:?}"),
                _ => {}
            }
        }
    }

    async fn read_up_to(&mut self, lines: usize) -> Result<()> {
        while self.lines < lines {
            self.receive().await?;
        }
        Ok(())
    }
}

/// The results of the measurement.
struct Measured {
    tables: usize,
    pages: usize,
    /// The time of the draw itself, in microseconds.
    draw: u128,
    /// From a result to a page, in microseconds.
    latency: Histogram<u64>,
    /// From the first result to the last page.
    took: Duration,
}

pub(super) async fn play(
    host: &str,
    entrants: usize,
    json: bool,
    out: &mut impl Write,
) -> Result<()> {
    let measured = measure(host, entrants).await?;
    let Measured { tables, pages, draw, latency, took } = &measured;
    let ms = |quantile: f64| latency.value_at_quantile(quantile) as f64 / 1000.0;
    let max = latency.max() as f64 / 1000.0;
    let took = took.as_secs_f64() * 1000.0;
    if json {
        let report = serde_json::json!({
            "entrants": entrants, "tables": tables, "pages": pages, "draw_us": draw,
            "latency_ms": { "p50": ms(0.5), "p90": ms(0.9), "p99": ms(0.99), "max": max },
            "all_ms": took,
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    writeln!(out, "entrants           {entrants}")?;
    writeln!(out, "tables             {tables}")?;
    writeln!(out, "open pages         {pages}")?;
    writeln!(out, "the draw, ms       {:.1}", *draw as f64 / 1000.0)?;
    writeln!(out, "from a result to a page, ms")?;
    for (name, quantile) in [("50", 0.5), ("90", 0.9), ("99", 0.99)] {
        writeln!(out, "{name:>21} %  {:.1}", ms(quantile))?;
    }
    writeln!(out, "{:>23}  {max:.1}", "max")?;
    writeln!(out, "all on all pages, ms     {took:.1}")?;
    Ok(())
}

async fn measure(host: &str, entrants: usize) -> Result<Measured> {
    let mut contest = OpenContest::open(host, entrants).await?;
    let (tables, draw) = time_draw(&contest.organiser)?;
    let all = contest.organiser.lines + tables.len();
    let seated: usize = tables.iter().map(|(_, seated)| seated.len()).sum();
    let bar = ProgressBar::new(seated as u64).with_message("pages");
    let start = Arc::new(Barrier::new(seated + 1));
    let mut players = open_pages(host, &contest, &tables, &start, &bar);
    start.wait().await;
    let began = Instant::now();
    contest.organiser.read_up_to(all).await?;
    let (mut pages, mut sent) = (vec![contest.organiser.received], BTreeMap::new());
    while let Some(player) = players.join_next().await {
        let (received, result) = player??;
        pages.push(received);
        sent.extend(result);
    }
    bar.finish_and_clear();
    let last = pages.iter().filter_map(|received| received.last()).map(|last| last.at).max();
    let took = last.map_or(Duration::ZERO, |last| last - began);
    let latency = latencies(contest.organiser.ledger, &pages, &sent)?;
    ensure!(latency.len() == (tables.len() * pages.len()) as u64, "a result is missing on a page");
    Ok(Measured { tables: tables.len(), pages: pages.len(), draw, latency, took })
}

/// A contest on the server, after its first draw.
struct OpenContest {
    ledger: String,
    key: Key,
    organiser: OpenPage,
}

impl OpenContest {
    async fn open(host: &str, entrants: usize) -> Result<OpenContest> {
        let header = contest_header()?;
        let new = NewLedger { lines: header.clone() };
        let http = reqwest::Client::new();
        let session = http.post(format!("http://{host}/api/session"));
        let session = session.json(&serde_json::json!({})).send().await?;
        let guest = Guest::read(session.error_for_status()?).await?;
        let request = http.post(format!("http://{host}/api/ledgers")).bearer_auth(guest.token);
        let answer = request.json(&new).send().await?;
        let opened: OpenedLedger = answer.error_for_status()?.json().await?;
        let (ledger, key): (String, Key) = (opened.ledger, opened.key.parse()?);
        let mut organiser = OpenPage::open(host, &ledger, Role::Organiser, key).await?;
        organiser.ledger = Some(Ledger::from_header(&header)?);
        for (id, command) in ["enter", "prepare", "draw"].into_iter().zip(first_draw(entrants)) {
            organiser.command(id, command).await?;
        }
        Ok(OpenContest { ledger, key, organiser })
    }
}

/// A table of the first phase, with its entrants by places.
type DrawnTable = (ContestTableId, Vec<contest::EntrantId>);

/// The tables of the first phase, and the time of drawing them again, in microseconds.
fn time_draw(organiser: &OpenPage) -> Result<(Vec<DrawnTable>, u128)> {
    let folded = organiser.ledger.as_ref().and_then(Ledger::contest).context("no contest")?;
    let phase = folded.phases().first().context("no draw")?;
    let began = Instant::now();
    let seed = urn::seed(folded.settings(), 0, phase.secret(), phase.words());
    let drawn = urn::draw(seed, phase.plan(), &phase.entrants());
    let draw = began.elapsed().as_micros();
    ensure!(!drawn.tables.is_empty(), "no tables were drawn");
    let tables = phase.tables().iter().map(|table| (table.id(), table.entrants().to_vec()));
    Ok((tables.collect(), draw))
}

/// The lines that a page received, and its table with the moment when it sent the result.
type PageResult = Result<(Vec<ReceivedLines>, Option<(ContestTableId, Instant)>)>;

/// Opens the page of every entrant. After `start` the first entrant of each table reports its
/// result, and every page waits for all results.
fn open_pages(
    host: &str,
    contest: &OpenContest,
    tables: &[DrawnTable],
    start: &Arc<Barrier>,
    bar: &ProgressBar,
) -> JoinSet<PageResult> {
    let (key, before) = (contest.key, contest.organiser.lines);
    let all = before + tables.len();
    let connecting = Arc::new(Semaphore::new(MAX_CONNECTING));
    let mut players = JoinSet::new();
    for (table, seated) in tables {
        for (at, entrant) in seated.iter().enumerate() {
            let (connecting, start, bar) = (connecting.clone(), start.clone(), bar.clone());
            let (host, ledger) = (host.to_owned(), contest.ledger.clone());
            let role = Role::Player(*entrant);
            let reports = (at == 0).then_some((*table, seated.len()));
            players.spawn(async move {
                let permit = connecting.acquire().await?;
                let mut page = OpenPage::open(&host, &ledger, role, key).await?;
                page.read_up_to(before).await?;
                drop(permit);
                bar.inc(1);
                start.wait().await;
                let sent = Instant::now();
                if let Some((table, places)) = reports {
                    page.send(&result(table, places)).await?;
                }
                page.read_up_to(all).await?;
                anyhow::Ok((page.received, reports.map(|(table, _)| (table, sent))))
            });
        }
    }
    players
}

/// The time from the sending of each result to its arrival on each page, in microseconds.
fn latencies(
    ledger: Option<Ledger>,
    pages: &[Vec<ReceivedLines>],
    sent: &BTreeMap<ContestTableId, Instant>,
) -> Result<Histogram<u64>> {
    let Some(Ledger::Contest(log)) = ledger else { bail!("no contest") };
    let moments = log.entries.iter().map(|entry| match &entry.change {
        ContestChange::Report { table, .. } => sent.get(table).copied(),
        _ => None,
    });
    // The first line is the header.
    let moments: Vec<Option<Instant>> = std::iter::once(None).chain(moments).collect();
    let mut latency = Histogram::<u64>::new_with_bounds(1, 60_000_000, 3)?;
    for lines in pages.iter().flatten() {
        let of_lines = moments.get(lines.from..lines.from + lines.count);
        for sent in of_lines.context("a page received too many lines")?.iter().flatten() {
            latency.saturating_record((lines.at - *sent).as_micros() as u64);
        }
    }
    Ok(latency)
}

/// The header of a contest in a hall.
pub(super) fn contest_header() -> Result<String> {
    let rules = Rules::from_code("contest")?;
    let settings = ContestSettings::new("Hall".parse()?, "hall".parse()?, rules, Venue::Hall)?;
    Ok(header_line(&settings))
}

/// The commands of the organiser up to the first draw.
pub(super) fn first_draw(entrants: usize) -> [LedgerCommand; 3] {
    let names = (1..=entrants).map(|number| PartyText::Alone(format!("Player {number}")));
    let enter = ContestChangeText::Enter { entrants: names.collect() };
    [
        LedgerCommand::Contest(enter),
        LedgerCommand::Prepare,
        LedgerCommand::Draw { words: Vec::new() },
    ]
}

/// The command that reports the result of a table: each place has a different score.
pub(super) fn report(table: ContestTableId, places: usize) -> LedgerCommand {
    let scores = (0..places as i32).map(|place| 21 - 3 * place).collect();
    LedgerCommand::Contest(ContestChangeText::Report {
        table: table_text(table),
        scores,
        broken_off: false,
    })
}

/// The message with that command.
fn result(table: ContestTableId, places: usize) -> LedgerClientMessage {
    let id = format!("result-{}", table_text(table));
    LedgerClientMessage::Do { id, what: report(table, places) }
}
