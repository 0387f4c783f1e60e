//! The felt: a match as it is to be drawn for one viewer. Who sits where, which cards lie where,
//! what is asked of him, what may not be done and why, and what stands in words.
//!
//! It is made from a [`View`] and holds nothing that the view does not. The page and the terminal
//! draw the same felt, and so do replays and lessons.

mod honour;

use cards::{BySeat, Card, CardSet, Pack, Seat, Side, Suit};
use game::cruce::POINTS_A_SCORE;
use game::public::{Phase, Round};
use game::trick::Trick;
use game::{Action, Illegal, Public, Rules, View, Viewer};

use phrases::layout::total;
use phrases::{Phrases, game_word, sorted};

pub use honour::{Doubted, FinishedTrick, Honour};

/// In which direction the seats follow each other round the table (C3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// The next player sits to the left.
    #[default]
    Clockwise,
    /// The next player sits to the right.
    CounterClockwise,
}

/// A match as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableScene {
    /// The rules.
    pub rules: Rules,
    /// Which deal it is.
    pub deal: String,
    /// Everybody, clockwise from the viewer, who sits at the bottom.
    pub places: Vec<SceneSeat>,
    /// The viewer's cards, as people hold them.
    pub hand: Vec<HandCard>,
    /// The trick on the table; none outside the play.
    pub trick: Vec<PlayedCard>,
    /// The last trick that was taken.
    pub last: Option<TakenTrick>,
    /// How many tricks are finished: the number of the trick on the table, counted from nought.
    pub tricks: usize,
    /// What is trump.
    pub trump: SceneTrump,
    /// How many cards lie face down (C13); nothing where there never were any, or no deal is played.
    pub stock: Option<usize>,
    /// What the viewer is asked for.
    pub asks: ScenePrompt,
    /// Whose turn it is and what he may do, in a sentence.
    pub status: String,
    /// Each side: what it has, and what it promised.
    pub sides: Vec<SideTally>,
    /// What the viewer may doubt, while cards are played at an honour table (C15).
    pub honour: Option<Honour>,
}

/// What the viewer is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ScenePrompt {
    /// Nothing.
    #[default]
    Nothing,
    /// A bid: all that there are, with why some may not be said.
    Bid(Vec<BidChoice>),
    /// A card; each of the hand says whether it may be played.
    Card,
    /// Whether the deal was played fairly (C15).
    Accept,
}

/// A bid that can be said, or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BidChoice {
    /// How much.
    pub bid: u8,
    /// In words: `pass`, `two`; a number in whist.
    pub word: String,
    /// The points that it promises in Cruce.
    pub points: Option<u16>,
    /// Why it may not be said.
    pub why: Option<ReasonText>,
}

/// A reason, with the clause of the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReasonText {
    /// In a sentence.
    pub sentence: String,
    /// The clause: `C8`.
    pub clause: &'static str,
    /// The cards that are owed instead.
    pub owed: CardSet,
}

/// Somebody at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SceneSeat {
    /// The seat.
    pub seat: Seat,
    /// The side he plays for.
    pub side: Side,
    /// His name.
    pub name: String,
    /// Whether it is the viewer.
    pub is_viewer: bool,
    /// Whether he deals.
    pub deals: bool,
    /// Whether it is his turn.
    pub turn: bool,
    /// Whether he has won the bidding of Cruce.
    pub declares: bool,
    /// What he has bid in this deal, in words.
    pub bid: Option<String>,
    /// How many tricks he has taken in this deal.
    pub tricks: usize,
    /// How many cards he holds.
    pub cards: usize,
    /// What he has shown by calling and still holds (C10).
    pub shown: Vec<Card>,
    /// His cards, where they lie open: on the [open felt](Felt::open) of a match that is over.
    pub hand: Vec<Card>,
    /// Those of them that his duties forbid now; on an honour table he can lay them all the same.
    pub forbidden: CardSet,
    /// Everything about him in a sentence, for those who listen.
    pub label: String,
}

/// A card in the viewer's hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandCard {
    /// Which.
    pub card: Card,
    /// What it is called.
    pub name: String,
    /// Why it may not be played now. Nothing if it may, or if it is not the viewer's turn.
    pub why: Option<ReasonText>,
    /// The points that a call with it brings, where it may be led so (C10).
    pub call: Option<u8>,
}

/// A card on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedCard {
    /// Which.
    pub card: Card,
    /// What it is called.
    pub name: String,
    /// Who laid it: an index of [`Felt::places`].
    pub place: usize,
    /// Whether it takes the trick so far.
    pub best: bool,
    /// Whether its pair was called with it.
    pub called: bool,
}

/// A trick that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenTrick {
    /// Its cards in the order of play.
    pub cards: Vec<PlayedCard>,
    /// Who took it: an index of [`Felt::places`].
    pub by: usize,
    /// All of it in a sentence.
    pub label: String,
}

/// What is trump.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SceneTrump {
    /// There is no deal that could have one.
    NoDeal,
    /// Nobody knows yet.
    Unknown,
    /// This deal has none.
    None,
    /// A suit, and in whist the card that was turned up.
    Suit(Suit, Option<Card>),
}

/// What a side has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideTally {
    /// Which.
    pub side: Side,
    /// Its players: `Ana & Călin`.
    pub name: String,
    /// Whether the viewer plays for it.
    pub own: bool,
    /// The score of the match, with a proper minus.
    pub score: String,
    /// Points in Cruce, tricks in whist; nothing while no cards are played.
    pub points: Option<u8>,
    /// What it promised: points in Cruce, tricks in whist.
    pub promised: Option<u16>,
    /// What is still missing, or that it has been missed, in words.
    pub need: Option<String>,
}

impl TableScene {
    /// The felt of a view. The names are in the order of the seats.
    pub fn new(
        view: &View,
        names: &[String],
        direction: Direction,
        phrases: &Phrases,
    ) -> TableScene {
        SceneBuilder { view, public: view.public(), hands: None, names, direction, phrases }.scene()
    }

    /// The same with hands that lie open. Only the truth has them: the match is over.
    pub fn open(
        view: &View,
        hands: &BySeat<CardSet>,
        names: &[String],
        direction: Direction,
        phrases: &Phrases,
    ) -> TableScene {
        let hands = Some(hands);
        SceneBuilder { view, public: view.public(), hands, names, direction, phrases }.scene()
    }

    /// The same while the table is paused: nobody is to do anything.
    #[must_use]
    pub fn paused(self, phrases: &Phrases) -> TableScene {
        let mut scene =
            TableScene { asks: ScenePrompt::Nothing, status: phrases.table_paused(), ..self };
        scene.places.iter_mut().for_each(|place| place.turn = false);
        for held in &mut scene.hand {
            (held.why, held.call) = (None, None);
        }
        scene
    }

    /// The place of a seat: an index of [`Felt::places`].
    pub fn place_of(&self, seat: Seat) -> usize {
        self.places.iter().position(|place| place.seat == seat).unwrap_or_default()
    }

    /// Whether it is the viewer's turn.
    pub fn is_my_turn(&self) -> bool {
        self.places.iter().any(|place| place.is_viewer && place.turn)
    }

    /// The cards that may be played.
    pub fn playable(&self) -> impl Iterator<Item = &HandCard> {
        let asked = self.asks == ScenePrompt::Card;
        self.hand.iter().filter(move |held| asked && held.why.is_none())
    }
}

/// Which deal it is, counted from nought; in whist also of how many cards.
pub fn deal_title(rules: &Rules, number: usize, phrases: &Phrases) -> String {
    match rules {
        Rules::Cruce(_) => phrases.felt_deal(number + 1),
        Rules::Whist(whist) => {
            let cards = rules.cards_each(number).unwrap_or_default();
            phrases.felt_deal_of(number + 1, whist.deals(), cards)
        }
    }
}

struct SceneBuilder<'a> {
    view: &'a View,
    public: &'a Public,
    /// What everybody holds, where it may be seen.
    hands: Option<&'a BySeat<CardSet>>,
    names: &'a [String],
    direction: Direction,
    phrases: &'a Phrases,
}

impl SceneBuilder<'_> {
    fn scene(&self) -> TableScene {
        let rules = *self.public.rules();
        let round = self.public.round();
        let dealt = self.public.auction().is_some();
        // There is no deal after the last one, though the table counts it.
        let over = usize::from(matches!(self.public.phase(), Phase::Over));
        TableScene {
            rules,
            deal: deal_title(&rules, self.public.number().saturating_sub(over), self.phrases),
            places: self.seats().map(|seat| self.place(seat)).collect(),
            hand: self.hand(),
            trick: round.map(|round| self.laid(round.trick())).unwrap_or_default(),
            last: round.and_then(|round| self.taken(round)),
            tricks: round.map_or(0, |round| round.tricks().len()),
            trump: self.trump(),
            stock: (dealt && rules.stock() > 0).then(|| round.map_or(rules.stock(), Round::stock)),
            asks: self.asks(),
            status: self.status(),
            sides: Side::first(rules.sides()).map(|side| self.tally(side)).collect(),
            honour: self.honour(),
        }
    }

    fn rules(&self) -> &Rules {
        self.public.rules()
    }

    fn pack(&self) -> Pack {
        self.rules().pack()
    }

    fn own(&self) -> Option<Seat> {
        match self.view.viewer() {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        }
    }

    /// Clockwise from the viewer; from the first seat for somebody who watches.
    fn seats(&self) -> impl Iterator<Item = Seat> + '_ {
        let players = self.rules().players();
        let start = self.own().unwrap_or_default();
        (0..players).map(move |step| match self.direction {
            Direction::Clockwise => start.after(step, players),
            Direction::CounterClockwise => start.after(players - step, players),
        })
    }

    fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    /// Whose turn it is; nobody's while a whole trick lies on the table.
    fn turn(&self) -> Option<Seat> {
        let whole = |round: &Round| round.trick().cards().len() == self.rules().players();
        self.public.turn().filter(|_| !self.public.round().is_some_and(whole))
    }

    fn place(&self, seat: Seat) -> SceneSeat {
        let round = self.public.round();
        let shown = round.map_or(CardSet::EMPTY, |round| round.shown()[seat]);
        let contract = round.and_then(Round::contract);
        let open = self.hands.map_or(CardSet::EMPTY, |hands| hands[seat]);
        let turn = self.turn() == Some(seat);
        let mut place = SceneSeat {
            seat,
            side: self.rules().side_of(seat),
            name: self.name(seat).into(),
            is_viewer: self.own() == Some(seat),
            deals: self.public.dealer() == seat,
            turn,
            declares: contract.is_some_and(|contract| contract.declarer == seat),
            bid: self.public.bid_of(seat).map(|bid| self.phrases.bid(self.rules(), bid)),
            tricks: round.map_or(0, |round| {
                round.tricks().iter().filter(|trick| trick.winner() == seat).count()
            }),
            cards: self.held_by(seat),
            shown: sorted(shown),
            hand: sorted(open),
            forbidden: match round {
                Some(_) if turn => open - self.public.lawful_cards(open),
                _ => CardSet::EMPTY,
            },
            label: String::new(),
        };
        place.label = self.place_label(&place);
        place
    }

    fn place_label(&self, place: &SceneSeat) -> String {
        let phrases = self.phrases;
        let mut parts = vec![place.name.clone()];
        parts.extend(place.bid.as_ref().map(|bid| phrases.felt_has_bid(bid.as_str())));
        if self.public.round().is_some() {
            parts.push(phrases.felt_has_tricks(place.tricks));
        }
        parts.push(phrases.felt_has_cards(place.cards));
        if place.deals {
            parts.push(phrases.felt_deals());
        }
        if !place.shown.is_empty() {
            let shown = place.shown.iter().copied().fold(CardSet::EMPTY, CardSet::with);
            parts.push(phrases.felt_has_shown(phrases.all_of(self.pack(), shown)));
        }
        if let Some(hand) =
            self.hands.map(|hands| hands[place.seat]).filter(|hand| !hand.is_empty())
        {
            parts.push(phrases.all_of(self.pack(), hand));
        }
        parts.join(", ")
    }

    /// How many cards a seat holds.
    fn held_by(&self, seat: Seat) -> usize {
        let rules = self.rules();
        let cards_each = rules.cards_each(self.public.number()).unwrap_or_default();
        match self.public.phase() {
            Phase::Dealing | Phase::Over => 0,
            Phase::Bidding(_) => rules.opening(cards_each),
            Phase::Playing(round) => {
                let drawn = rules.stock() - round.stock();
                // The winner draws first (C13).
                let first = round.tricks().last().is_some_and(|trick| trick.winner() == seat);
                let got = drawn / 2 + usize::from(first && drawn % 2 == 1);
                let laid = round.trick().card_of(seat, rules.players()).is_some();
                (cards_each + got).saturating_sub(round.tricks().len() + usize::from(laid))
            }
        }
    }

    fn hand(&self) -> Vec<HandCard> {
        let (whys, callable) = match self.turn() == self.own() {
            true => (self.view.cards(), self.public.callable(self.view.hand())),
            false => (Vec::new(), CardSet::EMPTY),
        };
        let held = |card: Card| {
            let why = whys.iter().find(|(other, _)| *other == card).and_then(|(_, why)| *why);
            HandCard {
                card,
                name: self.phrases.card(self.pack(), card),
                why: why.map(|why| self.why(&why)),
                call: callable.contains(card).then(|| self.public.call_points(card)),
            }
        };
        sorted(self.view.hand()).into_iter().map(held).collect()
    }

    fn why(&self, illegal: &Illegal) -> ReasonText {
        let owed = match *illegal {
            Illegal::MustFollow { have, .. }
            | Illegal::MustTrump { have }
            | Illegal::MustBeat { have, .. } => have,
            _ => CardSet::EMPTY,
        };
        ReasonText {
            sentence: self.phrases.refusal(illegal, self.rules()),
            clause: illegal.clause(self.rules()),
            owed,
        }
    }

    fn laid(&self, trick: &Trick) -> Vec<PlayedCard> {
        let players = self.rules().players();
        let laid = |(seat, card): (Seat, Card)| PlayedCard {
            card,
            name: self.phrases.card(self.pack(), card),
            place: self.seats().position(|other| other == seat).unwrap_or_default(),
            best: trick.winner() == seat,
            called: trick.called() && trick.leader() == seat,
        };
        trick.plays(players).map(laid).collect()
    }

    fn taken(&self, round: &Round) -> Option<TakenTrick> {
        let trick = round.tricks().last()?;
        let winner = trick.winner();
        let cards = self.laid(trick);
        let said = |laid: &PlayedCard| {
            let seat = self.seats().nth(laid.place).unwrap_or_default();
            self.phrases.plays(self.name(seat), laid.name.as_str())
        };
        let mut said: Vec<String> = cards.iter().map(said).collect();
        said.push(self.phrases.takes(self.name(winner)));
        let by = self.seats().position(|seat| seat == winner).unwrap_or_default();
        Some(TakenTrick { cards, by, label: said.join("; ") })
    }

    fn trump(&self) -> SceneTrump {
        let turned = self.public.auction().and_then(|auction| auction.turned());
        let led = self.public.round().and_then(Round::trump);
        match (turned, led, self.rules()) {
            (Some(card), _, _) => SceneTrump::Suit(card.suit(), Some(card)),
            (None, Some(suit), _) => SceneTrump::Suit(suit, None),
            _ if self.public.auction().is_none() => SceneTrump::NoDeal,
            (None, None, Rules::Whist(_)) => SceneTrump::None,
            (None, None, Rules::Cruce(_)) => SceneTrump::Unknown,
        }
    }

    fn asks(&self) -> ScenePrompt {
        let Some(own) = self.own() else { return ScenePrompt::Nothing };
        match self.public.phase() {
            Phase::Bidding(auction) if self.turn() == Some(own) => {
                let most = match self.rules() {
                    Rules::Cruce(cruce) => cruce.max_bid(),
                    Rules::Whist(_) => auction.cards_each() as u8,
                };
                ScenePrompt::Bid((0..=most).map(|bid| self.choice(bid)).collect())
            }
            Phase::Playing(_) if self.turn() == Some(own) => ScenePrompt::Card,
            Phase::Playing(_) if self.view.check(Action::Accept).is_ok() => ScenePrompt::Accept,
            _ => ScenePrompt::Nothing,
        }
    }

    fn choice(&self, bid: u8) -> BidChoice {
        let points = match self.rules() {
            Rules::Cruce(_) if bid > 0 => Some(u16::from(bid) * u16::from(POINTS_A_SCORE)),
            _ => None,
        };
        let word = self.phrases.bid(self.rules(), bid);
        BidChoice {
            bid,
            word,
            points,
            why: self.view.check(Action::Bid(bid)).err().map(|why| self.why(&why)),
        }
    }

    fn status(&self) -> String {
        let phrases = self.phrases;
        let Some(turn) = self.turn() else {
            return match self.public.phase() {
                Phase::Over => phrases.felt_match_over(),
                // A whole trick lies on the table for a moment before it is taken.
                Phase::Playing(round) if round.is_played(self.rules()) => self.accepting(round),
                Phase::Playing(_) => String::new(),
                Phase::Dealing | Phase::Bidding(_) => {
                    phrases.felt_between_deals(game_word(self.rules()))
                }
            };
        };
        let (mine, game) = (self.own() == Some(turn), game_word(self.rules()));
        match self.public.phase() {
            Phase::Bidding(_) if mine => phrases.felt_you_bid(game),
            Phase::Bidding(_) => phrases.turn_to_bid(game, self.name(turn)),
            Phase::Playing(round) if mine && round.trick().is_empty() => match round.trump() {
                None if game == "cruce" => phrases.felt_you_lead_trump(),
                _ => phrases.felt_you_lead(),
            },
            _ if mine => phrases.felt_you_play(),
            Phase::Playing(round) if round.trick().is_empty() => {
                phrases.turn_to_lead(self.name(turn))
            }
            _ => phrases.turn(self.name(turn)),
        }
    }

    fn tally(&self, side: Side) -> SideTally {
        let rules = self.rules();
        let players = Seat::first(rules.players()).filter(|seat| rules.side_of(*seat) == side);
        let names: Vec<&str> = players.clone().map(|seat| self.name(seat)).collect();
        let round = self.public.round();
        let points = round.map(|round| round.points()[side]);
        let promised = match rules {
            Rules::Cruce(_) => round
                .and_then(Round::contract)
                .filter(|contract| rules.side_of(contract.declarer) == side)
                .map(|contract| u16::from(contract.bid) * u16::from(POINTS_A_SCORE)),
            Rules::Whist(_) => {
                players.clone().next().and_then(|seat| self.public.bid_of(seat)).map(u16::from)
            }
        };
        SideTally {
            side,
            name: names.join(" & "),
            own: self.own().is_some_and(|own| rules.side_of(own) == side),
            score: total(self.public.score()[side]),
            points,
            promised,
            need: points.zip(promised).and_then(|(has, wants)| self.need(has.into(), wants)),
        }
    }

    fn need(&self, has: u16, wants: u16) -> Option<String> {
        match self.rules() {
            Rules::Cruce(_) if wants == 0 => None,
            Rules::Cruce(_) if has >= wants => Some(self.phrases.felt_kept()),
            Rules::Cruce(_) => Some(self.phrases.felt_needs_points(wants - has)),
            Rules::Whist(_) if has > wants => Some(self.phrases.felt_too_many(has - wants)),
            Rules::Whist(_) if has == wants => Some(self.phrases.felt_no_more()),
            Rules::Whist(_) => Some(self.phrases.felt_needs_tricks(wants - has)),
        }
    }
}

#[cfg(test)]
mod tests;
