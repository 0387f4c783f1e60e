//! Exports of a contest: tables for spreadsheets, and its draws in a form that can be repeated.

use crate::contest::{Contest, ContestPhase};
use crate::csv::{self, Csv};
use crate::entrant::EntrantId;
use crate::table::ContestTable;
use crate::urn::{Ticket, table_letters};

impl Contest {
    /// The standings as a table for spreadsheets.
    pub fn standings_csv(&self) -> String {
        let mut table =
            Csv::new(["place", "to_place", "number", "name", "state", "phase", "ticket", "score"]);
        for standing in self.standings() {
            let place = |of: fn((usize, usize)) -> usize| {
                standing.places.map_or(String::new(), |places| of(places).to_string())
            };
            table.row([
                place(|places| places.0),
                place(|places| places.1),
                standing.entrant.number().to_string(),
                csv::name(&self.name(standing.entrant)),
                standing.state.name().into(),
                standing.seat.map_or(String::new(), |(id, _)| (id.phase + 1).to_string()),
                standing.ticket().map_or(String::new(), |ticket| ticket.to_string()),
                standing.score.map_or(String::new(), |score| score.to_string()),
            ]);
        }
        table.text()
    }

    /// The tickets of all entrants in every phase, as a table for spreadsheets.
    pub fn tickets_csv(&self) -> String {
        let mut table = Csv::new(["phase", "ticket", "number", "name"]);
        for (number, phase) in self.phases().iter().enumerate() {
            let tickets = phase.tables().iter().flat_map(|table| table.tickets());
            let tickets = tickets.map(|(ticket, entrant)| (ticket.to_string(), entrant));
            let byes = phase.byes().iter().map(|entrant| ("bye".to_owned(), *entrant));
            for (ticket, entrant) in tickets.chain(byes) {
                let (phase, of) = ((number + 1).to_string(), entrant.number().to_string());
                table.row([phase, ticket, of, csv::name(&self.name(entrant))]);
            }
        }
        table.text()
    }

    /// The results of every table, as a table for spreadsheets.
    pub fn results_csv(&self) -> String {
        let headings =
            ["phase", "table", "ticket", "number", "name", "score", "play_offs", "rank", "goes_on"];
        let mut csv = Csv::new(headings);
        for table in self.phases().iter().flat_map(|phase| phase.tables()) {
            let advancing = table.advancing();
            for ranked in table.ranking() {
                let ticket = Ticket { table: table.id().table, place: ranked.place };
                let goes_on = if advancing.contains(&ranked.entrant) { "yes" } else { "no" };
                csv.row([
                    (table.id().phase + 1).to_string(),
                    table_letters(table.id().table),
                    ticket.to_string(),
                    ranked.entrant.number().to_string(),
                    csv::name(&self.name(ranked.entrant)),
                    ranked.score.to_string(),
                    ranked.play_offs.iter().map(i32::to_string).collect::<Vec<_>>().join(" "),
                    ranked.rank.to_string(),
                    goes_on.into(),
                ]);
            }
        }
        csv.text()
    }

    /// Every draw on a line, with all that is needed to repeat it, in the format of
    /// `corpus/draws.golden`. A draw that no server made, as it was imported, says so at the end.
    pub fn draws(&self) -> String {
        self.phases().iter().enumerate().map(|(at, phase)| self.draw_line(at, phase)).collect()
    }

    fn draw_line(&self, number: usize, phase: &ContestPhase) -> String {
        let list = |entrants: &[EntrantId]| {
            let numbers = entrants.iter().map(|entrant| entrant.number().to_string());
            numbers.collect::<Vec<_>>().join(",")
        };
        let table = |table: &ContestTable| {
            format!("{}:{}", list(table.entrants()), table.dealer().number())
        };
        let tables: Vec<String> = phase.tables().iter().map(table).collect();
        let words: Vec<&str> = phase.words().iter().map(|word| word.as_str()).collect();
        let imported = if phase.is_imported() { " imported=yes" } else { "" };
        format!(
            "{} contest={} phase={} commitment={} secret={} words={} entrants={} tables={} byes={}{}\n",
            self.settings().rules(),
            self.settings().word(),
            number + 1,
            phase.commitment(),
            phase.secret().reveal(),
            words.join(","),
            list(&phase.entrants()),
            tables.join("/"),
            list(phase.byes()),
            imported,
        )
    }
}
