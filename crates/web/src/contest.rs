//! Contests: the pages of the organiser, the referee and the player, the wall, and print.
//!
//! Every page computes the contest from the same public log and shows what its role key allows.
//! `known_contests` stores the role keys of this device.

mod entrants;
mod form;
mod known_contests;
mod links;
mod list;
mod log;
mod organiser;
mod player;
mod print;
mod referee;
mod standings;
mod table_decisions;
mod table_sheet;
mod tables;
mod urn;
mod wall;

pub(crate) use list::ContestsPage;
pub(crate) use print::PrintPage;
pub(crate) use wall::WallPage;

use contest::{Contest, ContestChange, Role};
use leptos::prelude::*;
use leptos::task::spawn_local;
use qrcode::QrCode;
use qrcode::render::svg;
use replica::Route;
use replica::role_key::RoleKey;
use wire::contest::{ContestChangeText, RefusalText};
use wire::ledger::{CloseReason, LedgerCommand, LedgerRefusal};

use crate::api::ApiError;
use crate::app::use_live_region;
use crate::connection_loop::{ConnectionState, EndReason};
use crate::icon::{Icon, IconImage};
use crate::ledger_connection::LedgerConnection;
use crate::navigator;
use crate::pages::Choice;
use crate::styled::Styled;
use crate::table::connection_lost::ErrorPage;
use crate::text::{PhraseSignal, t, use_phrases};

/// What the components of a contest page share.
#[derive(Clone, Copy)]
pub(crate) struct ContestContext {
    connection: LedgerConnection,
    ledger: StoredValue<String>,
    role_key: Option<RoleKey>,
    /// Why the last command was refused.
    refused: RwSignal<Option<LedgerRefusal>>,
    /// How many commands wait for their answers.
    waiting: RwSignal<usize>,
    phrases: PhraseSignal,
}

impl ContestContext {
    fn open(ledger: &str, role_key: Option<RoleKey>) -> ContestContext {
        let context = ContestContext {
            connection: LedgerConnection::open(ledger, role_key),
            ledger: StoredValue::new(ledger.into()),
            role_key,
            refused: RwSignal::new(None),
            waiting: RwSignal::new(0),
            phrases: use_phrases(),
        };
        provide_context(context);
        context
    }

    /// Reads the contest; returns the default before it is known.
    fn contest<T: Default>(self, look: impl FnOnce(&Contest) -> T) -> T {
        self.connection.contest(look).unwrap_or_default()
    }

    /// Describes the contest in words; returns the default before it is known.
    fn describe<T: Default>(self, describe: impl FnOnce(&phrases::Phrases, &Contest) -> T) -> T {
        self.phrases.with(|phrases| self.contest(|contest| describe(phrases, contest)))
    }

    /// The role that the server granted, or else the one of the role key.
    fn role(self) -> Role {
        let asked = self.role_key.map_or(Role::Public, |role_key| role_key.role);
        self.connection.granted().unwrap_or(asked)
    }

    /// Sends a change, and calls `then` if it is accepted or would change nothing.
    fn act(self, change: ContestChange, then: impl FnOnce() + 'static) {
        let role = untrack(|| self.role());
        // A change that is certain to be refused is refused at once, even while the connection is
        // lost.
        let checked = untrack(|| {
            self.contest(|contest| {
                let refusal = |refusal| RefusalText::of(&refusal, contest.settings().rules());
                let checked = contest.check(role, &change).map_err(refusal);
                Some(checked.map(|()| contest.has_effect(role, &change)))
            })
        });
        // The changes that wait for their answers are not in the contest yet.
        let known = self.waiting.get_untracked() == 0;
        match checked {
            Some(Err(text)) => self.refuse(LedgerRefusal::Because(text)),
            Some(Ok(false)) if known => {
                self.refused.set(None);
                then();
            }
            _ => self.command(LedgerCommand::Contest(ContestChangeText::of(&change)), then),
        }
    }

    fn refuse(self, refused: LedgerRefusal) {
        self.refused.set(Some(refused));
    }

    /// Sends a command, and calls `then` if it is accepted or would change nothing.
    fn command(self, command: LedgerCommand, then: impl FnOnce() + 'static) {
        self.refused.set(None);
        self.waiting.update(|waiting| *waiting += 1);
        spawn_local(async move {
            let answer = self.connection.command(command).await;
            self.waiting.try_update(|waiting| *waiting -= 1);
            match answer {
                Some(Ok(())) => then(),
                Some(Err(refused)) if refused.is_unchanged() => then(),
                Some(Err(refused)) => _ = self.refused.try_set(Some(refused)),
                None => {}
            }
        });
    }

    /// The absolute URL of a page of this contest.
    fn link(self, route: &Route) -> String {
        absolute_url(&route.address())
    }

    fn ledger_id(self) -> String {
        self.ledger.get_value()
    }

    /// The link that every viewer may have.
    fn public_link(self) -> String {
        self.link(&Route::Contest { ledger: self.ledger_id(), role_key: None })
    }

    /// The link for a role, if our role key can derive its key.
    fn link_for(self, role: Role) -> Option<String> {
        let role_key = self.role_key?.for_role(role)?;
        Some(absolute_url(&role_key.address(&self.ledger_id())))
    }
}

/// The contest context in a component.
fn use_contest() -> ContestContext {
    expect_context()
}

/// An address with the origin of the server.
pub(crate) fn absolute_url(address: &str) -> String {
    format!("{}{address}", window().location().origin().unwrap_or_default())
}

/// A link as a QR code.
pub(crate) fn qr_svg(link: &str) -> String {
    let Ok(code) = QrCode::new(link) else { return String::new() };
    let text = code.render::<svg::Color>().min_dimensions(120, 120).build();
    // An XML declaration is not allowed inside a page.
    text.split_once("?>").map_or(text.clone(), |(_, svg)| svg.to_owned())
}

/// A contest by its name. The role key of its link is stored first.
#[component]
pub(crate) fn ContestPage(ledger: String) -> impl IntoView {
    let navigator = navigator::use_navigator();
    let given = move || match navigator.here() {
        Route::Contest { role_key: Some(text), .. } => Some(text.parse::<RoleKey>()),
        _ => None,
    };
    let kept = untrack(given).and_then(Result::ok).or_else(|| known_contests::latest(&ledger));
    let role_key = RwSignal::new(kept);
    // Whether the link was cut off or mistyped.
    let broken_link = RwSignal::new(false);
    let name = ledger.clone();
    Effect::new(move |_| {
        match given() {
            None => return,
            Some(Ok(given)) => {
                known_contests::remember(&name, Some(given), None);
                if role_key.get_untracked() != Some(given) {
                    role_key.set(Some(given));
                }
            }
            Some(Err(_)) => broken_link.set(true),
        }
        // The key is hidden, so that it cannot be read from the address bar.
        navigator.replace(Route::Contest { ledger: name.clone(), role_key: None });
    });
    let ledger = StoredValue::new(ledger);
    view! {
        <Styled style="contest">
            {move || {
                let role_key = role_key.get();
                view! { <ConnectedContest ledger=ledger.get_value() role_key broken_link /> }
            }}
        </Styled>
    }
}

/// What the page of a contest shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ContestPageState {
    Opening,
    Ended(EndReason),
    Role(Role),
}

/// What to show, depending on the connection and on whether the contest is known.
fn contest_page_state(context: ContestContext) -> Memo<ContestPageState> {
    Memo::new(move |_| match context.connection.state.get() {
        ConnectionState::Ended(end) => ContestPageState::Ended(end),
        _ if context.connection.look(|ledger| ledger.contest().is_none()) == Some(true) => {
            ContestPageState::Ended(EndReason::Refused(ApiError::Gone))
        }
        _ if context.connection.contest(|_| ()).is_none() => ContestPageState::Opening,
        _ => ContestPageState::Role(context.role()),
    })
}

#[component]
fn ConnectedContest(
    ledger: String,
    role_key: Option<RoleKey>,
    broken_link: RwSignal<bool>,
) -> impl IntoView {
    let live_region = use_live_region();
    let context = ContestContext::open(&ledger, role_key);
    let page = contest_page_state(context);
    let role_keys = StoredValue::new(known_contests::role_keys(&ledger));
    remember_contest(context);
    Effect::new(move |_| {
        if let Some(why) = refusal(context) {
            live_region.announce(why);
        }
    });
    let chosen = RwSignal::new(role_key.map(|role_key| role_key.role));
    view! {
        <LostBanner context />
        {move || match page.get() {
            ContestPageState::Opening => view! { <LoadingPage /> }.into_any(),
            ContestPageState::Ended(end) => view! { <ContestUnavailable end /> }.into_any(),
            ContestPageState::Role(role) => {
                let roles = role_keys.with_value(|keys| keys.iter().map(|key| key.role).collect());
                view! { <RolePage role broken_link roles chosen /> }.into_any()
            }
        }}
        <ContestRefusalNotice context />
    }
}

/// Stores the contest with its role key and title, once that is known.
fn remember_contest(context: ContestContext) {
    let role_key = context.role_key;
    let title =
        Memo::new(move |_| context.contest(|contest| Some(contest.settings().title().to_string())));
    Effect::new(move |_| {
        let Some(title) = title.get() else { return };
        let refused = context.connection.is_refused();
        // A wrong role key is not worth storing, but an organiser's is never deleted.
        match role_key.filter(|key| refused && key.role != Role::Organiser) {
            Some(wrong) => known_contests::forget(&context.ledger_id(), Some(wrong)),
            None => known_contests::remember(&context.ledger_id(), role_key, Some(&title)),
        }
    });
}

/// The page of a role, with a choice between the roles of this device.
#[component]
fn RolePage(
    role: Role,
    broken_link: RwSignal<bool>,
    /// The roles of the stored role keys.
    roles: Vec<Role>,
    chosen: RwSignal<Option<Role>>,
) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    view! {
        <main class="page contest" data-role=role_word(role)>
            <p class="alert" role="alert" hidden=move || !broken_link.get()>
                {t!(phrases, contest_page_spoilt)}
            </p>
            <p class="alert" role="alert" hidden=move || !context.connection.is_refused()>
                {t!(phrases, contest_page_wrong_key)}
            </p>
            {match role {
                Role::Organiser => view! { <organiser::OrganiserView /> }.into_any(),
                Role::Referee(table) => view! { <referee::RefereeView table /> }.into_any(),
                Role::Player(entrant) => view! { <player::PlayerView entrant /> }.into_any(),
                Role::Server | Role::Public => view! { <organiser::PublicView /> }.into_any(),
            }}
            {(roles.len() > 1).then(|| view! { <RoleChoice roles chosen /> })}
        </main>
    }
}

/// A choice between the roles of this device.
#[component]
fn RoleChoice(roles: Vec<Role>, chosen: RwSignal<Option<Role>>) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let navigator = navigator::use_navigator();
    let value = |role: Role| (Some(role), Signal::derive(move || role_name(context, role)));
    let switch_role = move |role: Option<Role>| {
        let found = known_contests::role_keys(&context.ledger_id());
        if let Some(found) = found.into_iter().find(|role_key| Some(role_key.role) == role) {
            chosen.set(role);
            navigator.replace(Route::Contest {
                ledger: context.ledger_id(),
                role_key: Some(found.to_string()),
            });
        }
    };
    view! {
        <div class="passes">
            <Choice
                title=t!(phrases, contest_page_here_as)
                values=roles.into_iter().map(value).collect()
                value=chosen
                choose=switch_role
                at_once=true
            />
        </div>
    }
}

const fn role_word(role: Role) -> &'static str {
    match role {
        Role::Organiser => "organiser",
        Role::Referee(_) => "referee",
        Role::Player(_) => "player",
        Role::Server | Role::Public => "public",
    }
}

fn role_name(context: ContestContext, role: Role) -> String {
    let name = context.describe(|phrases, contest| contest_view::role(phrases, contest, role));
    phrases::layout::capitalised(&name)
}

/// A banner while the connection is lost.
#[component]
fn LostBanner(context: ContestContext) -> impl IntoView {
    let phrases = use_phrases();
    let lost = move || context.connection.state.get() == ConnectionState::Lost;
    view! {
        <p class="banner" role="alert" hidden=move || !lost()>
            {t!(phrases, line_lost)}
        </p>
    }
}

#[component]
fn LoadingPage() -> impl IntoView {
    let phrases = use_phrases();
    view! {
        <main class="page narrow">
            <p class="lead" role="status">
                {t!(phrases, loading)}
            </p>
        </main>
    }
}

/// The contest does not exist, or the page is too old for it.
#[component]
fn ContestUnavailable(end: EndReason) -> impl IntoView {
    let phrases = use_phrases();
    let old = matches!(end, EndReason::ClosedByServer(CloseReason::OtherVersion));
    let (title, more) = match old {
        true => (t!(phrases, ended_version), t!(phrases, ended_version_more)),
        false => (t!(phrases, contest_page_gone), t!(phrases, contest_page_gone_more)),
    };
    view! { <ErrorPage title more again=old /> }
}

fn refusal(context: ContestContext) -> Option<String> {
    let refused = context.refused.get()?;
    context.phrases.with(|phrases| {
        let rules = context.contest(|contest| Some(*contest.settings().rules()))?;
        Some(phrases.refused_by_ledger(&refused, &rules))
    })
}

/// Why the last command was refused, until it is closed or another command is sent.
#[component]
fn ContestRefusalNotice(context: ContestContext) -> impl IntoView {
    let phrases = use_phrases();
    view! {
        <div class="refusal" role="alert" hidden=move || context.refused.with(Option::is_none)>
            <p>{move || refusal(context)}</p>
            <button
                class="quiet round"
                aria-label=t!(phrases, close)
                on:click=move |_| context.refused.set(None)
            >
                <IconImage icon=Icon::Close />
            </button>
        </div>
    }
}

/// The title of the contest, its size and its stage.
#[component]
fn ContestSummary() -> impl IntoView {
    let context = use_contest();
    let lines = Memo::new(move |_| {
        context.describe(|phrases, contest| {
            let mut lines = contest_view::summary(phrases, contest);
            // The commitment is shown elsewhere.
            if contest.commitment().is_some() {
                lines.pop();
            }
            lines
        })
    });
    let title = Memo::new(move |_| context.contest(|c| c.settings().title().to_string()));
    let about = move || {
        let first = lines.with(|lines| lines.first().cloned()).unwrap_or_default();
        title.with(|title| {
            first
                .strip_prefix(title.as_str())
                .map_or(first.clone(), |rest| rest.trim_start_matches(" · ").to_owned())
        })
    };
    let stage = move || lines.with(|lines| lines.get(1).cloned());
    let more = move || lines.with(|lines| lines.get(2..).map(|more| more.join(" ")));
    view! {
        <header class="summary">
            <h1>{move || title.get()}</h1>
            <p class="hint">{about}</p>
            <p class="lead" role="status" id="stage">
                {stage}
            </p>
            <p class="notice" hidden=move || more().is_none_or(|more| more.is_empty())>
                {more}
            </p>
        </header>
    }
}
