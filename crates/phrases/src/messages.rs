//! A method for each message, with its variables as parameters, so that the compiler checks every use.
//! The tests compare both phrase files with this table.

use fluent_bundle::{FluentArgs, FluentValue};

use super::Phrases;

macro_rules! messages {
    ($($section:literal: { $($name:ident($($variable:ident),*);)* })*) => {
        /// The names of the messages with their variables.
        #[cfg(test)]
        pub(in crate) const MESSAGES: &[(&str, &[&str])] =
            &[$($((stringify!($name), &[$(stringify!($variable)),*])),*),*];

        $(
            #[doc = $section]
            impl Phrases {
                $(
                    #[doc = concat!("The message `", stringify!($name), "` of the phrase file.")]
                    #[allow(
                        unused_mut,
                        clippy::extra_unused_lifetimes,
                        reason = "some messages have no variables"
                    )]
                    pub fn $name<'a>(
                        &self,
                        $($variable: impl Into<FluentValue<'a>>),*
                    ) -> String {
                        let mut variables = FluentArgs::new();
                        $(variables.set(stringify!($variable), $variable.into());)*
                        self.format(stringify!($name), &variables)
                    }
                )*
            }
        )*
    };
}

pub(super) mod contest;
pub(super) mod sheet;
pub(super) mod terminal;

messages! {
    "Cards.": {
        suit(suit);
        suit_sign(suit);
        rank(rank);
        rank_the(rank);
        rank_listed(rank);
        of_suit(ranks, suit);
        or(first, last);
        and(first, last);
    }
    "Numbers, bids and seats.": {
        points(count);
        bid_word(bid);
        seat(number);
        seats(first, second);
    }
    "Why an action is refused.": {
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
    "Hints.": {
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
    "What a challenged card broke.": {
        broken_follow(name, suit, cards);
        broken_trump(game, name, cards);
        broken_overtake(name, best, cards);
    }
    "Rules.": {
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
        option_title(option);
        option_value(value, given);
        preset_name(name);
        fault_range(option, given, least, most);
        fault_teams(players);
        fault_prize(given);
        fault_value(option, given);
        fault_too_long(most);
        fault_game(found);
        fault_option(found, game);
        fault_twice(option);
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
    "The story of a match.": {
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
    "Events of a table.": {
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
    "Captions of pictures.": {
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
    "The table scene.": {
        scene_deal(number);
        scene_deal_of(number, all, cards);
        scene_has_bid(bid);
        scene_has_tricks(count);
        scene_has_cards(count);
        scene_deals();
        scene_has_shown(cards);
        scene_you_bid(game);
        scene_you_lead_trump();
        scene_you_lead();
        scene_you_play();
        scene_between_deals(game);
        scene_accepting();
        scene_accepting_others(names);
        challenge_trick(number, name);
        challenge_ask(card, name, trick);
        scene_match_over();
        scene_kept();
        scene_needs_points(points);
        scene_needs_tricks(count);
        scene_no_more();
        scene_too_many(count);
    }
    "The players of a table.": {
        bot_name(seat);
        seat_free();
        presence_bot();
        presence_away();
        presence_stand_in_away();
        presence_stand_in_time();
        pause_waits(names);
    }
    "How a deal was scored.": {
        score_kept(name, wanted, made, change);
        score_failed(name, wanted, made, change);
        score_others(name, made, change);
        score_whist(kept, name, bid, took, change);
        score_prize(prize);
        score_revoked(name, side, change);
        sheet_made(made, wanted);
        sheet_rule_broken();
        sheet_legend(game);
    }
    "Events as spoken sentences.": {
        spoken_dealt();
        spoken_hand(cards);
        spoken_rest(cards);
        spoken_you_drew(card);
        spoken_drew(name);
        spoken_seated(name);
        spoken_renamed(seat, name);
        spoken_left(seat);
        spoken_kicked(seat);
        spoken_swapped(first, second);
        spoken_host(name);
        spoken_started();
        spoken_stood_in(name);
        spoken_back(name);
        spoken_claimed(name);
        spoken_asked_for_pause(name);
        spoken_paused();
        spoken_resumed();
        spoken_asked_for_rematch(name);
        spoken_said(name, text);
        spoken_closed();
    }
    "Quick phrases.": {
        quick_hello();
        quick_good_luck();
        quick_well_played();
        quick_thanks();
        quick_sorry();
        quick_one_moment();
        quick_your_turn();
        quick_close();
        quick_again();
        quick_good_night();
    }
    "Refusals of a table.": {
        table_not_yours();
        table_not_host();
        table_seat_taken();
        table_seat_empty();
        table_match_runs();
        table_of_contest();
        table_no_match();
        table_saw_cards();
        table_not_admitted();
        table_kicked();
        table_paused();
        table_not_proven();
        table_no_claims();
        table_muted();
        table_too_fast();
        table_unchanged();
        table_log_full();
        table_bad_name();
        table_bad_chat();
        table_unavailable();
        table_closed_now();
        table_late();
    }
    "The page.": {
        brand();
        lobby();
        lobby_link();
        page_loading();
        page_too_old();
        page_not_loaded();
        page_no_script();
        mine();
        mine_table();
        mine_matches();
        mine_none();
        mine_more();
        account();
        account_why();
        account_is(name);
        account_name();
        account_passphrase();
        account_new();
        account_taken();
        account_bad();
        account_wrong();
        account_tries();
        log_in();
        log_out();
        rules_title();
        settings_title();
        loading();
        close();
        yes();
        no();
        go_home();
        try_again();
        guest_name();
        cruce();
        whist();
        cruce_in_short();
        whist_in_short();
        home_title();
        home_lead();
        play_now();
        play_now_more();
        play_with_friends();
        home_bots();
        home_players(count);
        home_players_teams(count);
        home_players_alone(count);
        level_easy();
        level_medium();
        level_hard();
        nowhere_title();
        nowhere_more();
        friends_lead();
        your_name();
        pace_title();
        pace_off();
        pace_relaxed();
        pace_fast();
        listed_title();
        listed_no();
        listed_yes();
        open_table();
        rules_form_title();
        rules_form_start();
        rules_form_unusual(count);
        rules_form_code();
        rules_form_link();
        lobby_empty();
        lobby_free(count);
        lobby_watch();
        trouble_unreachable();
        trouble_gone();
        trouble_forbidden();
        trouble_too_many();
        trouble_full();
        trouble_unwell();
        settings_not_kept();
        setting_language();
        setting_theme();
        theme_system();
        theme_light();
        theme_dark();
        setting_faces();
        faces_german();
        faces_french();
        setting_colours();
        colours_usual();
        colours_four();
        colours_safe();
        setting_size();
        size_usual();
        size_plain();
        setting_cards();
        setting_bids();
        confirm_twice();
        confirm_once();
        setting_forced();
        setting_direction();
        direction_clockwise();
        direction_counter();
        setting_sound();
        setting_motion();
    }
    "The table in the page.": {
        table_opening();
        line_lost();
        ended_version();
        ended_version_more();
        ended_revoked();
        ended_revoked_more();
        ended_closed();
        ended_closed_more();
        ended_private();
        ended_private_more();
        ended_gone();
        ended_gone_more();
        ended_try_more();
        leave_table();
        trump_unknown();
        score_title();
        last_trick();
        no_trick_yet();
        score_sheet();
        no_deal_yet();
        column_deal(game);
        talk_title();
        story_title();
        talk_say();
        talk_send();
        mark_dealer();
        card_forbidden(card);
        your_hand();
        your_bid();
        bot_plays_for_you();
        take_back();
        watching_title();
        watching_seats(count);
        take_a_seat();
        watchers(count);
        ask_for_pause();
        pause_agree();
        pause_not_now();
        paused_more();
        resume();
        challenge_title();
        challenge_more(left);
        challenge_none();
        challenge_cleared();
        challenge_now();
        participants_title();
        kick_ask(name);
        mute();
        unmute();
        bot_level(name);
        relink();
        accept_deal();
        play_calling(points);
        play_silently();
        the_rule();
        claim();
        deal_over(game);
        match_over();
        all_hands();
        next_deal(game);
        waits_for_others();
        rematch();
        the_record();
        nothing_yet();
        key_help();
        key_hint();
        key_walk();
        key_play();
        key_suit();
        key_turn();
        key_trick();
        key_bids();
        key_points();
        key_challenge();
        waiting_title();
        is_host();
        sit_here();
        move_here();
        add_bot();
        remove_bot();
        kick();
        waits_for_host();
        waits_for_contest();
        to_contest();
        start_match();
        start_more();
        stand_up();
        invite_more();
        table_link();
        qr_label();
        copy_link();
        copied();
    }
    "Replays.": {
        replay();
        replay_loading();
        replay_gone();
        replay_gone_more();
        replay_unreadable();
        replay_unreadable_more();
        replay_open();
        replay_eyes();
        replay_step();
        replay_tricks();
        replay_first();
        replay_last();
        replay_back();
        replay_forward();
        replay_trick_back();
        replay_trick_forward();
        replay_deal_back();
        replay_deal_forward();
        replay_share();
        replay_copied();
        replay_address();
        verify_deals();
        verified();
        verified_not();
    }
    "Results of verifying a record.": {
        verified_secret(commitment);
        verified_words(names);
        verified_no_words();
        verified_deals(count);
        verified_actions(count);
        wrong_at(game, deal, action, what);
        wrong_first(expected, found);
        wrong_action(reason);
        wrong_record(what);
    }
    "Lessons.": {
        learn_link();
        learn_new();
        lesson_title(game);
        lesson_you();
        lesson_step(at, all);
        lesson_back();
        lesson_on();
        lesson_other();
        lesson_next_game(game);
        lesson_cruce(step, card);
        lesson_whist(step, card);
    }
    "Practice.": {
        practise_offline();
        practice_unanswered();
        practice_unreadable();
        practice_unreadable_link();
        start_over();
        start_over_more();
        start_over_same();
        leave_practice();
        ended_practice();
        ended_practice_more();
    }
    "Score sheets of real tables.": {
        sheet_other_game();
        sheet_players(count);
        sheet_sides(count);
        sheet_opener(seat);
        sheet_all_passed();
        sheet_cards(found);
        sheet_points(points);
        sheet_calls();
        sheet_tricks(cards, found);
        sheet_other_bids();
        sheet_no_such_line();
        sheet_nothing_to_undo();
        sheet_no_penalties();
        sheet_full();
        sheet_line();
        sheet_dealer();
        sheet_what();
        sheet_declared(name, bid);
        sheet_thrown_in();
        sheet_revoke(name);
        sheet_misdeal(name);
        sheet_not_counted();
        sheet_before();
        sheet_next_contract(number, dealer, first);
        sheet_next_bid(cards, number, dealer, name);
        sheet_forbidden(bid);
        sheet_next_result(number);
        sheet_won(names);
    }
    "Contests: refusals.": {
        contest_not_for_four(players);
        contest_word_too_long(most);
        contest_not_yours();
        contest_for_referee();
        contest_too_many(most);
        contest_too_few(least);
        contest_no_pairs();
        contest_pairs_only();
        contest_no_such_entrant();
        contest_has_withdrawn();
        contest_cannot_return();
        contest_no_such_phase();
        contest_no_such_table();
        contest_no_such_place();
        contest_phase_closed(phase);
        contest_phase_open(phase);
        contest_not_reopened(phase);
        contest_reopened(phase);
        contest_not_settled(table);
        contest_already_drawn();
        contest_final_drawn();
        contest_over_now();
        contest_too_many_phases(most);
        contest_no_commitment();
        contest_other_secret();
        contest_too_many_words(most);
        contest_ruled();
        contest_no_tie();
        contest_no_such_penalty();
        contest_too_much();
        contest_not_online();
        contest_already_opened();
        outcome_reach(score, least, most);
        outcome_nobody_won(target, margin);
        outcome_not_over();
        outcome_other_rules();
        roster_fault(line, what);
        roster_not_a_name();
        roster_open_quotes();
        roster_after_quotes();
        roster_partner();
        roster_cells(found);
        roster_too_many(most);
        roster_too_long();
    }
    "Contests: their state.": {
        contest_entered(count);
        contest_stage(stage, phase);
        contest_phase(number);
        contest_final();
        contest_phase_again();
        contest_voided(count);
        contest_table(table);
        contest_deals(name);
        contest_status(status);
        contest_state(state);
        contest_reported(role, scores);
        contest_byes(names);
        contest_column(column);
        contest_committed(commitment);
        contest_revealed(secret);
        contest_words(words);
        contest_no_words();
        contest_draw_again(phase);
        contest_next_committed(commitment);
        contest_imported(count, draws);
        contest_draw_imported(phase);
        contest_commitment_note();
        contest_role(role, which);
        contest_cut();
    }
    "Contests: entries of the log.": {
        done_settings(title, rules);
        done_enter(names);
        done_enter_many(count);
        done_rename(number, name);
        done_withdraw(name);
        done_return(name);
        done_commit(commitment);
        done_draw(phase);
        done_open(table, word);
        done_write_sheet(table, what, line);
        done_report(table, scores, broken);
        done_rule(table, scores, broken);
        done_penalise(table, name, change, why);
        done_pardon(table, number);
        done_play_off(table, scores);
        done_reopen(phase);
        done_close(phase);
        done_import();
    }
}
