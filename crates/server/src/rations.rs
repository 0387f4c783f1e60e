//! What clients may store: a number of bytes an hour for each address, of which a player and a contest or sheet
//! get a share.
//!
//! What is stored is counted, after it is decided: what is refused uses up nothing, and what a player may
//! not do uses up nothing of others. A client may begin something while anything is left, so that it may
//! exceed its ration by one command.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::{LedgerId, PlayerId};
use tokio::time::Instant;

use crate::address::address_block;
use crate::byte_pool::SHARES;
use crate::quotas::Quota;

/// What an entry takes in the database besides its text.
pub(crate) const ENTRY_BYTES: usize = 32;
/// From this many clients on, those that have used up nothing are forgotten.
const MAX_REMEMBERED: usize = 10_000;
const NANOS_AN_HOUR: u64 = 3_600_000_000_000;

/// What is stored, by rations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RationKind {
    /// Lines of contests and score sheets.
    Ledger,
    /// What is said and changed at tables.
    Table,
    /// What is bid, played and claimed at tables, by bots too.
    Play,
}

/// Whose share of the ration of an address something counts for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ShareOf {
    Player(PlayerId),
    Ledger(LedgerId),
}

/// The bytes that an address may store at once, and in an hour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RationBytes {
    pub(crate) ledger: u32,
    pub(crate) table: u32,
    pub(crate) play: u32,
}

/// The rations of a server.
pub(crate) struct ByteRations {
    ledger: Ration,
    table: Ration,
    play: Ration,
}

/// One ration of each client.
struct Ration {
    used: Mutex<UsedRations>,
    /// How long a byte counts.
    nanos_a_byte: u64,
    began: Instant,
    quota: Quota,
}

#[derive(Default)]
struct UsedRations {
    /// When the ration is whole again, in nanoseconds since the beginning: for an address, and for a share
    /// of it.
    whole_at: BTreeMap<(IpAddr, Option<ShareOf>), u64>,
    /// The number of them at which those that are whole are forgotten.
    forget_at: usize,
}

/// A client for which counts what is stored.
#[derive(Clone)]
pub(crate) struct Payer {
    rations: Arc<ByteRations>,
    address: IpAddr,
    share: ShareOf,
}

impl Ration {
    fn new(bytes_an_hour: u32, quota: Quota) -> Ration {
        let nanos_a_byte = NANOS_AN_HOUR / u64::from(bytes_an_hour.max(1));
        Ration { used: Mutex::default(), nanos_a_byte, began: Instant::now(), quota }
    }

    fn lock(&self) -> MutexGuard<'_, UsedRations> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Whether something is left, of all and of the share.
    fn has_left(&self, address: IpAddr, share: ShareOf) -> bool {
        let (now, used) = (self.now(), self.lock());
        let left = |share, most: u64| {
            let whole_at = used.whole_at.get(&(address, share)).copied().unwrap_or(0);
            whole_at.saturating_sub(now) < most
        };
        left(None, NANOS_AN_HOUR) && left(Some(share), NANOS_AN_HOUR / SHARES as u64)
    }

    fn charge(&self, address: IpAddr, share: ShareOf, bytes: usize) {
        let (now, mut used) = (self.now(), self.lock());
        if used.whole_at.len() >= used.forget_at.max(MAX_REMEMBERED) {
            // When they have doubled: then it costs little for each client, however many there are.
            used.whole_at.retain(|_, whole_at| *whole_at > now);
            used.forget_at = 2 * used.whole_at.len();
        }
        let nanos = self.nanos_a_byte.saturating_mul(bytes as u64);
        for key in [(address, None), (address, Some(share))] {
            let whole_at = used.whole_at.entry(key).or_insert(now);
            *whole_at = (*whole_at).max(now).saturating_add(nanos);
        }
    }
}

impl ByteRations {
    pub(crate) fn new(bytes: RationBytes) -> Arc<ByteRations> {
        Arc::new(ByteRations {
            ledger: Ration::new(bytes.ledger, Quota::LedgerBytes),
            table: Ration::new(bytes.table, Quota::TableBytes),
            play: Ration::new(bytes.play, Quota::PlayBytes),
        })
    }

    /// The client at an address that stores something for its share.
    pub(crate) fn payer(self: &Arc<Self>, address: IpAddr, share: ShareOf) -> Payer {
        Payer { rations: self.clone(), address: address_block(address), share }
    }

    fn of(&self, kind: RationKind) -> &Ration {
        match kind {
            RationKind::Ledger => &self.ledger,
            RationKind::Table => &self.table,
            RationKind::Play => &self.play,
        }
    }
}

impl Payer {
    /// The block of its address.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }

    /// Whether it may store something now. Counts a refusal if not.
    pub(crate) fn may_store(&self, kind: RationKind) -> bool {
        let has_left = self.has_left(kind);
        if !has_left {
            self.rations.of(kind).quota.count_refusal();
        }
        has_left
    }

    /// Whether something of its ration is left.
    pub(crate) fn has_left(&self, kind: RationKind) -> bool {
        self.rations.of(kind).has_left(self.address, self.share)
    }

    /// Counts bytes that are stored.
    pub(crate) fn charge(&self, kind: RationKind, bytes: usize) {
        self.rations.of(kind).charge(self.address, self.share, bytes);
    }
}

/// A player here who may store as much as they like.
#[cfg(test)]
pub(crate) fn free_payer(player: PlayerId) -> Payer {
    let bytes = RationBytes { ledger: u32::MAX, table: u32::MAX, play: u32::MAX };
    let here = std::net::Ipv4Addr::LOCALHOST.into();
    ByteRations::new(bytes).payer(here, ShareOf::Player(player))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::time::Duration;

    use tokio::time::advance;

    use super::*;

    const KIND: RationKind = RationKind::Table;

    fn rations(an_hour: u32) -> Arc<ByteRations> {
        ByteRations::new(RationBytes { ledger: an_hour, table: an_hour, play: an_hour })
    }

    fn payer(rations: &Arc<ByteRations>, address: u8, player: u64) -> Payer {
        let player = PlayerId::new(player).expect("small");
        rations.payer(Ipv4Addr::new(10, 0, 0, address).into(), ShareOf::Player(player))
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_gets_a_share_and_an_address_no_more_than_its_ration() {
        let rations = rations(4_000);
        let greedy = payer(&rations, 1, 1);
        greedy.charge(KIND, 999);
        assert!(greedy.may_store(KIND));
        greedy.charge(KIND, 1);
        assert!(!greedy.may_store(KIND), "its share is used up");
        assert!(greedy.may_store(RationKind::Play), "another ration is not");
        for player in 2..=4 {
            let other = payer(&rations, 1, player);
            assert!(other.may_store(KIND), "others have theirs");
            other.charge(KIND, 1_000);
        }
        assert!(!payer(&rations, 1, 5).may_store(KIND), "nothing is left at this address");
        assert!(payer(&rations, 2, 5).may_store(KIND), "another address has its own");
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_used_comes_back_within_an_hour() {
        let rations = rations(4_000);
        let player = payer(&rations, 1, 1);
        player.charge(KIND, 1_500);
        advance(Duration::from_secs(449)).await;
        assert!(!player.may_store(KIND));
        advance(Duration::from_secs(2)).await;
        assert!(player.may_store(KIND), "500 bytes too many are an eighth of an hour");
        advance(Duration::from_secs(3_600)).await;
        player.charge(KIND, 999);
        assert!(player.may_store(KIND), "and no more than the ration is saved");
        player.charge(KIND, 1);
        assert!(!player.may_store(KIND));
    }

    #[tokio::test(start_paused = true)]
    async fn clients_that_have_used_up_nothing_are_forgotten() {
        let rations = rations(u32::MAX);
        for player in 1..=3 * MAX_REMEMBERED as u64 {
            payer(&rations, 1, player).charge(KIND, 1);
            advance(Duration::from_millis(1)).await;
        }
        assert!(rations.table.lock().whole_at.len() <= MAX_REMEMBERED);
    }
}
