//! The messages of score sheets in the page.

use fluent_bundle::{FluentArgs, FluentValue};

use crate::Phrases;

messages! {
    "Score sheets: the lines and the prompts.": {
        pad_deal_cruce(number, dealer, first);
        pad_deal_whist(number, all, cards, dealer, first);
        pad_asks_contract();
        pad_asks_bid(name);
        pad_asks_points(name, bid);
        pad_asks_tricks();
        pad_said(sum, cards);
        pad_undo_bid(bid);
        pad_undo_declare(name, bid);
        pad_undo_write(line);
        pad_undo_edit(line);
        pad_undo_rename();
        pad_row(number, said);
        pad_row_begun(number);
        pad_passed();
        pad_revoked(name);
        pad_misdealt();
        pad_no_run();
        pad_lacks_points();
        pad_lacks_player();
        pad_tricks_left(count);
        pad_tricks_over(count);
    }
    "Score sheets: the pad.": {
        pad_cards();
        pad_number();
        pad_plays();
        pad_total();
        pad_runs();
        pad_runs_more();
        pad_was();
        pad_next();
        pad_change(number);
        pad_write();
        pad_save();
        pad_points_of(name);
        pad_calls();
        pad_calls_of(name);
        pad_bid();
        pad_bid_of(name);
        pad_tricks();
        pad_tricks_of(name);
        pad_more_of(what);
        pad_less_of(what);
        pad_declarer();
        pad_declared_bid();
        pad_all_pass(first);
        pad_all_pass_again();
        pad_penalty();
        pad_penalty_revoke();
        pad_penalty_misdeal(name);
        pad_kind();
        pad_kind_played();
        pad_kind_passed();
        pad_kind_revoke();
        pad_kind_misdeal();
        pad_names();
        pad_rename_save();
        pad_not_a_name();
        pad_chart();
        pad_chart_more(standing);
        pad_print();
        pad_csv();
        pad_file();
        pad_again();
    }
    "Score sheets: the list on this device.": {
        sheets();
        sheets_link();
        sheets_lead();
        sheets_kept();
        sheets_new();
        sheets_names();
        sheets_player(number);
        sheets_dealer();
        sheets_begin();
        sheets_lines(count);
        sheets_forget();
        sheets_forget_sure(names);
        sheets_unknow_sure(names);
        sheets_gone();
        sheets_gone_more();
        sheets_not_kept();
        sheets_shared();
    }
    "Score sheets: on several phones.": {
        share();
        share_links();
        share_lead();
        share_who();
        share_write();
        share_look();
        share_gone();
        share_gone_more();
        share_looks();
        share_wrong_key();
        share_waits();
        share_waits_lost();
    }
}
