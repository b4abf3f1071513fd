#!/usr/bin/env node
// Takes the pictures of docs/pictures: makes a page of each kind and photographs it.
//   node e2e/pages/pictures.mjs [build/release/hallmark]

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { launch, open } from './browser.mjs';
import { make_samples, root } from './samples.mjs';

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
];

const directory = mkdtempSync(join(tmpdir(), 'hallmark-pictures-'));
mkdirSync(pictures, { recursive: true });
await make_samples(program, directory, { long: true });
const browser = await launch();
for (const [name, kind, place, height, options] of shots) {
  const { page, close } = await open(browser, join(directory, `${kind}.html`), { height, hash: place, ...options });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await close();
  console.log(`docs/pictures/${name}.png`);
}
await browser.close();
rmSync(directory, { recursive: true });
