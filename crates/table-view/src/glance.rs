//! The table in a few words: the answers to keys, and the notes beside a seat where space is short.
//! The page and the terminal show the same texts.

use crate::scene::{SceneSeat, TableScene};
use phrases::Phrases;
use phrases::text_rows;

/// The trick on the table: `Ana: ace of bells, Dan: IX of bells`.
pub fn trick(scene: &TableScene) -> String {
    let cards = scene.trick.iter().map(|played| {
        let name = scene.places.get(played.place).map_or("", |place| place.name.as_str());
        format!("{name}: {}", played.name)
    });
    cards.collect::<Vec<_>>().join(", ")
}

/// The last finished trick, in a sentence.
pub fn last_trick(scene: &TableScene) -> String {
    scene.last.as_ref().map(|last| last.label.clone()).unwrap_or_default()
}

/// The bids of all players: `Ana: two, Dan: pass`.
pub fn bids(scene: &TableScene) -> String {
    let bids = scene
        .places
        .iter()
        .filter_map(|place| place.bid.as_ref().map(|bid| format!("{}: {bid}", place.name)));
    bids.collect::<Vec<_>>().join(", ")
}

/// Each side's score, its points or tricks in this deal, and what it still needs.
pub fn points(scene: &TableScene) -> String {
    let sides = scene.sides.iter().map(|side| {
        let points = side.points.map(|points| format!(", {points}")).unwrap_or_default();
        let need = side.need.as_ref().map(|need| format!(", {need}")).unwrap_or_default();
        format!("{}: {}{points}{need}", side.name, side.score)
    });
    sides.collect::<Vec<_>>().join("; ")
}

/// The notes about a player: the bid, the tricks and the shown cards.
pub fn notes(scene: &TableScene, place: &SceneSeat, phrases: &Phrases) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(place.bid.as_ref().map(|bid| phrases.scene_has_bid(bid.as_str())));
    if place.tricks > 0 {
        notes.push(phrases.scene_has_tricks(place.tricks));
    }
    if !place.shown.is_empty() {
        notes.push(text_rows::cards(phrases, scene.rules.pack(), &place.shown));
    }
    notes
}

#[cfg(test)]
mod tests {
    use game::View;

    use super::*;
    use crate::scene::Direction;
    use phrases::language::Language;

    #[test]
    fn a_table_is_described_in_a_few_words() {
        let view = "cruce4t seat=2 hand=X4b3l9a2h bids=1.0.0.0 play=Ab.9b.2b.3b.Al";
        let view: View = view.parse().unwrap_or_else(|fault| panic!("{view}: {fault}"));
        let names = ["Ana", "Bogdan", "Călin", "Dana"].map(String::from);
        let phrases = Phrases::new(Language::English);
        let scene = TableScene::new(&view, &names, Direction::Clockwise, &phrases);
        assert_eq!(trick(&scene), "Ana: ace of leaves");
        assert!(last_trick(&scene).starts_with("Ana plays ace of bells"), "{}", last_trick(&scene));
        assert_eq!(bids(&scene), "Bogdan: pass, Călin: pass, Dana: pass, Ana: one");
        assert_eq!(points(&scene), "Ana & Călin: 0, 16, needs 17; Bogdan & Dana: 0, 0");
        assert_eq!(notes(&scene, &scene.places[3], &phrases), ["bid one", "1 trick"]);
    }
}
