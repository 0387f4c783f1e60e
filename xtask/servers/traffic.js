// Many tables of four: who is in turn thinks for a while, plays, and waits for the update that
// contains the move. The same traffic as `ghinda load`, for any kind of client.
//
// Usage: …-clients.js URL TABLES MOVES_A_SECOND SECONDS
'use strict';

const { isMainThread, parentPort, Worker, workerData } = require('node:worker_threads');

/** One thread of clients could be slower than the server that it measures. */
const THREADS = 2;
const AT_THE_DOOR = 8;
const WARM_UP_MS = 2000;

/** The clients of one thread. */
class Traffic {
  constructor(thinkMs) {
    this.thinkMs = thinkMs;
    this.latencies = null;
  }

  /** Thinks between half and one and a half of the average, then acts. */
  think(act) {
    setTimeout(act, this.thinkMs * (0.5 + Math.random()));
  }

  /** A move sent at that time has come back. */
  answered(sentAt) {
    this.latencies?.push(performance.now() - sentAt);
  }
}

/** Runs the clients of the file that calls this; `openTable(url, number, traffic)` seats a table. */
function run(file, openTable) {
  if (isMainThread) measure(file, ...process.argv.slice(2));
  else play(openTable, workerData);
}

/** Seats this thread's share of the tables, then does what it is told. */
async function play(openTable, { url, tables, thread, thinkMs }) {
  const traffic = new Traffic(thinkMs);
  let next = thread;
  const usher = async () => {
    while (next < tables) {
      const number = next;
      next += THREADS;
      await openTable(url, number, traffic);
    }
  };
  await Promise.all(Array.from({ length: AT_THE_DOOR }, usher));
  parentPort.on('message', (word) => {
    if (word === 'count') traffic.latencies = [];
    else parentPort.postMessage(Float64Array.from(traffic.latencies));
  });
  parentPort.postMessage('seated');
}

/** Waits until all have sat down and reports the moves of so many seconds. */
async function measure(file, url, tables, rate, seconds) {
  const thinkMs = (1000 * tables) / rate;
  const threads = Array.from({ length: THREADS }, (_, thread) => (
    new Worker(file, { workerData: { url, tables: Number(tables), thread, thinkMs } })
      .on('error', (error) => { throw error; })
  ));
  const tell = (word) => threads.forEach((thread) => thread.postMessage(word));
  const heard = () => Promise.all(threads.map((thread) => (
    new Promise((resolve) => { thread.once('message', resolve); })
  )));
  await heard();
  await wait(WARM_UP_MS);
  tell('count');
  const began = performance.now();
  await wait(1000 * seconds);
  const latencies = heard();
  tell('report');
  const took = (performance.now() - began) / 1000;
  report((await latencies).flatMap((some) => [...some]), took);
  // The tables go on, so that whoever started us can look at the server, until we are killed.
}

function report(latencies, took) {
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (share) => sorted[Math.floor(share * sorted.length)] ?? Infinity;
  console.log(`moves_per_second=${sorted.length / took}`);
  console.log(`p50_ms=${quantile(0.5)}`);
  console.log(`p99_ms=${quantile(0.99)}`);
  console.log('done');
}

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

module.exports = { run };
