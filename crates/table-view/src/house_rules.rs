//! House rules as a form: every option with a title, the names of its values, and a sentence that
//! explains the present value. The options come from the rules; this module does not list them.

use game::Rules;
use game::rules::{OptionValue, Range};

use phrases::{Phrases, game_word};

/// The maximum number of values that are shown side by side.
const FEW: u32 = 7;

/// A form to view and change rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseRules {
    /// The code, which users can share.
    pub code: String,
    /// The game and its seats: `Cruce, four players in two teams`.
    pub title: String,
    /// The named rules for this number of seats.
    pub presets: Vec<Preset>,
    /// Every option.
    pub rows: Vec<HouseRule>,
}

/// Named rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The name.
    pub name: String,
    /// The rules.
    pub rules: Rules,
}

/// An option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseRule {
    /// Its name in the rules.
    pub option: &'static str,
    /// Its title, in a word or two.
    pub title: String,
    /// The meaning of the present value, as a sentence.
    pub means: String,
    /// The clause of the rules.
    pub clause: &'static str,
    /// Whether the present value is the usual one.
    pub usual: bool,
    /// The present value.
    pub value: String,
    /// The possible values.
    pub values: Values,
}

/// The possible values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// A few values with their names. A single value leaves no choice.
    Few(Vec<(String, String)>),
    /// A number.
    Number {
        /// The minimum.
        least: u32,
        /// The maximum.
        most: u32,
    },
}

impl HouseRules {
    /// The form that shows these rules.
    pub fn new(rules: &Rules, phrases: &Phrases) -> HouseRules {
        HouseRules {
            code: rules.code(),
            title: phrases.title(rules),
            presets: presets(rules, phrases),
            rows: rules.options().iter().map(|option| row(rules, option, phrases)).collect(),
        }
    }
}

impl HouseRule {
    /// Whether there is a choice.
    pub fn is_open(&self) -> bool {
        !matches!(&self.values, Values::Few(values) if values.len() < 2)
    }

    /// Whether it concerns the seats.
    pub fn is_seats(&self) -> bool {
        matches!(self.option, "players" | "teams")
    }
}

/// Parses a code that a user typed; the errors are sentences.
pub fn read(code: &str, phrases: &Phrases) -> Result<Rules, Vec<String>> {
    Rules::from_code(code)
        .map_err(|faults| faults.faults().iter().map(|fault| phrases.rules_fault(fault)).collect())
}

/// The same house rules for different seats: `cruce3` or `whist5`. A different game gets its default rules.
pub fn on_seats(rules: &Rules, seats: &str) -> Option<Rules> {
    let code = rules.code();
    let (_, others) = code.split_once('-').unwrap_or((&code, ""));
    let same_game = seats.starts_with(game_word(rules));
    let code = match (same_game, others) {
        (true, others) if !others.is_empty() => format!("{seats}-{others}"),
        _ => seats.into(),
    };
    Rules::from_code(&code).ok()
}

/// The seats of some rules, as [`on_seats`] reads them.
pub fn seats(rules: &Rules) -> String {
    rules.code().split('-').next().unwrap_or_default().into()
}

fn presets(rules: &Rules, phrases: &Phrases) -> Vec<Preset> {
    let names: &[&str] = match rules {
        Rules::Cruce(_) => &["classic", "contest"],
        Rules::Whist(_) => &["whist"],
    };
    let seats = seats(rules);
    let preset = |name: &&str| {
        let code = format!("{name}{}", seats.trim_start_matches(char::is_alphabetic));
        let rules = Rules::from_code(&code).ok()?;
        Some(Preset { name: phrases.preset_name(*name), rules })
    };
    names.iter().filter_map(preset).collect()
}

fn row(rules: &Rules, option: &OptionValue, phrases: &Phrases) -> HouseRule {
    let word = |value: &str| {
        let named = phrases.option_value(format!("{}_{value}", option.option), value);
        (value.to_owned(), named)
    };
    let values = match &option.range {
        &Range::From { least, most } if most - least < FEW => {
            Values::Few((least..=most).map(|number| word(&number.to_string())).collect())
        }
        &Range::From { least, most } => Values::Number { least, most },
        Range::Among(values) => Values::Few(values.iter().map(|value| word(value)).collect()),
    };
    HouseRule {
        option: option.option,
        title: phrases.option_title(option.option),
        means: phrases.option(rules, option),
        clause: option.clause,
        usual: option.usual,
        value: option.value.clone(),
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use phrases::Language;

    fn rules(code: &str) -> Rules {
        Rules::from_code(code).unwrap()
    }

    const CODES: [&str; 7] =
        ["classic", "classic2", "contest", "cruce3-15-redeal", "whist3", "whist5-818-p5", "whist6"];

    /// A value without a name would appear as the value itself.
    #[test]
    fn every_option_and_value_has_a_name() {
        for language in Language::ALL {
            let phrases = Phrases::new(language);
            for code in CODES {
                let form = HouseRules::new(&rules(code), &phrases);
                assert_eq!(form.code, rules(code).code());
                for row in &form.rows {
                    assert_ne!(row.title, row.option, "{language}");
                    assert!(row.means.ends_with('.'), "{row:?}");
                    let Values::Few(values) = &row.values else { continue };
                    for (value, word) in values {
                        let number = value.parse::<u32>().is_ok();
                        assert!(number || value != word, "{language}: {} {word}", row.option);
                    }
                }
            }
        }
    }

    #[test]
    fn the_rules_accept_every_value_of_the_form() {
        let phrases = Phrases::new(Language::English);
        for code in CODES {
            let rules = rules(code);
            for row in HouseRules::new(&rules, &phrases).rows {
                let values = match &row.values {
                    Values::Few(values) => values.iter().map(|(value, _)| value.clone()).collect(),
                    Values::Number { least, most } => vec![least.to_string(), most.to_string()],
                };
                for value in values {
                    assert!(rules.with(row.option, &value).is_ok(), "{code} {row:?} {value}");
                }
            }
        }
    }

    #[test]
    fn presets_keep_the_seats() {
        let phrases = Phrases::new(Language::English);
        let codes = |code: &str| -> Vec<String> {
            let form = HouseRules::new(&rules(code), &phrases);
            form.presets.iter().map(|preset| preset.rules.code()).collect()
        };
        assert_eq!(codes("cruce3-15"), ["cruce3-21", "cruce3-21-m1-b4-on3-nobeat-noothers"]);
        assert_eq!(codes("cruce4s-15")[0], "cruce4s-21");
        assert_eq!(codes("whist6-p0"), ["whist6"]);
    }

    #[test]
    fn different_seats_keep_the_house_rules() {
        let moved = |code: &str, to: &str| on_seats(&rules(code), to).map(|rules| rules.code());
        assert_eq!(moved("cruce3-15-redeal", "cruce4t"), Some("cruce4t-15-redeal".into()));
        assert_eq!(moved("whist4", "whist5"), Some("whist5".into()));
        assert_eq!(moved("whist4-p0", "cruce2"), Some("cruce2-21".into()));
        assert_eq!(moved("cruce2-15", "whist3"), Some("whist3".into()));
        assert_eq!(moved("cruce2-15", "whist9"), None);
        assert_eq!(seats(&rules("cruce4s-15-redeal")), "cruce4s");
    }

    #[test]
    fn every_fault_is_a_sentence() {
        for language in Language::ALL {
            let phrases = Phrases::new(language);
            let sentences = read("cruce5t-0-m0-b9-jokers-b3", &phrases).unwrap_err();
            assert_eq!(sentences.len(), 6, "{sentences:#?}");
            assert!(sentences.iter().all(|sentence| sentence.ends_with('.')), "{sentences:#?}");
            for wrong in ["", "chess", "whist4-p3", &"x".repeat(200)] {
                assert_eq!(read(wrong, &phrases).unwrap_err().len(), 1, "{wrong}");
            }
            let fault = rules("whist4").with("teams", "yes").unwrap_err();
            assert!(phrases.rules_fault(&fault.faults()[0]).ends_with('.'));
        }
        assert_eq!(read(" Classic3 ", &Phrases::new(Language::English)), Ok(rules("cruce3-21")));
    }

    #[test]
    fn options_without_a_choice_are_not_open() {
        let phrases = Phrases::new(Language::English);
        let open = |code: &str| -> Vec<&'static str> {
            let rows = HouseRules::new(&rules(code), &phrases).rows;
            rows.iter().filter(|row| row.is_open()).map(|row| row.option).collect()
        };
        assert!(open("cruce4t-21").contains(&"teams"));
        assert!(!open("cruce3-21").contains(&"teams"));
    }
}
