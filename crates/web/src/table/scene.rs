//! The table as it is drawn: the players, the cards, and the bar above. The same at a table and in
//! a replay.

use cards::Pack;
use leptos::prelude::*;
use table_view::layout::{Rect, SeatBox, TableLayout};
use table_view::participants::SeatStatus;
use table_view::scene::{PlayedCard, SceneSeat, SceneTrump, TableScene};
use wire::table::Snapshot;

use super::dialog::Dialog;
use super::keys::Keys;
use super::layout::{css, use_layout, way};
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
    let layout = use_layout();
    view! {
        <header
            class="bar"
            class:deal-below=move || layout.with(|layout| layout.bar.deal_is_below)
            class:sides-below=move || layout.with(|layout| layout.bar.sides_are_below)
            style=move || layout.with(|layout| css(layout.bar.area))
        >
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
    let (context, layout) = (use_scene(), use_layout());
    let place =
        Memo::new(move |_| context.with_scene(|scene| scene.places.get(at).cloned()).flatten());
    let presence = Memo::new(move |_| {
        let seat = place.with(|place| place.as_ref().map(|place| place.seat.index()))?;
        context.state(|state| state.seats.get(seat).map(SeatStatus::of)).flatten()
    });
    // With two sides the bar shows the scores.
    let score = Memo::new(move |_| {
        let side = place.with(|place| place.as_ref().map(|place| place.side))?;
        let of_side = |scene: &TableScene| {
            let tally = scene.sides.iter().find(|tally| tally.side == side);
            tally.filter(|_| scene.sides.len() > 2).map(|tally| tally.score.clone())
        };
        context.with_scene(of_side).flatten()
    });
    let area = Memo::new(move |_| layout.with(|layout| layout.felt.seats.get(at).copied()));
    let pack = move || context.with_scene(|scene| scene.rules.pack());
    let turn = move || place.with(|place| place.as_ref().is_some_and(|place| place.turn));
    let own = move || place.with(|place| place.as_ref().is_some_and(|place| place.is_viewer));
    let plate = move || {
        let (place, area) = place.get().zip(area.get())?;
        Some(seat_plate(place, presence.get(), score.get(), area.has_cards()))
    };
    let cards = move || {
        let (place, area) = place.get().zip(area.get()).filter(|(_, area)| area.has_cards())?;
        Some(seat_cards(&place, &area, pack()?))
    };
    view! {
        <div class="seat" data-place=at.to_string() class:turn=turn class:viewer=own>
            <div
                class="plate"
                class:flat=move || area.get().is_some_and(|area| area.is_flat)
                style=move || area.get().map(|area| css(area.plate))
            >
                {plate}
                {clock_bar(context, place)}
            </div>
            {cards}
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

/// The name, the marks and the score of a player; the number of cards if the cards are not seen.
fn seat_plate(
    place: SceneSeat,
    presence: Option<SeatStatus>,
    score: Option<String>,
    has_cards: bool,
) -> impl IntoView {
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
    let stand_in =
        matches!(presence, Some(SeatStatus::StandInForAway | SeatStatus::StandInForTime));
    let count = (!has_cards && !place.is_viewer && place.cards > 0).then_some(place.cards);
    view! {
        <div class="who" role="img" aria-label=label>
            <span class="name">
                {icon.map(|icon| view! { <IconImage icon /> })} {place.name.clone()}
            </span>
            {score.map(|score| view! { <strong class="score">{score}</strong> })}
            {seat_marks(&place, count)}
        </div>
        {stand_in.then(|| view! { <span class="stand-in">{status}</span> })}
    }
}

/// The cards of a player: open in a replay, else as backs, under the cards that a call has shown.
fn seat_cards(place: &SceneSeat, area: &SeatBox, pack: Pack) -> AnyView {
    let open = !place.hand.is_empty();
    let faces = if open { &place.hand } else { &place.shown };
    let count = if open { faces.len() } else { place.cards };
    let hidden = count.saturating_sub(faces.len());
    let cards = (0..count).map(|at| {
        let face = at.checked_sub(hidden).and_then(|at| faces.get(at).copied());
        let forbidden = face.is_some_and(|card| place.forbidden.contains(card));
        view! {
            <span class="mini" class:forbidden=forbidden style=css(area.card_box(at, count))>
                {match face {
                    Some(card) => view! { <CardFace card pack /> }.into_any(),
                    None => view! { <CardBack pack /> }.into_any(),
                }}
            </span>
        }
    });
    view! {
        <div class="backs" class:open=open aria-hidden="true">
            {cards.collect_view()}
        </div>
    }
    .into_any()
}

/// Who deals, what a player bid, how many tricks they took, and how many cards they hold.
fn seat_marks(place: &SceneSeat, cards: Option<usize>) -> impl IntoView + use<> {
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
    let cards = cards.map(|cards| view! { <span class="mark cards">{cards}</span> });
    view! {
        <span class="marks">
            {dealer}
            {bid}
            {tricks}
            {cards}
        </span>
    }
}

/// The stock, or the card that was turned up.
#[component]
fn StockAndTrump() -> impl IntoView {
    let (context, phrases, layout) = (use_scene(), use_phrases(), use_layout());
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
        let area = move || layout.with(|layout| layout.felt.aside.map(css));
        Some(view! { <div class="middle" style=area>{turned} {stock}</div> })
    }
}

/// The current trick, and the previous one while it moves to the player who took it.
#[component]
fn TricksOnTable() -> impl IntoView {
    let (context, layout) = (use_scene(), use_layout());
    let trick =
        Memo::new(move |_| context.with_scene(|scene| scene.trick.clone()).unwrap_or_default());
    let number = Memo::new(move |_| context.with_scene(|scene| (scene.deal.clone(), scene.tricks)));
    let last = Memo::new(move |_| context.with_scene(|scene| scene.last.clone()).flatten());
    let pack = move || context.with_scene(|scene| scene.rules.pack());
    // A card comes from the hand of its player, and a taken one goes to the player who took it.
    let laid_card = move |laid: PlayedCard, taker: Option<usize>| {
        let pack = pack()?;
        let best = move || match taker {
            Some(_) => laid.best,
            // A later card may be better.
            None => trick.with(|trick| trick.iter().any(|now| now.card == laid.card && now.best)),
        };
        let style = move || {
            layout.with(|layout| {
                let card = *layout.felt.trick.get(laid.place)?;
                let from = way(card, source(layout, laid.place), "from");
                let to = way(card, source(layout, taker.unwrap_or(laid.place)), "to");
                Some(format!("{};{from};{to}", css(card)))
            })
        };
        Some(view! {
            <div
                class="laid"
                data-place=laid.place.to_string()
                class:best=best
                class:called=laid.called
                role="img"
                aria-label=laid.name.clone()
                style=style
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
                        let cards =
                            taken.cards.into_iter().map(|laid| laid_card(laid, Some(taken.by)));
                        view! {
                            <div class="taken" aria-hidden="true">
                                {cards.collect_view()}
                            </div>
                        }
                    })
            }}
            <div class="trick">
                <For
                    each=move || trick.get()
                    key=|laid| laid.card.index()
                    children=move |laid| laid_card(laid, None)
                />
            </div>
        </div>
    }
}

/// Where the cards of a place come from: the hand of the viewer, or the seat of another player.
fn source(layout: &TableLayout, place: usize) -> Rect {
    match layout.hand {
        Some(hand) if place == 0 => hand.area,
        _ => layout.felt.seats.get(place).map_or(layout.felt.area, |seat| seat.plate),
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
