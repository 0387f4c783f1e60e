// The trick-taking game on boardgame.io: its game, its server, its storage in memory.
//
// Usage: boardgameio-server.js [FOLDER]. With a folder the matches are kept there by FlatFile, its
// storage that survives a restart (without a sync to disk).
'use strict';

const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');
const { FlatFile, Server } = require('boardgame.io/server');
const game = require('./game');
const { started } = require('./serving');

/** Deals; the hands stand in `players`, where each sees his own alone. */
function deal(G, random) {
  G.players = { ...game.hands(random.Shuffle(game.PACK)) };
  G.trump = -1;
}

function playCard({ G, ctx, playerID, random }, card) {
  const hand = G.players[playerID];
  if (!game.isLegal(hand, G.trick[0], card)) return INVALID_MOVE;
  hand.splice(hand.indexOf(card), 1);
  if (G.trump < 0) G.trump = game.suit(card);
  G.trick.push(card);
  G.next = (ctx.playOrderPos + 1) % 4;
  if (G.trick.length < 4) return undefined;
  // The place after the last one is that of the leader.
  G.next = (G.next + game.winner(G.trick, G.trump)) % 4;
  G.points[G.next % 2] += game.points(G.trick);
  G.trick = [];
  if (Object.values(G.players).every((cards) => cards.length === 0)) {
    deal(G, random);
    G.next = G.dealer = (G.dealer + 1) % 4;
  }
  return undefined;
}

const Cruce = {
  name: 'cruce',
  minPlayers: 4,
  maxPlayers: 4,
  // Neither kept nor sent: a table that is played for ever would carry them for ever.
  disableUndo: true,
  setup: ({ random }) => {
    const G = { trick: [], points: [0, 0], dealer: 0, next: 0 };
    deal(G, random);
    return G;
  },
  playerView: PlayerView.STRIP_SECRETS,
  moves: { playCard: { move: playCard, client: false } },
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: { first: () => 0, next: ({ G }) => G.next },
  },
};

const [folder] = process.argv.slice(2);
const server = Server({ games: [Cruce], db: folder && new FlatFile({ dir: folder }), origins: false });
if (!folder) {
  // Its storage in memory copies the whole log of a match with each move; we spare it that.
  const { db } = server;
  db.setState = (match, state) => db.state.set(match, state);
}
server.run({ port: 0 }).then(({ appServer }) => started(appServer.address().port));
