//! The exact texts of hints for given worths.

use super::*;
use phrases::language::Language;
use phrases::layout::{WIDTH, width};

fn view(text: &str) -> View {
    text.parse().unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

/// A hint with these worths of the lawful actions, in the order of the view. Actions beyond the list
/// are not weighed.
fn hint<'a>(view: &'a View, worths: &[f64]) -> Hint<'a> {
    let lawful = view.public().lawful_cards(view.hand());
    let mut actions = view.actions();
    actions
        .retain(|action| !matches!(action, Action::Play { card, .. } if !lawful.contains(*card)));
    let unweighed = actions.split_off(worths.len());
    let weighed = actions.into_iter().zip(worths);
    let mut choices: Vec<ActionWorth> =
        weighed.map(|(action, worth)| ActionWorth { action, worth: *worth }).collect();
    choices.sort_by(|one, two| two.worth.total_cmp(&one.worth));
    let best = choices.remove(0);
    let (promise, unbeatable, rough) = (None, false, false);
    Hint { view, best, others: choices, unweighed, ways: 756_756, promise, unbeatable, rough }
}

fn both<T>(text: impl Fn(&Phrases) -> T) -> [T; 2] {
    Language::ALL.map(|language| text(&Phrases::new(language)))
}

const FOLLOW: &str = "cruce4t seat=2 hand=X43bA9l9h bids=1.0.0.0 play=Ab";

#[test]
fn a_hint_has_advice_reasons_choices_and_refusals() {
    let view = view(FOLLOW);
    let hint = hint(&view, &[1.0, 0.9, 0.5]);
    let [english, romanian] = both(|phrases| hint.text(phrases));
    assert_eq!(
        english,
        "\
Play the III of bells.
It does not take the trick. It is a little better than the next best: the IV of
bells. Seats 1 and 3 promised 33 points and have 0 so far. The cards you do not
see can lie in 756,756 ways.

Compared with the best, in points of score:
  III of bells    0.00
  IV of bells    −0.10
  X of bells     −0.50

Not allowed:
  A and IX of leaves; IX of hearts – You must follow bells: play X, IV or III of
    bells (C8)."
    );
    assert_eq!(
        romanian,
        "\
Dă treiarul de dubă.
Nu iei mâna. Merge ceva mai bine decât a doua alegere: pătrarul de dubă.
Locurile 1 și 3 au promis 33 de puncte și au până acum 0. Cărțile pe care nu le
vezi pot sta în 756.756 de feluri.

Față de cea mai bună alegere, în puncte de scor:
  treiar de dubă    0,00
  pătrar de dubă   −0,10
  zacă de dubă     −0,50

Nu se primesc:
  As și nouar de verde; nouar de roșu – Trebuie să dai la culoare (dubă): zacă,
    pătrar sau treiar de dubă (C8)."
    );
}

#[test]
fn at_an_honour_table_a_hint_lists_the_cards_that_break_a_duty() {
    let view = view(&FOLLOW.replace("cruce4t", "cruce4t-honour"));
    let [english, romanian] = both(|phrases| hint(&view, &[1.0, 0.9, 0.5]).text(phrases));
    assert!(english.contains("\n\nWould break the rules:\n  A and IX of leaves"), "{english}");
    assert!(romanian.contains("\n\nAr călca regula:\n  As și nouar de verde"), "{romanian}");
}

#[test]
fn the_comparison_with_the_next_best_choice_is_in_words() {
    let view = view(FOLLOW);
    for (worths, english) in [
        ([2.0, 0.9, 0.5], "It is much better than the next best: the IV of bells."),
        ([1.4, 0.9, 0.5], "It is better than the next best: the IV of bells."),
        ([1.0, 0.9, 0.5], "It is a little better than the next best: the IV of bells."),
        ([1.0, 0.98, 0.5], "Just as good: the IV of bells."),
        ([1.0, 0.98, 0.98], "All choices are equally good."),
    ] {
        let reasons = hint(&view, &worths).reasons(&Phrases::new(Language::English));
        assert_eq!(reasons[1], english);
    }
}

#[test]
fn a_forced_action_has_a_reason() {
    for (text, english, romanian) in [
        (
            "cruce4t seat=2 hand=X9lA9aA9h bids=1.0.0.0 play=3l",
            "Play the X of leaves.\nYou have no choice. You must overtake the III of leaves: \
             play the X of leaves\n(C8).",
            "Dă zaca de verde.\nN-ai de ales. Trebuie să mărești peste treiarul de verde: zaca \
             de verde (C8).",
        ),
        (
            "whist3 deal=1 seat=2 hand=Ac turned=9h bids=1.1.0 play=Kc",
            "Play the ace of clubs.\nIt is your last card.",
            "Dă asul de treflă.\nE ultima ta carte.",
        ),
        (
            "cruce4t-b2 seat=2 hand=X43bA9l9h bids=2",
            "Pass.\nYou have no choice. The bid stands at two, and nobody can say more: you can \
             only\npass (C6).",
            "Zi pas.\nN-ai de ales. S-a zis deja două și mai mult nu se poate: mai poți zice \
             doar pas\n(C6).",
        ),
    ] {
        let view = view(text);
        assert_eq!(both(|phrases| hint(&view, &[0.0]).text(phrases)), [english, romanian]);
    }
    let honour = view("cruce4t-honour seat=2 hand=X9lA9aA9h bids=1.0.0.0 play=3l");
    let text = hint(&honour, &[0.0]).text(&Phrases::new(Language::English));
    assert!(text.contains("Nothing else keeps the rules. You must overtake"), "{text}");
}

#[test]
fn at_an_honour_table_a_hint_accepts_the_deal_or_challenges_a_card() {
    let view = view("cruce4t-honour seat=3 hand=9bAlAXaXh bids=1.0.0.0 play=Ab.9l.2b.3b.4b.Xb");
    let accused = cards::Seat::new(1).unwrap();
    let best = ActionWorth { action: Action::Challenge { trick: 0, accused }, worth: 0.0 };
    let hint = Hint { best, ..hint(&view, &[0.0]) };
    assert_eq!(
        both(|phrases| hint.text(phrases)),
        [
            "Challenge the card that seat 2 laid in trick 1: the IX of leaves.\nA card that was \
             owed then has come to light since, so the challenge cannot fail\n(C15).",
            "Contestă cartea pusă de locul 2 la mâna 1: nouarul de verde.\nÎntre timp s-a văzut o \
             carte care trebuia dată atunci, deci contestația nu poate\nda greș (C15)."
        ]
    );
    let best = ActionWorth { action: Action::Accept, worth: 0.0 };
    assert_eq!(
        both(|phrases| Hint { best, ..hint.clone() }.text(phrases)),
        [
            "Accept the deal.\nAll cards are played, and there is nothing to challenge.",
            "Acceptă tura.\nS-au dat toate cărțile și nu e nimic de contestat."
        ]
    );
}

/// Checks the first reason, which precedes the comparisons.
#[track_caller]
fn check_first_reason(text: &str, worths: &[f64], unbeatable: bool, english: &str, romanian: &str) {
    let view = view(text);
    let hint = Hint { unbeatable, ..hint(&view, worths) };
    assert_eq!(both(|phrases| hint.reasons(phrases)[0].clone()), [english, romanian]);
}

#[test]
fn a_hint_says_what_is_certain_about_the_trick() {
    check_first_reason(
        "cruce4t seat=4 hand=X9lA2a42h bids=0.0.0.1",
        &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        false,
        "That makes leaves trump.",
        "Așa se face tromf verde.",
    );
    let second = "whist3 deal=4 seat=2 hand=AJc turned=9h bids=1.0.0 first=1 play=Kc";
    check_first_reason(second, &[1.0, 0.0], false, "It does not take the trick.", "Nu iei mâna.");
    check_first_reason(
        second,
        &[0.0, 1.0],
        true,
        "Nobody after you can beat it.",
        "Cartea asta n-o mai poate bate nimeni după tine.",
    );
    let third = "whist3 deal=4 seat=3 hand=AJc turned=9h bids=1.0.0 first=1 play=Kc.9c";
    check_first_reason(third, &[0.0, 1.0], false, "It takes the trick.", "Iei mâna.");
    check_first_reason(
        third,
        &[1.0, 0.0],
        false,
        "The trick goes to seat 1.",
        "Mâna o ia locul 1.",
    );
    let leads = "whist3 deal=4 seat=1 hand=AJc turned=9h bids=1.0.0 first=1";
    check_first_reason(
        leads,
        &[0.0, 1.0],
        true,
        "Nobody can beat it.",
        "Cartea asta n-o poate bate nimeni.",
    );
    let free = "cruce4t-nobeat seat=4 hand=A29lA2a4h bids=1.0.0.0 play=3l.Xl.4l";
    check_first_reason(
        free,
        &[0.0, 0.0, 1.0],
        false,
        "It takes the trick, 28 points.",
        "Iei mâna, 28 de puncte.",
    );
    check_first_reason(
        free,
        &[0.0, 1.0, 0.0],
        false,
        "Your partner takes the trick, 19 points.",
        "Mâna o ia partenerul tău, 19 puncte.",
    );
}

#[test]
fn a_hint_for_a_bid_has_the_expected_result() {
    let cruce = view("cruce4t seat=3 hand=A4b9l9aAXh bids=2.0");
    let hint_of = |view, worths: &[f64], promise| Hint {
        promise: Some(promise),
        ways: 17_153_136,
        ..hint(view, worths)
    };
    let pass = hint_of(&cruce, &[5.0, 3.0, 1.0, 0.0, -1.0], 101.2);
    let [english, romanian] = both(|phrases| pass.text(phrases));
    assert!(
        english.starts_with(
            "Pass.\nIt is much better than the next best: three. The highest bid, two, is \
             your\npartner’s. With you as declarer your side makes about 101 points, by a \
             quick\nestimate; three promises 99. The cards you do not see can lie in about \
             17\nmillion ways."
        ),
        "{english}"
    );
    assert!(english.contains("\n  One and two – The bid stands at two: say more"), "{english}");
    assert!(
        romanian.contains("partenerul\ntău: două. Cu tine licitant ați face cam 101 puncte"),
        "{romanian}"
    );
    let whist = view("whist4 deal=9 seat=4 hand=AKcQd8hT8s turned=9h bids=1.3.0");
    let one = hint_of(&whist, &[0.0, 4.0, 0.5, 1.0], 2.06);
    let [english, romanian] = both(|phrases| one.text(phrases));
    assert!(
        english.contains("add up to 4, and there\nare 6 tricks. The hand is good for about 2.1")
    );
    assert!(english.contains("\n\nNot weighed, being far from what the hand promises: 5 and 6."));
    assert!(english.contains("\n  2 – As the last to speak you may not say 2"), "{english}");
    assert!(romanian.starts_with("Spune 1.\n") && romanian.contains("cam 2,1 mâini"), "{romanian}");
}

#[test]
fn the_number_of_ways_is_rounded_and_grouped() {
    let view = view(FOLLOW);
    for (ways, english, romanian) in [
        (1, "You can tell where every card lies.", "Poți ști unde e fiecare carte."),
        (2, "can lie in 2 ways.", "în 2 feluri."),
        (20, "can lie in 20 ways.", "în 20 de feluri."),
        (101, "can lie in 101 ways.", "în 101 feluri."),
        (12_005, "can lie in 12,005 ways.", "în 12.005 feluri."),
        (999_999, "in 999,999 ways.", "în 999.999 de feluri."),
        (1_000_000, "in about 1 million ways.", "în aproximativ un milion de feluri."),
        (5_717_712, "in about 5.7 million ways.", "în aproximativ 5,7 milioane de feluri."),
        (17_153_136, "in about 17 million ways.", "în aproximativ 17 milioane de feluri."),
        (23_000_000_000, "in about 23 billion ways.", "în aproximativ 23 de miliarde de feluri."),
        (1 << 50, "more than a thousand billion ways.", "peste o mie de miliarde de feluri."),
    ] {
        let hint = Hint { ways, ..hint(&view, &[1.0, 0.9, 0.5]) };
        let [en, ro] = both(|phrases| hint.reasons(phrases).pop().unwrap());
        assert!(en.ends_with(english) && ro.ends_with(romanian), "{en} {ro}");
    }
}

#[test]
fn a_viewer_without_a_decision_gets_a_refusal() {
    for (text, english, romanian) in [
        ("cruce4t seat=-", "A spectator has nothing to decide", "Un spectator nu are nimic"),
        ("cruce4t seat=1 phase=dealing", "The cards are not dealt yet", "Cărțile nu sunt încă"),
        ("cruce4t seat=1 score=21/3 phase=over", "The match is over (C12).", "Jocul s-a terminat"),
        (
            "cruce4t seat=2 hand=X43bA9l9h",
            "It is not your turn but that of seat 1 (C3).",
            "Nu e rândul tău, la rând e locul 1 (C3).",
        ),
    ] {
        let view = view(text);
        let [en, ro] = both(|phrases| refusal(phrases, &view).unwrap());
        assert!(en.starts_with(english) && ro.starts_with(romanian), "{en} {ro}");
    }
    assert_eq!(refusal(&Phrases::new(Language::English), &view(FOLLOW)), None);
}

#[test]
fn no_line_is_too_long_and_no_number_is_a_negative_zero() {
    let view = view(FOLLOW);
    let hint = Hint { rough: true, ..hint(&view, &[1.0, 0.999, 0.5]) };
    for text in both(|phrases| hint.text(phrases)) {
        assert!(text.lines().all(|line| width(line) <= WIDTH), "{text}");
        assert!(!text.contains("−0.00") && !text.contains("−0,00"), "{text}");
    }
}
