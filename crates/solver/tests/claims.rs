//! Claims compared with trying every card of every seat.

use cards::{BySeat, Card, CardSet, Seat};
use game::Rules;
use game::deal::{Dealer, RandomStream, Seed};
use game::position::{InPlay, Position};
use game::{cruce, whist};
use solver::{Limit, claim};

/// Whether the claimer takes everything, by trying all cards of all seats.
fn takes_everything(play: &InPlay, claimer: Seat) -> bool {
    let Some(seat) = play.turn() else { return true };
    let wins = |card: Card| {
        let mut next = *play;
        next.play(card, false);
        claimer_wins_after(play, card, claimer) && takes_everything(&next, claimer)
    };
    if seat == claimer { play.legal().iter().any(wins) } else { play.legal().iter().all(wins) }
}

/// Whether the claimer is winning after this card, if they have played to the trick.
fn claimer_wins_after(play: &InPlay, card: Card, claimer: Seat) -> bool {
    let lead = match play {
        InPlay::Cruce(play) => play.lead(),
        InPlay::Whist(play) => play.lead(),
    };
    let seat = play.turn().expect("a seat is in turn");
    let takes = lead.is_none_or(|lead| card.beats(lead.best, play.trump()));
    takes == (seat == claimer)
}

/// A deal played at random until this many cards are left in each hand.
fn ending(code: &str, lots: &mut RandomStream, left: usize, extra: usize) -> InPlay {
    let rules = Rules::from_code(code).expect("a code");
    let mut seed = [0; 32];
    seed.iter_mut().for_each(|byte| *byte = lots.below(256) as u8);
    let dealer = Dealer::new(rules, Seed(seed));
    let deal = dealer.deal(7, Seat::default()).expect("a deal");
    let mut play = match rules {
        Rules::Cruce(rules) => {
            InPlay::Cruce(cruce::Play::new(&rules, &deal.hands, &deal.stock, Seat::default()))
        }
        Rules::Whist(_) => {
            InPlay::Whist(whist::Play::new(&deal.hands, deal.trump(), Seat::default()))
        }
    };
    let mut after = extra;
    while let Some(seat) = play.turn() {
        let small = Seat::first(play.players()).all(|seat| play.hand(seat).len() <= left);
        if small && play.hand(seat).len() <= left {
            if after == 0 {
                break;
            }
            after -= 1;
        }
        let legal: Vec<Card> = play.legal().iter().collect();
        play.play(legal[lots.below(legal.len())], false);
    }
    play
}

/// A deal of Cruce with this many cards in each hand, before the lead that decides the trump (C7).
fn first_lead(rules: &cruce::Rules, lots: &mut RandomStream, left: usize) -> InPlay {
    let mut seed = [0; 32];
    seed.iter_mut().for_each(|byte| *byte = lots.below(256) as u8);
    let dealer = Dealer::new(Rules::Cruce(*rules), Seed(seed));
    let deal = dealer.deal(7, Seat::default()).expect("a deal");
    let hands =
        BySeat::from_fn(rules.players(), |seat| deal.hands[seat].iter().take(left).collect());
    InPlay::Cruce(cruce::Play::new(rules, &hands, &[], Seat::default()))
}

/// Gives the seat in turn the strongest of the cards that are left, so that claims
/// are often true.
fn strengthened(play: &InPlay, lots: &mut RandomStream) -> InPlay {
    let Some(turn) = play.turn() else { return *play };
    let players = play.players();
    let mut hands = BySeat::from_fn(players, |seat| play.hand(seat));
    for _ in 0..lots.below(6) {
        let other = turn.after(1 + lots.below(players - 1), players);
        let (mine, theirs) = (hands[turn].iter().next(), hands[other].iter().next_back());
        if let (Some(mine), Some(theirs)) = (mine, theirs)
            && (mine.rank() < theirs.rank() || Some(theirs.suit()) == play.trump())
        {
            let swap = |hand: CardSet, out: Card, into: Card| {
                (hand - CardSet::of(out)) | CardSet::of(into)
            };
            hands[turn] = swap(hands[turn], mine, theirs);
            hands[other] = swap(hands[other], theirs, mine);
        }
    }
    let stock = match play {
        InPlay::Cruce(play) => play.stock().to_vec(),
        InPlay::Whist(_) => Vec::new(),
    };
    play.holding(&hands, &stock)
}

#[test]
fn a_claim_is_proved_exactly_if_no_play_can_stop_it() {
    let codes = ["cruce2", "cruce3", "cruce4t", "cruce4s-nobeat", "whist3", "whist4", "whist6"];
    let mut lots = RandomStream::new(Seed([42; 32]), 0);
    let (mut proved, mut refused) = (0, 0);
    for round in 0..4000 {
        let code = codes[round % codes.len()];
        let most = if code == "whist6" { 2 } else { 3 };
        let (left, extra) = (1 + lots.below(most), lots.below(3));
        let play = match Rules::from_code(code).expect("a code") {
            Rules::Cruce(rules) if lots.below(3) == 0 => first_lead(&rules, &mut lots, left),
            _ => ending(code, &mut lots, left, extra),
        };
        let play = strengthened(&play, &mut lots);
        let Some(claimer) = play.turn() else { continue };
        let found = claim(&play, Limit::NONE).expect("no limit");
        assert_eq!(found.is_some(), takes_everything(&play, claimer), "{play:?}");
        match found {
            None => refused += 1,
            Some(line) => {
                proved += 1;
                let mut next = play;
                for (seat, card, call) in line {
                    assert_eq!(next.turn(), Some(seat));
                    assert!(next.legal().contains(card) && (!call || next.may_call(card)));
                    assert!(claimer_wins_after(&next, card, claimer));
                    next.play(card, call);
                }
                assert_eq!(next.turn(), None, "the line goes to the end");
            }
        }
    }
    assert!(proved > 400 && refused > 400, "{proved} proved, {refused} refused");
}

#[test]
fn what_is_known_under_one_trump_does_not_count_under_another() {
    // The lead of the ace of acorns wins everything; that of the ace of bells does not.
    let position =
        "cruce3-21 first=1 hands=AXbAXlAXaAXh/432b3l42a32h/9b429l39a49h bids=1.0.0 lead=1";
    let position: Position = position.parse().expect("a position");
    let play = position.play().expect("cards are played");
    let line = claim(play, Limit::NONE).expect("no limit").expect("it is certain");
    assert_eq!(line.len(), 24);
}

#[test]
fn a_whole_hand_of_winners_is_claimed_quickly() {
    // The eight highest trumps against five other hands: no hand can stop it.
    let rules = Rules::from_code("whist6").expect("a code");
    let mut pack: Vec<Card> = rules.pack().cards().iter().collect();
    let trump = pack[0].suit();
    pack.sort_by_key(|card| (card.suit() != trump, std::cmp::Reverse(card.rank())));
    let hand = |seat: Seat| pack[seat.index() * 8..][..8].iter().copied().collect::<CardSet>();
    let hands = BySeat::from_fn(6, hand);
    let play = InPlay::Whist(whist::Play::new(&hands, Some(trump), Seat::default()));
    let line = claim(&play, Limit::nodes(200_000)).expect("within the limit");
    assert_eq!(line.expect("it is certain").len(), 48);
}
