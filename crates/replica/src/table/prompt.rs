//! What the table expects from the viewer's own seat, and the viewer's actions.

use cards::Seat;
use game::notation::action_text;
use game::public::Phase;
use game::{Action, OpenEvent, SeatEvent};
use wire::table::{TableCommand, TableStage};

use super::TableReplica;

/// What the table expects from a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prompt {
    /// A bid, a card, or the acceptance of the deal (C15): one of
    /// [`lawful_actions`](game::View::lawful_actions).
    Act,
    /// The confirmation that the score was read, so that the next deal may begin.
    Ready,
    /// Optionally, the request for another match.
    Rematch,
}

impl TableReplica {
    /// The viewer's own seat. Returns None for a spectator.
    pub fn seat(&self) -> Option<Seat> {
        Seat::from_number(self.state()?.you.seat?)
    }

    /// What the table expects from the viewer's seat. Returns None if the viewer has no seat, if
    /// other seats must act, if the viewer has answered already, or if the table is paused or
    /// closed.
    ///
    /// While a bot stands in, the player may still act, and takes the seat back by acting. Until
    /// then the table does not wait for the player to read the score.
    pub fn prompt(&self) -> Option<Prompt> {
        let (state, seat) = (self.state()?, self.seat()?);
        let own = state.seats.get(seat.index())?;
        if state.closed || state.paused {
            return None;
        }
        match state.stage {
            TableStage::Waiting => None,
            TableStage::Over => (state.next.is_some() && !own.ready).then_some(Prompt::Rematch),
            TableStage::Playing => {
                let view = self.view()?;
                let public = view.public();
                if let Phase::Dealing = public.phase() {
                    // The first deal begins without confirmation.
                    let must_read = !state.deals.is_empty() && own.stand_in.is_none();
                    return (must_read && !own.ready).then_some(Prompt::Ready);
                }
                // Checked first, because it is cheap and another seat is mostly in turn.
                let may_act = public.turn().is_none_or(|turn| turn == seat);
                (may_act && !view.lawful_actions().is_empty()).then_some(Prompt::Act)
            }
        }
    }

    /// An action of the viewer's seat as a command, whether it is legal or not. Returns None if
    /// the viewer has no seat, or no match has begun.
    pub fn act(&self, action: Action) -> Option<TableCommand> {
        let rules = self.view()?.public().rules();
        Some(TableCommand::Act(action_text(rules, self.seat()?, action)))
    }

    /// Shows a card of the viewer on the table, in [`TableReplica::shown_view`], before the server has
    /// answered. Does nothing if the rules forbid the card.
    pub fn show_early(&mut self, action: Action) {
        let Action::Play { card, call } = action else { return };
        let (Some(seat), Some(known)) = (self.seat(), &mut self.known) else { return };
        let Some(mut view) = known.view.clone().filter(|_| !known.state.paused) else { return };
        let call = call.then(|| view.public().call_points(card));
        let played = SeatEvent::Open(OpenEvent::Played { seat, card, call });
        known.laid = view.apply(&played).is_ok().then_some(view);
    }
}

#[cfg(test)]
mod tests {
    use cards::Pack;
    use test_support::table::{commitment, snapshot};
    use wire::table::{
        PlayedDealText, RefusalReason, ServerMessage, Snapshot, StandInReason, TableEvent, Update,
        ViewerPlace,
    };

    use super::*;
    use crate::Replica;
    use crate::table::TableChange;

    const MY_BID: &str = "cruce2 seat=1 hand=AX4329bAXl";
    const MY_CARD: &str = "cruce4t seat=2 hand=X43bA9l9h bids=1.0.0.0 play=Ab";
    const READING: &str = "cruce2 seat=1 deal=2 first=2 score=1/0 phase=dealing";
    const OVER: &str = "cruce2 seat=1 deal=9 score=21/3 phase=over";

    fn deal() -> PlayedDealText {
        PlayedDealText {
            first: 1,
            bids: vec![Some(1), Some(0)],
            declarer: Some(1),
            points: vec![40, 20],
            change: vec![1, 0],
            prize: Vec::new(),
            revoke: None,
        }
    }

    /// A replica of a table with this view, after `change` was applied to its snapshot.
    fn replica(view: &str, change: impl FnOnce(&mut Snapshot)) -> TableReplica {
        let word = |at: usize| view.split([' ', '=']).nth(at);
        let rules = word(0).expect("rules");
        let seats = if rules.starts_with("cruce4") { 4 } else { 2 };
        let mut state = Snapshot {
            // A spectator's view has a dash there.
            you: ViewerPlace { seat: word(2).and_then(|seat| seat.parse().ok()), host: false },
            listed: true,
            stage: if view == OVER { TableStage::Over } else { TableStage::Playing },
            next: (view == OVER).then(|| commitment(2)),
            view: Some(view.into()),
            deals: if view == READING { vec![deal()] } else { Vec::new() },
            ..snapshot(rules, seats)
        };
        change(&mut state);
        let mut replica = TableReplica::new("t");
        let received = replica.receive(ServerMessage::Snapshot(Box::new(state)));
        assert_eq!(received, TableChange::Snapshot, "{view}");
        replica
    }

    #[track_caller]
    fn check(view: &str, change: impl FnOnce(&mut Snapshot), expected: Option<Prompt>) {
        assert_eq!(replica(view, change).prompt(), expected, "{view}");
    }

    #[test]
    fn the_seat_in_turn_must_act() {
        check(MY_BID, |_| {}, Some(Prompt::Act));
        check(MY_CARD, |_| {}, Some(Prompt::Act));
        check("cruce2 seat=2 hand=AX4329bAXl", |_| {}, None);
        check("cruce4t seat=3 hand=X43bA9l9h bids=1.0.0.0 play=Ab", |_| {}, None);
    }

    #[test]
    fn spectators_and_inactive_tables_have_no_prompt() {
        check("cruce2 seat=- bids=0", |_| {}, None);
        assert_eq!(replica("cruce2 seat=- bids=0", |_| {}).seat(), None);
        assert_eq!(TableReplica::new("t").prompt(), None);
        check(MY_BID, |state| (state.stage, state.view) = (TableStage::Waiting, None), None);
        for view in [MY_BID, MY_CARD, READING] {
            check(view, |state| state.paused = true, None);
        }
        for view in [MY_BID, MY_CARD, READING, OVER] {
            check(view, |state| state.closed = true, None);
        }
    }

    #[test]
    fn a_score_is_confirmed_once_and_the_first_deal_needs_no_confirmation() {
        check(READING, |_| {}, Some(Prompt::Ready));
        check(READING, |state| state.seats[1].ready = true, Some(Prompt::Ready));
        check(READING, |state| state.seats[0].ready = true, None);
        check(READING, |state| state.deals.clear(), None);
    }

    #[test]
    fn a_rematch_is_offered_once_it_is_promised() {
        check(OVER, |_| {}, Some(Prompt::Rematch));
        check(OVER, |state| state.seats[0].ready = true, None);
        // Duplicate tables have no rematch.
        check(OVER, |state| state.next = None, None);
    }

    #[test]
    fn a_player_may_act_before_the_stand_in_but_need_not_confirm_the_score() {
        let stands_in = |state: &mut Snapshot| state.seats[0].stand_in = Some(StandInReason::Time);
        check(MY_BID, stands_in, Some(Prompt::Act));
        check(READING, stands_in, None);
    }

    #[test]
    fn an_honour_table_expects_cards_and_acceptance_but_no_challenge() {
        // A trick is over, and every opponent may challenge its cards at any time (C15).
        let view = "cruce4t-honour seat=2 hand=X4b3l9a2h bids=1.0.0.0 play=Ab.9b.2b.3b";
        let waits = replica(view, |_| {});
        assert!(!waits.view().expect("a view").actions().is_empty());
        assert_eq!(waits.prompt(), None);
        check(&view.replace("seat=2", "seat=1"), |_| {}, Some(Prompt::Act));
        let ranks = "AX4329".chars().flat_map(|rank| "blah".chars().map(move |suit| (rank, suit)));
        let play: Vec<String> = ranks.map(|(rank, suit)| format!("{rank}{suit}")).collect();
        let all = play.join(".");
        let played = format!("cruce4t-honour seat=2 hand=- bids=1.0.0.0 play={all}");
        check(&played, |_| {}, Some(Prompt::Act));
        check(&format!("{played} accepted=1"), |_| {}, Some(Prompt::Act));
        check(&format!("{played} accepted=1.2"), |_| {}, None);
    }

    #[test]
    fn a_challenge_is_known_until_another_trick_is_taken() {
        let view = "cruce4t-honour seat=2 hand=X4b3l9a2h bids=1.0.0.0 play=Ab.9b.2b.3b";
        let mut replica = replica(view, |_| {});
        let receive = |replica: &mut TableReplica, version: u64, events: Vec<TableEvent>| {
            let update = Update { version, at: 0, events, clock: None, done: None };
            assert!(matches!(
                replica.receive(ServerMessage::Update(update)),
                TableChange::Events(_)
            ));
        };
        assert_eq!(replica.challenged(), None);
        let challenged = TableEvent::Challenged { seat: 4, trick: 1, accused: 3, broken: None };
        receive(&mut replica, 10, vec![challenged.clone()]);
        assert_eq!(replica.challenged(), Some(&challenged));
        let laid = [(1, "Al"), (2, "3l"), (3, "9l"), (4, "Xl")];
        let played =
            laid.map(|(seat, card)| TableEvent::Played { seat, card: card.into(), call: None });
        receive(&mut replica, 11, played.to_vec());
        assert_eq!(replica.challenged(), Some(&challenged), "the trick is not taken yet");
        receive(&mut replica, 12, vec![TableEvent::Took { seat: 1, points: 24 }]);
        assert_eq!(replica.challenged(), None);
    }

    #[test]
    fn a_card_is_shown_on_the_table_before_the_server_answers() {
        let card = game::notation::parse_card(Pack::Hungarian, "Xb").expect("a card");
        let action = Action::Play { card, call: false };
        let is_laid = |replica: &TableReplica| {
            let sight = replica.shown_view().expect("a view");
            let trick = sight.public().round().expect("cards are played").trick();
            trick.cards().contains(&card) && !sight.hand().contains(card)
        };
        let laid = || {
            let mut replica = replica(MY_CARD, |_| {});
            replica.show_early(action);
            assert!(is_laid(&replica));
            // The confirmed view does not have the card on the table yet.
            assert_eq!(replica.prompt(), Some(Prompt::Act));
            assert!(replica.view().expect("a view").hand().contains(card));
            let (id, _) = replica.command(replica.act(action).expect("a command"));
            (replica, id)
        };
        let update = |version, events| Update { version, at: 0, events, clock: None, done: None };

        let (mut confirmed, id) = laid();
        let played = TableEvent::Played { seat: 2, card: "Xb".into(), call: None };
        let played = Update { done: Some(id), ..update(10, vec![played]) };
        confirmed.receive(ServerMessage::Update(played));
        assert!(is_laid(&confirmed));
        assert!(!confirmed.view().expect("a view").hand().contains(card));

        let (mut refused, id) = laid();
        // A chat message does not remove the card.
        let chat = TableEvent::Said { seat: 1, text: Some("hm".into()), phrase: None };
        refused.receive(ServerMessage::Update(update(10, vec![chat])));
        assert!(is_laid(&refused));
        refused.receive(ServerMessage::Refused { id, refusal: RefusalReason::Paused.into() });
        assert!(!is_laid(&refused));

        // A card that may not be played stays in the hand.
        let mut illegal = replica(MY_CARD, |_| {});
        let other = game::notation::parse_card(Pack::Hungarian, "9h").expect("a card");
        illegal.show_early(Action::Play { card: other, call: false });
        assert_eq!(illegal.shown_view(), illegal.view());
        let mut paused = replica(MY_CARD, |state| state.paused = true);
        paused.show_early(action);
        assert!(!is_laid(&paused));
    }

    #[test]
    fn an_action_is_sent_in_its_notation() {
        let replica = replica(MY_CARD, |_| {});
        assert_eq!(replica.seat().map(Seat::number), Some(2));
        let lawful = replica.view().expect("a view").lawful_actions();
        let sent = lawful.iter().map(|action| replica.act(*action));
        let expected = ["3b", "4b", "Xb"].map(|card| Some(TableCommand::Act(card.into())));
        assert_eq!(sent.collect::<Vec<_>>(), expected);
        let challenge = Action::Challenge { trick: 0, accused: Seat::new(2).expect("seat 3") };
        assert_eq!(replica.act(challenge), Some(TableCommand::Act("?2:1:3".into())));
        assert_eq!(TableReplica::new("t").act(challenge), None);
    }
}
