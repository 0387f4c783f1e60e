"""How many moves a second open_spiel plays at random in oh_hell, its nearest game to our whist.

usage: open_spiel_rate.py deal|play SECONDS

Four players, 32 cards, seven each, and a trump card: 4 bids and 28 cards are 32 moves a deal.
The draws of chance (dealer, cards, trump) are work but not moves. Prints `moves_per_second=X`.
"""

import random
import sys
import time

import pyspiel

GAME = pyspiel.load_game("oh_hell(players=4,num_suits=4,num_cards_per_suit=8,num_tricks_fixed=7)")
MOVES = 4 + 4 * 7
ROLLOUTS = 2000
DEALS_PER_LOOK = 200  # between two looks at the clock


def dealt(chance):
    """A state with all cards dealt and the first bid to make."""
    state = GAME.new_initial_state()
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    return state


def check_moves(chance):
    """The divisor of every figure below, counted once by hand."""
    state, moves = dealt(chance), 0
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        moves += 1
    assert moves == MOVES, moves


def deal_rate(seconds):
    """Whole deals by C++ uniform random bots, dealing included."""
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(4)]
    deals, spent = 0, 0.0
    start = time.perf_counter()
    while spent < seconds:
        for seed in range(deals, deals + DEALS_PER_LOOK):
            pyspiel.evaluate_bots(GAME.new_initial_state(), bots, seed)
        deals += DEALS_PER_LOOK
        spent = time.perf_counter() - start
    return deals * MOVES / spent


def play_rate(seconds, chance):
    """Play only: a search of one simulation values a dealt state by ROLLOUTS games in C++."""
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(GAME, evaluator, 1.0, 1, 100, False, 1, False)
    games, spent = 0, 0.0
    while spent < seconds:
        state = dealt(chance)
        start = time.perf_counter()
        bot.step(state)
        spent += time.perf_counter() - start
        games += ROLLOUTS
    return games * MOVES / spent


def main():
    mode, seconds = sys.argv[1], float(sys.argv[2])
    chance = random.Random(1)
    check_moves(chance)
    rate = {"deal": deal_rate, "play": lambda s: play_rate(s, chance)}[mode](seconds)
    print(f"moves_per_second={rate:.0f}")


if __name__ == "__main__":
    main()
