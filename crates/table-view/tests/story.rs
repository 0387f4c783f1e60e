//! Stories of whole matches, in both languages.
#![allow(missing_docs, reason = "tests name themselves")]

use cards::Seat;
use game::deal::{Dealer, Seed};
use game::position::DealStage;
use game::{Action, Position, Rules, Table};
use phrases::Language;
use phrases::layout::{WIDTH, width};
use table_view::Story;

/// A table with its story so far.
struct StoryTable {
    table: Table,
    stories: [Story; 2],
    texts: [String; 2],
}

impl StoryTable {
    fn new(rules: Rules, first: Seat, names: &[&str]) -> StoryTable {
        let names = || names.iter().map(ToString::to_string).collect();
        StoryTable {
            table: Table::new(rules, first),
            stories: Language::ALL.map(|language| Story::new(language, rules, names())),
            texts: Default::default(),
        }
    }

    fn apply(&mut self, events: impl IntoIterator<Item = game::Event>) {
        for event in events {
            self.table.apply(&event).unwrap();
            for (story, text) in self.stories.iter_mut().zip(&mut self.texts) {
                let lines = story.tell(&event, self.table.public());
                if !lines.is_empty() {
                    text.push_str(&lines);
                    text.push('\n');
                }
            }
        }
    }

    fn act(&mut self, seat: Seat, action: Action) {
        let events = self.table.decide(seat, action).unwrap();
        self.apply(events);
    }

    /// Plays at random with low bids, until the match or this number of deals is over.
    fn play(&mut self, deals: usize, seed: u64) {
        let rules = *self.table.rules();
        let dealer = Dealer::new(rules, Seed([seed as u8; 32]));
        let mut random = seed;
        while !self.table.is_over() {
            let (number, first) = (self.table.public().number(), self.table.public().first());
            if self.table.wants_deal() {
                if number == deals {
                    return;
                }
                let events = self.table.deal(dealer.deal(number, first).unwrap()).unwrap();
                self.apply(events);
                continue;
            }
            let mut choices = Vec::new();
            for seat in Seat::first(rules.players()) {
                let actions = self.table.public().actions(seat, self.table.hand(seat));
                choices.extend(actions.into_iter().map(|action| (seat, action)));
            }
            choices.retain(|(_, action)| !matches!(action, Action::Bid(3..)));
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (seat, action) = choices[(random >> 33) as usize % choices.len()];
            self.act(seat, action);
        }
    }
}

#[test]
fn stories_fit_the_terminal() {
    let codes = ["cruce4t-5", "cruce4s-4-m1-redeal", "cruce3-5-on3-auto", "contest-honour"]
        .into_iter()
        .chain(["cruce2-4-honour", "whist3", "whist4-818", "whist5-p0", "whist6"]);
    for code in codes {
        for seed in 1..6 {
            let rules = Rules::from_code(code).unwrap();
            let mut game = StoryTable::new(rules, Seat::default(), &[]);
            game.play(30, seed);
            for text in &game.texts {
                for line in text.lines() {
                    assert!(width(line) <= WIDTH, "{code}: {line}");
                    assert_eq!(line.trim_end(), line, "{code}");
                    assert!(!line.contains(['{', '$', '\u{a0}', '\u{2068}']), "{code}: {line}");
                }
                assert!(!text.contains("\n\n\n"), "{code}: a gap in\n{text}");
                if game.table.is_over() {
                    let last = text.lines().last().unwrap();
                    let names = Story::default_names(rules.players());
                    assert!(names.iter().any(|name| last.contains(name)), "{code}: {last}");
                }
            }
        }
    }
}

/// No line is too long, even with very long names.
#[test]
fn long_names_are_shortened() {
    let names = ["Constantin-Alexandru Brâncoveanu-Cantemir"; 6];
    for code in ["cruce4t-5", "cruce2-3", "whist6"] {
        let rules = Rules::from_code(code).unwrap();
        let mut game = StoryTable::new(rules, Seat::default(), &names[..rules.players()]);
        game.play(6, 3);
        for line in game.texts.iter().flat_map(|text| text.lines()) {
            assert!(width(line) <= WIDTH, "{line}");
        }
    }
}

/// The whole deal of docs/rules, C11.5.
#[test]
fn a_deal_is_described_from_the_first_bid_to_the_score() {
    let position: Position =
        "cruce4t-21 hands=X43bA9l2h/A9bX4l3a9h/2b3lA9aX4h/2lX42aA3h".parse().unwrap();
    let DealStage::Bidding(deal) = position.stage() else { panic!("before the bidding") };
    let mut game = StoryTable::new(*position.rules(), position.first(), &[]);
    let events = game.table.deal((**deal).clone()).unwrap();
    game.apply(events);
    for bid in [2, 0, 0, 0] {
        let seat = game.table.public().turn().unwrap();
        game.act(seat, Action::Bid(bid));
    }
    let cards = "4b!.Ab.2b.Xa.3a.Aa.2a.3b.Xb.9b.Xh.2l.Al.4l.3l.3h.9l.Xl.9a.4a.9h.4h.Ah.2h";
    for word in cards.split('.') {
        let seat = game.table.public().turn().unwrap();
        let name = word.trim_end_matches('!');
        let card = game::notation::parse_card(position.rules().pack(), name).unwrap();
        game.act(seat, Action::Play { card, call: word.ends_with('!') });
    }
    let [english, romanian] = &game.texts;
    assert_eq!(english, ENGLISH);
    assert_eq!(romanian, ROMANIAN);
}

const ENGLISH: &str = "\
Cruce to 21: Ana & Călin against Bogdan & Dana (cruce4t-21)

── Deal 1 · Dana deals · 6 cards each ──────────────────────────────────────────

            bells       leaves    acorns     hearts
  Ana       X IV III    A IX      –          II
  Bogdan    A IX        X IV      III        IX
  Călin     II          III       A IX       X IV
  Dana      –           II        X IV II    A III

  Bids      Ana two · Bogdan pass · Călin pass · Dana pass
  Declarer  Ana with two: Ana & Călin must make 66 points
  Trump     bells, led by Ana

  1  Ana IV bells calls 40!  Bogdan A    Călin II    Dana X acorns   → Bogdan 27
  2  Bogdan III acorns  Călin A     Dana II     Ana III bells        → Ana    19
  3  Ana X bells        Bogdan IX   Călin X hearts  Dana II leaves   → Ana    22
  4  Ana A leaves       Bogdan IV   Călin III   Dana III hearts      → Ana    21
  5  Ana IX leaves      Bogdan X    Călin IX acorns  Dana IV acorns  → Bogdan 14
  6  Bogdan IX hearts   Călin IV    Dana A      Ana II               → Dana   17

                  cards   calls   points   bid              score   total
  Ana & Călin        62      40      102   two (66): made      +3       3
  Bogdan & Dana      58       0       58                       +1       1
";

const ROMANIAN: &str = "\
Cruce până la 21: Ana & Călin contra Bogdan & Dana (cruce4t-21)

── Tura 1 · împarte Dana · câte 6 cărți ────────────────────────────────────────

            dubă        verde    ghindă     roșu
  Ana       X IV III    A IX     –          II
  Bogdan    A IX        X IV     III        IX
  Călin     II          III      A IX       X IV
  Dana      –           II       X IV II    A III

  Licitație  Ana două · Bogdan pas · Călin pas · Dana pas
  Licitant   Ana cu două: Ana & Călin trebuie să facă 66 de puncte
  Tromf      dubă, cu care iese Ana

  1  Ana IV dubă anunță 40!  Bogdan A    Călin II    Dana X ghindă   → Bogdan 27
  2  Bogdan III ghindă  Călin A     Dana II     Ana III dubă         → Ana    19
  3  Ana X dubă         Bogdan IX   Călin X roșu  Dana II verde      → Ana    22
  4  Ana A verde        Bogdan IV   Călin III   Dana III roșu        → Ana    21
  5  Ana IX verde       Bogdan X    Călin IX ghindă  Dana IV ghindă  → Bogdan 14
  6  Bogdan IX roșu     Călin IV    Dana A      Ana II               → Dana   17

                  cărți   anunțuri   puncte   licitație           scor   total
  Ana & Călin        62         40      102   două (66): făcută     +3       3
  Bogdan & Dana      58          0       58                         +1       1
";
