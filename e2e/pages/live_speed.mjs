#!/usr/bin/env node
// What a live page costs the client of a load: CPU time per request without it, and with a reader.
//   node e2e/pages/live_speed.mjs [build/release/hallmark] [rounds]

import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { read_json, root, serve, start } from './samples.mjs';

const program = resolve(process.argv[2] ?? join(root, 'build/release/hallmark'));
const rounds = Number(process.argv[3] ?? 6);
const directory = mkdtempSync(join(tmpdir(), 'hallmark-live-speed-'));
const server = await serve(program);
const options = '--width u16 --rate 50k --connections 16 --duration 5s --verbose --json run.json'.split(' ');

/** Nanoseconds of CPU that the threads of the process have had: those that send, and all others. */
function threads_of(pid) {
  const tasks = `/proc/${pid}/task`;
  const used = readdirSync(tasks).map((one) => Number(readFileSync(`${tasks}/${one}/schedstat`, 'utf8').split(' ')[0]));
  const sending = Math.max(...used);
  return { sending, others: used.reduce((sum, one) => sum + one, 0) - sending };
}

/** One run: CPU per completed request in microseconds, and the share of it that is not the sender's. */
async function measured(live) {
  const pattern = live ? /the run is at (\S+)/ : /( 1 s )/;
  const load = await start(program, directory, pattern, ['load', server.target, ...options, ...(live ? ['--live', '0'] : [])]);
  let last;
  const look = () => {
    try {
      last = threads_of(load.pid);
    } catch {} // it has ended
  };
  const looks = setInterval(look, 250);
  if (live) for await (const some of (await fetch(`${load.found}events`)).body) if (some.length === 0) break;
  await load.ended;
  clearInterval(looks);
  const { cpu_user_seconds, cpu_system_seconds, counts } = read_json(join(directory, 'run.json'));
  return {
    cost: (1e6 * (cpu_user_seconds + cpu_system_seconds)) / counts.completed,
    others: last.others / (last.sending + last.others),
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const pairs = [];
for (let i = 0; i < rounds; ++i) {
  // In turns, so that a machine that slows down does the same to both.
  const first = i % 2 === 0 ? await measured(false) : undefined;
  const live = await measured(true);
  const plain = first ?? (await measured(false));
  pairs.push({ plain, live });
  console.log(
    `without: ${plain.cost.toFixed(2)} us a request, ${(100 * plain.others).toFixed(2)} % of it beside sending; ` +
      `with a reader: ${live.cost.toFixed(2)} us, ${(100 * live.others).toFixed(2)} %`,
  );
}
server.stop();
rmSync(directory, { recursive: true });
const ratio = median(pairs.map(({ plain, live }) => live.cost / plain.cost));
const more = median(pairs.map(({ plain, live }) => live.others - plain.others));
console.log(
  `client CPU per request with --live: ${ratio.toFixed(3)} of without; ` +
    `threads beside the sender: ${(100 * more).toFixed(2)} % more (medians of ${rounds} pairs)`,
);
