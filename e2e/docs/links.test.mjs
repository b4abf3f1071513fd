// Every page is in the index of docs/README.md, and every relative link of README.md and docs/ leads somewhere.
//   node --test e2e/docs/links.test.mjs
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { anchorsOf, linesOf, linksOf, pagePaths, root } from './pages.mjs';

const index = 'docs/README.md';

test('every page is in the index once, with one sentence', () => {
  const listed = linesOf(index)
    .map((line) => line.match(/^\| \[[^\]]+\]\(([^)]+)\) \| (.+) \|$/))
    .filter(Boolean)
    .map(([, link, sentence]) => ({ page: join('docs', link), sentence }));
  // The decisions have an index of their own.
  const pages = pagePaths().filter((path) => path !== index && !/^docs\/decisions\/\d/.test(path));
  assert.deepEqual(listed.map(({ page }) => page).sort(), pages.sort());
  for (const { page, sentence } of listed) assert.match(sentence, /^[A-Z].*\.$/, `the sentence about ${page}`);
});

test('the groups of the index are learn, do, look up, understand', () => {
  const groups = linesOf(index).filter((line) => line.startsWith('## '));
  assert.deepEqual(groups, ['## Learn', '## Do', '## Look up', '## Understand']);
});

test('every relative link leads to a file, and every anchor to a heading', () => {
  const broken = [];
  let checked = 0;
  for (const path of pagePaths()) {
    for (const { line, link, target, anchor } of linksOf(path)) {
      ++checked;
      if (!existsSync(join(root, target))) broken.push(`${path}:${line}: ${link}: there is no ${target}`);
      else if (anchor && !anchorsOf(target).has(anchor)) {
        broken.push(`${path}:${line}: ${link}: ${target} has no heading #${anchor}`);
      }
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(checked > 200, `only ${checked} links were found`);
});

test('the glossary has at most 30 terms, in the order of the alphabet, each in one or two sentences', () => {
  const rows = linesOf('docs/glossary.md')
    .map((line) => line.match(/^\| ([^|]+) \| (.+) \|$/))
    .filter((row) => row && row[1] !== 'term');
  const terms = rows.map((row) => row[1]);
  assert.ok(terms.length > 0 && terms.length <= 30, `${terms.length} terms`);
  assert.deepEqual(terms, [...terms].sort());
  for (const [, term, text] of rows) {
    const sentences = text.match(/\.( |$)/g)?.length ?? 0;
    assert.ok(sentences >= 1 && sentences <= 2, `${term}: ${sentences} sentences`);
  }
});

test('every page begins with a heading', () => {
  for (const path of pagePaths().filter((page) => page.startsWith('docs/'))) {
    assert.notEqual(linesOf(path)[0].match(/^# ./), null, `${basename(path)} of ${dirname(path)} has no heading`);
  }
});
