//! A driver with its connections: what it refuses, and what it does if the log does not fit.

use game::Rules;
use ids::{Key, TableId};

use super::*;
use crate::log;
use crate::room::{Opening, Timings};

const HOST: u64 = 1;
const OTHER: u64 = 2;

fn player(number: u64) -> PlayerId {
    PlayerId::new(number).expect("small")
}

fn logged(at: Millis, entry: Entry) -> LoggedEntry {
    LoggedEntry { at, command: None, entry }
}

fn opened() -> TableDriver {
    opened_with("cruce2")
}

fn opened_with(rules: &str) -> TableDriver {
    opened_for(rules, None)
}

fn opened_for(rules: &str, contest: Option<ids::LedgerId>) -> TableDriver {
    let opening = Opening {
        rules: Rules::from_code(rules).expect("rules"),
        pace: ids::terms::Pace::Off,
        listed: true,
        host: player(HOST),
        key: Key::new([7; 16]),
        secret: Secret::from_phrase("driver"),
        siblings: Vec::new(),
        contest,
    };
    let first = logged(0, Entry::Opened(Box::new(opening)));
    let id = TableId::new(1).expect("an id");
    let (room, _) = Room::open(id, 1, &first, Timings::default()).expect("a room");
    TableDriver::new(room)
}

/// A table whose store works at once. Every player has the connection of their number.
struct TestTable {
    driver: TableDriver,
    now: Millis,
    commands: u32,
}

impl TestTable {
    fn new(players: &[u64]) -> TestTable {
        TestTable::with_rules(players, "cruce2")
    }

    fn with_rules(players: &[u64], rules: &str) -> TestTable {
        let mut table = TestTable { driver: opened_with(rules), now: 1, commands: 0 };
        players.iter().for_each(|player| assert!(table.connect(*player, *player)));
        table
    }

    fn handle(&mut self, input: Input) -> Vec<Effect> {
        let context = DriverContext { now: self.now, new_secret: &|| Secret::from_phrase("next") };
        let mut effects = Vec::new();
        self.driver.handle(input, &context, &mut effects);
        while self.driver.pending.is_some() {
            self.driver.handle(Input::Stored, &context, &mut effects);
        }
        effects
    }

    /// Connects a player. Returns whether the connection is accepted.
    fn connect(&mut self, connection: u64, number: u64) -> bool {
        let connection = ConnectionId(connection);
        let player = player(number);
        let effects = self.handle(Input::Connected { connection, player, since: None });
        !effects.iter().any(|effect| matches!(effect, Effect::Disconnect { .. }))
    }

    /// Gives a command, with enough time before it. Returns the reason of a refusal.
    fn command(&mut self, player: u64, what: TableCommand) -> Option<RefusalReason> {
        self.now += 10_000;
        self.command_at_once(player, what)
    }

    fn command_at_once(&mut self, player: u64, what: TableCommand) -> Option<RefusalReason> {
        self.commands += 1;
        let id = format!("c{}", self.commands);
        let connection = ConnectionId(player);
        let effects = self.handle(RoomInput::Command { connection, id, what }.into());
        effects.iter().find_map(|effect| match effect {
            Effect::SendRefusal { text, .. } => match ServerMessage::read(text) {
                Ok(ServerMessage::Refused { refusal, .. }) => Some(refusal.reason),
                other => panic!("{other:?}"),
            },
            _ => None,
        })
    }

    fn sit(&mut self, player: u64, seat: usize, name: &str) {
        let sit = TableCommand::Sit { seat, name: name.into() };
        assert_eq!(self.command(player, sit), None);
    }

    fn version(&self) -> u64 {
        self.driver.room().version()
    }

    fn snapshot(&self) -> Snapshot {
        self.driver.room().snapshot(player(HOST), self.driver.presence())
    }
}

#[test]
fn a_stored_entry_that_does_not_apply_ends_the_driver() {
    let mut driver = opened();
    let context = DriverContext { now: 1, new_secret: &|| Secret::from_phrase("next") };
    // No match is being played, so it cannot be paused. The driver would not store this itself: the
    // log was written by another program.
    let entries = vec![logged(1, Entry::Paused)];
    let request_id = Some(5);
    driver.pending = Some(PendingAppend { entries, command: None, request_id, refusal: None });
    let mut effects = Vec::new();
    driver.handle(Input::Stored, &context, &mut effects);
    let [Effect::GiveUp { version: 1 }] = effects.as_slice() else {
        panic!("nothing else is sent or answered: {effects:?}")
    };
    effects.clear();
    let connection = ConnectionId(1);
    let connected = Input::Connected { connection, player: player(HOST), since: None };
    driver.handle(connected, &context, &mut effects);
    driver.handle(Input::TimerFired, &context, &mut effects);
    assert!(effects.is_empty(), "{effects:?}");
    assert_eq!(driver.due_at(&context), None);
}

#[test]
fn so_many_inputs_wait_at_a_table_and_no_more() {
    let mut driver = opened();
    let context = DriverContext { now: 1, new_secret: &|| Secret::from_phrase("next") };
    let mut effects = Vec::new();
    let connection = ConnectionId(1);
    let connected = Input::Connected { connection, player: player(HOST), since: None };
    driver.handle(connected, &context, &mut effects);
    // The first is being stored, which takes long; chat of others would be as good.
    let mut refused = 0;
    for number in 0..=MAX_WAITING + 1 {
        effects.clear();
        let admit = RoomInput::Admit {
            player: player(1_000 + number as u64),
            key: driver.room().key(),
            request_id: number as u64,
        }
        .into();
        let sit = TableCommand::Sit { seat: 1, name: "Ana".into() };
        let input = match number {
            0 => RoomInput::Command { connection, id: "sit".into(), what: sit }.into(),
            _ => admit,
        };
        driver.handle(input, &context, &mut effects);
        let is_refusal = |effect: &Effect| matches!(effect, Effect::Reply { answer: Err(_), .. });
        refused += effects.iter().filter(|effect| is_refusal(effect)).count();
        assert_eq!(driver.waiting.len(), number.min(MAX_WAITING));
    }
    assert_eq!(refused, 1);
}

#[test]
fn the_connections_of_one_player_share_a_snapshot() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    assert!(table.connect(77, OTHER));
    let sit = TableCommand::Sit { seat: 2, name: "Ion".into() };
    let connection = ConnectionId(OTHER);
    let effects =
        table.handle(RoomInput::Command { connection, id: "sit".into(), what: sit }.into());
    let snapshots: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Send { text, .. } if text.contains("\"snapshot\"") => Some(text),
            _ => None,
        })
        .collect();
    let [one, other] = snapshots[..] else { panic!("{effects:?}") };
    assert!(Arc::ptr_eq(one, other));
}

/// How many messages about presence are among the effects.
fn count_presence(effects: &[Effect]) -> usize {
    let is_presence = |effect: &&Effect| matches!(effect, Effect::Send { text, .. } if text.starts_with(r#"{"type":"present""#));
    effects.iter().filter(is_presence).count()
}

#[test]
fn connections_that_come_and_go_cost_one_message_at_a_time() {
    let players: Vec<u64> = (HOST..=50).collect();
    let mut table = TestTable::new(&players);
    table.sit(HOST, 1, "Ana");
    table.now += 10_000;
    let mut messages = 0;
    for round in 0..100 {
        // Ten seconds in which one leaves and comes back, ten times a second.
        let connection = ConnectionId(100 + round);
        let player = player(OTHER);
        messages += count_presence(&table.handle(Input::Disconnected {
            connection: ConnectionId(if round == 0 { OTHER } else { 99 + round }),
        }));
        let connected = Input::Connected { connection, player, since: None };
        messages += count_presence(&table.handle(connected));
        table.now += 100;
        messages += count_presence(&table.handle(Input::TimerFired));
    }
    // Each that comes is told at once who is there; all others twice a second at most.
    assert!(messages <= 100 + 50 * 10_000 / PRESENCE_INTERVAL as usize + 50, "{messages}");
}

#[test]
fn the_last_change_of_presence_is_always_told() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    table.now += 10_000;
    assert_eq!(count_presence(&table.handle(Input::TimerFired)), 2, "both are there");
    table.now += 10_000;
    let left = table.handle(Input::Disconnected { connection: ConnectionId(OTHER) });
    assert_eq!(count_presence(&left), 1, "the first change is told at once");
    table.now += 1;
    let connected =
        Input::Connected { connection: ConnectionId(9), player: player(OTHER), since: None };
    assert_eq!(count_presence(&table.handle(connected)), 1, "only the new connection is told");
    let context = DriverContext { now: table.now, new_secret: &|| Secret::from_phrase("next") };
    let wakes = table.driver.due_at(&context).expect("the others are to be told");
    assert_eq!(wakes, table.now - 1 + PRESENCE_INTERVAL);
    assert_eq!(count_presence(&table.handle(Input::TimerFired)), 0, "too early");
    table.now = wakes;
    assert_eq!(count_presence(&table.handle(Input::TimerFired)), 2, "to both");
    let context = DriverContext { now: table.now, new_secret: &|| Secret::from_phrase("next") };
    assert_eq!(table.driver.due_at(&context), None);
}

#[test]
fn what_is_so_already_is_not_written_again() {
    use TableCommand::{AddBot, AskForPause, Listed, Mute, Pace, Rename, Rules, Start, Swap, Word};
    let mut table = TestTable::new(&[HOST, OTHER]);
    table.sit(HOST, 1, "Ana");
    table.sit(OTHER, 2, "Ion");
    let settings = [
        Listed(false),
        Pace(ids::terms::Pace::Fast),
        Rules("cruce2-3".into()),
        Rename { name: "Eva".into() },
        Mute { seat: 2, muted: true },
        Word("trandafir".into()),
    ];
    for command in settings {
        assert_eq!(table.command(HOST, command.clone()), None, "{command:?}");
        let before = table.version();
        let again = table.command(HOST, command.clone());
        assert_eq!(again, Some(RefusalReason::Unchanged), "{command:?}");
        assert_eq!(table.version(), before, "{command:?}");
    }
    assert_eq!(table.command(HOST, Swap([1, 1])), Some(RefusalReason::Unchanged));
    assert_eq!(table.command(HOST, Start), None);
    assert_eq!(table.command(HOST, AskForPause), None);
    assert_eq!(table.command(HOST, AskForPause), Some(RefusalReason::Unchanged));
    let mut table = TestTable::new(&[HOST]);
    let bot = AddBot { seat: 2, level: "easy".into() };
    assert_eq!(table.command(HOST, bot.clone()), None);
    assert_eq!(table.command(HOST, bot), Some(RefusalReason::Unchanged));
}

#[test]
fn that_a_player_is_ready_is_not_written_again() {
    let mut table = TestTable::with_rules(&[HOST, OTHER], "cruce2-15");
    table.sit(HOST, 1, "Ana");
    table.sit(OTHER, 2, "Ion");
    assert_eq!(table.command(HOST, TableCommand::Start), None);
    let (mut ready, mut rematch) = (0, 0);
    while rematch == 0 {
        if let Some((who, action)) = possible_action(&table) {
            assert_eq!(table.command(who, TableCommand::Act(action)), None);
            continue;
        }
        let is_over = table.driver.room().is_over();
        let command = if is_over { TableCommand::AskForRematch } else { TableCommand::Ready };
        for expected in [None, Some(RefusalReason::Unchanged)] {
            // At once: later the score would have been read, and the next deal begun.
            assert_eq!(table.command_at_once(HOST, command.clone()), expected, "{command:?}");
        }
        match is_over {
            true => rematch += 1,
            false => ready += 1,
        }
        table.now += 60_000;
        table.handle(Input::TimerFired);
    }
    assert!(ready > 0, "there was one deal only");
}

#[test]
fn commands_besides_the_play_are_limited() {
    let mut table = TestTable::new(&[HOST]);
    table.sit(HOST, 1, "Ana");
    let before = table.version();
    for number in 0..200 {
        let name = format!("Ana {number}");
        let refused = table.command_at_once(HOST, TableCommand::Rename { name });
        assert!(matches!(refused, None | Some(RefusalReason::TooFast)));
    }
    assert!(table.version() < before + 25, "{}", table.version());
}

#[test]
fn a_muted_player_cannot_speak_by_a_name_or_a_word() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    table.sit(HOST, 1, "Ana");
    table.sit(OTHER, 2, "Ion");
    assert_eq!(table.command(HOST, TableCommand::Mute { seat: 2, muted: true }), None);
    let rename = TableCommand::Rename { name: "Ana cheats".into() };
    assert_eq!(table.command(OTHER, rename), Some(RefusalReason::Muted));
    let word = TableCommand::Word("Ana-cheats".into());
    assert_eq!(table.command(OTHER, word), Some(RefusalReason::Muted));
    assert_eq!(table.command(OTHER, TableCommand::Leave), None);
    table.sit(OTHER, 2, "Ana cheats");
    let who = table.snapshot().seats[1].who.clone();
    assert_eq!(who, Some(wire::table::Occupant::Person("🤐".into())));
}

#[test]
fn a_table_that_turns_private_gets_a_new_key() {
    let mut table = TestTable::new(&[HOST]);
    let known = table.driver.room().key();
    assert_eq!(table.command(HOST, TableCommand::Listed(false)), None);
    assert_ne!(table.driver.room().key(), known);
    assert!(table.driver.room().admit(player(OTHER), known).is_err());
    let private = table.driver.room().key();
    assert_eq!(table.command(HOST, TableCommand::Listed(true)), None);
    assert_eq!(table.driver.room().key(), private, "a listed table has no secret to renew");
}

#[test]
fn a_player_who_came_while_the_table_was_listed_does_not_stay_admitted() {
    let mut table = TestTable::new(&[HOST]);
    let known = table.driver.room().key();
    assert_eq!(table.driver.room().admit(player(OTHER), known), Ok(Vec::new()));
    assert!(table.driver.room().admits(player(OTHER)));
    assert_eq!(table.command(HOST, TableCommand::Listed(false)), None);
    assert!(!table.driver.room().admits(player(OTHER)));
    let room = table.driver.room();
    let invited = room.admit(player(OTHER), room.key()).expect("the key of the private table");
    assert_eq!(invited, [Entry::Admitted { player: player(OTHER) }]);
}

#[test]
fn spectators_cannot_take_the_places_of_the_players() {
    let mut table = TestTable::new(&[OTHER]);
    table.sit(OTHER, 2, "Ion");
    let strangers = 1_000..1_000 + MAX_CONNECTIONS as u64;
    assert!(strangers.clone().all(|stranger| table.connect(stranger, stranger)));
    assert!(!table.connect(5_000, 5_000), "another stranger");
    assert!(table.connect(HOST, HOST), "the host");
    let devices = (6_000..).take(RESERVED_CONNECTIONS - 1);
    assert!(devices.clone().all(|device| table.connect(device, OTHER)), "the player's devices");
    assert!(!table.connect(7_000, OTHER), "too many of them");
    table.handle(Input::Disconnected { connection: ConnectionId(strangers.start) });
    assert!(table.connect(5_000, 5_000), "a place is free again");
}

#[test]
fn a_level_that_thinks_for_minutes_gets_no_seat() {
    let mut table = TestTable::new(&[HOST]);
    for level in ["pimc5", "pimc50", "pimc200", "genius"] {
        let bot = TableCommand::AddBot { seat: 2, level: level.into() };
        assert_eq!(table.command(HOST, bot), Some(RefusalReason::BadLevel), "{level}");
    }
    let hard = TableCommand::AddBot { seat: 2, level: "hard".into() };
    assert_eq!(table.command(HOST, hard), None);
}

#[test]
fn wrong_claims_are_checked_only_a_few_times_in_a_deal() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    let who = play_to_a_claim(&mut table);
    let mut checked = 0;
    for number in 0..10 {
        let (connection, id) = (ConnectionId(who), format!("claim {number}").replace(' ', "-"));
        let effects =
            table.handle(RoomInput::Command { connection, id, what: TableCommand::Claim }.into());
        for effect in effects {
            if let Effect::CheckClaim { claim, .. } = effect {
                checked += 1;
                // A lost connection gives no further claims.
                table.handle(Input::Disconnected { connection });
                table.handle(RoomInput::ClaimChecked { claim, line: None }.into());
                assert!(table.connect(who, who));
            }
        }
    }
    assert_eq!(checked, 3);
}

/// Claims wrongly, if the claim is checked. Returns whether it was.
fn claim_wrongly(table: &mut TestTable, who: u64, id: &str) -> bool {
    let (connection, id) = (ConnectionId(who), String::from(id));
    let command =
        RoomInput::Command { connection, id: id.clone(), what: TableCommand::Claim }.into();
    let effects = table.handle(command);
    let claim = effects.iter().find_map(|effect| match effect {
        Effect::CheckClaim { claim, .. } => Some(claim.clone()),
        _ => None,
    });
    let Some(claim) = claim else {
        assert_eq!(answer(&effects, &id), Some(Err(RefusalReason::NotProven)));
        return false;
    };
    let effects = table.handle(RoomInput::ClaimChecked { claim, line: None }.into());
    assert_eq!(answer(&effects, &id), Some(Err(RefusalReason::NotProven)));
    true
}

#[test]
fn wrong_claims_count_also_when_the_table_is_loaded_anew() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    let who = play_to_a_claim(&mut table);
    assert!(claim_wrongly(&mut table, who, "a") && claim_wrongly(&mut table, who, "b"));
    // The next driver knows what is stored.
    table.driver = TableDriver::new(table.driver.room().clone());
    assert!(table.connect(HOST, HOST) && table.connect(OTHER, OTHER));
    assert!(claim_wrongly(&mut table, who, "c"));
    assert!(!claim_wrongly(&mut table, who, "d"), "three were wrong");
}

#[test]
fn wrong_claims_count_for_the_seat_too() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    let who = play_to_a_claim(&mut table);
    let seat = table.driver.room().seat_of(player(who)).expect("a seat");
    for id in ["a", "b", "c"] {
        assert!(claim_wrongly(&mut table, who, id));
    }
    // Another player takes the seat, which costs nothing.
    assert_eq!(table.command(who, TableCommand::Leave), None);
    assert!(table.connect(77, 77));
    table.sit(77, seat.number(), "Eva");
    assert!(!claim_wrongly(&mut table, 77, "d"));
}

/// Begins a match and bids until the play begins. Returns the player in turn, who may claim.
fn play_to_a_claim(table: &mut TestTable) -> u64 {
    table.sit(HOST, 1, "Ana");
    table.sit(OTHER, 2, "Ion");
    assert_eq!(table.command(HOST, TableCommand::Start), None);
    while table.driver.room().claimant(player(HOST)).is_err()
        && table.driver.room().claimant(player(OTHER)).is_err()
    {
        let (who, action) = next_action(table);
        assert_eq!(table.command(who, TableCommand::Act(action)), None);
    }
    next_action(table).0
}

/// The player in turn, and the first legal action.
fn next_action(table: &TestTable) -> (u64, String) {
    possible_action(table).expect("a player is in turn")
}

/// The same; None while the score is shown.
fn possible_action(table: &TestTable) -> Option<(u64, String)> {
    [HOST, OTHER].into_iter().find_map(|who| {
        let snapshot = table.driver.room().snapshot(player(who), table.driver.presence());
        let view: game::View = snapshot.view.expect("a match").parse().expect("a view");
        let action = *view.lawful_actions().first()?;
        let seat = table.driver.room().seat_of(player(who)).expect("a seat");
        Some((who, game::notation::action_text(table.driver.room().rules(), seat, action)))
    })
}

#[test]
fn nothing_new_begins_when_the_log_is_full() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    table.sit(HOST, 1, "Ana");
    table.sit(OTHER, 2, "Ion");
    assert_eq!(table.command(HOST, TableCommand::Listed(false)), None);
    let mute = |muted| logged(2, Entry::Muted { seat: Seat::new(1).expect("a seat"), muted });
    while table.version() < 100_000 {
        let entry = mute(table.version().is_multiple_of(2));
        table.driver.room.apply(&entry).expect("an entry");
    }
    let rename = TableCommand::Rename { name: "Eva".into() };
    let mute = TableCommand::Mute { seat: 2, muted: true };
    for command in [TableCommand::Start, rename, TableCommand::Listed(true), mute] {
        assert_eq!(table.command(HOST, command), Some(RefusalReason::LogFull));
    }
    let key = table.driver.room().key();
    let full = Err(RefusalReason::LogFull.into());
    assert_eq!(table.driver.room().admit(player(99), key), full, "no further player is admitted");
    assert_eq!(table.driver.room().admit(player(HOST), key), Ok(Vec::new()));
    assert_eq!(table.version(), 100_000);
    assert_eq!(table.command(OTHER, TableCommand::Leave), None, "leaving is always possible");
}

#[test]
fn a_table_closes_when_its_log_can_grow_no_more() {
    let mut table = TestTable::new(&[HOST]);
    table.sit(HOST, 1, "Ana");
    while table.version() < 109_999 {
        let muted = table.version().is_multiple_of(2);
        let entry = logged(2, Entry::Muted { seat: Seat::new(0).expect("a seat"), muted });
        table.driver.room.apply(&entry).expect("an entry");
    }
    table.handle(Input::TimerFired);
    assert!(!table.driver.room().is_closed());
    assert_eq!(table.command(HOST, TableCommand::Leave), None);
    assert_eq!((table.version(), table.driver.room().is_closed()), (110_001, true));
}

/// The longest chat of the player on the first seat.
fn longest_chat() -> LoggedEntry {
    let content = crate::room::ChatContent::Text("😀".repeat(wire::table::MAX_CHAT_TEXT));
    logged(2, Entry::Said { seat: Seat::new(0).expect("a seat"), content })
}

#[test]
fn nothing_new_begins_when_the_log_has_too_many_bytes() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    table.sit(HOST, 1, "Ana");
    table.sit(OTHER, 2, "Ion");
    while table.driver.room().log_bytes() < (12 << 20) - 1_000 {
        table.driver.room.apply(&longest_chat()).expect("an entry");
    }
    assert!(table.version() < 20_000, "{} entries", table.version());
    assert_eq!(table.command(HOST, TableCommand::Say("salut".into())), None);
    assert_eq!(table.command(HOST, TableCommand::Start), None);
    // A checkpoint keeps the sum, for those who read the log from there.
    let before = table.driver.room().log_bytes();
    assert!(before > (12 << 20) - 1_000);
    while table.driver.room().log_bytes() < 12 << 20 {
        table.driver.room.apply(&longest_chat()).expect("an entry");
    }
    let say = TableCommand::Say("salut".into());
    for command in [say, TableCommand::Rename { name: "Eva".into() }, TableCommand::Listed(false)] {
        assert_eq!(table.command(HOST, command), Some(RefusalReason::LogFull));
    }
    let (who, action) = next_action(&table);
    assert_eq!(table.command(who, TableCommand::Act(action)), None, "the match is played on");
    assert_eq!(table.command(OTHER, TableCommand::Leave), None);
}

#[test]
fn a_table_closes_when_its_log_can_take_no_more_bytes() {
    let mut table = TestTable::new(&[HOST]);
    table.sit(HOST, 1, "Ana");
    while table.driver.room().log_bytes() < (13 << 20) - 1_000 {
        table.driver.room.apply(&longest_chat()).expect("an entry");
    }
    table.handle(Input::TimerFired);
    assert!(!table.driver.room().is_closed());
    table.driver.room.apply(&longest_chat()).expect("an entry");
    table.driver.room.apply(&longest_chat()).expect("an entry");
    table.handle(Input::TimerFired);
    assert!(table.driver.room().is_closed());
}

#[test]
fn a_match_in_which_all_pass_for_ever_closes_its_table() {
    let mut table = TestTable::with_rules(&[HOST, OTHER], "cruce2-redeal");
    table.sit(HOST, 1, "Ana");
    table.sit(OTHER, 2, "Ion");
    assert_eq!(table.command(HOST, TableCommand::Start), None);
    while !table.driver.room().is_closed() {
        assert!(table.driver.room().deals().len() < 2_000);
        let Some((who, action)) = possible_action(&table) else {
            table.now += 60_000;
            table.handle(Input::TimerFired);
            continue;
        };
        assert_eq!(action, "0", "passing is the first bid");
        assert_eq!(table.command(who, TableCommand::Act(action)), None);
    }
    let snapshot = table.driver.room().snapshot(player(HOST), table.driver.presence());
    let text = wire::table::ServerMessage::Snapshot(Box::new(snapshot)).text();
    assert!(text.len() < 256 << 10, "a client accepts a snapshot of {} bytes", text.len());
}

#[test]
fn a_table_remembers_so_many_players_and_no_more() {
    let mut table = TestTable::new(&[HOST]);
    table.sit(HOST, 1, "Ana");
    assert_eq!(table.command(HOST, TableCommand::Listed(false)), None);
    let key = table.driver.room().key();
    for number in 100..=164 {
        let entries = table.driver.room().admit(player(number), key).expect("admitted");
        for entry in entries {
            table.driver.room.apply(&logged(2, entry)).expect("an entry");
        }
        assert!(table.driver.room().admits(player(number)));
    }
    let admits = |number| table.driver.room().admits(player(number));
    assert!(!admits(100) && admits(101), "the first needs the link again");
    // The same with players that the host has removed.
    let key = table.driver.room().key();
    for number in 200..=232 {
        let seat = Seat::new(1).expect("a seat");
        let name = "Ion".parse().expect("a name");
        let sat = Entry::Sat { seat, player: player(number), name };
        for entry in [sat, Entry::SeatFreed { seat, kicked: true }] {
            table.driver.room.apply(&logged(2, entry)).expect("an entry");
        }
    }
    let kicked = Err(RefusalReason::Kicked.into());
    assert_eq!(table.driver.room().admit(player(201), key), kicked);
    assert!(table.driver.room().admit(player(200), key).is_ok(), "the first is forgotten");
}

/// The answer to a command: its version, or the reason of the refusal.
fn answer(effects: &[Effect], asked: &str) -> Option<Result<u64, RefusalReason>> {
    effects.iter().find_map(|effect| {
        let (Effect::Send { text, .. } | Effect::SendRefusal { text, .. }) = effect else {
            return None;
        };
        match ServerMessage::read(text) {
            Ok(ServerMessage::Update(update)) if update.done.as_deref() == Some(asked) => {
                Some(Ok(update.version))
            }
            Ok(ServerMessage::Done { id, version }) if id == asked => Some(Ok(version)),
            Ok(ServerMessage::Refused { id, refusal }) if id == asked => Some(Err(refusal.reason)),
            _ => None,
        }
    })
}

#[test]
fn an_id_that_belongs_to_another_command_is_refused() {
    let mut table = TestTable::new(&[HOST]);
    let connection = ConnectionId(HOST);
    let ask = |table: &mut TestTable, what: &TableCommand| {
        let input = RoomInput::Command { connection, id: "x".into(), what: what.clone() }.into();
        answer(&table.handle(input), "x").expect("an answer")
    };
    let sit = TableCommand::Sit { seat: 1, name: "Ana".into() };
    let say = TableCommand::Say("salut".into());
    assert_eq!(ask(&mut table, &sit), Ok(2));
    assert_eq!(ask(&mut table, &say), Err(RefusalReason::BadId));
    assert_eq!(ask(&mut table, &sit), Ok(2), "the same command is done");
    // It is known from a checkpoint too.
    let context = DriverContext { now: table.now, new_secret: &|| Secret::from_phrase("next") };
    let start =
        PlayerCommand { player: player(HOST), id: "start".into(), what: TableCommand::Start };
    let decided = table.driver.room().decide(&start, &table.driver.decision_context(&context));
    let started = decided.expect("a match").remove(0);
    let id = TableId::new(1).expect("an id");
    let started = logged(table.now, started);
    let (room, _) = Room::open(id, 3, &started, Timings::default()).expect("a room");
    table.driver = TableDriver::new(room);
    assert!(table.connect(HOST, HOST));
    assert_eq!(ask(&mut table, &say), Err(RefusalReason::BadId));
    assert_eq!(ask(&mut table, &sit), Ok(2));
}

#[test]
fn a_command_that_an_earlier_version_did_is_known_by_its_id_alone() {
    let mut table = TestTable::new(&[HOST]);
    table.sit(HOST, 1, "Ana");
    let command = LoggedCommand { player: player(HOST), id: "old".into(), fingerprint: None };
    let old = LoggedEntry {
        command: Some(command),
        ..logged(2, Entry::Relinked { key: Key::new([1; 16]) })
    };
    table.driver.room.apply(&old).expect("an entry");
    let (connection, what) = (ConnectionId(HOST), TableCommand::Say("salut".into()));
    let effects = table.handle(RoomInput::Command { connection, id: "old".into(), what }.into());
    assert_eq!(answer(&effects, "old"), Some(Ok(table.version())));
}

#[test]
fn an_id_that_belongs_to_a_command_in_flight_is_refused() {
    let mut table = TestTable::new(&[HOST]);
    let context = DriverContext { now: 1, new_secret: &|| Secret::from_phrase("next") };
    let mut effects = Vec::new();
    let sit = TableCommand::Sit { seat: 1, name: "Ana".into() };
    for what in [sit.clone(), TableCommand::Say("salut".into()), sit] {
        let input =
            RoomInput::Command { connection: ConnectionId(HOST), id: "x".into(), what }.into();
        table.driver.handle(input, &context, &mut effects);
    }
    assert_eq!(answer(&effects, "x"), None, "the first is being stored");
    table.driver.handle(Input::Stored, &context, &mut effects);
    assert!(table.driver.pending.is_none());
    let refused = effects.iter().filter(|effect| matches!(effect, Effect::SendRefusal { .. }));
    assert_eq!(refused.count(), 1);
    assert_eq!(answer(&effects, "x"), Some(Ok(2)));
}

#[test]
fn an_id_that_belongs_to_a_claim_is_refused_while_the_claim_is_checked() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    let who = play_to_a_claim(&mut table);
    let (connection, id) = (ConnectionId(who), String::from("x"));
    let input = RoomInput::Command { connection, id: id.clone(), what: TableCommand::Claim }.into();
    let effects = table.handle(input);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::CheckClaim { .. })));
    let what = TableCommand::Say("salut".into());
    let effects = table.handle(RoomInput::Command { connection, id, what }.into());
    assert_eq!(answer(&effects, "x"), Some(Err(RefusalReason::BadId)));
}

#[test]
fn a_claim_that_cannot_be_checked_is_not_counted_as_wrong() {
    let mut table = TestTable::new(&[HOST, OTHER]);
    let who = play_to_a_claim(&mut table);
    for number in 0..10 {
        let (connection, id) = (ConnectionId(who), format!("claim-{number}"));
        let what = TableCommand::Claim;
        let effects = table.handle(RoomInput::Command { connection, id: id.clone(), what }.into());
        let claim = effects.into_iter().find_map(|effect| match effect {
            Effect::CheckClaim { claim, .. } => Some(claim),
            _ => None,
        });
        let claim = claim.expect("it is to be checked");
        let effects = table.handle(RoomInput::ClaimNotChecked { claim: claim.clone() }.into());
        assert_eq!(answer(&effects, &id), Some(Err(RefusalReason::Unavailable)));
        assert!(table.handle(RoomInput::ClaimChecked { claim, line: None }.into()).is_empty());
    }
}

/// The answer to a request.
fn reply(effects: &[Effect]) -> Option<Result<(), RefusalReason>> {
    effects.iter().find_map(|effect| match effect {
        Effect::Reply { answer, .. } => Some(answer.clone().map_err(|refusal| refusal.reason)),
        _ => None,
    })
}

#[test]
fn a_contest_begins_a_match_once_however_often_it_asks() {
    let contest = ids::LedgerId::new(5).expect("an id");
    let driver = opened_for("cruce2", Some(contest));
    let mut table = TestTable { driver, now: 1, commands: 0 };
    let seats = vec![(Seat::default(), "Ana".parse().expect("a name"))];
    let sit = RoomInput::Seat { contest, player: player(HOST), seats, request_id: 1 }.into();
    assert_eq!(reply(&table.handle(sit)), Some(Ok(())));
    let start = |command: &str| -> Input {
        RoomInput::Start { contest, command: command.into(), request_id: 2 }.into()
    };
    let effects = table.handle(start("first"));
    assert_eq!(reply(&effects), Some(Ok(())));
    let stored = effects.into_iter().find_map(|effect| match effect {
        Effect::Store { first, entries } => Some((first, entries)),
        _ => None,
    });
    let (first, entries) = stored.expect("a beginning");
    let begun = table.driver.room().version();
    let check_again = |table: &mut TestTable| {
        // Its answer was lost.
        assert_eq!(reply(&table.handle(start("first"))), Some(Ok(())));
        let other = table.handle(start("other"));
        assert_eq!(reply(&other), Some(Err(RefusalReason::MatchRuns)));
        assert_eq!(table.driver.room().version(), begun, "nothing was done twice");
    };
    check_again(&mut table);
    // The table was loaded anew.
    let id = TableId::new(1).expect("an id");
    let stored = log::decode(entries[0].at, &log::encode(&entries[0])).expect("readable");
    let (room, _) = Room::open(id, first, &stored, Timings::default()).expect("a room");
    table.driver = TableDriver::new(room);
    check_again(&mut table);
}
