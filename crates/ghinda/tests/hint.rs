//! `ghinda hint`: its texts, its JSON and its refusals.
#![allow(missing_docs, reason = "tests name themselves")]

use std::process::{Command, Output};

use serde_json::{Value, json};
use test_support::process::run_with_input;

const FOLLOW: &str =
    "cruce4t-21 seat=2 deal=1 first=1 score=0/0 hand=X43bA9l9h bids=1.0.0.0 play=Ab";
const FORCED: &str = "cruce4t seat=2 hand=X9lA9aA9h bids=1.0.0.0 play=3l";
/// Seat 1 holds the last trumps and the ace and takes everything, however the other cards lie.
const LEAD: &str = "cruce4t seat=1 hand=AX43bAl9a bids=2.0.0.0";
const BID: &str = "cruce4t seat=3 hand=A4b9l9aAXh bids=2.0";
const WHIST_BID: &str = "whist4 deal=9 seat=4 hand=AKcQd8hT8s turned=9h bids=1.3.0";
const WHIST: &str = "whist4 deal=9 seat=2 hand=AQcJ8dTs7h turned=9h bids=1.2.1.1 play=Kc";
const PLAYED: &str = "contest3-honour seat=1 deal=7 first=3 hand=- bids=0.0.0 \
    play=9h.Xh.3h.Al.9l.4l.Ab.3b.4b.3l.9b.2l.4h.4a.Ah.Xb.2b.2a.2h.Xl.Xa.3a.Aa.9a";
/// Seat 2 played a leaf on the ace of bells, and later the X of bells.
const REVOKED: &str = "cruce4t-honour seat=3 hand=9bAlAXaXh bids=1.0.0.0 play=Ab.9l.2b.3b.4b.Xb";

/// Views of every game and phase.
const VIEWS: [&str; 14] = [
    FOLLOW,
    FORCED,
    LEAD,
    BID,
    WHIST_BID,
    WHIST,
    PLAYED,
    REVOKED,
    "cruce2 seat=1 hand=AX432bAX9l bids=1.0",
    "cruce2 seat=2 hand=23bA3l2aA43h bids=0.0 play=4a!.2l.4l drawn=3b",
    "cruce3 seat=2 hand=43bAX2l9a92h first=2 bids=2.0.0",
    "contest seat=2 hand=4bXl9h bids=1",
    "cruce4t-honour seat=2 hand=X43bA9l9h bids=1.0.0.0 play=Ab",
    "whist6 deal=14 first=6 seat=4 hand=QJcAsA3dT95h bids=2.6.2.0",
];

fn ghinda(args: &[&str], input: &str) -> Output {
    let mut hint = Command::new(env!("CARGO_BIN_EXE_ghinda"));
    run_with_input(hint.arg("hint").args(args).env("LC_ALL", "C"), input)
}

/// The output for one view, with a small search.
#[track_caller]
fn output_of(args: &[&str]) -> String {
    output_with_input(&[args, &["--nodes", "20000"]].concat(), "")
}

#[track_caller]
fn output_with_input(args: &[&str], input: &str) -> String {
    let output = ghinda(args, input);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {error}");
    assert!(error.is_empty(), "{args:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn object(view: &str, language: &str) -> Value {
    let line = output_of(&[view, "--json", "--lang", language]);
    assert_eq!(line.lines().count(), 1);
    serde_json::from_str(&line).expect("one object")
}

#[track_caller]
fn refused(args: &[&str], input: &str, sentence: &str) {
    let output = ghinda(args, input);
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(error.contains(sentence), "{args:?}: {error}");
}

fn actions(list: &Value) -> Vec<&str> {
    let entries = list.as_array().map_or(&[][..], Vec::as_slice).iter();
    entries.map(|entry| entry["action"].as_str().expect("an action")).collect()
}

#[test]
fn every_phase_of_both_games_gets_a_hint_in_both_languages() {
    for view in VIEWS {
        for (language, verbs) in [
            ("en", &["Lead ", "Play ", "Say ", "Pass.", "Accept ", "Challenge "][..]),
            ("ro", &["Ieși cu ", "Dă ", "Zi ", "Spune ", "Acceptă ", "Contestă "]),
        ] {
            let text = output_of(&[view, "--lang", language]);
            assert!(verbs.iter().any(|verb| text.starts_with(verb)), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            assert!(!text.contains(['\u{1b}', '{', 'ş', 'ţ']), "{text}");
            let found = object(view, language);
            assert!(text.starts_with(found["say"].as_str().expect("a sentence")), "{text}");
            let why = found["why"].as_array().expect("reasons").iter();
            let why: Vec<&str> = why.map(|reason| reason.as_str().expect("words")).collect();
            let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(!why.is_empty() && joined.contains(&why.join(" ")), "{text}");
        }
    }
}

#[test]
fn an_object_holds_every_choice_and_every_refusal() {
    for view in VIEWS {
        let found = object(view, "en");
        let choices = found["choices"].as_array().expect("choices");
        assert_eq!(found["action"], choices[0]["action"], "{found}");
        let worths: Vec<f64> =
            choices.iter().map(|choice| choice["worth"].as_f64().expect("a number")).collect();
        assert_eq!(worths[0], 0.0, "{found}");
        assert!(worths.is_sorted_by(|one, two| one >= two), "{found}");
        assert!(found["ways"].as_f64().is_some_and(|ways| ways >= 1.0), "{found}");
        assert_eq!(found["promise"].is_number(), found["phase"] == "bidding", "{found}");
        assert!(found["rough"].is_boolean() && found["unbeatable"].is_boolean(), "{found}");
    }
    let found = object(FOLLOW, "ro");
    assert_eq!((&found["view"], &found["seat"]), (&FOLLOW.into(), &2.into()));
    assert_eq!((&found["phase"], &found["forced"]), (&"playing".into(), &false.into()));
    let mut cards = actions(&found["choices"]);
    cards.sort_unstable();
    assert_eq!(cards, ["3b", "4b", "Xb"]);
    assert_eq!(actions(&found["refused"]), ["9l", "Al", "9h"]);
    assert_eq!(
        found["refused"][2],
        json!({
            "action": "9h",
            "illegal": "MustFollow",
            "clause": "C8",
            "why": "Trebuie să dai la culoare (dubă): zacă, pătrar sau treiar de dubă (C8).",
        })
    );
    assert_eq!(found["ways"], 5_717_712);
}

#[test]
fn a_forced_card_is_explained_with_the_duty() {
    let text = output_of(&[FORCED]);
    assert_eq!(
        text,
        "Play the X of leaves.\nYou have no choice. You must overtake the III of leaves: play \
         the X of leaves\n(C8).\n"
    );
    let text = output_of(&[FORCED, "--lang", "ro"]);
    assert_eq!(
        text,
        "Dă zaca de verde.\nN-ai de ales. Trebuie să mărești peste treiarul de verde: zaca de \
         verde (C8).\n"
    );
    let found = object(FORCED, "en");
    assert_eq!((&found["forced"], &found["action"]), (&true.into(), &"Xl".into()));
}

#[test]
fn a_lead_is_explained_with_its_call_and_its_trump() {
    let english = output_of(&[LEAD]);
    assert!(english.contains("That makes bells trump. Nobody can beat it."), "{english}");
    assert!(english.contains("\n  IV of bells with a call "), "{english}");
    assert!(english.contains("Your side promised 66 points and has 0 so far."), "{english}");
    let romanian = output_of(&[LEAD, "--lang", "ro"]);
    assert!(romanian.contains("Așa se face tromf dubă. Cartea asta n-o poate bate nimeni."));
    assert!(romanian.contains("\n  pătrar de dubă cu anunț "), "{romanian}");
    // Leading a pair without a call is legal, but the bot does not weigh it.
    assert_eq!(object(LEAD, "en")["unweighed"], json!(["3b", "4b"]));
}

#[test]
fn bids_are_explained_with_the_hand_and_the_bids_before() {
    let english = output_of(&[BID]);
    assert!(english.contains("The highest bid, two, is your"), "{english}");
    assert!(english.contains("With you as declarer your side makes about "), "{english}");
    assert!(english.contains("\nNot allowed:\n  One and two – The bid stands at two"), "{english}");
    let romanian = output_of(&[WHIST_BID, "--lang", "ro"]);
    assert!(romanian.contains("Pariurile fac până acum 4, la 6"), "{romanian}");
    assert!(romanian.contains("\nNu se primesc:\n  2 – Vorbești la urmă"), "{romanian}");
    let found = object(WHIST_BID, "en");
    assert_eq!(actions(&found["refused"]), ["2"]);
    assert_eq!(found["refused"][0]["illegal"], "SumForbidden");
    assert_eq!(found["unweighed"], json!(["5", "6"]));
}

#[test]
fn a_deal_that_is_played_can_only_be_accepted() {
    let text = output_of(&[PLAYED]);
    assert_eq!(
        text,
        "Accept the deal.\nAll cards are played, and there is nothing to challenge.\n"
    );
    let found = object(PLAYED, "ro");
    assert_eq!((&found["phase"], &found["action"]), (&"reckoning".into(), &"ok".into()));
}

#[test]
fn a_card_that_broke_a_duty_is_challenged() {
    assert_eq!(
        output_of(&[REVOKED]),
        "Challenge the card that seat 2 laid in trick 1: the IX of leaves.\nA card that was owed \
         then has come to light since, so the challenge cannot fail\n(C15).\n"
    );
    let romanian = output_of(&[REVOKED, "--lang", "ro"]);
    let first = "Contestă cartea pusă de locul 2 la mâna 1: nouarul de verde.\n";
    assert!(romanian.starts_with(first), "{romanian}");
    let found = object(REVOKED, "en");
    assert_eq!((&found["action"], &found["forced"]), (&"?3:1:2".into(), &false.into()));
}

#[test]
fn the_same_view_gets_the_same_hint_in_any_spelling() {
    let words: Vec<&str> = FOLLOW.split(' ').collect();
    let shorter = "cruce4t bids=1.0.0.0 play=Ab hand=9h9AlX43b seat=2";
    assert_eq!(output_of(&[FOLLOW]), output_of(&[shorter]));
    assert_eq!(output_of(&[FOLLOW]), output_of(&words));
}

#[test]
fn several_views_are_read_from_standard_input() {
    let input = format!("# two\n{FORCED}\n\n{FOLLOW}\r\n");
    let text = output_with_input(&["-", "--nodes", "20000"], &input);
    assert!(text.starts_with("2. Play the X of leaves.\n"), "{text}");
    assert!(text.contains("\n\n4. Play the "), "{text}");
    let lines = output_with_input(&["-", "--json", "--nodes", "20000"], &input);
    assert_eq!(lines.lines().count(), 2);
    assert!(lines.ends_with(&output_of(&[FOLLOW, "--json"])), "earlier views change no answer");
}

#[test]
fn refusals_are_in_the_requested_language() {
    for (view, english, romanian) in [
        ("cruce4t seat=-", "A spectator has nothing to decide", "Un spectator nu are nimic"),
        ("whist3 seat=1 phase=dealing", "The cards are not dealt yet", "nu sunt încă împărțite"),
        ("cruce4t seat=1 score=21/3 phase=over", "The match is over (C12).", "Jocul s-a terminat"),
        (
            "cruce4t seat=2 hand=X43bA9l9h",
            "It is not your turn but that of seat 1 (C3).",
            "Nu e rândul tău, la rând e locul 1 (C3).",
        ),
        (
            &format!("{PLAYED} accepted=1"),
            "You have accepted this deal already (C15).",
            "Ai acceptat deja tura asta (C15).",
        ),
    ] {
        refused(&[view], "", english);
        refused(&[view, "--lang", "ro"], "", romanian);
        refused(&["-"], &format!("\n{view}\n"), &format!("line 2: {english}"));
    }
}

#[test]
fn mistakes_are_explained() {
    refused(&["cruce4t", "seat=2", "hand=Zb"], "", "line 1, column 21: expected a rank");
    refused(&["-"], "# one\ncruce4t seat=9\n", "a view is not valid: line 2, column 14: expected");
    refused(&["-"], "", "there is no view on standard input");
    refused(&["-"], &"x".repeat(70_000), "line 1 is longer than 64 KiB");
    refused(&["poker seat=1"], "", "\"poker\" is no game");
    refused(&[], "", "VIEW");
    refused(&[FOLLOW, "--nodes", "many"], "", "invalid digit");
    refused(&[FOLLOW, "--nodes", "0"], "", "before anything was weighed; give more --nodes");
    let impossible = "cruce4t seat=2 hand=92l bids=1.0.0.0 \
        play=Ab.9b.2b.3l.9h.Ah.2h.Xh.Aa.9a.Xa.4a.Xl.3a.4l.Al.2a";
    refused(&[impossible], "", "no deal could have led to this view");
}

#[test]
fn a_reached_limit_is_reported() {
    let text = output_with_input(&[WHIST, "--nodes", "3000"], "");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let object = output_with_input(&[WHIST, "--nodes", "3000", "--json"], "");
    let object: Value = serde_json::from_str(&object).expect("an object");
    let rough = words.contains("The limit of thinking was reached, so the numbers are rough.");
    assert_eq!(object["rough"], rough, "{text}");
}

#[test]
fn the_help_has_examples_that_work() {
    let help = output_with_input(&["--help"], "");
    assert!(help.contains("Examples:"), "{help}");
    let examples = help.lines().filter_map(|line| line.trim().strip_prefix("ghinda hint "));
    let examples: Vec<&str> = examples.filter(|line| !line.starts_with('-')).collect();
    assert!(examples.len() >= 3, "{help}");
    for example in examples {
        let command = example.split("  ").next().expect("a command");
        output_of(&command.split(' ').collect::<Vec<_>>());
    }
}
