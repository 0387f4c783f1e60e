//! Somebody who plays a match through the page alone, with a pointer or with keys.

use std::time::Duration;

use serde_json::json;

use crate::browser::{Browser, PATIENCE};
use crate::page::{ENTER, RIGHT, Sight};
use crate::test_server::TestServer;

/// How somebody plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Pointer,
    Keys,
}

/// What was met on the way.
#[derive(Default, Debug)]
pub(crate) struct Met {
    pub(crate) cards: usize,
    pub(crate) bids: usize,
    pub(crate) deals: usize,
    /// Forbidden cards that were tapped, and whose reasons were read.
    pub(crate) refusals: usize,
}

impl Browser {
    /// Plays until the match is over, and says where its record lies.
    pub(crate) async fn play_match(&self, by: By) -> (Met, String) {
        let mut met = Met::default();
        let record = loop {
            if let Some(record) = self.play_one(by, &mut met).await {
                break record;
            }
        };
        (met, record)
    }

    /// Plays a match and rechecks its record.
    pub(crate) async fn play_and_verify(&self, by: By) -> Met {
        let (met, address) = self.play_match(by).await;
        let told = TestServer::verify(&self.fetch(&address).await);
        assert!(!told.is_empty(), "{address}");
        met
    }

    /// Plays matches until a card was refused on the way: it is soon, but it is chance.
    pub(crate) async fn play_until_refused(&self, by: By) -> Met {
        let mut met = self.play_and_verify(by).await;
        while met.refusals == 0 {
            self.rematch(by).await;
            met = self.play_and_verify(by).await;
        }
        met
    }

    /// Plays another match.
    pub(crate) async fn rematch(&self, by: By) {
        self.choose("#rematch", by).await;
        self.until("no second match", "!document.querySelector('#rematch')").await;
    }

    /// Waits until something can be done, and does it; where the record lies, if the match is over.
    pub(crate) async fn play_one(&self, by: By, met: &mut Met) -> Option<String> {
        let asked = |sight: &Sight| {
            let alone = sight.banner.is_none();
            let playable = sight.card_asked || !sight.bids.is_empty() || sight.next_deal;
            sight.record.is_some() || (alone && playable)
        };
        let sight = self.sees("nothing can be done", asked).await;
        if sight.record.is_some() {
            return sight.record;
        }
        if sight.next_deal {
            met.deals += 1;
            self.choose("#continue", by).await;
        } else if sight.bids.is_empty() {
            self.play_card(by, &sight, met).await;
        } else {
            met.bids += 1;
            let legal = || sight.bids.iter().filter(|bid| !bid.forbidden);
            let bid = legal().find(|bid| bid.bid > 0).or(legal().next()).expect("a legal bid");
            self.choose(&format!(".bid[data-bid='{}']", bid.bid), by).await;
        }
        self.changed(&sight).await;
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

    async fn play_card(&self, by: By, sight: &Sight, met: &mut Met) {
        if met.refusals == 0
            && let Some(forbidden) = sight.hand.iter().find(|held| held.forbidden)
        {
            self.is_told_why(by, forbidden.card).await;
            met.refusals += 1;
        }
        let legal = sight.hand.iter().find(|held| !held.forbidden).expect("a legal card");
        let card = format!(".hand [data-card='{}']", legal.card);
        match by {
            By::Pointer => {
                self.tap(&card).await;
                // Where a tap only raises a card, another plays it.
                let raised = |sight: &Sight| {
                    sight.hand.iter().any(|held| held.card == legal.card && held.raised)
                        || !sight.hand.iter().any(|held| held.card == legal.card)
                };
                let after = self.sees("the card does not move", raised).await;
                if after.hand.iter().any(|held| held.raised) {
                    self.tap(&card).await;
                }
            }
            By::Keys => {
                self.walk_to(legal.card).await;
                self.press(&[], ENTER).await;
                if self.sight().await.hand.iter().any(|held| held.card == legal.card && held.raised)
                {
                    self.press(&[], ENTER).await;
                }
            }
        }
        met.cards += 1;
    }

    /// To a card with the arrows.
    async fn walk_to(&self, card: u32) {
        let focused = "return document.activeElement?.getAttribute('data-card');";
        for _ in 0..20 {
            if self.run(focused, json!([])).await == json!(card.to_string()) {
                return;
            }
            self.press(&[], RIGHT).await;
        }
        self.give_up(&format!("the arrows do not lead to card {card}")).await
    }

    /// Taps a forbidden card: it stays, and the page says why, with the clause of the rules.
    pub(crate) async fn is_told_why(&self, by: By, card: u32) {
        match by {
            By::Pointer => self.tap(&format!(".hand [data-card='{card}']")).await,
            By::Keys => {
                self.walk_to(card).await;
                self.press(&[], ENTER).await;
            }
        }
        let told = self.sees("no reason is given", |sight| sight.why.is_some()).await;
        let (sentence, link) = told.why.expect("a reason");
        let link = link.expect("a link to the clause");
        let (document, clause) = link.split_once('#').expect("a clause");
        assert!(document == "/rules/cruce" || document == "/rules/whist", "{link}");
        assert!(sentence.contains(clause), "{sentence} {link}");
        assert!(told.hand.iter().any(|held| held.card == card), "the card is gone");
        let heard = self.heard().await;
        assert!(
            !heard.is_empty() && sentence.starts_with(heard.trim_end_matches('\u{a0}')),
            "{heard}"
        );
    }

    /// Waits until what is seen is not what was seen.
    async fn changed(&self, before: &Sight) {
        let same = |sight: &Sight| {
            sight.hand.iter().map(|held| held.card).eq(before.hand.iter().map(|held| held.card))
                && sight.bids.is_empty() == before.bids.is_empty()
                && sight.next_deal == before.next_deal
                && sight.record == before.record
        };
        let waiting = async {
            while same(&self.sight().await) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        if tokio::time::timeout(PATIENCE, waiting).await.is_err() {
            self.give_up("what was done has no effect").await;
        }
    }
}
