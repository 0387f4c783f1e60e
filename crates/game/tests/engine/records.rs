//! Records hold a whole match, survive print and parse, and are verified completely.

use cards::{BySeat, Seat};
use game::deal::Dealer;
use game::fair::{Secret, Word};
use game::record::{DealEnd, Record, RecordError, RecordedMove, parse_all};
use game::{Rules, Table};

use crate::random::{Match, Rng, sides};

/// The record of a random match, cut off after this many steps.
fn recorded(number: u64, steps: usize) -> Record {
    let mut rng = Rng(0x5ec0 + number);
    let rules = rng.rules();
    let secret = Secret(rng.seed().0);
    let table: Word = "kitchen".parse().expect("a word");
    let words = BySeat::from_fn(rules.players(), |seat: Seat| {
        seat.index().is_multiple_of(2).then(|| format!("word-{number}").parse().expect("a word"))
    });
    let commitment = secret.commit(&table, &rules);
    let mut record = Record::new(rules, table, commitment, words);
    record.names[0] = Some("Ana Ștefănescu".parse().expect("a name"));
    let dealer = Dealer::new(rules, secret.seed(&table, &rules, &words));
    let mut game = Match { table: Table::new(rules, dealer.first_seat()), dealer, rng };
    for _ in 0..steps {
        let mut before = game.table.clone();
        let Some((events, _)) = game.step() else {
            record.secret = Some(secret);
            break;
        };
        for event in &events {
            before.apply(event).expect("the event fits");
            record.record_event(event, before.public()).expect("the event is recorded");
        }
    }
    record
}

const WHOLE: usize = usize::MAX;

#[test]
fn records_survive_print_and_parse_and_verify() {
    for number in 0..150 {
        let record = recorded(number, WHOLE);
        let text = record.to_string();
        assert_eq!(text.parse(), Ok(record.clone()), "{text}");
        let verified = record.verify().unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
        assert!(verified.finished && verified.revealed);
        assert_eq!(verified.deals, record.deals.len());
    }
}

#[test]
fn a_match_can_be_recorded_before_it_is_over() {
    for number in 0..150 {
        let record = recorded(number, number as usize);
        assert_eq!(record.to_string().parse(), Ok(record.clone()));
        let verified = record.verify().unwrap_or_else(|wrong| panic!("{wrong}\n{record}"));
        assert!(!verified.revealed || verified.finished);
    }
}

#[test]
fn several_records_in_one_text_can_be_parsed() {
    let all: Vec<Record> = (0..3).map(|number| recorded(number, WHOLE)).collect();
    let text: String = all.iter().map(ToString::to_string).collect();
    assert_eq!(parse_all(&text), Ok(all));
    assert!(text.parse::<Record>().is_err(), "only one record is expected");
}

/// Forges one part of a record; returns whether there was such a part.
type Forgery = fn(&mut Record) -> bool;

fn swap_two_cards(record: &mut Record) -> bool {
    let deal = &mut record.deals[0].deal;
    let seats: Vec<Seat> = Seat::first(deal.hands.len()).collect();
    let (one, other) = (seats[0], seats[1]);
    let (a, b) = (deal.opening[one].lowest(), deal.opening[other].lowest());
    let (Some(a), Some(b)) = (a, b) else { return false };
    for hands in [&mut deal.hands, &mut deal.opening] {
        hands[one] = hands[one].without(a).with(b);
        hands[other] = hands[other].without(b).with(a);
    }
    true
}

fn change_a_bid(record: &mut Record) -> bool {
    // An illegal bid: another legal one may lead to a valid record.
    record.deals[0].bids[0] = 9;
    true
}

fn drop_the_last_move(record: &mut Record) -> bool {
    let last = record.deals.iter_mut().rev().find(|deal| !deal.moves.is_empty());
    last.map(|deal| deal.moves.pop()).is_some()
}

fn swap_two_moves(record: &mut Record) -> bool {
    let both = |deal: &&mut game::record::DealRecord| {
        deal.moves.len() > 1 && deal.moves[0] != deal.moves[1]
    };
    record.deals.iter_mut().find(both).map(|deal| deal.moves.swap(0, 1)).is_some()
}

fn claim_a_call(record: &mut Record) -> bool {
    record.deals.iter_mut().flat_map(|deal| deal.moves.iter_mut()).any(|what| match what {
        RecordedMove::Play { call, .. } => {
            *call = !*call;
            true
        }
        _ => false,
    })
}

fn change_a_score(record: &mut Record) -> bool {
    let side = sides(&record.rules)[0];
    match &mut record.deals[0].end {
        DealEnd::Scored { score, .. } => score.change[side] += 1,
        DealEnd::ThrownIn { change, .. } => change[side] += 1,
        DealEnd::Open => return false,
    }
    true
}

fn change_a_total(record: &mut Record) -> bool {
    let side = sides(&record.rules)[0];
    match &mut record.deals[0].end {
        DealEnd::Scored { total, .. } | DealEnd::ThrownIn { total, .. } => total[side] += 1,
        DealEnd::Open => return false,
    }
    true
}

fn change_the_winner(record: &mut Record) -> bool {
    let side = sides(&record.rules)[0];
    record.won.as_mut().map(|won| won[side] = !won[side]).is_some()
}

fn drop_a_deal(record: &mut Record) -> bool {
    record.deals.remove(0);
    true
}

fn repeat_the_last_deal(record: &mut Record) -> bool {
    record.deals.extend(record.deals.last().cloned());
    true
}

fn change_a_word(record: &mut Record) -> bool {
    record.words[Seat::default()] = Some("other".parse().expect("a word"));
    true
}

fn hide_the_secret(record: &mut Record) -> bool {
    record.secret.take().is_some()
}

fn change_the_secret(record: &mut Record) -> bool {
    record.secret = Some(Secret([1; 32]));
    true
}

fn change_the_table(record: &mut Record) -> bool {
    record.table = "cellar".parse().expect("a word");
    true
}

#[test]
fn no_forgery_is_verified() {
    let forgeries: [(&str, Forgery); 14] = [
        ("swap_two_cards", swap_two_cards),
        ("change_a_bid", change_a_bid),
        ("drop_the_last_move", drop_the_last_move),
        ("swap_two_moves", swap_two_moves),
        ("claim_a_call", claim_a_call),
        ("change_a_score", change_a_score),
        ("change_a_total", change_a_total),
        ("change_the_winner", change_the_winner),
        ("drop_a_deal", drop_a_deal),
        ("repeat_the_last_deal", repeat_the_last_deal),
        ("change_a_word", change_a_word),
        ("hide_the_secret", hide_the_secret),
        ("change_the_secret", change_the_secret),
        ("change_the_table", change_the_table),
    ];
    for (name, forge) in forgeries {
        let mut forged = 0;
        for number in 0..25 {
            let mut record = recorded(number, WHOLE);
            if forge(&mut record) {
                forged += 1;
                assert!(record.verify().is_err(), "{name} in\n{record}");
            }
        }
        assert!(forged >= 10, "{name} was tried only {forged} times");
    }
}

#[test]
fn verification_reports_an_illegal_card() {
    let mut record = recorded(3, WHOLE);
    let at = record.deals.iter().position(|deal| deal.moves.len() > 1).expect("a deal played");
    let first = record.deals[at].moves[0];
    record.deals[at].moves.insert(0, first);
    let wrong = record.verify().expect_err("a card too many");
    assert_eq!(wrong.deal, Some(at + 1));
    assert!(matches!(wrong.what, RecordError::Illegal(_)), "{wrong}");
}

#[test]
fn the_commitment_can_be_checked_with_sha256sum() {
    // printf 'ghinda-commit-1\nkitchen\ncruce4t-21\n0000…\n' | sha256sum
    let rules = Rules::from_code("cruce4t").expect("a preset");
    let table: Word = "kitchen".parse().expect("a word");
    let commitment = Secret([0; 32]).commit(&table, &rules);
    assert_eq!(
        commitment.to_string(),
        "2ccf084dc6df9cc4b7abe75ecace3d05dd1e7dd676f36c95bd589d3f7cd32c06"
    );
}
