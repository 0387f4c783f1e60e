//! The versions of the schema: each list starts with version 1, and only grows at its end.
//!
//! A database stores its version in the table `schema_version` and is migrated when it is opened, in
//! one transaction for which other servers that open it must wait.

use crate::error::StoreError;

/// For each version, the statements that make it from the one before.
pub(crate) type Versions = &'static [&'static str];

pub(crate) const SQLITE: Versions = &[
    include_str!("sqlite/version1.sql"),
    include_str!("sqlite/version2.sql"),
    include_str!("sqlite/version3.sql"),
];
pub(crate) const POSTGRES: Versions = &[
    include_str!("postgres/version1.sql"),
    include_str!("postgres/version2.sql"),
    include_str!("postgres/version3.sql"),
];

/// The statements missing in a database of the version found, which is `None` for a new one.
pub(crate) fn missing(found: Option<i64>, known: Versions) -> Result<Versions, StoreError> {
    let newest = number(known);
    let found = u32::try_from(found.unwrap_or_default())
        .map_err(|_| StoreError::Corrupt("its version is not a valid number".to_owned()))?;
    match known.get(found as usize..) {
        Some(missing) => Ok(missing),
        None => Err(StoreError::Newer { found, known: newest }),
    }
}

/// The newest version of a list.
pub(crate) fn number(known: Versions) -> u32 {
    u32::try_from(known.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_missing_versions_are_applied() {
        let known: Versions = &["a", "b", "c"];
        assert_eq!(missing(None, known).unwrap(), ["a", "b", "c"]);
        assert_eq!(missing(Some(2), known).unwrap(), ["c"]);
        assert!(missing(Some(3), known).unwrap().is_empty());
    }

    #[test]
    fn a_newer_database_is_refused() {
        let error = missing(Some(4), &["a", "b"]).unwrap_err();
        assert_eq!(error, StoreError::Newer { found: 4, known: 2 });
        assert!(matches!(missing(Some(-1), &["a"]), Err(StoreError::Corrupt(_))));
    }

    #[test]
    fn both_databases_have_the_same_versions() {
        assert_eq!(number(SQLITE), number(POSTGRES));
    }
}

/// Logs of version 2 for the tests of both databases: a table with two events, a closed one, and a ledger.
#[cfg(test)]
pub(crate) mod version_2 {
    use crate::id::{LogId, PlayerId, TableId};
    use crate::store::Store;

    pub(crate) const ROWS_OF_VERSION_2: &str =
        "INSERT INTO tables (id, epoch, last_sequence, closed, created_ms, ledger)
             VALUES (7, 1, 2, FALSE, 3, FALSE), (8, 1, 0, TRUE, 4, FALSE), (9, 1, 0, FALSE, 5, TRUE);
         INSERT INTO events VALUES (7, 1, 10, 'ță'), (7, 2, 20, 'a')";

    /// Checks what is known of these logs after the migration.
    pub(crate) async fn check_version_3(store: &impl Store) {
        let mut found = Vec::new();
        for number in 7..=9 {
            let info = store.find_log(LogId::new(number).unwrap()).await.unwrap().unwrap();
            found.push((info.last_ms, info.bytes));
        }
        assert_eq!(found, [(20, 5), (4, 0), (5, 0)]);
        let table = TableId::new(7).unwrap();
        assert_eq!(store.tables_without_seats(10).await.unwrap(), [table]);
        let player = PlayerId::new(1).unwrap();
        store.fill_seats(table, &[player]).await.unwrap();
        assert_eq!(store.tables_without_seats(10).await.unwrap(), []);
        assert_eq!(store.seated_tables(player, 10).await.unwrap(), [table]);
    }
}
