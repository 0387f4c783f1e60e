//! The cards that each seat may know, and the cards that a text names. Both are computed without
//! views: from the log, the secret and the rules, and character by character.

use std::collections::{BTreeMap, BTreeSet};

use cards::{BySeat, CardSet, Pack, Seat};
use game::deal::Dealer;
use game::event::{Event, OpenEvent};
use game::notation::ActionText;
use game::notation::parse_card;
use game::{Rules, Table};
use room::{Checkpoint, Entry};
use store::{PlayerId, TableId};
use wire::table::ServerMessage;

use crate::checker::Log;
use crate::test_client::TestClient;

/// The cards that could be known after an entry.
#[derive(Clone, Copy)]
struct Known {
    /// By every viewer.
    open: CardSet,
    /// By each seat in addition.
    own: BySeat<CardSet>,
    /// How many deals have begun.
    deal: u32,
}

/// What the clients of a table may know, computed from its whole log.
pub(crate) struct Knowledge {
    pack: Pack,
    duplicate: bool,
    seats: BTreeMap<PlayerId, Seat>,
    /// After each entry, beginning with no cards.
    known: Vec<Known>,
    /// The secrets of matches, and the version at which each may be revealed.
    secrets: Vec<(String, u64)>,
    key: String,
    /// Texts that any client may receive and that look like cards by chance.
    pub(crate) harmless: Vec<String>,
}

/// The match that is being read.
struct Reading {
    secret: String,
    dealer: Dealer,
    table: Table,
    /// All cards that were dealt in this deal.
    dealt: CardSet,
}

impl Knowledge {
    pub(crate) fn new(log: &Log) -> Knowledge {
        let Entry::Opened(opening) = &log.entries[0].entry else {
            panic!("the first entry opens the table")
        };
        let nothing = BySeat::filled(CardSet::EMPTY, opening.rules.players());
        let mut knowledge = Knowledge {
            pack: opening.rules.pack(),
            duplicate: !opening.siblings.is_empty(),
            seats: BTreeMap::new(),
            known: vec![Known { open: CardSet::EMPTY, own: nothing, deal: 0 }],
            secrets: vec![(opening.secret.reveal(), u64::MAX)],
            key: opening.key.to_string(),
            harmless: vec![log.table.to_string(), opening.rules.code()],
        };
        let mut reading: Option<Reading> = None;
        for (version, logged) in (1..).zip(&log.entries) {
            let mut now = *knowledge.known.last().expect("there is a first element");
            match &logged.entry {
                Entry::Sat { seat, player, name } => {
                    knowledge.seats.insert(*player, *seat);
                    knowledge.harmless.push(name.to_string());
                }
                Entry::Started(checkpoint) => {
                    reading = Some(knowledge.started(checkpoint, log.table))
                }
                Entry::Committed { secret, number } => {
                    knowledge.secrets.push((secret.reveal(), u64::MAX));
                    let rules = opening.rules;
                    let name = format!("{}-{number}", log.table).parse().expect("a word");
                    knowledge.harmless.push(secret.commit(&name, &rules).to_string());
                    knowledge.harmless.push(name.to_string());
                }
                Entry::Dealt => reading.as_mut().expect("a match").deal(&mut now),
                Entry::Acted { seat, action, .. } => {
                    let reading = reading.as_mut().expect("a match");
                    if reading.act(*seat, action, knowledge.duplicate, &mut now) {
                        knowledge.reveal(&reading.secret, version);
                    }
                }
                Entry::SeatFreed { .. } | Entry::Swapped { .. } | Entry::Settings { .. } => {
                    panic!("not in this test: {logged:?}")
                }
                Entry::Claimed { .. } => panic!("not in this test: {logged:?}"),
                _ => {}
            }
            knowledge.known.push(now);
        }
        knowledge
    }

    fn started(&mut self, checkpoint: &Checkpoint, table: TableId) -> Reading {
        let opening = &checkpoint.opening;
        let rules: Rules = opening.rules;
        let name = opening.siblings.first().copied().unwrap_or(table);
        self.harmless.push(name.to_string());
        let name = format!("{name}-{}", checkpoint.number).parse().expect("a word");
        self.harmless.push(opening.secret.commit(&name, &rules).to_string());
        self.harmless.push(name.to_string());
        let seed = opening.secret.seed(&name, &rules, &checkpoint.words);
        let dealer = Dealer::new(rules, seed);
        let table = Table::new(rules, dealer.first_seat());
        Reading { secret: opening.secret.reveal(), dealer, table, dealt: CardSet::EMPTY }
    }

    /// Reveals the secret from this version on.
    fn reveal(&mut self, secret: &str, version: u64) {
        for (known, revealed) in &mut self.secrets {
            if known == secret && !self.duplicate {
                *revealed = version;
                self.harmless.push(known.clone());
            }
        }
    }

    /// The secrets that no client may receive at a version.
    fn hidden_texts(&self, version: u64) -> impl Iterator<Item = &str> {
        let hidden = self.secrets.iter().filter(move |(_, revealed)| *revealed > version);
        hidden.map(|(secret, _)| secret.as_str()).chain([self.key.as_str()])
    }

    /// All secrets; none may appear in a log file.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(|(secret, _)| secret.as_str()).chain([self.key.as_str()])
    }

    /// Whether the client received every secret that was revealed.
    pub(crate) fn received_the_secret(&self, client: &TestClient) -> bool {
        let due = self.secrets.iter().filter(|(_, revealed)| *revealed <= client.version());
        let received =
            |secret: &str| client.notes.texts.iter().any(|(_, text)| text.contains(secret));
        due.clone().count() > 0 && due.into_iter().all(|(secret, _)| received(secret))
    }

    /// The cards that the client itself named in the command that a text refuses.
    fn named_by_client(&self, client: &TestClient, text: &str) -> CardSet {
        match ServerMessage::read(text) {
            Ok(ServerMessage::Refused { id, .. }) => {
                cards_in(self.pack, &client.notes.commands[&id])
            }
            _ => CardSet::EMPTY,
        }
    }

    /// Checks every byte that a client received, and returns how many cards were named.
    pub(crate) fn check(&self, client: &TestClient, harmless: &BTreeSet<String>) -> usize {
        let seat = self.seats.get(&client.player).copied();
        let mut seen: BTreeMap<u32, CardSet> = BTreeMap::new();
        let mut named = 0;
        for (version, text) in &client.notes.texts {
            for secret in self.hidden_texts(*version) {
                assert!(!text.contains(secret), "a secret in version {version}: {text}");
            }
            let known = &self.known[*version as usize];
            let cards = cards_in(self.pack, &without_harmless(text, harmless));
            let own = seat.map_or(CardSet::EMPTY, |seat| known.own[seat]);
            let may = known.open | own | self.named_by_client(client, text);
            assert!(
                may.contains_all(cards),
                "seat {seat:?} may know {may:?} in version {version} and receives {cards:?}: {text}"
            );
            named += cards.len();
            *seen.entry(known.deal).or_insert(CardSet::EMPTY) |= cards;
        }
        // The search must find cards at all.
        if let Some(seat) = seat {
            for known in &self.known {
                let seen = seen.get(&known.deal).copied().unwrap_or(CardSet::EMPTY);
                assert!(seen.contains_all(known.own[seat]), "the client's own cards are not found");
            }
        }
        named
    }
}

impl Reading {
    fn deal(&mut self, now: &mut Known) {
        let public = self.table.public();
        let deal = self.dealer.deal(public.number(), public.first()).expect("a deal");
        now.open = deal.turned.into_iter().collect();
        now.own = deal.opening;
        now.deal += 1;
        self.dealt = deal.hands.iter().fold(now.open, |all, hand| all | *hand);
        self.dealt |= deal.stock.iter().copied().collect();
        for event in self.table.deal(deal).expect("it is time to deal") {
            self.table.apply(&event).expect("the deal applies");
        }
    }

    /// Applies an action, and returns whether it ends the match.
    fn act(&mut self, seat: Seat, action: &ActionText, duplicate: bool, now: &mut Known) -> bool {
        let rules = *self.table.public().rules();
        let action = action.read(&rules, seat).expect("an action is stored");
        let mut won = false;
        for event in self.table.decide(seat, action).expect("a stored action is legal") {
            self.table.apply(&event).expect("the event applies");
            match event {
                Event::Completed { rest } => {
                    now.own = BySeat::from_fn(rest.len(), |seat| now.own[seat] | rest[seat]);
                }
                Event::Drew { seat, card } => now.own[seat].insert(card),
                Event::Open(OpenEvent::Played { card, .. }) => now.open.insert(card),
                // If other tables play the same deal, its cards stay hidden.
                Event::Open(OpenEvent::Scored(_) | OpenEvent::ThrownIn { .. }) if !duplicate => {
                    now.open |= self.dealt;
                }
                Event::Open(OpenEvent::Won { .. }) => won = true,
                _ => {}
            }
        }
        won
    }
}

/// The answer to an unreadable action names cards as examples.
const EXAMPLES: &str = "there are bids (2), cards (4b), calls (4b!)";

/// A text without strings that are known to be harmless.
fn without_harmless(text: &str, harmless: &BTreeSet<String>) -> String {
    let text = text.replace(EXAMPLES, "");
    let words = text.split('"').filter(|word| !harmless.contains(*word));
    words.collect::<Vec<_>>().join("\"")
}

/// Every card that a text names: ranks and the suit that follows them (docs/notation.md).
pub(crate) fn cards_in(pack: Pack, text: &str) -> CardSet {
    let (ranks, suits) = match pack {
        Pack::Hungarian => ("AX4329", "blah"),
        Pack::FrenchFrom(_) => ("AKQJT9876543", "csdh"),
    };
    let mut cards = CardSet::EMPTY;
    let mut held: Vec<char> = Vec::new();
    for letter in text.chars() {
        if ranks.contains(letter) {
            held.push(letter);
            continue;
        }
        if suits.contains(letter) {
            let named = held.iter().map(|rank| parse_card(pack, &format!("{rank}{letter}")));
            // A pack of few players lacks the low ranks.
            cards |= named.flatten().collect();
        }
        held.clear();
    }
    cards
}
