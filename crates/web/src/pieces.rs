//! The client in pieces: whoever opens the first page waits for the first page alone. The build
//! cuts the program at these functions into files, which are loaded when their place is wanted.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use replica::Route;

use crate::contest::{ContestPage, ContestsPage, HallPage, PrintPage};
use crate::pages::{
    Friends, LearnPage, MinePage, Nowhere, ReplayPage, SharedPage, SheetPage, SheetsPage,
};
use crate::table::connection_lost::Sorry;
use crate::table::{PracticePage, TablePage};
use crate::text::{t, use_words};

/// Draws the places of a piece.
type DrawPiece = fn(Route) -> AnyView;

/// A piece did not come.
#[derive(Clone, Copy)]
struct NotLoaded;

impl From<SplitLoaderError> for NotLoaded {
    fn from(_: SplitLoaderError) -> NotLoaded {
        NotLoaded
    }
}

#[wasm_split(table, fallible, wasm_split_path = leptos::wasm_split, preload(load_table))]
fn table() -> Result<DrawPiece, NotLoaded> {
    Ok(|route| match route {
        Route::Table { table, .. } => view! { <TablePage table /> }.into_any(),
        Route::Practice { plan } => view! { <PracticePage plan /> }.into_any(),
        _ => view! { <Nowhere /> }.into_any(),
    })
}

#[wasm_split(friends, fallible, wasm_split_path = leptos::wasm_split)]
fn friends() -> Result<DrawPiece, NotLoaded> {
    Ok(|route| match route {
        Route::Friends { code } => view! { <Friends code /> }.into_any(),
        _ => view! { <Nowhere /> }.into_any(),
    })
}

#[wasm_split(study, fallible, wasm_split_path = leptos::wasm_split)]
fn study() -> Result<DrawPiece, NotLoaded> {
    Ok(|route| match route {
        Route::Replay { table, number, .. } => view! { <ReplayPage table number /> }.into_any(),
        Route::Mine => view! { <MinePage /> }.into_any(),
        Route::Learn { game } => view! { <LearnPage game /> }.into_any(),
        _ => view! { <Nowhere /> }.into_any(),
    })
}

#[wasm_split(paper, fallible, wasm_split_path = leptos::wasm_split)]
fn paper() -> Result<DrawPiece, NotLoaded> {
    Ok(|route| match route {
        Route::Sheets => view! { <SheetsPage /> }.into_any(),
        Route::Sheet { sheet } => view! { <SheetPage sheet /> }.into_any(),
        Route::SharedSheet { ledger, .. } => view! { <SharedPage ledger /> }.into_any(),
        _ => view! { <Nowhere /> }.into_any(),
    })
}

#[wasm_split(contest, fallible, wasm_split_path = leptos::wasm_split)]
fn contest() -> Result<DrawPiece, NotLoaded> {
    Ok(|route| match route {
        Route::Contests => view! { <ContestsPage /> }.into_any(),
        Route::Contest { ledger, .. } => view! { <ContestPage ledger /> }.into_any(),
        Route::Hall { ledger } => view! { <HallPage ledger /> }.into_any(),
        Route::Print { ledger, what } => view! { <PrintPage ledger what /> }.into_any(),
        _ => view! { <Nowhere /> }.into_any(),
    })
}

/// A place that is drawn by a piece, once that is here.
#[component]
pub(crate) fn InPiece(route: Route) -> impl IntoView {
    let words = use_words();
    let draws = RwSignal::new(None::<Result<DrawPiece, NotLoaded>>);
    let wanted = route.clone();
    spawn_local(async move {
        let loaded = match wanted {
            Route::Friends { .. } => friends().await,
            Route::Replay { .. } | Route::Learn { .. } | Route::Mine => study().await,
            Route::Sheets | Route::Sheet { .. } | Route::SharedSheet { .. } => paper().await,
            Route::Contests | Route::Contest { .. } | Route::Hall { .. } | Route::Print { .. } => {
                contest().await
            }
            _ => table().await,
        };
        draws.try_set(Some(loaded));
    });
    move || match draws.get() {
        Some(Ok(draw)) => draw(route.clone()),
        Some(Err(NotLoaded)) => {
            let (title, more) = (t!(words, trouble_unreachable), t!(words, ended_try_more));
            view! { <Sorry title more again=true /> }.into_any()
        }
        None => view! {
            <main class="page narrow">
                <p class="lead" role="status">
                    {t!(words, loading)}
                </p>
            </main>
        }
        .into_any(),
    }
}

/// Gets the table before it is wanted: whoever looks at the first page is about to play. If it
/// does not come, it is asked for again when it is wanted.
pub(crate) fn expect_a_game() {
    spawn_local(async {
        let _ = load_table().await;
    });
}
