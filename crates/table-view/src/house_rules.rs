//! House rules as a form: every option with a title, the words of its values, and a sentence that
//! says what the present one means. The options are those of the rules; nothing is listed here.

use game::Rules;
use game::rules::{OptionValue, Range};

use phrases::{Phrases, game_word};

/// Up to so many numbers are shown side by side.
const FEW: u32 = 7;

/// Some rules, to be looked at and changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseRules {
    /// The code, to be sent to friends.
    pub code: String,
    /// The game and its seats: `Cruce, four players in two teams`.
    pub title: String,
    /// The rules by name that these seats can play.
    pub presets: Vec<Preset>,
    /// Every option.
    pub rows: Vec<HouseRule>,
}

/// Rules that have a name.
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
    /// What it is about, in a word or two.
    pub title: String,
    /// What the present value means, in a sentence.
    pub means: String,
    /// The clause that has it all.
    pub clause: &'static str,
    /// Whether it is as in most houses.
    pub usual: bool,
    /// The present value.
    pub value: String,
    /// What else it may be.
    pub values: Values,
}

/// What an option may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// A few values, each with its word. One alone leaves nothing to choose.
    Few(Vec<(String, String)>),
    /// A number.
    Number {
        /// The least.
        least: u32,
        /// The most.
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
    /// Whether there is anything to choose.
    pub fn is_open(&self) -> bool {
        !matches!(&self.values, Values::Few(values) if values.len() < 2)
    }

    /// Whether it is about who sits where.
    pub fn is_seats(&self) -> bool {
        matches!(self.option, "players" | "teams")
    }
}

/// The rules of a code that somebody typed, or everything that is wrong with it in sentences.
pub fn read(code: &str, phrases: &Phrases) -> Result<Rules, Vec<String>> {
    Rules::from_code(code)
        .map_err(|faults| faults.faults().iter().map(|fault| phrases.rules_fault(fault)).collect())
}

/// The same house rules on other seats: `cruce3` or `whist5`. Another game begins as usual.
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
    let values = match option.range {
        Range::From { least, most } if most - least < FEW => {
            Values::Few((least..=most).map(|number| word(&number.to_string())).collect())
        }
        Range::From { least, most } => Values::Number { least, most },
        Range::Among(values) => Values::Few(values.iter().map(|value| word(value)).collect()),
        Range::Either(first, second) => Values::Few(vec![word(first), word(second)]),
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

    /// A word that is missing would show as the value of the rules.
    #[test]
    fn everything_has_words() {
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
    fn every_value_of_the_form_is_one_of_the_rules() {
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
    fn other_seats_keep_the_house_rules() {
        let moved = |code: &str, to: &str| on_seats(&rules(code), to).map(|rules| rules.code());
        assert_eq!(moved("cruce3-15-redeal", "cruce4t"), Some("cruce4t-15-redeal".into()));
        assert_eq!(moved("whist4", "whist5"), Some("whist5".into()));
        assert_eq!(moved("whist4-p0", "cruce2"), Some("cruce2-21".into()));
        assert_eq!(moved("cruce2-15", "whist3"), Some("whist3".into()));
        assert_eq!(moved("cruce2-15", "whist9"), None);
        assert_eq!(seats(&rules("cruce4s-15-redeal")), "cruce4s");
    }

    #[test]
    fn all_faults_are_told_in_words() {
        for language in Language::ALL {
            let phrases = Phrases::new(language);
            let said = read("cruce5t-0-m0-b9-jokers-b3", &phrases).unwrap_err();
            assert_eq!(said.len(), 6, "{said:#?}");
            assert!(said.iter().all(|sentence| sentence.ends_with('.')), "{said:#?}");
            for wrong in ["", "chess", "whist4-p3", &"x".repeat(200)] {
                assert_eq!(read(wrong, &phrases).unwrap_err().len(), 1, "{wrong}");
            }
            let fault = rules("whist4").with("teams", "yes").unwrap_err();
            assert!(phrases.rules_fault(&fault.faults()[0]).ends_with('.'));
        }
        assert_eq!(read(" Classic3 ", &Phrases::new(Language::English)), Ok(rules("cruce3-21")));
    }

    #[test]
    fn seats_without_a_choice_are_closed() {
        let phrases = Phrases::new(Language::English);
        let open = |code: &str| -> Vec<&'static str> {
            let rows = HouseRules::new(&rules(code), &phrases).rows;
            rows.iter().filter(|row| row.is_open()).map(|row| row.option).collect()
        };
        assert!(open("cruce4t-21").contains(&"teams"));
        assert!(!open("cruce3-21").contains(&"teams"));
    }
}
