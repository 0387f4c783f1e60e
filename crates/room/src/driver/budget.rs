//! How much the players of a table may ask for: the log is stored for good.

use ids::PlayerId;
use wire::table::TableCommand;

use crate::room::Millis;

/// How many commands besides those of the play a player may give at once.
const BURST: u64 = 20;
/// After this time a player may give one more.
const REFILL: Millis = 250;
/// How many players are remembered. If more have given commands, the one whose budget is full the
/// soonest is forgotten: they have given the fewest.
const MAX_PLAYERS: usize = 64;

/// The commands that the players may still give.
#[derive(Clone, Debug, Default)]
pub(super) struct CommandBudget {
    /// For each player, when the budget is full again.
    full_at: Vec<(PlayerId, Millis)>,
}

impl CommandBudget {
    /// Counts a command. Returns false if the player has given too many.
    pub(super) fn take(&mut self, player: PlayerId, command: &TableCommand, now: Millis) -> bool {
        // The play has its own rhythm, and chat its own limit.
        use TableCommand::{Act, Claim, Phrase, Ready, Say, TakeBack};
        if matches!(command, Act(_) | Claim | Ready | TakeBack | Say(_) | Phrase(_)) {
            return true;
        }
        self.full_at.retain(|(_, full_at)| *full_at > now);
        let known = self.full_at.iter().position(|(known, _)| *known == player);
        let full_at = known.map_or(now, |at| self.full_at[at].1) + REFILL;
        if full_at > now + BURST * REFILL {
            return false;
        }
        known.map(|at| self.full_at.remove(at));
        if self.full_at.len() == MAX_PLAYERS {
            let soonest = (0..MAX_PLAYERS).min_by_key(|at| self.full_at[*at].1);
            soonest.map(|at| self.full_at.swap_remove(at));
        }
        self.full_at.push((player, full_at));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(number: u64) -> PlayerId {
        PlayerId::new(number).expect("small")
    }

    #[test]
    fn commands_besides_the_play_are_limited_for_each_player() {
        let (mut budget, command) = (CommandBudget::default(), TableCommand::AskForPause);
        let mut given = |number, now| budget.take(player(number), &command, now);
        assert_eq!((0..100).filter(|_| given(1, 5)).count() as u64, BURST);
        assert!(given(2, 5), "another player has a budget of their own");
        assert_eq!((0..100).filter(|_| given(1, 5 + 3 * REFILL)).count(), 3);
        let later = 5 + 100 * REFILL;
        assert_eq!((0..100).filter(|_| given(1, later)).count() as u64, BURST);
        assert!((0..100).all(|_| budget.take(player(1), &TableCommand::Ready, later)));
    }

    #[test]
    fn few_players_are_remembered() {
        let mut budget = CommandBudget::default();
        for number in 1..=1_000 {
            assert!(budget.take(player(number), &TableCommand::AskForPause, 5));
        }
        assert_eq!(budget.full_at.len(), MAX_PLAYERS);
    }

    #[test]
    fn many_players_do_not_make_the_table_forget_one_who_has_given_many_commands() {
        let (mut budget, command) = (CommandBudget::default(), TableCommand::AskForPause);
        while budget.take(player(1), &command, 5) {}
        for number in 2..=1_000 {
            assert!(budget.take(player(number), &command, 5));
        }
        assert!(!budget.take(player(1), &command, 5));
    }
}
