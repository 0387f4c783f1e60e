//! The messages of the contest pages and of ledgers.

use fluent_bundle::{FluentArgs, FluentValue};

use super::super::Phrases;

messages! {
    "Contests: their pages.": {
        hall_contests();
        hall_contests_lead();
        hall_new();
        hall_found();
        hall_forget();
        hall_as(role, which);
        hall_here_as();
        hall_spoilt();
        hall_wrong_key();
        hall_gone();
        hall_gone_more();
        hall_title();
        hall_kind();
        hall_kind_alone();
        hall_kind_pairs();
        hall_kind_whist();
        hall_four();
        hall_venue();
        hall_venue_hall();
        hall_venue_online();
        hall_settings();
        hall_save();
        hall_saved();
        hall_cancel();
        hall_parts();
    }
    "Contests: entrants.": {
        hall_entrants();
        hall_count(count);
        hall_name();
        hall_partner();
        hall_add();
        hall_name_strange();
        hall_add_many();
        hall_list();
        hall_list_hint(kind);
        hall_admit(count);
        hall_file();
        hall_rename();
        hall_withdraw();
        hall_withdraw_sure(name);
        hall_return();
        hall_nobody_yet();
        hall_nobody();
        hall_no_more_entrants();
    }
    "Contests: the urn.": {
        hall_urn();
        hall_in_urn(count, tables);
        hall_smaller(count);
        hall_byes(count);
        hall_prepare_title();
        hall_prepare_more();
        hall_prepare();
        hall_prepare_again();
        hall_words_title();
        hall_words_more(most);
        hall_words_many(most);
        hall_draw_title();
        hall_draw_more();
        hall_draw();
        hall_draw_sure();
        hall_draw_silent();
    }
    "Contests: tables.": {
        hall_tables();
        hall_phases();
        hall_no_tables();
        hall_settled(count, all);
        hall_open_table();
        hall_reopen();
        hall_reopen_sure(phase);
        hall_close();
        hall_close_sure(phase);
        hall_reopened(phase);
        hall_closed();
        hall_not_drawn();
        hall_referee(phase, table);
        hall_told();
        hall_decided();
        hall_adopt();
        hall_enter();
        hall_send();
        hall_correct();
        hall_decide();
        hall_broken_off();
        hall_was_broken_off();
        hall_voids_play_offs();
        hall_scores_missing();
        hall_tied();
        hall_rank(rank);
        hall_play_off_title();
        hall_play_off(names);
        hall_play_off_send();
        hall_penalties();
        hall_penalise(name, why);
        hall_penalty_short(why);
        hall_penalised(name, change, why);
        hall_pardon();
        hall_sheet();
        hall_sheet_more();
        hall_sheet_keep();
        hall_standings();
        hall_going_on();
    }
    "Contests: a player's phone.": {
        hall_nobody_such();
        hall_seat(phase, table, place);
        hall_place_is();
        hall_score_is();
        hall_deals();
        hall_ring();
        hall_next(state, place);
        hall_result();
        hall_telling(state);
        hall_tell();
        hall_tell_again();
        hall_tell_other();
        hall_agree();
        hall_to_table();
    }
    "Contests: links, files and the log.": {
        hall_links();
        hall_for_all();
        hall_link_public();
        hall_link_wall();
        hall_referees();
        hall_referees_more();
        hall_players();
        hall_players_more();
        hall_seek();
        hall_left_out(count);
        hall_show_qr(name);
        hall_files();
        hall_file_of(what);
        hall_log();
        hall_log_empty();
        hall_more();
        hall_draws();
        hall_draws_more();
    }
    "Contests: paper.": {
        hall_print();
        hall_paper(what);
        hall_print_now();
        hall_print_public();
        hall_back();
        hall_sheet_row(row);
        hall_referee_signs();
    }
    "Contests: the wall.": {
        hall_drawing();
        hall_podium();
        hall_follow();
        hall_promised();
    }
    "Ledgers: refusals.": {
        ledger_refused(name);
        ledger_unreadable();
        ledger_full();
        ledger_too_fast();
        ledger_unavailable();
        hall_start();
        hall_start_sure();
        ledger_no_table();
    }
}
