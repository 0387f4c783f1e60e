//! For the tests: views drawn in all sizes and languages, compared with the files of `screens/`.
//! `UPDATE_SCREENS=1 cargo test -p terminal` writes the files again; review the difference.

use std::fmt::Write;
use std::path::Path;

use phrases::Language;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use crate::screen::ScreenView;

/// Width and height.
pub(crate) type Size = (u16, u16);

const SIZES: [Size; 4] = [(80, 24), (100, 30), (140, 45), (200, 60)];

/// Draws a view on a screen of this size.
pub(crate) fn buffer(view: &mut impl ScreenView, (wide, high): Size) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(wide, high)).expect("a screen");
    terminal.draw(|frame| view.draw(frame)).expect("drawn");
    terminal.backend().buffer().clone()
}

/// The same as text.
pub(crate) fn screen(view: &mut impl ScreenView, size: Size) -> String {
    let buffer = buffer(view, size);
    let mut text = String::new();
    for y in 0..size.1 {
        let line: String = (0..size.0).map(|x| buffer[(x, y)].symbol()).collect();
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Draws in all sizes and languages, and compares the result with its file.
#[track_caller]
pub(crate) fn check(name: &str, draw: impl Fn(Language, Size) -> String) {
    let mut drawn = String::new();
    for language in Language::ALL {
        for size in SIZES {
            let screen = draw(language, size);
            let _ = write!(drawn, "--- {language} {}×{}\n{screen}", size.0, size.1);
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("screens/{name}.txt"));
    if std::env::var_os("UPDATE_SCREENS").is_some() {
        std::fs::write(&path, drawn).expect("written");
        return;
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == drawn,
        "{name} is drawn differently; UPDATE_SCREENS=1 cargo test -p terminal writes it again\n{drawn}"
    );
}
