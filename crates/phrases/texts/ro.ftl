### Toate frazele în română. Numele unui mesaj e numele metodei care îl spune
### (src/phrases/messages.rs); en.ftl are aceleași mesaje.

## Cărțile

suit = { $suit ->
    [bell] dubă
    [leaf] verde
    [acorn] ghindă
    [heart] roșu
    [clubs] treflă
    [spades] pică
    [diamonds] romb
   *[hearts] inimă
}
# Ce scrie pe o carte desenată: pe scurt.
suit_sign = { $suit ->
    [bell] dubă
    [leaf] verde
    [acorn] ghindă
    [heart] roșu
    [clubs] treflă
    [spades] pică
    [diamonds] romb
   *[hearts] inimă
}
rank = { $rank ->
    [ace] as
    [x] zacă
    [iv] pătrar
    [iii] treiar
    [ii] doiar
    [ix] nouar
    [king] popă
    [queen] damă
    [jack] valet
    [ten] zece
    [nine] nouă
    [eight] opt
    [seven] șapte
    [six] șase
    [five] cinci
    [four] patru
   *[three] trei
}
rank_the = { $rank ->
    [ace] asul
    [x] zaca
    [iv] pătrarul
    [iii] treiarul
    [ii] doiarul
    [ix] nouarul
    [king] popa
    [queen] dama
    [jack] valetul
    [ten] zecele
    [nine] noua
    [eight] optul
    [seven] șaptele
    [six] șasele
    [five] cinciul
    [four] patrul
   *[three] treiul
}
# Una dintre mai multe cărți înșirate.
rank_listed = { $rank ->
    [ace] as
    [x] zacă
    [iv] pătrar
    [iii] treiar
    [ii] doiar
    [ix] nouar
    [king] popă
    [queen] damă
    [jack] valet
    [ten] zece
    [nine] nouă
    [eight] opt
    [seven] șapte
    [six] șase
    [five] cinci
    [four] patru
   *[three] trei
}
of_suit = { $ranks } de { $suit }
or = { $first } sau { $last }
and = { $first } și { $last }

## Numere, licitații și locuri

# FORM, nu pluralul lui Fluent, care greșește peste o sută: 102 puncte, 120 de puncte.
points = { FORM($count) ->
    [one] { $count } punct
    [few] { $count } puncte
   *[other] { $count } de puncte
}
bid_word = { $bid ->
    [0] pas
    [1] una
    [2] două
    [3] trei
    [4] patru
    [5] cinci
    [6] șase
   *[other] { $bid }
}
seat = locul { $number }
seats = locurile { $first } și { $second }

## De ce nu se primește

refused = { $sentence } ({ $clause }).
refusal_no_such_seat = La masa asta nu există locul acela
refusal_not_your_turn = Nu e rândul tău, la rând e locul { $seat }
refusal_not_bidding = { $game ->
    [cruce] Acum nu se licitează
   *[whist] Acum nu se pariază
}
refusal_not_playing = Acum nu se dau cărți
refusal_match_over = Jocul s-a terminat
refusal_bid_too_low = S-a zis deja { $bid }: ori zici mai mult, ori zici pas
refusal_bid_topped = S-a zis deja { $bid } și mai mult nu se poate: mai poți zice doar pas
refusal_bid_too_high = La masa asta se poate zice cel mult { $bid }
refusal_more_than_tricks = { $count ->
    [one] E o singură mână: poți spune cel mult { $count }
    [few] Sunt doar { $count } mâini: poți spune cel mult { $count }
   *[other] Sunt doar { $count } de mâini: poți spune cel mult { $count }
}
refusal_sum = Vorbești la urmă și nu poți spune { $bid }: suma pariurilor ar fi egală cu numărul mâinilor
refusal_not_in_hand = N-ai în mână { $card }
refusal_follow = Trebuie să dai la culoare ({ $suit }): { $cards }
refusal_trump = { $game ->
    [cruce] N-ai culoarea cerută, deci trebuie să dai tromf: { $cards }
   *[whist] N-ai culoarea cerută, deci trebuie să dai atu: { $cards }
}
refusal_overtake = Trebuie să mărești peste { $best }: { $cards }
refusal_call = Cu { $card } nu poți anunța: îți trebuie în mână treiarul și pătrarul de aceeași culoare și trebuie să ieși cu unul dintre ele
refusal_call_in_whist = La whist nu sunt anunțuri
refusal_must_call = La masa asta perechea cu care ieși se anunță întotdeauna: cu { $card } nu se iese tăcând
refusal_no_honour_table = Cărțile se contestă și turele se acceptă numai la mesele pe onoare; la masa asta cartea greșită nu se primește
refusal_trick_not_finished = Se poate contesta numai o carte dintr-o mână încheiată
refusal_own_side = Se poate contesta numai cartea unui adversar
refusal_already_judged = Cartea aceea a fost contestată și judecată
refusal_no_challenges_left = Ai contestat greșit de două ori în tura asta și nu mai poți
refusal_nothing_to_accept = Acum nu e nicio tură de acceptat
refusal_already_accepted = Ai acceptat deja tura asta

## Sfaturi

# Un număr cu zecimale și unul cu mii.
decimal = { $whole },{ $part }
thousands = { $first }.{ $rest }
hint_lead = Ieși cu { $card }.
hint_lead_calling = Ieși cu { $card } și anunță { $points }.
hint_play = Dă { $card }.
hint_bid = { $game ->
    [pass] Zi pas.
    [cruce] Zi { $bid }.
   *[whist] Spune { $bid }.
}
hint_accept = Acceptă tura.
hint_challenge = Contestă cartea pusă de { $seat } la mâna { $trick }: { $card }.
hint_no_choice = { $honour ->
    [yes] Numai așa nu calci nicio regulă.
   *[no] N-ai de ales.
}
hint_last_card = E ultima ta carte.
hint_nothing_to_challenge = S-au dat toate cărțile și nu e nimic de contestat.
hint_revoked = Între timp s-a văzut o carte care trebuia dată atunci, deci contestația nu poate da greș (C15).
hint_makes_trump = Așa se face tromf { $suit }.
hint_takes = { $game ->
    [cruce] Iei mâna, { $points }.
   *[whist] Iei mâna.
}
hint_partner_takes = Mâna o ia partenerul tău, { $points }.
hint_other_takes = { $game ->
    [cruce] Mâna o ia { $seat }, { $points }.
   *[whist] Mâna o ia { $seat }.
}
hint_beaten = Nu iei mâna.
hint_unbeatable = { $leads ->
    [yes] Cartea asta n-o poate bate nimeni.
   *[no] Cartea asta n-o mai poate bate nimeni după tine.
}
hint_all_same = Toate alegerile sunt la fel de bune.
hint_as_good = La fel de bine merge: { $things }.
hint_better = { $by ->
    [much] Merge mult mai bine decât a doua alegere: { $other }.
    [little] Merge ceva mai bine decât a doua alegere: { $other }.
   *[some] Merge mai bine decât a doua alegere: { $other }.
}
hint_promised = { $who ->
    [you] Ai promis { $points } și ai până acum { $made }.
    [team] Ați promis { $points } și aveți până acum { $made }.
    [one] { $side } a promis { $points } și are până acum { $made }.
   *[two] { $side } au promis { $points } și au până acum { $made }.
}
hint_bid_and_taken = Ai spus { $bid } și ai luat { $taken }; { $left ->
    [one] asta e ultima mână.
    [few] cu asta mai sunt { $left } mâini.
   *[other] cu asta mai sunt { $left } de mâini.
}
hint_partner_holds = Cel mai mult a zis partenerul tău: { $bid }.
hint_other_holds = Cel mai mult a zis { $seat }: { $bid }.
hint_declaring = { $teams ->
    [yes] Cu tine licitant ați face cam { $points }, la o socoteală repede; { $bid } înseamnă { $promised }.
   *[no] Ca licitant ai face cam { $points }, la o socoteală repede; { $bid } înseamnă { $promised }.
}
hint_tricks = Cărțile tale fac cam { $count } mâini, la o socoteală repede.
hint_bids_so_far = { $tricks ->
    [one] Pariurile fac până acum { $sum }, la o singură mână.
    [few] Pariurile fac până acum { $sum }, la { $tricks } mâini.
   *[other] Pariurile fac până acum { $sum }, la { $tricks } de mâini.
}
hint_ways = { $size ->
    [known] Poți ști unde e fiecare carte.
    [more] Cărțile pe care nu le vezi pot sta în peste o mie de miliarde de feluri.
    [billion] Cărțile pe care nu le vezi pot sta în aproximativ { FORM($count) ->
        [one] un miliard
        [few] { $number } miliarde
       *[other] { $number } de miliarde
    } de feluri.
    [million] Cărțile pe care nu le vezi pot sta în aproximativ { FORM($count) ->
        [one] un milion
        [few] { $number } milioane
       *[other] { $number } de milioane
    } de feluri.
   *[exact] Cărțile pe care nu le vezi pot sta în { FORM($count) ->
        [few] { $number } feluri
       *[other] { $number } de feluri
    }.
}
hint_compared = Față de cea mai bună alegere, în puncte de scor:
hint_unweighed = Prea departe de ce promit cărțile ca să fie cântărite: { $bids }.
hint_rough = S-a ajuns la limita de gândire, deci cifrele sunt aproximative.
hint_refused = { $honour ->
    [yes] Ar călca regula:
   *[no] Nu se primesc:
}
hint_spectator = Un spectator nu are nimic de hotărât; sfatul se dă pentru un loc de la masă
hint_no_deal = Cărțile nu sunt încă împărțite: nu e nimic de hotărât

## Ce a călcat o carte contestată

broken_follow = { $name } trebuia să dea la culoare ({ $suit }): { $cards }
broken_trump = { $game ->
    [cruce] { $name } trebuia să dea tromf: { $cards }
   *[whist] { $name } trebuia să dea atu: { $cards }
}
broken_overtake = { $name } trebuia să mărească peste { $best }: { $cards }

## Regulile

rules_cruce = { $teams ->
    [yes] Cruce în patru, pe echipe
   *[no] Cruce în { $players ->
        [2] doi
        [3] trei
       *[other] patru
    }, fiecare pentru el
}
rules_whist = Whist românesc în { $players ->
    [3] trei
    [4] patru
    [5] cinci
   *[other] șase
}
rules_marked = * altfel decât în jocul obișnuit, { $code }
rules_book = Toate regulile, cu exemple: { $path }

option_cruce_players = { $players ->
    [2] Se joacă în doi: câte 8 cărți și încă 8 jos, din care se ia.
    [3] Se joacă în trei: câte 8 cărți.
   *[other] Se joacă în patru: câte 6 cărți.
}
option_teams = { $teams ->
    [yes] Pe echipe: partenerii stau față în față și au scorul la comun.
   *[no] Fiecare joacă pentru el.
}
option_target = Se joacă până la { $target }.
option_margin = { $margin ->
    [one] Ca să câștigi, ajunge să fii cu { $margin } înaintea următorului.
    [few] Ca să câștigi, trebuie să fii cu cel puțin { $margin } înaintea următorului; altfel se joacă mai departe.
   *[other] Ca să câștigi, trebuie să fii cu cel puțin { $margin } înaintea următorului; altfel se joacă mai departe.
}
option_max_bid = Se poate licita cel mult { $bid }, adică { $points } promise.
option_bid_on = { $value ->
    [full] Licitezi după ce ți-ai văzut toată mâna.
   *[three] Licitezi pe primele trei cărți; restul se împarte după aceea.
}
option_all_pass = { $value ->
    [opener] Dacă toți zic pas, iese cel de după împărțitor, care face și tromful, fără să fi promis nimic.
   *[redeal] Dacă toți zic pas, se aruncă cărțile și împarte următorul.
}
option_overtake = { $value ->
    [team] Cine poate mări trebuie să mărească, chiar și peste partener.
    [on] Cine poate mări trebuie să mărească.
   *[off] Fără mărire: ajunge să dai la culoare sau, dacă n-ai, tromf.
}
option_calls = { $value ->
    [declared] Când ieși cu treiarul sau cu pătrarul și le ai pe amândouă, poți anunța: 40 de puncte la tromf, 20 la altă culoare.
   *[automatic] Când ieși cu treiarul sau cu pătrarul și le ai pe amândouă, anunțul se face singur: 40 de puncte la tromf, 20 la altă culoare.
}
option_others = { $value ->
    [yes] Când cade licitația, ceilalți își trec totuși ce au făcut.
   *[no] Când cade licitația, ceilalți nu primesc nimic.
}
option_enforcement = { $value ->
    [enforced] Cartea care calcă regula nu se primește și ți se spune de ce.
   *[honour] Masă pe onoare: poți pune orice carte din mână, dar adversarii pot contesta o carte dintr-o mână încheiată. Dacă a călcat regula, tabăra ei ia −3 și tura se aruncă.
}
option_whist_players = { $players ->
    [3] Se joacă în trei, fiecare pentru el, cu cele 24 de cărți de la nouă la as.
    [4] Se joacă în patru, fiecare pentru el, cu cele 32 de cărți de la șapte la as.
    [5] Se joacă în cinci, fiecare pentru el, cu cele 40 de cărți de la cinci la as.
   *[other] Se joacă în șase, fiecare pentru el, cu cele 48 de cărți de la trei la as.
}
option_deals = { $value ->
    [up] { $count } de subjocuri: de la câte o carte se urcă la 8 și se coboară înapoi la una.
   *[down] { $count } de subjocuri: de la câte 8 cărți se coboară la una și se urcă înapoi la 8.
}
option_trump_in_ones = { $value ->
    [yes] Și la subjocurile de 1 se întoarce o carte pentru atu. Cele de 8 n-au atu.
   *[no] Subjocurile de 1 se joacă fără atu, ca și cele de 8.
}
option_prize = { $prize ->
    [0] Fără premii pentru pariuri bune sau proaste la rând.
    [few] Cinci subjocuri la rând pariate bine aduc { $prize } puncte, cinci pariate prost costă { $prize }; cele de 1 nu se pun la socoteală.
   *[other] Cinci subjocuri la rând pariate bine aduc { $prize } de puncte, cinci pariate prost costă { $prize }; cele de 1 nu se pun la socoteală.
}

# Regulile casei ca formular
option_title = { $option ->
    [players] Jucători
    [teams] Tabere
    [target] Se joacă până la
    [margin] Avans ca să câștigi
    [max_bid] Licitația cea mai mare
    [bid_on] Se licitează pe
    [all_pass] Dacă toți zic pas
    [overtake] Mărirea
    [calls] Anunțurile
    [others_score_on_failure] Când cade licitația, ceilalți
    [enforcement] Cartea greșită
    [deals] Subjocuri
    [trump_in_ones] Atu la subjocurile de 1
    [prize] Premii
   *[other] opțiunea asta
}
option_value = { $value ->
    [teams_yes] două echipe
    [teams_no] fiecare singur
    [bid_on_full] toate cărțile
    [bid_on_three] trei cărți
    [all_pass_opener] iese primul
    [all_pass_redeal] se dă iar
    [overtake_on] e obligatorie
    [overtake_off] la alegere
    [calls_declared] la alegere
    [calls_automatic] întotdeauna
    [others_score_on_failure_yes] își scriu punctele
    [others_score_on_failure_no] nu scriu nimic
    [enforcement_enforced] nu se primește
    [enforcement_honour] masă pe onoare
    [deals_1-8-1] 1 – 8 – 1
    [deals_8-1-8] 8 – 1 – 8
    [trump_in_ones_yes] se întoarce
    [trump_in_ones_no] fără atu
    [prize_0] fără
   *[other] { $given }
}
preset_name = { $name ->
    [classic] Ca acasă
    [contest] Ca la concurs
   *[whist] Ca de obicei
}
fault_range = { $option }: de la { $least } la { $most }, nu { $given }.
fault_teams = Pe echipe se joacă numai în patru, nu în { $players }.
fault_prize = Premiul e 10, 5 sau 0 (fără), nu { $given }.
fault_value = { $option }: nu poate fi „{ $given }”.
fault_too_long = Un cod are cel mult { $most } de litere.
fault_game = „{ $found }” nu e un joc: codul începe cu cruce2, cruce3, cruce4t, cruce4s sau cu whist3 până la whist6.
fault_option = „{ $found }” nu e o opțiune la { $game }.
fault_twice = { $option }: s-a spus de două ori.

presets_title = Reguli după nume
preset_classic = Crucea de acasă: în patru, pe echipe, până la 21, cu două peste următorul.
preset_contest = Crucea de concurs: fiecare pentru el, licitație pe trei cărți, cel mult patru, fără mărire, nimic pentru ceilalți când cade licitația, câștigă primul ajuns la 21.
preset_whist = Whist românesc în patru: de la o carte la opt și înapoi, cu premii de zece.
codes_title = Reguli după cod
codes_how = Codul începe cu jocul, iar după cratime vine ce e altfel decât de obicei, în orice ordine. La cruce se începe cu cruce2, cruce3, cruce4t (pe echipe) sau cruce4s (fiecare pentru el), iar un număr singur e scorul la care se încheie jocul; la whist, cu whist3 până la whist6. Codul poate începe și cu un nume.
code_example_house = cruce în trei până la 15; dacă toți zic pas, se dă iar
code_example_contest = cruce de concurs în trei, la o masă pe onoare
code_example_whist = whist în cinci, întâi subjocurile de 8, cu premii de 5

## Povestea unui joc

story_cruce_teams = Cruce până la { $target }: { $first } contra { $second }
story_cruce = Cruce până la { $target }: { $names }
story_whist = Whist românesc: { $names }
story_deal = { $game ->
    [cruce] Tura { $number }
   *[whist] Subjocul { $number } din { $all }
} · împarte { $dealer } · { $cards ->
    [one] câte o carte
    [few] câte { $cards } cărți
   *[other] câte { $cards } de cărți
}
story_stock = Jos
story_rest = Se împarte restul:
story_bids = { $game ->
    [cruce] Licitație
   *[whist] Pariuri
}
story_bids_sum = { $cards ->
    [one] { $sum } la o mână
    [few] { $sum } la { $cards } mâini
   *[other] { $sum } la { $cards } de mâini
}
story_declarer = Licitant
story_promise = { $name } cu { $bid }: { $side } trebuie să facă { $points }
story_promise_alone = { $name } cu { $bid } trebuie să facă { $points }
story_no_promise = toți au zis pas, așa că iese { $name }, fără să promită nimic
story_trump = { $game ->
    [cruce] Tromf
   *[whist] Atu
}
story_trump_led = { $suit }, cu care iese { $name }
story_turned = { $suit }: s-a întors { $card }
story_no_trump = nu este
story_calls = anunță { $points }!
story_draws = { $name } ia de jos { $card }

column_before = înainte
column_cards = cărți
column_calls = anunțuri
column_points = puncte
column_bid = { $game ->
    [cruce] licitație
   *[whist] pariu
}
column_took = mâini
column_score = scor
column_prize = premiu
column_run = serie
column_total = total
bid_made = { $bid } ({ $points }): făcută
bid_failed = { $bid } ({ $points }): căzută

## Ce se întâmplă la masă

turn = La rând e { $name }.
turn_to_lead = Iese { $name }.
turn_to_bid = { $game ->
    [cruce] La licitație urmează { $name }.
   *[whist] La pariat urmează { $name }.
}
may_bid = { $name } poate zice { $bids }.
may_play_any = { $name } poate da orice carte.
may_play_only = { $name } poate da numai { $card }.
may_play = { $name } poate da { $cards }.
says = { $name } zice { $bid }
leads = { $name } iese cu { $card }
leads_calling = { $name } iese cu { $card } și anunță { $points }!
plays = { $name } dă { $card }
with_call = { $card } cu anunț
takes = { $name } ia mâna.
takes_points = { $name } ia mâna, { $points }.
trump_is = { $game ->
    [cruce] Tromf: { $suit }.
   *[whist] Atu: { $suit }.
}
no_trump = Nu este atu.
points_now = Puncte
tricks_now = Mâini
score_now = Scor
shown = Toată masa a văzut că { $name } are { $cards }.
stock_left = { $count ->
    [0] Cărțile de jos s-au terminat.
    [one] A mai rămas o carte jos.
    [few] Au mai rămas { $count } cărți jos.
   *[other] Au mai rămas { $count } de cărți jos.
}
draws_first = De jos ia întâi { $first }, apoi { $second }.
all_passed = Toți au zis pas: se aruncă cărțile.
challenges = { $by } contestă cartea pusă de { $accused } la mâna { $trick }.
challenge_right = Pe drept: { $reason }
challenge_wrong = Pe nedrept: cartea n-a călcat nicio regulă.
thrown_in = Tura se aruncă, { $change } pentru { $side }.
accepted = Au acceptat { $names }.
next_first = { $game ->
    [cruce] La tura următoare începe { $name }.
   *[whist] La subjocul următor începe { $name }.
}
goes_on = Se joacă mai departe.
won = { $count ->
    [one] { $names } a câștigat jocul.
    [few] { $names } au câștigat jocul.
   *[other] { $names } au câștigat jocul.
}
shared = { $names } împart primul loc.

## Desenele din documentele cu reguli

on_the_table = Pe masă
turned_up = Cartea întoarsă
holds = { $name } are
sees = { $name } vede
trick_taken = Mâna întreagă
beats = { $strong } bate { $weak }.
all_worth = Toate cărțile la un loc fac { $points }.
cards_each = { $count ->
    [one] Fiecare primește o carte.
    [few] Fiecare primește { $count } cărți.
   *[other] Fiecare primește { $count } de cărți.
}
stock_of = { $count ->
    [one] Rămâne jos o carte, cu fața în jos.
    [few] Rămân jos { $count } cărți, cu fața în jos.
   *[other] Rămân jos { $count } de cărți, cu fața în jos.
}
deals_of_match = { $count ->
    [one] Un subjoc
    [few] { $count } subjocuri
   *[other] { $count } de subjocuri
}

## The table

scene_deal = Tura { $number }
scene_deal_of = Subjoc { $number }/{ $all } · { $cards ->
    [one] o carte
   *[other] { $cards } cărți
}
scene_has_bid = a zis { $bid }
scene_has_tricks = { $count ->
    [one] o mână luată
    [few] { $count } mâini luate
   *[other] { $count } de mâini luate
}
scene_has_cards = { $count ->
    [one] o carte rămasă
    [few] { $count } cărți rămase
   *[other] { $count } de cărți rămase
}
scene_deals = împarte
scene_has_shown = a arătat { $cards }
scene_you_bid = { $game ->
    [cruce] Tu licitezi
   *[whist] Tu pariezi
}
scene_you_lead_trump = Tu ieși: culoarea cărții tale va fi tromf
scene_you_lead = Tu ieși
scene_you_play = E rândul tău
scene_between_deals = { $game ->
    [cruce] Urmează o nouă tură
   *[whist] Urmează un nou subjoc
}
scene_accepting = S-au jucat toate cărțile: a fost cinstit?
scene_accepting_others = Se așteaptă acordul pentru tură: { $names }
challenge_trick = Mâna { $number }, luată de { $name }
challenge_ask = Contești { $card }, carte pusă de { $name } la mâna { $trick }? Dacă a călcat regula, tura se aruncă și tabăra ei ia −3.
scene_match_over = Jocul s-a terminat
scene_kept = făcut
scene_needs_points = mai trebuie { $points }
scene_needs_tricks = { $count ->
    [one] încă o mână
   *[other] încă { $count } mâini
}
scene_no_more = nicio mână în plus
scene_too_many = { $count ->
    [one] una prea mult
   *[other] { $count } prea mult
}

## Who sits at a table

bot_name = { $seat ->
    [1] Stejar
    [2] Fag
    [3] Tei
    [4] Ulm
    [5] Brad
   *[6] Salcie
}
seat_free = loc liber
presence_bot = bot
presence_away = nu e conectat
presence_stand_in_away = plecat: joacă un bot
presence_stand_in_time = timp expirat: joacă un bot
pause_waits = Ai vrea o pauză. Mai trebuie să fie de acord: { $names }.

## How a score came about

score_kept = { $name }: promis { $wanted }, făcut { $made }: { $change }.
score_failed = { $name }: promis { $wanted }, făcut numai { $made }: { $change }.
score_others = { $name }: { $made }: { $change }.
score_whist = { $kept ->
    [yes] { $name }: zis { $bid }, luat { $took }: { $change }.
   *[no] { $name }: zis { $bid }, dar luat { $took }: { $change }.
}
score_prize = Premiu: { $prize }.
score_revoked = O carte a lui { $name } a încălcat o regulă: tura se anulează, { $change } pentru { $side }.
sheet_rule_broken = regulă călcată
sheet_made = { $made } din { $wanted }
sheet_legend = { $game ->
    [cruce] Mare: scorul. Dedesubt: ce a adus tura și punctele făcute; la cine a licitat, din câte a promis.
   *[whist] Mare: totalul. Dedesubt: ce a adus subjocul și mâinile luate / zise. ★ e un premiu.
}

## What happens, said aloud

spoken_dealt = Cărțile s-au împărțit.
spoken_hand = Ai { $cards }.
spoken_rest = S-a împărțit restul; primești { $cards }.
spoken_you_drew = Iei de jos { $card }.
spoken_drew = { $name } ia de jos.
spoken_seated = { $name } se așază.
spoken_renamed = Locul { $seat } se numește acum { $name }.
spoken_left = Locul { $seat } e liber.
spoken_kicked = Jucătorul de pe locul { $seat } a fost scos de la masă.
spoken_swapped = Locurile { $first } și { $second } s-au schimbat între ele.
spoken_host = { $name } e acum gazda mesei.
spoken_started = Începe jocul.
spoken_stood_in = Un bot joacă pentru { $name } până la întoarcere.
spoken_back = { $name } s-a întors.
spoken_claimed = { $name } cere restul mâinilor, pe drept.
spoken_asked_for_pause = { $name } ar vrea o pauză.
spoken_paused = Ceasurile stau.
spoken_resumed = Ceasurile merg din nou.
spoken_asked_for_rematch = { $name } ar mai juca o dată.
spoken_said = { $name }: { $text }
spoken_closed = Masa s-a închis.

## Quick phrases

quick_hello = Salut!
quick_good_luck = Baftă!
quick_well_played = Bine jucat!
quick_thanks = Mulțumesc!
quick_sorry = Scuze!
quick_one_moment = O clipă, te rog.
quick_your_turn = E rândul tău.
quick_close = La mustață!
quick_again = Mai jucăm una?
quick_good_night = Noapte bună!

## What a table refuses

table_not_yours = Asta poate face numai cine stă la masă
table_not_host = Asta poate face numai gazda mesei
table_seat_taken = Acolo stă deja altcineva
table_seat_empty = Acolo nu stă nimeni
table_match_runs = Nu în timpul unui joc
table_of_contest = Locurile de la această masă le dă concursul
table_no_match = Nu se joacă nimic acum
table_saw_cards = Ai văzut cărți din acest joc, așa că te poți așeza abia la următorul
table_not_admitted = Masa e privată: cere linkul
table_kicked = Gazda te-a scos de la această masă
table_paused = Masa e în pauză
table_not_proven = Nu e sigur că restul mâinilor sunt ale tale
table_no_claims = Restul se poate cere numai când e rândul tău să joci
table_muted = Gazda ți-a luat cuvântul
table_too_fast = Prea repede; încearcă din nou peste o clipă
table_unchanged = Nu se schimbă nimic: este deja așa
table_log_full = Masa aceasta s-a învechit; deschide alta pentru partida următoare
table_bad_name = Numele acesta nu e bun
table_bad_chat = Nu s-a zis nimic sau s-a zis prea mult
table_unavailable = Serverul nu poate păstra asta acum, așa că nu s-a făcut; încearcă din nou în curând
table_closed_now = Masa a fost închisă
table_late = Prea târziu: masa a mers mai departe

## The page

brand = Ghinda
lobby = Mese deschise
lobby_link = Mese
rules_title = Reguli
page_loading = Se încarcă Ghinda…
page_too_old = Acest browser e prea vechi: Ghinda are nevoie de WebAssembly. Încearcă unul mai nou.
page_not_loaded = Pagina nu s-a putut încărca. Verifică conexiunea și încarc-o din nou.
page_no_script = Ghinda are nevoie de JavaScript și WebAssembly.
mine = Jocurile mele
mine_table = Continuă la masa ta
mine_matches = Partide jucate
mine_none = Încă niciuna. Aici apar partidele terminate la mesele de pe acest server.
mine_more = Mai vechi
account = Cont
account_why = Poți juca și fără cont. Cu un nume și o parolă îți regăsești partidele pe alt dispozitiv.
account_is = Ești { $name }, aici și oriunde intri în cont.
account_name = Nume
account_passphrase = Parolă, cel puțin 10 caractere
account_new = Cont nou
account_taken = Numele acesta îl are deja altcineva.
account_bad = Numele are între 3 și 30 de litere, cifre, puncte sau liniuțe; parola are cel puțin 10 caractere.
account_wrong = Numele și parola nu se potrivesc.
account_tries = Prea multe parole greșite pentru acest nume. Așteaptă un minut și încearcă din nou.
log_in = Intră în cont
log_out = Ieși din cont
settings_title = Setări
loading = O clipă…
close = Închide
yes = Da
no = Nu
go_home = La prima pagină
try_again = Încearcă din nou
guest_name = Oaspete
cruce = Cruce
whist = Whist
cruce_in_short = 24 de cărți, licitație și anunțuri; în patru, partenerii stau față în față.
whist_in_short = Zici câte mâini iei și iei exact atâtea.
home_title = Cruce și whist românesc
home_lead = Joacă împotriva unor boți buni sau cu prietenii. Fără cont, fără așteptare.
play_now = Joacă acum
play_now_more = Cruce în patru, cu trei boți
play_with_friends = Joacă cu prietenii
home_bots = Împotriva boților
home_players = { $count } jucători
home_players_teams = { $count } în echipe
home_players_alone = { $count }, fiecare singur
level_easy = ușor
level_medium = mediu
level_hard = greu
nowhere_title = Aici nu e nimic
nowhere_more = Poate că adresa a fost scrisă greșit.
friends_lead = Deschide o masă și trimite linkul. Locurile rămase goale sunt luate de boți.
your_name = Numele tău
pace_title = Timp pentru o carte
pace_off = fără limită
pace_relaxed = un minut
pace_fast = 15 secunde
listed_title = Cine poate veni
listed_no = cine are linkul
listed_yes = oricine
open_table = Deschide o masă
rules_form_title = Regulile casei
rules_form_start = Se pornește de la
rules_form_unusual = { $count ->
    [0] ca de obicei
    [one] una altfel decât de obicei
   *[other] { $count } altfel decât de obicei
}
rules_form_code = Codul regulilor: trimite-l sau scrie unul primit
rules_form_link = Copiază linkul
lobby_empty = Momentan nu e nicio masă deschisă tuturor.
lobby_free = { $count ->
    [0] plin
    [one] un loc liber
   *[other] { $count } locuri libere
}
lobby_watch = privește
trouble_unreachable = Serverul nu răspunde. Verifică conexiunea și încearcă din nou.
trouble_gone = Nu mai există.
trouble_forbidden = Nu este permis.
trouble_full = Ai deschis atâtea câte poate avea un jucător. Cele la care nu se mai întâmplă nimic timp de o lună nu se mai numără.
trouble_too_many = Prea multe într-un timp scurt: așteaptă puțin și încearcă din nou.
trouble_unwell = Serverul nu poate face asta acum. Încearcă din nou peste puțin.
settings_not_kept = Acest browser nu păstrează nimic pentru pagină: ce alegi aici ține până o părăsești.
setting_language = Limba
setting_theme = Temă
theme_system = ca sistemul
theme_light = deschisă
theme_dark = închisă
setting_faces = Cărțile de Cruce
faces_german = nemțești
faces_french = franțuzești
setting_colours = Culorile cărților
colours_usual = obișnuite
colours_four = patru culori
colours_safe = pentru daltoniști
setting_size = Fețe
size_usual = cu figuri
size_plain = numai colțuri mari
setting_cards = Ca să dai o carte
setting_bids = Ca să licitezi
confirm_twice = atinge de două ori
confirm_once = atinge o dată
setting_forced = Dă singură cartea când e una singură
setting_direction = Sensul jocului
direction_clockwise = ca acele ceasului
direction_counter = invers
setting_sound = Sunete
setting_motion = Cărți în mișcare

## The table in the page

table_opening = Se deschide masa…
line_lost = Conexiunea s-a pierdut. Se reface; nimic nu e pierdut.
ended_version = Există o versiune mai nouă a paginii
ended_version_more = Reîncarcă pagina și ești din nou la masă.
ended_revoked = Nu mai ești la această masă
ended_revoked_more = Gazda a luat locul înapoi sau ai ieșit din cont în altă parte.
ended_closed = Masa a fost închisă
ended_closed_more = Aici nu mai joacă nimeni; jocurile terminate se păstrează.
ended_private = Linkul acesta nu deschide masa
ended_private_more = A expirat sau nu e complet. Cere altul de la cine ți l-a trimis.
ended_gone = Nu există o astfel de masă
ended_gone_more = Poate că s-a închis sau adresa a fost scrisă greșit.
ended_try_more = Așteaptă puțin și încearcă din nou.
leave_table = Pleacă de la masă; un bot îți ține locul
trump_unknown = încă fără tromf
score_title = Scor
last_trick = Ultima mână
no_trick_yet = Încă nu s-a luat nicio mână.
score_sheet = Foaia de scor
no_deal_yet = Pe foaie nu e scris încă nimic.
column_deal = { $game ->
    [cruce] tura
   *[whist] subjocul
}
talk_title = Discuție
story_title = Ce s-a întâmplat
talk_say = Spune ceva
talk_send = Trimite
mark_dealer = D
card_forbidden = { $card }, nepermisă acum
your_hand = Cărțile tale
your_bid = Licitația ta
bot_plays_for_you = Un bot joacă în locul tău.
take_back = Ia-ți locul înapoi
watching_title = Privești jocul.
watching_seats = { $count ->
    [0] Pe toate locurile stau oameni: poți privi mai departe sau pleca.
    [one] Pe un loc joacă un bot; locul poate fi al tău.
    [few] Pe { $count } locuri joacă boți; unul poate fi al tău.
   *[other] Pe { $count } de locuri joacă boți; unul poate fi al tău.
}
take_a_seat = Ia loc
watchers = { $count ->
    [one] Privește o persoană.
    [few] Privesc { $count } persoane.
   *[other] Privesc { $count } de persoane.
}
ask_for_pause = Cere o pauză
pause_agree = De acord
pause_not_now = Nu acum
paused_more = Ceasurile stau și nu joacă nimeni până când cineva reia jocul.
resume = Reia jocul
challenge_title = Contestă o carte
challenge_more = { $left ->
    [0] Ai greșit de două ori în tura aceasta și nu mai poți contesta.
    [one] A călcat vreo carte regula? Mai poți greși o dată în tura aceasta.
   *[other] A călcat vreo carte regula? Poți greși de două ori în tura aceasta.
}
challenge_none = În tura aceasta nu s-a încheiat încă nicio mână.
challenge_cleared = după reguli
challenge_now = Contestă
participants_title = Masa
kick_ask = Scoți de la masă jucătorul { $name }? Nu se mai poate întoarce aici; în timpul jocului, locul îl ia un bot.
mute = Ia-i cuvântul
unmute = Dă-i cuvântul
bot_level = Cum joacă { $name }
relink = Link nou; cel vechi nu mai merge
accept_deal = A fost cinstit
play_calling = Dă și anunță { $points }
play_silently = Dă fără anunț
the_rule = Vezi regula
claim = Restul e al meu
deal_over = { $game ->
    [cruce] Tura s-a terminat
   *[whist] Subjocul s-a terminat
}
match_over = Jocul s-a terminat
all_hands = Toate cărțile, așa cum s-au împărțit
next_deal = { $game ->
    [cruce] Tura următoare
   *[whist] Subjocul următor
}
waits_for_others = Îi așteptăm pe ceilalți…
rematch = Încă un joc
the_record = Înregistrare
nothing_yet = Încă nimic.
key_help = Taste
key_hint = Apasă ? pentru taste.
key_walk = prin cărțile din mână
key_play = ridică cartea; încă o dată ca s-o dai
key_suit = la prima carte dintr-o culoare
key_turn = al cui e rândul
key_trick = mâna de pe masă
key_bids = licitațiile
key_points = punctele
key_challenge = contestă o carte, la mesele pe onoare
waiting_title = Masa e pregătită
is_host = gazda
sit_here = Așază-te
move_here = Mută-te aici
add_bot = Bot
remove_bot = Scoate
kick = Scoate
waits_for_host = Gazda începe jocul când sunt toți aici.
waits_for_contest = Jocul începe când au venit toți sau când spune arbitrul.
to_contest = La concurs
start_match = Începe
start_more = Locurile încă libere sunt luate de boți.
stand_up = Ridică-te de la masă
invite_more = Trimite linkul sau lasă-i pe ceilalți să fotografieze codul.
table_link = Linkul mesei
qr_label = Linkul ca un cod QR
copy_link = Copiază
copied = Copiat

## Un joc privit din nou

replay = Reluare
replay_loading = Se aduce jocul…
replay_gone = Nu există un astfel de joc
replay_gone_more = Poate că se joacă încă: un joc se poate revedea după ce s-a terminat. Sau adresa a fost scrisă greșit.
replay_unreadable = Înregistrarea nu se poate citi
replay_unreadable_more = Poate că e dintr-o versiune mai nouă; reîncarcă pagina sau ia înregistrarea așa cum e.
replay_open = Toate cărțile
replay_eyes = Ale cui cărți se văd
replay_step = Momentul din joc
replay_tricks = mâini
replay_first = La început
replay_last = La sfârșit
replay_back = Înapoi
replay_forward = Înainte
replay_trick_back = O mână înapoi
replay_trick_forward = O mână înainte
replay_deal_back = O împărțire înapoi
replay_deal_forward = O împărțire înainte
replay_share = Trimite acest moment
replay_copied = Linkul acestui moment a fost copiat.
replay_address = Linkul acestui moment e în bara de adrese.
verify_deals = Verifică împărțirile
verified = Totul e în regulă
verified_not = Ceva nu e în regulă

## Ce s-a găsit la verificare

verified_secret = Secretul dezvăluit e cel la care masa se legase înainte de prima carte. Promisiunea ei a fost { $commitment }.
verified_words = Cărțile s-au amestecat din acest secret și din cuvinte ale jucătorilor, pe care nimeni nu le putea prevedea: { $names }.
verified_no_words = Niciun jucător n-a adăugat un cuvânt al său, deci cărțile s-au amestecat numai din secret.
verified_deals = { $count ->
    [one] Singura împărțire e cea pe care o dă amestecul, carte cu carte.
    [few] Toate cele { $count } împărțiri sunt cele pe care le dă amestecul, carte cu carte.
   *[other] Toate cele { $count } de împărțiri sunt cele pe care le dă amestecul, carte cu carte.
}
verified_actions = { FORM($count) ->
    [one] Singura licitație a fost după reguli, iar scorul reiese din ea.
    [few] Toate cele { $count } licitații și cărți au fost după reguli, iar toate scorurile și câștigătorul reies din ele.
   *[other] Toate cele { $count } de licitații și cărți au fost după reguli, iar toate scorurile și câștigătorul reies din ele.
}
wrong_at = { $game ->
    [cruce] Tura
   *[whist] Subjocul
} { $deal }{ $action ->
    [0] {""}
   *[other] , acțiunea { $action }
}: { $what }
wrong_first = după amestec începe locul { $expected }, nu locul { $found }.
wrong_action = s-a încălcat o regulă. { $reason }
wrong_record = { $what ->
    [not_revealed] Secretul n-a fost dezvăluit, așa că amestecul nu s-a putut verifica.
    [other_secret] Secretul nu e cel la care masa se legase înainte de prima carte.
    [other_cards] acestea nu sunt cărțile pe care le dă amestecul.
    [no_deal] aceste cărți nu fac o împărțire întreagă.
    [nobody_acts] aici nu mai putea face nimeni nimic.
    [other_judgement] contestația a fost judecată greșit.
    [other_end] s-a încheiat altfel decât e scris.
    [no_such_deal] nu mai putea urma nimic.
   *[other_winner] Jocul s-a încheiat altfel decât e scris.
}

## Lecții

learn_link = Învață în două minute
learn_new = Nu știi jocurile?
lesson_title = { $game ->
    [cruce] Crucea în două minute
   *[whist] Whistul în două minute
}
lesson_you = Tu
lesson_step = Pasul { $at } din { $all }
lesson_back = Înapoi
lesson_on = Mai departe
lesson_other = Și așa s-ar putea, dar fă ce cere lecția.
lesson_next_game = { $game ->
    [cruce] Învață și crucea
   *[whist] Învață și whistul
}
lesson_cruce = { $step ->
    [1] Cele șase cărți sunt ale tale. În fiecare culoare asul face 11 puncte și zaca 10, apoi pătrarul 4, treiarul 3, doiarul 2, iar nouarul nimic. Cartea care face mai mult e și mai tare. Toate la un loc fac 120.
    [2] Întâi se licitează, fiecare o dată. Fiecare număr promite câte 33 de puncte: două înseamnă 66. Un adversar a zis una, așa că ori zici mai mult, ori zici pas. Încearcă să zici una.
    [3] Partenerul stă în fața ta și promiți pentru amândoi. Cu asemenea dube se poate: zi două.
    [4] Nimeni n-a zis mai mult, deci ieși tu, iar culoarea primei cărți e tromf. Treiarul și pătrarul de aceeași culoare se pot și anunța: 40 de puncte la tromf, 20 la altă culoare. Ieși cu { $card } și anunță.
    [5] Partenerul a luat mâna cu zaca: 16 puncte pentru voi, plus 40 din anunț. Sus se vede că aveți 56 din cele 66 promise. Cine ia mâna iese la următoarea.
    [6] S-a ieșit cu verde. Cine are culoarea trebuie s-o dea. Încearcă { $card } și citește de ce nu se primește.
    [7] Iar dacă poți mări trebuie să mărești, chiar și peste partener. Încearcă { $card }.
    [8] O singură carte de-a ta se mai poate da. Dă { $card }.
    [9] Mâna e a ta. Cine iese dă ce vrea: scapă de { $card }, care nu face nimic.
    [10] S-a ieșit cu ghindă și n-ai: atunci ești dator cu tromf, iar el bate orice altă culoare. Dă { $card }, că ajunge.
   *[11] Și restul a fost al vostru: 144 de puncte, când promiseseși 66. Fiecare 33 întregi aduc unu la scor, deci scrieți 4. Cu mai puțin de 66 ați fi pierdut 2. Câștigă cine ajunge primul la 21, cu două peste ceilalți.
}
lesson_whist = { $step ->
    [1] La whist zici câte mâini iei și trebuie să iei exact atâtea. Subjocul acesta e de trei cărți. Cartea întoarsă la mijloc arată atuul: inimă.
    [2] Pariezi la urmă. Ceilalți au zis 1, 0 și 1, iar suma n-are voie să facă 3: cineva trebuie să greșească. Încearcă să zici 1.
    [3] Ai doi ași, unul chiar de atu: două mâini par sigure. Zi 2.
    [4] S-a ieșit cu treflă. Cine are culoarea trebuie s-o dea. Încearcă { $card } și citește de ce nu se primește.
    [5] Rămâne deci { $card }. La whist nu ești obligat să bați, iar mâna asta poate s-o ia altul. Dă cartea.
    [6] S-a ieșit cu romb și n-ai: atunci ești dator cu atu. Încearcă { $card }.
    [7] Asul de atu nu-l bate nimeni. Dă { $card } și iei mâna.
    [8] Încă o mână, nici mai mult, nici mai puțin. Ieși cu { $card }.
   *[9] Două zise, două luate: 5 puncte și câte unul pentru fiecare mână, adică 7. Când greșești, pierzi diferența. A fost și al cincilea pariu bun la rând: premiu de 10. După ultimul subjoc câștigă totalul cel mai mare.
}

## Antrenament

practise_offline = Antrenează-te offline
practice_unreadable = Jocul păstrat în acest browser nu poate fi citit, așa că începe unul nou.
practice_unreadable_link = Cel vechi, ca fișier
practice_unanswered = Serverul nu răspunde, așa că joci aici, cu boții din acest browser.
start_over = Ia-o de la capăt
start_over_more = Dacă o iei de la capăt, renunți la jocul de acum. Dacă alegi alt joc, acesta te așteaptă.
start_over_same = De la capăt, același joc
leave_practice = Pleacă de la masă; jocul te așteaptă
ended_practice = Boții n-au venit
ended_practice_more = Nu s-au putut încărca sau s-au încurcat. Încearcă din nou; dacă nu ajută, ia-o de la capăt.

## Foi de scor la mese adevărate

sheet_other_game = E un rând de la alt joc
sheet_players = { FORM($count) ->
    [one] E nevoie de un jucător
    [few] E nevoie de { $count } jucători
   *[other] E nevoie de { $count } de jucători
}
sheet_sides = { FORM($count) ->
    [one] E nevoie de un număr
    [few] E nevoie de { $count } numere, câte unul de fiecare parte
   *[other] E nevoie de { $count } de numere, câte unul de fiecare parte
}
sheet_opener = Când toți zic pas, joacă locul { $seat }, fără să promită nimic
sheet_all_passed = Când toți zic pas, cărțile se aruncă și împarte următorul
sheet_cards = Cărțile fac împreună 120 de puncte, nu { $found }
sheet_points = Nicio combinație de cărți nu face exact { $points }
sheet_calls = Anunțurile fac câte 20 în trei culori și 40 la tromf
sheet_tricks = { FORM($cards) ->
    [one] La subjocul acesta e o singură mână, nu { $found }
    [few] La subjocul acesta sunt { $cards } mâini, nu { $found }
   *[other] La subjocul acesta sunt { $cards } de mâini, nu { $found }
}
sheet_other_bids = Pe rândul acesta sunt deja scrise alte pariuri
sheet_no_such_line = Nu există un astfel de rând
sheet_nothing_to_undo = Nu e nimic de anulat
sheet_no_penalties = La whist nu sunt pedepse; cine împarte greșit împarte din nou
sheet_full = Foaia e plină
sheet_line = rând
sheet_dealer = împarte
sheet_what = ce s-a jucat
sheet_declared = { $name }, { $bid }
sheet_thrown_in = toți au zis pas
sheet_revoke = { $name } n-a dat cum trebuia
sheet_misdeal = { $name } a împărțit greșit
sheet_not_counted = nu se pune: jocul era încheiat
sheet_before = înainte scria
sheet_next_contract = Rândul { $number }: împarte { $dealer }, licitează întâi { $first }. Cine joacă și cu cât?
sheet_next_bid = { $cards ->
    [one] Rândul { $number }, câte o carte: împarte { $dealer }, pariază { $name }.
    [few] Rândul { $number }, câte { $cards } cărți: împarte { $dealer }, pariază { $name }.
   *[other] Rândul { $number }, câte { $cards } de cărți: împarte { $dealer }, pariază { $name }.
}
sheet_forbidden = Nu { $bid }: pariurile ar face exact câte mâini sunt.
sheet_next_result = Rândul { $number }: cum s-a terminat?
sheet_won = Jocul s-a încheiat. A câștigat: { $names }.

entry_deal_cruce = Tura { $number } · împarte { $dealer }, începe { $first }
entry_deal_whist = { $cards ->
    [one] Subjocul { $number } din { $all } · câte o carte · împarte { $dealer }, începe { $first }
    [few] Subjocul { $number } din { $all } · câte { $cards } cărți · împarte { $dealer }, începe { $first }
   *[other] Subjocul { $number } din { $all } · câte { $cards } de cărți · împarte { $dealer }, începe { $first }
}
entry_asks_contract = Cine joacă și cu cât?
entry_asks_bid = Cât zice { $name }?
entry_asks_points = { $name } joacă { $bid }. Câte puncte are fiecare?
entry_asks_tricks = Câte mâini a luat fiecare?
entry_said = { $cards ->
    [one] S-au zis până acum { $sum }; e o singură mână.
    [few] S-au zis până acum { $sum }; mâini sunt { $cards }.
   *[other] S-au zis până acum { $sum }; mâini sunt { $cards }.
}
entry_undo_bid = Anulează pariul { $bid }
entry_undo_declare = Anulează: { $name }, { $bid }
entry_undo_write = Anulează rândul { $line }
entry_undo_edit = Anulează schimbarea rândului { $line }
entry_undo_rename = Anulează numele nou
entry_row = Rândul { $number }: { $said }. Schimbă
entry_row_begun = Rândul { $number }, acum
entry_passed = pas
entry_revoked = { $name }: pedeapsă
entry_misdealt = împărțit greșit
entry_no_run = –
entry_lacks_points = Scrie punctele din cărți ale fiecărei părți.
entry_lacks_player = Alege cine.
entry_tricks_left = { FORM($count) ->
    [one] Mai e o mână de dat cuiva.
    [few] Mai sunt { $count } mâini de dat cuiva.
   *[other] Mai sunt { $count } de mâini de dat cuiva.
}
entry_tricks_over = { FORM($count) ->
    [one] E o mână în plus.
    [few] Sunt { $count } mâini în plus.
   *[other] Sunt { $count } de mâini în plus.
}
entry_cards = cărți
entry_number = nr.
entry_plays = joacă
entry_total = Total
entry_runs = Serie
entry_runs_more = Serie: ✓ subjocuri la rând ghicite, ✗ greșite; la cinci vine premiul.
entry_was = înainte
entry_next = Rândul următor
entry_change = Rândul { $number }
entry_write = Scrie rândul
entry_save = Schimbă rândul
entry_points_of = Puncte din cărți: { $name }
entry_calls = anunțuri
entry_calls_of = Anunțuri: { $name }
entry_bid = zis
entry_bid_of = A zis { $name }
entry_tricks = luat
entry_tricks_of = A luat { $name }
entry_more_of = Mai mult: { $what }
entry_less_of = Mai puțin: { $what }
entry_declarer = Cine joacă
entry_declared_bid = Cu cât
entry_all_pass = Toți pas: { $first } joacă 0
entry_all_pass_again = Toți pas: cărțile se aruncă
entry_penalty = Pedeapsă
entry_penalty_revoke = N-a dat cum trebuia: −3, tura se anulează
entry_penalty_misdeal = { $name } a împărțit greșit: −1
entry_kind = Cum s-a terminat
entry_kind_played = s-a jucat
entry_kind_passed = toți pas
entry_kind_revoke = pedeapsă −3
entry_kind_misdeal = împărțit greșit −1
entry_names = Numele jucătorilor
entry_rename_save = Schimbă
entry_not_a_name = Un nume are între 1 și 40 de litere.
entry_chart = Scorul de-a lungul jocului
entry_chart_more = Graficul scorului. Acum: { $standing }.
entry_print = Tipărește
entry_csv = Tabel (CSV)
entry_file = Fișierul foii
entry_again = Foaie nouă, aceiași jucători
sheets = Foi de scor
sheets_link = Foaie de scor pentru o masă adevărată
sheets_lead = Jucați cu cărți adevărate? Scrieți doar ce știți; foaia socotește scorul, premiile, cine împarte și cine a câștigat. Merge și fără internet.
sheets_kept = Foile de pe acest dispozitiv
sheets_new = Foaie nouă
sheets_names = Jucătorii, în ordinea în care stau
sheets_player = Jucătorul { $number }
sheets_dealer = Cine împarte primul
sheets_begin = Începe foaia
sheets_lines = { FORM($count) ->
    [one] un rând
    [few] { $count } rânduri
   *[other] { $count } de rânduri
}
sheets_forget = Șterge
sheets_forget_sure = Ștergi foaia { $names }? Nu se mai poate aduce înapoi.
sheets_unknow_sure = Ștergi de aici foaia { $names }? Pe server rămâne, dar o mai găsești numai cu linkul ei.
sheets_gone = Foaia nu e pe acest dispozitiv
sheets_gone_more = A fost ștearsă, sau e pe alt telefon. O foaie se vede pe mai multe telefoane numai dacă o împarți cu un link.
sheets_shared = Foaie împărțită
share = Împarte cu alte telefoane
share_links = Linkuri și coduri QR
share_lead = Toți cei care au foaia deschisă văd pe loc ce s-a scris.
share_who = Cine deschide linkul
share_write = poate scrie
share_look = doar se uită
share_gone = Foaia nu mai e pe server
share_gone_more = Linkul e greșit, sau foaia a fost ștearsă de cine găzduiește serverul.
share_looks = Te uiți la foaie. De scris poate cine are linkul pentru scris.
share_wrong_key = Linkul pentru scris nu e bun; te poți doar uita. Cere-l din nou.
share_waits = Se trimite…
share_waits_lost = Fără legătură. Ce ai scris așteaptă și se trimite când revine; nu închide pagina.
sheets_not_kept = Browserul nu păstrează nimic aici: foaia se pierde când închizi pagina. Descarcă fișierul foii.

## Concursuri: ce nu se poate

contest_not_for_four = La concurs se joacă la mese de patru; regulile acestea sunt pentru { $players }
contest_word_too_long = Cuvântul concursului are cel mult { $most } de litere
contest_not_yours = Linkul acesta nu dă voie la asta
contest_for_referee = Asta o face arbitrul mesei sau organizatorul
contest_too_many = { FORM($most) ->
    [one] Un concurs are cel mult un înscris
    [few] Un concurs are cel mult { $most } înscriși
   *[other] Un concurs are cel mult { $most } de înscriși
}
contest_too_few = { FORM($least) ->
    [one] E nevoie de cel puțin un înscris
    [few] E nevoie de cel puțin { $least } înscriși
   *[other] E nevoie de cel puțin { $least } de înscriși
}
contest_no_pairs = Aici joacă fiecare pentru el: înscrie jucătorii câte unul
contest_pairs_only = Concursul acesta se joacă în perechi: înscrie câte doi
contest_no_such_entrant = Nu există un astfel de înscris
contest_has_withdrawn = S-a retras deja
contest_cannot_return = Poate reveni numai cine s-a retras după ultima tragere la sorți
contest_no_such_phase = Nu există o astfel de fază
contest_no_such_table = Nu există o astfel de masă
contest_no_such_place = Nu există un astfel de loc la masa aceasta
contest_phase_closed = Faza { $phase } e închisă, fiindcă s-a tras la sorți următoarea: întâi trebuie redeschisă
contest_phase_open = Faza { $phase } e deschisă
contest_not_reopened = Faza { $phase } n-a fost redeschisă
contest_reopened = Faza { $phase } e redeschisă: întâi trebuie închisă
contest_not_settled = Masa { $table } nu e lămurită
contest_already_drawn = S-a tras deja la sorți
contest_final_drawn = Finala s-a tras deja la sorți
contest_over_now = Concursul s-a încheiat
contest_too_many_phases = Un concurs are cel mult { $most } de faze
contest_no_commitment = Înainte de tragerea la sorți nu s-a făcut nicio promisiune
contest_other_secret = Secretul nu e cel promis
contest_too_many_words = Sala spune cel mult { $most } cuvinte
contest_ruled = Arbitrul a hotărât deja la masa aceasta
contest_no_tie = Nu e nicio egalitate de departajat
contest_no_such_penalty = Nu există o astfel de pedeapsă
contest_too_much = S-a scris prea mult pentru masa aceasta
contest_not_online = Mesele acestui concurs sunt în sală
contest_already_opened = Masa a fost deja deschisă
outcome_reach = { $score } nu se poate face: scorul e între { $least } și { $most }
outcome_nobody_won = Cu scorurile acestea n-a câștigat nimeni: trebuie { $target }, și cu { $margin } mai mult decât următorul
outcome_not_over = Jocul nu s-a încheiat
outcome_other_rules = S-a jucat după alte reguli
roster_fault = Rândul { $line }: { $what }.
roster_not_a_name = un nume are între 1 și 40 de caractere vizibile
roster_open_quotes = ghilimelele nu se închid
roster_after_quotes = după ghilimele mai urmează ceva
roster_partner = trebuie două nume, cu virgulă, punct și virgulă sau tab între ele
roster_cells = sunt prea multe celule: { $found }
roster_too_many = un concurs are cel mult { $most } de jucători
roster_too_long = lista e prea lungă

## Concursuri: cum stau

contest_entered = { FORM($count) ->
    [one] un înscris
    [few] { $count } înscriși
   *[other] { $count } de înscriși
}
contest_stage = { $stage ->
    [entering] Încă nu s-a tras la sorți.
    [playing] Se joacă faza { $phase }.
    [final] Se joacă finala.
    [played] Faza { $phase } s-a jucat; se poate trage la sorți următoarea.
   *[over] Concursul s-a încheiat.
}
contest_phase = Faza { $number }
contest_final = Finala
contest_phase_again = redeschisă pentru corectură
contest_voided = { FORM($count) ->
    [one] O fază e anulată: după corectură merg alții mai departe.
    [few] { $count } faze sunt anulate: după corectură merg alții mai departe.
   *[other] { $count } de faze sunt anulate: după corectură merg alții mai departe.
}
contest_table = Masa { $table }
contest_deals = împarte întâi { $name }
contest_status = { $status ->
    [awaited] încă fără rezultat
    [playing] se joacă
    [disputed] neînțelegere: hotărăște arbitrul
    [tied] egalitate de departajat
   *[settled] lămurită
}
contest_state = { $state ->
    [waiting] așteaptă tragerea la sorți
    [bye] stă: merge mai departe
    [playing] joacă
    [goes_on] merge mai departe
    [out] eliminat
    [withdrawn] s-a retras
   *[placed] în finală
}
contest_reported = { $role } spune { $scores }
contest_byes = Stau și merg mai departe: { $names }
contest_column = { $column ->
    [place] locul
    [number] nr.
    [name] numele
    [state] cum stă
    [phase] faza
    [ticket] biletul
    [score] scorul
   *[play_off] baraj
}
contest_committed = Promis înainte de tragere: { $commitment }
contest_revealed = Dezvăluit la tragere: { $secret }
contest_words = Spus în sală: { $words }
contest_no_words = Nimeni din sală n-a spus un cuvânt: cine știa secretul putea ști și tragerea.
contest_draw_again = Tragerea la sorți din faza { $phase } urmează din ele.
contest_next_committed = Următoarea tragere e promisă: { $commitment }
contest_imported = { FORM($count) ->
    [one] Primul rând din jurnal vine dintr-un fișier: serverul n-a văzut când s-a făcut
    [few] Primele { $count } rânduri din jurnal vin dintr-un fișier: serverul n-a văzut când s-au făcut
   *[other] Primele { $count } de rânduri din jurnal vin dintr-un fișier: serverul n-a văzut când s-au făcut
}{ $draws ->
    [0] {"."}
   *[other] {", "}și nicio tragere la sorți din ele nu e a lui.
}
contest_draw_imported = { $phase }: tragerea la sorți vine dintr-un fișier; n-a făcut-o serverul.
contest_commitment_note = Arată asta sălii, lasă pe cineva să spună un cuvânt și trage la sorți.
contest_role = { $role ->
    [organiser] organizatorul
    [referee] arbitrul mesei { $which }
    [player] { $which }
    [server] serverul
    [file] serverul din fișier
   *[public] publicul
}
contest_cut = se taie aici

## Concursuri: ce s-a făcut

done_settings = Setări: { $title }, { $rules }
done_enter = S-au înscris: { $names }
done_enter_many = { FORM($count) ->
    [one] S-a înscris unul
    [few] S-au înscris { $count }
   *[other] S-au înscris { $count }
}
done_rename = Numărul { $number } se numește { $name }
done_withdraw = S-a retras: { $name }
done_return = A revenit: { $name }
done_commit = Următoarea tragere e promisă: { $commitment }
done_draw = S-a tras la sorți faza { $phase }
done_open = Masa { $table } s-a deschis ca { $word }
done_write_sheet = Masa { $table }: pe foaie { $what ->
    [bid] s-a scris un pariu
    [declare] s-a scris licitația
    [write] s-a scris un rând
    [edit] s-a schimbat rândul { $line }
    [rename] un jucător are alt nume
   *[undo] s-a anulat ultima schimbare
}
done_report = Masa { $table }: s-a spus { $scores }{ $broken ->
    [yes] {" "}(întrerupt)
   *[no] {""}
}
done_rule = Masa { $table }: s-a hotărât { $scores }{ $broken ->
    [yes] {" "}(întrerupt)
   *[no] {""}
}
done_penalise = Masa { $table }: { $name } { $change } ({ $why ->
    [revoke] n-a dat cum trebuia
   *[misdeal] a împărțit greșit
})
done_pardon = Masa { $table }: pedeapsa { $number } e ridicată
done_play_off = Masa { $table }: baraj { $scores }
done_reopen = Faza { $phase } e redeschisă
done_close = Faza { $phase } e închisă
done_import = Tot ce s-a făcut până aici vine dintr-un fișier

## The terminal

term_too_small = Fereastra e prea mică: { $width }×{ $height }. Ca să încapă o masă trebuie { $least_width }×{ $least_height }. Nu se pierde nimic: mărește fereastra sau micșorează literele.
term_other_version = Serverul vorbește altă versiune a protocolului: ia un ghinda mai nou sau intră din browser.
term_journal_set_aside = Jocul păstrat nu poate fi citit, așa că începe unul nou. L-am mutat în { $path }.
term_do_play = joacă
term_do_bid = licitează
term_do_leave = pleacă
term_do_stay = rămâi
term_do_choose = alege
term_do_it = fă-o
term_do_scroll = derulează
term_do_hands = toate mâinile
term_key_play = joacă cartea, spune licitația
term_key_bid = la o licitație
term_key_log = ce s-a întâmplat
term_key_step = pas
term_key_tricks = mână
term_key_deals = { $game ->
    [cruce] tură
   *[whist] subjoc
}
term_key_eyes = ale cui cărți
term_key_ends = început, sfârșit
term_log = Ce s-a întâmplat
term_leave_ask = Pleci de la masă?
term_leave_kept = Jocul se păstrează: aceeași comandă îl continuă.
term_leave_seat = Un bot joacă în locul tău până te întorci cu același link.
term_home_serve = Joacă cu prietenii: un server pentru casa asta
term_home_commands = Ce mai știe ghinda
term_sheet_legend = { $game ->
    [whist] Mâini luate din câte s-au spus, ce au adus, prima dacă e, și scorul.
   *[other] Puncte făcute, din câte s-au promis, ce au adus, și scorul.
}
term_sheet_write = scrie rândul
term_sheet_undo = șterge ultimul
term_sheet_how = cum arată un rând
term_sheet_help = Cruce
    {"  "}1 2 64+20 56      locul 1 a jucat două: 64 și un anunț de 20, la 56
    {"  "}pas               toți au zis pas, tura nu se joacă
    {"  "}abatere 3         locul 3 a încălcat o regulă
    {"  "}greșit            cărțile au fost greșit împărțite
    {"  "}joacă 1 2         locul 1 joacă două; punctele vin mai târziu
    Whist
    {"  "}spune 1 0 2       licitațiile pe măsură ce se spun; ultima e supravegheată
    {"  "}1/1 0/0 2/1       cât a spus și cât a luat fiecare, pe locuri
    Amândouă
    {"  "}corectează 3 …    rândul 3 trebuie să spună altceva
    {"  "}nume 2 Dana       pe locul 2 e altcineva
typed_no_line = { $game ->
    [whist] Un rând de whist e LICITAT/LUAT pentru fiecare loc
   *[cruce] Un rând de cruce e LOC LICITAȚIE PUNCTE…, pas, greșit sau abatere LOC
}
typed_no_number = „{ $word }” nu e un număr de la 0 la 255
typed_no_seat = Nu există locul { $number }
typed_from_one = Rândurile se numără de la 1

## A table line by line

plain_bids = Licitația ta: { $bids }.
plain_cards = Cartea ta: { $cards }.
plain_not_now = Acum nu: { $cards }.
plain_call = { $number }! anunță { $points }
plain_accept = A fost cinstită tura? Enter o acceptă, c arată ce se poate contesta.
plain_ready = Enter pentru a merge mai departe.
plain_rematch = Enter pentru încă un joc, q ca să pleci.
plain_hand = Ai în mână: { $cards }.
plain_not_understood = „{ $line }” nu se poate face acum; ? spune ce se poate.
plain_help = Licitația sau cartea se spune prin numărul ei, cartea și ca în 4b; 4b! anunță perechea.
    t  cine e la rând        h  mâna ta             r  mâna de pe masă R  ultima mână
    v  licitațiile           p  punctele            s  foaia de scor
    x  restul e al meu       c  contestă o carte    m  masa            y TEXT  spune ceva
    q  pleacă
    Rândurile cu > întreabă, cele cu ! refuză, cele cu = răspund.

## Concursuri: paginile

contest_page_contests = Concursuri
contest_page_contests_lead = Un concurs de cruce sau de whist cu mese adevărate sau online: înscrieri, tragere la sorți pe care o poate verifica oricine, arbitri, scoruri pe telefoane și pe perete.
contest_page_new = Un concurs nou
contest_page_found = Deschide concursul
contest_page_forget = Uită-l
contest_page_as = { $role ->
    [organiser] ca organizator
    [referee] ca arbitru la masa { $which }
    [player] ca jucător, numărul { $which }
   *[public] ca spectator
}
contest_page_here_as = Pe telefonul acesta ești
contest_page_spoilt = Linkul e incomplet: poți privi, dar nu poți face nimic. Cere-l din nou organizatorului.
contest_page_wrong_key = Cheia din link nu e bună pentru acest concurs: poți privi, dar nu poți face nimic. Cere organizatorului un link nou.
contest_page_gone = Concursul acesta nu există
contest_page_gone_more = Linkul e greșit sau concursul s-a șters. Verifică linkul sau cere-l din nou.
contest_page_title = Numele concursului
contest_page_kind = Ce se joacă
contest_page_kind_alone = Cruce, fiecare pentru el
contest_page_kind_pairs = Cruce, în perechi
contest_page_kind_whist = Whist
contest_page_four = La concurs se joacă la mese de patru.
contest_page_venue = Unde se joacă
contest_page_venue_hall = La mese adevărate
contest_page_venue_online = Online
contest_page_settings = Setările concursului
contest_page_save = Salvează
contest_page_saved = S-a salvat.
contest_page_cancel = Renunță
contest_page_parts = Părțile concursului

## Concursuri: înscrieri

contest_page_entrants = Înscriși
contest_page_count = { FORM($count) ->
    [one] Un înscris
    [few] { $count } înscriși
   *[other] { $count } de înscriși
}
contest_page_name = Numele
contest_page_partner = Numele partenerului
contest_page_add = Înscrie
contest_page_name_strange = Un nume are între 1 și 40 de caractere vizibile.
contest_page_add_many = Înscrie o listă întreagă
contest_page_list = Lista de înscriși
contest_page_list_hint = { $kind ->
    [pairs] Câte o pereche pe rând, cu virgulă între nume. Merge și un fișier CSV.
   *[alone] Câte un nume pe rând. Merge și un fișier CSV.
}
contest_page_enter = { $count ->
    [0] Înscrie lista
   *[other] Înscrie { $count }
}
contest_page_file = Alege un fișier
contest_page_rename = Alt nume
contest_page_withdraw = Retrage
contest_page_withdraw_sure = { $name } nu mai joacă? Poate reveni numai până la următoarea tragere la sorți.
contest_page_return = Revine
contest_page_nobody_yet = Încă nu s-a înscris nimeni.
contest_page_nobody = Încă nu e nimeni de arătat.
contest_page_no_more_entrants = Finala s-a tras la sorți: nu se mai poate înscrie nimeni.

## Concursuri: urna

contest_page_urn = Urna
contest_page_in_urn = { FORM($count) ->
    [one] Un bilet în urnă
    [few] { $count } bilete în urnă
   *[other] { $count } de bilete în urnă
}, { FORM($tables) ->
    [one] o masă.
    [few] { $tables } mese.
   *[other] { $tables } de mese.
}
contest_page_smaller = { FORM($count) ->
    [one] La una dintre mese joacă trei.
    [few] La { $count } mese joacă trei.
   *[other] La { $count } de mese joacă trei.
}
contest_page_byes = { FORM($count) ->
    [one] Unul stă și merge mai departe.
    [few] { $count } stau și merg mai departe.
   *[other] { $count } stau și merg mai departe.
}
contest_page_prepare_title = Promite tragerea
contest_page_prepare_more = Serverul alege un secret și arată sălii amprenta lui. După aceea nu-l mai poate schimba.
contest_page_prepare = Pregătește tragerea la sorți
contest_page_prepare_again = Alt secret
contest_page_words_title = Cuvintele sălii
contest_page_words_more = Lasă oamenii din sală să spună câteva cuvinte, cel mult { $most }. Din ele și din secret iese tragerea: așa n-o poate potrivi nimeni.
contest_page_words_many = Prea multe cuvinte: cel mult { $most }.
contest_page_draw_title = Trage la sorți
contest_page_draw_more = Toți văd pe perete și pe telefoane cine unde joacă.
contest_page_draw = Trage la sorți
contest_page_draw_sure = Tragi la sorți acum? Nu se poate repeta.
contest_page_draw_silent = Nimeni din sală n-a spus niciun cuvânt. Tragi la sorți totuși? Nu se poate repeta.

## Concursuri: mesele

contest_page_tables = Mese
contest_page_phases = Faza
contest_page_no_tables = Mesele apar după tragerea la sorți.
contest_page_settled = { $all ->
    [1] { $count ->
        [1] Masa e lămurită.
       *[other] Masa nu e lămurită încă.
    }
   *[other] Lămurite: { $count } din { $all }.
}
contest_page_open_table = Rezultat și arbitraj
contest_page_reopen = Redeschide faza
contest_page_reopen_sure = { $phase } se deschide pentru corectură, și o vede toată lumea. Dacă după corectură merg alții mai departe, ce s-a tras și s-a jucat după ea se anulează.
contest_page_close = Închide faza
contest_page_close_sure = { $phase } se închide. Dacă acum merg alții mai departe decât înainte, fazele de după ea se anulează și se trag din nou la sorți.
contest_page_reopened = { $phase } e redeschisă pentru corectură: e posibil să se schimbe cine merge mai departe.
contest_page_closed = Faza aceasta e închisă. Ca să corecteze ceva, organizatorul trebuie s-o redeschidă.
contest_page_not_drawn = Masa aceasta nu există acum: faza nu s-a tras încă sau s-a anulat.
contest_page_referee = { $phase } · arbitru la masa { $table }
contest_page_reports = Ce s-a spus
contest_page_decided = S-a hotărât:
contest_page_adopt = Așa rămâne
contest_page_match_result = Rezultatul partidei
contest_page_send = Trece rezultatul
contest_page_rule = Corectură
contest_page_decide = Hotărăște așa
contest_page_broken_off = întrerupt
contest_page_was_broken_off = Partida a fost întreruptă înainte de sfârșit
contest_page_voids_play_offs = Dacă hotărăști alt rezultat, barajele de până acum nu se mai pun.
contest_page_scores_missing = Scrie un număr întreg pentru fiecare.
contest_page_tied = la egalitate
contest_page_rank = locul { $rank }
contest_page_play_off_title = Baraj
contest_page_play_off = La egalitate: { $names }. Se joacă mai departe la aceeași masă până se departajează. Câte puncte a făcut fiecare la baraj?
contest_page_play_off_send = Trece barajul
contest_page_penalties = Pedepse
contest_page_penalise = { $why ->
    [revoke] carte greșită, { $name }
   *[misdeal] împărțire greșită, { $name }
}
contest_page_penalty_short = { $why ->
    [revoke] carte greșită
   *[misdeal] împărțire
}
contest_page_penalised = { $name }: { $change }, { $why ->
    [revoke] n-a dat cum trebuia
   *[misdeal] a împărțit greșit
}
contest_page_pardon = Iartă
contest_page_sheet = Foaia mesei
contest_page_sheet_more = În loc să treci numai rezultatul, poți ține aici scorul, rând cu rând: sala îl vede pe loc.
contest_page_sheet_begin = Ține foaia aici
contest_page_standings = Clasament
contest_page_going_on = Merg mai departe

## Concursuri: telefonul jucătorului

contest_page_nobody_such = Nu există un jucător cu numărul acesta.
contest_page_seat = { $phase } · masa { $table } · locul { $place }
contest_page_place_is = locul
contest_page_score_is = scorul
contest_page_deals = împarte întâi
contest_page_ring = Cine unde stă la masă, începând cu tine
contest_page_next = { $state ->
    [waiting] Așteaptă tragerea la sorți: masa ta apare aici.
    [bye] Faza aceasta n-o joci: mergi direct în următoarea.
    [playing] Joci acum. Primii doi de la masă merg mai departe.
    [playing_pairs] Jucați acum. Perechea mai bună merge mai departe.
    [playing_final] Finala se joacă acum. Mult noroc!
    [tied] Partida s-a terminat la egalitate. Cei aflați la egalitate mai joacă până se desparte scorul.
    [goes_on] Mergi mai departe! Așteaptă tragerea la sorți a fazei următoare.
    [out_so_far] După scorurile trecute nu mergi mai departe. Dacă nu sunt bune, scrie mai jos cum a fost.
    [out] Pentru tine concursul s-a încheiat. Mulțumim că ai jucat!
    [withdrawn] Te-ai retras din concurs.
    [won] Ai câștigat concursul! Felicitări!
   *[placed] Finala s-a încheiat: ești pe locul { $place }. Felicitări!
}
contest_page_result = Rezultatul mesei
contest_page_report_state = { $state ->
    [nothing] Când se termină partida, spune aici cu ce scoruri s-a terminat.
    [server] Serverul trece singur rezultatul.
    [others] S-a spus un rezultat. Dacă e bun, confirmă-l; dacă nu, scrie cum a fost.
    [mine] Ai spus rezultatul. E trecut; dacă altcineva spune altceva, hotărăște arbitrul.
    [conflict] La masa ta s-au spus rezultate diferite. Până nu hotărăște arbitrul, nimeni nu merge mai departe de aici.
   *[ruled] Arbitrul a hotărât rezultatul.
}
contest_page_report = Spune rezultatul
contest_page_report_again = Spune altfel
contest_page_report_other = A fost altfel
contest_page_agree = Așa e
contest_page_to_table = La masa mea

## Concursuri: linkuri, fișiere și jurnalul

contest_page_links = Linkuri
contest_page_for_all = Pentru toți
contest_page_link_public = Pagina concursului, pentru oricine
contest_page_link_wall = Peretele sălii, pentru proiector
contest_page_referees = Arbitri
contest_page_referees_more = Câte un link pentru fiecare masă. Cine îl are trece rezultatele mesei, hotărăște și dă pedepse.
contest_page_players = Jucători
contest_page_players_more = Câte un link pentru fiecare. E și pe bilete, ca un cod QR.
contest_page_seek = Caută un jucător
contest_page_left_out = { FORM($count) ->
    [one] Încă unul: caută-l după nume.
    [few] Încă { $count }: caută-i după nume.
   *[other] Încă { $count }: caută-i după nume.
}
contest_page_show_qr = Cod QR: { $name }
contest_page_files = Fișiere
contest_page_file_of = { $what ->
    [standings] Clasament, CSV
    [results] Rezultate, CSV
    [tickets] Bilete, CSV
    [draws] Trageri la sorți
   *[log] Jurnalul întreg
}
contest_page_log = Jurnal
contest_page_log_empty = Încă nu s-a făcut nimic.
contest_page_more = Mai vechi
contest_page_draws = Verifică tragerile la sorți
contest_page_draws_more = Din secret și din cuvintele sălii urmează toată tragerea; jurnalul întreg se poate verifica și fără programul acesta.

## Concursuri: hârtia

contest_page_print = De tipărit
contest_page_paper = { $what ->
    [tickets] Bilete
    [sheets] Foi de masă
    [bracket] Parcursul
   *[final] Lista finală
}
contest_page_print_now = Tipărește
contest_page_print_public = Fără linkul organizatorului, codurile QR duc la pagina publică a concursului.
contest_page_back = Înapoi la concurs
contest_page_sheet_row = { $row ->
    [number] Nr.
    [bid] Joacă, cât
    [cards] Cărți
    [penalties] Pedepse
    [total] Total
    [play_off] Baraj
   *[sign] Semnătura
}
contest_page_referee_signs = Arbitrul:

## Concursuri: peretele sălii

contest_page_drawing = tragerea la sorți
contest_page_podium = Câștigătorii
contest_page_follow = Urmărește concursul pe telefon
contest_page_committed = Tragerea e promisă:

## Jurnale: ce nu se poate

ledger_refused = Serverul refuză ({ $name }). Reîncarcă pagina.
ledger_unreadable = Serverul n-a înțeles. Reîncarcă pagina.
ledger_full = Nu mai e loc pentru nimic aici.
ledger_too_fast = Prea multe deodată. Încearcă din nou peste o clipă.
ledger_unavailable = Serverul nu poate păstra asta acum. Nu s-a pierdut nimic; încearcă din nou.
contest_page_start = Începe fără cei care lipsesc
contest_page_start_sure = Pentru cei care n-au venit joacă roboții, până vin.
ledger_no_table = Masa nu e deschisă sau jocul ei a început.
