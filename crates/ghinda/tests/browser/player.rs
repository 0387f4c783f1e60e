//! Plays a match through the page alone, with a pointer or with keys.

use std::time::Duration;

use serde_json::json;

use crate::browser::{Browser, TIME_LIMIT};
use crate::page::{ENTER, PageState, RIGHT};
use crate::test_server::TestServer;

/// How the page is operated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Pointer,
    Keys,
}

/// Counts of what happened during play.
#[derive(Default, Debug)]
pub(crate) struct Progress {
    pub(crate) cards: usize,
    pub(crate) bids: usize,
    pub(crate) deals: usize,
    /// Forbidden cards that were tapped, and whose reasons were checked.
    pub(crate) refusals: usize,
}

impl Browser {
    /// Plays until the match is over, and returns the address of its record.
    pub(crate) async fn play_match(&self, by: By) -> (Progress, String) {
        let mut progress = Progress::default();
        let record = loop {
            if let Some(record) = self.play_step(by, &mut progress).await {
                break record;
            }
        };
        (progress, record)
    }

    /// Plays a match and rechecks its record.
    pub(crate) async fn play_and_verify(&self, by: By) -> Progress {
        let (progress, address) = self.play_match(by).await;
        let output = TestServer::verify(&self.fetch(&address).await);
        assert!(!output.is_empty(), "{address}");
        progress
    }

    /// Plays matches until a forbidden card was tapped, which depends on the cards.
    pub(crate) async fn play_until_refused(&self, by: By) -> Progress {
        let mut progress = self.play_and_verify(by).await;
        while progress.refusals == 0 {
            self.rematch(by).await;
            progress = self.play_and_verify(by).await;
        }
        progress
    }

    /// Starts another match.
    pub(crate) async fn rematch(&self, by: By) {
        self.choose("#rematch", by).await;
        self.wait_until("no second match", "!document.querySelector('#rematch')").await;
    }

    /// Waits until an action is possible, and performs it. Returns the address of the record if the
    /// match is over.
    pub(crate) async fn play_step(&self, by: By, progress: &mut Progress) -> Option<String> {
        let can_act = |state: &PageState| {
            let connected = state.banner.is_none();
            let playable = state.card_asked || !state.bids.is_empty() || state.next_deal;
            state.record.is_some() || (connected && playable)
        };
        let state = self.wait_for_state("no action is possible", can_act).await;
        if state.record.is_some() {
            return state.record;
        }
        if state.next_deal {
            progress.deals += 1;
            self.choose("#continue", by).await;
        } else if state.bids.is_empty() {
            self.play_card(by, &state, progress).await;
        } else {
            progress.bids += 1;
            let legal = || state.bids.iter().filter(|bid| !bid.forbidden);
            let bid = legal().find(|bid| bid.bid > 0).or(legal().next()).expect("a legal bid");
            self.choose(&format!(".bid[data-bid='{}']", bid.bid), by).await;
        }
        self.changed(&state).await;
        None
    }

    /// Presses a button.
    async fn choose(&self, button: &str, by: By) {
        match by {
            By::Pointer => self.tap(button).await,
            By::Keys => {
                self.tab_to(button).await;
                self.press(&[], ENTER).await;
            }
        }
    }

    async fn play_card(&self, by: By, state: &PageState, progress: &mut Progress) {
        if progress.refusals == 0
            && let Some(forbidden) = state.hand.iter().find(|held| held.forbidden)
        {
            self.check_refusal(by, forbidden.card).await;
            progress.refusals += 1;
        }
        let legal = state.hand.iter().find(|held| !held.forbidden).expect("a legal card");
        let card = format!(".hand [data-card='{}']", legal.card);
        match by {
            By::Pointer => {
                self.tap(&card).await;
                // If the first tap only raises a card, a second one plays it.
                let raised = |state: &PageState| {
                    state.hand.iter().any(|held| held.card == legal.card && held.raised)
                        || !state.hand.iter().any(|held| held.card == legal.card)
                };
                let after = self.wait_for_state("the card does not move", raised).await;
                if after.hand.iter().any(|held| held.raised) {
                    self.tap(&card).await;
                }
            }
            By::Keys => {
                self.walk_to(legal.card).await;
                self.press(&[], ENTER).await;
                if self.state().await.hand.iter().any(|held| held.card == legal.card && held.raised)
                {
                    self.press(&[], ENTER).await;
                }
            }
        }
        progress.cards += 1;
    }

    /// Moves the focus to a card with the arrows.
    async fn walk_to(&self, card: u32) {
        let focused = "return document.activeElement?.getAttribute('data-card');";
        for _ in 0..20 {
            if self.run(focused, json!([])).await == json!(card.to_string()) {
                return;
            }
            self.press(&[], RIGHT).await;
        }
        self.fail(&format!("the arrows do not reach card {card}")).await
    }

    /// Taps a forbidden card: it stays, and the page shows the reason with the clause of the rules.
    pub(crate) async fn check_refusal(&self, by: By, card: u32) {
        match by {
            By::Pointer => self.tap(&format!(".hand [data-card='{card}']")).await,
            By::Keys => {
                self.walk_to(card).await;
                self.press(&[], ENTER).await;
            }
        }
        let state = self.wait_for_state("no reason is shown", |state| state.why.is_some()).await;
        let (sentence, link) = state.why.expect("a reason");
        let link = link.expect("a link to the clause");
        let (document, clause) = link.split_once('#').expect("a clause");
        assert!(document == "/rules/cruce" || document == "/rules/whist", "{link}");
        assert!(sentence.contains(clause), "{sentence} {link}");
        assert!(state.hand.iter().any(|held| held.card == card), "the card is gone");
        let announced = self.announced().await;
        assert!(
            !announced.is_empty() && sentence.starts_with(announced.trim_end_matches('\u{a0}')),
            "{announced}"
        );
    }

    /// Waits until the state differs from `before`.
    async fn changed(&self, before: &PageState) {
        let same = |state: &PageState| {
            state.hand.iter().map(|held| held.card).eq(before.hand.iter().map(|held| held.card))
                && state.bids.is_empty() == before.bids.is_empty()
                && state.next_deal == before.next_deal
                && state.record == before.record
        };
        let waiting = async {
            while same(&self.state().await) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        if tokio::time::timeout(TIME_LIMIT, waiting).await.is_err() {
            self.fail("the action has no effect").await;
        }
    }
}
