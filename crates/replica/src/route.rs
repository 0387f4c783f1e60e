//! The pages and their addresses, as links contain them.

/// The parts of a contest that can be printed.
pub const PRINTED: [&str; 4] = ["tickets", "sheets", "bracket", "final"];

/// A page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Route {
    /// The start page.
    Home,
    /// A table with bots, before it is opened.
    Play {
        /// The rules code.
        rules: String,
    },
    /// A table.
    Table {
        /// The table's id.
        table: String,
        /// The key that admits players.
        key: Option<String>,
    },
    /// A table in the browser, against bots.
    Practice {
        /// The rules code and the level of the bots, such as `cruce4t-21,medium`; None for the
        /// last game.
        plan: Option<String>,
    },
    /// A table for friends, before it is opened.
    Friends {
        /// The suggested rules code.
        code: Option<String>,
    },
    /// The tables that are open to all.
    Lobby,
    /// The rules of a game, at a clause.
    Rules {
        /// `cruce` or `whist`.
        game: &'static str,
        /// The clause, such as `C8`.
        clause: Option<String>,
    },
    /// A finished match, at a moment.
    Replay {
        /// The table's id.
        table: String,
        /// The number of the match at the table.
        number: u32,
        /// The moment, such as `d3t2` (`Moment` of the crate `table-view`).
        moment: Option<String>,
    },
    /// The lessons of a game.
    Learn {
        /// `cruce` or `whist`.
        game: &'static str,
    },
    /// The user's own tables, matches and account.
    Mine,
    /// The score sheets of real tables on this device, and a new one.
    Sheets,
    /// A score sheet on this device.
    Sheet {
        /// Its id on this device.
        sheet: String,
    },
    /// A score sheet on a server, shared by its link.
    SharedSheet {
        /// The ledger's id.
        ledger: String,
        /// The key that permits changes.
        key: Option<String>,
    },
    /// The contests that this device knows, and a new one.
    Contests,
    /// A contest.
    Contest {
        /// The ledger's id.
        ledger: String,
        /// The [`RoleKey`](crate::RoleKey) as text; in the address only until the browser has
        /// stored it.
        role_key: Option<String>,
    },
    /// A contest on the screen of a hall.
    Wall {
        /// The ledger's id.
        ledger: String,
    },
    /// A part of a contest, to be printed.
    Print {
        /// The ledger's id.
        ledger: String,
        /// The part: one of [`PRINTED`].
        what: &'static str,
    },
    /// The user's settings.
    Settings,
    /// There is no such page.
    NotFound,
}

impl Route {
    /// The page of an address.
    pub fn of(path: &str, fragment: &str) -> Route {
        let fragment = (!fragment.is_empty()).then(|| fragment.to_owned());
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts[..] {
            [] => Route::Home,
            ["play", rules] => Route::Play { rules: rules.into() },
            ["t", table] => Route::Table { table: table.into(), key: fragment },
            ["practice"] => Route::Practice { plan: fragment },
            ["friends"] => Route::Friends { code: fragment },
            ["lobby"] => Route::Lobby,
            ["rules"] | ["rules", "cruce"] => Route::Rules { game: "cruce", clause: fragment },
            ["rules", "whist"] => Route::Rules { game: "whist", clause: fragment },
            ["replay", table, number] => match number.parse() {
                Ok(number) => Route::Replay { table: table.into(), number, moment: fragment },
                Err(_) => Route::NotFound,
            },
            ["learn", "cruce"] => Route::Learn { game: "cruce" },
            ["learn", "whist"] => Route::Learn { game: "whist" },
            ["mine"] => Route::Mine,
            ["sheet"] => Route::Sheets,
            ["sheet", sheet] => Route::Sheet { sheet: sheet.into() },
            ["s", ledger] => Route::SharedSheet { ledger: ledger.into(), key: fragment },
            ["settings"] => Route::Settings,
            ["contests"] => Route::Contests,
            ["c", ledger] => Route::Contest { ledger: ledger.into(), role_key: fragment },
            ["c", ledger, "hall"] => Route::Wall { ledger: ledger.into() },
            ["c", ledger, "print", what] => match PRINTED.iter().find(|known| **known == what) {
                Some(what) => Route::Print { ledger: ledger.into(), what },
                None => Route::NotFound,
            },
            _ => Route::NotFound,
        }
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        match self {
            Route::Home | Route::NotFound => "/".into(),
            Route::Play { rules } => format!("/play/{rules}"),
            Route::Table { table, key: Some(key) } => format!("/t/{table}#{key}"),
            Route::Table { table, key: None } => format!("/t/{table}"),
            Route::Practice { plan: Some(plan) } => format!("/practice#{plan}"),
            Route::Practice { plan: None } => "/practice".into(),
            Route::Friends { code: Some(code) } => format!("/friends#{code}"),
            Route::Friends { code: None } => "/friends".into(),
            Route::Lobby => "/lobby".into(),
            Route::Rules { game, clause: Some(clause) } => format!("/rules/{game}#{clause}"),
            Route::Rules { game, clause: None } => format!("/rules/{game}"),
            Route::Replay { table, number, moment: Some(moment) } => {
                format!("/replay/{table}/{number}#{moment}")
            }
            Route::Replay { table, number, moment: None } => format!("/replay/{table}/{number}"),
            Route::Learn { game } => format!("/learn/{game}"),
            Route::Mine => "/mine".into(),
            Route::Sheets => "/sheet".into(),
            Route::Sheet { sheet } => format!("/sheet/{sheet}"),
            Route::SharedSheet { ledger, key: Some(key) } => format!("/s/{ledger}#{key}"),
            Route::SharedSheet { ledger, key: None } => format!("/s/{ledger}"),
            Route::Settings => "/settings".into(),
            Route::Contests => "/contests".into(),
            Route::Contest { ledger, role_key: Some(role_key) } => {
                format!("/c/{ledger}#{role_key}")
            }
            Route::Contest { ledger, role_key: None } => format!("/c/{ledger}"),
            Route::Wall { ledger } => format!("/c/{ledger}/hall"),
            Route::Print { ledger, what } => format!("/c/{ledger}/print/{what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pages by name. A new one does not compile without being named here, and fails the test without
    /// an example.
    macro_rules! pages {
        ($($page:ident)*) => {
            const PAGES: &[&str] = &[$(stringify!($page)),*];

            fn page(route: &Route) -> &'static str {
                match route {
                    $(Route::$page { .. } => stringify!($page),)*
                }
            }
        };
    }

    pages! {
        Home Play Table Practice Friends Lobby Rules Replay Learn Mine Sheets Sheet SharedSheet Contests
        Contest Wall Print Settings NotFound
    }

    fn examples() -> Vec<Route> {
        let table = |key: Option<&str>| Route::Table {
            table: "7rk2m0q9xw".into(),
            key: key.map(String::from),
        };
        let clause = Route::Rules { game: "whist", clause: Some("W4".into()) };
        let replay = |moment: Option<&str>| Route::Replay {
            table: "7rk2m0q9xw".into(),
            number: 2,
            moment: moment.map(String::from),
        };
        vec![
            Route::Home,
            Route::Play { rules: "cruce4t-21".into() },
            table(None),
            table(Some("00ff")),
            Route::Practice { plan: None },
            Route::Practice { plan: Some("cruce4t-21,medium".into()) },
            Route::Friends { code: None },
            Route::Friends { code: Some("cruce3-15-redeal".into()) },
            Route::Lobby,
            clause,
            Route::Rules { game: "cruce", clause: None },
            replay(None),
            replay(Some("d3t2c1")),
            Route::Learn { game: "cruce" },
            Route::Learn { game: "whist" },
            Route::Mine,
            Route::Sheets,
            Route::Sheet { sheet: "7rk2m0q9xw".into() },
            Route::SharedSheet { ledger: "7rk2m0q9xw".into(), key: None },
            Route::SharedSheet { ledger: "7rk2m0q9xw".into(), key: Some("00ff".into()) },
            Route::Settings,
            Route::Contests,
            Route::Contest { ledger: "7rk2m0q9xw".into(), role_key: None },
            Route::Contest { ledger: "7rk2m0q9xw".into(), role_key: Some("player-7.00ff".into()) },
            Route::Wall { ledger: "7rk2m0q9xw".into() },
            Route::Print { ledger: "7rk2m0q9xw".into(), what: "tickets" },
            Route::Print { ledger: "7rk2m0q9xw".into(), what: "final" },
        ]
    }

    #[test]
    fn every_page_is_found_by_its_address() {
        let examples = examples();
        for name in PAGES.iter().filter(|name| **name != "NotFound") {
            assert!(examples.iter().any(|route| page(route) == *name), "no example of {name}");
        }
        for route in examples {
            let address = route.address();
            let (path, fragment) = address.split_once('#').unwrap_or((&address, ""));
            assert_eq!(Route::of(path, fragment), route, "{address}");
        }
    }

    #[test]
    fn unknown_addresses_lead_nowhere() {
        let unknown = [
            "/t",
            "/play",
            "/t/a/b",
            "/weather",
            "/rules/bridge",
            "/learn",
            "/practice/more",
            "/settings/more",
            "/sheet/a/b",
            "/s",
            "/c",
            "/c/a/wall",
            "/c/a/print",
            "/c/a/print/money",
        ];
        let no_match = ["/replay", "/replay/a", "/replay/a/b", "/replay/a/-1", "/replay/a/1/2"];
        for path in unknown.into_iter().chain(no_match) {
            assert_eq!(Route::of(path, ""), Route::NotFound, "{path}");
        }
    }
}
