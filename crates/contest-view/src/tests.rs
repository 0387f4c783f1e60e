//! A contest as pages draw it.

use cards::{BySide, Side};
use contest::{
    Contest, ContestChange, ContestSettings, ContestTableId, EntrantId, MatchOutcome, Party, Role,
    Venue, urn,
};
use game::Rules;
use game::cruce::Penalty;
use game::fair::Secret;

use super::board::{PhaseCard, TableCard, parse_score};
use super::phone::Phone;
use super::wall::{Slide, slides, warning};
use super::{draws, entry_text, said_words, summary, tables, word_of};
use phrases::Phrases;
use phrases::language::Language;

fn english() -> Phrases {
    Phrases::new(Language::English)
}

fn entrant(number: usize) -> EntrantId {
    EntrantId::new(number - 1).unwrap()
}

fn apply(contest: &mut Contest, by: Role, change: ContestChange) {
    let entry = contest.decide(0, by, change).unwrap();
    contest.apply(&entry).unwrap();
}

fn contest_of(players: usize) -> Contest {
    let rules = Rules::from_code("contest").unwrap();
    let word = word_of("Cupa").unwrap();
    let mut contest = Contest::new(
        ContestSettings::new("Cupa".parse().unwrap(), word, rules, Venue::Hall).unwrap(),
    );
    let name = |number: usize| Party::Alone(format!("P{number}").parse().unwrap());
    apply(&mut contest, Role::Organiser, ContestChange::Enter((1..=players).map(name).collect()));
    contest
}

fn draw(contest: &mut Contest) {
    let secret = Secret::from_phrase("seven");
    let commitment = urn::commitment(contest.settings(), contest.phases().len(), &secret);
    apply(contest, Role::Organiser, ContestChange::Commit(commitment));
    apply(
        contest,
        Role::Organiser,
        ContestChange::Draw { secret, words: said_words("mere, pere") },
    );
}

fn report(contest: &mut Contest, by: Role, table: ContestTableId, scores: &[i32]) {
    let outcome = MatchOutcome::played(BySide::from_slice(scores).unwrap());
    apply(contest, by, ContestChange::Report { table, outcome });
}

#[test]
fn titles_and_called_out_words_are_simplified() {
    assert_eq!(word_of("Cupa Țării – ediția a 2-a").unwrap().as_str(), "cupa-tarii-editia-a-2-a");
    assert_eq!(word_of("???").unwrap().as_str(), "contest");
    assert!(word_of(&"ă".repeat(90)).unwrap().as_str().len() <= 60);
    let words: Vec<String> =
        said_words(" Măr, pară;\n– 7!").iter().map(ToString::to_string).collect();
    assert_eq!(words, ["mar", "para", "7"]);
    assert_eq!(
        [parse_score(" −3 "), parse_score("21"), parse_score("x")],
        [Some(-3), Some(21), None]
    );
}

#[test]
fn a_table_shows_disputes_ties_and_results() {
    let (phrases, mut contest) = (english(), contest_of(8));
    draw(&mut contest);
    let id = ContestTableId { phase: 0, table: 1 };
    let seated = contest.table(id).unwrap().entrants().to_vec();
    let card = |contest: &Contest| TableCard::new(&phrases, contest, contest.table(id).unwrap());
    assert_eq!((card(&contest).code.as_str(), card(&contest).status), ("1B", "awaited"));
    report(&mut contest, Role::Player(seated[0]), id, &[21, 5, 3, 1]);
    report(&mut contest, Role::Player(seated[1]), id, &[5, 21, 3, 1]);
    let disputed = card(&contest);
    assert_eq!((disputed.status, disputed.reports.len()), ("disputed", 2));
    assert!(disputed.needs_attention() && disputed.takes_results);
    assert!(disputed.reports[0].said.ends_with("says 21, 5, 3, 1"), "{}", disputed.reports[0].said);
    let outcome = MatchOutcome::played(BySide::from_slice(&[21, 5, 2, 1]).unwrap());
    apply(&mut contest, Role::Referee(id), ContestChange::Rule { table: id, outcome });
    let penalise = ContestChange::Penalise {
        table: id,
        place: Side::new(1).unwrap(),
        penalty: Penalty::Revoke,
    };
    apply(&mut contest, Role::Referee(id), penalise);
    let tied = card(&contest);
    assert_eq!((tied.status, tied.tied.len()), ("tied", 2), "5 − 3 is 2");
    assert_eq!(tied.places.iter().filter(|place| place.class == "tied").count(), 2);
    assert_eq!(tied.penalties.len(), 1);
    let scores = BySide::from_slice(&[0, 1, 4, 0]).unwrap();
    apply(&mut contest, Role::Referee(id), ContestChange::PlayOff { table: id, scores });
    let settled = card(&contest);
    assert_eq!(settled.status, "settled");
    assert_eq!(settled.places[2].class, "on");
    assert_eq!(settled.places[2].play_offs, "+4");
    assert_eq!(PhaseCard::all(&phrases, &contest)[0].settled, "Settled: 1 of 2.");
}

#[test]
fn a_phone_shows_the_state_and_the_next_step() {
    let (phrases, mut contest) = (english(), contest_of(8));
    let phone_of =
        |contest: &Contest, number| Phone::new(&phrases, contest, entrant(number)).unwrap();
    assert_eq!(phone_of(&contest, 1).class, "waiting");
    assert_eq!(Phone::new(&phrases, &contest, entrant(9)), None);
    draw(&mut contest);
    let tables = [0, 1].map(|table| ContestTableId { phase: 0, table });
    let seated = tables.map(|id| contest.table(id).unwrap().entrants().to_vec());
    let phone = phone_of(&contest, seated[0][2].number());
    assert_eq!((phone.class, phone.ticket.as_str()), ("playing", "A3"));
    assert_eq!(phone.seat, "Phase 1 · table A · seat 3");
    assert!(phone.seats[0].own && phone.seats.len() == 4);
    assert_eq!(phone.seats[1].name, contest.name(seated[0][3]), "the next in turn");
    assert_eq!(phone.seats.iter().filter(|seat| seat.deals).count(), 1);
    assert_eq!(phone.report.as_ref().unwrap().class, "nothing");
    report(&mut contest, Role::Player(seated[0][0]), tables[0], &[21, 5, 3, 1]);
    let report_state =
        |contest: &Contest, who: EntrantId| phone_of(contest, who.number()).report.unwrap();
    assert_eq!(report_state(&contest, seated[0][0]).class, "mine");
    assert_eq!(report_state(&contest, seated[0][1]).class, "others");
    assert_eq!(report_state(&contest, seated[0][1]).scores, Some(vec![21, 5, 3, 1]));
    report(&mut contest, Role::Player(seated[0][1]), tables[0], &[5, 21, 3, 1]);
    assert_eq!(report_state(&contest, seated[0][3]).class, "conflict");
    report(&mut contest, Role::Player(seated[0][1]), tables[0], &[21, 5, 3, 1]);
    report(&mut contest, Role::Referee(tables[1]), tables[1], &[21, 5, 3, 1]);
    assert_eq!(phone_of(&contest, seated[1][0].number()).class, "goes_on");
    assert_eq!(phone_of(&contest, seated[1][3].number()).place, "5–8");
    draw(&mut contest);
    let last = ContestTableId { phase: 1, table: 0 };
    let finalists = contest.table(last).unwrap().entrants().to_vec();
    report(&mut contest, Role::Referee(last), last, &[1, 21, 3, 4]);
    let winner = phone_of(&contest, finalists[1].number());
    assert_eq!((winner.class, winner.state.as_str()), ("placed", "place 1"));
    assert!(winner.next.starts_with("You have won"), "{}", winner.next);
    assert!(phone_of(&contest, finalists[0].number()).next.contains("place 4"));
    assert_eq!(phone_of(&contest, seated[1][3].number()).class, "out");
    let Slide::Podium { places } = &slides(&phrases, &contest)[0] else { panic!() };
    assert_eq!(places[0], (1, contest.name(finalists[1]), "21".into()));
    assert_eq!(places.len(), 4);
}

#[test]
fn the_wall_shows_the_slides_of_the_present_stage() {
    let (phrases, mut contest) = (english(), contest_of(40));
    assert!(
        matches!(&slides(&phrases, &contest)[..], [Slide::Names { names, .. }] if names.len() == 40)
    );
    draw(&mut contest);
    let shown = slides(&phrases, &contest);
    let sizes: Vec<usize> = shown
        .iter()
        .filter_map(|slide| match slide {
            Slide::Tables { tables, .. } => Some(tables.len()),
            _ => None,
        })
        .collect();
    assert_eq!(sizes, [5, 5], "ten tables on two slides");
    for table in 0..10 {
        let id = ContestTableId { phase: 0, table };
        report(&mut contest, Role::Referee(id), id, &[21, 5, 3, 1]);
    }
    let shown = slides(&phrases, &contest);
    assert!(matches!(&shown[0], Slide::Names { names, .. } if names.len() == 20), "{shown:?}");
    draw(&mut contest);
    apply(&mut contest, Role::Organiser, ContestChange::Reopen { phase: 0 });
    let shown = slides(&phrases, &contest);
    let Slide::Tables { title, .. } = &shown[0] else { panic!() };
    assert_eq!(title, "Phase 1: reopened for corrections");
}

/// What a page says about draws that come from a file, and about reports of the server in it.
#[test]
fn what_the_server_did_not_draw_says_so_wherever_it_is_shown() {
    let (phrases, mut contest) = (english(), contest_of(8));
    draw(&mut contest);
    let a = ContestTableId { phase: 0, table: 0 };
    report(&mut contest, Role::Server, a, &[21, 5, 3, 1]);
    let notice = "the draw comes from a file; the server did not make it.";
    let shown = |contest: &Contest| {
        let wall = warning(&phrases, contest).unwrap_or_default();
        let phase = contest.phases().len() - 1;
        let card = PhaseCard::all(&phrases, contest).pop().unwrap();
        let plain = tables(&phrases, contest, phase).join("\n");
        let draws = draws(&phrases, contest).join("\n");
        [wall, card.imported, plain, draws].map(|text| text.matches(notice).count())
    };
    let summary = |contest: &Contest| summary(&phrases, contest).join(" ");
    let reported = |contest: &Contest| {
        let card = TableCard::new(&phrases, contest, contest.table(a).unwrap());
        card.reports[0].said.clone()
    };
    assert_eq!(shown(&contest), [0; 4]);
    assert!(!summary(&contest).contains("file"), "{}", summary(&contest));
    assert_eq!(reported(&contest), "The server says 21, 5, 3, 1");
    let entry = contest.decide(0, Role::Server, ContestChange::Import).unwrap();
    contest.apply(&entry).unwrap();
    assert_eq!(shown(&contest), [1; 4]);
    let said = "The first 4 lines of the log come from a file: the server did not see them happen, \
                and no draw in them is its own.";
    assert!(summary(&contest).contains(said), "{}", summary(&contest));
    assert_eq!(reported(&contest), "The server of the file says 21, 5, 3, 1");
    let line = entry_text(&phrases, &contest, &entry, false);
    assert_eq!(line, "The server: Everything before this comes from a file.");
    assert!(entry_text(&phrases, &contest, &entry, true).starts_with("The server of the file: "));
    // The server draws the final itself: only the first draw comes from the file.
    let b = ContestTableId { phase: 0, table: 1 };
    report(&mut contest, Role::Referee(b), b, &[21, 5, 3, 1]);
    draw(&mut contest);
    assert_eq!(shown(&contest), [0, 0, 0, 1]);
    assert!(PhaseCard::all(&phrases, &contest)[0].imported.starts_with("Phase 1: "));
    assert!(summary(&contest).contains(said), "{}", summary(&contest));
    // The tables of a phase that is open again are on the wall.
    apply(&mut contest, Role::Organiser, ContestChange::Reopen { phase: 0 });
    let wall = warning(&phrases, &contest).unwrap();
    assert!(wall.contains("Phase 1 is reopened") && wall.ends_with(notice), "{wall}");
}

#[test]
fn entrants_from_a_file_are_no_draw() {
    let mut contest = contest_of(8);
    apply(&mut contest, Role::Server, ContestChange::Import);
    let said = summary(&Phrases::new(Language::Romanian), &contest).join(" ");
    let first = "Primul rând din jurnal vine dintr-un fișier: serverul n-a văzut când s-a făcut.";
    assert!(said.contains(first), "{said}");
    assert_eq!(warning(&english(), &contest), None);
}
