#!/usr/bin/env node
// How long the page of an hour takes: 3,600 seconds with full histograms, written and drawn.
//   node e2e/pages/speed.mjs [build/release/hallmark]

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launch, open } from './browser.mjs';
import { an_hour, read_json, root, run, serve } from './samples.mjs';

const program = resolve(process.argv[2] ?? join(root, 'build/release/hallmark'));
const directory = mkdtempSync(join(tmpdir(), 'hallmark-speed-'));

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function timed(...args) {
  const took = [];
  for (let i = 0; i < 5; ++i) {
    const begun = performance.now();
    await run(program, directory, ...args);
    took.push(performance.now() - begun);
  }
  return median(took);
}

const server = await serve(program);
const options = '--width u16 --rate 8k --duration 10s --stages --arrivals poisson --json short.json';
await run(program, directory, 'load', server.target, ...options.split(' '));
server.stop();
writeFileSync(join(directory, 'hour.json'), JSON.stringify(an_hour(read_json(join(directory, 'short.json')))));
const read = await timed('report', 'hour.json');
const written = await timed('report', 'hour.json', '--html', 'hour.html');
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
