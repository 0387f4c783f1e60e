#!/usr/bin/env python3
"""A complete bot for Ghinda that needs nothing but Python.

It takes a trick with the cheapest card that wins, or else throws its
cheapest card away. docs/bots.md explains the protocol.

    ghinda arena random 'cmd:python3 examples/bots/thrifty.py'
"""

import json
import sys

# From the weakest rank to the strongest.
CRUCE = "9234XA"
WHIST = "3456789TJQKA"
WORTH = {"A": 11, "X": 10, "4": 4, "3": 3, "2": 2, "9": 0}


class Table:
    """A question, with the few terms that the bot needs."""

    def __init__(self, question):
        self.state = question["state"]
        self.cruce = self.state["rules"].startswith("cruce")
        # Only honour tables have `lawful`: the actions that break no duty and challenge no player.
        self.actions = question.get("lawful") or question["legal"]

    def strength(self, card):
        return (CRUCE if self.cruce else WHIST).index(card[0])

    def cost(self, card):
        """The cost of losing a card: trumps cost most, then by points and strength."""
        worth = WORTH[card[0]] if self.cruce else 0
        return (card[1] == self.state["trump"], worth, self.strength(card))

    def beats(self, card, other):
        if card[1] == other[1]:
            return self.strength(card) > self.strength(other)
        return card[1] == self.state["trump"]

    def winning_card(self):
        trick, players = self.state["trick"], len(self.state["sides"])
        return trick["cards"][(trick["winner"] - trick["leader"]) % players]

    def partner_wins(self):
        sides, winner = self.state["sides"], self.state["trick"]["winner"]
        return sides[winner - 1] == sides[self.state["seat"] - 1]

    def wants_tricks(self):
        """In whist, only as many tricks as were bid."""
        if self.cruce:
            return True
        seat = self.state["seat"]
        bid = next(made["bid"] for made in self.state["bids"] if made["seat"] == seat)
        return self.state["points"][seat - 1] < bid


def bid(table):
    hand = table.state["hand"]
    if table.cruce:
        pairs = sum(f"3{suit}" in hand and f"4{suit}" in hand for suit in "blah")
        points = sum(WORTH[card[0]] for card in hand) + 30 * pairs
        target = points // 33
    else:
        target = sum(card[0] in "AK" or card[1] == table.state["trump"] for card in hand)
    # The legal bid that is nearest to the target; 0 is a pass in Cruce.
    if table.cruce and str(target) not in table.actions:
        return "0"
    return min(table.actions, key=lambda action: abs(int(action) - target))


def play(table):
    calls = [action for action in table.actions if action.endswith("!")]
    if calls:
        return min(calls, key=table.cost)
    cheap, dear = min(table.actions, key=table.cost), max(table.actions, key=table.strength)
    if not table.state["trick"]["cards"]:
        return dear if table.wants_tricks() else cheap
    if table.partner_wins():
        # The points stay with us.
        return max(table.actions, key=lambda card: WORTH[card[0]]) if table.cruce else cheap
    best = table.winning_card()
    winners = [card for card in table.actions if table.beats(card, best)]
    return min(winners, key=table.cost) if winners and table.wants_tricks() else cheap


def answer(question):
    table = Table(question)
    phase = table.state["phase"]
    action = {"bidding": bid, "playing": play}.get(phase, lambda _: "ok")(table)
    return {"type": "action", "id": question["id"], "action": action}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "bye":
            break
        if kind == "hello":
            reply = {"ghinda": 1, "type": "hello", "name": "thrifty", "version": "1"}
        elif kind == "act":
            reply = answer(message)
        elif kind in ("deal_over", "match_over", "error"):
            continue
        else:
            reply = {"type": "error", "message": f"there is no message of type {kind}"}
        # Without the flush the answer waits in a buffer and is late.
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
