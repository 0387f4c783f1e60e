//! The phrase files against the table of messages and against the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_bundle::{FluentArgs, FluentResource};

use super::messages;
use super::{Phrases, source};
use crate::language::Language;

/// The messages of all tables with their variables.
fn said() -> impl Iterator<Item = &'static (&'static str, &'static [&'static str])> {
    let of_places =
        [messages::contest::MESSAGES, messages::sheet::MESSAGES, messages::terminal::MESSAGES];
    messages::MESSAGES.iter().chain(of_places.into_iter().flatten())
}

type Messages = BTreeMap<String, BTreeSet<String>>;

/// The messages of a phrase file with their variables.
fn written(language: Language) -> Messages {
    let mut messages = Messages::new();
    let mut current = String::new();
    for line in source(language).lines().filter(|line| !line.starts_with('#')) {
        if let Some((name, _)) = line.split_once(" = ").filter(|_| !line.starts_with([' ', '}'])) {
            current = name.into();
            let twice = messages.insert(current.clone(), BTreeSet::new());
            assert_eq!(twice, None, "{name} stands twice in {language}.ftl");
        }
        for piece in line.split('$').skip(1) {
            let end = piece.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            let variable = &piece[..end.unwrap_or(piece.len())];
            messages.get_mut(&current).unwrap().insert(variable.into());
        }
    }
    messages
}

fn needed() -> Messages {
    let variables = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    said().map(|(name, names)| (name.to_string(), variables(names))).collect()
}

#[test]
fn both_files_have_the_messages_and_variables_of_the_table() {
    for language in Language::ALL {
        let (written, needed) = (written(language), needed());
        for (name, variables) in &needed {
            assert_eq!(written.get(name), Some(variables), "{name} in {language}.ftl");
        }
        let extra: Vec<&String> =
            written.keys().filter(|name| !needed.contains_key(*name)).collect();
        assert!(extra.is_empty(), "{language}.ftl: nobody says {extra:?}");
    }
}

#[test]
fn both_files_are_well_formed_to_the_last_line() {
    for language in Language::ALL {
        let faults = FluentResource::try_new(source(language).into()).map_err(|(_, faults)| faults);
        assert!(faults.is_ok(), "{language}.ftl: {:?}", faults.err());
        assert!(!source(language).contains('\t'));
        assert!(!source(language).contains(['ş', 'ţ', 'Ş', 'Ţ']), "a cedilla for a comma below");
    }
}

/// Every message is said with numbers and with words in its variables: no
/// choice lacks a default, and no name of a variable leaks out.
#[test]
fn every_message_can_be_said() {
    for language in Language::ALL {
        let phrases = Phrases::new(language);
        for (name, variables) in said() {
            for number in [0, 1, 2, 21] {
                let mut values = FluentArgs::new();
                for variable in *variables {
                    values.set(*variable, number);
                }
                let message = phrases.bundle.get_message(name).unwrap().value().unwrap();
                let mut errors = Vec::new();
                let said = phrases.bundle.format_pattern(message, Some(&values), &mut errors);
                assert!(errors.is_empty(), "{name} in {language}.ftl: {errors:?}");
                assert!(!said.is_empty() && !said.contains(['{', '$']), "{name}: {said}");
            }
        }
    }
}

/// All source files of the crate, its tests included.
fn sources(folder: &Path, found: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_message_is_said_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    sources(&root.join("src"), &mut text);
    sources(&root.join("tests"), &mut text);
    sources(&root.join("../web/src"), &mut text);
    sources(&root.join("../terminal/src"), &mut text);
    sources(&root.join("../ghinda/src"), &mut text);
    let page = std::fs::read_to_string(root.join("../web/assets/index.html")).unwrap();
    for (name, _) in said() {
        // A page that is there before the program says it between braces.
        let ways = [format!(".{name}("), format!("Phrases::{name}")];
        let in_page = [format!("{{{{{name}}}}}"), format!("{{{{{name} ")];
        // The macros of the page name a phrase after the words or the settings, or in a row of choices.
        let in_macros =
            [format!("words, {name}"), format!("settings, {name}"), format!("=> {name}")];
        let ends = |at: usize, navigator: &str| {
            let after = text[at + navigator.len()..].chars().next();
            !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        };
        let said = ways.iter().any(|navigator| text.contains(navigator))
            || in_page.iter().any(|navigator| page.contains(navigator))
            || in_macros
                .iter()
                .any(|navigator| text.match_indices(navigator).any(|(at, _)| ends(at, navigator)));
        assert!(said, "nobody says {name}");
    }
}

#[test]
fn lists_are_joined_as_people_do() {
    let list = |count: usize| ["a", "b", "c"][..count].iter().map(ToString::to_string).collect();
    let lists: [Vec<String>; 4] = [list(0), list(1), list(2), list(3)];
    let english = Phrases::new(Language::English);
    assert_eq!(lists.each_ref().map(|l| english.list_and(l)), ["", "a", "a and b", "a, b and c"]);
    let romanian = Phrases::new(Language::Romanian);
    assert_eq!(lists.each_ref().map(|l| romanian.list_or(l)), ["", "a", "a sau b", "a, b sau c"]);
}

#[test]
fn phrases_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Phrases>();
}

#[test]
fn cruce_can_be_told_with_french_cards() {
    let phrases = Phrases::new(Language::English).with_french_cards();
    let card = |text: &str| game::notation::parse_card(cards::Pack::Hungarian, text).unwrap();
    let said =
        ["4b", "Xl", "Ah", "2a"].map(|text| phrases.card(cards::Pack::Hungarian, card(text)));
    assert_eq!(said, ["king of clubs", "10 of spades", "ace of hearts", "jack of diamonds"]);
}
