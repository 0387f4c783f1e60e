//! Bots that crash, hang, give wrong answers or flood: they lose their turns, and the arena plays
//! on, ends, and reports the faults.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{arena, file, refused, report};

const HELLO: &str = r#"read line; echo '{"ghinda":1,"type":"hello","name":"test"}'"#;

/// Answers a question with its first legal action.
const ANSWER: &str = r#"
    answer() {
        id=${1#*'"id":'}; id=${id%%,*}
        action=${1#*'"legal":["'}; action=${action%%'"'*}
        echo "{\"type\":\"action\",\"id\":$id,\"action\":\"$action\"}"
    }
    is_question() { case $1 in *'"type":"act"'*) true ;; *) false ;; esac; }
"#;

/// A bot written in the shell: its commands at the start and for every line.
fn bot(name: &str, start: &str, with_line: &str) -> String {
    let each = format!("while read -r line; do {with_line}\ndone");
    script(name, &format!("{ANSWER}\n{HELLO}\n{start}\n{each}"))
}

fn script(name: &str, text: &str) -> String {
    let path = file(&format!("{name}.sh"));
    fs::write(&path, text).expect("a file");
    format!("cmd:sh \"{}\"", path.display())
}

/// Plays four deals of Cruce for two with a bot that must never be late, even on a busy machine.
#[track_caller]
fn play(code: i32, bot: &str) -> Value {
    play_waiting(code, bot, "5000")
}

/// The same with a timeout in milliseconds.
#[track_caller]
fn play_waiting(code: i32, bot: &str, wait: &str) -> Value {
    let args = ["random", bot, "--rules", "cruce2", "--seed", "7", "--deals", "4"];
    let started = now();
    let report = report(code, &[&args[..], &["--jobs", "1", "--bot-timeout", wait]].concat());
    let player = report["players"][1].clone();
    assert!(started.elapsed() < Duration::from_secs(60), "{bot} blocked the arena");
    player
}

#[allow(clippy::disallowed_methods, reason = "measures that the arena does not block")]
fn now() -> Instant {
    Instant::now()
}

fn count(player: &Value, kind: &str) -> u64 {
    player["faults"][kind].as_u64().unwrap_or(0)
}

#[track_caller]
fn assert_only(player: &Value, kinds: &[&str]) {
    let sum: u64 = kinds.iter().map(|kind| count(player, kind)).sum();
    assert_eq!(player["fallbacks"].as_u64(), Some(sum), "{player}");
    assert!(kinds.iter().all(|kind| count(player, kind) > 0), "{player}");
}

/// The turns of one bot in the four deals: 13 in each of eight games.
const TURNS: u64 = 104;

#[test]
fn a_bot_without_a_hello_does_not_play() {
    let with = |bot: &str, sentence: &str| refused(&["random", bot, "--seed", "7"], sentence);
    let broken = script("broken", "echo 'I am broken' >&2; exit 3");
    with(&broken, "it ended with exit status: 3; its standard error: I am broken");
    let mute = script("mute", "exec sleep 20");
    let soon = ["random", &mute, "--seed", "7", "--hello-timeout", "400"];
    refused(&soon, "it sent no hello within 400 ms");
    with(
        &script("rude", "echo Good morning!; cat"),
        "something else than hello: \"Good morning!\"",
    );
    let modern = r#"echo '{"ghinda":2,"type":"hello","title":"modern"}'; cat >/dev/null"#;
    with(&script("modern", modern), "version 1 of the protocol is spoken here, not 2");
    let picky =
        r#"read line; echo '{"type":"error","message":"no Cruce, please"}'; cat >/dev/null"#;
    with(&script("picky", picky), "it refused the hello: no Cruce, please");
    with(&script("endless", "head -c 200000 /dev/zero; cat"), "a line that is not a message");
    with("cmd:/no/such/program", "it cannot be started");
}

#[test]
fn a_bot_that_answers_the_first_action_has_no_faults() {
    let player = play(0, &bot("echo", "", "is_question \"$line\" && answer \"$line\""));
    assert_eq!(player["fallbacks"], 0, "{player}");
    assert_eq!(player["name"], "test");
}

#[test]
fn unknown_messages_and_fields_do_no_harm() {
    let talkative = r#"
        is_question "$line" || continue
        echo '{"type":"chat","text":"hm"}'
        echo '{"type":"error","message":"I do not know deal_over","more":[1,2]}'
        answer "$line"
    "#;
    let player = play(0, &bot("talkative", "", talkative));
    assert_eq!(player["fallbacks"], 0, "{player}");
}

#[test]
fn garbage_loses_the_turn() {
    let player = play(1, &bot("garbage", "", "echo 'beep'"));
    assert_only(&player, &["garbled"]);
    assert_eq!(player["fallbacks"], TURNS);
    let first = player["first_faults"][0].as_str().expect("a sentence");
    assert!(first.starts_with("deal 1, seat ") && first.contains("it sent \"beep\""), "{first}");
    let binary = bot("binary", "", r"printf '\377\376\n'");
    assert_only(&play(1, &binary), &["garbled"]);
    let typeless = bot("typeless", "", r#"echo '{"id":1,"action":"0"}'"#);
    assert_only(&play(1, &typeless), &["garbled"]);
}

#[test]
fn an_illegal_action_loses_the_turn_and_is_explained() {
    let log = file("illegal.log");
    let illegal = r#"
        echo "$line" >> LOG
        id=${line#*'"id":'}; id=${id%%,*}
        is_question "$line" && echo "{\"type\":\"action\",\"id\":$id,\"action\":\"9\"}"
    "#;
    let _ = fs::remove_file(&log);
    let name = format!("'{}'", log.display());
    let player = play(1, &bot("illegal", "", &illegal.replace("LOG", &name)));
    assert_only(&player, &["illegal"]);
    assert_eq!(player["fallbacks"], TURNS);
    let received = fs::read_to_string(log).expect("a log");
    assert!(received.contains(r#""illegal":"BidTooHigh""#), "{received}");
    assert!(received.contains(r#""illegal":"NotBidding""#), "{received}");
    let nonsense = r#"
        id=${line#*'"id":'}; id=${id%%,*}
        is_question "$line" && echo "{\"type\":\"action\",\"id\":$id,\"action\":\"everything\"}"
    "#;
    let player = play(1, &bot("nonsense", "", nonsense));
    assert_only(&player, &["illegal"]);
    assert!(player["first_faults"][0].as_str().expect("one").contains("is no action"), "{player}");
}

#[test]
fn an_answer_to_another_question_loses_the_turn() {
    let wrong = r#"is_question "$line" && echo '{"type":"action","id":999999,"action":"0"}'"#;
    let player = play(1, &bot("wrong", "", wrong));
    assert_only(&player, &["wrong_id"]);
    assert_eq!(player["fallbacks"], TURNS);
}

#[test]
fn a_bot_may_decline() {
    let shy = r#"
        id=${line#*'"id":'}; id=${id%%,*}
        is_question "$line" && echo "{\"type\":\"error\",\"id\":$id,\"message\":\"too hard\"}"
    "#;
    let player = play(1, &bot("shy", "", shy));
    assert_only(&player, &["declined"]);
    assert!(player["first_faults"][0].as_str().expect("one").contains("too hard"), "{player}");
}

#[test]
fn a_silent_bot_is_given_up() {
    // One bot reads its input, the other does not.
    for (name, start) in [("silent", ""), ("deaf", "exec sleep 60")] {
        let player = play_waiting(1, &bot(name, start, ":"), "100");
        assert_only(&player, &["late", "given_up"]);
        // Three questions for each of the four starts.
        assert_eq!(count(&player, "late"), 12, "{player}");
        assert_eq!(player["fallbacks"], TURNS);
    }
}

#[test]
fn a_slow_answer_is_not_taken_for_the_next_one() {
    let hesitant = r#"
        is_question "$line" || continue
        asked=$((${asked:-0} + 1))
        [ $((asked % 30)) = 3 ] && sleep 1.3
        answer "$line"
    "#;
    let player = play_waiting(1, &bot("hesitant", "", hesitant), "1000");
    // A busy machine may cause one more late answer, but never a wrong one.
    assert_only(&player, &["late"]);
    assert!((4..20).contains(&count(&player, "late")), "{player}");
    let slow = bot("slow", "", "is_question \"$line\" && sleep 0.5 && answer \"$line\"");
    assert_only(&play_waiting(1, &slow, "100"), &["late", "given_up"]);
}

#[test]
fn a_bot_that_crashes_is_started_again_and_then_given_up() {
    let crashing = r#"
        is_question "$line" || continue
        asked=$((${asked:-0} + 1))
        [ $asked = 5 ] && echo 'out of luck' >&2 && exit 7
        answer "$line"
    "#;
    let player = play(1, &bot("crashing", "", crashing));
    assert_only(&player, &["ended", "given_up"]);
    assert_eq!(count(&player, "ended"), 4, "{player}");
    assert_eq!(player["fallbacks"], TURNS - 16, "{player}");
    let first = player["first_faults"][0].as_str().expect("a sentence");
    assert!(
        first.ends_with("ended with exit status: 7; its standard error: out of luck"),
        "{first}"
    );
}

#[test]
fn a_flood_loses_the_turn() {
    let line = r#"echo '{"type":"error","message":"help"}'"#;
    let many = bot("many", &format!("while true; do {line}; done"), ":");
    let player = play(1, &many);
    assert_only(&player, &["flooded", "given_up"]);
    assert_eq!(count(&player, "flooded"), 4, "{player}");
    let player = play(1, &bot("long", "exec cat /dev/zero", ":"));
    assert_only(&player, &["flooded", "given_up"]);
    // Endless standard error is read and dropped.
    let noisy = "yes 'oh no' | head -n 100000 >&2";
    let player = play(0, &bot("noisy", noisy, "is_question \"$line\" && answer \"$line\""));
    assert_eq!(player["fallbacks"], 0, "{player}");
}

#[test]
fn no_program_outlives_the_arena() {
    let pids = file("pids");
    let _ = fs::remove_file(&pids);
    let note = format!("echo $$ >> '{}'", pids.display());
    // One bot plays well, the other does not even end on a signal.
    let good = bot("leaving", &note, "is_question \"$line\" && answer \"$line\"");
    let stubborn = bot("stubborn", &format!("{note}; trap '' TERM INT; exec sleep 60"), ":");
    assert_eq!(play(0, &good)["fallbacks"], 0);
    play_waiting(1, &stubborn, "100");
    let pids = fs::read_to_string(pids).expect("the programs were started");
    assert!(pids.lines().count() >= 6, "{pids}");
    if Path::new("/proc/self").exists() {
        for pid in pids.lines() {
            assert!(!Path::new("/proc").join(pid).exists(), "{pid} is still there");
        }
    }
}

#[test]
fn a_grandchild_that_holds_the_pipes_does_not_block_the_arena() {
    let player = play_waiting(1, &bot("parent", "sleep 20 & exit 0", ":"), "100");
    assert_only(&player, &["ended", "given_up"]);
}

#[test]
fn the_table_shows_the_faults_of_each_bot() {
    let silent = bot("output_of", "", "echo '\u{1b}[31mbeep'");
    let output = arena(&["random", &silent, "--rules", "cruce2", "--seed", "7", "--deals", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let table = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(table.contains("lost 26 turns, which random played instead:"), "{table}");
    assert!(table.contains("26 × not a message of the protocol"), "{table}");
    assert!(!table.contains('\u{1b}'), "{table:?}");
}
