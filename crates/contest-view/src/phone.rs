//! The phone of a player: the seat, the opponents, the standing and what comes next.

use cards::Seat;
use contest::standings::{EntrantState, Standing};
use contest::{Contest, ContestStage, ContestTable, EntrantId, Role, TableStatus, Venue};

use super::board::TableCard;
use super::{phase_name, place, state};
use phrases::Phrases;
use phrases::layout::total;

/// A player's phone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phone {
    /// The player's name.
    pub name: String,
    /// The number in the list of entrants.
    pub number: usize,
    /// The player's state, in a few words.
    pub state: String,
    /// The same for the style sheet.
    pub class: &'static str,
    /// What comes next, in a sentence.
    pub next: String,
    /// The place among all entrants; empty if there is none.
    pub place: String,
    /// The score; empty if it is unknown.
    pub score: String,
    /// The present or last seat: `Phase 2 · Table B · place 3`.
    pub seat: String,
    /// The ticket: `B3`.
    pub ticket: String,
    /// The player's table.
    pub table: Option<TableCard>,
    /// The seats of the table in the order of play, from the player's own on.
    pub seats: Vec<PhoneSeat>,
    /// The state of the result report; None if there is no result to report.
    pub report: Option<ReportState>,
    /// Whether the player plays at a table of the server now.
    pub online: bool,
}

/// A seat at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhoneSeat {
    /// The player's name.
    pub name: String,
    /// Whether this player deals first.
    pub deals: bool,
    /// Whether this is the owner of the phone or their partner.
    pub own: bool,
}

/// The state of the result report of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportState {
    /// The state, in a sentence.
    pub text: String,
    /// The state for the style sheet: `nothing`, `others`, `mine`, `conflict`, `ruled` or `server`.
    pub class: &'static str,
    /// Whether the player may report the result.
    pub may: bool,
    /// The scores that the player, or else another reporter, reported.
    pub scores: Option<Vec<i32>>,
}

impl Phone {
    /// The phone of an entrant. Returns None if there is no such entrant.
    pub fn new(phrases: &Phrases, contest: &Contest, entrant: EntrantId) -> Option<Phone> {
        let standing = contest.standings().into_iter().find(|one| one.entrant == entrant)?;
        let seated = contest.seat_of(entrant);
        let table = seated.map(|(table, _)| TableCard::new(phrases, contest, table));
        let playing = table.as_ref().is_some_and(|table| table.takes_results);
        let seat = seated.map(|(table, place)| {
            let letters = contest::urn::table_letters(table.id().table);
            let phase = phase_name(phrases, contest, table.id().phase);
            phrases.contest_page_seat(phase, letters, place.number())
        });
        Some(Phone {
            name: contest.name(entrant),
            number: entrant.number(),
            state: state_text(phrases, contest, &standing),
            class: crate::state_word(standing.state),
            next: next(phrases, contest, &standing),
            // The state of a finalist already names the place.
            place: match standing.state {
                EntrantState::Placed => String::new(),
                _ => place(&standing),
            },
            score: standing.score.map_or(String::new(), total),
            seat: seat.unwrap_or_default(),
            ticket: standing.ticket().map_or(String::new(), |ticket| ticket.to_string()),
            report: seated
                .filter(|_| playing)
                .map(|(table, _)| report_state(phrases, contest, table, entrant)),
            seats: seated.map_or(Vec::new(), |(table, _)| phone_seats(contest, table, entrant)),
            online: contest.settings().venue() == Venue::Online
                && standing.state == EntrantState::Playing
                && seated.is_some_and(|(table, _)| {
                    table.server_table().is_some() && table.outcome().is_none()
                }),
            table,
        })
    }
}

fn state_text(phrases: &Phrases, contest: &Contest, standing: &Standing) -> String {
    match (standing.state, standing.places) {
        (EntrantState::Placed, Some((rank, _))) => phrases.contest_page_rank(rank),
        _ if standing.state == EntrantState::Advances && contest.stage() == ContestStage::Over => {
            state(phrases, EntrantState::Out)
        }
        _ => state(phrases, standing.state),
    }
}

/// What comes next for the player, in a sentence.
fn next(phrases: &Phrases, contest: &Contest, standing: &Standing) -> String {
    let reopened = contest.phases().iter().position(contest::ContestPhase::is_reopened);
    if let Some(phase) = reopened.filter(|_| standing.state != EntrantState::Withdrawn) {
        return phrases.contest_page_reopened(phase_name(phrases, contest, phase));
    }
    // A reported result may still change until the next phase is drawn.
    let is_open = standing.seat.is_some_and(|(id, _)| id.phase + 1 == contest.phases().len());
    let is_final = contest.phases().last().is_some_and(contest::ContestPhase::is_final);
    let table = standing.seat.and_then(|(id, _)| contest.table(id));
    let is_tied = table.is_some_and(|table| table.status() == TableStatus::Tied);
    let which = match (standing.state, standing.places) {
        (EntrantState::Placed, Some((1, _))) => "won",
        (EntrantState::Playing, _) if is_tied => "tied",
        (EntrantState::Out, _) if is_open => "out_so_far",
        (EntrantState::Playing, _) if is_final => "playing_final",
        (EntrantState::Playing, _) if contest.settings().pairs() => "playing_pairs",
        (state, _) => crate::state_word(state),
    };
    phrases.contest_page_next(which, place(standing))
}

/// The seats in the order of play, from the entrant's own on.
fn phone_seats(contest: &Contest, table: &ContestTable, entrant: EntrantId) -> Vec<PhoneSeat> {
    let names = contest.seats(table);
    let Some(own) = table.place_of(entrant) else { return Vec::new() };
    let sides = table.entrants().len();
    let phone_seat = |at: usize| {
        let at = (own.index() + at) % names.len();
        // Without pairs, the names of the contest distinguish players with the same name.
        let alone = table.entrants().get(at).filter(|_| sides == names.len());
        PhoneSeat {
            name: alone.map_or_else(|| names[at].to_string(), |one| contest.name(*one)),
            deals: Seat::new(at) == Some(table.dealer()),
            own: at % sides == own.index(),
        }
    };
    (0..names.len()).map(phone_seat).collect()
}

fn report_state(
    phrases: &Phrases,
    contest: &Contest,
    table: &ContestTable,
    entrant: EntrantId,
) -> ReportState {
    let own = table.reports().iter().find(|report| report.by == Role::Player(entrant));
    let other = table.reports().iter().find(|report| report.by != Role::Player(entrant));
    // If the server deals, it also reports the result.
    let is_online = contest.settings().venue() == Venue::Online;
    let class = match (table.ruling(), table.status(), own, other) {
        (Some(_), ..) => "ruled",
        _ if is_online => "server",
        (_, TableStatus::Disputed, ..) => "conflict",
        (_, _, Some(_), _) => "mine",
        (_, _, None, Some(_)) => "others",
        _ => "nothing",
    };
    let scores = own.or(other).map(|report| report.outcome.scores.as_slice().to_vec());
    let may = !matches!(class, "ruled" | "server");
    ReportState { text: phrases.contest_page_report_state(class), class, may, scores }
}
