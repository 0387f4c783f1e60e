//! The messages that only the terminal uses.

use fluent_bundle::{FluentArgs, FluentValue};

use super::super::Phrases;

messages! {
    "The terminal.": {
        term_too_small(width, height, least_width, least_height);
        term_other_version();
        term_journal_set_aside(path);
        term_do_play();
        term_do_bid();
        term_do_leave();
        term_do_stay();
        term_do_choose();
        term_do_it();
        term_do_scroll();
        term_do_hands();
        term_key_play();
        term_key_bid();
        term_key_log();
        term_key_step();
        term_key_tricks();
        term_key_deals(game);
        term_key_eyes();
        term_key_ends();
        term_log();
        term_leave_ask();
        term_leave_kept();
        term_leave_seat();
        term_home_serve();
        term_home_commands();
        term_sheet_legend(game);
        term_sheet_write();
        term_sheet_undo();
        term_sheet_how();
        term_sheet_help();
        typed_no_line(game);
        typed_no_number(word);
        typed_no_seat(number);
        typed_from_one();
    }
    "A table line by line.": {
        plain_bids(bids);
        plain_cards(cards);
        plain_not_now(cards);
        plain_call(number, points);
        plain_accept();
        plain_ready();
        plain_rematch();
        plain_hand(cards);
        plain_not_understood(line);
        plain_help();
    }
}
