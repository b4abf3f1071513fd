#!/usr/bin/env node
// Measures the cost of a live page for the client of a load: CPU time without it, and with a reader.
//   node e2e/pages/live_speed.mjs [build/release/hallmark] [rounds]

import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root, serve, start } from './samples.mjs';

const program = resolve(process.argv[2] ?? join(root, 'build/release/hallmark'));
const rounds = Number(process.argv[3] ?? 6);
const directory = mkdtempSync(join(tmpdir(), 'hallmark-live-speed-'));
const server = await serve(program);
const options = '--width u16 --rate 50k --connections 16 --duration 10s --verbose'.split(' ');

/** Nanoseconds of CPU that the threads of the process have had: those that send, and all others. */
function threads_of(pid) {
  const tasks = `/proc/${pid}/task`;
  const used = readdirSync(tasks).map((one) => Number(readFileSync(`${tasks}/${one}/schedstat`, 'utf8').split(' ')[0]));
  const sending = Math.max(...used);
  return { sending, others: used.reduce((sum, one) => sum + one, 0) - sending };
}

/** One run: milliseconds of CPU for each second of the measured part, of the threads that send and of all others. */
async function measured(live) {
  const pattern = live ? /the run is at (\S+)/ : /( 1 s )/;
  const args = ['load', server.target, ...options, ...(live ? ['--live', '0'] : [])];
  const load = await start(program, directory, pattern, args);
  const looks = [];
  const look = () => {
    try {
      looks.push({ at: performance.now(), ...threads_of(load.pid) });
    } catch {} // it has ended
  };
  const timer = setInterval(look, 250);
  if (live) for await (const some of (await fetch(`${load.found}events`)).body) if (some.length === 0) break;
  await load.ended;
  clearInterval(timer);
  // The beginning and the end of a process cost the same however long it runs.
  const first = looks.find(({ at }) => at > looks[0].at + 2000);
  const last = looks.findLast(({ at }) => at < looks.at(-1).at - 500);
  const rate = (name) => (last[name] - first[name]) / 1000 / (last.at - first.at);
  return { sending: rate('sending'), others: rate('others') };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const pairs = [];
for (let i = 0; i < rounds; ++i) {
  // In turns, so that a machine that slows down does the same to both.
  const first = i % 2 === 0 ? await measured(false) : undefined;
  const live = await measured(true);
  const plain = first ?? (await measured(false));
  pairs.push({ plain, live });
  const text = ({ sending, others }) => `${sending.toFixed(0)} ms sending, ${others.toFixed(2)} ms beside it`;
  console.log(`of a second without: ${text(plain)}; with a reader: ${text(live)}`);
}
server.stop();
rmSync(directory, { recursive: true });
const more = median(pairs.map(({ plain, live }) => live.others - plain.others));
const all = median(pairs.map(({ plain }) => plain.sending + plain.others));
console.log(
  `--live costs ${more.toFixed(2)} ms of CPU a second at 50,000 requests/s: ${(1 + more / all).toFixed(4)} of the ` +
    `client's CPU per request without it (medians of ${rounds} pairs)`,
);
