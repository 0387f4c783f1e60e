//! For the tests: faces drawn in all sizes and languages, compared with the files of `screens/`.
//! `UPDATE_SCREENS=1 cargo test -p terminal` draws them anew, to be looked at.

use std::fmt::Write;
use std::path::Path;

use phrases::Language;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use crate::screen::ScreenView;

/// How wide and high.
pub(crate) type Size = (u16, u16);

const SIZES: [Size; 4] = [(80, 24), (100, 30), (140, 45), (200, 60)];

/// A face on a screen of this size.
pub(crate) fn buffer(face: &mut impl ScreenView, (wide, high): Size) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(wide, high)).expect("a screen");
    terminal.draw(|frame| face.draw(frame)).expect("drawn");
    terminal.backend().buffer().clone()
}

/// The same as text.
pub(crate) fn screen(face: &mut impl ScreenView, size: Size) -> String {
    let buffer = buffer(face, size);
    let mut text = String::new();
    for y in 0..size.1 {
        let line: String = (0..size.0).map(|x| buffer[(x, y)].symbol()).collect();
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Draws in all sizes and languages, and compares it with its file.
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
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == drawn,
        "{name} looks otherwise; UPDATE_SCREENS=1 cargo test -p terminal draws it anew\n{drawn}"
    );
}
