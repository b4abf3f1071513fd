#!/usr/bin/env node
// Takes the pictures of docs/pictures: makes a page of each kind and photographs it.
//   node e2e/pages/pictures.mjs [build/release/hallmark [NAME…]]

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launch, open } from './browser.mjs';
import { make_samples, root, serve } from './samples.mjs';

const program = resolve(process.argv[2] ?? join(root, 'build/release/hallmark'));
const pictures = join(root, 'docs/pictures');
// [name, page, place on it, height, options]
const shots = [
  ['load', 'load', '', 1220, {}],
  ['load-over-time', 'load', 'part-time', 860, { scheme: 'dark' }],
  ['load-without-replies', 'silent', '', 1000, {}],
  ['load-phone', 'load', '', 1500, { width: 390 }],
  ['search', 'search', '', 1000, {}],
  ['versus', 'versus', '', 800, {}],
  ['certify', 'failed', '', 1300, {}],
  ['certify-clauses', 'failed', 'part-clauses', 900, { scheme: 'dark' }],
  ['changes', 'changes', '', 900, {}],
  ['kills', 'kills', '', 900, {}],
  ['audit', 'audit', '', 1150, {}],
  ['client', 'client', '', 1300, {}],
];

/** What a terminal shows in the middle of a load. */
async function terminal_frame() {
  const server = await serve(program);
  const command = `stty cols 84 rows 24; TERM=xterm ${program} load ${server.target} --rate 20k --duration 45s`;
  const terminal = spawn('script', ['-qfec', command, '/dev/null']);
  let text = '';
  terminal.stdout.setEncoding('utf8').on('data', (bytes) => {
    text += bytes;
  });
  await new Promise((resolve) => terminal.on('exit', resolve));
  server.stop();
  // Each frame goes back to its first line; the last one makes room for the report.
  const frames = text.split('\u001b[5A\r\u001b[J');
  return frames.at(-8).replace(/\u001b\[[0-9]*[A-Za-z]|\r/g, '');
}

/** Photographs text as a terminal shows it. */
async function photograph_terminal(browser, text, path) {
  const page = await browser.newPage({ viewport: { width: 760, height: 190 } });
  await page.evaluate((text) => {
    Object.assign(document.body.style, { background: '#14171c', color: '#e6e8eb', margin: '0', padding: '18px' });
    const screen = document.createElement('pre');
    Object.assign(screen.style, { margin: '0', font: '14px/1.5 "DejaVu Sans Mono", monospace' });
    screen.textContent = `$ hallmark load tcp://127.0.0.1:9000 --rate 20k --duration 45s\n${text}`;
    document.body.append(screen);
  }, text);
  await page.screenshot({ path });
  await page.close();
}

const names = process.argv.slice(3);
const wanted = (name) => names.length === 0 || names.includes(name);
const directory = mkdtempSync(join(tmpdir(), 'hallmark-pictures-'));
mkdirSync(pictures, { recursive: true });
const pages = shots.filter(([name]) => wanted(name));
if (pages.length) await make_samples(program, directory, { long: true });
const browser = await launch();
for (const [name, kind, place, height, options] of pages) {
  const { page, close } = await open(browser, join(directory, `${kind}.html`), { height, hash: place, ...options });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await close();
  console.log(`docs/pictures/${name}.png`);
}
if (wanted('terminal')) {
  await photograph_terminal(browser, await terminal_frame(), join(pictures, 'terminal.png'));
  console.log('docs/pictures/terminal.png');
}
await browser.close();
rmSync(directory, { recursive: true });
