//! The felt: who sits round it, what lies on it, and the bar above it. The same at a table and in
//! a replay.

use leptos::prelude::*;
use table_view::participants::SeatStatus;
use table_view::scene::{PlayedCard, SceneTrump, TableScene};
use wire::table::Snapshot;

use super::dialog::Dialog;
use super::keys::Keys;
use crate::card::{Back, Face, Sign};
use crate::connection_loop::now;
use crate::icon::{Drawn, Icon};
use crate::settings::use_settings;
use crate::table_connection::TableConnection;
use crate::text::{t, use_words};

/// What the felt is drawn from.
#[derive(Clone, Copy)]
pub(crate) struct SceneContext {
    /// The match as it is drawn; nothing before the first one.
    pub(crate) scene: Memo<Option<TableScene>>,
    /// Who is here and whose clock runs; nothing where nobody plays any more.
    pub(crate) line: Option<TableConnection>,
}

impl SceneContext {
    /// Something about the felt.
    pub(crate) fn on_felt<T>(self, look: impl FnOnce(&TableScene) -> T) -> Option<T> {
        self.scene.with(|scene| scene.as_ref().map(look))
    }

    /// Something about the table.
    fn state<T>(self, look: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        self.line?.replica.with(|replica| replica.state().map(look))
    }
}

/// What is seen, in a component.
fn use_scene() -> SceneContext {
    expect_context()
}

/// Which deal it is, and its trump.
#[component]
pub(crate) fn DealLine() -> impl IntoView {
    let (sight, words) = (use_scene(), use_words());
    let deal = move || sight.on_felt(|scene| scene.deal.clone());
    let trump = Memo::new(move |_| sight.on_felt(|scene| (scene.trump.clone(), scene.rules)));
    view! {
        <div class="deal">
            <span>{deal}</span>
            {move || {
                trump
                    .get()
                    // Between two deals there is nothing to say about it.
                    .filter(|(trump, _)| *trump != SceneTrump::NoDeal)
                    .map(|(trump, rules)| {
                        let name = words
                            .with(|phrases| match &trump {
                                SceneTrump::Unknown | SceneTrump::NoDeal => phrases.trump_unknown(),
                                SceneTrump::None => phrases.no_trump(),
                                SceneTrump::Suit(suit, _) => phrases.trump(&rules, Some(*suit)),
                            });
                        let sign = match trump {
                            SceneTrump::Suit(suit, _) => {
                                Some(view! { <Sign suit pack=rules.pack() /> })
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

/// What every side has and has promised.
#[component]
pub(crate) fn SidesLine() -> impl IntoView {
    let (sight, words) = (use_scene(), use_words());
    let sides = Memo::new(move |_| sight.on_felt(|scene| scene.sides.clone()).unwrap_or_default());
    view! {
        <ul class="sides" aria-label=t!(words, score_title)>
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

/// The bar: the deal, the trump, the sides, and what else can be looked at.
#[component]
pub(crate) fn Bar(
    /// What it means to go away.
    leave: Signal<String>,
    children: Children,
) -> impl IntoView {
    view! {
        <header class="bar">
            <a class="quiet round" href="/" aria-label=move || leave.get()>
                <Drawn icon=Icon::Back />
            </a>
            <DealLine />
            <SidesLine />
            <div class="tools">{children()}</div>
        </header>
    }
}

/// What else can be looked at, at a table.
#[component]
pub(super) fn Tools(keys: Keys) -> impl IntoView {
    let (game, words, settings) = (super::use_table(), use_words(), use_settings());
    let sound = move || settings.with(|settings| settings.sound);
    // Nobody is there to talk to whoever plays alone.
    let asks = match game.alone {
        None => (keys.talk, Icon::Chat, t!(words, talk_title)),
        Some(alone) => (alone.asks, Icon::Again, t!(words, start_over)),
    };
    let people = (game.company, Icon::People, t!(words, company_title));
    let people = game.alone.is_none().then_some(people);
    let windows = [
        (keys.last, Icon::LastTrick, t!(words, last_trick)),
        (keys.sheet, Icon::Sheet, t!(words, score_sheet)),
        asks,
    ];
    let opener = |(open, icon, label): (RwSignal<bool>, Icon, Signal<String>)| {
        view! {
            <button class="quiet round" aria-label=label on:click=move |_| open.set(true)>
                <Drawn icon />
            </button>
        }
    };
    view! {
        {windows.into_iter().chain(people).map(opener).collect_view()}
        <button
            class="quiet round sound"
            aria-label=t!(words, setting_sound)
            aria-pressed=move || if sound() { "true" } else { "false" }
            on:click=move |_| settings.update(|settings| settings.sound = !settings.sound)
        >
            {move || {
                view! { <Drawn icon=if sound() { Icon::Sound } else { Icon::Mute } /> }
            }}
        </button>
    }
}

#[component]
pub(crate) fn FeltView() -> impl IntoView {
    let sight = use_scene();
    let places = Memo::new(move |_| sight.on_felt(|scene| scene.places.len()).unwrap_or_default());
    view! {
        <div class="felt">
            {move || (0..places.get()).map(|at| view! { <Seat at /> }).collect_view()}
            <Middle />
            <Tricks />
        </div>
    }
}

/// Somebody at the table.
#[component]
fn Seat(at: usize) -> impl IntoView {
    let (sight, words) = (use_scene(), use_words());
    let place = Memo::new(move |_| sight.on_felt(|scene| scene.places.get(at).cloned()).flatten());
    let presence = Memo::new(move |_| {
        let seat = place.with(|place| place.as_ref().map(|place| place.seat.index()))?;
        sight.state(|state| state.seats.get(seat).map(SeatStatus::of)).flatten()
    });
    let pack = move || sight.on_felt(|scene| scene.rules.pack());
    // A bar that shrinks while the clock runs; a new one for each clock.
    let clock = Memo::new(move |_| {
        let number = place.with(|place| place.as_ref().map(|place| place.seat.number()))?;
        let clock = sight.state(|state| state.clock).flatten()?;
        (clock.seat == Some(number)).then_some(clock.until)
    });
    let running = move || {
        clock.get().map(|until| {
            let left = (until as f64 - now() - sight.line.map_or(0.0, |line| line.ahead.get_untracked())).max(0.0);
            view! { <span class="clock" style=("animation-duration", format!("{left:.0}ms"))></span> }
        })
    };
    let show = move || {
        let place = place.get()?;
        let pack = pack()?;
        let words_of =
            presence.get().and_then(|presence| words.with(|phrases| presence.words(phrases)));
        let icon = match presence.get().unwrap_or_default() {
            SeatStatus::Here | SeatStatus::Free => None,
            SeatStatus::Away => Some(Icon::Lost),
            SeatStatus::Bot | SeatStatus::StandInForAway | SeatStatus::StandInForTime => {
                Some(Icon::Bot)
            }
        };
        let label = match &words_of {
            Some(words) => format!("{} ({words})", place.label),
            None => place.label.clone(),
        };
        let open = !place.hand.is_empty();
        let backs = (0..if place.is_viewer || open { 0 } else { place.cards }).map(|at| {
            view! {
                <span class="mini" style=("--i", at.to_string())>
                    <Back pack />
                </span>
            }
        });
        let faces = if open { &place.hand } else { &place.shown };
        let shown = faces.iter().map(|card| {
            view! {
                <span class="mini" class:forbidden=place.forbidden.contains(*card)>
                    <Face card=*card pack />
                </span>
            }
        });
        let stand_in =
            matches!(presence.get(), Some(SeatStatus::StandInForAway | SeatStatus::StandInForTime));
        Some(view! {
            <div class="who" role="img" aria-label=label>
                <span class="name">
                    {icon.map(|icon| view! { <Drawn icon /> })} {place.name.clone()}
                </span>
                <span class="marks">
                    {place.deals.then(|| view! { <span class="mark dealer">{t!(words, mark_dealer)}</span> })}
                    {place.bid.clone().map(|bid| view! {
                        <span class="mark bidden" class:declares=place.declares>{bid}</span>
                    })}
                    {(place.tricks > 0).then(|| view! {
                        <span class="mark tricks">{place.tricks}</span>
                    })}
                </span>
                {stand_in.then(|| view! { <span class="stand-in">{words_of}</span> })}
            </div>
            <div class="backs" aria-hidden="true">
                {backs.collect_view()}
            </div>
            <div class="shown" class:open=open aria-hidden="true">
                {shown.collect_view()}
            </div>
        })
    };
    let turn = move || place.with(|place| place.as_ref().is_some_and(|place| place.turn));
    let own = move || place.with(|place| place.as_ref().is_some_and(|place| place.is_viewer));
    view! {
        <div class="seat" data-place=at.to_string() class:turn=turn class:viewer=own>
            {show}
            {running}
        </div>
    }
}

/// The stock, or the card that was turned up.
#[component]
fn Middle() -> impl IntoView {
    let (sight, words) = (use_scene(), use_words());
    let lies = Memo::new(move |_| {
        sight.on_felt(|scene| {
            let turned = match scene.trump {
                SceneTrump::Suit(_, Some(card)) => Some(card),
                _ => None,
            };
            (turned, scene.stock, scene.rules.pack())
        })
    });
    move || {
        let (turned, stock, pack) = lies.get()?;
        let turned = turned.map(|card| {
            let name = words.with(|phrases| phrases.card(pack, card));
            view! {
                <figure class="turned" role="img" aria-label=name>
                    <Face card pack />
                </figure>
            }
        });
        let stock = stock.filter(|left| *left > 0).map(|left| {
            view! {
                <figure class="stock" role="img" aria-label=t!(words, stock_left, left)>
                    <Back pack />
                    <figcaption>{left}</figcaption>
                </figure>
            }
        });
        Some(view! { <div class="middle">{turned} {stock}</div> })
    }
}

/// The trick on the table, and the one before it on its way to whoever took it.
#[component]
fn Tricks() -> impl IntoView {
    let sight = use_scene();
    let trick = Memo::new(move |_| sight.on_felt(|scene| scene.trick.clone()).unwrap_or_default());
    let number = Memo::new(move |_| sight.on_felt(|scene| (scene.deal.clone(), scene.tricks)));
    let last = Memo::new(move |_| sight.on_felt(|scene| scene.last.clone()).flatten());
    let pack = move || sight.on_felt(|scene| scene.rules.pack());
    let lying = move |laid: PlayedCard| {
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
                <Face card=laid.card pack />
            </div>
        })
    };
    view! {
        <div class="tricks">
            {move || {
                // Made anew with each trick, so that it moves once.
                number.track();
                last.get()
                    .map(|taken| {
                        let cards = taken.cards.into_iter().map(lying);
                        view! {
                            <div class="taken" data-by=taken.by.to_string() aria-hidden="true">
                                {cards.collect_view()}
                            </div>
                        }
                    })
            }}
            <div class="trick">
                <For each=move || trick.get() key=|laid| (laid.card.index(), laid.best) children=lying />
            </div>
        </div>
    }
}

/// The last trick, to be looked at again.
#[component]
pub(super) fn LastTrick(open: RwSignal<bool>) -> impl IntoView {
    let (sight, words) = (use_scene(), use_words());
    let content = move || {
        let last =
            sight.on_felt(|scene| scene.last.clone().map(|last| (last, scene.clone()))).flatten();
        match last {
            None => view! { <p>{t!(words, no_trick_yet)}</p> }.into_any(),
            Some((last, scene)) => {
                let pack = scene.rules.pack();
                let cards = last.cards.iter().map(|laid| {
                    let name = scene.places.get(laid.place).map(|place| place.name.clone());
                    view! {
                        <figure class:best=laid.best>
                            <span class="card" role="img" aria-label=laid.name.clone()>
                                <Face card=laid.card pack />
                            </span>
                            <figcaption>{name}</figcaption>
                        </figure>
                    }
                });
                let taker = scene.places.get(last.by).map(|place| place.name.clone());
                view! {
                    <div class="row-of-cards">{cards.collect_view()}</div>
                    <p>{t!(words, takes, taker.clone().unwrap_or_default())}</p>
                }
                .into_any()
            }
        }
    };
    view! {
        <Dialog open title=t!(words, last_trick)>
            {content}
        </Dialog>
    }
}
