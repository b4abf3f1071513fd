#!/usr/bin/env node
// How long the page of an hour takes: 3,600 seconds with full histograms, written and drawn.
//   node e2e/pages/speed.mjs [build/release/hallmark]

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launch, open } from './browser.mjs';
import { read_json, root, run } from './samples.mjs';
import { spawn } from 'node:child_process';

const program = resolve(process.argv[2] ?? join(root, 'build/release/hallmark'));
const directory = mkdtempSync(join(tmpdir(), 'hallmark-speed-'));

/** The result of a short run with its seconds repeated; an hour is told in pieces of two seconds. */
function an_hour(result) {
  const series = Array.from({ length: 1800 }, (_, i) => ({
    ...result.series[i % result.series.length],
    second: 2 * i,
    length_seconds: 2,
  }));
  return { ...result, series, header: { ...result.header, duration_ns: 3600e9 } };
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

function timed(...args) {
  return median(
    Array.from({ length: 5 }, () => {
      const begun = performance.now();
      run(program, directory, ...args);
      return performance.now() - begun;
    }),
  );
}

const server = spawn(program, ['serve', '--width', 'u16', '--listen', 'tcp://127.0.0.1:0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const target = await new Promise((done) =>
  server.stdout.once('data', (bytes) => done(/listening on (\S+)/.exec(bytes)[1])),
);
run(
  program,
  directory,
  'load',
  target,
  '--width',
  'u16',
  '--rate',
  '8k',
  '--duration',
  '10s',
  '--stages',
  '--arrivals',
  'poisson',
  '--json',
  'short.json',
);
server.kill('SIGTERM');
writeFileSync(join(directory, 'hour.json'), JSON.stringify(an_hour(read_json(join(directory, 'short.json')))));
const read = timed('report', 'hour.json');
const written = timed('report', 'hour.json', '--html', 'hour.html');
const browser = await launch();
const drawn = [];
for (let i = 0; i < 5; ++i) {
  const { page, close } = await open(browser, join(directory, 'hour.html'));
  drawn.push(
    await page.evaluate(
      () =>
        Number(document.documentElement.dataset.drawn) -
        performance.getEntriesByType('navigation')[0].domContentLoadedEventStart,
    ),
  );
  await close();
}
await browser.close();
console.log(
  `written in ${(written - read).toFixed(0)} ms, drawn ${median(drawn).toFixed(0)} ms after DOMContentLoaded, ${statSync(join(directory, 'hour.html')).size} bytes`,
);
rmSync(directory, { recursive: true });
