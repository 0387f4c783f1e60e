// A trick-taking room on Colyseus.
//
// The table is a schema that everybody sees; hands go to their owners as messages, which is cheaper
// than a view for each client. Patches are sent with each move: the usual beat of 50 ms would only
// add delay to a game of turns.
'use strict';

const { Room, Server } = require('@colyseus/core');
const { Encoder, schema, t } = require('@colyseus/schema');
const { WebSocketTransport } = require('@colyseus/ws-transport');
const game = require('./game');
const { shuffled, started } = require('./serving');

// The state is small, and each room has buffers of this size: 8 KiB unless we say so.
Encoder.BUFFER_SIZE = 512;

const Table = schema({
  moves: t.uint32(),
  turn: t.uint8(),
  trump: t.int8(),
  played: t.uint8(),
  trick: t.array('uint8'),
  north: t.uint16(),
  east: t.uint16(),
}, 'Table');

class TableRoom extends Room {
  onCreate() {
    this.maxClients = 4;
    this.patchRate = null;
    this.state = new Table({ moves: 0, turn: 0, trump: -1, north: 0, east: 0 });
    this.seated = [];
    this.hands = [];
    this.dealer = 0;
    this.onMessage('ready', (client) => this.sit(client));
    this.onMessage('play', (client, card) => this.play(client, card));
  }

  sit(client) {
    client.userData = { seat: this.seated.push(client) - 1 };
    client.send('seat', client.userData.seat);
    if (this.seated.length === 4) this.deal();
  }

  deal() {
    this.hands = game.hands(shuffled(game.PACK));
    this.seated.forEach((client, seat) => client.send('hand', this.hands[seat]));
    this.dealer = (this.dealer + 1) % 4;
    this.state.turn = this.dealer;
    this.state.trump = -1;
    this.state.moves += 1;
    this.broadcastPatch();
  }

  play(client, card) {
    const { state } = this;
    const { seat } = client.userData;
    const hand = this.hands[seat];
    if (seat !== state.turn || !game.isLegal(hand, state.trick[0], card)) {
      client.send('refused', card);
      return;
    }
    hand.splice(hand.indexOf(card), 1);
    state.moves += 1;
    state.played = card;
    if (state.trump < 0) state.trump = game.suit(card);
    state.trick.push(card);
    if (state.trick.length < 4) {
      state.turn = (seat + 1) % 4;
    } else {
      this.takeTrick((seat + 1) % 4);
    }
    if (this.hands.every((cards) => cards.length === 0)) this.deal();
    else this.broadcastPatch();
  }

  takeTrick(leader) {
    const { state } = this;
    const trick = [...state.trick];
    state.turn = (leader + game.winner(trick, state.trump)) % 4;
    state[state.turn % 2 === 0 ? 'north' : 'east'] += game.points(trick);
    state.trick.clear();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('table', TableRoom);
server.listen(0, '127.0.0.1').then(() => started(server.transport.server.address().port));
