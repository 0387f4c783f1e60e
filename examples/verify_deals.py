#!/usr/bin/env python3
"""Recheck the deals of a Ghinda record with nothing but Python's standard library.

    python3 examples/verify_deals.py match.record

An independent implementation, written from docs/notation.md: it shares no code with
the program that dealt the cards. It checks the commitment, the seat that bids
first, and every card of every deal. (`ghinda verify` also checks every action and
every score.)
"""

import hashlib
import re
import struct
import sys


class Wrong(Exception):
    """A record contains something impossible."""


def check(fact: bool, wrong: str):
    if not fact:
        raise Wrong(wrong)


def chacha20_words(key: bytes, stream: int):
    """The 32-bit words of the ChaCha20 key stream, block after block."""

    def quarter(s, a, b, c, d):
        for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            mixed = s[z] ^ s[x]
            s[z] = ((mixed << turn) | (mixed >> (32 - turn))) & 0xFFFFFFFF

    block = 0
    while True:
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
        start += struct.unpack("<8I", key)
        start += struct.unpack("<4I", struct.pack("<QQ", block, stream))
        state = start[:]
        for _ in range(10):
            for column in range(4):
                quarter(state, column, column + 4, column + 8, column + 12)
            for column in range(4):
                quarter(state, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
        yield from ((a + b) & 0xFFFFFFFF for a, b in zip(state, start))
        block += 1


def below(words, bound: int) -> int:
    """A uniform number below the bound; biased draws are discarded."""
    while True:
        product = next(words) * bound
        if product & 0xFFFFFFFF >= 2**32 % bound:
            return product >> 32


def sorted_pack(game: str, players: int):
    if game == "cruce":
        ranks, suits = "9234XA", "blah"
    else:
        ranks, suits = "3456789TJQKA"[-2 * players :], "csdh"
    return [rank + suit for suit in suits for rank in ranks]


def shuffled_pack(game: str, players: int, seed: bytes, deal: int):
    pack, words = sorted_pack(game, players), chacha20_words(seed, deal)
    for at in range(len(pack) - 1, 0, -1):
        other = below(words, at + 1)
        pack[at], pack[other] = pack[other], pack[at]
    return pack


def first_seat(game: str, players: int, seed: bytes) -> int:
    drawn = below(chacha20_words(seed, 0), players)
    return (drawn + 1) % players if game == "cruce" else drawn


def cards_of(text: str):
    """The cards of a set such as AX4b9l, or of an opening and a rest with + between."""
    return {rank + suit for ranks, suit in re.findall(r"([^a-z+-]+)([a-z])", text) for rank in ranks}


def check_golden(lines):
    """Check lines of corpus/deals.golden; returns their number."""
    for line in lines:
        code, *fields = line.split()
        field = dict(part.split("=") for part in fields)
        game, players = re.match(r"([a-z]+)(\d)", code).groups()
        seed = bytes.fromhex(field["seed"])
        check(first_seat(game, int(players), seed) + 1 == int(field["first"]), line)
        pack = shuffled_pack(game, int(players), seed, int(field["deal"]))
        check(".".join(pack) == field["pack"], line)
    return len(lines)


def cards_each(game: str, players: int, code: str, deal: int) -> int:
    """How many cards each player is dealt in a deal, counted from 1."""
    if game == "cruce":
        return 6 if players == 4 else 8
    up = [2, 3, 4, 5, 6, 7]
    deals = [1] * players + up + [8] * players + up[::-1] + [1] * players
    check(deal <= len(deals), f"deal {deal}: there is no such deal")
    return 9 - deals[deal - 1] if "818" in code.split("-") else deals[deal - 1]


def check_deal(facts: dict, deal: int, first: int, game: str, players: int, code: str, seed: bytes):
    """Check the lines of one deal, given by their first words."""
    check(facts["deal"] == f"{deal} first {first + 1}", f"deal {deal}: who bids first")
    options = code.split("-")
    pack, each = shuffled_pack(game, players, seed, deal), cards_each(game, players, code, deal)
    hands = facts.get("hands", "").split("/")
    check(len(hands) == players, f"deal {deal}: {players} hands are needed")
    for seat, hand in enumerate(hands):
        dealt = pack[(seat - first) % players : each * players : players]
        opening, plus, _ = hand.partition("+")
        check(cards_of(hand) == set(dealt), f"deal {deal}: the hand of seat {seat + 1}")
        check(bool(plus) == ("on3" in options), f"deal {deal}: what the bids are made on")
        check(not plus or cards_of(opening) == set(dealt[:3]), f"deal {deal}: bids on three")
    rest = pack[each * players :]
    stock = ".".join(rest) if (game, players) == ("cruce", 2) else None
    check(facts.get("stock") == stock, f"deal {deal}: the stock")
    trump = game == "whist" and each < 8 and not (each == 1 and "plain1" in options)
    check(facts.get("turned") == (rest[0] if trump else None), f"deal {deal}: the card turned up")


def check_record(lines) -> int:
    """Check the lines of one record; returns the number of its deals."""
    head, words, deals = {}, {}, []
    for line in lines:
        key, _, value = line.partition(" ")
        if key == "deal":
            deals.append({})
        if key == "word":
            seat, _, word = value.partition(" ")
            words[int(seat)] = word
        (deals[-1] if deals else head).setdefault(key, value)
    code = head["rules"]
    game, players = re.match(r"([a-z]+)(\d)", code).groups()
    players = int(players)
    check("secret" in head, "the secret is not revealed, so the deals cannot be rechecked")
    public = f"{head['table']}\n{code}\n{head['secret']}\n"
    commitment = hashlib.sha256(f"ghinda-commit-1\n{public}".encode()).hexdigest()
    check(commitment == head["commitment"], "the secret does not belong to the commitment")
    said = "".join(words.get(seat, "-") + "\n" for seat in range(1, players + 1))
    seed = hashlib.sha256(f"ghinda-seed-1\n{public}{said}".encode()).digest()
    first = first_seat(game, players, seed)
    for number, facts in enumerate(deals, start=1):
        check_deal(facts, number, (first + number - 1) % players, game, players, code, seed)
    return len(deals)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    text = open(sys.argv[1], encoding="utf-8").read()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    if sys.argv[1].endswith(".golden"):
        print(f"{check_golden(lines)} packs are as the seed shuffles them")
        return
    starts = [at for at, line in enumerate(lines) if line.startswith("ghinda-record ")] + [len(lines)]
    if len(starts) == 1:
        raise SystemExit("this is no Ghinda record: no line begins with \"ghinda-record\"")
    for start, end in zip(starts, starts[1:]):
        print(f"{check_record(lines[start:end])} deals are as the seed deals them")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        raise SystemExit(f"wrong: {wrong}")
