//! What the phone of a player shows: where he sits, with whom, how he stands and what comes next.

use cards::Seat;
use contest::standings::{EntrantState, Standing};
use contest::{Contest, ContestStage, ContestTable, Entrant, Role, Status, Venue};

use super::board::TableCard;
use super::{phase_name, place, state};
use phrases::Phrases;
use phrases::layout::total;

/// A player's phone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phone {
    /// What he is called.
    pub name: String,
    /// His number in the list.
    pub number: usize,
    /// How he stands, in a few words.
    pub state: String,
    /// The same for the style sheet.
    pub class: &'static str,
    /// What comes next, in a sentence.
    pub next: String,
    /// His place among all, where he has one.
    pub place: String,
    /// His score, if it is known.
    pub score: String,
    /// `Phase 2 · Table B · place 3`, where he sits or sat last.
    pub seat: String,
    /// His ticket: `B3`.
    pub ticket: String,
    /// His table.
    pub table: Option<TableCard>,
    /// Everybody at it from himself on, in the order of play.
    pub chairs: Vec<PhoneSeat>,
    /// What the telling of the result stands at; nothing where there is nothing to tell.
    pub telling: Option<ReportState>,
    /// Whether he plays at a table of the server now.
    pub online: bool,
}

/// A seat at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhoneSeat {
    /// Who sits there.
    pub name: String,
    /// Whether he deals first.
    pub deals: bool,
    /// Whether it is the one whose phone this is, or his partner.
    pub own: bool,
}

/// How far the result of a match is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportState {
    /// In a sentence.
    pub said: String,
    /// For the style sheet: `nothing`, `others`, `mine`, `conflict` or `ruled`.
    pub class: &'static str,
    /// Whether he may tell it.
    pub may: bool,
    /// What he, or else somebody, told.
    pub scores: Option<Vec<i32>>,
}

impl Phone {
    /// The phone of an entrant; nothing if there is none.
    pub fn new(phrases: &Phrases, contest: &Contest, entrant: Entrant) -> Option<Phone> {
        let standing = contest.standings().into_iter().find(|one| one.entrant == entrant)?;
        let seated = contest.seat_of(entrant);
        let table = seated.map(|(table, _)| TableCard::new(phrases, contest, table));
        let playing = table.as_ref().is_some_and(|table| table.open);
        let seat = seated.map(|(table, place)| {
            let letters = contest::urn::letters(table.id().table);
            let phase = phase_name(phrases, contest, table.id().phase);
            phrases.hall_seat(phase, letters, place.number())
        });
        Some(Phone {
            name: contest.name(entrant),
            number: entrant.number(),
            state: said(phrases, contest, &standing),
            class: word(standing.state),
            next: next(phrases, contest, &standing),
            // The state names the place of a finalist already.
            place: match standing.state {
                EntrantState::Placed => String::new(),
                _ => place(&standing),
            },
            score: standing.score.map_or(String::new(), total),
            seat: seat.unwrap_or_default(),
            ticket: standing.ticket().map_or(String::new(), |ticket| ticket.to_string()),
            telling: seated
                .filter(|_| playing)
                .map(|(table, _)| telling(phrases, contest, table, entrant)),
            chairs: seated.map_or(Vec::new(), |(table, _)| chairs(contest, table, entrant)),
            online: contest.settings().venue() == Venue::Online
                && standing.state == EntrantState::Playing
                && seated.is_some_and(|(table, _)| {
                    table.opened().is_some() && table.outcome().is_none()
                }),
            table,
        })
    }
}

const fn word(state: EntrantState) -> &'static str {
    match state {
        EntrantState::Waiting => "waiting",
        EntrantState::Bye => "bye",
        EntrantState::Playing => "playing",
        EntrantState::GoesOn => "goes_on",
        EntrantState::Out => "out",
        EntrantState::Withdrawn => "withdrawn",
        EntrantState::Placed => "placed",
    }
}

fn said(phrases: &Phrases, contest: &Contest, standing: &Standing) -> String {
    match (standing.state, standing.places) {
        (EntrantState::Placed, Some((rank, _))) => phrases.hall_rank(rank),
        _ if standing.state == EntrantState::GoesOn && contest.stage() == ContestStage::Over => {
            state(phrases, EntrantState::Out)
        }
        _ => state(phrases, standing.state),
    }
}

/// What comes next.
fn next(phrases: &Phrases, contest: &Contest, standing: &Standing) -> String {
    let reopened = contest.phases().iter().position(contest::ContestPhase::is_reopened);
    if let Some(phase) = reopened.filter(|_| standing.state != EntrantState::Withdrawn) {
        return phrases.hall_reopened(phase_name(phrases, contest, phase));
    }
    // What was told may still be told otherwise, until the next phase is drawn.
    let open = standing.seat.is_some_and(|(id, _)| id.phase + 1 == contest.phases().len());
    let is_final = contest.phases().last().is_some_and(contest::ContestPhase::is_final);
    let table = standing.seat.and_then(|(id, _)| contest.table(id));
    let tied = table.is_some_and(|table| table.status() == Status::Tied);
    let which = match (standing.state, standing.places) {
        (EntrantState::Placed, Some((1, _))) => "won",
        (EntrantState::Playing, _) if tied => "tied",
        (EntrantState::Out, _) if open => "out_so_far",
        (EntrantState::Playing, _) if is_final => "playing_final",
        (EntrantState::Playing, _) if contest.settings().pairs() => "playing_pairs",
        (state, _) => word(state),
    };
    phrases.hall_next(which, place(standing))
}

/// The seats from one's own on, in the order of play.
fn chairs(contest: &Contest, table: &ContestTable, entrant: Entrant) -> Vec<PhoneSeat> {
    let names = contest.seats(table);
    let Some(own) = table.place_of(entrant) else { return Vec::new() };
    let sides = table.entrants().len();
    let chair = |at: usize| {
        let at = (own.index() + at) % names.len();
        // Where everybody plays for himself, namesakes are told apart.
        let alone = table.entrants().get(at).filter(|_| sides == names.len());
        PhoneSeat {
            name: alone.map_or_else(|| names[at].to_string(), |one| contest.name(*one)),
            deals: Seat::new(at) == Some(table.dealer()),
            own: at % sides == own.index(),
        }
    };
    (0..names.len()).map(chair).collect()
}

fn telling(
    phrases: &Phrases,
    contest: &Contest,
    table: &ContestTable,
    entrant: Entrant,
) -> ReportState {
    let own = table.reports().iter().find(|report| report.by == Role::Player(entrant));
    let other = table.reports().iter().find(|report| report.by != Role::Player(entrant));
    // Where the server deals, it also tells the result.
    let online = contest.settings().venue() == Venue::Online;
    let class = match (table.ruling(), table.status(), own, other) {
        (Some(_), ..) => "ruled",
        _ if online => "server",
        (_, Status::Disputed, ..) => "conflict",
        (_, _, Some(_), _) => "mine",
        (_, _, None, Some(_)) => "others",
        _ => "nothing",
    };
    let scores = own.or(other).map(|report| report.outcome.scores.as_slice().to_vec());
    let may = !matches!(class, "ruled" | "server");
    ReportState { said: phrases.hall_telling(class), class, may, scores }
}
