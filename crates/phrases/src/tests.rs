//! Compares the phrase files with the table of messages and with the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_bundle::{FluentArgs, FluentResource};

use super::messages;
use super::{Phrases, source};
use crate::language::Language;

/// The messages of all `messages!` tables with their variables.
fn declared() -> impl Iterator<Item = &'static (&'static str, &'static [&'static str])> {
    let others =
        [messages::contest::MESSAGES, messages::sheet::MESSAGES, messages::terminal::MESSAGES];
    messages::MESSAGES.iter().chain(others.into_iter().flatten())
}

type Messages = BTreeMap<String, BTreeSet<String>>;

/// The messages of a phrase file with their variables.
fn in_file(language: Language) -> Messages {
    let mut messages = Messages::new();
    let mut current = String::new();
    for line in source(language).lines().filter(|line| !line.starts_with('#')) {
        if let Some((name, _)) = line.split_once(" = ").filter(|_| !line.starts_with([' ', '}'])) {
            current = name.into();
            let earlier = messages.insert(current.clone(), BTreeSet::new());
            assert_eq!(earlier, None, "{name} is defined twice in {language}.ftl");
        }
        for piece in line.split('$').skip(1) {
            let end = piece.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            let variable = &piece[..end.unwrap_or(piece.len())];
            messages.get_mut(&current).unwrap().insert(variable.into());
        }
    }
    messages
}

fn in_code() -> Messages {
    let variables = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    declared().map(|(name, names)| (name.to_string(), variables(names))).collect()
}

#[test]
fn both_files_have_the_messages_and_variables_of_the_table() {
    for language in Language::ALL {
        let (in_file, in_code) = (in_file(language), in_code());
        for (name, variables) in &in_code {
            assert_eq!(in_file.get(name), Some(variables), "{name} in {language}.ftl");
        }
        let unused: Vec<&String> =
            in_file.keys().filter(|name| !in_code.contains_key(*name)).collect();
        assert!(unused.is_empty(), "{language}.ftl: unused messages {unused:?}");
    }
}

#[test]
fn both_files_are_well_formed() {
    for language in Language::ALL {
        let faults = FluentResource::try_new(source(language).into()).map_err(|(_, faults)| faults);
        assert!(faults.is_ok(), "{language}.ftl: {:?}", faults.err());
        assert!(!source(language).contains('\t'));
        assert!(
            !source(language).contains(['ş', 'ţ', 'Ş', 'Ţ']),
            "a cedilla instead of a comma below"
        );
    }
}

/// Every selector has a default, and no variable name appears in the text.
#[test]
fn every_message_can_be_formatted() {
    for language in Language::ALL {
        let phrases = Phrases::new(language);
        for (name, variables) in declared() {
            for number in [0, 1, 2, 21] {
                let mut values = FluentArgs::new();
                for variable in *variables {
                    values.set(*variable, number);
                }
                let message = phrases.bundle.get_message(name).unwrap().value().unwrap();
                let mut errors = Vec::new();
                let text = phrases.bundle.format_pattern(message, Some(&values), &mut errors);
                assert!(errors.is_empty(), "{name} in {language}.ftl: {errors:?}");
                assert!(!text.is_empty() && !text.contains(['{', '$']), "{name}: {text}");
            }
        }
    }
}

/// Appends all Rust files of a folder.
fn append_sources(folder: &Path, found: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            append_sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_message_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for folder in [
        "src",
        "../table-view/src",
        "../table-view/tests",
        "../sheet-view/src",
        "../contest-view/src",
        "../web/src",
        "../terminal/src",
        "../ghinda/src",
    ] {
        append_sources(&root.join(folder), &mut text);
    }
    let page = std::fs::read_to_string(root.join("../web/assets/index.html")).unwrap();
    for (name, _) in declared() {
        // index.html names messages between braces.
        let in_code = [format!(".{name}("), format!("Phrases::{name}")];
        let in_page = [format!("{{{{{name}}}}}"), format!("{{{{{name} ")];
        // The macros of the page name a message after the phrases or the settings, or in a list of choices.
        let in_macros =
            [format!("phrases, {name}"), format!("settings, {name}"), format!("=> {name}")];
        let is_whole_word = |at: usize, pattern: &str| {
            let after = text[at + pattern.len()..].chars().next();
            !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        };
        let is_used = in_code.iter().any(|pattern| text.contains(pattern))
            || in_page.iter().any(|pattern| page.contains(pattern))
            || in_macros.iter().any(|pattern| {
                text.match_indices(pattern).any(|(at, _)| is_whole_word(at, pattern))
            });
        assert!(is_used, "{name} is not used");
    }
}

#[test]
fn lists_are_joined_with_a_word_before_the_last_item() {
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
fn cruce_cards_can_have_french_names() {
    let phrases = Phrases::new(Language::English).with_french_cards();
    let card = |text: &str| game::notation::parse_card(cards::Pack::Hungarian, text).unwrap();
    let names =
        ["4b", "Xl", "Ah", "2a"].map(|text| phrases.card(cards::Pack::Hungarian, card(text)));
    assert_eq!(names, ["king of clubs", "10 of spades", "ace of hearts", "jack of diamonds"]);
}
