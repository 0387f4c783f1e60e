//! The table as it is drawn: the players, the cards, and the bar above. The same at a table and in
//! a replay.

use cards::Pack;
use leptos::prelude::*;
use table_view::participants::SeatStatus;
use table_view::scene::{PlayedCard, SceneSeat, SceneTrump, TableScene};
use wire::table::Snapshot;

use super::dialog::Dialog;
use super::keys::Keys;
use crate::card::{CardBack, CardFace, SuitSign};
use crate::connection_loop::now;
use crate::icon::{Icon, IconImage};
use crate::settings::use_settings;
use crate::table_connection::TableConnection;
use crate::text::{t, use_phrases};

/// What the scene is drawn from.
#[derive(Clone, Copy)]
pub(crate) struct SceneContext {
    /// The match as it is drawn; None before the first one.
    pub(crate) scene: Memo<Option<TableScene>>,
    /// The connection, for presence and clocks; None in a replay and in a lesson.
    pub(crate) connection: Option<TableConnection>,
}

impl SceneContext {
    /// Reads the scene; returns None before the first match.
    pub(crate) fn with_scene<T>(self, look: impl FnOnce(&TableScene) -> T) -> Option<T> {
        self.scene.with(|scene| scene.as_ref().map(look))
    }

    /// Reads the state of the table; returns None without a connection.
    fn state<T>(self, look: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        self.connection?.replica.with(|replica| replica.state().map(look))
    }
}

/// The scene context in a component.
fn use_scene() -> SceneContext {
    expect_context()
}

/// The number of the deal, and its trump.
#[component]
pub(crate) fn DealLine() -> impl IntoView {
    let (context, phrases) = (use_scene(), use_phrases());
    let deal = move || context.with_scene(|scene| scene.deal.clone());
    let trump = Memo::new(move |_| context.with_scene(|scene| (scene.trump.clone(), scene.rules)));
    view! {
        <div class="deal">
            <span>{deal}</span>
            {move || {
                trump
                    .get()
                    // Between two deals there is no trump to show.
                    .filter(|(trump, _)| *trump != SceneTrump::NoDeal)
                    .map(|(trump, rules)| {
                        let name = phrases
                            .with(|phrases| match &trump {
                                SceneTrump::Unknown | SceneTrump::NoDeal => phrases.trump_unknown(),
                                SceneTrump::None => phrases.no_trump(),
                                SceneTrump::Suit(suit, _) => phrases.trump(&rules, Some(*suit)),
                            });
                        let sign = match trump {
                            SceneTrump::Suit(suit, _) => {
                                Some(view! { <SuitSign suit pack=rules.pack() /> })
                            }
                            _ => None,
                        };
                        view! {
                            <span class="trump">
                                {sign}
                                <span>{name.trim_end_matches('.').to_owned()}</span>
                            </span>
                        }
                    })
            }}
        </div>
    }
}

/// The score, the points and the promise of every side.
#[component]
pub(crate) fn SidesLine() -> impl IntoView {
    let (context, phrases) = (use_scene(), use_phrases());
    let sides =
        Memo::new(move |_| context.with_scene(|scene| scene.sides.clone()).unwrap_or_default());
    view! {
        <ul class="sides" aria-label=t!(phrases, score_title)>
            {move || {
                sides
                    .get()
                    .into_iter()
                    .map(|side| {
                        let has = side.points.map(|points| points.to_string());
                        let wants = side.promised.filter(|wants| *wants > 0 || side.need.is_some());
                        view! {
                            <li class:own=side.own>
                                <span class="who">{side.name}</span>
                                <strong class="score">{side.score}</strong>
                                <span class="points">
                                    {has}
                                    {wants
                                        .filter(|_| side.points.is_some())
                                        .map(|wants| format!("/{wants}"))}
                                </span>
                                <span class="need">{side.need}</span>
                            </li>
                        }
                    })
                    .collect_view()
            }}
        </ul>
    }
}

/// The bar: the deal, the trump, the sides, and further buttons.
#[component]
pub(crate) fn TableBar(
    /// What leaving means here, as a label.
    leave: Signal<String>,
    children: Children,
) -> impl IntoView {
    view! {
        <header class="bar">
            <a class="quiet round" href="/" aria-label=move || leave.get()>
                <IconImage icon=Icon::Back />
            </a>
            <DealLine />
            <SidesLine />
            <div class="tools">{children()}</div>
        </header>
    }
}

/// The buttons that open the dialogs of a table.
#[component]
pub(super) fn TableTools(keys: Keys) -> impl IntoView {
    let (table, phrases, settings) = (super::use_table(), use_phrases(), use_settings());
    let sound = move || settings.with(|settings| settings.sound);
    // A practice table has no chat.
    let asks = match table.practice {
        None => (keys.talk, Icon::Chat, t!(phrases, talk_title)),
        Some(practice) => (practice.is_open, Icon::Again, t!(phrases, start_over)),
    };
    let people = (table.participants_open, Icon::People, t!(phrases, participants_title));
    let people = table.practice.is_none().then_some(people);
    let windows = [
        (keys.last, Icon::LastTrick, t!(phrases, last_trick)),
        (keys.sheet, Icon::Sheet, t!(phrases, score_sheet)),
        asks,
    ];
    let opener = |(open, icon, label): (RwSignal<bool>, Icon, Signal<String>)| {
        view! {
            <button class="quiet round" aria-label=label on:click=move |_| open.set(true)>
                <IconImage icon />
            </button>
        }
    };
    view! {
        {windows.into_iter().chain(people).map(opener).collect_view()}
        <button
            class="quiet round sound"
            aria-label=t!(phrases, setting_sound)
            aria-pressed=move || if sound() { "true" } else { "false" }
            on:click=move |_| settings.update(|settings| settings.sound = !settings.sound)
        >
            {move || {
                view! { <IconImage icon=if sound() { Icon::Sound } else { Icon::Mute } /> }
            }}
        </button>
    }
}

#[component]
pub(crate) fn SceneView() -> impl IntoView {
    let context = use_scene();
    let places =
        Memo::new(move |_| context.with_scene(|scene| scene.places.len()).unwrap_or_default());
    view! {
        <div class="felt">
            {move || (0..places.get()).map(|at| view! { <SeatView at /> }).collect_view()}
            <StockAndTrump />
            <TricksOnTable />
        </div>
    }
}

/// A player at the table.
#[component]
fn SeatView(at: usize) -> impl IntoView {
    let context = use_scene();
    let place =
        Memo::new(move |_| context.with_scene(|scene| scene.places.get(at).cloned()).flatten());
    let presence = Memo::new(move |_| {
        let seat = place.with(|place| place.as_ref().map(|place| place.seat.index()))?;
        context.state(|state| state.seats.get(seat).map(SeatStatus::of)).flatten()
    });
    let pack = move || context.with_scene(|scene| scene.rules.pack());
    let content = move || Some(seat_content(place.get()?, pack()?, presence.get()));
    let turn = move || place.with(|place| place.as_ref().is_some_and(|place| place.turn));
    let own = move || place.with(|place| place.as_ref().is_some_and(|place| place.is_viewer));
    view! {
        <div class="seat" data-place=at.to_string() class:turn=turn class:viewer=own>
            {content}
            {clock_bar(context, place)}
        </div>
    }
}

/// A bar that shrinks while the clock of a player runs; a new element for each clock.
fn clock_bar(context: SceneContext, place: Memo<Option<SceneSeat>>) -> impl IntoView {
    let clock = Memo::new(move |_| {
        let number = place.with(|place| place.as_ref().map(|place| place.seat.number()))?;
        let clock = context.state(|state| state.clock).flatten()?;
        (clock.seat == Some(number)).then_some(clock.until)
    });
    move || {
        clock.get().map(|until| {
            let offset =
                context.connection.map_or(0, |connection| connection.clock_offset.get_untracked());
            let left = (until as i64 - now() as i64 - offset).max(0);
            view! { <span class="clock" style=("animation-duration", format!("{left}ms"))></span> }
        })
    }
}

/// The name, the marks and the cards of a player.
fn seat_content(place: SceneSeat, pack: Pack, presence: Option<SeatStatus>) -> impl IntoView {
    let phrases = use_phrases();
    let status = presence.and_then(|presence| phrases.with(|phrases| presence.words(phrases)));
    let icon = match presence.unwrap_or_default() {
        SeatStatus::Here | SeatStatus::Free => None,
        SeatStatus::Away => Some(Icon::Lost),
        SeatStatus::Bot | SeatStatus::StandInForAway | SeatStatus::StandInForTime => {
            Some(Icon::Bot)
        }
    };
    let label = match &status {
        Some(status) => format!("{} ({status})", place.label),
        None => place.label.clone(),
    };
    let open = !place.hand.is_empty();
    let backs = (0..if place.is_viewer || open { 0 } else { place.cards }).map(|at| {
        view! {
            <span class="mini" style=("--i", at.to_string())>
                <CardBack pack />
            </span>
        }
    });
    let faces = if open { &place.hand } else { &place.shown };
    let shown = faces.iter().map(|card| {
        view! {
            <span class="mini" class:forbidden=place.forbidden.contains(*card)>
                <CardFace card=*card pack />
            </span>
        }
    });
    let stand_in =
        matches!(presence, Some(SeatStatus::StandInForAway | SeatStatus::StandInForTime));
    view! {
        <div class="who" role="img" aria-label=label>
            <span class="name">
                {icon.map(|icon| view! { <IconImage icon /> })} {place.name.clone()}
            </span>
            {seat_marks(&place)}
            {stand_in.then(|| view! { <span class="stand-in">{status}</span> })}
        </div>
        <div class="backs" aria-hidden="true">
            {backs.collect_view()}
        </div>
        <div class="shown" class:open=open aria-hidden="true">
            {shown.collect_view()}
        </div>
    }
}

/// Who deals, what a player bid, and how many tricks they took.
fn seat_marks(place: &SceneSeat) -> impl IntoView + use<> {
    let phrases = use_phrases();
    let (declares, tricks) = (place.declares, place.tricks);
    let dealer =
        place.deals.then(|| view! { <span class="mark dealer">{t!(phrases, mark_dealer)}</span> });
    let bid = place.bid.clone().map(|bid| {
        view! {
            <span class="mark bidden" class:declares=declares>{bid}</span>
        }
    });
    let tricks = (tricks > 0).then(|| view! { <span class="mark tricks">{tricks}</span> });
    view! {
        <span class="marks">
            {dealer}
            {bid}
            {tricks}
        </span>
    }
}

/// The stock, or the card that was turned up.
#[component]
fn StockAndTrump() -> impl IntoView {
    let (context, phrases) = (use_scene(), use_phrases());
    let middle = Memo::new(move |_| {
        context.with_scene(|scene| {
            let turned = match scene.trump {
                SceneTrump::Suit(_, Some(card)) => Some(card),
                _ => None,
            };
            (turned, scene.stock, scene.rules.pack())
        })
    });
    move || {
        let (turned, stock, pack) = middle.get()?;
        let turned = turned.map(|card| {
            let name = phrases.with(|phrases| phrases.card(pack, card));
            view! {
                <figure class="turned" role="img" aria-label=name>
                    <CardFace card pack />
                </figure>
            }
        });
        let stock = stock.filter(|left| *left > 0).map(|left| {
            view! {
                <figure class="stock" role="img" aria-label=t!(phrases, stock_left, left)>
                    <CardBack pack />
                    <figcaption>{left}</figcaption>
                </figure>
            }
        });
        Some(view! { <div class="middle">{turned} {stock}</div> })
    }
}

/// The current trick, and the previous one while it moves to the player who took it.
#[component]
fn TricksOnTable() -> impl IntoView {
    let context = use_scene();
    let trick =
        Memo::new(move |_| context.with_scene(|scene| scene.trick.clone()).unwrap_or_default());
    let number = Memo::new(move |_| context.with_scene(|scene| (scene.deal.clone(), scene.tricks)));
    let last = Memo::new(move |_| context.with_scene(|scene| scene.last.clone()).flatten());
    let pack = move || context.with_scene(|scene| scene.rules.pack());
    let laid_card = move |laid: PlayedCard| {
        let pack = pack()?;
        Some(view! {
            <div
                class="laid"
                data-place=laid.place.to_string()
                class:best=laid.best
                class:called=laid.called
                role="img"
                aria-label=laid.name.clone()
            >
                <CardFace card=laid.card pack />
            </div>
        })
    };
    view! {
        <div class="tricks">
            {move || {
                // A new element for each trick, so that it is animated once.
                number.track();
                last.get()
                    .map(|taken| {
                        let cards = taken.cards.into_iter().map(laid_card);
                        view! {
                            <div class="taken" data-by=taken.by.to_string() aria-hidden="true">
                                {cards.collect_view()}
                            </div>
                        }
                    })
            }}
            <div class="trick">
                <For each=move || trick.get() key=|laid| (laid.card.index(), laid.best) children=laid_card />
            </div>
        </div>
    }
}

/// The last trick in a dialog.
#[component]
pub(super) fn LastTrickDialog(open: RwSignal<bool>) -> impl IntoView {
    let (context, phrases) = (use_scene(), use_phrases());
    let content = move || {
        let last = context
            .with_scene(|scene| scene.last.clone().map(|last| (last, scene.clone())))
            .flatten();
        match last {
            None => view! { <p>{t!(phrases, no_trick_yet)}</p> }.into_any(),
            Some((last, scene)) => {
                let pack = scene.rules.pack();
                let cards = last.cards.iter().map(|laid| {
                    let name = scene.places.get(laid.place).map(|place| place.name.clone());
                    view! {
                        <figure class:best=laid.best>
                            <span class="card" role="img" aria-label=laid.name.clone()>
                                <CardFace card=laid.card pack />
                            </span>
                            <figcaption>{name}</figcaption>
                        </figure>
                    }
                });
                let taker = scene.places.get(last.by).map(|place| place.name.clone());
                view! {
                    <div class="row-of-cards">{cards.collect_view()}</div>
                    <p>{t!(phrases, takes, taker.clone().unwrap_or_default())}</p>
                }
                .into_any()
            }
        }
    };
    view! {
        <Dialog open title=t!(phrases, last_trick)>
            {content}
        </Dialog>
    }
}
