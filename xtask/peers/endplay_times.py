"""Solves deals with DDS, the bridge solver in endplay, and times each.

usage: endplay_times.py DEALS

DEALS is a file with a deal on each line: sixteen numbers, the cards of every seat in every suit,
bit 2 for a two up to bit 14 for an ace. Reads `whist FROM TO` from every line of its input,
solves those deals without trump, the first seat leading, for the most tricks of its side and one
card that takes them, and writes tricks and nanoseconds for each. Only the call of the library is
timed, without any Python around it.
"""

import ctypes
import sys
import time

from endplay import _dds

NO_TRUMP, MOST, ONE_CARD, ALWAYS_SEARCH, THREAD = 4, -1, 1, 1, 0


def board(line):
    """A deal as the library wants it."""
    cards = [int(word) for word in line.split()]
    deal = _dds.deal(trump=NO_TRUMP, first=0)
    for seat in range(4):
        for suit in range(4):
            deal.remainCards[seat][suit] = cards[4 * seat + suit]
    return deal


def main():
    with open(sys.argv[1], encoding="ascii") as deals:
        boards = [board(line) for line in deals]
    for line in sys.stdin:
        _, first, end = line.split()
        for deal in boards[int(first) : int(end)]:
            found = _dds.futureTricks()
            start = time.perf_counter_ns()
            _dds.SolveBoard(deal, MOST, ONE_CARD, ALWAYS_SEARCH, found, THREAD)
            spent = time.perf_counter_ns() - start
            print(found.score[0], spent)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
