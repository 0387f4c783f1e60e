//! Contests: the organiser's desk, the referee's and the player's phone, the wall of the hall, and paper.
//!
//! Every page folds the same public log, and shows what its pass lets somebody do in it. `shelf` keeps
//! the passes of this device.

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
mod table_desk;
mod table_sheet;
mod tables;
mod urn;
mod wall;

pub(crate) use list::ContestsPage;
pub(crate) use print::PrintPage;
pub(crate) use wall::HallPage;

use contest::{Contest, ContestChange, Role};
use contest_view;
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
use crate::icon::{Drawn, Icon};
use crate::ledger_connection::LedgerConnection;
use crate::navigator;
use crate::pages::Choice;
use crate::styled::Styled;
use crate::table::connection_lost::Sorry;
use crate::text::{Words, t, use_words};

/// What the parts of a contest's page share.
#[derive(Clone, Copy)]
pub(crate) struct ContestContext {
    book: LedgerConnection,
    ledger: StoredValue<String>,
    pass: Option<RoleKey>,
    /// Why the last wish was refused.
    refused: RwSignal<Option<LedgerRefusal>>,
    /// How many wishes wait for their answers.
    waiting: RwSignal<usize>,
    words: Words,
}

impl ContestContext {
    fn open(ledger: &str, pass: Option<RoleKey>) -> ContestContext {
        let hall = ContestContext {
            book: LedgerConnection::open(ledger, pass),
            ledger: StoredValue::new(ledger.into()),
            pass,
            refused: RwSignal::new(None),
            waiting: RwSignal::new(0),
            words: use_words(),
        };
        provide_context(hall);
        hall
    }

    /// Something about the contest; what is usual before it is known.
    fn contest<T: Default>(self, look: impl FnOnce(&Contest) -> T) -> T {
        self.book.contest(look).unwrap_or_default()
    }

    /// Something about the contest, in words.
    fn told<T: Default>(self, tell: impl FnOnce(&phrases::Phrases, &Contest) -> T) -> T {
        self.words.with(|phrases| self.contest(|contest| tell(phrases, contest)))
    }

    /// What we may do.
    fn role(self) -> Role {
        let asked = self.pass.map_or(Role::Public, |pass| pass.role);
        self.book.granted().unwrap_or(asked)
    }

    /// Changes something, and then does what follows from it.
    fn act(self, change: ContestChange, then: impl FnOnce() + 'static) {
        let role = untrack(|| self.role());
        // What is refused anyhow is refused at once, even where the line is down.
        let refusal = untrack(|| {
            self.contest(|contest| {
                let refusal = contest.check(role, &change).err()?;
                Some(RefusalText::of(&refusal, contest.settings().rules()))
            })
        });
        match refusal {
            Some(text) => self.refuse(LedgerRefusal::Because(text)),
            None => self.command(LedgerCommand::Contest(ContestChangeText::of(&change)), then),
        }
    }

    fn refuse(self, refused: LedgerRefusal) {
        self.refused.set(Some(refused));
    }

    /// Wishes something, and then does what follows from it.
    fn command(self, command: LedgerCommand, then: impl FnOnce() + 'static) {
        self.refused.set(None);
        self.waiting.update(|waiting| *waiting += 1);
        spawn_local(async move {
            let answer = self.book.command(command).await;
            self.waiting.try_update(|waiting| *waiting -= 1);
            match answer {
                Some(Ok(())) => then(),
                Some(Err(refused)) => _ = self.refused.try_set(Some(refused)),
                None => {}
            }
        });
    }

    /// An address of this contest, as others can open it.
    fn link(self, route: &Route) -> String {
        whole(&route.address())
    }

    fn name(self) -> String {
        self.ledger.get_value()
    }

    /// The link that everybody may have.
    fn public_link(self) -> String {
        self.link(&Route::Contest { ledger: self.name(), pass: None })
    }

    /// The link for a role, if we may give it.
    fn link_for(self, role: Role) -> Option<String> {
        let pass = self.pass?.for_role(role)?;
        Some(whole(&pass.address(&self.name())))
    }
}

/// The parts in a component.
fn use_contest() -> ContestContext {
    expect_context()
}

/// An address with the server it is at.
pub(crate) fn whole(address: &str) -> String {
    format!("{}{address}", window().location().origin().unwrap_or_default())
}

/// A link as a square that a phone reads.
pub(crate) fn qr(link: &str) -> String {
    let Ok(code) = QrCode::new(link) else { return String::new() };
    let text = code.render::<svg::Color>().min_dimensions(120, 120).build();
    // The declaration of a file has no place within a page.
    text.split_once("?>").map_or(text.clone(), |(_, svg)| svg.to_owned())
}

/// A contest by its name: the pass of its link is kept first.
#[component]
pub(crate) fn ContestPage(ledger: String) -> impl IntoView {
    let navigator = navigator::use_navigator();
    let given = move || match navigator.here() {
        Route::Contest { pass: Some(text), .. } => Some(text.parse::<RoleKey>()),
        _ => None,
    };
    let kept = untrack(given).and_then(Result::ok).or_else(|| known_contests::latest(&ledger));
    let pass = RwSignal::new(kept);
    // A link that somebody has cut off, or typed wrongly.
    let spoilt = RwSignal::new(false);
    let name = ledger.clone();
    Effect::new(move |_| {
        match given() {
            None => return,
            Some(Ok(given)) => {
                known_contests::keep(&name, Some(given), None);
                if pass.get_untracked() != Some(given) {
                    pass.set(Some(given));
                }
            }
            Some(Err(_)) => spoilt.set(true),
        }
        // Nobody shall read it over a shoulder.
        navigator.rename(Route::Contest { ledger: name.clone(), pass: None });
    });
    let ledger = StoredValue::new(ledger);
    view! {
        <Styled style="contest">
            {move || {
                let pass = pass.get();
                view! { <Opened ledger=ledger.get_value() pass spoilt /> }
            }}
        </Styled>
    }
}

/// Which face a contest shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ContestFace {
    Opening,
    Ended(EndReason),
    Role(Role),
}

/// A scene of a book: what is shown until the contest is known, and what then.
fn scene(hall: ContestContext) -> Memo<ContestFace> {
    Memo::new(move |_| match hall.book.state.get() {
        ConnectionState::Ended(end) => ContestFace::Ended(end),
        _ if hall.book.look(|ledger| ledger.contest().is_none()) == Some(true) => {
            ContestFace::Ended(EndReason::Refused(ApiError::Gone))
        }
        _ if hall.book.contest(|_| ()).is_none() => ContestFace::Opening,
        _ => ContestFace::Role(hall.role()),
    })
}

#[component]
fn Opened(ledger: String, pass: Option<RoleKey>, spoilt: RwSignal<bool>) -> impl IntoView {
    let (words, live_region, navigator) =
        (use_words(), use_live_region(), navigator::use_navigator());
    let hall = ContestContext::open(&ledger, pass);
    let scene = scene(hall);
    let title =
        Memo::new(move |_| hall.contest(|contest| Some(contest.settings().title().to_string())));
    let passes = known_contests::passes(&ledger);
    Effect::new(move |_| {
        let Some(title) = title.get() else { return };
        // A pass that is none is not worth keeping; but never lose an organiser's.
        match pass.filter(|pass| hall.book.is_refused() && pass.role != Role::Organiser) {
            Some(pass) => known_contests::forget(&hall.name(), Some(pass)),
            None => known_contests::keep(&hall.name(), pass, Some(&title)),
        }
    });
    Effect::new(move |_| {
        if let Some(why) = refusal(hall) {
            live_region.say(why);
        }
    });
    let chosen = RwSignal::new(pass.map(|pass| pass.role));
    let roles: Vec<(Option<Role>, Signal<String>)> = passes
        .iter()
        .map(|pass| {
            let role = pass.role;
            (Some(role), Signal::derive(move || role_name(hall, role)))
        })
        .collect();
    let ledger = StoredValue::new(ledger);
    let be = move |role: Option<Role>| {
        let found = known_contests::passes(&ledger.get_value());
        if let Some(found) = found.into_iter().find(|pass| Some(pass.role) == role) {
            chosen.set(role);
            navigator.rename(Route::Contest {
                ledger: ledger.get_value(),
                pass: Some(found.to_string()),
            });
        }
    };
    let several = roles.len() > 1;
    view! {
        <Line hall />
        {move || match scene.get() {
            ContestFace::Opening => view! { <Opening hall /> }.into_any(),
            ContestFace::Ended(end) => view! { <Ended end /> }.into_any(),
            ContestFace::Role(role) => {
                view! {
                    <main class="page contest" data-role=role_word(role)>
                        <p class="alert" role="alert" hidden=move || !spoilt.get()>
                            {t!(words, hall_spoilt)}
                        </p>
                        <p class="alert" role="alert" hidden=move || !hall.book.is_refused()>
                            {t!(words, hall_wrong_key)}
                        </p>
                        {match role {
                            Role::Organiser => view! { <organiser::Organiser /> }.into_any(),
                            Role::Referee(table) => view! { <referee::Referee table /> }.into_any(),
                            Role::Player(entrant) => {
                                view! { <player::Player entrant /> }.into_any()
                            }
                            Role::House | Role::Public => view! { <organiser::Public /> }.into_any(),
                        }}
                        {several
                            .then(|| {
                                view! {
                                    <div class="passes">
                                        <Choice
                                            title=t!(words, hall_here_as)
                                            values=roles.clone()
                                            value=chosen
                                            choose=be
                                            at_once=true
                                        />
                                    </div>
                                }
                            })}
                    </main>
                }
                    .into_any()
            }
        }}
        <Refusal hall />
    }
}

const fn role_word(role: Role) -> &'static str {
    match role {
        Role::Organiser => "organiser",
        Role::Referee(_) => "referee",
        Role::Player(_) => "player",
        Role::House | Role::Public => "public",
    }
}

fn role_name(hall: ContestContext, role: Role) -> String {
    let told = hall.told(|phrases, contest| contest_view::role(phrases, contest, role));
    phrases::layout::capitalised(&told)
}

/// Says that the line is down.
#[component]
fn Line(hall: ContestContext) -> impl IntoView {
    let words = use_words();
    let lost = move || hall.book.state.get() == ConnectionState::Lost;
    view! {
        <p class="banner" role="alert" hidden=move || !lost()>
            {t!(words, line_lost)}
        </p>
    }
}

#[component]
fn Opening(hall: ContestContext) -> impl IntoView {
    let words = use_words();
    let _ = hall;
    view! {
        <main class="page narrow">
            <p class="lead" role="status">
                {t!(words, loading)}
            </p>
        </main>
    }
}

/// There is no such contest, or none for this page.
#[component]
fn Ended(end: EndReason) -> impl IntoView {
    let words = use_words();
    let old = matches!(end, EndReason::Farewell(CloseReason::OtherVersion));
    let (title, more) = match old {
        true => (t!(words, ended_version), t!(words, ended_version_more)),
        false => (t!(words, hall_gone), t!(words, hall_gone_more)),
    };
    view! { <Sorry title more again=old /> }
}

fn refusal(hall: ContestContext) -> Option<String> {
    let refused = hall.refused.get()?;
    hall.words.with(|phrases| {
        let rules = hall.contest(|contest| Some(*contest.settings().rules()))?;
        Some(phrases.refused_by_ledger(&refused, &rules))
    })
}

/// Why the last wish was refused, until it is closed or something else is wished.
#[component]
fn Refusal(hall: ContestContext) -> impl IntoView {
    let words = use_words();
    view! {
        <div class="refusal" role="alert" hidden=move || hall.refused.with(Option::is_none)>
            <p>{move || refusal(hall)}</p>
            <button
                class="quiet round"
                aria-label=t!(words, close)
                on:click=move |_| hall.refused.set(None)
            >
                <Drawn icon=Icon::Close />
            </button>
        </div>
    }
}

/// What the contest is called, by how many it is played, and where it stands.
#[component]
fn Summary() -> impl IntoView {
    let hall = use_contest();
    let lines = Memo::new(move |_| {
        hall.told(|phrases, contest| {
            let mut lines = contest_view::summary(phrases, contest);
            // The commitment has a place of its own.
            if contest.commitment().is_some() {
                lines.pop();
            }
            lines
        })
    });
    let title = Memo::new(move |_| hall.contest(|c| c.settings().title().to_string()));
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
