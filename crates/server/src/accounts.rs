//! Sessions by token, and accounts by name and passphrase.
//!
//! No player needs an account. A new client gets a token of 256 random bits, which identifies its
//! player from then on; the store has only the token's hash. An account gives a player a name and a
//! passphrase, so that they can log in on another device.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use game::record::Name;
use sha2::{Digest, Sha256};
use store::{Account, Database, PlayerId, Session, SessionKind, Store, StoreError, TokenHash};
use thiserror::Error;
use tokio::time::Instant;

use crate::clock::TrustedClock;
use crate::passphrase_hasher::{HashMemory, NotHashed, PassphraseHasher, dummy_hash};
use crate::quotas::Quota;
use crate::random;
use crate::wrong_passphrases::{NameHash, WrongPassphraseQuota, WrongPassphrases};

/// How long a session lasts.
pub const SESSION_DAYS: i64 = 365;
/// How long a link to another device can be used.
const TRANSFER_MINUTES: i64 = 10;
const DAY: i64 = 24 * 60 * 60 * 1000;
const MINUTE: i64 = 60 * 1000;
/// How many passphrases are hashed at the same time: each takes 19 MiB on purpose.
const HASHING_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);
/// How many requests may wait for that.
pub const MAX_LOG_INS_WAITING: usize = 64;
/// How many wrong passphrases a name takes, with an account or without, from all clients together.
const WRONG_PASSPHRASES: WrongPassphraseQuota =
    WrongPassphraseQuota { at_once: WRONG_AT_ONCE, recovery: WRONG_RECOVERY, max_names: 10_000 };
/// How many of them at once.
pub const WRONG_AT_ONCE: u32 = 10;
/// How long it takes until another one is taken.
pub const WRONG_RECOVERY: Duration = Duration::from_secs(60);
/// The label of a session that exists only to be exchanged for another one.
const TRANSFER: &str = "transfer";

/// The secret that identifies a session: 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Why a session or an account is refused.
#[derive(Debug, Error)]
pub enum AuthError {
    /// The name is not known or the passphrase is wrong; the client does not learn which.
    #[error("the name or the passphrase is wrong")]
    WrongPassphrase,
    /// The name is not valid.
    #[error("a name has 3 to 30 letters, digits, dots, dashes or underscores")]
    BadName,
    /// The passphrase is not valid.
    #[error("a passphrase has 10 to 200 characters")]
    BadPassphrase,
    /// Another account has the name.
    #[error("this name is taken")]
    NameTaken,
    /// The player has an account already.
    #[error("this player has an account already")]
    HasAccount,
    /// Too many passphrases wait to be hashed.
    #[error("too many players log in at the moment; try again soon")]
    Busy,
    /// Too many passphrases for this name were wrong.
    #[error("too many passphrases for this name were wrong; try again in a minute")]
    TooManyTries,
    /// The passphrase could not be hashed.
    #[error("the passphrase could not be checked; try again")]
    NotHashed,
    /// The link has been used or is too old.
    #[error("this link has been used, or is too old")]
    LinkUsed,
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for AuthError {
    fn from(error: StoreError) -> AuthError {
        match error {
            StoreError::NameTaken => AuthError::NameTaken,
            StoreError::HasAccount => AuthError::HasAccount,
            other => AuthError::Store(other),
        }
    }
}

impl From<NotHashed> for AuthError {
    fn from(error: NotHashed) -> AuthError {
        match error {
            NotHashed::Busy => {
                Quota::LogIns.count_refusal();
                AuthError::Busy
            }
            NotHashed::Failed => AuthError::NotHashed,
        }
    }
}

impl Token {
    /// A token of 256 random bits.
    fn random() -> Token {
        Token(random::bytes::<32>().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The token of a request. Returns None if the text is not a token.
    pub fn parse(text: &str) -> Option<Token> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 64 && text.bytes().all(digit)).then(|| Token(text.into()))
    }

    /// The token, for its owner alone.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The hash that the store has. Looking up a hash takes equally long for every wrong token.
    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0.as_bytes()).into())
    }
}

/// The sessions and accounts of a server.
pub struct Accounts {
    store: Arc<Database>,
    clock: TrustedClock,
    hasher: PassphraseHasher,
    wrong_passphrases: Arc<WrongPassphrases>,
    /// Compared with when there is no such account, so that it takes equally long.
    dummy_hash: String,
}

impl Accounts {
    /// The accounts in a store. Starts the threads that hash passphrases.
    pub fn new(store: Arc<Database>, clock: TrustedClock) -> std::io::Result<Accounts> {
        let hasher = PassphraseHasher::start(HASHING_THREADS, MAX_LOG_INS_WAITING)?;
        let wrong_passphrases = Arc::new(WrongPassphrases::new(WRONG_PASSPHRASES));
        Ok(Accounts { store, clock, hasher, wrong_passphrases, dummy_hash: dummy_hash() })
    }

    /// Creates a player without an account, and a session for them.
    pub async fn create_guest(&self, label: &str) -> Result<(Token, PlayerId), StoreError> {
        let player = PlayerId::from_random(random::bits());
        let token =
            self.create_session(player, SessionKind::Browser, label, SESSION_DAYS * DAY).await?;
        Ok((token, player))
    }

    async fn create_session(
        &self,
        player: PlayerId,
        kind: SessionKind,
        label: &str,
        lasts: i64,
    ) -> Result<Token, StoreError> {
        let token = Token::random();
        let created_ms = self.clock.now_ms();
        let label = label.to_owned();
        let session = Session { player, kind, label, created_ms, expires_ms: created_ms + lasts };
        self.store.create_session(token.hash(), &session).await?;
        Ok(token)
    }

    /// The session of a token.
    pub async fn find_session(&self, token: &Token) -> Result<Option<Session>, StoreError> {
        let session = self.store.find_session(token.hash(), self.clock.now_ms()).await?;
        Ok(session.filter(|session| !is_transfer(session)))
    }

    /// Creates a token for a program that plays for a player.
    pub async fn bot_token(&self, player: PlayerId, label: &str) -> Result<Token, StoreError> {
        self.create_session(player, SessionKind::Bot, label, SESSION_DAYS * DAY).await
    }

    /// Creates a token that can be exchanged once, on another device, for a session of the same player.
    pub async fn transfer(&self, player: PlayerId) -> Result<Token, StoreError> {
        self.create_session(player, SessionKind::Browser, TRANSFER, TRANSFER_MINUTES * MINUTE).await
    }

    /// Exchanges such a token for a session.
    pub async fn exchange(&self, token: &Token) -> Result<(Token, PlayerId), AuthError> {
        let found = self.store.find_session(token.hash(), self.clock.now_ms()).await?;
        let session = found.filter(is_transfer).ok_or(AuthError::LinkUsed)?;
        // Of two clients with the same link, only one revokes it.
        if !self.store.revoke_session(token.hash()).await? {
            return Err(AuthError::LinkUsed);
        }
        let label = "another device";
        let token = self
            .create_session(session.player, SessionKind::Browser, label, SESSION_DAYS * DAY)
            .await?;
        Ok((token, session.player))
    }

    /// Ends a session.
    pub async fn end_session(&self, token: &Token) -> Result<(), StoreError> {
        self.store.revoke_session(token.hash()).await.map(|_| ())
    }

    /// The name of a player's account.
    pub async fn name_of(&self, player: PlayerId) -> Result<Option<String>, StoreError> {
        Ok(self.store.account_of(player).await?.map(|account| account.name))
    }

    /// Gives a player a name and a passphrase.
    pub async fn register(
        &self,
        player: PlayerId,
        name: &str,
        passphrase: &str,
    ) -> Result<(), AuthError> {
        let folded = fold_name(name)?;
        // Only new names: one that was registered earlier still logs in.
        Name::new(name).map_err(|_| AuthError::BadName)?;
        check_passphrase(passphrase)?;
        let hashed = self.hash_passphrase(passphrase).await?;
        let created_ms = self.clock.now_ms();
        let name = name.to_owned();
        let account = Account { name, folded, passphrase: hashed, player, created_ms };
        Ok(self.store.create_account(&account).await?)
    }

    /// Begins a session of the player with this account. The caller ends the session with which the
    /// client has asked: another client may know its token.
    pub async fn log_in(
        &self,
        name: &str,
        passphrase: &str,
    ) -> Result<(Token, PlayerId), AuthError> {
        let account = match fold_name(name) {
            Ok(folded) => self.store.find_account(&folded).await?,
            Err(_) => None,
        };
        // The same work whether there is such an account or not.
        let known = account.as_ref().map_or(&self.dummy_hash, |account| &account.passphrase);
        let tried = NameHash::of(&name.to_lowercase());
        let right = self.verify_passphrase(tried, passphrase, known).await?;
        let player = account.filter(|_| right).ok_or(AuthError::WrongPassphrase)?.player;
        Ok((self.begin_session_of(player).await?, player))
    }

    /// Begins a session of a player who has proved who they are.
    pub async fn begin_session_of(&self, player: PlayerId) -> Result<Token, StoreError> {
        self.create_session(player, SessionKind::Browser, "", SESSION_DAYS * DAY).await
    }

    /// Replaces the passphrase of a player's account, and ends all sessions of the player.
    pub async fn change_passphrase(
        &self,
        player: PlayerId,
        old: &str,
        new: &str,
    ) -> Result<(), AuthError> {
        check_passphrase(new)?;
        let account = self.store.account_of(player).await?.ok_or(AuthError::WrongPassphrase)?;
        let tried = NameHash::of(&account.folded);
        if !self.verify_passphrase(tried, old, &account.passphrase).await? {
            return Err(AuthError::WrongPassphrase);
        }
        let hashed = self.hash_passphrase(new).await?;
        self.store.change_passphrase(&account.folded, &hashed).await?;
        Ok(())
    }

    async fn hash_passphrase(&self, passphrase: &str) -> Result<String, AuthError> {
        let passphrase = passphrase.to_owned();
        let work = move |memory: &mut HashMemory| memory.hash(&passphrase);
        Ok(self.hasher.run(work).await??)
    }

    /// Whether a passphrase is the known one. Counts a wrong one for the name.
    async fn verify_passphrase(
        &self,
        name: NameHash,
        passphrase: &str,
        known: &str,
    ) -> Result<bool, AuthError> {
        let wrong_passphrases = self.wrong_passphrases.clone();
        let (passphrase, known) = (passphrase.to_owned(), known.to_owned());
        let work = move |memory: &mut HashMemory| {
            // Others with this name may have been wrong while this one waited.
            if wrong_passphrases.is_exhausted(name, Instant::now()) {
                return Err(AuthError::TooManyTries);
            }
            let right = memory.verify(&passphrase, &known);
            if !right {
                wrong_passphrases.count(name, Instant::now());
            }
            Ok(right)
        };
        // Without a place in the queue, if the name is exhausted already.
        let verified = if self.wrong_passphrases.is_exhausted(name, Instant::now()) {
            Err(AuthError::TooManyTries)
        } else {
            self.hasher.run(work).await?
        };
        if matches!(verified, Err(AuthError::TooManyTries)) {
            Quota::WrongPassphrases.count_refusal();
        }
        verified
    }
}

/// Whether a session exists only to be exchanged. A program's session may have that label too, because
/// its owner chooses it.
fn is_transfer(session: &Session) -> bool {
    session.kind == SessionKind::Browser && session.label == TRANSFER
}

/// Checks a name, and returns the form in which names are compared.
pub fn fold_name(name: &str) -> Result<String, AuthError> {
    let plain = |input: char| input.is_alphanumeric() || "._-".contains(input);
    let fits = (3..=30).contains(&name.chars().count()) && name.chars().all(plain);
    if fits { Ok(name.to_lowercase()) } else { Err(AuthError::BadName) }
}

fn check_passphrase(passphrase: &str) -> Result<(), AuthError> {
    let fits = (10..=200).contains(&passphrase.chars().count());
    if fits { Ok(()) } else { Err(AuthError::BadPassphrase) }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use metrics_exporter_prometheus::PrometheusBuilder;
    use test_support::folder::TempFolder;
    use tokio::sync::oneshot;

    use super::*;
    use crate::clock::Clocks;

    const PASSPHRASE: &str = "a long passphrase";

    #[tokio::test]
    async fn log_ins_beyond_the_queue_are_refused_and_count_as_no_try() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _counts = metrics::set_default_local_recorder(&recorder);
        let folder = TempFolder::create();
        let path = folder.file("ghinda.db").display().to_string();
        let store = Arc::new(Database::open(&path).await.expect("a database"));
        let accounts = Accounts::new(store.clone(), Clocks::at(0, None).trusted).expect("threads");
        let (_, player) = accounts.create_guest("").await.expect("a player");
        accounts.register(player, "Ana", PASSPHRASE).await.expect("registered");
        // All threads are busy, and the queue is full.
        let (mut busy, mut waiting) = (Vec::new(), Vec::new());
        for _ in 0..HASHING_THREADS.get() {
            let (begun, has_begun) = oneshot::channel();
            let (release, released) = oneshot::channel::<()>();
            let mut held = Box::pin(accounts.hasher.run(|_| {
                let _ = begun.send(());
                let _ = released.blocking_recv();
            }));
            assert!((&mut held).now_or_never().is_none());
            has_begun.await.expect("it has begun");
            busy.push((release, held));
        }
        for _ in 0..MAX_LOG_INS_WAITING {
            let mut job = Box::pin(accounts.hasher.run(|_| ()));
            assert!((&mut job).now_or_never().is_none());
            waiting.push(job);
        }
        for _ in 0..2 * WRONG_AT_ONCE {
            let refused = accounts.log_in("ana", "a wrong passphrase").await;
            assert!(matches!(refused, Err(AuthError::Busy)));
        }
        assert!(matches!(accounts.register(player, "Ion", PASSPHRASE).await, Err(AuthError::Busy)));
        assert_eq!(Quota::LogIns.refusals(&recorder), u64::from(2 * WRONG_AT_ONCE) + 1);
        for (release, held) in busy {
            drop(release);
            held.await.expect("it ended");
        }
        for job in waiting {
            job.await.expect("its turn comes");
        }
        let (_, same) = accounts.log_in("ana", PASSPHRASE).await.expect("logged in");
        assert_eq!(same, player);
        store.close().await;
    }
}
