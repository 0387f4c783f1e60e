#!/usr/bin/env python3
"""A bot at a table of a Ghinda server, with nothing but Python's standard library.

    python3 table_bot.py http://127.0.0.1:8080
    GHINDA_TOKEN=5d41…c592 python3 table_bot.py http://127.0.0.1:8080 TABLE

It sits down on the first free seat, plays one match and ends. Without a table it opens one, and
begins at once, against the server's bots. It does not know the rules: it tries its cards, and if
one is refused it plays a card that the refusal lists. docs/protocol.md explains every message. A
bot that plays well keeps the view of its seat (docs/notation.md).
"""

import base64
import json
import os
import re
import socket
import ssl
import struct
import sys
import time
from urllib.parse import urlsplit
from urllib.request import Request, urlopen


class WebSocket:
    """As much of RFC 6455 as a client of one server needs."""

    def __init__(self, url, path, token):
        parts = urlsplit(url)
        tls = parts.scheme == "https"
        self.link = socket.create_connection((parts.hostname, parts.port or (443 if tls else 80)))
        if tls:
            self.link = ssl.create_default_context().wrap_socket(
                self.link, server_hostname=parts.hostname
            )
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        )
        self.link.sendall(request.encode())
        self.stream = self.link.makefile("rb")
        status = self.stream.readline().decode()
        while self.stream.readline() not in (b"\r\n", b""):
            pass
        if " 101 " not in status:
            sys.exit(f"the server refuses the connection: {status.strip()}")

    def send(self, text, opcode=1):
        payload, mask = text.encode() if isinstance(text, str) else text, os.urandom(4)
        length = len(payload)
        head = bytes([0x80 | opcode, 0x80 | (length if length < 126 else 126)])
        if length >= 126:
            head += struct.pack(">H", length)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
        self.link.sendall(head + mask + masked)

    def texts(self):
        """The messages of the server, until it closes the connection."""
        while len(head := self.stream.read(2)) == 2:
            opcode, length = head[0] & 15, head[1] & 127
            if length == 126:
                (length,) = struct.unpack(">H", self.stream.read(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.stream.read(8))
            payload = self.stream.read(length)
            if opcode == 1:
                yield payload.decode()
            elif opcode == 9:  # a ping: the server disconnects clients that do not answer
                self.send(payload, opcode=10)
            elif opcode == 8:
                return


def cards(text):
    """The cards of a set: `X4bA9l` is Xb, 4b, Al, 9l."""
    groups = re.findall(r"([A-Z0-9]+)([a-z])", text or "")
    return [rank + suit for ranks, suit in groups for rank in ranks]


class Bot:
    def __init__(self, link):
        self.link = link
        self.sent, self.last = 0, None
        self.seat = self.turn = None  # the turn is 0 if it is not known
        self.players = self.bids = 0
        self.hand, self.ideas = [], []
        self.over = False

    def do(self, what):
        self.sent, self.last = self.sent + 1, what
        # The id must not have been used at this table before, not even in another run.
        name = f"{os.getpid()}-{self.sent}"
        self.link.send(json.dumps({"type": "do", "id": name, "what": what}))

    def think(self):
        """Collect all possible actions and try the first one, if it may be our turn."""
        if self.turn == 0 or self.turn == self.seat:
            bidding = self.bids < self.players
            self.ideas = [str(bid) for bid in range(9)] if bidding else list(self.hand)
            self.act()

    def act(self):
        if self.ideas:
            self.do({"act": self.ideas.pop(0)})

    def receive(self, message):
        kind = message["type"]
        if kind == "snapshot":
            self.apply_snapshot(message)
        elif kind == "update":
            for event in message["told"]:
                self.apply(event)
            if message["told"]:
                self.think()
        elif kind == "refused":
            self.refused(message)
        elif kind in ("error", "bye"):
            print(message, file=sys.stderr)

    def apply_snapshot(self, snapshot):
        self.seat, self.players = snapshot["you"].get("seat"), len(snapshot["seats"])
        if self.seat is None:
            free = [at for at, chair in enumerate(snapshot["seats"], 1) if "who" not in chair]
            if not free:
                sys.exit("no seat is free")
            self.do({"sit": {"seat": free[0], "name": "table_bot.py"}})
        elif snapshot["stage"] == "playing":
            view = dict(word.split("=", 1) for word in snapshot["view"].split() if "=" in word)
            self.hand, self.turn = cards(view.get("hand")), 0
            self.bids = len(view["bids"].split(".")) if view.get("bids") else 0
            self.think()
        elif snapshot["you"].get("host"):
            self.do("start")  # a table of our own: the server's bots take the other seats

    def apply(self, event):
        what, seat = event["what"], event.get("seat")
        if what == "dealt":
            self.hand, self.bids, self.turn = cards(event.get("hand")), 0, 0
        elif what == "completed":
            self.hand += cards(event.get("rest"))
        elif what == "drew":
            self.hand += cards(event.get("card"))
        elif what == "bid":
            self.bids, self.turn = self.bids + 1, seat % self.players + 1
        elif what == "played":
            self.turn = seat % self.players + 1
            if seat == self.seat:
                self.hand.remove(event["card"])
        elif what in ("declared", "took"):
            self.turn = seat
        elif what in ("scored", "thrown_in"):
            self.turn = None
            self.do("ready")
        elif what == "won":
            self.over = True

    def refused(self, message):
        illegal = message.get("illegal")
        if message["reason"] == "too_fast":
            time.sleep(1)
            self.do(self.last)
            return
        if illegal is None:
            return  # not about the rules: for example, there is no score to confirm now
        if illegal["name"] == "NotYourTurn":
            self.turn, self.ideas = illegal["turn"], []
            return
        if illegal["name"] == "MustCall":
            self.ideas.insert(0, illegal["card"] + "!")
        elif "have" in illegal:
            self.ideas = cards(illegal["have"])
        self.act()


def post(url, path, body, token=None):
    """The answer to a request with a JSON body, and the session token of its cookie, if any."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    request = Request(url.rstrip("/") + path, json.dumps(body).encode(), headers)
    with urlopen(request) as answer:
        session = re.match("(?:__Host-)?ghinda=([0-9a-f]+)", answer.headers.get("set-cookie", ""))
        return json.load(answer), session and session[1]


def main():
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    url, token = sys.argv[1], os.environ.get("GHINDA_TOKEN")
    if not token:
        token = post(url, "/api/session", {})[1]
    if len(sys.argv) == 3:
        table = sys.argv[2]
    else:
        table = post(url, "/api/tables", {"rules": "classic", "listed": True}, token)[0]["table"]
        print(f"at table {table}")
    link = WebSocket(url, f"/api/tables/{table}/socket", token)
    link.send(json.dumps({"type": "hello", "ghinda": 1}))
    bot = Bot(link)
    for text in link.texts():
        bot.receive(json.loads(text))
        if bot.over:
            return
    sys.exit("the connection ended before the match did")


if __name__ == "__main__":
    main()
