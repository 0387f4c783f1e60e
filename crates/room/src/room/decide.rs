//! What a command leads to, or why it is refused. Nothing changes here.

use bots::Level;
use cards::Seat;
use game::fair::Secret;
use game::notation::{ActionText, parse_action};
use game::record::Name;
use game::{Action, Rules};
use ids::{LedgerId, PlayerId};
use wire::table::{CommandRefusal, MAX_CHAT_TEXT, MAX_ID, RefusalReason, TableCommand};

use super::{
    ActedBy, ChatContent, ChatLine, Checkpoint, CheckpointSeat, Entry, Key, Millis, Opening, Pace,
    Presence, Room, RoomStage, STAND_IN, SeatHolder, SeatSlot,
};

/// How many chat messages a seat may send within a time.
const MAX_IN_CHAT_WINDOW: usize = 5;
const CHAT_WINDOW: Millis = 10_000;
/// The number of entries after which nothing new begins at a table: more than fifty long matches.
pub(super) const ENTRIES_WHEN_FULL: u64 = 100_000;
/// The number of entries after which a table closes. The match that is being played when nothing new
/// begins any more adds a few thousand, unless its players keep it from ending.
pub(super) const ENTRIES_WHEN_CLOSED: u64 = 110_000;
/// The bytes of a log after which nothing new begins at its table. Ordinary entries are so short that their
/// number is reached first; chat may be as long as ten of them.
pub(super) const LOG_BYTES_WHEN_FULL: u64 = 12 << 20;
/// The bytes of a log after which its table closes.
pub(super) const LOG_BYTES_WHEN_CLOSED: u64 = 13 << 20;
/// The number of deals in a match after which a table closes: players who all pass for ever throw in one
/// deal after the other. The score sheet of this many deals still fits into a message.
pub(super) const DEALS_WHEN_CLOSED: usize = 2_000;
/// How many claims of a player, and how many from a seat, may be wrong in a deal: to check one takes long.
pub(super) const MAX_FALSE_CLAIMS: usize = 3;
/// The name of a muted player who sits down.
const MUTED_NAME: &str = "🤐";

/// A command of a player.
#[derive(Clone, Debug)]
pub struct PlayerCommand {
    /// The player.
    pub player: PlayerId,
    /// The id of the command, so that it is not done twice.
    pub id: String,
    /// The command.
    pub what: TableCommand,
}

/// What a decision may depend on besides the room.
pub struct DecisionContext<'a> {
    /// The time.
    pub now: Millis,
    /// Who is connected.
    pub presence: &'a Presence,
    /// Draws 32 random bytes: the secret of a match, or the source of a key.
    pub new_secret: &'a dyn Fn() -> Secret,
}

type Decision = Result<Vec<Entry>, CommandRefusal>;

/// Refuses unless the condition holds.
fn require(condition: bool, reason: RefusalReason) -> Result<(), CommandRefusal> {
    if condition { Ok(()) } else { Err(reason.into()) }
}

impl Room {
    /// The entries that a command leads to, or why it is refused.
    pub fn decide(&self, command: &PlayerCommand, context: &DecisionContext<'_>) -> Decision {
        self.check_command(command)?;
        let player = command.player;
        match &command.what {
            TableCommand::Act(text) => self.decide_action(player, text),
            // The proof takes too long for a decision; see `claimant` and `decide_claim`.
            TableCommand::Claim => Err(RefusalReason::NotProven.into()),
            TableCommand::Ready => self.decide_ready(player),
            TableCommand::Sit { seat, name } => self.decide_sit(player, *seat, name),
            TableCommand::Rename { name } => self.decide_rename(player, name),
            TableCommand::Leave => {
                Ok(vec![Entry::SeatFreed { seat: self.require_seat(player)?, kicked: false }])
            }
            TableCommand::Word(text) => self.decide_word(player, text),
            TableCommand::Swap(seats) => self.decide_swap(player, *seats),
            TableCommand::AddBot { seat, level } => self.decide_add_bot(player, *seat, level),
            TableCommand::RemoveBot { seat } => self.decide_remove_bot(player, *seat),
            TableCommand::Kick { seat } => self.decide_kick(player, *seat),
            TableCommand::Rules(code) => self.decide_rules(player, code, context),
            TableCommand::Pace(pace) => {
                self.require_host_between_matches(player)?;
                require(*pace != self.pace, RefusalReason::Unchanged)?;
                Ok(vec![self.settings_entry(self.rules, *pace)])
            }
            TableCommand::Listed(listed) => self.decide_listed(player, *listed, context),
            TableCommand::Start => {
                self.require_host_between_matches(player)?;
                self.decide_start(None)
            }
            TableCommand::AskForRematch => self.decide_ask_for_rematch(player),
            TableCommand::AskForPause => self.decide_ask_for_pause(player),
            TableCommand::Resume => self.decide_resume(player),
            TableCommand::TakeBack => self.decide_take_back(player),
            TableCommand::Say(text) => {
                check_chat_text(text)?;
                self.decide_chat(player, ChatContent::Text(text.clone()), context.now)
            }
            TableCommand::Phrase(phrase) => {
                self.decide_chat(player, ChatContent::Phrase(*phrase), context.now)
            }
            TableCommand::Relink => {
                self.require_host(player)?;
                Ok(vec![Entry::Relinked { key: key_from((context.new_secret)()) }])
            }
            TableCommand::Mute { seat, muted } => {
                self.require_host(player)?;
                let seat = self.player_seat_numbered(*seat)?;
                let is_muted = self.player_on(seat).is_some_and(|who| self.muted.contains(&who));
                require(is_muted != *muted, RefusalReason::Unchanged)?;
                Ok(vec![Entry::Muted { seat, muted: *muted }])
            }
        }
    }

    /// Refuses a command that no player may give at this table.
    fn check_command(&self, command: &PlayerCommand) -> Result<(), CommandRefusal> {
        use TableCommand::{AskForRematch, Leave, Rename, Sit};
        let is_graphic = |byte: u8| byte.is_ascii_graphic();
        let fits = (1..=MAX_ID).contains(&command.id.len()) && command.id.bytes().all(is_graphic);
        require(fits, RefusalReason::BadId)?;
        require(!self.closed, RefusalReason::Closed)?;
        let is_for_contest =
            matches!(command.what, Sit { .. } | Leave | Rename { .. } | AskForRematch);
        require(self.contest.is_none() || !is_for_contest, RefusalReason::Contest)?;
        if is_needed(&command.what) { Ok(()) } else { self.require_room_in_log() }
    }

    fn require_room_in_log(&self) -> Result<(), CommandRefusal> {
        let has_room = self.version < ENTRIES_WHEN_FULL && self.log_bytes < LOG_BYTES_WHEN_FULL;
        require(has_room, RefusalReason::LogFull)
    }

    /// Whether the log or the match has reached its largest size, so that the table must be closed.
    pub fn is_exhausted(&self) -> bool {
        let is_log_full =
            self.version >= ENTRIES_WHEN_CLOSED || self.log_bytes >= LOG_BYTES_WHEN_CLOSED;
        is_log_full || self.deals().len() >= DEALS_WHEN_CLOSED
    }

    /// The entries that a bot's answer leads to. Returns None if the question is outdated.
    pub fn decide_bot(&self, seat: Seat, version: u64, action: Action) -> Option<Vec<Entry>> {
        let played = self.playing()?;
        let is_current = !self.paused && played.play_version == version;
        let bot_acts = self.slots.get(seat.index())?.acting_bot().is_some();
        let legal = played.table.check(seat, action).is_ok();
        (is_current && bot_acts && legal)
            .then(|| vec![self.acted_entry(seat, action, ActedBy::Bot)])
    }

    /// Admits a player who has the table's key. No entries if the player was admitted before, or if the
    /// table is listed: it admits every player, but only for as long as it is listed.
    pub fn admit(&self, player: PlayerId, key: Key) -> Decision {
        require(!self.closed, RefusalReason::Closed)?;
        require(!self.is_kicked(player), RefusalReason::Kicked)?;
        require(key == self.key, RefusalReason::NotAdmitted)?;
        if self.listed || self.is_host(player) || self.admitted.contains(&player) {
            return Ok(Vec::new());
        }
        self.require_room_in_log()?;
        Ok(vec![Entry::Admitted { player }])
    }

    /// Gives a player a seat that the table's contest has for them: their own seat, even if another
    /// device holds it, or a free one of those that they share with a partner. No entries if they have
    /// it already.
    pub fn seat_from_contest(
        &self,
        contest: LedgerId,
        player: PlayerId,
        seats: &[(Seat, Name)],
    ) -> Decision {
        require(!self.closed, RefusalReason::Closed)?;
        require(self.contest == Some(contest), RefusalReason::Contest)?;
        let exists = |(seat, _): &&(Seat, Name)| seat.index() < self.slots.len();
        let mut seats = seats.iter().filter(exists);
        if let Some(held) = self.seat_of(player) {
            let is_assigned = seats.any(|(seat, _)| *seat == held);
            return if is_assigned { Ok(Vec::new()) } else { Err(RefusalReason::SeatTaken.into()) };
        }
        self.require_room_in_log()?;
        let seats: Vec<&(Seat, Name)> = seats.collect();
        let free = seats.iter().find(|(seat, _)| self.slot(*seat).player().is_none());
        // A seat of one player is held by their other device. Partners must not replace each other.
        let own = if seats.len() == 1 { seats.first() } else { None };
        let (seat, name) = free.or(own).ok_or(RefusalReason::SeatTaken)?;
        let mut entries = Vec::new();
        if self.slot(*seat).player().is_some() {
            entries.push(Entry::SeatFreed { seat: *seat, kicked: false });
        }
        entries.push(Entry::Sat { seat: *seat, player, name: name.clone() });
        Ok(entries)
    }

    /// Begins the match of a contest's table with the players who have come. No entries if this command has
    /// begun it already: its answer was lost.
    pub fn start_contest_match(&self, contest: LedgerId, command: &str) -> Decision {
        require(self.contest == Some(contest), RefusalReason::Contest)?;
        if self.contest_command.as_deref() == Some(command) {
            return Ok(Vec::new());
        }
        require(!self.closed, RefusalReason::Closed)?;
        require(matches!(self.stage, RoomStage::Waiting), RefusalReason::MatchRuns)?;
        self.decide_start(Some(command))
    }

    /// The seat that claims, the version of the position, and the position. The claim is proved
    /// elsewhere.
    pub fn claimant(
        &self,
        player: PlayerId,
    ) -> Result<(Seat, u64, game::Position), CommandRefusal> {
        require(!self.closed, RefusalReason::Closed)?;
        let seat = self.require_seat(player)?;
        let played = self.playing().ok_or(RefusalReason::NoMatch)?;
        require(!self.paused, RefusalReason::Paused)?;
        let public = played.table.public();
        let in_turn = public.round().is_some() && public.turn() == Some(seat);
        require(in_turn && !self.rules.honour(), RefusalReason::NoClaims)?;
        let position = played.table.position().ok_or(RefusalReason::NoClaims)?;
        Ok((seat, played.play_version, position))
    }

    /// The entries that a proved claim leads to, if no play has happened since.
    pub fn decide_claim(&self, seat: Seat, version: u64, line: Vec<(Seat, Action)>) -> Decision {
        let played = self.playing().ok_or(RefusalReason::NoMatch)?;
        require(played.play_version == version && !self.paused, RefusalReason::NotProven)?;
        let mut table = played.table.clone();
        for (seat, action) in &line {
            let events = table.decide(*seat, *action).map_err(|_| RefusalReason::NotProven)?;
            let fits = events.iter().try_for_each(|event| table.apply(event));
            require(fits.is_ok(), RefusalReason::NotProven)?;
        }
        let text = |(seat, action)| (seat, ActionText::new(&self.rules, seat, action));
        Ok(vec![Entry::Claimed { seat, line: line.into_iter().map(text).collect() }])
    }

    /// Whether another claim of a player in turn is checked in this deal. Who holds the seat may change, and a
    /// player may hold another one in the next match.
    pub fn may_claim(&self, player: PlayerId, seat: Seat) -> bool {
        let wrong = self.playing().map_or(&[][..], |played| &played.false_claims);
        let of_player = wrong.iter().filter(|(_, by)| *by == player).count();
        let from_seat = wrong.iter().filter(|(from, _)| *from == seat).count();
        of_player.max(from_seat) < MAX_FALSE_CLAIMS
    }

    /// The entries that a wrong claim leads to: it is counted in the log, so that it counts also when the table
    /// was loaded anew. None if the player has left the seat or the match is over.
    pub fn refuse_claim(&self, player: PlayerId, seat: Seat) -> Vec<Entry> {
        let is_counted = self.playing().is_some() && self.player_on(seat) == Some(player);
        let is_counted = is_counted && self.may_claim(player, seat);
        if is_counted { vec![Entry::ClaimRefused { seat }] } else { Vec::new() }
    }

    fn acted_entry(&self, seat: Seat, action: Action, by: ActedBy) -> Entry {
        Entry::Acted { seat, action: ActionText::new(&self.rules, seat, action), by }
    }

    fn require_seat(&self, player: PlayerId) -> Result<Seat, CommandRefusal> {
        self.seat_of(player).ok_or_else(|| RefusalReason::NotSeated.into())
    }

    fn require_host(&self, player: PlayerId) -> Result<(), CommandRefusal> {
        require(self.is_host(player), RefusalReason::NotHost)
    }

    fn require_host_between_matches(&self, player: PlayerId) -> Result<(), CommandRefusal> {
        self.require_host(player)?;
        require(!self.is_playing(), RefusalReason::MatchRuns)
    }

    /// The seat with that number.
    fn seat_numbered(&self, number: usize) -> Result<Seat, CommandRefusal> {
        let seat = Seat::from_number(number);
        let seat = seat.filter(|seat| seat.index() < self.slots.len());
        seat.ok_or_else(|| RefusalReason::NoSuchSeat.into())
    }

    /// The seat with that number, if a person holds it.
    fn player_seat_numbered(&self, number: usize) -> Result<Seat, CommandRefusal> {
        let seat = self.seat_numbered(number)?;
        match self.slot(seat).holder {
            SeatHolder::Person { .. } => Ok(seat),
            SeatHolder::Empty => Err(RefusalReason::SeatEmpty.into()),
            SeatHolder::Bot(_) => Err(RefusalReason::BotsSeat.into()),
        }
    }

    fn decide_action(&self, player: PlayerId, text: &str) -> Decision {
        let seat = self.require_seat(player)?;
        let played = self.playing().ok_or(RefusalReason::NoMatch)?;
        require(!self.paused, RefusalReason::Paused)?;
        let action = parse_action(&self.rules, seat, text)
            .map_err(|error| CommandRefusal::because(RefusalReason::BadAction, error))?;
        let checked = played.table.check(seat, action);
        checked.map_err(|illegal| CommandRefusal::illegal(&illegal, &self.rules))?;
        let acted = self.acted_entry(seat, action, ActedBy::Person);
        Ok(match self.slot(seat).stand_in {
            Some(_) => vec![Entry::TookBack { seat }, acted],
            None => vec![acted],
        })
    }

    fn decide_ready(&self, player: PlayerId) -> Decision {
        let seat = self.require_seat(player)?;
        let played = self.playing().ok_or(RefusalReason::NoMatch)?;
        require(played.table.wants_deal(), RefusalReason::NothingToRead)?;
        require(!self.slot(seat).ready, RefusalReason::Unchanged)?;
        Ok(vec![Entry::Ready { seat }])
    }

    fn decide_rename(&self, player: PlayerId, name: &str) -> Decision {
        let (seat, name) = (self.require_seat(player)?, parse_name(name)?);
        require(!self.muted.contains(&player), RefusalReason::Muted)?;
        let held = SeatHolder::Person { player, name: name.clone() };
        require(self.slot(seat).holder != held, RefusalReason::Unchanged)?;
        Ok(vec![Entry::Renamed { seat, name }])
    }

    fn settings_entry(&self, rules: Rules, pace: Pace) -> Entry {
        Entry::Settings { rules, pace, listed: self.listed, key: None }
    }

    fn decide_listed(
        &self,
        player: PlayerId,
        listed: bool,
        context: &DecisionContext<'_>,
    ) -> Decision {
        self.require_host(player)?;
        require(listed != self.listed, RefusalReason::Unchanged)?;
        // While the table was listed, any player could read its key.
        let key = (!listed).then(|| key_from((context.new_secret)()));
        Ok(vec![Entry::Settings { rules: self.rules, pace: self.pace, listed, key }])
    }

    fn decide_sit(&self, player: PlayerId, number: usize, name: &str) -> Decision {
        let (seat, mut name) = (self.seat_numbered(number)?, parse_name(name)?);
        if self.muted.contains(&player) {
            // A new name on every seat would be a way to speak.
            name = parse_name(MUTED_NAME)?;
        }
        require(!self.is_kicked(player), RefusalReason::Kicked)?;
        require(self.slot(seat).player().is_none(), RefusalReason::SeatTaken)?;
        if let Some(played) = self.playing() {
            require(self.seat_of(player).is_none(), RefusalReason::MatchRuns)?;
            // A player who has held a seat has seen its cards, and may not see others.
            let is_other_seat = |(who, held): &(PlayerId, Seat)| *who == player && *held != seat;
            require(!played.seen.iter().any(is_other_seat), RefusalReason::SawCards)?;
        }
        Ok(vec![Entry::Sat { seat, player, name }])
    }

    fn decide_ask_for_rematch(&self, player: PlayerId) -> Decision {
        let seat = self.require_seat(player)?;
        require(matches!(self.stage, RoomStage::Over(_)), RefusalReason::MatchRuns)?;
        require(self.siblings.is_empty(), RefusalReason::Duplicate)?;
        require(!self.slot(seat).ready, RefusalReason::Unchanged)?;
        Ok(vec![Entry::AskedForRematch { seat }])
    }

    fn decide_ask_for_pause(&self, player: PlayerId) -> Decision {
        let seat = self.require_seat(player)?;
        require(self.is_playing(), RefusalReason::NoMatch)?;
        require(!self.paused, RefusalReason::Paused)?;
        require(!self.slot(seat).asked_for_pause, RefusalReason::Unchanged)?;
        Ok(vec![Entry::AskedForPause { seat }])
    }

    fn decide_resume(&self, player: PlayerId) -> Decision {
        self.require_seat(player)?;
        require(self.paused, RefusalReason::NotPaused)?;
        Ok(vec![Entry::Resumed])
    }

    fn decide_take_back(&self, player: PlayerId) -> Decision {
        let seat = self.require_seat(player)?;
        require(self.slot(seat).stand_in.is_some(), RefusalReason::NotStoodIn)?;
        Ok(vec![Entry::TookBack { seat }])
    }

    fn decide_word(&self, player: PlayerId, text: &str) -> Decision {
        let seat = self.require_seat(player)?;
        require(!self.is_playing(), RefusalReason::MatchRuns)?;
        require(self.siblings.is_empty(), RefusalReason::Duplicate)?;
        let word =
            text.parse().map_err(|error| CommandRefusal::because(RefusalReason::BadWord, error))?;
        require(self.next_secret.words[seat] != Some(word), RefusalReason::Unchanged)?;
        // Everyone reads it.
        require(!self.muted.contains(&player), RefusalReason::Muted)?;
        Ok(vec![Entry::Word { seat, word }])
    }

    fn decide_swap(&self, player: PlayerId, [one, two]: [usize; 2]) -> Decision {
        self.require_host_between_matches(player)?;
        require(one != two, RefusalReason::Unchanged)?;
        Ok(vec![Entry::Swapped { seats: [self.seat_numbered(one)?, self.seat_numbered(two)?] }])
    }

    fn decide_add_bot(&self, player: PlayerId, seat: usize, level: &str) -> Decision {
        self.require_host(player)?;
        let seat = self.seat_numbered(seat)?;
        require(self.slot(seat).player().is_none(), RefusalReason::SeatTaken)?;
        let level: Level = level
            .parse()
            .map_err(|error| CommandRefusal::because(RefusalReason::BadLevel, error))?;
        if level.is_yardstick() {
            let detail = "this level thinks too long for a table; it is for the arena";
            return Err(CommandRefusal::because(RefusalReason::BadLevel, detail));
        }
        require(self.slot(seat).holder != SeatHolder::Bot(level), RefusalReason::Unchanged)?;
        Ok(vec![Entry::BotAdded { seat, level }])
    }

    fn decide_remove_bot(&self, player: PlayerId, seat: usize) -> Decision {
        self.require_host_between_matches(player)?;
        let seat = self.seat_numbered(seat)?;
        match self.slot(seat).holder {
            SeatHolder::Bot(_) => Ok(vec![Entry::BotRemoved { seat }]),
            SeatHolder::Empty => Err(RefusalReason::SeatEmpty.into()),
            SeatHolder::Person { .. } => Err(RefusalReason::SeatTaken.into()),
        }
    }

    fn decide_kick(&self, player: PlayerId, seat: usize) -> Decision {
        self.require_host(player)?;
        let seat = self.player_seat_numbered(seat)?;
        let kicked = self.player_on(seat) != Some(player);
        Ok(vec![Entry::SeatFreed { seat, kicked }])
    }

    fn decide_rules(
        &self,
        player: PlayerId,
        code: &str,
        context: &DecisionContext<'_>,
    ) -> Decision {
        self.require_host_between_matches(player)?;
        require(self.siblings.is_empty(), RefusalReason::Duplicate)?;
        let rules = Rules::from_code(code)
            .map_err(|faults| CommandRefusal::because(RefusalReason::BadRules, faults))?;
        require(rules != self.rules, RefusalReason::Unchanged)?;
        require(self.player_seats().count() <= rules.players(), RefusalReason::Full)?;
        // The commitment includes the rules, so a new one is needed.
        let number = self.next_number();
        let settings = self.settings_entry(rules, self.pace);
        Ok(vec![settings, Entry::Committed { number, secret: (context.new_secret)() }])
    }

    fn decide_chat(&self, player: PlayerId, content: ChatContent, now: Millis) -> Decision {
        let seat = self.require_seat(player)?;
        require(!self.muted.contains(&player), RefusalReason::Muted)?;
        let is_recent = |line: &&ChatLine| line.seat == seat && now < line.at + CHAT_WINDOW;
        let recent = self.chat.iter().filter(is_recent).count();
        require(recent < MAX_IN_CHAT_WINDOW, RefusalReason::TooFast)?;
        Ok(vec![Entry::Said { seat, content }])
    }

    /// The number of the match that would begin next.
    pub(super) fn next_number(&self) -> u32 {
        match &self.stage {
            RoomStage::Over(played) => played.secret.number + 1,
            RoomStage::Waiting | RoomStage::Playing(_) => self.next_secret.number,
        }
    }

    /// The beginning of the next match, with bots on the empty seats. A contest begins it with a command.
    pub(super) fn decide_start(&self, contest_command: Option<&str>) -> Decision {
        require(self.player_seats().next().is_some(), RefusalReason::NobodyPlays)?;
        let played_before = matches!(self.stage, RoomStage::Over(_));
        require(self.siblings.is_empty() || !played_before, RefusalReason::Duplicate)?;
        require(self.next_secret.number == self.next_number(), RefusalReason::MatchRuns)?;
        let checkpoint_seat = |slot: &SeatSlot| match &slot.holder {
            SeatHolder::Person { player, name } => {
                CheckpointSeat::Person { player: *player, name: name.clone() }
            }
            SeatHolder::Bot(level) => CheckpointSeat::Bot(*level),
            SeatHolder::Empty => CheckpointSeat::Bot(STAND_IN),
        };
        Ok(vec![Entry::Started(Box::new(Checkpoint {
            opening: Opening {
                rules: self.rules,
                pace: self.pace,
                listed: self.listed,
                host: self.host,
                key: self.key,
                secret: self.next_secret.secret,
                siblings: self.siblings.clone(),
                contest: self.contest,
            },
            seats: self.slots.iter().map(checkpoint_seat).collect(),
            number: self.next_secret.number,
            words: self.next_secret.words,
            admitted: self.admitted.iter().copied().collect(),
            kicked: self.kicked.iter().copied().collect(),
            muted: self.muted.iter().copied().collect(),
            done: self.done.iter().cloned().collect(),
            log_bytes: self.log_bytes,
            contest_command: contest_command.map(str::to_owned),
        }))])
    }
}

/// Whether a command is accepted at a table with a full log: what the match needs, and leaving.
fn is_needed(command: &TableCommand) -> bool {
    use TableCommand::{Act, Claim, Kick, Leave, Ready, Resume, TakeBack};
    matches!(command, Act(_) | Claim | Ready | Resume | TakeBack | Leave | Kick { .. })
}

fn check_chat_text(text: &str) -> Result<(), CommandRefusal> {
    let is_allowed = |input: char| !input.is_control() || input == '\n';
    let fits = !text.trim().is_empty() && text.chars().count() <= MAX_CHAT_TEXT;
    require(fits && text.chars().all(is_allowed), RefusalReason::BadChat)
}

/// A key from random bytes.
fn key_from(random: Secret) -> Key {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&random.0[..16]);
    Key::new(bytes)
}

fn parse_name(text: &str) -> Result<Name, CommandRefusal> {
    Name::new(text).map_err(|error| CommandRefusal::because(RefusalReason::BadName, error))
}
