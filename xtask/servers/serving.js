// What all our servers of other makers do alike.
'use strict';

/** A new order of the cards. */
function shuffled(cards) {
  const pack = [...cards];
  for (let left = pack.length; left > 1; left -= 1) {
    const drawn = Math.floor(Math.random() * left);
    [pack[left - 1], pack[drawn]] = [pack[drawn], pack[left - 1]];
  }
  return pack;
}

/**
 * Says where we are, as `ghinda serve` does. A line of input asks to collect garbage, before memory
 * is read: what is not needed shall not count. The end of input ends us.
 */
function started(port) {
  process.stdin.on('data', () => global.gc({ type: 'major', flavor: 'last-resort' }));
  process.stdin.on('end', () => process.exit());
  console.log(`http://127.0.0.1:${port}`);
}

module.exports = { shuffled, started };
