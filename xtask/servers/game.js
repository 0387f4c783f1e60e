// The game that every peer plays: 24 cards, six for each of four seats, the size of Cruce.
// The first card led makes trump; whoever can follow suit must. After six tricks it is dealt anew.
'use strict';

const RANKS = 6;
const PACK = Array.from({ length: 24 }, (_, card) => card);
const POINTS = [0, 2, 3, 4, 10, 11];

const suit = (card) => Math.floor(card / RANKS);

/** A shuffled pack as four hands. */
const hands = (pack) => [0, 1, 2, 3].map((seat) => pack.slice(seat * RANKS, (seat + 1) * RANKS));

/** Whether a card may be played from a hand; `led` is undefined for the leader. */
function isLegal(hand, led, card) {
  if (!hand.includes(card)) return false;
  const follows = led === undefined || suit(card) === suit(led);
  return follows || !hand.some((other) => suit(other) === suit(led));
}

/** Which card of a full trick takes it, by its place in the trick. */
function winner(trick, trump) {
  const strength = (card) => {
    if (suit(card) === trump) return RANKS + (card % RANKS);
    return suit(card) === suit(trick[0]) ? card % RANKS : -1;
  };
  let best = 0;
  for (let place = 1; place < trick.length; place += 1) {
    if (strength(trick[place]) > strength(trick[best])) best = place;
  }
  return best;
}

/** What the cards of a trick are worth. */
function points(trick) {
  let sum = 0;
  for (const card of trick) sum += POINTS[card % RANKS];
  return sum;
}

module.exports = { PACK, hands, isLegal, points, suit, winner };
