//! The permission to change a contest or a sheet: a role and its key. A link has it after the `#`,
//! which browsers do not send to the server; the browser stores it.

use core::fmt;
use core::str::FromStr;

use contest::Role;
use ids::Key;
use thiserror::Error;
use wire::contest::{parse_role, role_text};
use wire::ledger::role_key;

use crate::route::Route;

/// A role with its key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoleKey {
    /// The role.
    pub role: Role,
    /// The key that proves the role.
    pub key: Key,
}

/// The text is not a role key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a role key is a role and its key: organiser.…, referee-2B.…, player-7.…")]
pub struct InvalidRoleKey;

impl RoleKey {
    /// The role key of the organiser.
    pub const fn organiser(key: Key) -> RoleKey {
        RoleKey { role: Role::Organiser, key }
    }

    /// The role key of another role. Returns None unless this one is the organiser's.
    pub fn for_role(&self, role: Role) -> Option<RoleKey> {
        (self.role == Role::Organiser).then(|| RoleKey { role, key: role_key(self.key, role) })
    }

    /// The address of the link with this role key.
    pub fn address(&self, ledger: &str) -> String {
        Route::Contest { ledger: ledger.into(), role_key: Some(self.to_string()) }.address()
    }

    /// The role as text, for the server.
    pub fn role_text(&self) -> String {
        role_text(self.role)
    }
}

impl fmt::Display for RoleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", role_text(self.role).replace(' ', "-"), self.key)
    }
}

impl FromStr for RoleKey {
    type Err = InvalidRoleKey;

    fn from_str(text: &str) -> Result<RoleKey, InvalidRoleKey> {
        let (role, key) = text.split_once('.').ok_or(InvalidRoleKey)?;
        let role = parse_role(&role.replacen('-', " ", 1)).map_err(|_| InvalidRoleKey)?;
        let known = matches!(role, Role::Organiser | Role::Referee(_) | Role::Player(_));
        let key = key.parse().map_err(|_| InvalidRoleKey)?;
        if known { Ok(RoleKey { role, key }) } else { Err(InvalidRoleKey) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contest::{ContestTableId, EntrantId};

    #[test]
    fn a_role_key_is_written_and_read() {
        let organiser = RoleKey::organiser(Key::new([0xa5; 16]));
        let roles = [
            Role::Organiser,
            Role::Referee(ContestTableId { phase: 1, table: 27 }),
            Role::Player(EntrantId::new(6).unwrap()),
        ];
        let texts = roles.map(|role| organiser.for_role(role).unwrap().to_string());
        assert_eq!(texts[0], format!("organiser.{}", "a5".repeat(16)));
        assert!(texts[1].starts_with("referee-2AB.") && texts[2].starts_with("player-7."));
        for (text, role) in texts.iter().zip(roles) {
            assert_eq!(text.parse(), organiser.for_role(role).ok_or(InvalidRoleKey), "{text}");
        }
        let player: RoleKey = texts[2].parse().unwrap();
        assert_eq!(player.for_role(Role::Organiser), None, "only the organiser makes role keys");
        assert_eq!(player.address("7rk2m0q9xw"), format!("/c/7rk2m0q9xw#{}", texts[2]));
    }

    #[test]
    fn other_texts_are_refused() {
        let key = "a5".repeat(16);
        let invalid = ["public", "house", "player-0", "player", "referee-B", "referee-2-B", ""];
        for role in invalid {
            assert_eq!(format!("{role}.{key}").parse::<RoleKey>(), Err(InvalidRoleKey), "{role}");
        }
        for text in ["organiser", "organiser.", "organiser.a5", &key] {
            assert_eq!(text.parse::<RoleKey>(), Err(InvalidRoleKey), "{text}");
        }
    }
}
