### Every sentence in English. A message's name is the name of the method that
### says it (src/phrases/messages.rs); ro.ftl has the same messages.

## Cards

suit = { $suit ->
    [bell] bells
    [leaf] leaves
    [acorn] acorns
    [heart] hearts
    [clubs] clubs
    [spades] spades
    [diamonds] diamonds
   *[hearts] hearts
}
# What stands on a drawn card: short.
suit_sign = { $suit ->
    [bell] bell
    [leaf] leaf
    [acorn] acorn
    [heart] heart
    [clubs] club
    [spades] spade
    [diamonds] diamond
   *[hearts] heart
}
rank = { $rank ->
    [ace] ace
    [x] X
    [iv] IV
    [iii] III
    [ii] II
    [ix] IX
    [king] king
    [queen] queen
    [jack] jack
    [ten] 10
    [nine] 9
    [eight] 8
    [seven] 7
    [six] 6
    [five] 5
    [four] 4
   *[three] 3
}
rank_the = the { $rank ->
    [ace] ace
    [x] X
    [iv] IV
    [iii] III
    [ii] II
    [ix] IX
    [king] king
    [queen] queen
    [jack] jack
    [ten] 10
    [nine] 9
    [eight] 8
    [seven] 7
    [six] 6
    [five] 5
    [four] 4
   *[three] 3
}
# One of several cards that are listed in a row.
rank_listed = { $rank ->
    [ace] A
    [x] X
    [iv] IV
    [iii] III
    [ii] II
    [ix] IX
    [king] K
    [queen] Q
    [jack] J
    [ten] 10
    [nine] 9
    [eight] 8
    [seven] 7
    [six] 6
    [five] 5
    [four] 4
   *[three] 3
}
of_suit = { $ranks } of { $suit }
or = { $first } or { $last }
and = { $first } and { $last }

## Numbers, bids and seats

points = { $count ->
    [one] { $count } point
   *[other] { $count } points
}
bid_word = { $bid ->
    [0] pass
    [1] one
    [2] two
    [3] three
    [4] four
    [5] five
    [6] six
   *[other] { $bid }
}
seat = seat { $number }
seats = seats { $first } and { $second }

## Why something is refused

refused = { $sentence } ({ $clause }).
refusal_no_such_seat = There is no such seat at this table
refusal_not_your_turn = It is not your turn but that of seat { $seat }
refusal_not_bidding = { $game ->
   *[other] This is not the time to bid
}
refusal_not_playing = This is not the time to play a card
refusal_match_over = The match is over
refusal_bid_too_low = The bid stands at { $bid }: say more, or pass
refusal_bid_topped = The bid stands at { $bid }, and nobody can say more: you can only pass
refusal_bid_too_high = At this table nobody can say more than { $bid }
refusal_more_than_tricks = { $count ->
    [one] There is only one trick: you can say at most { $count }
   *[other] There are only { $count } tricks: you can say at most { $count }
}
refusal_sum = As the last to speak you may not say { $bid }: the bids would add up to the tricks
refusal_not_in_hand = You do not hold { $card }
refusal_follow = You must follow { $suit }: play { $cards }
refusal_trump = { $game ->
   *[other] You cannot follow suit, so you owe a trump: play { $cards }
}
refusal_overtake = You must overtake { $best }: play { $cards }
refusal_call = You cannot call with { $card }: it takes the III and the IV of one suit in hand, and you must be leading one of them
refusal_call_in_whist = There are no calls in whist
refusal_must_call = At this table a pair that is led is always called: { $card } cannot be led in silence
refusal_no_honour_table = Cards are challenged and deals accepted at honour tables only; this table refuses wrong cards itself
refusal_trick_not_finished = Only a card of a finished trick can be challenged
refusal_own_side = Only an opponent’s card can be challenged
refusal_already_judged = That card has been challenged and judged already
refusal_no_challenges_left = You have made two wrong challenges in this deal and have none left
refusal_nothing_to_accept = There is no deal to accept now
refusal_already_accepted = You have accepted this deal already

## Hints

# A number with a fraction, and one with thousands.
decimal = { $whole }.{ $part }
thousands = { $first },{ $rest }
hint_lead = Lead { $card }.
hint_lead_calling = Lead { $card } and call { $points }.
hint_play = Play { $card }.
hint_bid = { $game ->
    [pass] Pass.
   *[other] Say { $bid }.
}
hint_accept = Accept the deal.
hint_challenge = Challenge the card that { $seat } laid in trick { $trick }: { $card }.
hint_no_choice = { $honour ->
    [yes] Nothing else keeps the rules.
   *[no] You have no choice.
}
hint_last_card = It is your last card.
hint_nothing_to_challenge = All cards are played, and there is nothing to challenge.
hint_revoked = A card that was owed then has come to light since, so the challenge cannot fail (C15).
hint_makes_trump = That makes { $suit } trump.
hint_takes = { $game ->
    [cruce] It takes the trick, { $points }.
   *[whist] It takes the trick.
}
hint_partner_takes = Your partner takes the trick, { $points }.
hint_other_takes = { $game ->
    [cruce] The trick goes to { $seat }, { $points }.
   *[whist] The trick goes to { $seat }.
}
hint_beaten = It does not take the trick.
hint_unbeatable = { $leads ->
    [yes] Nobody can beat it.
   *[no] Nobody after you can beat it.
}
hint_all_same = All choices are equally good.
hint_as_good = Just as good: { $things }.
hint_better = { $by ->
    [much] It is much better than the next best: { $other }.
    [little] It is a little better than the next best: { $other }.
   *[some] It is better than the next best: { $other }.
}
hint_promised = { $who ->
    [you] You promised { $points } and have { $made } so far.
    [team] Your side promised { $points } and has { $made } so far.
    [one] { $side } promised { $points } and has { $made } so far.
   *[two] { $side } promised { $points } and have { $made } so far.
}
hint_bid_and_taken = You bid { $bid } and have taken { $taken }; { $left ->
    [one] this is the last trick.
   *[other] { $left } tricks are to come, with this one.
}
hint_partner_holds = The highest bid, { $bid }, is your partner’s.
hint_other_holds = The highest bid, { $bid }, is that of { $seat }.
hint_declaring = { $teams ->
    [yes] With you as declarer your side makes about { $points }, by a quick estimate; { $bid } promises { $promised }.
   *[no] As declarer you make about { $points }, by a quick estimate; { $bid } promises { $promised }.
}
hint_tricks = The hand is good for about { $count } tricks, by a quick estimate.
hint_bids_so_far = { $tricks ->
    [one] The bids so far add up to { $sum }, and there is { $tricks } trick.
   *[other] The bids so far add up to { $sum }, and there are { $tricks } tricks.
}
hint_ways = { $size ->
    [known] You can tell where every card lies.
    [more] The cards you do not see can lie in more than a thousand billion ways.
    [billion] The cards you do not see can lie in about { $number } billion ways.
    [million] The cards you do not see can lie in about { $number } million ways.
   *[exact] { FORM($count) ->
       *[other] The cards you do not see can lie in { $number } ways.
    }
}
hint_compared = Compared with the best, in points of score:
hint_unweighed = Not weighed, being far from what the hand promises: { $bids }.
hint_rough = The limit of thinking was reached, so the numbers are rough.
hint_refused = { $honour ->
    [yes] Would break the rules:
   *[no] Not allowed:
}
hint_spectator = A spectator has nothing to decide; a hint needs the view of a seat
hint_no_deal = The cards are not dealt yet: there is nothing to decide

## What a challenged card broke

broken_follow = { $name } had to follow { $suit } with { $cards }
broken_trump = { $game ->
   *[other] { $name } owed a trump: { $cards }
}
broken_overtake = { $name } had to overtake { $best } with { $cards }

## Rules

rules_cruce = { $teams ->
    [yes] Cruce for four, in two teams
   *[no] Cruce for { $players ->
        [2] two
        [3] three
       *[other] four
    }, each for themselves
}
rules_whist = Romanian whist for { $players ->
    [3] three
    [4] four
    [5] five
   *[other] six
}
rules_marked = * not as in the usual game, { $code }
rules_book = All rules, with examples: { $path }

option_cruce_players = { $players ->
    [2] Two play: 8 cards each, and 8 face down to draw from.
    [3] Three play: 8 cards each.
   *[other] Four play: 6 cards each.
}
option_teams = { $teams ->
    [yes] In two teams: partners sit opposite each other and score together.
   *[no] Each plays for themselves.
}
option_target = The match is played to { $target }.
option_margin = { $margin ->
    [one] To win it is enough to be { $margin } ahead of the next.
   *[other] To win you must be at least { $margin } ahead of the next; otherwise play goes on.
}
option_max_bid = The highest bid is { $bid }: a promise of { $points }.
option_bid_on = { $value ->
    [full] You see your whole hand before you bid.
   *[three] You see three cards before you bid; the rest is dealt afterwards.
}
option_all_pass = { $value ->
    [opener] If all pass, the player after the dealer leads and so chooses trump, with nothing promised.
   *[redeal] If all pass, the cards are thrown in and the next dealer deals.
}
option_overtake = { $value ->
    [team] If you can beat what lies on the table you must, even your partner’s card.
    [on] If you can beat what lies on the table you must.
   *[off] You need not beat what lies on the table: following suit, or else trumping, is all you owe.
}
option_calls = { $value ->
    [declared] Leading from the III and IV of a suit, you may call them: 40 points in trump, 20 in another suit.
   *[automatic] Leading from the III and IV of a suit always calls them: 40 points in trump, 20 in another suit.
}
option_others = { $value ->
    [yes] When a bid fails, the others still score what they made.
   *[no] When a bid fails, the others score nothing.
}
option_enforcement = { $value ->
    [enforced] A card that breaks the rules is refused, with the reason.
   *[honour] Honour table: nothing in your hand is refused, but opponents may challenge a card of a finished trick. If it broke the rules its side loses 3 and the deal is thrown in.
}
option_whist_players = { $players ->
    [3] Three play, each for themselves, with the 24 cards from the 9 to the ace.
    [4] Four play, each for themselves, with the 32 cards from the 7 to the ace.
    [5] Five play, each for themselves, with the 40 cards from the 5 to the ace.
   *[other] Six play, each for themselves, with the 48 cards from the 3 to the ace.
}
option_deals = { $value ->
    [up] { $count } deals: from 1 card each up to 8, and back down to 1.
   *[down] { $count } deals: from 8 cards each down to 1, and back up to 8.
}
option_trump_in_ones = { $value ->
    [yes] In deals of one card too, a card is turned up for trump. Deals of eight have none.
   *[no] Deals of one card are played without trump, like deals of eight.
}
option_prize = { $prize ->
    [0] No prizes for bidding right, or wrong, many times in a row.
   *[other] Five deals in a row bid right bring { $prize } points, five bid wrong cost { $prize }; deals of one card do not count.
}

# The house rules as a form
option_title = { $option ->
    [players] Players
    [teams] Sides
    [target] Played to
    [margin] Lead needed to win
    [max_bid] Highest bid
    [bid_on] Bids on
    [all_pass] If all pass
    [overtake] Beating the trick
    [calls] Calls
    [others_score_on_failure] When a bid fails, the others
    [enforcement] Wrong cards
    [deals] Deals
    [trump_in_ones] Trump in deals of one
    [prize] Prizes
   *[other] this option
}
option_value = { $value ->
    [teams_yes] two teams
    [teams_no] each alone
    [bid_on_full] the whole hand
    [bid_on_three] three cards
    [all_pass_opener] the first leads
    [all_pass_redeal] deal again
    [overtake_on] a duty
    [overtake_off] a choice
    [calls_declared] as you wish
    [calls_automatic] always
    [others_score_on_failure_yes] score
    [others_score_on_failure_no] get nothing
    [enforcement_enforced] refused
    [enforcement_honour] honour table
    [deals_1-8-1] 1 to 8 to 1
    [deals_8-1-8] 8 to 1 to 8
    [trump_in_ones_yes] turned up
    [trump_in_ones_no] none
    [prize_0] none
   *[other] { $given }
}
preset_name = { $name ->
    [classic] As at home
    [contest] As in contests
   *[whist] As usual
}
fault_range = { $option }: from { $least } to { $most }, not { $given }.
fault_teams = Only four can play in teams, not { $players }.
fault_prize = The prize is 10, 5 or 0 (none), not { $given }.
fault_value = { $option } cannot be “{ $given }”.
fault_too_long = A code has at most { $most } letters.
fault_game = “{ $found }” is no game: a code begins with cruce2, cruce3, cruce4t, cruce4s, or whist3 to whist6.
fault_option = “{ $found }” is no option of { $game }.
fault_twice = { $option }: this is said twice.

presets_title = Rules by name
preset_classic = Cruce as it is played at home: four in two teams, to 21 and two ahead.
preset_contest = Cruce as contests play it: each for themselves, bids on three cards up to four, no duty to overtake, nothing for the others when a bid fails, first to 21.
preset_whist = Romanian whist for four: from one card to eight and back, prizes of ten.
codes_title = Rules by code
codes_how = A code is a game and, after hyphens, whatever is different from usual, in any order. Cruce begins with cruce2, cruce3, cruce4t (teams) or cruce4s (each for themselves), and a bare number is the score that ends it; whist begins with whist3 to whist6. A name can begin a code too.
code_example_house = three play Cruce to 15, and redeal if all pass
code_example_contest = a contest for three, at an honour table
code_example_whist = five play whist, the eights first, with prizes of 5

## The story of a match

story_cruce_teams = Cruce to { $target }: { $first } against { $second }
story_cruce = Cruce to { $target }: { $names }
story_whist = Romanian whist: { $names }
story_deal = { $game ->
    [cruce] Deal { $number }
   *[whist] Deal { $number } of { $all }
} · { $dealer } deals · { $cards ->
    [one] one card each
   *[other] { $cards } cards each
}
story_stock = Stock
story_rest = The rest is dealt:
story_bids = { $game ->
   *[other] Bids
}
story_bids_sum = { $cards ->
    [one] { $sum } for { $cards } trick
   *[other] { $sum } for { $cards } tricks
}
story_declarer = Declarer
story_promise = { $name } with { $bid }: { $side } must make { $points }
story_promise_alone = { $name } with { $bid } must make { $points }
story_no_promise = all passed, so { $name } leads and promises nothing
story_trump = { $game ->
   *[other] Trump
}
story_trump_led = { $suit }, led by { $name }
story_turned = { $suit }: { $card } is turned up
story_no_trump = none
story_calls = calls { $points }!
story_draws = { $name } draws { $card }

column_before = before
column_cards = cards
column_calls = calls
column_points = points
column_bid = { $game ->
   *[other] bid
}
column_took = took
column_score = score
column_prize = prize
column_run = run
column_total = total
bid_made = { $bid } ({ $points }): made
bid_failed = { $bid } ({ $points }): failed

## What happens at a table

turn = { $name } is to play.
turn_to_lead = { $name } is to lead.
turn_to_bid = { $game ->
   *[other] { $name } is to bid.
}
may_bid = { $name } may say { $bids }.
may_play_any = { $name } may play any card.
may_play_only = { $name } may play only { $card }.
may_play = { $name } may play { $cards }.
says = { $name } says { $bid }
leads = { $name } leads { $card }
leads_calling = { $name } leads { $card } and calls { $points }!
plays = { $name } plays { $card }
with_call = { $card } with a call
takes = { $name } takes the trick.
takes_points = { $name } takes the trick, { $points }.
trump_is = { $game ->
   *[other] Trump: { $suit }.
}
no_trump = There is no trump.
points_now = Points
tricks_now = Tricks
score_now = Score
shown = Everybody has seen that { $name } holds { $cards }.
stock_left = { $count ->
    [0] The stock is used up.
    [one] There is { $count } card left in the stock.
   *[other] There are { $count } cards left in the stock.
}
draws_first = From the stock { $first } draws first, then { $second }.
all_passed = Everybody passed: the cards are thrown in.
challenges = { $by } challenges the card that { $accused } laid in trick { $trick }.
challenge_right = Rightly so: { $reason }
challenge_wrong = Wrongly: it broke no rule.
thrown_in = The deal is thrown in, { $change } for { $side }.
accepted = Accepted by { $names }.
next_first = { $game ->
   *[other] In the next deal { $name } bids first.
}
goes_on = The match goes on.
won = { $count ->
    [one] { $names } has won the match.
   *[other] { $names } have won the match.
}
shared = { $names } share first place.

## Pictures of the rule documents

on_the_table = On the table
turned_up = Turned up
holds = { $name } holds
sees = { $name } sees
trick_taken = The trick
beats = { $strong } beats { $weak }.
all_worth = All cards together are worth { $points }.
cards_each = { $count ->
    [one] Each player gets { $count } card.
   *[other] Each player gets { $count } cards.
}
stock_of = { $count ->
    [one] { $count } card is left face down: the stock.
   *[other] { $count } cards are left face down: the stock.
}
deals_of_match = { $count ->
    [one] { $count } deal
   *[other] { $count } deals
}

## The table

scene_deal = Deal { $number }
scene_deal_of = Deal { $number }/{ $all } · { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
}
scene_has_bid = bid { $bid }
scene_has_tricks = { $count ->
    [one] { $count } trick
   *[other] { $count } tricks
}
scene_has_cards = { $count ->
    [one] { $count } card left
   *[other] { $count } cards left
}
scene_deals = deals
scene_has_shown = has shown { $cards }
scene_you_bid = { $game ->
   *[other] Your turn to bid
}
scene_you_lead_trump = You lead: your card makes its suit trump
scene_you_lead = You lead
scene_you_play = Your turn
scene_between_deals = { $game ->
   *[other] The next deal is coming
}
scene_accepting = All cards are played: was it fair?
scene_accepting_others = Waiting for { $names } to accept the deal
challenge_trick = Trick { $number }, taken by { $name }
challenge_ask = Challenge { $card }, laid by { $name } in trick { $trick }? If it broke the rules, the deal is thrown in and its side loses 3.
scene_match_over = The match is over
scene_kept = kept
scene_needs_points = needs { $points }
scene_needs_tricks = { $count ->
    [one] { $count } more trick
   *[other] { $count } more tricks
}
scene_no_more = no more tricks
scene_too_many = { $count ->
   *[other] { $count } too many
}

## Who sits at a table

bot_name = { $seat ->
    [1] Oak
    [2] Beech
    [3] Linden
    [4] Elm
    [5] Fir
   *[6] Willow
}
seat_free = free seat
presence_bot = bot
presence_away = not connected
presence_stand_in_away = away: a bot plays
presence_stand_in_time = out of time: a bot plays
pause_waits = You would like a pause. Still to agree: { $names }.

## How a score came about

score_kept = { $name } promised { $wanted } and made { $made }: { $change }.
score_failed = { $name } promised { $wanted } and made only { $made }: { $change }.
score_others = { $name } made { $made }: { $change }.
score_whist = { $kept ->
   *[other] { $name } bid { $bid } and took { $took }: { $change }.
}
score_prize = Prize: { $prize }.
score_revoked = A card of { $name } broke a rule: the deal is thrown in, { $change } for { $side }.
sheet_rule_broken = broke a rule
sheet_made = { $made } of { $wanted }
sheet_legend = { $game ->
    [cruce] Large: the score. Below: what the deal brought, and the points that were made; where a bid was to be kept, of how many promised.
   *[whist] Large: the total. Below: what the deal brought, and the tricks taken / bid. ★ is a prize.
}

## What happens, said aloud

spoken_dealt = The cards are dealt.
spoken_hand = You hold { $cards }.
spoken_rest = The rest is dealt; you get { $cards }.
spoken_you_drew = You draw { $card }.
spoken_drew = { $name } draws.
spoken_seated = { $name } sits down.
spoken_renamed = Seat { $seat } is now called { $name }.
spoken_left = Seat { $seat } is free.
spoken_kicked = The player of seat { $seat } was sent away.
spoken_swapped = Seats { $first } and { $second } were exchanged.
spoken_host = { $name } is the host now.
spoken_started = The match begins.
spoken_stood_in = A bot plays for { $name } until the player is back.
spoken_back = { $name } is back.
spoken_claimed = { $name } claims the rest, rightly.
spoken_asked_for_pause = { $name } would like a pause.
spoken_paused = The clocks stand still.
spoken_resumed = The clocks run again.
spoken_asked_for_rematch = { $name } would like another match.
spoken_said = { $name }: { $text }
spoken_closed = The table is closed.

## Quick phrases

quick_hello = Hello!
quick_good_luck = Good luck!
quick_well_played = Well played!
quick_thanks = Thank you!
quick_sorry = Sorry!
quick_one_moment = One moment, please.
quick_your_turn = It's your turn.
quick_close = That was close!
quick_again = Another match?
quick_good_night = Good night!

## What a table refuses

table_not_yours = Only somebody who sits at the table can do that
table_not_host = Only the host of the table can do that
table_seat_taken = Somebody else sits there already
table_seat_empty = Nobody sits there
table_match_runs = Not while a match is being played
table_of_contest = The contest gives the seats of this table away
table_no_match = No match is being played
table_saw_cards = You have seen cards of this match, so you can take a seat only in the next one
table_not_admitted = The table is private: ask for its link
table_kicked = The host has sent you away from this table
table_paused = The table is paused
table_not_proven = It is not certain that the rest is yours
table_no_claims = The rest can be claimed only when it is your turn to play
table_muted = The host has muted you
table_too_fast = That was too fast; try again in a moment
table_unchanged = Nothing changes: it is already like that
table_log_full = This table has grown too old; open a new one for the next match
table_bad_name = This name will not do
table_bad_chat = Nothing, or too much, was said
table_unavailable = The server cannot keep this at the moment, so it was not done; try again soon
table_closed_now = The table was closed
table_late = That came too late: the table has moved on

## The page

brand = Ghinda
lobby = Lobby
lobby_link = Lobby
rules_title = Rules
page_loading = Ghinda is loading…
page_too_old = This browser is too old: Ghinda needs WebAssembly. Please try a newer one.
page_not_loaded = The page could not be loaded. Check the connection and load it again.
page_no_script = Ghinda needs JavaScript and WebAssembly.
mine = My games
mine_table = Go on at your table
mine_matches = Matches you have played
mine_none = None yet. A match that ends at a table on this server is listed here.
mine_more = Older ones
account = Account
account_why = You can play without one. With a name and a passphrase you find your matches again on another device.
account_is = You are { $name }, here and wherever you log in.
account_name = Name
account_passphrase = Passphrase, at least 10 characters
account_new = New account
account_taken = Somebody has this name already.
account_bad = A name has 3 to 30 letters, digits, dots or dashes; a passphrase has at least 10 characters.
account_wrong = This name and this passphrase do not belong together.
account_tries = Too many passphrases for this name were wrong. Wait a minute and try again.
log_in = Log in
log_out = Log out
settings_title = Settings
loading = One moment…
close = Close
yes = Yes
no = No
go_home = To the first page
try_again = Try again
guest_name = Guest
cruce = Cruce
whist = Whist
cruce_in_short = 24 cards, bids and calls; in four, partners sit opposite each other.
whist_in_short = Say how many tricks you will take, and take exactly that many.
home_title = Cruce and Romanian whist
home_lead = Play against good bots or with friends. No account, no waiting.
play_now = Play now
play_now_more = Cruce in four, with three bots
play_with_friends = Play with friends
home_bots = Against bots
home_players = { $count } players
home_players_teams = { $count } in teams
home_players_alone = { $count }, each alone
level_easy = easy
level_medium = medium
level_hard = hard
nowhere_title = There is nothing here
nowhere_more = The address may have been mistyped.
friends_lead = Open a table and send its link. Bots take the seats that stay empty.
your_name = Your name
pace_title = Time for a card
pace_off = no limit
pace_relaxed = a minute
pace_fast = 15 seconds
listed_title = Who may come
listed_no = whoever has the link
listed_yes = everybody
open_table = Open a table
rules_form_title = House rules
rules_form_start = Begin with
rules_form_unusual = { $count ->
    [0] as usual
    [one] { $count } unlike the usual
   *[other] { $count } unlike the usual
}
rules_form_code = Rules code: send it, or type one you were sent
rules_form_link = Copy the link
lobby_empty = No table is open to all at the moment.
lobby_free = { $count ->
    [0] full
    [one] { $count } free seat
   *[other] { $count } free seats
}
lobby_watch = watch
trouble_unreachable = The server does not answer. Check the connection and try again.
trouble_gone = It is not there any more.
trouble_forbidden = This is not allowed.
trouble_full = You have opened as many as one player may have. Those that are quiet for a month no longer count.
trouble_too_many = Too much in a short time: wait a moment and try again.
trouble_unwell = The server cannot do that at the moment. Try again in a moment.
settings_not_kept = This browser keeps nothing for this page: what you choose here lasts until you leave it.
setting_language = Language
setting_theme = Theme
theme_system = as the system
theme_light = light
theme_dark = dark
setting_faces = Cards of Cruce
faces_german = German
faces_french = French
setting_colours = Colours of the suits
colours_usual = usual
colours_four = four colours
colours_safe = for colour-blind eyes
setting_size = Faces
size_usual = with pictures
size_plain = large corners only
setting_cards = To play a card
setting_bids = To say a bid
confirm_twice = tap twice
confirm_once = tap once
setting_forced = Play an only card by itself
setting_direction = Direction of play
direction_clockwise = clockwise
direction_counter = counter-clockwise
setting_sound = Sounds
setting_motion = Moving cards

## The table in the page

table_opening = The table is being opened…
line_lost = The connection was lost. It is being made again; nothing is lost.
ended_version = There is a newer version of this page
ended_version_more = Load the page again, and you are back at the table.
ended_revoked = You are not at this table any more
ended_revoked_more = The host has taken the seat back, or you have logged out elsewhere.
ended_closed = The table was closed
ended_closed_more = Nobody plays here any more; the records of its matches are kept.
ended_private = This link does not open the table
ended_private_more = It has expired or is not complete. Ask whoever sent it for a new one.
ended_gone = There is no such table
ended_gone_more = It may have been closed, or the address was mistyped.
ended_try_more = Wait a moment and try again.
leave_table = Leave the table; a bot keeps your seat
trump_unknown = no trump yet
score_title = Score
last_trick = Last trick
no_trick_yet = No trick has been taken in this deal.
score_sheet = Score sheet
no_deal_yet = No deal is over yet.
column_deal = { $game ->
   *[other] deal
}
talk_title = Talk
story_title = What has happened
talk_say = Say something
talk_send = Send
mark_dealer = D
card_forbidden = { $card }, not allowed now
your_hand = Your hand
your_bid = Your bid
bot_plays_for_you = A bot plays for you.
take_back = Take your seat back
watching_title = You are watching.
watching_seats = { $count ->
    [0] People sit on all the seats, so you can look on or go.
    [one] A bot plays on one seat; it can be yours.
   *[other] Bots play on { $count } seats; one of them can be yours.
}
take_a_seat = Take a seat
watchers = { $count ->
    [one] { $count } person is watching.
   *[other] { $count } people are watching.
}
ask_for_pause = Ask for a pause
pause_agree = Agree
pause_not_now = Not now
paused_more = The clocks stand still, and nobody plays until somebody goes on.
resume = Go on
challenge_title = Challenge a card
challenge_more = { $left ->
    [0] You have been wrong twice in this deal and cannot challenge any more.
    [one] Did a card break a rule? You may be wrong once more in this deal.
   *[other] Did a card break a rule? You may be wrong twice in this deal.
}
challenge_none = No trick of this deal is finished yet.
challenge_cleared = broke no rule
challenge_now = Challenge
participants_title = The table
kick_ask = Send { $name } away? There is no way back to this table; in a match a bot plays on.
mute = Mute
unmute = Let speak
bot_level = How { $name } plays
relink = New link; the old one is void
accept_deal = It was fair
play_calling = Play and call { $points }
play_silently = Play without calling
the_rule = See the rule
claim = The rest is mine
deal_over = { $game ->
   *[other] The deal is over
}
match_over = The match is over
all_hands = All hands as they were dealt
next_deal = { $game ->
   *[other] Next deal
}
waits_for_others = Waiting for the others…
rematch = Another match
the_record = Record
nothing_yet = Nothing yet.
key_help = Keys
key_hint = Press ? for the keys.
key_walk = walk through the hand
key_play = raise the card; again to play it
key_suit = to the first card of a suit
key_turn = whose turn it is
key_trick = the trick on the table
key_bids = the bids
key_points = the points
key_challenge = challenge a card, at honour tables
waiting_title = The table is ready
is_host = host
sit_here = Sit here
move_here = Move here
add_bot = Bot
remove_bot = Remove
kick = Send away
waits_for_host = The host begins the match when everybody is here.
waits_for_contest = The match begins when all have come, or when the referee says so.
to_contest = To the contest
start_match = Start
start_more = Bots take the seats that are still free.
stand_up = Stand up
invite_more = Send this link, or let the others take a picture of the code.
table_link = Link to the table
qr_label = The link as a QR code
copy_link = Copy
copied = Copied

## A match that is looked at again

replay = Replay
replay_loading = The match is being fetched…
replay_gone = There is no such match
replay_gone_more = It may still be going on: a match can be looked at once it is over. Or the address was mistyped.
replay_unreadable = This record cannot be read
replay_unreadable_more = It may be of a newer version; load the page again, or fetch the record as it is.
replay_open = All hands
replay_eyes = Whose cards are seen
replay_step = Moment of the match
replay_tricks = tricks
replay_first = To the beginning
replay_last = To the end
replay_back = Back
replay_forward = Forward
replay_trick_back = A trick back
replay_trick_forward = A trick forward
replay_deal_back = A deal back
replay_deal_forward = A deal forward
replay_share = Share this moment
replay_copied = The link to this moment is copied.
replay_address = The link to this moment stands in the address bar.
verify_deals = Verify the deals
verified = Everything is right
verified_not = Something is wrong

## What rechecking a record found

verified_secret = The secret that was revealed is the one the table had bound itself to before the first card. Its promise was { $commitment }.
verified_words = The cards were shuffled from this secret and from words of the players, which nobody could foresee: { $names }.
verified_no_words = No player had added a word of their own, so the cards were shuffled from the secret alone.
verified_deals = { $count ->
    [one] The one deal is the one that the shuffle gives, card by card.
   *[other] All { $count } deals are the ones that the shuffle gives, card by card.
}
verified_actions = { $count ->
   *[other] All { $count } bids and cards were allowed by the rules, and every score and the winner follow from them.
}
wrong_at = { $game ->
   *[other] Deal
} { $deal }{ $action ->
    [0] {""}
   *[other] , action { $action }
}: { $what }
wrong_first = by the shuffle seat { $expected } begins, not seat { $found }.
wrong_action = this was against the rules. { $reason }
wrong_record = { $what ->
    [not_revealed] The secret was not revealed, so the shuffle could not be checked.
    [other_secret] The secret is not the one that the table had bound itself to before the first card.
    [other_cards] these are not the cards that the shuffle gives.
    [no_deal] these cards are no whole deal.
    [nobody_acts] nobody could act here any more.
    [other_judgement] the challenge was judged wrongly.
    [other_end] it did not end as written.
    [no_such_deal] there could be no further deal.
   *[other_winner] The match did not end as written.
}

## Lessons

learn_link = Learn it in two minutes
learn_new = New to these games?
lesson_title = { $game ->
    [cruce] Cruce in two minutes
   *[whist] Whist in two minutes
}
lesson_you = You
lesson_step = Step { $at } of { $all }
lesson_back = Back
lesson_on = Continue
lesson_other = That would be allowed too, but here do what the lesson asks.
lesson_next_game = { $game ->
    [cruce] Learn Cruce too
   *[whist] Learn whist too
}
lesson_cruce = { $step ->
    [1] These six cards are yours. In each suit the A is worth 11 points and the X 10, then come IV with 4, III with 3, II with 2, and the IX with nothing. What is worth more is also stronger. The whole pack holds 120.
    [2] First everybody bids, once. Every number promises 33 points: two means 66. An opponent has said one, so you say more, or pass. Try to say one.
    [3] Your partner sits opposite, and you promise for both of you. With such bells you can: say two.
    [4] Nobody said more, so you lead, and your first card makes its suit trump. III and IV of one suit can be called as well: 40 points in trump, 20 in another suit. Play { $card } and call.
    [5] Your partner took the trick with the X: 16 points for your side, and 40 for the call. Above you see 56 of the 66 that you promised. Whoever takes a trick leads to the next.
    [6] Leaves were led. Whoever has that suit must follow it. Try { $card } and read why it is refused.
    [7] And if you can beat what lies there you must, even your partner’s card. Try { $card }.
    [8] One card of yours is left that may be played. Play { $card }.
    [9] The trick is yours. Whoever leads may play anything: get rid of { $card }, which is worth nothing.
    [10] Acorns, and you have none: then you owe a trump, and it beats every other suit. Play { $card }; it is enough.
   *[11] The rest was yours too: 144 points, where you had promised 66. Each full 33 scores one, so you get 4. With less than 66 you would have lost 2. The first to 21, two ahead, wins the match.
}
lesson_whist = { $step ->
    [1] In whist you say how many tricks you will take, and then you take exactly that many. This deal has three cards each. The card turned up in the middle makes hearts trump.
    [2] You bid last. The others said 1, 0 and 1, and the sum may not come to 3: somebody has to be wrong. Try to say 1.
    [3] You hold two aces, one of them in trump: two tricks look safe. Say 2.
    [4] Clubs were led. Whoever has that suit must follow it. Try { $card } and read why it is refused.
    [5] So it is { $card }. You never have to beat what lies there, and this trick may go elsewhere. Play it.
    [6] Diamonds, and you have none: then you owe a trump. Try { $card }.
    [7] No card is stronger than the ace of trumps. Play { $card } and take the trick.
    [8] One more trick, no more and no less. You lead: play { $card }.
   *[9] Two said and two taken: 5 points, and one for each trick, makes 7. A wrong bid costs the difference. It was your fifth right bid in a row as well: a prize of 10. After the last deal the highest total wins.
}

## Practice

practise_offline = Practise offline
practice_unreadable = The match that this browser kept cannot be read, so a new one begins.
practice_unreadable_link = The old one, as a file
practice_unanswered = The server does not answer, so you play here, against bots in this browser.
start_over = Start over
start_over_more = Starting over gives up this match. If you choose another game, this one waits for you.
start_over_same = Start over with the same game
leave_practice = Leave the table; the match waits for you
ended_practice = The bots did not come
ended_practice_more = They could not be loaded, or they stumbled. Try again; if that does not help, start over.

## Score sheets of real tables

sheet_other_game = This is a line of another game
sheet_players = { FORM($count) ->
    [one] One player is needed
   *[other] { $count } players are needed
}
sheet_sides = { FORM($count) ->
    [one] One number is needed
   *[other] { $count } numbers are needed, one for each side
}
sheet_opener = Where all pass, seat { $seat } plays with a bid of nought
sheet_all_passed = Where all pass, the cards are thrown in and the next one deals
sheet_cards = The cards are worth 120 points together, not { $found }
sheet_points = No cards are worth exactly { $points } points
sheet_calls = Calls are worth 20 in each of three suits and 40 in trump
sheet_tricks = { FORM($cards) ->
    [one] There is one trick in this deal, not { $found }
   *[other] There are { $cards } tricks in this deal, not { $found }
}
sheet_other_bids = Other bids stand on this line already
sheet_no_such_line = There is no such line
sheet_nothing_to_undo = There is nothing to undo
sheet_no_penalties = Whist knows no penalties; a wrong deal is dealt again
sheet_full = The sheet is full
sheet_line = line
sheet_dealer = deals
sheet_what = what was played
sheet_declared = { $name }, { $bid }
sheet_thrown_in = all passed
sheet_revoke = { $name } broke a duty
sheet_misdeal = { $name } dealt wrongly
sheet_not_counted = does not count: the match was over
sheet_before = said before
sheet_next_contract = Line { $number }: { $dealer } deals, { $first } bids first. Who plays, and for how much?
sheet_next_bid = { $cards ->
    [one] Line { $number }, one card each: { $dealer } deals, { $name } bids.
   *[other] Line { $number }, { $cards } cards each: { $dealer } deals, { $name } bids.
}
sheet_forbidden = Not { $bid }: the bids would add up to the tricks.
sheet_next_result = Line { $number }: how did the deal go?
sheet_won = The match is over. Won by { $names }.

entry_deal_cruce = Deal { $number } · { $dealer } deals, { $first } is first
entry_deal_whist = { $cards ->
    [one] Deal { $number } of { $all } · one card each · { $dealer } deals, { $first } is first
   *[other] Deal { $number } of { $all } · { $cards } cards each · { $dealer } deals, { $first } is first
}
entry_asks_contract = Who plays, and for how much?
entry_asks_bid = What does { $name } bid?
entry_asks_points = { $name } plays { $bid }. How many points has everybody?
entry_asks_tricks = How many tricks did everybody take?
entry_said = { $cards ->
    [one] Bid so far: { $sum }, of one trick.
   *[other] Bid so far: { $sum }, of { $cards } tricks.
}
entry_undo_bid = Undo the bid of { $bid }
entry_undo_declare = Undo: { $name }, { $bid }
entry_undo_write = Undo line { $line }
entry_undo_edit = Undo the change of line { $line }
entry_undo_rename = Undo the new name
entry_row = Line { $number }: { $said }. Change
entry_row_begun = Line { $number }, now
entry_passed = passed
entry_revoked = { $name }: penalty
entry_misdealt = wrong deal
entry_no_run = –
entry_lacks_points = Enter the card points of every side.
entry_lacks_player = Choose who.
entry_tricks_left = { FORM($count) ->
    [one] One trick is left to give.
   *[other] { $count } tricks are left to give.
}
entry_tricks_over = { FORM($count) ->
    [one] There is one trick too many.
   *[other] There are { $count } tricks too many.
}
entry_cards = cards
entry_number = no.
entry_plays = plays
entry_total = Total
entry_runs = Run
entry_runs_more = Run: ✓ deals in a row bid rightly, ✗ wrongly; at five comes the prize.
entry_was = before
entry_next = The next line
entry_change = Line { $number }
entry_write = Write the line
entry_save = Change the line
entry_points_of = Card points: { $name }
entry_calls = calls
entry_calls_of = Calls: { $name }
entry_bid = bid
entry_bid_of = Bid of { $name }
entry_tricks = took
entry_tricks_of = Tricks of { $name }
entry_more_of = More: { $what }
entry_less_of = Less: { $what }
entry_declarer = Who plays
entry_declared_bid = For how much
entry_all_pass = All passed: { $first } plays 0
entry_all_pass_again = All passed: thrown in
entry_penalty = Penalty
entry_penalty_revoke = Broke a duty: −3, the deal is thrown in
entry_penalty_misdeal = { $name } dealt wrongly: −1
entry_kind = How it ended
entry_kind_played = played
entry_kind_passed = all passed
entry_kind_revoke = penalty −3
entry_kind_misdeal = wrong deal −1
entry_names = The players’ names
entry_rename_save = Change
entry_not_a_name = A name has 1 to 40 letters.
entry_chart = The score over the match
entry_chart_more = A chart of the scores. Now: { $standing }.
entry_print = Print
entry_csv = Table (CSV)
entry_file = The sheet’s file
entry_again = New sheet, same players
sheets = Score sheets
sheets_link = A score sheet for a real table
sheets_lead = Playing with real cards? Write only what you know; the sheet reckons scores, prizes, who deals and who has won. It works without the internet, too.
sheets_kept = Sheets on this device
sheets_new = New sheet
sheets_names = The players, in the order in which they sit
sheets_player = Player { $number }
sheets_dealer = Who deals first
sheets_begin = Begin the sheet
sheets_lines = { FORM($count) ->
    [one] one line
   *[other] { $count } lines
}
sheets_forget = Delete
sheets_forget_sure = Delete the sheet of { $names }? It cannot be brought back.
sheets_unknow_sure = Delete the sheet of { $names } here? It stays on the server, but only its link leads to it.
sheets_gone = This sheet is not on this device
sheets_gone_more = It was deleted, or it is on another telephone. A sheet is seen on several telephones only if it is shared by a link.
sheets_shared = Shared sheet
share = Share with other phones
share_links = Links and QR codes
share_lead = Everybody who has the sheet open sees at once what was written.
share_who = Whoever opens the link
share_write = may write
share_look = only looks
share_gone = This sheet is not on the server any more
share_gone_more = The link is wrong, or whoever hosts the server has deleted the sheet.
share_looks = You are looking at this sheet. Whoever has the link for writing can write.
share_wrong_key = The link for writing is not right; you can only look. Ask for it again.
share_waits = On its way…
share_waits_lost = No connection. What you wrote waits and is sent when it is back; do not close the page.
sheets_not_kept = The browser keeps nothing here: the sheet is lost when the page is closed. Download the sheet’s file.

## Contests: what is refused

contest_not_for_four = A contest is played at tables of four; these rules are for { $players }
contest_word_too_long = The word of a contest has at most { $most } letters
contest_not_yours = This link may not do that
contest_for_referee = That is for the referee of the table or the organiser
contest_too_many = A contest has at most { $most } entrants
contest_too_few = { FORM($least) ->
    [one] At least one entrant is needed
   *[other] At least { $least } entrants are needed
}
contest_no_pairs = Everybody plays for themselves here: enter players one by one
contest_pairs_only = This contest is played in pairs: enter two together
contest_no_such_entrant = There is no such entrant
contest_has_withdrawn = The entrant has withdrawn already
contest_cannot_return = Only who has withdrawn since the last draw can come back
contest_no_such_phase = There is no such phase
contest_no_such_table = There is no such table
contest_no_such_place = There is no such place at this table
contest_phase_closed = Phase { $phase } is closed, as the next one has been drawn: it must be reopened first
contest_phase_open = Phase { $phase } is open
contest_not_reopened = Phase { $phase } has not been reopened
contest_reopened = Phase { $phase } is reopened: it must be closed first
contest_not_settled = Table { $table } is not settled
contest_already_drawn = The lots have been drawn
contest_final_drawn = The final has been drawn
contest_over_now = The contest is over
contest_too_many_phases = A contest has at most { $most } phases
contest_no_commitment = Nothing was committed to before the draw
contest_other_secret = The secret is not the one that was committed to
contest_too_many_words = The hall says at most { $most } words
contest_ruled = The referee has decided about this table
contest_no_tie = There is no tie to play off
contest_no_such_penalty = There is no such penalty
contest_too_much = Too much was entered for this table
contest_not_online = The tables of this contest stand in a hall
contest_already_opened = The table has been opened already
outcome_reach = { $score } cannot be reached: a score is from { $least } to { $most }
outcome_nobody_won = Nobody has won with these scores: { $target } are needed, and { $margin } more than the next
outcome_not_over = The match is not over
outcome_other_rules = The match was played by other rules
roster_fault = Line { $line }: { $what }.
roster_not_a_name = a name has 1 to 40 visible characters
roster_open_quotes = the quotes are not closed
roster_after_quotes = something follows the closing quotes
roster_partner = two names are needed, with a comma, a semicolon or a tab between them
roster_cells = { $found } cells are too many
roster_too_many = a contest has at most { $most } players
roster_too_long = the list is too long

## Contests: how they stand

contest_entered = { FORM($count) ->
    [one] one entrant
   *[other] { $count } entrants
}
contest_stage = { $stage ->
    [entering] The lots are not drawn yet.
    [playing] Phase { $phase } is being played.
    [final] The final is being played.
    [played] Phase { $phase } is played; the next one can be drawn.
   *[over] The contest is over.
}
contest_phase = Phase { $number }
contest_final = Final
contest_phase_again = reopened for corrections
contest_voided = { FORM($count) ->
    [one] One phase is void: others go on after a correction.
   *[other] { $count } phases are void: others go on after a correction.
}
contest_table = Table { $table }
contest_deals = { $name } deals first
contest_status = { $status ->
    [awaited] no result yet
    [playing] being played
    [disputed] disputed: the referee must decide
    [tied] tie to be played off
   *[settled] settled
}
contest_state = { $state ->
    [waiting] waits for the draw
    [bye] bye: goes on
    [playing] plays
    [goes_on] goes on
    [out] out
    [withdrawn] withdrawn
   *[placed] in the final
}
contest_reported = { $role } says { $scores }
contest_byes = Bye: { $names }
contest_column = { $column ->
    [place] place
    [number] no.
    [name] name
    [state] standing
    [phase] phase
    [ticket] ticket
    [score] score
   *[play_off] play-off
}
contest_committed = Committed to before the draw: { $commitment }
contest_revealed = Revealed with the draw: { $secret }
contest_words = Said in the hall: { $words }
contest_no_words = Nobody in the hall said a word: who knew the secret could know the draw.
contest_draw_again = The draw of phase { $phase } follows from them.
contest_next_committed = The next draw is committed to: { $commitment }
contest_imported = { FORM($count) ->
    [one] The first line of the log comes from a file: the server did not see it happen
   *[other] The first { $count } lines of the log come from a file: the server did not see them happen
}{ $draws ->
    [0] {"."}
   *[other] {", "}and no draw in them is its own.
}
contest_draw_imported = { $phase }: the draw comes from a file; the server did not make it.
contest_commitment_note = Show this to the hall, let somebody say a word, and draw.
contest_role = { $role ->
    [organiser] the organiser
    [referee] the referee of { $which }
    [player] { $which }
    [server] the server
    [file] the server of the file
   *[public] the public
}
contest_cut = cut here

## Contests: what was done

done_settings = Settings: { $title }, { $rules }
done_enter = Entered: { $names }
done_enter_many = { $count } entered
done_rename = Number { $number } is called { $name }
done_withdraw = Withdrawn: { $name }
done_return = Back again: { $name }
done_commit = The next draw is committed to: { $commitment }
done_draw = Phase { $phase } is drawn
done_open = Table { $table } is opened as { $word }
done_write_sheet = Table { $table }: { $what ->
    [bid] a bid
    [declare] a contract
    [write] a line is written
    [edit] line { $line } is changed
    [rename] a player is renamed
   *[undo] the last change is undone
} on the sheet
done_report = Table { $table }: { $scores } reported{ $broken ->
    [yes] {" "}(broken off)
   *[no] {""}
}
done_rule = Table { $table }: { $scores } decided{ $broken ->
    [yes] {" "}(broken off)
   *[no] {""}
}
done_penalise = Table { $table }: { $name } { $change } ({ $why ->
    [revoke] a duty broken
   *[misdeal] a wrong deal
})
done_pardon = Table { $table }: penalty { $number } is lifted
done_play_off = Table { $table }: play-off { $scores }
done_reopen = Phase { $phase } is reopened
done_close = Phase { $phase } is closed
done_import = Everything before this comes from a file

## The terminal

term_too_small = The window is too small: { $width }×{ $height }. It takes { $least_width }×{ $least_height } to show a table. Nothing is lost: make it larger, or use smaller letters.
term_other_version = The server speaks another version of the protocol: get a newer ghinda, or join in the browser.
term_journal_set_aside = The match that was kept cannot be read, so a new one begins. It is now in { $path }.
term_do_play = play
term_do_bid = bid
term_do_leave = leave
term_do_stay = stay
term_do_choose = choose
term_do_it = do it
term_do_scroll = scroll
term_do_hands = all hands
term_key_play = play the card, say the bid
term_key_bid = to a bid
term_key_log = what happened
term_key_step = step
term_key_tricks = trick
term_key_deals = { $game ->
   *[other] deal
}
term_key_eyes = whose cards
term_key_ends = beginning, end
term_log = What happened
term_leave_ask = Leave the table?
term_leave_kept = The match is kept: the same command goes on with it.
term_leave_seat = A bot plays for you until you come back by the same link.
term_home_serve = Play with friends: a server for this house
term_home_commands = What else ghinda can do
term_sheet_legend = { $game ->
    [whist] Tricks taken of those that were bid, what they brought, a prize, and the score.
   *[other] Points made, of how many that were promised, what they brought, and the score.
}
term_sheet_write = write the line
term_sheet_undo = take back
term_sheet_how = what a line looks like
term_sheet_help = Cruce
    {"  "}1 2 64+20 56      seat 1 played two: 64 and a call of 20, against 56
    {"  "}passed            all passed, the deal is thrown in
    {"  "}revoke 3          seat 3 broke a duty
    {"  "}misdeal           the cards were dealt wrongly
    {"  "}declare 1 2       seat 1 plays for two; the points come later
    Whist
    {"  "}bid 1 0 2         bids as they are said; the last one is watched
    {"  "}1/1 0/0 2/1       what each bid and took, by seats
    Both
    {"  "}edit 3 …          line 3 should say something else
    {"  "}rename 2 Dana     seat 2 has another name
typed_no_line = { $game ->
    [whist] A line of whist is BID/TRICKS for each seat
   *[cruce] A line of Cruce is SEAT BID POINTS…, passed, misdeal or revoke SEAT
}
typed_no_number = “{ $word }” is no number from 0 to 255
typed_no_seat = There is no seat { $number }
typed_from_one = Lines are counted from 1

## A table line by line

plain_bids = Your bid: { $bids }.
plain_cards = Your card: { $cards }.
plain_not_now = Not now: { $cards }.
plain_call = { $number }! calls { $points }
plain_accept = Was the deal fair? Enter accepts it, c shows what can be challenged.
plain_ready = Enter for the next deal.
plain_rematch = Enter for another match, q to leave.
plain_hand = You hold { $cards }.
plain_not_understood = “{ $line }” is nothing that can be done now; ? tells what can be.
plain_help = A bid or a card is said by its number, a card also as in 4b; 4b! calls its pair.
    t  whose turn it is      h  your hand           r  the trick       R  the last trick
    v  the bids              p  the points          s  the score sheet
    x  the rest is mine      c  challenge a card    m  the table       y TEXT  say something
    q  leave
    Lines with > ask, lines with ! refuse, lines with = answer.

## Contests: their pages

contest_page_contests = Contests
contest_page_contests_lead = A contest of Cruce or whist at real tables or online: entries, a draw that anybody can check, referees, scores on phones and on the wall.
contest_page_new = A new contest
contest_page_found = Open the contest
contest_page_forget = Forget it
contest_page_as = { $role ->
    [organiser] as the organiser
    [referee] as the referee of table { $which }
    [player] as player number { $which }
   *[public] as a spectator
}
contest_page_here_as = On this device you are
contest_page_spoilt = The link is incomplete: you may look, but not do anything. Ask the organiser for it again.
contest_page_wrong_key = The key of the link is not right for this contest: you may look, but not do anything. Ask the organiser for a new link.
contest_page_gone = There is no such contest
contest_page_gone_more = The link is wrong, or the contest was deleted. Check the link or ask for it again.
contest_page_title = What the contest is called
contest_page_kind = What is played
contest_page_kind_alone = Cruce, each for themselves
contest_page_kind_pairs = Cruce, in pairs
contest_page_kind_whist = Whist
contest_page_four = A contest is played at tables of four.
contest_page_venue = Where it is played
contest_page_venue_hall = At real tables
contest_page_venue_online = Online
contest_page_settings = Settings of the contest
contest_page_save = Save
contest_page_saved = Saved.
contest_page_cancel = Cancel
contest_page_parts = Parts of the contest

## Contests: entrants

contest_page_entrants = Entrants
contest_page_count = { FORM($count) ->
    [one] One entrant
   *[other] { $count } entrants
}
contest_page_name = Name
contest_page_partner = Partner's name
contest_page_add = Enter
contest_page_name_strange = A name has 1 to 40 visible characters.
contest_page_add_many = Enter a whole list
contest_page_list = List of entrants
contest_page_list_hint = { $kind ->
    [pairs] One pair a line, with a comma between the names. A CSV file will do too.
   *[alone] One name a line. A CSV file will do too.
}
contest_page_enter = { $count ->
    [0] Enter the list
   *[other] Enter { $count }
}
contest_page_file = Choose a file
contest_page_rename = Rename
contest_page_withdraw = Withdraw
contest_page_withdraw_sure = { $name } does not play any more? Coming back is possible only until the next draw.
contest_page_return = Comes back
contest_page_nobody_yet = Nobody has entered yet.
contest_page_nobody = There is nobody to show yet.
contest_page_no_more_entrants = The final has been drawn: nobody can enter any more.

## Contests: the urn

contest_page_urn = The urn
contest_page_in_urn = { FORM($count) ->
    [one] One ticket in the urn
   *[other] { $count } tickets in the urn
}, { FORM($tables) ->
    [one] one table.
   *[other] { $tables } tables.
}
contest_page_smaller = { FORM($count) ->
    [one] One of the tables has three players.
   *[other] { $count } of the tables have three players.
}
contest_page_byes = { FORM($count) ->
    [one] One has a bye.
   *[other] { $count } have byes.
}
contest_page_prepare_title = Commit to the draw
contest_page_prepare_more = The server chooses a secret and shows the hall its fingerprint. After that it cannot be changed.
contest_page_prepare = Prepare the draw
contest_page_prepare_again = Another secret
contest_page_words_title = The words of the hall
contest_page_words_more = Let people in the hall say a few words, at most { $most }. The draw follows from them and the secret: so nobody can arrange it.
contest_page_words_many = Too many words: at most { $most }.
contest_page_draw_title = Draw the lots
contest_page_draw_more = Everybody sees on the wall and on the phones who plays where.
contest_page_draw = Draw
contest_page_draw_sure = Draw now? It cannot be repeated.
contest_page_draw_silent = Nobody in the hall has said a word. Draw all the same? It cannot be repeated.

## Contests: tables

contest_page_tables = Tables
contest_page_phases = Phase
contest_page_no_tables = The tables appear after the draw.
contest_page_settled = { $all ->
    [1] { $count ->
        [1] The table is settled.
       *[other] The table is not settled yet.
    }
   *[other] Settled: { $count } of { $all }.
}
contest_page_open_table = Result and rulings
contest_page_reopen = Reopen the phase
contest_page_reopen_sure = { $phase } will be open for corrections, and everybody sees it. If others go on afterwards, whatever was drawn and played after it is void.
contest_page_close = Close the phase
contest_page_close_sure = { $phase } will be closed. If others go on now than before, the phases after it are void and are drawn again.
contest_page_reopened = { $phase } is reopened for corrections: who goes on may change.
contest_page_closed = This phase is closed. To correct anything the organiser must reopen it.
contest_page_not_drawn = There is no such table now: its phase is not drawn yet, or is void.
contest_page_referee = { $phase } · referee of table { $table }
contest_page_reports = Reports
contest_page_decided = Decided:
contest_page_adopt = This holds
contest_page_match_result = Result of the match
contest_page_send = Enter the result
contest_page_rule = Correction
contest_page_decide = Decide so
contest_page_broken_off = broken off
contest_page_was_broken_off = The match was broken off before its end
contest_page_voids_play_offs = If you decide another result, the play-offs so far are void.
contest_page_scores_missing = Enter a whole number for everybody.
contest_page_tied = tied
contest_page_rank = place { $rank }
contest_page_play_off_title = Play-off
contest_page_play_off = Tied: { $names }. They play further deals at the same table until the tie is broken. How many points did each make in them?
contest_page_play_off_send = Enter the play-off
contest_page_penalties = Penalties
contest_page_penalise = { $why ->
    [revoke] wrong card, { $name }
   *[misdeal] misdeal, { $name }
}
contest_page_penalty_short = { $why ->
    [revoke] wrong card
   *[misdeal] misdeal
}
contest_page_penalised = { $name }: { $change }, { $why ->
    [revoke] broke a duty
   *[misdeal] dealt wrongly
}
contest_page_pardon = Pardon
contest_page_sheet = The table's sheet
contest_page_sheet_more = Instead of entering the result alone you can keep the score here, line by line: the hall sees it at once.
contest_page_sheet_begin = Keep the sheet here
contest_page_standings = Standings
contest_page_going_on = Going on

## Contests: a player's phone

contest_page_nobody_such = There is no player with this number.
contest_page_seat = { $phase } · table { $table } · seat { $place }
contest_page_place_is = place
contest_page_score_is = score
contest_page_deals = deals first
contest_page_ring = Who sits where, beginning with you
contest_page_next = { $state ->
    [waiting] Wait for the draw: your table appears here.
    [bye] You do not play in this phase: you go on to the next one.
    [playing] You play now. The two best of the table go on.
    [playing_pairs] You play now. The better pair goes on.
    [playing_final] The final is being played. Good luck!
    [tied] The match has ended in a tie. Whoever is tied plays further deals, until the tie is broken.
    [goes_on] You go on! Wait for the draw of the next phase.
    [out_so_far] By the scores as entered you do not go on. If they are wrong, write below how it was.
    [out] The contest is over for you. Thank you for playing!
    [withdrawn] You have withdrawn from the contest.
    [won] You have won the contest! Congratulations!
   *[placed] The final is over: you have place { $place }. Congratulations!
}
contest_page_result = The table's result
contest_page_report_state = { $state ->
    [nothing] When the match is over, report the scores here.
    [server] The server enters the result by itself.
    [others] A result was reported. If it is right, confirm it; if not, report another one.
    [mine] You have reported the result. It counts; if another player reports another one, the referee decides.
    [conflict] Different results were reported for your table. Until the referee decides, nobody goes on from here.
   *[ruled] The referee has decided the result.
}
contest_page_report = Report the result
contest_page_report_again = Report another result
contest_page_report_other = The result was another
contest_page_agree = That is right
contest_page_to_table = To my table

## Contests: links, files and the log

contest_page_links = Links
contest_page_for_all = For everybody
contest_page_link_public = The contest's page, for anybody
contest_page_link_wall = The wall of the hall, for a projector
contest_page_referees = Referees
contest_page_referees_more = A link for each table. Whoever has it enters the table's results, decides, and imposes penalties.
contest_page_players = Players
contest_page_players_more = A link for each. It stands on the tickets too, as a QR code.
contest_page_seek = Look for a player
contest_page_left_out = { FORM($count) ->
    [one] One more: look for the name.
   *[other] { $count } more: look for the names.
}
contest_page_show_qr = QR code: { $name }
contest_page_files = Files
contest_page_file_of = { $what ->
    [standings] Standings, CSV
    [results] Results, CSV
    [tickets] Tickets, CSV
    [draws] Draws
   *[log] The whole log
}
contest_page_log = Log
contest_page_log_empty = Nothing was done yet.
contest_page_more = Older
contest_page_draws = Check the draws
contest_page_draws_more = The whole draw follows from the secret and the words of the hall; the whole log can be checked without this program too.

## Contests: paper

contest_page_print = To print
contest_page_paper = { $what ->
    [tickets] Tickets
    [sheets] Table sheets
    [bracket] The course
   *[final] Final list
}
contest_page_print_now = Print
contest_page_print_public = Without the organiser's link the QR codes lead to the contest's public page.
contest_page_back = Back to the contest
contest_page_sheet_row = { $row ->
    [number] No.
    [bid] Plays, bid
    [cards] Cards
    [penalties] Penalties
    [total] Total
    [play_off] Play-off
   *[sign] Signature
}
contest_page_referee_signs = Referee:

## Contests: the wall

contest_page_drawing = the draw
contest_page_podium = The winners
contest_page_follow = Follow the contest on your phone
contest_page_committed = The draw is committed to:

## Ledgers: what is refused

ledger_refused = The server refuses ({ $name }). Load the page again.
ledger_unreadable = The server did not understand. Load the page again.
ledger_full = There is no room for more here.
ledger_too_fast = Too much at once. Try again in a moment.
ledger_unavailable = The server cannot keep this now. Nothing is lost; try again.
contest_page_start = Begin without those missing
contest_page_start_sure = Bots play for players who have not come, until they come.
ledger_no_table = The table is not open, or its match has begun.
