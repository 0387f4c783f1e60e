// Four clients a table that speak Socket.IO to boardgame.io by hand over a WebSocket. Its own client
// would run the game and a store for each seat, and take the processor away from the server.
'use strict';

const WebSocket = require('ws');
const game = require('./game');
const traffic = require('./traffic');

const ROOM = '/cruce,';

async function openTable(url, number, load) {
  const match = `${process.pid}-${number}`;
  // The first comer opens the match. Whoever is in turn comes last: an update that is sent while
  // somebody joins may not reach him.
  for (const seat of ['3', '2', '1', '0']) {
    await new Promise((seated) => play(url, match, seat, load, seated));
  }
}

function play(url, match, seat, load, seated) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
  });
  const emit = (...event) => socket.send(`42${ROOM}${JSON.stringify(event)}`);
  let sentAt = 0;

  const look = ({ G, ctx, _stateID }) => {
    if (sentAt > 0) {
      load.answered(sentAt);
      sentAt = 0;
    }
    if (ctx.currentPlayer !== seat) return;
    load.think(() => {
      const hand = G.players[seat];
      const card = hand.find((one) => game.isLegal(hand, G.trick[0], one));
      sentAt = performance.now();
      const payload = { type: 'playCard', args: [card], playerID: seat };
      emit('update', { type: 'MAKE_MOVE', payload }, _stateID, match, seat);
    });
  };

  const hear = ([type, , told]) => {
    if (type === 'sync') {
      seated();
      look(told.state);
    } else if (type === 'update') {
      look(told);
    }
  };

  socket.on('message', (data) => {
    const text = data.toString();
    if (text.startsWith('42')) hear(JSON.parse(text.slice(2 + ROOM.length)));
    else if (text === '2') socket.send('3');
    else if (text.startsWith('40')) emit('sync', match, seat, undefined, 4);
    else if (text.startsWith('0')) socket.send(`40${ROOM}`);
    else throw new Error(`unexpected: ${text}`);
  });
  socket.on('close', () => { throw new Error('the server hung up'); });
}

traffic.run(__filename, openTable);
