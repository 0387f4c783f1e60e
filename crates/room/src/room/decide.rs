//! What a wish leads to, or why it may not be. Nothing changes here.

use bots::Level;
use cards::Seat;
use game::fair::Secret;
use game::notation::{ActionText, parse_action};
use game::record::Name;
use game::{Action, Rules};
use ids::{LedgerId, PlayerId};
use wire::table::{CommandRefusal, MAX_ID, MAX_SAID, RefusalReason, TableCommand};

use super::{
    ActedBy, ChatLine, Entry, Key, Millis, Opening, Presence, Room, RoomStage, Roster, RosterSeat,
    STAND_IN, Saying, SeatHolder, SeatSlot,
};

/// How much somebody may say within what time.
const IN_ONE_BREATH: usize = 5;
const BREATH: Millis = 10_000;

/// Somebody's wish.
#[derive(Clone, Debug)]
pub struct PlayerCommand {
    /// Who wishes.
    pub player: PlayerId,
    /// The name of the wish, so that it is not fulfilled twice.
    pub id: String,
    /// What.
    pub what: TableCommand,
}

/// What a decision may depend on besides the room.
pub struct DecisionContext<'a> {
    /// The time.
    pub now: Millis,
    /// Who is there.
    pub presence: &'a Presence,
    /// Draws a secret for the next match.
    pub fresh: &'a dyn Fn() -> Secret,
}

type Decision = Result<Vec<Entry>, CommandRefusal>;

/// Refuses unless it holds.
fn only_if(holds: bool, reason: RefusalReason) -> Result<(), CommandRefusal> {
    if holds { Ok(()) } else { Err(reason.into()) }
}

impl Room {
    /// What a wish leads to, or why it may not be.
    pub fn decide(&self, command: &PlayerCommand, moment: &DecisionContext<'_>) -> Decision {
        let plain = |byte: u8| byte.is_ascii_graphic();
        let fits = (1..=MAX_ID).contains(&command.id.len()) && command.id.bytes().all(plain);
        only_if(fits, RefusalReason::BadId)?;
        only_if(!self.closed, RefusalReason::Closed)?;
        let player = command.player;
        use TableCommand::{Leave, Rematch, Rename, Sit};
        let settled = matches!(command.what, Sit { .. } | Leave | Rename { .. } | Rematch);
        only_if(self.contest.is_none() || !settled, RefusalReason::Contest)?;
        match &command.what {
            TableCommand::Act(text) => self.act(player, text),
            // Proving it takes longer than a decision may; see `claimant` and `claimed`.
            TableCommand::Claim => Err(RefusalReason::NotProven.into()),
            TableCommand::Ready => self.ready(player),
            TableCommand::Sit { seat, name } => self.sit(player, *seat, name),
            TableCommand::Rename { name } => {
                let seat = self.seated(player)?;
                Ok(vec![Entry::Renamed { seat, name: parse_name(name)? }])
            }
            TableCommand::Leave => {
                Ok(vec![Entry::Left { seat: self.seated(player)?, kicked: false }])
            }
            TableCommand::Word(text) => self.word(player, text),
            TableCommand::Swap(seats) => self.swap(player, *seats),
            TableCommand::Bot { seat, level } => self.put_bot(player, *seat, level),
            TableCommand::Empty { seat } => self.empty(player, *seat),
            TableCommand::Kick { seat } => self.kick(player, *seat),
            TableCommand::Rules(code) => self.other_rules(player, code, moment),
            TableCommand::Pace(pace) => {
                self.host_between_matches(player)?;
                Ok(vec![Entry::Settings { rules: self.rules, pace: *pace, listed: self.listed }])
            }
            TableCommand::Listed(listed) => {
                self.hosting(player)?;
                let (rules, pace) = (self.rules, self.pace);
                Ok(vec![Entry::Settings { rules, pace, listed: *listed }])
            }
            TableCommand::Start => {
                self.host_between_matches(player)?;
                self.start()
            }
            TableCommand::Rematch => {
                let seat = self.seated(player)?;
                only_if(matches!(self.stage, RoomStage::Over(_)), RefusalReason::MatchRuns)?;
                only_if(self.siblings.is_empty(), RefusalReason::Duplicate)?;
                Ok(vec![Entry::WantsRematch { seat }])
            }
            TableCommand::Pause => {
                let seat = self.seated(player)?;
                only_if(self.is_playing(), RefusalReason::NoMatch)?;
                only_if(!self.paused, RefusalReason::Paused)?;
                Ok(vec![Entry::WantsPause { seat }])
            }
            TableCommand::Resume => {
                self.seated(player)?;
                only_if(self.paused, RefusalReason::NotPaused)?;
                Ok(vec![Entry::Resumed])
            }
            TableCommand::TakeBack => {
                let seat = self.seated(player)?;
                only_if(self.slot(seat).stand_in.is_some(), RefusalReason::NotStoodIn)?;
                Ok(vec![Entry::Back { seat }])
            }
            TableCommand::Say(text) => {
                let sound = |input: char| !input.is_control() || input == '\n';
                let fits = !text.trim().is_empty() && text.chars().count() <= MAX_SAID;
                only_if(fits && text.chars().all(sound), RefusalReason::BadSaying)?;
                self.say(player, Saying::Text(text.clone()), moment.now)
            }
            TableCommand::Phrase(phrase) => self.say(player, Saying::Phrase(*phrase), moment.now),
            TableCommand::Relink => {
                self.hosting(player)?;
                Ok(vec![Entry::Relinked { key: key_of((moment.fresh)()) }])
            }
            TableCommand::Mute { seat, muted } => {
                self.hosting(player)?;
                let seat = self.person_on(*seat)?;
                Ok(vec![Entry::Muted { seat, muted: *muted }])
            }
        }
    }

    /// What a bot's answer leads to, if the question still stands.
    pub fn decide_bot(&self, seat: Seat, asked_at: u64, action: Action) -> Option<Vec<Entry>> {
        let played = self.playing()?;
        let stands = !self.paused && played.asked_since == asked_at;
        let acting = self.slots.get(seat.index())?.acting_bot().is_some();
        let legal = played.table.check(seat, action).is_ok();
        (stands && acting && legal).then(|| vec![self.acted_entry(seat, action, ActedBy::Bot)])
    }

    /// Lets a player in who has the table's key; nothing to do if he is in already.
    pub fn admit(&self, player: PlayerId, key: Key) -> Decision {
        only_if(!self.closed, RefusalReason::Closed)?;
        only_if(!self.is_kicked(player), RefusalReason::Kicked)?;
        only_if(key == self.key, RefusalReason::NotAdmitted)?;
        let known = self.is_host(player) || self.admitted.contains(&player);
        Ok(if known { Vec::new() } else { vec![Entry::Admitted { player }] })
    }

    /// Gives a player a seat that the table's contest has for him: his own, whoever held it, or one of
    /// those that he shares with a partner. Nothing to do if he has it already.
    pub fn seat_from_contest(
        &self,
        contest: LedgerId,
        player: PlayerId,
        seats: &[(Seat, Name)],
    ) -> Decision {
        only_if(!self.closed, RefusalReason::Closed)?;
        only_if(self.contest == Some(contest), RefusalReason::Contest)?;
        let there = |(seat, _): &&(Seat, Name)| seat.index() < self.slots.len();
        let mut seats = seats.iter().filter(there);
        if let Some(has) = self.seat_of(player) {
            let his = seats.any(|(seat, _)| *seat == has);
            return if his { Ok(Vec::new()) } else { Err(RefusalReason::SeatTaken.into()) };
        }
        let seats: Vec<&(Seat, Name)> = seats.collect();
        let free = seats.iter().find(|(seat, _)| self.slot(*seat).player().is_none());
        // Alone on his seat, he comes with another device; partners would drive each other out.
        let own = if seats.len() == 1 { seats.first() } else { None };
        let (seat, name) = free.or(own).ok_or(RefusalReason::SeatTaken)?;
        let mut entries = Vec::new();
        if self.slot(*seat).player().is_some() {
            entries.push(Entry::Left { seat: *seat, kicked: false });
        }
        entries.push(Entry::Sat { seat: *seat, player, name: name.clone() });
        Ok(entries)
    }

    /// Begins the match of a contest's table with whoever has come.
    pub fn begin_contest_match(&self, contest: LedgerId) -> Decision {
        only_if(!self.closed, RefusalReason::Closed)?;
        only_if(self.contest == Some(contest), RefusalReason::Contest)?;
        only_if(matches!(self.stage, RoomStage::Waiting), RefusalReason::MatchRuns)?;
        self.start()
    }

    /// Who claims, the version that it is about, and the position; the proof is found
    /// elsewhere.
    pub fn claimant(
        &self,
        player: PlayerId,
    ) -> Result<(Seat, u64, game::Position), CommandRefusal> {
        only_if(!self.closed, RefusalReason::Closed)?;
        let seat = self.seated(player)?;
        let played = self.playing().ok_or(RefusalReason::NoMatch)?;
        only_if(!self.paused, RefusalReason::Paused)?;
        let public = played.table.public();
        let in_turn = public.round().is_some() && public.turn() == Some(seat);
        only_if(in_turn && !self.rules.honour(), RefusalReason::NoClaims)?;
        let position = played.table.position().ok_or(RefusalReason::NoClaims)?;
        Ok((seat, played.asked_since, position))
    }

    /// What a proven claim leads to, if nothing has happened since.
    pub fn claimed(&self, seat: Seat, asked_at: u64, line: Vec<(Seat, Action)>) -> Decision {
        let played = self.playing().ok_or(RefusalReason::NoMatch)?;
        only_if(played.asked_since == asked_at && !self.paused, RefusalReason::NotProven)?;
        let mut table = played.table.clone();
        for (seat, action) in &line {
            let events = table.decide(*seat, *action).map_err(|_| RefusalReason::NotProven)?;
            let fits = events.iter().try_for_each(|event| table.apply(event));
            only_if(fits.is_ok(), RefusalReason::NotProven)?;
        }
        let text = |(seat, action)| (seat, ActionText::new(&self.rules, seat, action));
        Ok(vec![Entry::Claimed { seat, line: line.into_iter().map(text).collect() }])
    }

    fn acted_entry(&self, seat: Seat, action: Action, by: ActedBy) -> Entry {
        Entry::Acted { seat, action: ActionText::new(&self.rules, seat, action), by }
    }

    fn seated(&self, player: PlayerId) -> Result<Seat, CommandRefusal> {
        self.seat_of(player).ok_or_else(|| RefusalReason::NotSeated.into())
    }

    fn hosting(&self, player: PlayerId) -> Result<(), CommandRefusal> {
        only_if(self.is_host(player), RefusalReason::NotHost)
    }

    fn host_between_matches(&self, player: PlayerId) -> Result<(), CommandRefusal> {
        self.hosting(player)?;
        only_if(!self.is_playing(), RefusalReason::MatchRuns)
    }

    /// The seat with that number.
    fn numbered(&self, number: usize) -> Result<Seat, CommandRefusal> {
        let seat = number.checked_sub(1).and_then(Seat::new);
        let seat = seat.filter(|seat| seat.index() < self.slots.len());
        seat.ok_or_else(|| RefusalReason::NoSuchSeat.into())
    }

    /// The seat with that number, if a person holds it.
    fn person_on(&self, number: usize) -> Result<Seat, CommandRefusal> {
        let seat = self.numbered(number)?;
        match self.slot(seat).holder {
            SeatHolder::Person { .. } => Ok(seat),
            SeatHolder::Nobody => Err(RefusalReason::SeatEmpty.into()),
            SeatHolder::Bot(_) => Err(RefusalReason::BotsSeat.into()),
        }
    }

    fn act(&self, player: PlayerId, text: &str) -> Decision {
        let seat = self.seated(player)?;
        let played = self.playing().ok_or(RefusalReason::NoMatch)?;
        only_if(!self.paused, RefusalReason::Paused)?;
        let action = parse_action(&self.rules, seat, text)
            .map_err(|error| CommandRefusal::because(RefusalReason::BadAction, error))?;
        let checked = played.table.check(seat, action);
        checked.map_err(|illegal| CommandRefusal::illegal(&illegal, &self.rules))?;
        let acted = self.acted_entry(seat, action, ActedBy::Person);
        Ok(match self.slot(seat).stand_in {
            Some(_) => vec![Entry::Back { seat }, acted],
            None => vec![acted],
        })
    }

    fn ready(&self, player: PlayerId) -> Decision {
        let seat = self.seated(player)?;
        let played = self.playing().ok_or(RefusalReason::NoMatch)?;
        only_if(played.table.wants_deal(), RefusalReason::NothingToRead)?;
        Ok(vec![Entry::Ready { seat }])
    }

    fn sit(&self, player: PlayerId, number: usize, name: &str) -> Decision {
        let (seat, name) = (self.numbered(number)?, parse_name(name)?);
        only_if(!self.is_kicked(player), RefusalReason::Kicked)?;
        only_if(self.slot(seat).player().is_none(), RefusalReason::SeatTaken)?;
        if let Some(played) = self.playing() {
            only_if(self.seat_of(player).is_none(), RefusalReason::MatchRuns)?;
            // Whoever has held a seat has seen its cards, and may not see others.
            let others = |(who, held): &(PlayerId, Seat)| *who == player && *held != seat;
            only_if(!played.seen.iter().any(others), RefusalReason::SawCards)?;
        }
        Ok(vec![Entry::Sat { seat, player, name }])
    }

    fn word(&self, player: PlayerId, text: &str) -> Decision {
        let seat = self.seated(player)?;
        only_if(!self.is_playing(), RefusalReason::MatchRuns)?;
        only_if(self.siblings.is_empty(), RefusalReason::Duplicate)?;
        let word =
            text.parse().map_err(|error| CommandRefusal::because(RefusalReason::BadWord, error))?;
        Ok(vec![Entry::Word { seat, word }])
    }

    fn swap(&self, player: PlayerId, [one, two]: [usize; 2]) -> Decision {
        self.host_between_matches(player)?;
        Ok(vec![Entry::Swapped { seats: [self.numbered(one)?, self.numbered(two)?] }])
    }

    fn put_bot(&self, player: PlayerId, seat: usize, level: &str) -> Decision {
        self.hosting(player)?;
        let seat = self.numbered(seat)?;
        only_if(self.slot(seat).player().is_none(), RefusalReason::SeatTaken)?;
        let level: Level = level
            .parse()
            .map_err(|error| CommandRefusal::because(RefusalReason::BadLevel, error))?;
        Ok(vec![Entry::BotSat { seat, level }])
    }

    fn empty(&self, player: PlayerId, seat: usize) -> Decision {
        self.host_between_matches(player)?;
        let seat = self.numbered(seat)?;
        match self.slot(seat).holder {
            SeatHolder::Bot(_) => Ok(vec![Entry::Emptied { seat }]),
            SeatHolder::Nobody => Err(RefusalReason::SeatEmpty.into()),
            SeatHolder::Person { .. } => Err(RefusalReason::SeatTaken.into()),
        }
    }

    fn kick(&self, player: PlayerId, seat: usize) -> Decision {
        self.hosting(player)?;
        let seat = self.person_on(seat)?;
        let kicked = self.player_on(seat) != Some(player);
        Ok(vec![Entry::Left { seat, kicked }])
    }

    fn other_rules(&self, player: PlayerId, code: &str, moment: &DecisionContext<'_>) -> Decision {
        self.host_between_matches(player)?;
        only_if(self.siblings.is_empty(), RefusalReason::Duplicate)?;
        let rules = Rules::from_code(code)
            .map_err(|faults| CommandRefusal::because(RefusalReason::BadRules, faults))?;
        only_if(self.persons().count() <= rules.players(), RefusalReason::Full)?;
        // The promise names the rules, so it must be made anew.
        let number = self.next_number();
        let settings = Entry::Settings { rules, pace: self.pace, listed: self.listed };
        Ok(vec![settings, Entry::Promised { number, secret: (moment.fresh)() }])
    }

    fn say(&self, player: PlayerId, saying: Saying, now: Millis) -> Decision {
        let seat = self.seated(player)?;
        only_if(!self.muted.contains(&player), RefusalReason::Muted)?;
        let lately = |said: &&ChatLine| said.seat == seat && now < said.at + BREATH;
        only_if(self.said.iter().filter(lately).count() < IN_ONE_BREATH, RefusalReason::TooFast)?;
        Ok(vec![Entry::Said { seat, saying }])
    }

    /// The number of the match that would begin next.
    pub(super) fn next_number(&self) -> u32 {
        match &self.stage {
            RoomStage::Over(played) => played.promise.number + 1,
            RoomStage::Waiting | RoomStage::Playing(_) => self.promise.number,
        }
    }

    /// The beginning of the next match, with bots on the empty seats.
    pub(super) fn start(&self) -> Decision {
        only_if(self.persons().next().is_some(), RefusalReason::NobodyPlays)?;
        let played_before = matches!(self.stage, RoomStage::Over(_));
        only_if(self.siblings.is_empty() || !played_before, RefusalReason::Duplicate)?;
        only_if(self.promise.number == self.next_number(), RefusalReason::MatchRuns)?;
        let sitter = |chair: &SeatSlot| match &chair.holder {
            SeatHolder::Person { player, name } => {
                RosterSeat::Person { player: *player, name: name.clone() }
            }
            SeatHolder::Bot(level) => RosterSeat::Bot(*level),
            SeatHolder::Nobody => RosterSeat::Bot(STAND_IN),
        };
        Ok(vec![Entry::Started(Box::new(Roster {
            opening: Opening {
                rules: self.rules,
                pace: self.pace,
                listed: self.listed,
                host: self.host,
                key: self.key,
                secret: self.promise.secret,
                siblings: self.siblings.clone(),
                contest: self.contest,
            },
            seats: self.slots.iter().map(sitter).collect(),
            number: self.promise.number,
            words: self.promise.words,
            admitted: self.admitted.iter().copied().collect(),
            kicked: self.kicked.iter().copied().collect(),
            muted: self.muted.iter().copied().collect(),
            done: self.done.iter().cloned().collect(),
        }))])
    }
}

/// A key from fresh random bytes.
fn key_of(fresh: Secret) -> Key {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&fresh.0[..16]);
    Key::new(bytes)
}

fn parse_name(text: &str) -> Result<Name, CommandRefusal> {
    text.parse().map_err(|error| CommandRefusal::because(RefusalReason::BadName, error))
}
