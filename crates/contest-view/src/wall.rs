//! What the wall of the hall shows, slide by slide, and how fast lots are drawn on it.

use contest::standings::EntrantState;
use contest::{Contest, ContestPhase, ContestStage};

use super::board::{PhaseCard, TableCard};
use super::{phase_name, place, state};
use phrases::Phrases;
use phrases::layout::total;

/// How many tables, names and standings are read from the last row of a hall.
const TABLES: usize = 8;
const NAMES: usize = 40;
const ROWS: usize = 24;

/// What is shown at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Slide {
    /// Who has entered, or who goes on.
    Names {
        /// What they are.
        title: String,
        /// Their names.
        names: Vec<String>,
    },
    /// Some tables of a phase.
    Tables {
        /// The phase.
        title: String,
        /// The tables.
        tables: Vec<TableCard>,
        /// Who has a bye, in words.
        byes: String,
    },
    /// How people stand.
    Standings {
        /// What they are.
        title: String,
        /// Place, name, how he stands, and score.
        rows: Vec<[String; 4]>,
    },
    /// Places 1 to 4.
    Podium {
        /// Rank and name, the best first.
        places: Vec<(usize, String, String)>,
    },
}

/// All that is to be shown now, in order.
pub fn slides(phrases: &Phrases, contest: &Contest) -> Vec<Slide> {
    let mut slides = Vec::new();
    // Whoever looks at the wall must see that an old phase is open again, and why it matters.
    for (number, phase) in contest.phases().iter().enumerate() {
        if phase.is_reopened() {
            slides.extend(tables(phrases, contest, number));
        }
    }
    match contest.stage() {
        ContestStage::Entering => {
            let entered = contest.entrants().filter(|(_, entered)| !entered.has_withdrawn());
            let names = entered.map(|(entrant, _)| contest.name(entrant)).collect();
            slides.extend(in_pages(names, NAMES, |names| Slide::Names {
                title: phrases.hall_entrants(),
                names,
            }));
        }
        ContestStage::Playing { phase } => {
            slides.extend(tables(phrases, contest, phase));
            slides.extend(going_on(phrases, contest));
        }
        ContestStage::Played { phase } => {
            slides.extend(going_on(phrases, contest));
            slides.extend(tables(phrases, contest, phase));
        }
        ContestStage::Over => {
            slides.extend(podium(contest));
            slides.extend(tables(phrases, contest, contest.phases().len().saturating_sub(1)));
            slides.extend(standings(phrases, contest));
        }
    }
    slides
}

fn in_pages<T>(all: Vec<T>, most: usize, slide: impl Fn(Vec<T>) -> Slide) -> Vec<Slide> {
    // Pages of about the same length look better than a full one and a remainder.
    let pages = all.len().div_ceil(most).max(1);
    let each = all.len().div_ceil(pages).max(1);
    let mut all = all.into_iter().peekable();
    let mut slides = Vec::new();
    while all.peek().is_some() {
        slides.push(slide(all.by_ref().take(each).collect()));
    }
    slides
}

fn tables(phrases: &Phrases, contest: &Contest, phase: usize) -> Vec<Slide> {
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

fn going_on(phrases: &Phrases, contest: &Contest) -> Vec<Slide> {
    let standings = contest.standings();
    let on = standings
        .iter()
        .filter(|one| matches!(one.state, EntrantState::GoesOn | EntrantState::Bye));
    let names = on.map(|standing| contest.name(standing.entrant)).collect();
    in_pages(names, NAMES, |names| Slide::Names { title: phrases.hall_going_on(), names })
}

fn standings(phrases: &Phrases, contest: &Contest) -> Vec<Slide> {
    let row = |standing: contest::standings::Standing| {
        [
            place(&standing),
            contest.name(standing.entrant),
            state(phrases, standing.state),
            standing.score.map_or(String::new(), total),
        ]
    };
    let rows = contest.standings().into_iter().map(row).collect();
    in_pages(rows, ROWS, |rows| Slide::Standings { title: phrases.hall_standings(), rows })
}

/// Places 1 to 4, once the final is settled.
fn podium(contest: &Contest) -> Option<Slide> {
    let last = contest.phases().last()?.tables().first()?;
    let place =
        |ranked: contest::Ranked| (ranked.rank, contest.name(ranked.entrant), total(ranked.score));
    Some(Slide::Podium { places: last.ranking().into_iter().map(place).collect() })
}

/// How long a ticket is on its way from the urn to its table, in milliseconds, where there are so
/// many: sixteen take half a minute, a thousand not more than two minutes.
pub fn pace(tickets: usize) -> u32 {
    let tickets = u32::try_from(tickets).unwrap_or(u32::MAX).max(1);
    let whole = (1_875 * u64::from(tickets)).min(30_000 + 90 * u64::from(tickets)).min(120_000);
    u32::try_from(whole / u64::from(tickets)).unwrap_or(1).max(1)
}

/// The least size of a name that is too long for its place.
const MIN_PERCENT: usize = 70;

/// How large a name is to be written where there is room for so many letters, as a part of a hundred. What
/// is smaller than that takes two lines.
pub fn fit(name: &str, letters: usize) -> usize {
    let length = name.chars().count().max(1);
    (100 * letters / length).clamp(MIN_PERCENT, 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_smaller_and_never_too_small() {
        assert_eq!(fit("Ana", 20), 100);
        assert_eq!(fit("", 20), 100);
        assert_eq!(fit("Ștefania-Magdalena Ionescu", 20), 76);
        assert_eq!(fit(&"a".repeat(83), 20), MIN_PERCENT);
    }

    #[test]
    fn a_draw_takes_as_long_as_people_like_to_look() {
        let whole = |tickets: usize| pace(tickets) as usize * tickets;
        assert_eq!(whole(4), 7_500);
        assert!((25_000..=31_000).contains(&whole(16)), "{}", whole(16));
        assert!(whole(64) < 40_000, "{}", whole(64));
        assert!((100_000..=120_000).contains(&whole(1024)), "{}", whole(1024));
        assert_eq!(pace(0), 1_875);
    }
}
