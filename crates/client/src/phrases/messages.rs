//! Every message with its variables: a method each, so that the compiler knows
//! who says what and with which words. The tests hold both files to this table.

use fluent_bundle::{FluentArgs, FluentValue};

use super::Phrases;

macro_rules! messages {
    ($($section:literal: $seen:vis says { $($name:ident($($variable:ident),*);)* })*) => {
        /// The messages that there must be, with their variables.
        #[cfg(test)]
        pub(super) const MESSAGES: &[(&str, &[&str])] =
            &[$($((stringify!($name), &[$(stringify!($variable)),*])),*),*];

        $(
            #[doc = $section]
            impl Phrases {
                $(
                    #[doc = concat!("Says `", stringify!($name), "` as the phrase file has it.")]
                    #[allow(
                        unused_mut,
                        clippy::extra_unused_lifetimes,
                        reason = "some messages have no variables"
                    )]
                    $seen fn $name<'a>(
                        &self,
                        $($variable: impl Into<FluentValue<'a>>),*
                    ) -> String {
                        let mut variables = FluentArgs::new();
                        $(variables.set(stringify!($variable), $variable.into());)*
                        self.say(stringify!($name), &variables)
                    }
                )*
            }
        )*
    };
}

messages! {
    "Cards.": pub(crate) says {
        suit(suit);
        suit_sign(suit);
        rank(rank);
        rank_the(rank);
        rank_listed(rank);
        of_suit(ranks, suit);
        or(first, last);
        and(first, last);
    }
    "Numbers, bids and seats.": pub says {
        points(count);
        bid_word(bid);
        seat(number);
        seats(first, second);
    }
    "Why something is refused.": pub(crate) says {
        refused(sentence, clause);
        refusal_no_such_seat();
        refusal_not_your_turn(seat);
        refusal_not_bidding(game);
        refusal_not_playing();
        refusal_match_over();
        refusal_bid_too_low(bid);
        refusal_bid_topped(bid);
        refusal_bid_too_high(bid);
        refusal_more_than_tricks(count);
        refusal_sum(bid);
        refusal_not_in_hand(card);
        refusal_follow(suit, cards);
        refusal_trump(game, cards);
        refusal_overtake(best, cards);
        refusal_call(card);
        refusal_call_in_whist();
        refusal_must_call(card);
        refusal_no_honour_table();
        refusal_trick_not_finished();
        refusal_own_side();
        refusal_already_judged();
        refusal_no_challenges_left();
        refusal_nothing_to_accept();
        refusal_already_accepted();
    }
    "Hints.": pub(crate) says {
        decimal(whole, part);
        thousands(first, rest);
        hint_lead(card);
        hint_lead_calling(card, points);
        hint_play(card);
        hint_bid(game, bid);
        hint_accept();
        hint_challenge(seat, trick, card);
        hint_no_choice(honour);
        hint_last_card();
        hint_nothing_to_challenge();
        hint_revoked();
        hint_makes_trump(suit);
        hint_takes(game, points);
        hint_partner_takes(points);
        hint_other_takes(game, seat, points);
        hint_beaten();
        hint_unbeatable(leads);
        hint_all_same();
        hint_as_good(things);
        hint_better(by, other);
        hint_promised(who, side, points, made);
        hint_bid_and_taken(bid, taken, left);
        hint_partner_holds(bid);
        hint_other_holds(seat, bid);
        hint_declaring(teams, points, bid, promised);
        hint_tricks(count);
        hint_bids_so_far(sum, tricks);
        hint_ways(size, count, number);
        hint_compared();
        hint_unweighed(bids);
        hint_rough();
        hint_refused(honour);
        hint_spectator();
        hint_no_deal();
    }
    "What a challenged card broke.": pub(crate) says {
        broken_follow(name, suit, cards);
        broken_trump(game, name, cards);
        broken_overtake(name, best, cards);
    }
    "Rules.": pub(crate) says {
        rules_cruce(teams, players);
        rules_whist(players);
        rules_marked(code);
        rules_book(path);
        option_cruce_players(players);
        option_teams(teams);
        option_target(target);
        option_margin(margin);
        option_max_bid(bid, points);
        option_bid_on(value);
        option_all_pass(value);
        option_overtake(value);
        option_calls(value);
        option_others(value);
        option_enforcement(value);
        option_whist_players(players);
        option_deals(value, count);
        option_trump_in_ones(value);
        option_prize(prize);
        presets_title();
        preset_classic();
        preset_contest();
        preset_whist();
        codes_title();
        codes_how();
        code_example_house();
        code_example_contest();
        code_example_whist();
    }
    "The story of a match.": pub(crate) says {
        story_cruce_teams(target, first, second);
        story_cruce(target, names);
        story_whist(names);
        story_deal(game, number, all, dealer, cards);
        story_stock();
        story_rest();
        story_bids(game);
        story_bids_sum(cards, sum);
        story_declarer();
        story_promise(name, bid, side, points);
        story_promise_alone(name, bid, points);
        story_no_promise(name);
        story_trump(game);
        story_trump_led(suit, name);
        story_turned(suit, card);
        story_no_trump();
        story_calls(points);
        story_draws(name, card);
        column_before();
        column_cards();
        column_calls();
        column_points();
        column_bid(game);
        column_took();
        column_score();
        column_prize();
        column_run();
        column_total();
        bid_made(bid, points);
        bid_failed(bid, points);
    }
    "What happens at a table.": pub says {
        turn(name);
        turn_to_lead(name);
        turn_to_bid(game, name);
        may_bid(name, bids);
        may_play_any(name);
        may_play_only(name, card);
        may_play(name, cards);
        says(name, bid);
        leads(name, card);
        leads_calling(name, card, points);
        plays(name, card);
        with_call(card);
        takes(name);
        takes_points(name, points);
        trump_is(game, suit);
        no_trump();
        points_now();
        tricks_now();
        score_now();
        shown(name, cards);
        stock_left(count);
        draws_first(first, second);
        all_passed();
        challenges(by, accused, trick);
        challenge_right(reason);
        challenge_wrong();
        thrown_in(change, side);
        accepted(names);
        next_first(game, name);
        goes_on();
        won(count, names);
        shared(names);
    }
    "Captions of pictures.": pub says {
        on_the_table();
        turned_up();
        holds(name);
        sees(name);
        trick_taken();
        beats(strong, weak);
        all_worth(points);
        cards_each(count);
        stock_of(count);
        deals_of_match(count);
    }
}
