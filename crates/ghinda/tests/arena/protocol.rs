//! The bot protocol of `ghinda engine`, and the transcript in `docs/bots.md`, which this test
//! generates (`UPDATE_DOCS=1`) and compares.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use cards::Seat;
use game::deal::{Dealer, Seed};
use game::event::{Event, OpenEvent};
use game::fair::Secret;
use game::notation::parse_action;
use game::{Action, Rules, Table, View, Viewer};
use phrases::{Language, Phrases};
use serde_json::{Value, json};
use test_support::document::Document;
use wire::bot::{Act, DealOver, ErrorMessage, HostHello, HostMessage, ThinkTime};

use super::GHINDA;

/// A running engine, and the transcript of all messages.
struct Engine {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    transcript: String,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(GHINDA)
            .args(["engine", "--bot", "random"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("ghinda runs");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        Engine { child, to, from, transcript: String::new() }
    }

    fn send(&mut self, line: &str) {
        let line = line.trim_end();
        self.transcript.push_str(&format!("host: {line}\n"));
        self.to.write_all(format!("{line}\n").as_bytes()).expect("the engine reads");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the engine answers");
        self.transcript.push_str(&format!("bot:  {line}"));
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{line:?}: {e}"))
    }

    fn ask(&mut self, line: &str) -> Value {
        self.send(line);
        self.receive()
    }

    /// The engine must end by itself.
    fn wait_for_end(mut self) -> String {
        drop(self.to);
        assert!(self.child.wait().expect("the engine ends").success());
        let mut rest = String::new();
        self.from.read_line(&mut rest).expect("the end");
        assert_eq!(rest, "");
        self.transcript
    }
}

#[test]
fn the_engine_answers_invalid_input_with_errors() {
    let mut engine = Engine::start();
    let act = |more: Value| {
        let mut act = json!({"type": "act", "id": 7, "view": "cruce2 seat=1 hand=AX4329bAXl"});
        act.as_object_mut().expect("one").extend(more.as_object().expect("one").clone());
        act.to_string()
    };
    let errors = [
        ("nonsense".into(), "a message is a JSON object with a \"type\""),
        ("[1,2]".into(), "a message is a JSON object"),
        ("{\"type\":7}".into(), "a message is a JSON object"),
        ("{".repeat(5000), "a message is a JSON object"),
        ("[".repeat(5000), "a message is a JSON object"),
        ("{\"type\":\"juggle\"}".into(), "there is no message of type \"juggle\""),
        ("{\"type\":\"act\",\"id\":-1}".into(), "the message of type \"act\" is not right"),
        (
            "{\"type\":\"hello\",\"ghinda\":9}".into(),
            "version 1 of the protocol is spoken here, not 9",
        ),
        ("{\"type\":\"hello\"}".into(), "missing field `ghinda`"),
        ("x".repeat(70_000), "a message has at most 65536 bytes"),
        (act(json!({"view": "cruce2"})), "the view is not valid: line 1"),
        (act(json!({"view": "cruce2 seat=- bids=0"})), "a spectator cannot act"),
        (act(json!({"view": "cruce2 seat=1 first=2 hand=AX4329bAXl"})), "cannot act now"),
        (act(json!({"view": "cruce2 seat=2 phase=dealing"})), "cannot act now"),
        (act(json!({"seed": "0"})), "the seed is not valid"),
    ];
    for (line, sentence) in errors {
        let answer = engine.ask(&line);
        assert_eq!(answer["type"], "error", "{line}");
        let message = answer["message"].as_str().expect("words");
        assert!(message.contains(sentence), "{line}: {message}");
    }
    // Messages that need no answer get none. Unknown fields are ignored.
    engine.send("");
    engine.send(r#"{"type":"error","message":"your fault"}"#);
    engine.send(r#"{"type":"match_over","seats":[1],"winners":[],"score":[0,0],"new":1}"#);
    let answer = engine.ask(&act(json!({"colour": "red", "state": 5, "clock": {"sand": 3}})));
    assert_eq!((&answer["type"], &answer["id"]), (&json!("action"), &json!(7)));
    assert_eq!(engine.ask(&act(json!({})))["action"], answer["action"], "the view is the seed");
    engine.send(r#"{"type":"bye"}"#);
    engine.wait_for_end();
    // The engine also ends when its input ends.
    Engine::start().wait_for_end();
}

/// Plays a small deal of whist, with the engine on seat 2.
fn play_deal_of_whist(engine: &mut Engine) {
    let rules = Rules::from_code("whist3").expect("a code");
    let dealer = Dealer::new(rules, Seed(Secret::from_phrase("docs/bots.md").0));
    let own = Seat::new(1).expect("seat 2");
    let mut table = Table::new(rules, dealer.first_seat());
    let mut events =
        table.deal(dealer.deal(0, dealer.first_seat()).expect("a deal")).expect("a fair deal");
    let hello = HostHello::new(concat!("ghinda ", env!("CARGO_PKG_VERSION")).into(), &rules);
    engine.ask(&HostMessage::Hello(hello).line());
    let mut id = 0;
    loop {
        for event in &events {
            table.apply(event).expect("the event applies");
            if let Event::Open(OpenEvent::Scored(score)) = event {
                let over = DealOver::scored(score, table.public(), &[own]);
                return engine.send(&HostMessage::DealOver(over).line());
            }
        }
        let seat = table.public().turn().expect("a turn");
        let view = table.view(Viewer::Seat(seat));
        let action = if seat == own {
            id += 1;
            let clock = ThinkTime { move_ms: Some(2000), nodes: None };
            let seed = Seed(Secret::from_phrase(&format!("docs/bots.md {id}")).0);
            let question = Act::new(id, &view, clock, seed).expect("a seat");
            let answer = engine.ask(&HostMessage::Act(Box::new(question)).line());
            parse_action(&rules, seat, answer["action"].as_str().expect("a text")).expect("one")
        } else {
            view.actions()[0]
        };
        events = table.decide(seat, action).expect("a legal action");
    }
}

/// A question in the middle of a deal of Cruce, and the answer to an illegal action.
fn a_question_of_cruce() -> (String, String) {
    let text = "cruce4t-21 seat=3 deal=2 first=2 score=3/1 hand=X4b3l9a2h bids=0.2.0.0 \
                play=4l!.Al.9l.Xl.3b.9b.Ab";
    let view: View = text.parse().expect("a view");
    let Viewer::Seat(seat) = view.viewer() else { panic!("a seat") };
    assert_eq!(view.public().turn(), Some(seat), "{view}");
    let clock = ThinkTime { move_ms: Some(2000), nodes: Some(20_000) };
    let seed = Seed(Secret::from_phrase("docs/bots.md").0);
    let question = Act::new(17, &view, clock, seed).expect("a seat");
    let rules = view.public().rules();
    let Ok(Action::Play { card, .. }) = parse_action(rules, seat, "3l") else { panic!("a card") };
    let illegal = view.check(Action::Play { card, call: false }).expect_err("a duty");
    let words = Phrases::new(Language::English).refusal(&illegal, rules);
    let error = ErrorMessage::illegal(17, &illegal, words);
    (HostMessage::Act(Box::new(question)).line(), HostMessage::Error(error).line())
}

#[test]
fn the_document_shows_the_real_transcript() {
    let mut engine = Engine::start();
    play_deal_of_whist(&mut engine);
    engine.ask(r#"{"type":"weather","sky":"blue"}"#);
    engine.send(&HostMessage::Bye.line());
    let transcript = format!("```text\n{}```\n", engine.wait_for_end());
    let (question, refusal) = a_question_of_cruce();
    let pretty: Value = serde_json::from_str(&question).expect("JSON");
    assert_eq!(pretty["legal"], json!(["4b", "Xb"]), "following is a duty");
    let mut document = Document::read("docs/bots.md");
    document.put("transcript", &transcript);
    document.put("question", &format!("```json\n{question}```\n"));
    document.put("refusal", &format!("```json\n{refusal}```\n"));
    document.check();
}
