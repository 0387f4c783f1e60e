//! Thousands of endings: drawn from a seed, or all of a small pack.

use cards::{BySeat, Card, CardSet, Pack, Rank, Seat, Suit};
use game::deal::{RandomStream, Seed};
use game::notation::{list_text, set_text};
use game::position::InPlay;
use game::{Position, Rules, cruce, whist};

/// A random stream of its own for each test.
pub fn lots(name: &str) -> RandomStream {
    let mut seed = [0; 32];
    seed.iter_mut().zip(name.bytes()).for_each(|(to, from)| *to = from);
    RandomStream::new(Seed(seed), 0)
}

pub fn one_of<T: Copy>(lots: &mut RandomStream, choices: &[T]) -> T {
    choices[lots.below(choices.len())]
}

/// The last cards of a deal, whose suits and seats a test may rename.
#[derive(Clone, Debug)]
pub struct Ending {
    pub code: &'static str,
    pub hands: Vec<CardSet>,
    /// `None` in Cruce if the next lead fixes it.
    pub trump: Option<Suit>,
    pub leader: usize,
    pub trick: Vec<Card>,
    /// Points or tricks so far, by side.
    pub points: Vec<u8>,
}

impl Ending {
    /// Hands of this many cards from the pack, shuffled.
    pub fn deal(
        lots: &mut RandomStream,
        code: &'static str,
        pack: CardSet,
        cards_each: usize,
    ) -> Ending {
        let rules = rules(code);
        let mut pack: Vec<Card> = pack.iter().collect();
        lots.shuffle(&mut pack);
        let hands = pack.chunks(cards_each).take(rules.players());
        let hands: Vec<CardSet> = hands.map(|hand| hand.iter().copied().collect()).collect();
        assert_eq!(hands.len(), rules.players(), "cards for every seat");
        let leader = lots.below(rules.players());
        Ending { code, hands, trump: None, leader, trick: vec![], points: vec![0; rules.sides()] }
    }

    /// Lays this many cards of the next trick, drawn from the legal ones.
    pub fn lay(&mut self, lots: &mut RandomStream, count: usize) {
        for _ in 0..count {
            let play = self.play();
            let (turn, legal) = match &play {
                InPlay::Cruce(play) => (play.turn(), play.legal()),
                InPlay::Whist(play) => (play.turn(), play.legal()),
            };
            let turn = turn.expect("cards are left").index();
            let card = legal.nth(lots.below(legal.len())).expect("a legal card");
            self.hands[turn].remove(card);
            if self.trick.is_empty() && matches!(play, InPlay::Cruce(_)) {
                self.trump.get_or_insert(card.suit());
            }
            self.trick.push(card);
        }
    }

    /// The ending as a text. A first lead with few cards is not a position of the
    /// notation, but is written in the same way.
    pub fn text(&self) -> String {
        let pack = rules(self.code).pack();
        let hands: Vec<String> = self.hands.iter().map(|hand| set_text(pack, *hand)).collect();
        let points: Vec<String> = self.points.iter().map(u8::to_string).collect();
        let mut text = format!("{} hands={} lead={}", self.code, hands.join("/"), self.leader + 1);
        if let Some(trump) = self.trump {
            text += &format!(" trump={}", pack.suit_letter(trump));
        }
        if !self.trick.is_empty() {
            text += &format!(" trick={}", list_text(pack, &self.trick));
        }
        let name = if pack.is_hungarian() { "points" } else { "taken" };
        text + &format!(" {name}={}", points.join("/"))
    }

    pub fn play(&self) -> InPlay {
        match rules(self.code) {
            Rules::Cruce(rules) if self.trump.is_none() => {
                let hands = BySeat::from_slice(&self.hands).expect("hands");
                let leader = Seat::new(self.leader).expect("a leader");
                InPlay::Cruce(cruce::Play::new(&rules, &hands, &[], leader))
            }
            _ => *position(&self.text()).play().expect("in play"),
        }
    }

    pub fn cruce(&self) -> cruce::Play {
        match self.play() {
            InPlay::Cruce(play) => play,
            InPlay::Whist(_) => panic!("{} is whist", self.text()),
        }
    }

    pub fn whist(&self) -> whist::Play {
        match self.play() {
            InPlay::Whist(play) => play,
            InPlay::Cruce(_) => panic!("{} is Cruce", self.text()),
        }
    }

    /// The same ending with other suits.
    pub fn renamed(&self, names: [Suit; 4]) -> Ending {
        let card = |card: Card| renamed(card, names);
        Ending {
            hands: self.hands.iter().map(|hand| hand.iter().map(card).collect()).collect(),
            trump: self.trump.map(|trump| names[trump as usize]),
            trick: self.trick.iter().map(|laid| card(*laid)).collect(),
            ..self.clone()
        }
    }

    /// The same ending with every hand moved to the next seat.
    pub fn turned(&self) -> Ending {
        let mut turned = self.clone();
        turned.hands.rotate_right(1);
        turned.points.rotate_right(1);
        turned.leader = (self.leader + 1) % self.hands.len();
        turned
    }
}

pub fn renamed(card: Card, names: [Suit; 4]) -> Card {
    Card::new(card.rank(), names[card.suit() as usize])
}

#[track_caller]
pub fn rules(code: &str) -> Rules {
    Rules::from_code(code).unwrap_or_else(|faults| panic!("{code}: {faults}"))
}

#[track_caller]
pub fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|fault| panic!("{text}\n{fault}"))
}

/// Some suits of a pack: the fewer there are, the more the cards interact.
pub fn part(lots: &mut RandomStream, pack: Pack, suits: usize) -> CardSet {
    let mut all = Suit::ALL;
    lots.shuffle(&mut all);
    let chosen = &all[..suits];
    pack.cards().iter().filter(|card| chosen.contains(&card.suit())).collect()
}

/// An ending of Cruce: any rules, trump fixed or not yet, at any card of a trick,
/// with some points taken already.
pub fn of_cruce(lots: &mut RandomStream, code: &'static str, cards_each: usize) -> Ending {
    let needed = cards_each * rules(code).players();
    let suits = [2, 3, 4].into_iter().filter(|suits| 6 * suits >= needed);
    let suits = one_of(lots, &suits.collect::<Vec<_>>());
    let pack = part(lots, Pack::Hungarian, suits);
    let mut ending = Ending::deal(lots, code, pack, cards_each);
    // If no card has been played yet, the first lead fixes trump (C7).
    if needed < Pack::Hungarian.cards().len() && lots.below(4) > 0 {
        let in_hands: Vec<Suit> = pack.iter().map(Card::suit).collect();
        ending.trump = Some(one_of(lots, &in_hands));
        // The cards that are not in the hands have been taken by random sides.
        let held = ending.hands.iter().fold(CardSet::EMPTY, |all, hand| all | *hand);
        for card in Pack::Hungarian.cards() - held {
            let side = lots.below(ending.points.len());
            ending.points[side] += cruce::worth(card);
        }
    }
    let laid = lots.below(ending.hands.len());
    ending.lay(lots, laid);
    ending
}

/// An ending of whist: with trump or without, at any card of a trick.
pub fn of_whist(lots: &mut RandomStream, code: &'static str, cards_each: usize) -> Ending {
    let pack = rules(code).pack();
    let needed = cards_each * rules(code).players();
    let suits = [1, 2, 3, 4].into_iter().filter(|suits| pack.cards().len() / 4 * suits >= needed);
    let suits = one_of(lots, &suits.collect::<Vec<_>>());
    let pack = part(lots, pack, suits);
    let mut ending = Ending::deal(lots, code, pack, cards_each);
    if lots.below(3) > 0 {
        ending.trump = Some(one_of(lots, &Suit::ALL));
    }
    let left = 7 - cards_each;
    for _ in 0..lots.below(left + 1) {
        let seat = lots.below(ending.points.len());
        ending.points[seat] += 1;
    }
    let laid = lots.below(ending.hands.len());
    ending.lay(lots, laid);
    ending
}

/// A small pack: these ranks of the first suits.
pub fn small_pack(ranks: &[Rank], suits: usize) -> CardSet {
    let every = |suit: Suit| ranks.iter().map(move |rank| Card::new(*rank, suit));
    Suit::ALL.into_iter().take(suits).flat_map(every).collect()
}

/// Every way to deal hands of this many cards from a pack.
pub fn every_deal(pack: CardSet, players: usize, cards_each: usize) -> Vec<Vec<CardSet>> {
    if players == 0 {
        return vec![vec![]];
    }
    let mut deals = Vec::new();
    for hand in every_hand(pack, cards_each) {
        for mut others in every_deal(pack - hand, players - 1, cards_each) {
            others.insert(0, hand);
            deals.push(others);
        }
    }
    deals
}

fn every_hand(pack: CardSet, cards: usize) -> Vec<CardSet> {
    let Some(lowest) = pack.lowest() else {
        return if cards == 0 { vec![CardSet::EMPTY] } else { vec![] };
    };
    if cards == 0 {
        return vec![CardSet::EMPTY];
    }
    let rest = pack.without(lowest);
    let mut hands = every_hand(rest, cards);
    hands.extend(every_hand(rest, cards - 1).into_iter().map(|hand| hand.with(lowest)));
    hands
}
