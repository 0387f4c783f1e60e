//! The places of the page and their addresses: what stands in links.

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Route {
    /// Where everybody begins.
    Home,
    /// A table, with what its link holds.
    Table {
        /// The table's name in links.
        table: String,
        /// What lets people in.
        key: Option<String>,
    },
    /// A table for friends, before it is opened.
    Friends,
    /// Tables that are open to all.
    Lobby,
    /// The rules of a game, at a clause.
    Rules {
        /// `cruce` or `whist`.
        game: &'static str,
        /// The clause, such as `C8`.
        clause: Option<String>,
    },
    /// What can be chosen.
    Settings,
    /// There is no such place.
    Nowhere,
}

impl Route {
    /// The place of an address.
    pub fn of(path: &str, fragment: &str) -> Route {
        let fragment = (!fragment.is_empty()).then(|| fragment.to_owned());
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts[..] {
            [] => Route::Home,
            ["t", table] => Route::Table { table: table.into(), key: fragment },
            ["friends"] => Route::Friends,
            ["lobby"] => Route::Lobby,
            ["rules"] | ["rules", "cruce"] => Route::Rules { game: "cruce", clause: fragment },
            ["rules", "whist"] => Route::Rules { game: "whist", clause: fragment },
            ["settings"] => Route::Settings,
            _ => Route::Nowhere,
        }
    }

    /// The address of a place.
    pub fn address(&self) -> String {
        match self {
            Route::Home | Route::Nowhere => "/".into(),
            Route::Table { table, key: Some(key) } => format!("/t/{table}#{key}"),
            Route::Table { table, key: None } => format!("/t/{table}"),
            Route::Friends => "/friends".into(),
            Route::Lobby => "/lobby".into(),
            Route::Rules { game, clause: Some(clause) } => format!("/rules/{game}#{clause}"),
            Route::Rules { game, clause: None } => format!("/rules/{game}"),
            Route::Settings => "/settings".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_by_its_address() {
        let table = |key: Option<&str>| Route::Table {
            table: "7rk2m0q9xw".into(),
            key: key.map(String::from),
        };
        let clause = Route::Rules { game: "whist", clause: Some("W4".into()) };
        for route in [
            Route::Home,
            table(None),
            table(Some("00ff")),
            Route::Friends,
            Route::Lobby,
            clause,
            Route::Rules { game: "cruce", clause: None },
            Route::Settings,
        ] {
            let address = route.address();
            let (path, fragment) = address.split_once('#').unwrap_or((&address, ""));
            assert_eq!(Route::of(path, fragment), route, "{address}");
        }
    }

    #[test]
    fn other_addresses_are_nowhere() {
        for path in ["/t", "/t/a/b", "/weather", "/rules/bridge", "/settings/more"] {
            assert_eq!(Route::of(path, ""), Route::Nowhere, "{path}");
        }
    }
}
