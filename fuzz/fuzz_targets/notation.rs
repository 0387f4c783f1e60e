//! Any text is a rules code, a position or a view, or is refused; what was read survives print and
//! parse.
#![no_main]

use game::{Position, Rules, View};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(rules) = Rules::from_code(text) {
        assert_eq!(Rules::from_code(&rules.code()), Ok(rules));
    }
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse(), Ok(position.clone()));
        // Any position that can be read can be played.
        game::perft::perft(&position, 3);
    }
    if let Ok(view) = text.parse::<View>() {
        assert_eq!(view.to_string().parse(), Ok(view.clone()));
        for action in view.actions() {
            assert_eq!(view.check(action), Ok(()));
        }
    }
});
