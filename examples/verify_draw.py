#!/usr/bin/env python3
"""Draw the lots of a contest again with nothing but Python's standard library.

    ghinda contest export cup.contest draws > cup.draws
    python3 examples/verify_draw.py cup.draws

An independent implementation, written from docs/contest.md: it shares no code with the
program that drew the lots. A line is one draw: the commitment, the secret, the words of
the hall, the entrants, and who sits where. A draw that a server did not make, because it
took the contest over from a file, has imported=yes: it is repeated too, but no server has
seen when its secret was chosen.
"""

import hashlib
import sys

from verify_deals import Wrong, below, chacha20_words, check


def shuffled(numbers, seed: bytes):
    order, words = numbers[:], chacha20_words(seed, 0)
    for at in range(len(order) - 1, 0, -1):
        other = below(words, at + 1)
        order[at], order[other] = order[other], order[at]
    return order


def sizes(count: int, pairs: bool):
    """The number of entrants at each table; the rest have a bye."""
    if pairs:
        return [2] * (count // 2)
    if count == 5:
        return [3]
    tables = -(-count // 4)
    threes = 4 * tables - count
    return [4] * (tables - threes) + [3] * threes


def drawn(field: dict, code: str) -> str:
    """Who sits where, and which seat deals first, in the format of a line."""
    name = f"{field['contest']}.{field['phase']}\n{code}\n{field['secret']}\n"
    commitment = hashlib.sha256(f"ghinda-commit-1\n{name}".encode()).hexdigest()
    check(commitment == field["commitment"], "the secret does not belong to the commitment")
    said = "".join(word + "\n" for word in field["words"].split(",") if word)
    seed = hashlib.sha256(f"ghinda-seed-1\n{name}{said}".encode()).digest()
    order = shuffled(field["entrants"].split(","), seed)
    pairs = code.startswith("cruce4t")
    tables = []
    for at, size in enumerate(sizes(len(order), pairs), start=1):
        sitting, order = order[:size], order[size:]
        dealer = below(chacha20_words(seed, at), 4 if pairs else size) + 1
        tables.append(f"{','.join(sitting)}:{dealer}")
    return f"tables={'/'.join(tables)} byes={','.join(order)}"


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    imported = 0
    for line in lines:
        code, *fields = line.split(" ")
        field = dict(part.split("=") for part in fields)
        tables = f"tables={field['tables']} byes={field['byes']}"
        check(drawn(field, code) == tables, f"other tables than in: {line}")
        imported += field.get("imported") == "yes"
    print(f"{len(lines)} draws are as the secret and the words draw them")
    if imported:
        print(f"{imported} of them came from a file: the server did not make them")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        raise SystemExit(f"wrong: {wrong}")
