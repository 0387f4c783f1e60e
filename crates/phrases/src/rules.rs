//! House rules in words.

use game::cruce::{AllPass, BidOn, Calls, Enforcement, promised_points};
use game::rules::{OptionValue, RulesFault};
use game::whist::DealOrder;
use game::{Rules, cruce, whist};

use super::Phrases;
use crate::layout::{Columns, TIE, WIDTH, width, wrap};

/// Codes that show how codes are written.
const EXAMPLES: [&str; 3] = ["cruce3-15-redeal", "contest3-honour", "whist5-818-p5"];

impl Phrases {
    /// The rules in words: a headline, the code, and every option as a sentence with its clause. `*`
    /// marks unusual options.
    pub fn rules(&self, rules: &Rules) -> String {
        let options = rules.options();
        let tokens = options.iter().map(|option| width(&option.token)).max().unwrap_or_default();
        let mut lines = vec![self.headline(rules), String::new()];
        for option in &options {
            let mark = if option.usual { ' ' } else { '*' };
            let sentence = format!("{}{TIE}({})", self.option(rules, option), option.clause);
            let first = format!("{mark} {:<tokens$}  ", option.token);
            lines.push(wrap(&sentence, &first, &" ".repeat(tokens + 4)));
        }
        lines.push(String::new());
        if options.iter().any(|option| !option.usual) {
            lines.push(self.rules_marked(usual(rules).code()));
        }
        lines.push(self.rules_book(self.document(rules)));
        lines.join("\n")
    }

    /// The named rules, each with its code, and an explanation of codes.
    pub fn presets(&self) -> String {
        let mut lines = vec![self.presets_title()];
        for name in Rules::PRESETS {
            let code = Rules::from_code(name).map_or_else(|_| name.into(), |rules| rules.code());
            let words = match name {
                "classic" => self.preset_classic(),
                "contest" => self.preset_contest(),
                _ => self.preset_whist(),
            };
            lines.push(format!("\n  {name:<9}{code}"));
            lines.push(wrap(&words, &" ".repeat(11), &" ".repeat(11)));
        }
        lines.push(format!("\n{}\n", self.codes_title()));
        lines.push(wrap(&self.codes_how(), "  ", "  "));
        lines.push(String::new());
        let words =
            [self.code_example_house(), self.code_example_contest(), self.code_example_whist()];
        let mut examples = Columns::new("<<");
        for (code, words) in EXAMPLES.into_iter().zip(words) {
            examples.row([code.into(), words]);
        }
        lines.extend(examples.lines("  ", 2));
        lines.join("\n")
    }

    /// The game and its seats at the left, the code at the right.
    fn headline(&self, rules: &Rules) -> String {
        let title = self.title(rules);
        let code = rules.code();
        let space = WIDTH.saturating_sub(width(&title) + width(&code)).max(2);
        if width(&title) + width(&code) + 2 > WIDTH {
            format!("{title}\n{code}")
        } else {
            format!("{title}{}{code}", " ".repeat(space))
        }
    }

    /// The path of the document that explains these rules.
    pub fn document(&self, rules: &Rules) -> String {
        format!("docs/rules/{}.{}.md", super::game_word(rules), self.language())
    }

    /// The meaning of an option, as a sentence.
    pub fn option(&self, rules: &Rules, option: &OptionValue) -> String {
        match rules {
            Rules::Cruce(rules) => self.cruce_option(rules, option),
            Rules::Whist(rules) => self.whist_option(rules, option),
        }
    }

    fn cruce_option(&self, rules: &cruce::Rules, option: &OptionValue) -> String {
        let spec = rules.spec();
        match option.option {
            "players" => self.option_cruce_players(spec.players),
            "teams" => self.option_teams(yes_no(spec.teams)),
            "target" => self.option_target(spec.target),
            "margin" => self.option_margin(spec.margin),
            "max_bid" => {
                let promised = promised_points(rules.max_bid());
                self.option_max_bid(self.bid_word(rules.max_bid()), self.points(promised))
            }
            "bid_on" => self.option_bid_on(match spec.bid_on {
                BidOn::Full => "full",
                BidOn::Three => "three",
            }),
            "all_pass" => self.option_all_pass(match spec.all_pass {
                AllPass::Opener => "opener",
                AllPass::Redeal => "redeal",
            }),
            "overtake" => self.option_overtake(match (spec.overtake, spec.teams) {
                (true, true) => "team",
                (true, false) => "on",
                (false, _) => "off",
            }),
            "calls" => self.option_calls(match spec.calls {
                Calls::Declared => "declared",
                Calls::Automatic => "automatic",
            }),
            "others_score_on_failure" => self.option_others(yes_no(spec.others_score_on_failure)),
            "enforcement" => self.option_enforcement(match spec.enforcement {
                Enforcement::Enforced => "enforced",
                Enforcement::Honour => "honour",
            }),
            other => unknown(other, option),
        }
    }

    fn whist_option(&self, rules: &whist::Rules, option: &OptionValue) -> String {
        let spec = rules.spec();
        match option.option {
            "players" => self.option_whist_players(spec.players),
            "deals" => {
                let order = match spec.order {
                    DealOrder::OneEightOne => "up",
                    DealOrder::EightOneEight => "down",
                };
                self.option_deals(order, rules.deals())
            }
            "trump_in_ones" => self.option_trump_in_ones(yes_no(spec.trump_in_ones)),
            "prize" => self.option_prize(spec.prize),
            other => unknown(other, option),
        }
    }
}

/// The fallback for an option that has no sentence; a test finds such options.
fn unknown(name: &str, option: &OptionValue) -> String {
    debug_assert!(false, "the option {name} has no sentence");
    format!("{name}: {}", option.value)
}

const fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// The default rules of the same game.
fn usual(rules: &Rules) -> Rules {
    let code = match rules {
        Rules::Cruce(_) => "classic",
        Rules::Whist(_) => "whist",
    };
    Rules::from_code(code).unwrap_or(*rules)
}

impl Phrases {
    /// A fault in rules, as a sentence.
    pub fn rules_fault(&self, fault: &RulesFault) -> String {
        match fault {
            RulesFault::OutOfRange { option, given, least, most } => {
                self.fault_range(self.option_title(*option), *given, *least, *most)
            }
            RulesFault::TeamsNeedFour { players } => self.fault_teams(*players),
            RulesFault::NoSuchPrize { given } => self.fault_prize(*given),
            RulesFault::NoSuchValue { option, given } => {
                self.fault_value(self.option_title(option.as_str()), given.as_str())
            }
            RulesFault::TooLong { most } => self.fault_too_long(*most),
            RulesFault::NoSuchGame { found } => self.fault_game(found.as_str()),
            RulesFault::NoSuchOption { found, game, .. } => {
                self.fault_option(found.as_str(), *game)
            }
            RulesFault::SetTwice { option, .. } => self.fault_twice(self.option_title(*option)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    const CODES: [&str; 8] = [
        "classic",
        "contest",
        "cruce2-11-m1-b1-redeal-auto-honour",
        "cruce3-99-m99-b5-on3-redeal-nobeat-auto-noothers-honour",
        "whist3",
        "whist4",
        "whist5-818-plain1-p0",
        "whist6-p5",
    ];

    #[test]
    fn every_option_is_a_sentence_with_its_clause() {
        for language in Language::ALL {
            let phrases = Phrases::new(language);
            for rules in CODES.map(|code| Rules::from_code(code).unwrap()) {
                let text = phrases.rules(&rules);
                assert!(text.lines().all(|line| width(line) <= WIDTH), "{text}");
                assert!(text.contains(&rules.code()) && text.contains(&phrases.document(&rules)));
                let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
                for option in rules.options() {
                    let sentence = phrases.option(&rules, &option);
                    assert!(
                        joined.contains(&format!("{sentence} ({})", option.clause)),
                        "{joined}"
                    );
                    assert!(sentence.ends_with('.'), "{sentence}");
                }
            }
        }
    }

    #[test]
    fn unusual_options_are_marked() {
        let phrases = Phrases::new(Language::English);
        let marked = |code: &str| {
            let text = phrases.rules(&Rules::from_code(code).unwrap());
            text.lines().filter(|line| line.starts_with("* ")).count()
        };
        assert_eq!(marked("classic"), 0);
        // The note that explains the mark is one more.
        assert_eq!(marked("cruce4t-21-nobeat"), 2);
        assert_eq!(marked("contest"), 7);
    }

    #[test]
    fn the_presets_are_listed_with_valid_codes() {
        for language in Language::ALL {
            let text = Phrases::new(language).presets();
            assert!(text.lines().all(|line| width(line) <= WIDTH), "{text}");
            for name in Rules::PRESETS {
                let code = Rules::from_code(name).unwrap().code();
                assert!(text.contains(name) && text.contains(&code), "{text}");
            }
        }
        for code in EXAMPLES {
            assert!(Rules::from_code(code).is_ok(), "{code}");
        }
    }
}
