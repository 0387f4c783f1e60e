//! Honour tables: every card can be played. Until all players have accepted the deal, an opponent may
//! challenge a card of a finished trick (C15).

use cards::{Card, Seat};
use game::public::{Round, WRONG_CHALLENGES};
use game::trick::Trick;
use game::{Action, Illegal};

use super::{ReasonText, SceneBuilder};

/// The cards that a player at an honour table may challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Honour {
    /// The finished tricks of the deal, the latest first.
    pub tricks: Vec<FinishedTrick>,
    /// How many more wrong challenges the player may make in this deal.
    pub left: usize,
}

/// A finished trick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinishedTrick {
    /// Its number and winner: `Trick 3, taken by Dana`.
    pub title: String,
    /// Its cards in the order of play.
    pub cards: Vec<ChallengeableCard>,
}

/// A card that may be challenged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChallengeableCard {
    /// The card.
    pub card: Card,
    /// Its name.
    pub name: String,
    /// The player who played it.
    pub player: String,
    /// The challenge.
    pub action: Action,
    /// The question that confirms the challenge.
    pub question: String,
    /// Why it cannot be challenged; None if it can.
    pub why: Option<ReasonText>,
    /// Whether an earlier challenge has shown that it broke no duty.
    pub cleared: bool,
}

impl SceneBuilder<'_> {
    pub(super) fn honour(&self) -> Option<Honour> {
        let (own, round) = (self.viewer_seat()?, self.public.round()?);
        if !self.rules().honour() {
            return None;
        }
        let wrong = round.challenges().iter().filter(|challenge| challenge.by == own).count();
        let tricks = round.tricks().iter().enumerate().rev();
        Some(Honour {
            tricks: tricks.map(|(at, trick)| self.finished_trick(at as u8, trick)).collect(),
            left: WRONG_CHALLENGES.saturating_sub(wrong),
        })
    }

    fn finished_trick(&self, number: u8, trick: &Trick) -> FinishedTrick {
        let doubted = |(accused, card)| self.doubted(number, accused, card);
        FinishedTrick {
            title: self.phrases.challenge_trick(number + 1, self.name(trick.winner())),
            cards: trick.plays(self.rules().players()).map(doubted).collect(),
        }
    }

    fn doubted(&self, trick: u8, accused: Seat, card: Card) -> ChallengeableCard {
        let action = Action::Challenge { trick, accused };
        let illegal = self.view.check(action).err();
        let the_card = self.phrases.the_card(self.pack(), card);
        ChallengeableCard {
            card,
            name: self.phrases.card(self.pack(), card),
            player: self.name(accused).into(),
            action,
            question: self.phrases.challenge_ask(the_card, self.name(accused), trick + 1),
            why: illegal.map(|illegal| self.reason(&illegal)),
            cleared: illegal == Some(Illegal::AlreadyJudged),
        }
    }

    /// The question whether the deal was fair, or the players who have not accepted it yet.
    pub(super) fn acceptance_status(&self, round: &Round) -> String {
        let is_undecided = |seat: &Seat| !round.accepted()[*seat];
        if self.viewer_seat().is_some_and(|own| is_undecided(&own)) {
            return self.phrases.scene_accepting();
        }
        let seats = Seat::first(self.rules().players()).filter(is_undecided);
        let names: Vec<String> = seats.map(|seat| self.name(seat).into()).collect();
        self.phrases.scene_accepting_others(self.phrases.list_and(&names))
    }
}

#[cfg(test)]
mod tests {
    use game::View;

    use crate::scene::{Direction, ScenePrompt, TableScene};
    use phrases::Phrases;
    use phrases::language::Language;

    /// One trick is over, and seat 2 is not in turn.
    const ONE_TRICK: &str = "cruce4t-honour seat=2 hand=X4b3l9a2h bids=1.0.0.0 play=Ab.9b.2b.3b";

    fn scene(view: &str) -> TableScene {
        let view: View = view.parse().unwrap_or_else(|fault| panic!("{view}: {fault}"));
        let names: Vec<String> = ["Ana", "Bogdan", "Călin", "Dana"].map(String::from).to_vec();
        TableScene::new(&view, &names, Direction::Clockwise, &Phrases::new(Language::English))
    }

    /// A deal whose cards are all played.
    fn played(seat: &str, accepted: &str) -> TableScene {
        let ranks = "AX4329".chars();
        let play = ranks.flat_map(|rank| "blah".chars().map(move |suit| format!("{rank}{suit}")));
        let play = play.collect::<Vec<_>>().join(".");
        scene(&format!("cruce4t-honour seat={seat} bids=1.0.0.0 play={play}{accepted}"))
    }

    #[test]
    fn cards_of_opponents_in_finished_tricks_can_be_challenged() {
        let honour = scene(ONE_TRICK).honour.expect("an honour table");
        assert_eq!(honour.left, 2);
        let [trick] = &honour.tricks[..] else { panic!("{:?}", honour.tricks) };
        assert_eq!(trick.title, "Trick 1, taken by Ana");
        let open: Vec<bool> = trick.cards.iter().map(|doubted| doubted.why.is_none()).collect();
        assert_eq!(open, [true, false, true, false], "Dana plays with Bogdan");
        let partner = trick.cards[3].why.as_ref().expect("a reason");
        assert_eq!(partner.clause, "C15");
        let question = &trick.cards[2].question;
        assert!(question.contains("the II of bells, laid by Călin in trick 1"), "{question}");
    }

    #[test]
    fn a_card_is_judged_once_and_a_seat_may_be_wrong_twice() {
        let honour = scene(&format!("{ONE_TRICK} challenges=2:1:1")).honour.expect("honour");
        assert_eq!(honour.left, 1);
        assert!(honour.tricks[0].cards[0].cleared && !honour.tricks[0].cards[2].cleared);
        let honour = scene(&format!("{ONE_TRICK} challenges=2:1:1.2:1:3")).honour.expect("honour");
        assert_eq!(honour.left, 0);
        assert!(honour.tricks[0].cards.iter().all(|doubted| doubted.why.is_some()));
    }

    #[test]
    fn only_players_of_an_honour_table_can_challenge() {
        let spectator = ONE_TRICK.replace("seat=2", "seat=-").replace(" hand=X4b3l9a2h", "");
        assert_eq!(scene(&spectator).honour, None);
        assert_eq!(scene(&ONE_TRICK.replace("-honour", "")).honour, None);
        let bids = "cruce4t-honour seat=2 hand=X94b3l9a2h bids=1";
        assert_eq!(scene(bids).honour, None, "no card is played yet");
    }

    #[test]
    fn all_players_accept_a_deal() {
        let asked = played("2 hand=-", "");
        assert_eq!(asked.prompt, ScenePrompt::Accept);
        assert_eq!(asked.status, "All cards are played: was it fair?");
        assert_eq!(asked.honour.expect("honour").tricks.len(), 6);
        let waiting = played("2 hand=-", " accepted=1.2");
        assert_eq!(waiting.prompt, ScenePrompt::Nothing);
        assert_eq!(waiting.status, "Waiting for Călin and Dana to accept the deal");
        let spectator = played("-", " accepted=1.2.3");
        assert_eq!(spectator.status, "Waiting for Dana to accept the deal");
    }
}
