//! The messages of score sheets in the page.

use fluent_bundle::{FluentArgs, FluentValue};

use crate::Phrases;

messages! {
    "Score sheets: the lines and the prompts.": {
        entry_deal_cruce(number, dealer, first);
        entry_deal_whist(number, all, cards, dealer, first);
        entry_asks_contract();
        entry_asks_bid(name);
        entry_asks_points(name, bid);
        entry_asks_tricks();
        entry_said(sum, cards);
        entry_undo_bid(bid);
        entry_undo_declare(name, bid);
        entry_undo_write(line);
        entry_undo_edit(line);
        entry_undo_rename();
        entry_row(number, said);
        entry_row_begun(number);
        entry_passed();
        entry_revoked(name);
        entry_misdealt();
        entry_no_run();
        entry_lacks_points();
        entry_lacks_player();
        entry_tricks_left(count);
        entry_tricks_over(count);
    }
    "Score sheets: the editor.": {
        entry_cards();
        entry_number();
        entry_plays();
        entry_total();
        entry_runs();
        entry_runs_more();
        entry_was();
        entry_next();
        entry_change(number);
        entry_write();
        entry_save();
        entry_points_of(name);
        entry_calls();
        entry_calls_of(name);
        entry_bid();
        entry_bid_of(name);
        entry_tricks();
        entry_tricks_of(name);
        entry_more_of(what);
        entry_less_of(what);
        entry_declarer();
        entry_declared_bid();
        entry_all_pass(first);
        entry_all_pass_again();
        entry_penalty();
        entry_penalty_revoke();
        entry_penalty_misdeal(name);
        entry_kind();
        entry_kind_played();
        entry_kind_passed();
        entry_kind_revoke();
        entry_kind_misdeal();
        entry_names();
        entry_rename_save();
        entry_not_a_name();
        entry_chart();
        entry_chart_more(standing);
        entry_print();
        entry_csv();
        entry_file();
        entry_again();
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
