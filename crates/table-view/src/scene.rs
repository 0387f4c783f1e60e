//! A match as it is drawn for one viewer: the seats, the cards, the prompt, the forbidden actions with
//! their reasons, and the texts.
//!
//! A scene is made from a [`View`] and contains only what the view contains. The page, the terminal,
//! replays and lessons draw the same scene.

mod honour;

use cards::{BySeat, Card, CardSet, Pack, Seat, Side, Suit};
use game::cruce::promised_points;
use game::public::{Phase, Round};
use game::trick::Trick;
use game::{Action, Illegal, Public, Rules, View, Viewer};

use phrases::layout::total;
use phrases::{Phrases, game_word, sorted};
use replica::table::TableReplica;

use crate::participants;

pub use honour::{ChallengeableCard, FinishedTrick, Honour};

/// The maximum number of cards in hand for a claim: with more it is hardly ever certain.
const MAX_CLAIMED: usize = 5;

/// The direction of play round the table (C3).
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
    /// The title of the deal.
    pub deal: String,
    /// The seats, clockwise from the viewer, who sits at the bottom.
    pub places: Vec<SceneSeat>,
    /// The viewer's cards, in the order of a hand.
    pub hand: Vec<HandCard>,
    /// The trick on the table; empty unless cards are being played.
    pub trick: Vec<PlayedCard>,
    /// The last finished trick.
    pub last: Option<TakenTrick>,
    /// The number of finished tricks, which is the index of the trick on the table.
    pub tricks: usize,
    /// The trump.
    pub trump: SceneTrump,
    /// The number of cards in the stock (C13); None if the game has no stock or no deal is in progress.
    pub stock: Option<usize>,
    /// What the viewer is asked for.
    pub prompt: ScenePrompt,
    /// The player in turn and what they may do, in a sentence.
    pub status: String,
    /// The score and the promise of each side.
    pub sides: Vec<SideTally>,
    /// The cards that the viewer may challenge, while cards are played at an honour table (C15).
    pub honour: Option<Honour>,
}

/// What the viewer is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ScenePrompt {
    /// Nothing.
    #[default]
    Nothing,
    /// A bid: all bids, with the reasons why some are forbidden.
    Bid(Vec<BidChoice>),
    /// A card; each card of the hand has the reason if it is forbidden.
    Card,
    /// Whether the deal was played fairly (C15).
    Accept,
}

/// A bid that is allowed or forbidden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BidChoice {
    /// The bid.
    pub bid: u8,
    /// In words: `pass`, `two`; a number in whist.
    pub word: String,
    /// The points that it promises in Cruce.
    pub points: Option<u16>,
    /// Why it is forbidden; None if it is allowed.
    pub why: Option<ReasonText>,
}

/// A reason, with the clause of the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReasonText {
    /// The reason, as a sentence.
    pub sentence: String,
    /// The clause: `C8`.
    pub clause: &'static str,
    /// The cards that are owed instead.
    pub owed: CardSet,
}

/// A player at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SceneSeat {
    /// The seat.
    pub seat: Seat,
    /// The player's side.
    pub side: Side,
    /// The player's name.
    pub name: String,
    /// Whether the player is the viewer.
    pub is_viewer: bool,
    /// Whether the player deals.
    pub deals: bool,
    /// Whether it is the player's turn.
    pub turn: bool,
    /// Whether the player is the declarer of Cruce.
    pub declares: bool,
    /// The bid of this deal, in words.
    pub bid: Option<String>,
    /// The number of tricks taken in this deal.
    pub tricks: usize,
    /// The number of cards in the hand.
    pub cards: usize,
    /// The cards shown by a call that are still in the hand (C10).
    pub shown: Vec<Card>,
    /// The hand in an [open scene](TableScene::open) of a match that is over; otherwise empty.
    pub hand: Vec<Card>,
    /// The cards of `hand` that a duty forbids now; at an honour table they can be played nevertheless.
    pub forbidden: CardSet,
    /// The description of the seat for screen readers.
    pub label: String,
}

/// A card in the viewer's hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandCard {
    /// The card.
    pub card: Card,
    /// Its name.
    pub name: String,
    /// Why it is forbidden now; None if it is allowed, or if it is not the viewer's turn.
    pub why: Option<ReasonText>,
    /// The points of a call with this card, if the viewer may call (C10).
    pub call: Option<u8>,
}

/// A card on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedCard {
    /// The card.
    pub card: Card,
    /// Its name.
    pub name: String,
    /// The player who played it: an index of [`TableScene::places`].
    pub place: usize,
    /// Whether it wins the trick so far.
    pub best: bool,
    /// Whether it was led with a call.
    pub called: bool,
}

/// A finished trick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenTrick {
    /// Its cards in the order of play.
    pub cards: Vec<PlayedCard>,
    /// The winner: an index of [`TableScene::places`].
    pub by: usize,
    /// The whole trick, in a sentence.
    pub label: String,
}

/// The trump of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SceneTrump {
    /// No deal is in progress.
    NoDeal,
    /// It is not known yet.
    Unknown,
    /// This deal has no trump.
    None,
    /// The suit, and in whist the card that was turned up.
    Suit(Suit, Option<Card>),
}

/// The score and the promise of a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideTally {
    /// The side.
    pub side: Side,
    /// Its players: `Ana & Călin`.
    pub name: String,
    /// Whether the viewer plays for it.
    pub own: bool,
    /// The score of the match, with a typographic minus.
    pub score: String,
    /// Points in Cruce, tricks in whist; None unless cards are being played.
    pub points: Option<u8>,
    /// The promise: points in Cruce, tricks in whist.
    pub promised: Option<u16>,
    /// What the side still needs, or that the promise is kept or missed, in words.
    pub need: Option<String>,
}

impl TableScene {
    /// The scene of a view. The names are in the order of the seats.
    pub fn new(
        view: &View,
        names: &[String],
        direction: Direction,
        phrases: &Phrases,
    ) -> TableScene {
        SceneBuilder { view, public: view.public(), hands: None, names, direction, phrases }.scene()
    }

    /// The scene of what a client knows. Returns None before a match.
    pub fn of_replica(
        replica: &TableReplica,
        direction: Direction,
        phrases: &Phrases,
    ) -> Option<TableScene> {
        let (state, view) = replica.state().zip(replica.shown_view())?;
        let scene = TableScene::new(view, &participants::names(state, phrases), direction, phrases);
        Some(if state.paused { scene.paused(phrases) } else { scene })
    }

    /// The same with open hands, for a match that is over.
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

    /// Whether the rest of the deal can be claimed now: "the rest is mine".
    pub fn may_claim(&self) -> bool {
        self.prompt == ScenePrompt::Card
            && self.trick.is_empty()
            && (2..=MAX_CLAIMED).contains(&self.hand.len())
            && self.stock.is_none_or(|left| left == 0)
            && !self.rules.honour()
    }

    /// The same while the table is paused: there is no turn and no prompt.
    #[must_use]
    fn paused(self, phrases: &Phrases) -> TableScene {
        let mut scene =
            TableScene { prompt: ScenePrompt::Nothing, status: phrases.table_paused(), ..self };
        scene.places.iter_mut().for_each(|place| place.turn = false);
        for held in &mut scene.hand {
            (held.why, held.call) = (None, None);
        }
        scene
    }

    /// The place of a seat: an index of [`TableScene::places`].
    pub fn place_of(&self, seat: Seat) -> usize {
        self.places.iter().position(|place| place.seat == seat).unwrap_or_default()
    }

    /// Whether it is the viewer's turn.
    pub fn is_my_turn(&self) -> bool {
        self.places.iter().any(|place| place.is_viewer && place.turn)
    }

    /// The cards that may be played.
    pub fn playable(&self) -> impl Iterator<Item = &HandCard> {
        let is_asked = self.prompt == ScenePrompt::Card;
        self.hand.iter().filter(move |held| is_asked && held.why.is_none())
    }
}

/// The title of the deal with this index; in whist with the number of cards.
pub fn deal_title(rules: &Rules, number: usize, phrases: &Phrases) -> String {
    match rules {
        Rules::Cruce(_) => phrases.scene_deal(number + 1),
        Rules::Whist(whist) => {
            let cards = rules.cards_each(number).unwrap_or_default();
            phrases.scene_deal_of(number + 1, whist.deals(), cards)
        }
    }
}

struct SceneBuilder<'a> {
    view: &'a View,
    public: &'a Public,
    /// All hands, if the scene is open.
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
        // After the last deal the table already counts the next one.
        let over = usize::from(matches!(self.public.phase(), Phase::Over));
        TableScene {
            rules,
            deal: deal_title(&rules, self.public.number().saturating_sub(over), self.phrases),
            places: self.seats().map(|seat| self.scene_seat(seat)).collect(),
            hand: self.hand(),
            trick: round.map(|round| self.played_cards(round.trick())).unwrap_or_default(),
            last: round.and_then(|round| self.last_trick(round)),
            tricks: round.map_or(0, |round| round.tricks().len()),
            trump: self.trump(),
            stock: (dealt && rules.stock() > 0).then(|| round.map_or(rules.stock(), Round::stock)),
            prompt: self.prompt(),
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

    fn viewer_seat(&self) -> Option<Seat> {
        match self.view.viewer() {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        }
    }

    /// The seats clockwise from the viewer; from the first seat for a spectator.
    fn seats(&self) -> impl Iterator<Item = Seat> + '_ {
        let players = self.rules().players();
        let start = self.viewer_seat().unwrap_or_default();
        (0..players).map(move |step| match self.direction {
            Direction::Clockwise => start.after(step, players),
            Direction::CounterClockwise => start.after(players - step, players),
        })
    }

    fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    /// The seat in turn; None while a complete trick is on the table.
    fn turn(&self) -> Option<Seat> {
        let is_complete = |round: &Round| round.trick().cards().len() == self.rules().players();
        self.public.turn().filter(|_| !self.public.round().is_some_and(is_complete))
    }

    fn scene_seat(&self, seat: Seat) -> SceneSeat {
        let round = self.public.round();
        let shown = round.map_or(CardSet::EMPTY, |round| round.shown()[seat]);
        let contract = round.and_then(Round::contract);
        let open = self.hands.map_or(CardSet::EMPTY, |hands| hands[seat]);
        let turn = self.turn() == Some(seat);
        let mut place = SceneSeat {
            seat,
            side: self.rules().side_of(seat),
            name: self.name(seat).into(),
            is_viewer: self.viewer_seat() == Some(seat),
            deals: self.public.dealer() == seat,
            turn,
            declares: contract.is_some_and(|contract| contract.declarer == seat),
            bid: self.public.bid_of(seat).map(|bid| self.phrases.bid(self.rules(), bid)),
            tricks: round.map_or(0, |round| {
                round.tricks().iter().filter(|trick| trick.winner() == seat).count()
            }),
            cards: self.card_count(seat),
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
        parts.extend(place.bid.as_ref().map(|bid| phrases.scene_has_bid(bid.as_str())));
        if self.public.round().is_some() {
            parts.push(phrases.scene_has_tricks(place.tricks));
        }
        parts.push(phrases.scene_has_cards(place.cards));
        if place.deals {
            parts.push(phrases.scene_deals());
        }
        if !place.shown.is_empty() {
            let shown = place.shown.iter().copied().fold(CardSet::EMPTY, CardSet::with);
            parts.push(phrases.scene_has_shown(phrases.all_of(self.pack(), shown)));
        }
        if let Some(hand) =
            self.hands.map(|hands| hands[place.seat]).filter(|hand| !hand.is_empty())
        {
            parts.push(phrases.all_of(self.pack(), hand));
        }
        parts.join(", ")
    }

    /// The number of cards in the hand of a seat.
    fn card_count(&self, seat: Seat) -> usize {
        let rules = self.rules();
        let cards_each = rules.cards_each(self.public.number()).unwrap_or_default();
        match self.public.phase() {
            Phase::Dealing | Phase::Over => 0,
            Phase::Bidding(_) => rules.opening(cards_each),
            Phase::Playing(round) => {
                let drawn = rules.stock() - round.stock();
                // The winner draws first (C13).
                let first = round.tricks().last().is_some_and(|trick| trick.winner() == seat);
                let received = drawn / 2 + usize::from(first && drawn % 2 == 1);
                let has_played = round.trick().card_of(seat, rules.players()).is_some();
                let played = round.tricks().len() + usize::from(has_played);
                (cards_each + received).saturating_sub(played)
            }
        }
    }

    fn hand(&self) -> Vec<HandCard> {
        let (reasons, callable) = match self.turn() == self.viewer_seat() {
            true => (self.view.cards(), self.public.callable(self.view.hand())),
            false => (Vec::new(), CardSet::EMPTY),
        };
        let held = |card: Card| {
            let why = reasons.iter().find(|(other, _)| *other == card).and_then(|(_, why)| *why);
            HandCard {
                card,
                name: self.phrases.card(self.pack(), card),
                why: why.map(|why| self.reason(&why)),
                call: callable.contains(card).then(|| self.public.call_points(card)),
            }
        };
        sorted(self.view.hand()).into_iter().map(held).collect()
    }

    fn reason(&self, illegal: &Illegal) -> ReasonText {
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

    fn played_cards(&self, trick: &Trick) -> Vec<PlayedCard> {
        let players = self.rules().players();
        let played = |(seat, card): (Seat, Card)| PlayedCard {
            card,
            name: self.phrases.card(self.pack(), card),
            place: self.seats().position(|other| other == seat).unwrap_or_default(),
            best: trick.winner() == seat,
            called: trick.called() && trick.leader() == seat,
        };
        trick.plays(players).map(played).collect()
    }

    fn last_trick(&self, round: &Round) -> Option<TakenTrick> {
        let trick = round.tricks().last()?;
        let winner = trick.winner();
        let cards = self.played_cards(trick);
        let describe = |played: &PlayedCard| {
            let seat = self.seats().nth(played.place).unwrap_or_default();
            self.phrases.plays(self.name(seat), played.name.as_str())
        };
        let mut parts: Vec<String> = cards.iter().map(describe).collect();
        parts.push(self.phrases.takes(self.name(winner)));
        let by = self.seats().position(|seat| seat == winner).unwrap_or_default();
        Some(TakenTrick { cards, by, label: parts.join("; ") })
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

    fn prompt(&self) -> ScenePrompt {
        let Some(own) = self.viewer_seat() else { return ScenePrompt::Nothing };
        match self.public.phase() {
            Phase::Bidding(auction) if self.turn() == Some(own) => {
                let most = match self.rules() {
                    Rules::Cruce(cruce) => cruce.max_bid(),
                    Rules::Whist(_) => auction.cards_each() as u8,
                };
                ScenePrompt::Bid((0..=most).map(|bid| self.bid_choice(bid)).collect())
            }
            Phase::Playing(_) if self.turn() == Some(own) => ScenePrompt::Card,
            Phase::Playing(_) if self.view.check(Action::Accept).is_ok() => ScenePrompt::Accept,
            _ => ScenePrompt::Nothing,
        }
    }

    fn bid_choice(&self, bid: u8) -> BidChoice {
        let points = match self.rules() {
            Rules::Cruce(_) if bid > 0 => Some(promised_points(bid)),
            _ => None,
        };
        let word = self.phrases.bid(self.rules(), bid);
        BidChoice {
            bid,
            word,
            points,
            why: self.view.check(Action::Bid(bid)).err().map(|why| self.reason(&why)),
        }
    }

    fn status(&self) -> String {
        let phrases = self.phrases;
        let Some(turn) = self.turn() else {
            return match self.public.phase() {
                Phase::Over => phrases.scene_match_over(),
                Phase::Playing(round) if round.is_played(self.rules()) => {
                    self.acceptance_status(round)
                }
                // A complete trick stays on the table for a moment.
                Phase::Playing(_) => String::new(),
                Phase::Dealing | Phase::Bidding(_) => {
                    phrases.scene_between_deals(game_word(self.rules()))
                }
            };
        };
        let (is_viewer, game) = (self.viewer_seat() == Some(turn), game_word(self.rules()));
        match self.public.phase() {
            Phase::Bidding(_) if is_viewer => phrases.scene_you_bid(game),
            Phase::Bidding(_) => phrases.turn_to_bid(game, self.name(turn)),
            Phase::Playing(round) if is_viewer && round.trick().is_empty() => match round.trump() {
                None if game == "cruce" => phrases.scene_you_lead_trump(),
                _ => phrases.scene_you_lead(),
            },
            _ if is_viewer => phrases.scene_you_play(),
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
                .map(|contract| promised_points(contract.bid)),
            Rules::Whist(_) => {
                players.clone().next().and_then(|seat| self.public.bid_of(seat)).map(u16::from)
            }
        };
        SideTally {
            side,
            name: names.join(" & "),
            own: self.viewer_seat().is_some_and(|own| rules.side_of(own) == side),
            score: total(self.public.score()[side]),
            points,
            promised,
            need: points.zip(promised).and_then(|(has, wants)| self.need(has.into(), wants)),
        }
    }

    fn need(&self, has: u16, wants: u16) -> Option<String> {
        match self.rules() {
            Rules::Cruce(_) if wants == 0 => None,
            Rules::Cruce(_) if has >= wants => Some(self.phrases.scene_kept()),
            Rules::Cruce(_) => Some(self.phrases.scene_needs_points(wants - has)),
            Rules::Whist(_) if has > wants => Some(self.phrases.scene_too_many(has - wants)),
            Rules::Whist(_) if has == wants => Some(self.phrases.scene_no_more()),
            Rules::Whist(_) => Some(self.phrases.scene_needs_tricks(wants - has)),
        }
    }
}

#[cfg(test)]
mod tests;
