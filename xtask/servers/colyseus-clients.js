// Four clients a table with Colyseus's own SDK.
'use strict';

// The SDK falls back to the package `ws`, which is lighter than the WebSocket that Node brings along.
delete globalThis.WebSocket;
const { Client } = require('@colyseus/sdk');
const game = require('./game');
const traffic = require('./traffic');

async function openTable(url, _number, load) {
  const client = new Client(url);
  const first = await client.create('table');
  const others = [];
  for (let seat = 1; seat < 4; seat += 1) others.push(await client.joinById(first.roomId));
  for (const room of [first, ...others]) play(room, load);
}

function play(room, load) {
  let seat;
  let hand = [];
  // The count of moves at which we acted, so that we act once, and when we sent what.
  let actedAt = -1;
  let sentAt = 0;
  const act = (state) => {
    const card = hand.find((one) => game.isLegal(hand, state.trick[0], one));
    hand.splice(hand.indexOf(card), 1);
    sentAt = performance.now();
    room.send('play', card);
  };
  room.onMessage('seat', (given) => { seat = given; });
  room.onMessage('hand', (cards) => { hand = cards; });
  room.onMessage('refused', (card) => { throw new Error(`card ${card} was refused`); });
  room.onStateChange((state) => {
    if (sentAt > 0 && state.moves > actedAt) {
      load.answered(sentAt);
      sentAt = 0;
    }
    if (state.turn === seat && hand.length > 0 && state.moves > actedAt) {
      actedAt = state.moves;
      load.think(() => act(state));
    }
  });
  room.onLeave((code) => { throw new Error(`the server hung up with ${code}`); });
  room.send('ready');
}

traffic.run(__filename, openTable);
