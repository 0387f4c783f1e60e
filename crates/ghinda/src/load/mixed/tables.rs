//! Tables of the mixed load: players play, chat, rename themselves, leave and come back. After a
//! while they abandon their table for a new one.

use std::sync::Arc;
use std::time::Duration;

use game::deal::RandomStream;
use game::{Action, View};
use replica::TableReplica;
use replica::table::{Prompt, TableChange};
use store::{PlayerId, TableId};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};
use wire::table::{Phrase, TableCommand, TableEvent, TableStage};

use super::super::client::{Guest, at};
use super::super::{around, lots};
use super::mixed_client::MixedClient;
use super::{CreatedResources, MixedLoad, PAUSE, Task, lock, stagger};

/// The rules, and how many people sit there. Bots take the other seats.
const RULES: [(&str, usize); 8] = [
    ("cruce4t-2", 4),
    ("whist4", 4),
    ("cruce2-2", 2),
    ("cruce3-2-honour", 3),
    ("cruce4s-2-m1", 2),
    ("whist3", 1),
    ("contest-2", 4),
    ("whist5-818", 5),
];
/// How long a table is used, in seconds.
const LIFE: std::ops::Range<usize> = 20..100;
/// The mean time between the things that a player does besides playing.
const ASIDE_INTERVAL: Duration = Duration::from_secs(8);
/// One command of this many is sent twice, as if the network had doubled it.
const DOUBLED: usize = 16;
/// One guest of this many is replaced by a new one at every table.
const NEW_GUESTS: usize = 4;

/// How a table is abandoned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TableEnding {
    AllLeave,
    HostLeaves,
    /// All connections end, and the seats are kept.
    AllVanish,
}

/// Uses one table after the other.
pub(super) async fn keep_opening(load: Arc<MixedLoad>, number: usize) {
    let mut lots = load.lots(Task::Tables, number);
    let mut guests = Vec::new();
    stagger(&mut lots).await;
    while !load.is_over() {
        if use_table(&load, &mut guests, &mut lots).await.is_none() {
            sleep(PAUSE).await;
        }
    }
}

/// Opens a table, seats players, and lets them play until they abandon it.
async fn use_table(
    load: &Arc<MixedLoad>,
    guests: &mut Vec<Guest>,
    lots: &mut RandomStream,
) -> Option<()> {
    let (rules, people) = RULES[lots.below(RULES.len())];
    let life = LIFE.start + lots.below(LIFE.len());
    let ends = load.ends.min(Instant::now() + Duration::from_secs(life as u64));
    let ending = [TableEnding::AllLeave, TableEnding::HostLeaves, TableEnding::AllVanish];
    let ending = ending[lots.below(ending.len())];
    renew(guests, people, load, lots).await?;
    let table = load.open_table(&guests[0], rules).await?;
    let mut players = Vec::new();
    for (seat, guest) in (1..=people).zip(&*guests) {
        let mut player = MixedPlayer::new(load, &table, guest, seat, child(lots))?;
        if !player.sit().await {
            return None;
        }
        players.push(player);
    }
    players[0].start(people).await;
    let mut playing = JoinSet::new();
    for player in players {
        let leaves = match ending {
            TableEnding::AllLeave => true,
            TableEnding::HostLeaves => player.seat == 1,
            TableEnding::AllVanish => false,
        };
        playing.spawn(player.play(ends, leaves));
    }
    // A guest of another table watches.
    let watcher = load.guest().await;
    if let Some(mut watcher) =
        watcher.and_then(|guest| MixedPlayer::new(load, &table, &guest, 0, child(lots)))
    {
        playing.spawn(async move { watcher.client.receive_until(ends).await });
    }
    while let Some(ended) = playing.join_next().await {
        if let Err(error) = ended {
            load.fault("a client has panicked", &error.to_string());
        }
    }
    Some(())
}

/// As many guests as needed, some of them new.
async fn renew(
    guests: &mut Vec<Guest>,
    people: usize,
    load: &MixedLoad,
    lots: &mut RandomStream,
) -> Option<()> {
    for at in 0..people {
        if at == guests.len() {
            guests.push(load.guest().await?);
        } else if lots.below(NEW_GUESTS) == 0 {
            guests[at] = load.guest().await?;
        }
    }
    Some(())
}

/// Other random numbers that follow from these.
fn child(parent: &mut RandomStream) -> RandomStream {
    lots(parent.below_wide(1 << 64) as u64, 0)
}

struct MixedPlayer {
    client: MixedClient<TableReplica>,
    table: String,
    /// Their seat, also while they have left it.
    seat: usize,
    lots: RandomStream,
    acts_at: Option<Instant>,
    /// When they next do something besides playing.
    aside_at: Instant,
    /// The number of their sayings and names.
    said: usize,
}

impl MixedPlayer {
    fn new(
        load: &Arc<MixedLoad>,
        table: &str,
        guest: &Guest,
        seat: usize,
        lots: RandomStream,
    ) -> Option<MixedPlayer> {
        let id: TableId = table.parse().ok()?;
        let player: PlayerId = guest.player.parse().ok()?;
        let replica = TableReplica::new(&guest.token[..6]);
        let identity = Some((player, guest.token.clone()));
        Some(MixedPlayer {
            client: MixedClient::new(load, replica, id.into(), identity),
            table: table.to_owned(),
            seat,
            lots,
            acts_at: None,
            aside_at: Instant::now() + ASIDE_INTERVAL,
            said: 0,
        })
    }

    async fn sit(&mut self) -> bool {
        let name = format!("Player {}", self.seat);
        self.client.command(TableCommand::Sit { seat: self.seat, name }).await
    }

    /// Begins the match, with bots on all seats after those of the people.
    async fn start(&mut self, people: usize) {
        let seats = self.client.replica().state().map_or(0, |state| state.seats.len());
        for seat in people + 1..=seats {
            self.client.command(TableCommand::AddBot { seat, level: "easy".into() }).await;
        }
        self.client.command(TableCommand::Start).await;
    }

    /// Plays until the table is abandoned.
    async fn play(mut self, ends: Instant, leaves: bool) {
        while Instant::now() < ends && !self.client.is_stuck() {
            self.plan();
            let (acts_at, aside_at) = (self.acts_at, self.aside_at.min(ends));
            tokio::select! {
                wake = self.client.wait() => {
                    let change = self.client.handle(wake).await;
                    self.note(change.as_ref());
                }
                () = at(acts_at) => self.act().await,
                () = sleep_until(aside_at) => {
                    if aside_at < ends {
                        self.do_aside().await;
                    }
                }
            }
        }
        self.client.settle().await;
        if leaves && self.client.replica().seat().is_some() {
            self.client.command(TableCommand::Leave).await;
        }
    }

    /// Remembers a match that has ended, for others to read its record.
    fn note(&self, change: Option<&TableChange>) {
        let Some(TableChange::Events(events)) = change else { return };
        let won = events.iter().any(|event| matches!(event, TableEvent::Won { .. }));
        if let Some(state) = self.client.replica().state()
            && won
            && self.seat == 1
        {
            let finished = (self.table.clone(), state.commitment.number);
            self.client.load.count("matches");
            CreatedResources::remember(&mut lock(&self.client.load.created).matches, finished);
        }
    }

    /// Begins to think if there is something to do.
    fn plan(&mut self) {
        if self.acts_at.is_none()
            && self.client.is_idle()
            && self.client.replica().prompt().is_some()
        {
            self.acts_at = Some(Instant::now() + around(self.client.load.think, &mut self.lots));
        }
    }

    /// The command that the table waits for.
    fn prompted(&mut self) -> Option<TableCommand> {
        let replica = self.client.replica();
        match replica.prompt()? {
            Prompt::Act => replica.act(choose(replica.view()?, &mut self.lots)?),
            Prompt::Ready => Some(TableCommand::Ready),
            Prompt::Rematch => Some(TableCommand::AskForRematch),
        }
    }

    async fn act(&mut self) {
        self.acts_at = None;
        if !self.client.is_idle() {
            return;
        }
        if let Some(what) = self.prompted() {
            let times = if self.lots.below(DOUBLED) == 0 { 2 } else { 1 };
            self.client.send(what, times).await;
        }
    }

    /// Chats, takes another name, leaves, comes back, or loses the connection.
    async fn do_aside(&mut self) {
        self.aside_at = Instant::now() + around(ASIDE_INTERVAL, &mut self.lots);
        if !self.client.is_idle() {
            return;
        }
        let (seat, said) = (self.seat, self.said);
        self.said += 1;
        if self.client.replica().seat().is_none() {
            let name = format!("Player {seat} again");
            self.client.send(TableCommand::Sit { seat, name }, 1).await;
            return;
        }
        let soon = Duration::from_millis(500 + self.lots.below(2_500) as u64);
        let acts = self.client.replica().prompt() == Some(Prompt::Act);
        let plays = self.client.replica().state().map(|state| state.stage);
        let plays = plays == Some(TableStage::Playing);
        let what = match self.lots.below(12) {
            0..=4 => TableCommand::Say(format!("{said} is what {seat} says")),
            5 => TableCommand::Phrase(Phrase::WellPlayed),
            6 | 7 => TableCommand::Rename { name: format!("Player {seat} the {said}th") },
            8 if !plays => TableCommand::Word(format!("word-{said}")),
            9 => {
                self.client.load.count("connections dropped");
                return self.client.disconnect(soon);
            }
            10 if acts => TableCommand::Claim,
            8 | 10 => TableCommand::Phrase(Phrase::Hello),
            _ => {
                self.aside_at = Instant::now() + soon;
                TableCommand::Leave
            }
        };
        self.client.send(what, 1).await;
    }
}

/// The lowest bid, or a random card that breaks no duty.
fn choose(view: &View, lots: &mut RandomStream) -> Option<Action> {
    let actions = view.lawful_actions();
    let bids = matches!(actions.first(), Some(Action::Bid(_)));
    let count = if bids { 1 } else { actions.len() };
    (count > 0).then(|| actions[lots.below(count)])
}
