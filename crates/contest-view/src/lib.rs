//! A contest as clients show it: in plain text for terminals, printers and the public log, and as the
//! pages [`board`], [`phone`] and [`wall`].

pub mod board;
pub mod phone;
pub mod wall;

use cards::BySide;
use contest::standings::{EntrantState, Standing};
use contest::{
    Contest, ContestChange, ContestEntry, ContestPhase, ContestStage, ContestTable, ContestTableId,
    EntrantId, Role, TableStatus, sheet,
};
use game::cruce::Penalty;
use game::fair::Word;

use phrases::Phrases;
use phrases::layout::{Columns, capitalised, shortened, signed, total};

/// The maximum length of a name in a column.
const WIDE: usize = 32;

/// The maximum length of the word that is made from a title.
const LONGEST_WORD: usize = 60;

/// The word of a title, which the commitments to the draws contain: letters without diacritics, and
/// dashes for everything else.
pub fn word_of(title: &str) -> Option<Word> {
    let simplify = |letter: char| match letter.to_lowercase().next().unwrap_or(letter) {
        'ă' | 'â' => 'a',
        'î' => 'i',
        'ș' | 'ş' => 's',
        'ț' | 'ţ' => 't',
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => '-',
    };
    let word: String = title.chars().map(simplify).collect();
    let parts: Vec<&str> = word.split('-').filter(|part| !part.is_empty()).collect();
    let mut word = if parts.is_empty() { "contest".into() } else { parts.join("-") };
    word.truncate(LONGEST_WORD);
    word.parse().ok()
}

/// The words that people in the hall called out, without diacritics, for the urn.
pub fn said_words(text: &str) -> Vec<Word> {
    let separated = text.split([' ', ',', ';', '\n', '\t']);
    separated.filter(|word| word.chars().any(char::is_alphanumeric)).filter_map(word_of).collect()
}

/// The head of every report: the game, the number of entrants and the stage.
pub fn summary(phrases: &Phrases, contest: &Contest) -> Vec<String> {
    let settings = contest.settings();
    let entered = contest.entrants().filter(|(_, entrant)| !entrant.has_withdrawn()).count();
    let mut lines = vec![
        format!(
            "{} · {} · {}",
            settings.title(),
            phrases.title(settings.rules()),
            phrases.contest_entered(entered)
        ),
        stage(phrases, contest),
    ];
    let reopened = contest.phases().iter().position(ContestPhase::is_reopened);
    lines.extend(reopened.map(|phase| {
        format!("{}: {}.", phrases.contest_phase(phase + 1), phrases.contest_phase_again())
    }));
    let voided = contest.voided().len();
    lines.extend((voided > 0).then(|| phrases.contest_voided(voided)));
    lines.extend(imported(phrases, contest));
    lines.extend(
        contest
            .commitment()
            .map(|commitment| phrases.contest_next_committed(commitment.to_string())),
    );
    lines
}

/// How much of the contest comes from a file, in a sentence; None if nothing does.
fn imported(phrases: &Phrases, contest: &Contest) -> Option<String> {
    let drawn = contest.phases().iter().chain(contest.voided());
    let draws = drawn.filter(|phase| phase.is_imported()).count();
    contest.imported().map(|count| phrases.contest_imported(count, draws))
}

/// A notice that the server did not draw the lots of a phase, as they come from a file; None if it
/// did.
pub fn draw_imported(phrases: &Phrases, contest: &Contest, phase: usize) -> Option<String> {
    let imported = contest.phases().get(phase).is_some_and(ContestPhase::is_imported);
    imported.then(|| phrases.contest_draw_imported(phase_name(phrases, contest, phase)))
}

/// The stage of a contest, in a sentence.
pub fn stage(phrases: &Phrases, contest: &Contest) -> String {
    let last_is_final = contest.phases().last().is_some_and(ContestPhase::is_final);
    match contest.stage() {
        ContestStage::Entering => phrases.contest_stage("entering", 0),
        ContestStage::Playing { phase } if last_is_final => {
            phrases.contest_stage("final", phase + 1)
        }
        ContestStage::Playing { phase } => phrases.contest_stage("playing", phase + 1),
        ContestStage::Played { phase } => phrases.contest_stage("played", phase + 1),
        ContestStage::Over => phrases.contest_stage("over", 0),
    }
}

/// The name of a phase.
pub fn phase_name(phrases: &Phrases, contest: &Contest, phase: usize) -> String {
    let is_final = contest.phases().get(phase).is_some_and(ContestPhase::is_final);
    if is_final { phrases.contest_final() } else { phrases.contest_phase(phase + 1) }
}

/// All entrants, by number.
pub fn entrants(phrases: &Phrases, contest: &Contest) -> Vec<String> {
    let mut table = Columns::new("><<");
    table.row(["number", "name", "state"].map(|column| phrases.contest_column(column)));
    for (entrant, _) in contest.entrants() {
        let state = contest.standing(entrant).map(|standing| state(phrases, standing.state));
        table.row([entrant.number().to_string(), contest.name(entrant), state.unwrap_or_default()]);
    }
    table.lines("", 2)
}

/// The standings, with those who advanced furthest first.
pub fn standings(phrases: &Phrases, contest: &Contest) -> Vec<String> {
    let mut table = Columns::new("><<><>");
    let columns = ["place", "name", "state", "phase", "ticket", "score"];
    table.row(columns.map(|column| phrases.contest_column(column)));
    for standing in contest.standings() {
        table.row([
            place(&standing),
            shortened(&contest.name(standing.entrant), WIDE),
            state(phrases, standing.state),
            standing.seat.map_or(String::new(), |(id, _)| (id.phase + 1).to_string()),
            standing.ticket().map_or(String::new(), |ticket| ticket.to_string()),
            standing.score.map_or(String::new(), total),
        ]);
    }
    table.lines("", 2)
}

/// The places that an entrant has or shares: `3`, `5–8`.
pub fn place(standing: &Standing) -> String {
    match standing.places {
        None => String::new(),
        Some((from, to)) if from == to => from.to_string(),
        Some((from, to)) => format!("{from}–{to}"),
    }
}

/// The word of a state, for the style sheet and the phrases.
const fn state_word(state: EntrantState) -> &'static str {
    match state {
        EntrantState::Waiting => "waiting",
        EntrantState::Bye => "bye",
        EntrantState::Playing => "playing",
        EntrantState::Advances => "goes_on",
        EntrantState::Out => "out",
        EntrantState::Withdrawn => "withdrawn",
        EntrantState::Placed => "placed",
    }
}

/// The state of an entrant, in a few words.
pub fn state(phrases: &Phrases, state: EntrantState) -> String {
    phrases.contest_state(state_word(state))
}

/// The tables of a phase, each with its entrants and the state of its match.
pub fn tables(phrases: &Phrases, contest: &Contest, phase: usize) -> Vec<String> {
    let Some(drawn) = contest.phases().get(phase) else { return Vec::new() };
    let mut lines = vec![phase_name(phrases, contest, phase)];
    lines.extend(draw_imported(phrases, contest, phase));
    for one in drawn.tables() {
        lines.push(String::new());
        lines.extend(table(phrases, contest, one));
    }
    if !drawn.byes().is_empty() {
        let names: Vec<String> = drawn.byes().iter().map(|bye| contest.name(*bye)).collect();
        lines.push(String::new());
        lines.push(phrases.contest_byes(phrases.list_and(&names)));
    }
    lines
}

/// A table with its entrants and the state of its match.
pub fn table(phrases: &Phrases, contest: &Contest, table: &ContestTable) -> Vec<String> {
    let letters = contest::urn::table_letters(table.id().table);
    let status = phrases.contest_status(board::status_word(table.status()));
    let head =
        [phrases.contest_table(letters), phrases.contest_deals(dealer(contest, table)), status];
    let mut lines = vec![head.join(" · ")];
    let (ranking, advancing) = (table.ranking(), table.advancing());
    let mut places = Columns::new("<<>><");
    for (ticket, entrant) in table.tickets() {
        let ranked = ranking.iter().find(|ranked| ranked.entrant == entrant);
        let play_offs = ranked.map_or(String::new(), |ranked| {
            ranked.play_offs.iter().map(|made| signed(*made)).collect::<Vec<_>>().join(" ")
        });
        let mark = match contest.standing(entrant) {
            Some(standing)
                if advancing.contains(&entrant) || standing.state == EntrantState::Withdrawn =>
            {
                let goes = if advancing.contains(&entrant) {
                    EntrantState::Advances
                } else {
                    standing.state
                };
                state(phrases, goes)
            }
            _ => String::new(),
        };
        places.row([
            ticket.to_string(),
            shortened(&contest.name(entrant), WIDE),
            ranked.map_or(String::new(), |ranked| total(ranked.score)),
            play_offs,
            mark,
        ]);
    }
    lines.extend(places.lines("  ", 2));
    if table.status() == TableStatus::Disputed {
        for report in table.reports() {
            let who = author(phrases, contest, report.by, report.imported);
            let text = phrases.contest_reported(who, scores(&report.outcome.scores));
            lines.push(format!("  {text}"));
        }
    }
    lines
}

/// The first dealer: an entrant, or one player of a pair.
fn dealer(contest: &Contest, table: &ContestTable) -> String {
    let seat = table.dealer().index();
    match table.entrants().get(seat).filter(|_| !contest.settings().pairs()) {
        Some(entrant) => contest.name(*entrant),
        None => contest.seats(table).get(seat).map(ToString::to_string).unwrap_or_default(),
    }
}

fn scores(scores: &BySide<i32>) -> String {
    scores.iter().map(|score| total(*score)).collect::<Vec<_>>().join(", ")
}

/// The tickets of a phase, to cut out.
pub fn tickets(phrases: &Phrases, contest: &Contest, phase: usize) -> Vec<String> {
    let Some(drawn) = contest.phases().get(phase) else { return Vec::new() };
    let cut = format!("- - - - {} - - - -", phrases.contest_cut());
    let mut lines = vec![cut.clone()];
    for one in drawn.tables() {
        for (ticket, entrant) in one.tickets() {
            lines.push(format!(
                "  {} · {}",
                contest.settings().title(),
                phase_name(phrases, contest, phase)
            ));
            lines.push(format!("  {ticket}   {}", contest.name(entrant)));
            lines.push(cut.clone());
        }
    }
    lines
}

/// The commitment and the revealed secret of each draw, so that the draw can be verified.
pub fn draws(phrases: &Phrases, contest: &Contest) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, phase) in contest.phases().iter().enumerate() {
        lines.push(phase_name(phrases, contest, number));
        lines.push(format!("  {}", phrases.contest_committed(phase.commitment().to_string())));
        lines.push(format!("  {}", phrases.contest_revealed(phase.secret().reveal())));
        let words: Vec<&str> = phase.words().iter().map(|word| word.as_str()).collect();
        let words = match words.as_slice() {
            [] => phrases.contest_no_words(),
            words => phrases.contest_words(words.join(", ")),
        };
        lines.push(format!("  {words}"));
        lines.push(format!("  {}", phrases.contest_draw_again(number + 1)));
        let notice = draw_imported(phrases, contest, number);
        lines.extend(notice.map(|notice| format!("  {notice}")));
    }
    lines
}

/// The explanation that follows a commitment.
pub fn commitment_note(phrases: &Phrases) -> String {
    phrases.contest_commitment_note()
}

/// The author of an entry or a report, which may be imported: the server of a file may be another one,
/// or none.
fn author(phrases: &Phrases, contest: &Contest, by: Role, imported: bool) -> String {
    match by {
        Role::Server if imported => phrases.contest_role("file", ""),
        by => role(phrases, contest, by),
    }
}

/// A role in words.
pub fn role(phrases: &Phrases, contest: &Contest, role: Role) -> String {
    match role {
        Role::Organiser => phrases.contest_role("organiser", ""),
        Role::Referee(table) => phrases.contest_role("referee", table_name(table)),
        Role::Player(entrant) => phrases.contest_role("player", contest.name(entrant)),
        Role::Server => phrases.contest_role("server", ""),
        Role::Public => phrases.contest_role("public", ""),
    }
}

/// The code of a table with its phase: `2B`.
pub fn table_name(id: ContestTableId) -> String {
    format!("{}{}", id.phase + 1, contest::urn::table_letters(id.table))
}

/// An entry of the log as a sentence: the author and the change. `contest` includes the entry;
/// `imported` says whether the entry comes from a file that a server took over.
pub fn entry_text(
    phrases: &Phrases,
    contest: &Contest,
    entry: &ContestEntry,
    imported: bool,
) -> String {
    let who = capitalised(&author(phrases, contest, entry.by, imported));
    format!("{who}: {}.", change_text(phrases, contest, &entry.change))
}

fn change_text(phrases: &Phrases, contest: &Contest, change: &ContestChange) -> String {
    let name = |entrant: EntrantId| contest.name(entrant);
    let yes_no = |broken_off: bool| if broken_off { "yes" } else { "no" };
    match change {
        ContestChange::Settings(settings) => {
            phrases.done_settings(settings.title().to_string(), settings.rules().code())
        }
        ContestChange::Enter(parties) if parties.len() > 8 => {
            phrases.done_enter_many(parties.len())
        }
        ContestChange::Enter(parties) => {
            let names: Vec<String> = parties.iter().map(ToString::to_string).collect();
            phrases.done_enter(phrases.list_and(&names))
        }
        ContestChange::Rename { entrant, party } => {
            phrases.done_rename(entrant.number(), party.to_string())
        }
        ContestChange::Withdraw { entrant } => phrases.done_withdraw(name(*entrant)),
        ContestChange::Return { entrant } => phrases.done_return(name(*entrant)),
        ContestChange::Commit(commitment) => phrases.done_commit(commitment.to_string()),
        // The contest already includes the phase that this entry draws.
        ContestChange::Draw { .. } => phrases.done_draw(contest.phases().len()),
        ContestChange::Open { table, server_table } => {
            phrases.done_open(table_name(*table), server_table.to_string())
        }
        ContestChange::WriteSheet { table, change } => {
            let (what, line) = sheet_change_words(change);
            phrases.done_write_sheet(table_name(*table), what, line)
        }
        ContestChange::Report { table, outcome } => phrases.done_report(
            table_name(*table),
            scores(&outcome.scores),
            yes_no(outcome.broken_off),
        ),
        ContestChange::Rule { table, outcome } => phrases.done_rule(
            table_name(*table),
            scores(&outcome.scores),
            yes_no(outcome.broken_off),
        ),
        ContestChange::Penalise { table, place, penalty } => {
            let seated = contest
                .table(*table)
                .and_then(|table| table.entrants().get(place.index()).copied());
            let why = match penalty {
                Penalty::Revoke => "revoke",
                Penalty::Misdeal => "misdeal",
            };
            let who = seated.map(name).unwrap_or_default();
            phrases.done_penalise(table_name(*table), who, signed(penalty.change().into()), why)
        }
        ContestChange::Pardon { table, penalty } => {
            phrases.done_pardon(table_name(*table), penalty + 1)
        }
        ContestChange::PlayOff { table, scores: made } => {
            phrases.done_play_off(table_name(*table), scores(made))
        }
        ContestChange::Reopen { phase } => phrases.done_reopen(phase + 1),
        ContestChange::Close { phase } => phrases.done_close(phase + 1),
        ContestChange::Import => phrases.done_import(),
    }
}

/// The word of a change to a score sheet, and the number of the line if it edits one.
fn sheet_change_words(change: &sheet::SheetChange) -> (&'static str, usize) {
    match change {
        sheet::SheetChange::Bid(_) => ("bid", 0),
        sheet::SheetChange::Declare(_) => ("declare", 0),
        sheet::SheetChange::Write(_) => ("write", 0),
        sheet::SheetChange::Edit { line, .. } => ("edit", line + 1),
        sheet::SheetChange::Rename { .. } => ("rename", 0),
        sheet::SheetChange::Undo => ("undo", 0),
    }
}

#[cfg(test)]
mod tests;
