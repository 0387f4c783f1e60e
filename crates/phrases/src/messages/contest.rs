//! The messages of the contest pages and of ledgers.

use fluent_bundle::{FluentArgs, FluentValue};

use super::super::Phrases;

messages! {
    "Contests: their pages.": {
        contest_page_contests();
        contest_page_contests_lead();
        contest_page_new();
        contest_page_found();
        contest_page_forget();
        contest_page_as(role, which);
        contest_page_here_as();
        contest_page_spoilt();
        contest_page_wrong_key();
        contest_page_gone();
        contest_page_gone_more();
        contest_page_title();
        contest_page_kind();
        contest_page_kind_alone();
        contest_page_kind_pairs();
        contest_page_kind_whist();
        contest_page_four();
        contest_page_venue();
        contest_page_venue_hall();
        contest_page_venue_online();
        contest_page_settings();
        contest_page_save();
        contest_page_saved();
        contest_page_cancel();
        contest_page_parts();
    }
    "Contests: entrants.": {
        contest_page_entrants();
        contest_page_count(count);
        contest_page_name();
        contest_page_partner();
        contest_page_add();
        contest_page_name_strange();
        contest_page_add_many();
        contest_page_list();
        contest_page_list_hint(kind);
        contest_page_enter(count);
        contest_page_file();
        contest_page_rename();
        contest_page_withdraw();
        contest_page_withdraw_sure(name);
        contest_page_return();
        contest_page_nobody_yet();
        contest_page_nobody();
        contest_page_no_more_entrants();
    }
    "Contests: the urn.": {
        contest_page_urn();
        contest_page_in_urn(count, tables);
        contest_page_smaller(count);
        contest_page_byes(count);
        contest_page_prepare_title();
        contest_page_prepare_more();
        contest_page_prepare();
        contest_page_prepare_again();
        contest_page_words_title();
        contest_page_words_more(most);
        contest_page_words_many(most);
        contest_page_draw_title();
        contest_page_draw_more();
        contest_page_draw();
        contest_page_draw_sure();
        contest_page_draw_silent();
    }
    "Contests: tables.": {
        contest_page_tables();
        contest_page_phases();
        contest_page_no_tables();
        contest_page_settled(count, all);
        contest_page_open_table();
        contest_page_reopen();
        contest_page_reopen_sure(phase);
        contest_page_close();
        contest_page_close_sure(phase);
        contest_page_reopened(phase);
        contest_page_closed();
        contest_page_not_drawn();
        contest_page_referee(phase, table);
        contest_page_reports();
        contest_page_decided();
        contest_page_adopt();
        contest_page_match_result();
        contest_page_send();
        contest_page_rule();
        contest_page_decide();
        contest_page_broken_off();
        contest_page_was_broken_off();
        contest_page_voids_play_offs();
        contest_page_scores_missing();
        contest_page_tied();
        contest_page_rank(rank);
        contest_page_play_off_title();
        contest_page_play_off(names);
        contest_page_play_off_send();
        contest_page_penalties();
        contest_page_penalise(name, why);
        contest_page_penalty_short(why);
        contest_page_penalised(name, change, why);
        contest_page_pardon();
        contest_page_sheet();
        contest_page_sheet_more();
        contest_page_sheet_begin();
        contest_page_standings();
        contest_page_going_on();
    }
    "Contests: a player's phone.": {
        contest_page_nobody_such();
        contest_page_seat(phase, table, place);
        contest_page_place_is();
        contest_page_score_is();
        contest_page_deals();
        contest_page_ring();
        contest_page_next(state, place);
        contest_page_result();
        contest_page_report_state(state);
        contest_page_report();
        contest_page_report_again();
        contest_page_report_other();
        contest_page_agree();
        contest_page_to_table();
    }
    "Contests: links, files and the log.": {
        contest_page_links();
        contest_page_for_all();
        contest_page_link_public();
        contest_page_link_wall();
        contest_page_referees();
        contest_page_referees_more();
        contest_page_players();
        contest_page_players_more();
        contest_page_seek();
        contest_page_left_out(count);
        contest_page_show_qr(name);
        contest_page_files();
        contest_page_file_of(what);
        contest_page_log();
        contest_page_log_empty();
        contest_page_more();
        contest_page_draws();
        contest_page_draws_more();
    }
    "Contests: paper.": {
        contest_page_print();
        contest_page_paper(what);
        contest_page_print_now();
        contest_page_print_public();
        contest_page_back();
        contest_page_sheet_row(row);
        contest_page_referee_signs();
    }
    "Contests: the wall.": {
        contest_page_drawing();
        contest_page_podium();
        contest_page_follow();
        contest_page_committed();
    }
    "Ledgers: refusals.": {
        ledger_refused(name);
        ledger_unreadable();
        ledger_full();
        ledger_too_fast();
        ledger_unavailable();
        contest_page_start();
        contest_page_start_sure();
        ledger_no_table();
    }
}
