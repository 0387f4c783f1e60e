//! What a wish leads to, or why it may not be. Nothing changes here.

use bots::Level;
use cards::Seat;
use game::fair::Secret;
use game::record::Name;
use game::{Action, Rules};
use names::{PlayerId, TableId};
use wire::bot::parse_action;
use wire::table::{Command, MOST_ID, MOST_SAID, Reason, Refusal};

use super::{
    By, Chair, Entry, Holder, Key, Millis, Opening, Presence, Room, Roster, STAND_IN, Said, Saying,
    Sitter, Stage,
};

/// How much somebody may say within what time.
const IN_ONE_BREATH: usize = 5;
const BREATH: Millis = 10_000;

/// Somebody's wish.
#[derive(Clone, Debug)]
pub struct Wish {
    /// Who wishes.
    pub player: PlayerId,
    /// The name of the wish, so that it is not fulfilled twice.
    pub id: String,
    /// What.
    pub what: Command,
}

/// What a decision may depend on besides the room.
pub struct Moment<'a> {
    /// The time.
    pub now: Millis,
    /// Who is there.
    pub presence: &'a Presence,
    /// Draws a secret for the next match.
    pub fresh: &'a dyn Fn() -> Secret,
}

type Decision = Result<Vec<Entry>, Refusal>;

/// Refuses unless it holds.
fn only_if(holds: bool, reason: Reason) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(reason.into()) }
}

impl Room {
    /// What a wish leads to, or why it may not be.
    pub fn decide(&self, wish: &Wish, moment: &Moment<'_>) -> Decision {
        let plain = |byte: u8| byte.is_ascii_graphic();
        let fits = (1..=MOST_ID).contains(&wish.id.len()) && wish.id.bytes().all(plain);
        only_if(fits, Reason::BadId)?;
        only_if(!self.closed, Reason::Closed)?;
        let player = wish.player;
        use Command::{Leave, Rematch, Rename, Sit};
        let settled = matches!(wish.what, Sit { .. } | Leave | Rename { .. } | Rematch);
        only_if(self.contest.is_none() || !settled, Reason::Contest)?;
        match &wish.what {
            Command::Act(text) => self.act(player, text),
            // Proving it takes longer than a decision may; see `claimant` and `claimed`.
            Command::Claim => Err(Reason::NotProven.into()),
            Command::Ready => self.ready(player),
            Command::Sit { seat, name } => self.sit(player, *seat, name),
            Command::Rename { name } => {
                let seat = self.seated(player)?;
                Ok(vec![Entry::Renamed { seat, name: parse_name(name)? }])
            }
            Command::Leave => Ok(vec![Entry::Left { seat: self.seated(player)?, kicked: false }]),
            Command::Word(text) => self.word(player, text),
            Command::Swap(seats) => self.swap(player, *seats),
            Command::Bot { seat, level } => self.put_bot(player, *seat, level),
            Command::Empty { seat } => self.empty(player, *seat),
            Command::Kick { seat } => self.kick(player, *seat),
            Command::Rules(code) => self.other_rules(player, code, moment),
            Command::Pace(pace) => {
                self.host_between_matches(player)?;
                Ok(vec![Entry::Settings { rules: self.rules, pace: *pace, listed: self.listed }])
            }
            Command::Listed(listed) => {
                self.hosting(player)?;
                let (rules, pace) = (self.rules, self.pace);
                Ok(vec![Entry::Settings { rules, pace, listed: *listed }])
            }
            Command::Start => {
                self.host_between_matches(player)?;
                self.start()
            }
            Command::Rematch => {
                let seat = self.seated(player)?;
                only_if(matches!(self.stage, Stage::Over(_)), Reason::MatchRuns)?;
                only_if(self.siblings.is_empty(), Reason::Duplicate)?;
                Ok(vec![Entry::WantsRematch { seat }])
            }
            Command::Pause => {
                let seat = self.seated(player)?;
                only_if(self.is_playing(), Reason::NoMatch)?;
                only_if(!self.paused, Reason::Paused)?;
                Ok(vec![Entry::WantsPause { seat }])
            }
            Command::Resume => {
                self.seated(player)?;
                only_if(self.paused, Reason::NotPaused)?;
                Ok(vec![Entry::Resumed])
            }
            Command::TakeBack => {
                let seat = self.seated(player)?;
                only_if(self.chair(seat).stand_in.is_some(), Reason::NotStoodIn)?;
                Ok(vec![Entry::Back { seat }])
            }
            Command::Say(text) => {
                let sound = |letter: char| !letter.is_control() || letter == '\n';
                let fits = !text.trim().is_empty() && text.chars().count() <= MOST_SAID;
                only_if(fits && text.chars().all(sound), Reason::BadSaying)?;
                self.say(player, Saying::Text(text.clone()), moment.now)
            }
            Command::Phrase(phrase) => self.say(player, Saying::Phrase(*phrase), moment.now),
            Command::Relink => {
                self.hosting(player)?;
                Ok(vec![Entry::Relinked { key: key_of((moment.fresh)()) }])
            }
            Command::Mute { seat, muted } => {
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
        let acting = self.chairs.get(seat.index())?.acting_bot().is_some();
        let legal = played.table.check(seat, action).is_ok();
        (stands && acting && legal).then(|| vec![Entry::Acted { seat, action, by: By::Bot }])
    }

    /// Lets a player in who has the table's key; nothing to do if he is in already.
    pub fn admit(&self, player: PlayerId, key: Key) -> Decision {
        only_if(!self.closed, Reason::Closed)?;
        only_if(!self.is_sent_away(player), Reason::SentAway)?;
        only_if(key == self.key, Reason::NotAdmitted)?;
        let known = self.is_host(player) || self.admitted.contains(&player);
        Ok(if known { Vec::new() } else { vec![Entry::Admitted { player }] })
    }

    /// Gives a player a seat that the table's contest has for him: his own, whoever held it, or one of
    /// those that he shares with a partner. Nothing to do if he has it already.
    pub fn place(&self, contest: TableId, player: PlayerId, seats: &[(Seat, Name)]) -> Decision {
        only_if(!self.closed, Reason::Closed)?;
        only_if(self.contest == Some(contest), Reason::Contest)?;
        let there = |(seat, _): &&(Seat, Name)| seat.index() < self.chairs.len();
        let mut seats = seats.iter().filter(there);
        if let Some(has) = self.seat_of(player) {
            let his = seats.any(|(seat, _)| *seat == has);
            return if his { Ok(Vec::new()) } else { Err(Reason::SeatTaken.into()) };
        }
        let seats: Vec<&(Seat, Name)> = seats.collect();
        let free = seats.iter().find(|(seat, _)| self.chair(*seat).player().is_none());
        // Alone on his seat, he comes with another device; partners would drive each other out.
        let own = if seats.len() == 1 { seats.first() } else { None };
        let (seat, name) = free.or(own).ok_or(Reason::SeatTaken)?;
        let mut entries = Vec::new();
        if self.chair(*seat).player().is_some() {
            entries.push(Entry::Left { seat: *seat, kicked: false });
        }
        entries.push(Entry::Sat { seat: *seat, player, name: name.clone() });
        Ok(entries)
    }

    /// Begins the match of a contest's table with whoever has come.
    pub fn begin(&self, contest: TableId) -> Decision {
        only_if(!self.closed, Reason::Closed)?;
        only_if(self.contest == Some(contest), Reason::Contest)?;
        only_if(matches!(self.stage, Stage::Waiting), Reason::MatchRuns)?;
        self.start()
    }

    /// Who claims, the version that it is about, and the position; the proof is found
    /// elsewhere.
    pub fn claimant(&self, player: PlayerId) -> Result<(Seat, u64, game::Position), Refusal> {
        only_if(!self.closed, Reason::Closed)?;
        let seat = self.seated(player)?;
        let played = self.playing().ok_or(Reason::NoMatch)?;
        only_if(!self.paused, Reason::Paused)?;
        let public = played.table.public();
        let in_turn = public.round().is_some() && public.turn() == Some(seat);
        only_if(in_turn && !self.rules.honour(), Reason::NoClaims)?;
        let position = played.table.position().ok_or(Reason::NoClaims)?;
        Ok((seat, played.asked_since, position))
    }

    /// What a proven claim leads to, if nothing has happened since.
    pub fn claimed(&self, seat: Seat, asked_at: u64, line: Vec<(Seat, Action)>) -> Decision {
        let played = self.playing().ok_or(Reason::NoMatch)?;
        only_if(played.asked_since == asked_at && !self.paused, Reason::NotProven)?;
        let mut table = played.table.clone();
        for (seat, action) in &line {
            let events = table.decide(*seat, *action).map_err(|_| Reason::NotProven)?;
            let fits = events.iter().try_for_each(|event| table.apply(event));
            only_if(fits.is_ok(), Reason::NotProven)?;
        }
        Ok(vec![Entry::Claimed { seat, line }])
    }

    fn seated(&self, player: PlayerId) -> Result<Seat, Refusal> {
        self.seat_of(player).ok_or_else(|| Reason::NotSeated.into())
    }

    fn hosting(&self, player: PlayerId) -> Result<(), Refusal> {
        only_if(self.is_host(player), Reason::NotHost)
    }

    fn host_between_matches(&self, player: PlayerId) -> Result<(), Refusal> {
        self.hosting(player)?;
        only_if(!self.is_playing(), Reason::MatchRuns)
    }

    /// The seat with that number.
    fn numbered(&self, number: usize) -> Result<Seat, Refusal> {
        let seat = number.checked_sub(1).and_then(Seat::new);
        let seat = seat.filter(|seat| seat.index() < self.chairs.len());
        seat.ok_or_else(|| Reason::NoSuchSeat.into())
    }

    /// The seat with that number, if a person holds it.
    fn person_on(&self, number: usize) -> Result<Seat, Refusal> {
        let seat = self.numbered(number)?;
        match self.chair(seat).holder {
            Holder::Person { .. } => Ok(seat),
            Holder::Nobody => Err(Reason::SeatEmpty.into()),
            Holder::Bot(_) => Err(Reason::BotsSeat.into()),
        }
    }

    fn act(&self, player: PlayerId, text: &str) -> Decision {
        let seat = self.seated(player)?;
        let played = self.playing().ok_or(Reason::NoMatch)?;
        only_if(!self.paused, Reason::Paused)?;
        let action = parse_action(&self.rules, seat, text)
            .map_err(|error| Refusal::because(Reason::BadAction, error))?;
        let checked = played.table.check(seat, action);
        checked.map_err(|illegal| Refusal::illegal(&illegal, &self.rules))?;
        let acted = Entry::Acted { seat, action, by: By::Person };
        Ok(match self.chair(seat).stand_in {
            Some(_) => vec![Entry::Back { seat }, acted],
            None => vec![acted],
        })
    }

    fn ready(&self, player: PlayerId) -> Decision {
        let seat = self.seated(player)?;
        let played = self.playing().ok_or(Reason::NoMatch)?;
        only_if(played.table.wants_deal(), Reason::NothingToRead)?;
        Ok(vec![Entry::Ready { seat }])
    }

    fn sit(&self, player: PlayerId, number: usize, name: &str) -> Decision {
        let (seat, name) = (self.numbered(number)?, parse_name(name)?);
        only_if(!self.is_sent_away(player), Reason::SentAway)?;
        only_if(self.chair(seat).player().is_none(), Reason::SeatTaken)?;
        if let Some(played) = self.playing() {
            only_if(self.seat_of(player).is_none(), Reason::MatchRuns)?;
            // Whoever has held a seat has seen its cards, and may not see others.
            let others = |(who, held): &(PlayerId, Seat)| *who == player && *held != seat;
            only_if(!played.seen.iter().any(others), Reason::SawCards)?;
        }
        Ok(vec![Entry::Sat { seat, player, name }])
    }

    fn word(&self, player: PlayerId, text: &str) -> Decision {
        let seat = self.seated(player)?;
        only_if(!self.is_playing(), Reason::MatchRuns)?;
        only_if(self.siblings.is_empty(), Reason::Duplicate)?;
        let word = text.parse().map_err(|error| Refusal::because(Reason::BadWord, error))?;
        Ok(vec![Entry::Word { seat, word }])
    }

    fn swap(&self, player: PlayerId, [one, two]: [usize; 2]) -> Decision {
        self.host_between_matches(player)?;
        Ok(vec![Entry::Swapped { seats: [self.numbered(one)?, self.numbered(two)?] }])
    }

    fn put_bot(&self, player: PlayerId, seat: usize, level: &str) -> Decision {
        self.hosting(player)?;
        let seat = self.numbered(seat)?;
        only_if(self.chair(seat).player().is_none(), Reason::SeatTaken)?;
        let level: Level =
            level.parse().map_err(|error| Refusal::because(Reason::BadLevel, error))?;
        Ok(vec![Entry::BotSat { seat, level }])
    }

    fn empty(&self, player: PlayerId, seat: usize) -> Decision {
        self.host_between_matches(player)?;
        let seat = self.numbered(seat)?;
        match self.chair(seat).holder {
            Holder::Bot(_) => Ok(vec![Entry::Emptied { seat }]),
            Holder::Nobody => Err(Reason::SeatEmpty.into()),
            Holder::Person { .. } => Err(Reason::SeatTaken.into()),
        }
    }

    fn kick(&self, player: PlayerId, seat: usize) -> Decision {
        self.hosting(player)?;
        let seat = self.person_on(seat)?;
        let kicked = self.player_on(seat) != Some(player);
        Ok(vec![Entry::Left { seat, kicked }])
    }

    fn other_rules(&self, player: PlayerId, code: &str, moment: &Moment<'_>) -> Decision {
        self.host_between_matches(player)?;
        only_if(self.siblings.is_empty(), Reason::Duplicate)?;
        let rules =
            Rules::from_code(code).map_err(|faults| Refusal::because(Reason::BadRules, faults))?;
        only_if(self.persons().count() <= rules.players(), Reason::Full)?;
        // The promise names the rules, so it must be made anew.
        let number = self.next_number();
        let settings = Entry::Settings { rules, pace: self.pace, listed: self.listed };
        Ok(vec![settings, Entry::Promised { number, secret: (moment.fresh)() }])
    }

    fn say(&self, player: PlayerId, saying: Saying, now: Millis) -> Decision {
        let seat = self.seated(player)?;
        only_if(!self.muted.contains(&player), Reason::Muted)?;
        let lately = |said: &&Said| said.seat == seat && now < said.at + BREATH;
        only_if(self.said.iter().filter(lately).count() < IN_ONE_BREATH, Reason::TooFast)?;
        Ok(vec![Entry::Said { seat, saying }])
    }

    /// The number of the match that would begin next.
    pub(super) fn next_number(&self) -> u32 {
        match &self.stage {
            Stage::Over(played) => played.promise.number + 1,
            Stage::Waiting | Stage::Playing(_) => self.promise.number,
        }
    }

    /// The beginning of the next match, with bots on the empty seats.
    pub(super) fn start(&self) -> Decision {
        only_if(self.persons().next().is_some(), Reason::NobodyPlays)?;
        let played_before = matches!(self.stage, Stage::Over(_));
        only_if(self.siblings.is_empty() || !played_before, Reason::Duplicate)?;
        only_if(self.promise.number == self.next_number(), Reason::MatchRuns)?;
        let sitter = |chair: &Chair| match &chair.holder {
            Holder::Person { player, name } => {
                Sitter::Person { player: *player, name: name.clone() }
            }
            Holder::Bot(level) => Sitter::Bot(*level),
            Holder::Nobody => Sitter::Bot(STAND_IN),
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
            sitters: self.chairs.iter().map(sitter).collect(),
            number: self.promise.number,
            words: self.promise.words,
            admitted: self.admitted.iter().copied().collect(),
            sent_away: self.sent_away.iter().copied().collect(),
            muted: self.muted.iter().copied().collect(),
            answered: self.answered.iter().cloned().collect(),
        }))])
    }
}

/// A key from fresh random bytes.
fn key_of(fresh: Secret) -> Key {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&fresh.0[..16]);
    Key::new(bytes)
}

fn parse_name(text: &str) -> Result<Name, Refusal> {
    text.parse().map_err(|error| Refusal::because(Reason::BadName, error))
}
