//! The layout on screens of every size, for both games and all numbers of players.

use super::*;

/// Width and height of phones, tablets and desktops, in both orientations.
const SCREENS: [(f32, f32); 22] = [
    (320.0, 568.0),
    (568.0, 320.0),
    (360.0, 640.0),
    (640.0, 360.0),
    (375.0, 667.0),
    (667.0, 375.0),
    (390.0, 844.0),
    (844.0, 390.0),
    (412.0, 915.0),
    (915.0, 412.0),
    (600.0, 960.0),
    (768.0, 1024.0),
    (1024.0, 768.0),
    (1280.0, 720.0),
    (1280.0, 800.0),
    (1366.0, 768.0),
    (1440.0, 900.0),
    (1080.0, 1920.0),
    (1920.0, 1080.0),
    (2560.0, 1440.0),
    (3440.0, 1440.0),
    (3840.0, 2160.0),
];
const TEXTS: [f32; 3] = [16.0, 20.0, 32.0];
const TABLES: [&str; 9] = [
    "cruce2",
    "cruce3",
    "cruce4t",
    "cruce4s",
    "cruce4t-b6",
    "whist3",
    "whist4",
    "whist5",
    "whist6",
];
const KINDS: [TableKind; 4] =
    [TableKind::Seated, TableKind::Watched, TableKind::Lesson, TableKind::Replay];

/// A layout with what it was made for.
struct Case {
    name: String,
    screen: ScreenSize,
    kind: TableKind,
    parts: Parts,
    layout: TableLayout,
}

fn cases() -> impl Iterator<Item = Case> {
    let of_screen =
        |(width, height): (f32, f32)| TEXTS.map(|text| ScreenSize { width, height, text });
    SCREENS.into_iter().flat_map(of_screen).flat_map(|screen| {
        TABLES.into_iter().flat_map(move |table| {
            let rules = Rules::from_code(table).expect("rules");
            KINDS.into_iter().map(move |kind| {
                let parts = Parts::new(&rules, kind);
                let layout = TableLayout::new(screen, &parts);
                let ScreenSize { width, height, text } = screen;
                let name = format!("{table} {kind:?} on {width}×{height}, text {text}");
                Case { name, screen, kind, parts, layout }
            })
        })
    })
}

impl Case {
    /// All boxes that are seen at the same time while cards are played.
    fn boxes(&self) -> Vec<(String, Rect)> {
        let TableLayout { bar, panel, lesson, felt, prompt, hand, .. } = &self.layout;
        let mut boxes = vec![("bar".to_owned(), bar.area), ("prompt".into(), *prompt)];
        boxes.extend(panel.map(|panel| ("panel".into(), panel)));
        boxes.extend(lesson.map(|lesson| ("lesson".into(), lesson)));
        boxes.extend(felt.aside.map(|aside| ("aside".into(), aside)));
        boxes.extend(hand.map(|hand| ("hand".into(), hand.area)));
        for (place, seat) in felt.seats.iter().enumerate() {
            boxes.push((format!("plate {place}"), seat.plate));
            if seat.has_cards() {
                boxes.push((format!("cards {place}"), seat.cards));
            }
        }
        boxes
            .extend(felt.trick.iter().enumerate().map(|(at, card)| (format!("trick {at}"), *card)));
        boxes
    }
}

fn overlap(one: &Rect, other: &Rect) -> bool {
    const TOLERANCE: f32 = 0.1;
    one.x + TOLERANCE < other.right()
        && other.x + TOLERANCE < one.right()
        && one.y + TOLERANCE < other.bottom()
        && other.y + TOLERANCE < one.bottom()
}

fn contains(outer: &Rect, inner: &Rect) -> bool {
    const TOLERANCE: f32 = 0.1;
    outer.x <= inner.x + TOLERANCE
        && outer.y <= inner.y + TOLERANCE
        && inner.right() <= outer.right() + TOLERANCE
        && inner.bottom() <= outer.bottom() + TOLERANCE
}

#[test]
fn nothing_overlaps_and_nothing_is_clipped() {
    for case in cases() {
        let boxes = case.boxes();
        let screen = Rect::new(0.0, 0.0, case.layout.width, case.layout.height);
        for (at, (name, one)) in boxes.iter().enumerate() {
            assert!(contains(&screen, one), "{}: {name} {one:?}", case.name);
            assert!(one.width > 0.0 && one.height > 0.0, "{}: {name} {one:?}", case.name);
            for (other_name, other) in &boxes[at + 1..] {
                assert!(
                    !overlap(one, other),
                    "{}: {name} {one:?} {other_name} {other:?}",
                    case.name
                );
            }
        }
        let bids = case.layout.felt.bids;
        for (name, one) in boxes.iter().filter(|(name, _)| !name.starts_with("trick")) {
            assert!(!overlap(one, &bids), "{}: {name} {one:?} bids {bids:?}", case.name);
        }
    }
}

#[test]
fn a_table_with_usual_text_fits_every_screen() {
    for case in cases().filter(|case| case.screen.text == 16.0) {
        let is_small = case.screen.width.min(case.screen.height) < 420.0;
        // The text of a lesson and the controls of a replay take half of a small phone.
        let may_scroll = matches!(case.kind, TableKind::Lesson | TableKind::Replay) && is_small;
        let fits = case.layout.height <= case.screen.height;
        assert!(fits || may_scroll, "{}: {}", case.name, case.layout.height);
        let least = if is_small { 12.0 } else { 14.5 };
        assert!(case.layout.text >= least, "{}: text {}", case.name, case.layout.text);
    }
}

#[test]
fn every_card_of_a_hand_is_read_and_tapped() {
    for case in cases() {
        let Some(hand) = case.layout.hand else { continue };
        for count in 1..=case.parts.hand {
            let cards: Vec<Rect> = (0..count).map(|at| hand.card_box(at, count)).collect();
            for (at, card) in cards.iter().enumerate() {
                assert!(contains(&hand.area, card), "{}: {card:?}", case.name);
                let raised = Rect { y: card.y - hand.lift, ..*card };
                assert!(contains(&hand.area, &raised), "{}: {raised:?}", case.name);
                for later in cards[at + 1..].iter().filter(|later| overlap(card, later)) {
                    let (right, below) = (later.x - card.x, later.y - card.y);
                    let is_seen = right >= TOUCH.max(card.width * 0.4) - 0.1
                        || below >= TOUCH.max(card.height * 0.4) - 0.1;
                    assert!(is_seen, "{}: {card:?} below {later:?}", case.name);
                }
            }
        }
    }
}

#[test]
fn cards_of_seats_stay_in_their_boxes() {
    for case in cases() {
        for seat in case.layout.felt.seats.iter().filter(|seat| seat.has_cards()) {
            for count in 1..=case.parts.hand {
                for at in 0..count {
                    let card = seat.card_box(at, count);
                    assert!(contains(&seat.cards, &card), "{}: {card:?} {seat:?}", case.name);
                }
            }
        }
    }
}

/// The cards grow with the screen.
#[test]
fn large_screens_have_large_cards() {
    let width = |width: f32, height: f32| {
        let screen = ScreenSize { width, height, text: 16.0 };
        let rules = Rules::from_code("cruce4t").expect("rules");
        let layout = TableLayout::new(screen, &Parts::new(&rules, TableKind::Seated));
        (layout.hand.expect("a hand").card_width, layout.felt.card_width(), layout.text)
    };
    let (phone, tablet) = (width(390.0, 844.0), width(1024.0, 768.0));
    let (desktop, large) = (width(1440.0, 900.0), width(2560.0, 1440.0));
    assert!(phone.0 >= 60.0 && phone.1 >= 60.0, "{phone:?}");
    assert!(tablet.0 > phone.0 && tablet.1 > phone.1, "{phone:?} {tablet:?}");
    assert!(large.0 > desktop.0 * 1.4 && large.1 > desktop.1 * 1.4, "{desktop:?} {large:?}");
    assert!(large.2 > 23.0, "{large:?}");
}
