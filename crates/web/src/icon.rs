//! Icons of buttons.

use leptos::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Icon {
    Again,
    Back,
    Bot,
    Chat,
    Copy,
    DealBack,
    First,
    LastTrick,
    Lost,
    Sheet,
    Sound,
    Mute,
    People,
    TrickBack,
    Close,
}

/// An icon of 24 units, with lines in the colour of the text.
#[component]
pub(crate) fn IconImage(icon: Icon) -> impl IntoView {
    let path = match icon {
        Icon::Again => "M5 12a7 7 0 1 1 2.500 5.400M5 18v-5h5",
        Icon::Back => "M15 5l-7 7 7 7",
        Icon::Bot => {
            "M6 9h12v9H6zM12 9V5M9.500 13v1.500M14.500 13v1.500M3.500 12v3M20.500 12v3M12 4.500h.01"
        }
        Icon::Chat => "M4 5h16v11H10l-4 4v-4H4z",
        Icon::Copy => "M9 8h10v12H9zM15 8V4H5v12h4",
        Icon::DealBack => "M11 5l-7 7 7 7M14 6h6v12h-6z",
        Icon::First => "M20 5l-7 7 7 7M12.500 5l-7 7 7 7M4 5v14",
        Icon::LastTrick => "M5 7l8-2 3 11-8 2zM13.500 6.500L19 8l-2.500 9.500",
        Icon::Lost => {
            "M3 9a13 13 0 0 1 18 0M6.500 12.500a8 8 0 0 1 11 0M10 16a3.500 3.500 0 0 1 4 0M4 4l16 16"
        }
        Icon::Sheet => "M6 3h12v18H6zM9 8h6M9 12h6M9 16h4",
        Icon::Sound => "M4 10v4h3l5 4V6L7 10zM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11",
        Icon::Mute => "M4 10v4h3l5 4V6L7 10zM16 10l5 5M21 10l-5 5",
        Icon::People => {
            "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c0-4 2.500-6 6.500-6s6.500 2 6.500 6\
             M16 4.500a3.500 3.500 0 0 1 0 6.500M17.500 14.300c2.600.600 4 2.500 4 5.700"
        }
        Icon::TrickBack => "M19 5l-7 7 7 7M11.500 5l-7 7 7 7",
        Icon::Close => "M6 6l12 12M18 6L6 18",
    };
    view! {
        <svg
            class="icon"
            viewBox="0 0 24 24"
            aria-hidden="true"
            fill="none"
            stroke="currentColor"
            stroke-width="1.8"
            stroke-linecap="round"
            stroke-linejoin="round"
        >
            <path d=path></path>
        </svg>
    }
}
