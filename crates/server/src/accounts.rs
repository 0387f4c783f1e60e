//! Sessions by token, and accounts by name and passphrase.
//!
//! No player needs an account. A new client gets a token of 256 random bits, which identifies its
//! player from then on; the store has only the token's hash. An account gives a player a name and a
//! passphrase, so that they can log in on another device.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use game::record::Name;
use sha2::{Digest, Sha256};
use store::{Account, Database, PlayerId, Session, SessionKind, Store, StoreError, TokenHash};
use thiserror::Error;
use tokio::sync::Semaphore;

use crate::clock::Clock;
use crate::random;

/// How long a session lasts.
pub const SESSION_DAYS: i64 = 365;
/// How long a link to another device can be used.
const TRANSFER_MINUTES: i64 = 10;
const DAY: i64 = 24 * 60 * 60 * 1000;
const MINUTE: i64 = 60 * 1000;
/// How many passphrases are hashed at the same time: each takes much memory on purpose.
const MAX_HASHING: usize = 2;
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
    /// Too many passphrases are being hashed.
    #[error("too many players log in at the moment; try again soon")]
    Busy,
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

impl Token {
    /// A token of 256 random bits.
    fn fresh() -> Token {
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
    clock: Clock,
    hashing: Semaphore,
    /// Compared with when there is no such account, so that it takes equally long.
    dummy_hash: String,
}

impl Accounts {
    /// The accounts in a store.
    pub fn new(store: Arc<Database>, clock: Clock) -> Accounts {
        let dummy_hash = hash(&Token::fresh().0).unwrap_or_default();
        Accounts { store, clock, hashing: Semaphore::new(MAX_HASHING), dummy_hash }
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
        let token = Token::fresh();
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
        let hashed = self.hash_passphrase(passphrase.to_owned()).await?;
        let created_ms = self.clock.now_ms();
        let name = name.to_owned();
        let account = Account { name, folded, passphrase: hashed, player, created_ms };
        Ok(self.store.create_account(&account).await?)
    }

    /// Moves the session of a token to the player with this account.
    pub async fn log_in(
        &self,
        token: &Token,
        name: &str,
        passphrase: &str,
    ) -> Result<PlayerId, AuthError> {
        let account = match fold_name(name) {
            Ok(folded) => self.store.find_account(&folded).await?,
            Err(_) => None,
        };
        // The same work whether there is such an account or not.
        let known = account.as_ref().map_or(&self.dummy_hash, |account| &account.passphrase);
        let right = self.verify_passphrase(passphrase.to_owned(), known.clone()).await?;
        let account = account.filter(|_| right).ok_or(AuthError::WrongPassphrase)?;
        self.store.move_session(token.hash(), account.player).await?;
        Ok(account.player)
    }

    /// Replaces the passphrase of a player's account, and ends all other sessions of the player.
    pub async fn change_passphrase(
        &self,
        player: PlayerId,
        old: &str,
        new: &str,
    ) -> Result<Token, AuthError> {
        check_passphrase(new)?;
        let account = self.store.account_of(player).await?.ok_or(AuthError::WrongPassphrase)?;
        if !self.verify_passphrase(old.to_owned(), account.passphrase.clone()).await? {
            return Err(AuthError::WrongPassphrase);
        }
        let hashed = self.hash_passphrase(new.to_owned()).await?;
        self.store.change_passphrase(&account.folded, &hashed).await?;
        self.store.revoke_sessions_of(player).await?;
        Ok(self.create_session(player, SessionKind::Browser, "", SESSION_DAYS * DAY).await?)
    }

    async fn hash_passphrase(&self, passphrase: String) -> Result<String, AuthError> {
        let _permit = self.hashing.try_acquire().map_err(|_| AuthError::Busy)?;
        let hashed = tokio::task::spawn_blocking(move || hash(&passphrase)).await;
        hashed.ok().flatten().ok_or(AuthError::Busy)
    }

    async fn verify_passphrase(
        &self,
        passphrase: String,
        known: String,
    ) -> Result<bool, AuthError> {
        let _permit = self.hashing.try_acquire().map_err(|_| AuthError::Busy)?;
        let verified = tokio::task::spawn_blocking(move || verify(&passphrase, &known)).await;
        verified.map_err(|_| AuthError::Busy)
    }
}

/// Whether a session exists only to be exchanged. A program's session may have that label too, because
/// its owner chooses it.
fn is_transfer(session: &Session) -> bool {
    session.kind == SessionKind::Browser && session.label == TRANSFER
}

/// Checks a name, and returns the form in which names are compared.
fn fold_name(name: &str) -> Result<String, AuthError> {
    let plain = |input: char| input.is_alphanumeric() || "._-".contains(input);
    let fits = (3..=30).contains(&name.chars().count()) && name.chars().all(plain);
    if fits { Ok(name.to_lowercase()) } else { Err(AuthError::BadName) }
}

fn check_passphrase(passphrase: &str) -> Result<(), AuthError> {
    let fits = (10..=200).contains(&passphrase.chars().count());
    if fits { Ok(()) } else { Err(AuthError::BadPassphrase) }
}

fn hash(passphrase: &str) -> Option<String> {
    let hashed = Argon2::default().hash_password(passphrase.as_bytes());
    hashed.ok().map(|hash| hash.to_string())
}

fn verify(passphrase: &str, known: &str) -> bool {
    let Ok(known) = PasswordHash::new(known) else { return false };
    Argon2::default().verify_password(passphrase.as_bytes(), &known).is_ok()
}
