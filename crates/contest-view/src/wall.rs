//! The slides that are projected on the wall of the hall, and the speed of the draw of lots.

use contest::standings::EntrantState;
use contest::{Contest, ContestPhase, ContestStage};

use super::board::{PhaseCard, TableCard};
use super::{draw_imported, phase_name, place, state};
use phrases::Phrases;
use phrases::layout::total;

/// The numbers of tables, names and standings that can be read from the last row of a hall.
const TABLES: usize = 8;
const NAMES: usize = 40;
const ROWS: usize = 24;

/// One slide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slide {
    /// The entrants, or those who advance.
    Names {
        /// The title.
        title: String,
        /// The names.
        names: Vec<String>,
    },
    /// Some tables of a phase.
    Tables {
        /// The phase.
        title: String,
        /// The tables.
        tables: Vec<TableCard>,
        /// The entrants with a bye, in words.
        byes: String,
    },
    /// The standings.
    Standings {
        /// The title.
        title: String,
        /// Place, name, state and score.
        rows: Vec<[String; 4]>,
    },
    /// Places 1 to 4.
    Podium {
        /// Rank, name and score, the best first.
        places: Vec<(usize, String, String)>,
    },
}

/// The slides for the present stage, in order.
pub fn slides(phrases: &Phrases, contest: &Contest) -> Vec<Slide> {
    let mut slides = Vec::new();
    // A reopened phase comes first, because it affects the later ones.
    for (number, phase) in contest.phases().iter().enumerate() {
        if phase.is_reopened() {
            slides.extend(table_slides(phrases, contest, number));
        }
    }
    match contest.stage() {
        ContestStage::Entering => {
            let entered = contest.entrants().filter(|(_, entrant)| !entrant.has_withdrawn());
            let names = entered.map(|(entrant, _)| contest.name(entrant)).collect();
            slides.extend(in_pages(names, NAMES, |names| Slide::Names {
                title: phrases.contest_page_entrants(),
                names,
            }));
        }
        ContestStage::Playing { phase } => {
            slides.extend(table_slides(phrases, contest, phase));
            slides.extend(advancing_slides(phrases, contest));
        }
        ContestStage::Played { phase } => {
            slides.extend(advancing_slides(phrases, contest));
            slides.extend(table_slides(phrases, contest, phase));
        }
        ContestStage::Over => {
            slides.extend(podium(contest));
            let last = contest.phases().len().saturating_sub(1);
            slides.extend(table_slides(phrases, contest, last));
            slides.extend(standing_slides(phrases, contest));
        }
    }
    slides
}

/// What the hall must know beside the slides; None if there is nothing: a phase that is open again or
/// void, and a draw that the server did not make.
pub fn warning(phrases: &Phrases, contest: &Contest) -> Option<String> {
    let reopened = contest.phases().iter().position(ContestPhase::is_reopened);
    let reopened =
        reopened.map(|phase| phrases.contest_page_reopened(phase_name(phrases, contest, phase)));
    let voided = contest.voided().len();
    let corrected = reopened.or_else(|| (voided > 0).then(|| phrases.contest_voided(voided)));
    // The tables of these phases are on the slides.
    let phases = contest.phases().iter().enumerate();
    let last = contest.phases().len().saturating_sub(1);
    let shown = phases.filter(|(number, phase)| *number == last || phase.is_reopened());
    let imported = shown.filter_map(|(number, _)| draw_imported(phrases, contest, number));
    let all: Vec<String> = corrected.into_iter().chain(imported).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// Distributes items over slides with at most `most` items each.
fn in_pages<T>(all: Vec<T>, most: usize, slide: impl Fn(Vec<T>) -> Slide) -> Vec<Slide> {
    // Slides of about the same length look better than full ones and a short last one.
    let pages = all.len().div_ceil(most).max(1);
    let each = all.len().div_ceil(pages).max(1);
    let mut all = all.into_iter().peekable();
    let mut slides = Vec::new();
    while all.peek().is_some() {
        slides.push(slide(all.by_ref().take(each).collect()));
    }
    slides
}

fn table_slides(phrases: &Phrases, contest: &Contest, phase: usize) -> Vec<Slide> {
    let title = phase_name(phrases, contest, phase);
    let reopened = contest.phases().get(phase).is_some_and(ContestPhase::is_reopened);
    let title = match reopened {
        true => format!("{title}: {}", phrases.contest_phase_again()),
        false => title,
    };
    let card = PhaseCard::all(phrases, contest).into_iter().nth(phase);
    let byes = card.map(|card| card.byes).unwrap_or_default();
    in_pages(TableCard::of_phase(phrases, contest, phase), TABLES, |tables| Slide::Tables {
        title: title.clone(),
        tables,
        byes: byes.clone(),
    })
}

fn advancing_slides(phrases: &Phrases, contest: &Contest) -> Vec<Slide> {
    let standings = contest.standings();
    let advancing = standings
        .iter()
        .filter(|one| matches!(one.state, EntrantState::Advances | EntrantState::Bye));
    let names = advancing.map(|standing| contest.name(standing.entrant)).collect();
    in_pages(names, NAMES, |names| Slide::Names { title: phrases.contest_page_going_on(), names })
}

fn standing_slides(phrases: &Phrases, contest: &Contest) -> Vec<Slide> {
    let row = |standing: contest::standings::Standing| {
        [
            place(&standing),
            contest.name(standing.entrant),
            state(phrases, standing.state),
            standing.score.map_or(String::new(), total),
        ]
    };
    let rows = contest.standings().into_iter().map(row).collect();
    in_pages(rows, ROWS, |rows| Slide::Standings { title: phrases.contest_page_standings(), rows })
}

/// Places 1 to 4, once the final is settled.
fn podium(contest: &Contest) -> Option<Slide> {
    let last = contest.phases().last()?.tables().first()?;
    let place =
        |ranked: &contest::Ranked| (ranked.rank, contest.name(ranked.entrant), total(ranked.score));
    Some(Slide::Podium { places: last.ranking().iter().map(place).collect() })
}

/// The time in milliseconds that each of this many tickets takes from the urn to its table: sixteen
/// tickets take half a minute in all, a thousand at most two minutes.
pub fn pace(tickets: usize) -> u32 {
    let tickets = u32::try_from(tickets).unwrap_or(u32::MAX).max(1);
    let total = (1_875 * u64::from(tickets)).min(30_000 + 90 * u64::from(tickets)).min(120_000);
    u32::try_from(total / u64::from(tickets)).unwrap_or(1).max(1)
}

/// The minimum size of a long name, in percent.
const MIN_PERCENT: usize = 70;

/// The size of a name in percent, if there is room for this many letters. A name that is still too long
/// takes two lines.
pub fn fit(name: &str, letters: usize) -> usize {
    let length = name.chars().count().max(1);
    (100 * letters / length).clamp(MIN_PERCENT, 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_smaller_but_not_below_the_minimum() {
        assert_eq!(fit("Ana", 20), 100);
        assert_eq!(fit("", 20), 100);
        assert_eq!(fit("Ștefania-Magdalena Ionescu", 20), 76);
        assert_eq!(fit(&"a".repeat(83), 20), MIN_PERCENT);
    }

    #[test]
    fn a_draw_takes_at_most_two_minutes() {
        let total = |tickets: usize| pace(tickets) as usize * tickets;
        assert_eq!(total(4), 7_500);
        assert!((25_000..=31_000).contains(&total(16)), "{}", total(16));
        assert!(total(64) < 40_000, "{}", total(64));
        assert!((100_000..=120_000).contains(&total(1024)), "{}", total(1024));
        assert_eq!(pace(0), 1_875);
    }
}
