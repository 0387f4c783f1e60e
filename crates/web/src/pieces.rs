//! Code splitting: the first page loads without the code of the others. The build splits the
//! program at these functions into files, which are loaded when one of their pages is opened.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::{SplitLoaderError, wasm_split};

use crate::contest::{ContestPage, ContestsPage, PrintPage, WallPage};
use crate::pages::{
    FriendsPage, LearnPage, MinePage, ReplayPage, SharedSheetPage, SheetPage, SheetsPage,
};
use crate::table::connection_lost::ErrorPage;
use crate::table::{PracticePage, TablePage};
use crate::text::{t, use_phrases};

/// A page that is part of a piece, by piece.
#[derive(Clone)]
pub(crate) enum PiecePage {
    Table(TablePiece),
    Friends { code: Option<String> },
    Study(StudyPiece),
    Paper(PaperPiece),
    Contest(ContestPiece),
}

/// The pages of the piece `table`.
#[derive(Clone)]
pub(crate) enum TablePiece {
    Table { table: String },
    Practice { plan: Option<String> },
}

/// The pages of the piece `study`.
#[derive(Clone)]
pub(crate) enum StudyPiece {
    Replay { table: String, number: u32 },
    Mine,
    Learn { game: &'static str },
}

/// The pages of the piece `paper`.
#[derive(Clone)]
pub(crate) enum PaperPiece {
    Sheets,
    Sheet { sheet: String },
    SharedSheet { ledger: String },
}

/// The pages of the piece `contest`.
#[derive(Clone)]
pub(crate) enum ContestPiece {
    Contests,
    Contest { ledger: String },
    Wall { ledger: String },
    Print { ledger: String, what: &'static str },
}

/// Draws a page of a piece.
type DrawPiece<Page> = fn(Page) -> AnyView;

/// Draws a page whose piece is loaded.
type DrawPage = Arc<dyn Fn() -> AnyView + Send + Sync>;

/// A piece could not be loaded.
#[derive(Clone, Copy)]
struct NotLoaded;

impl From<SplitLoaderError> for NotLoaded {
    fn from(_: SplitLoaderError) -> NotLoaded {
        NotLoaded
    }
}

#[wasm_split(table, fallible, wasm_split_path = leptos::wasm_split, preload(load_table))]
fn table() -> Result<DrawPiece<TablePiece>, NotLoaded> {
    Ok(|page| match page {
        TablePiece::Table { table } => view! { <TablePage table /> }.into_any(),
        TablePiece::Practice { plan } => view! { <PracticePage plan /> }.into_any(),
    })
}

#[wasm_split(friends, fallible, wasm_split_path = leptos::wasm_split)]
fn friends() -> Result<DrawPiece<Option<String>>, NotLoaded> {
    Ok(|code| view! { <FriendsPage code /> }.into_any())
}

#[wasm_split(study, fallible, wasm_split_path = leptos::wasm_split)]
fn study() -> Result<DrawPiece<StudyPiece>, NotLoaded> {
    Ok(|page| match page {
        StudyPiece::Replay { table, number } => view! { <ReplayPage table number /> }.into_any(),
        StudyPiece::Mine => view! { <MinePage /> }.into_any(),
        StudyPiece::Learn { game } => view! { <LearnPage game /> }.into_any(),
    })
}

#[wasm_split(paper, fallible, wasm_split_path = leptos::wasm_split)]
fn paper() -> Result<DrawPiece<PaperPiece>, NotLoaded> {
    Ok(|page| match page {
        PaperPiece::Sheets => view! { <SheetsPage /> }.into_any(),
        PaperPiece::Sheet { sheet } => view! { <SheetPage sheet /> }.into_any(),
        PaperPiece::SharedSheet { ledger } => view! { <SharedSheetPage ledger /> }.into_any(),
    })
}

#[wasm_split(contest, fallible, wasm_split_path = leptos::wasm_split)]
fn contest() -> Result<DrawPiece<ContestPiece>, NotLoaded> {
    Ok(|page| match page {
        ContestPiece::Contests => view! { <ContestsPage /> }.into_any(),
        ContestPiece::Contest { ledger } => view! { <ContestPage ledger /> }.into_any(),
        ContestPiece::Wall { ledger } => view! { <WallPage ledger /> }.into_any(),
        ContestPiece::Print { ledger, what } => view! { <PrintPage ledger what /> }.into_any(),
    })
}

/// Loads the piece of a page.
async fn load(page: PiecePage) -> Result<DrawPage, NotLoaded> {
    Ok(match page {
        PiecePage::Table(page) => drawing(table().await?, page),
        PiecePage::Friends { code } => drawing(friends().await?, code),
        PiecePage::Study(page) => drawing(study().await?, page),
        PiecePage::Paper(page) => drawing(paper().await?, page),
        PiecePage::Contest(page) => drawing(contest().await?, page),
    })
}

fn drawing<Page>(draw: DrawPiece<Page>, page: Page) -> DrawPage
where
    Page: Clone + Send + Sync + 'static,
{
    Arc::new(move || draw(page.clone()))
}

/// A page of a piece, once that is loaded.
#[component]
pub(crate) fn SplitPage(page: PiecePage) -> impl IntoView {
    let phrases = use_phrases();
    let loaded = RwSignal::new(None::<Result<DrawPage, NotLoaded>>);
    spawn_local(async move {
        let result = load(page).await;
        loaded.try_set(Some(result));
    });
    move || match loaded.get() {
        Some(Ok(draw)) => draw(),
        Some(Err(NotLoaded)) => {
            let (title, more) = (t!(phrases, trouble_unreachable), t!(phrases, ended_try_more));
            view! { <ErrorPage title more again=true /> }.into_any()
        }
        None => view! {
            <main class="page narrow">
                <p class="lead" role="status">
                    {t!(phrases, loading)}
                </p>
            </main>
        }
        .into_any(),
    }
}

/// Loads the table in advance, because a viewer of the first page is likely to play. If that fails,
/// it is loaded again when it is needed.
pub(crate) fn preload_table() {
    spawn_local(async {
        let _ = load_table().await;
    });
}
