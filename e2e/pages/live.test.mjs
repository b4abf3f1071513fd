// The page of a run while it lasts, in a real browser.
//   HALLMARK=build/dev/hallmark node --test e2e/pages/live.test.mjs

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, visit } from './browser.mjs';
import { checks } from './in_page.mjs';
import { read_json, root, serve, start } from './samples.mjs';

const program = resolve(process.env.HALLMARK ?? join(root, 'build/dev/hallmark'));
// Built where MPI is found.
const ranks_program = join(dirname(program), 'hallmark-mpi');
const directory = mkdtempSync(join(tmpdir(), 'hallmark-live-'));
const file = (name) => join(directory, name);
let browser;
let server;
const runs = [];

before(async () => {
  server = await serve(program);
  browser = await launch();
});

after(async () => {
  server?.signal('SIGCONT');
  server?.stop();
  // Those of tests that failed go on: no test waits for them.
  for (const run of runs) run.signal('SIGTERM');
  await browser?.close();
  rmSync(directory, { recursive: true });
});

/** Starts a run with a live page: {url, signal, ended}, `ended` being its exit code. */
async function watched(...args) {
  const run = await start(program, directory, /the run is at (\S+)/, [...args, '--live', '0']);
  runs.push(run);
  return run;
}

/** What a new reader of a live page is told first, or why nothing; cut off. */
async function told_now(page) {
  try {
    const { body } = await fetch(new URL('events', page.url()), { signal: AbortSignal.timeout(5_000) });
    const { value } = await body.getReader().read();
    return new TextDecoder().decode(value).slice(0, 400);
  } catch (error) {
    return error.message;
  }
}

/**
 * Waits until that is so on the page, by the clock: on a busy machine a browser may draw no frames for long. If it
 * never is, the error says what the page says, and what a new reader is told.
 */
async function awaited(page, condition, argument) {
  try {
    await page.waitForFunction(condition, argument, { timeout: 60_000, polling: 100 });
  } catch (error) {
    const told = await told_now(page);
    const [state, ...texts] = await page.evaluate(() => [
      document.documentElement.dataset.live,
      ...[...document.querySelectorAll('.verdict, [role=status], summary')].map((one) => one.textContent),
    ]);
    throw new Error(`${error.message} The page is ${state}: ${texts.join(' | ')}. A new reader is told: ${told}`);
  }
}

const state_is = (page, state) => awaited(page, (state) => document.documentElement.dataset.live === state, state);

/** Waits until the page shows so many seconds of the run. */
const shows_seconds = (page, count) =>
  awaited(
    page,
    (count) => {
      const folded = [...document.querySelectorAll('summary')].find((one) => /^Numbers of/.test(one.textContent));
      return folded && Number(/\d+/.exec(folded.textContent)[0]) >= count;
    },
    count,
  );

test('a load is followed by several readers, one of whom vanishes, and ends with its report', async () => {
  const run = await watched('load', server.target, '--rate', '1k', '--duration', '10m', '--json', 'load.json');
  const { page, complaints } = await visit(browser, run.found);
  await shows_seconds(page, 2);
  const { page: vanishing, close } = await visit(browser, run.found);
  await shows_seconds(vanishing, 2);
  await close();
  await page.reload();
  await shows_seconds(page, 3);
  const charts = await page.evaluate(checks.charts);
  assert.ok(charts.length > 0);
  for (const { title, inked } of charts) assert.ok(inked > 500, `${title}: ${inked} pixels are drawn`);
  assert.match(await page.textContent('.verdict'), /^RUNNING[0-9]+ s of 600 s$/);
  run.signal('SIGINT');
  await state_is(page, 'over');
  // A machine so slow that requests time out fails the run.
  assert.ok([1, 4].includes(await run.ended));
  const { counts } = read_json(file('load.json'));
  assert.doesNotMatch(await page.textContent('.verdict'), /RUNNING/);
  assert.match(await page.textContent('.figures'), new RegExp(`of ${counts.planned.toLocaleString('en')} planned`));
  assert.deepEqual(complaints, []);
});

test('what a reader has opened stays open', async () => {
  const run = await watched('load', server.target, '--rate', '1k', '--duration', '10m');
  const { page } = await visit(browser, run.found);
  await shows_seconds(page, 2);
  const rows = () => page.locator('table[aria-label="Seconds of the run"] tbody tr').count();
  await page.getByText(/^Numbers of/).click();
  // The table is made when its summary is opened, and a browser says that later.
  await page.locator('table[aria-label="Seconds of the run"] tbody tr').nth(1).waitFor();
  const before = await rows();
  await shows_seconds(page, before + 1);
  assert.ok((await rows()) > before);
  run.signal('SIGINT');
  await state_is(page, 'over');
  assert.ok((await rows()) > before);
  await run.ended;
});

test('a certification is followed, and ends with its report', async () => {
  server.signal('SIGSTOP');
  const run = await watched('certify', server.target, '--width', 'u16', '--deadline', '60s', '--json', 'certified.json');
  const { page, complaints } = await visit(browser, run.found);
  await state_is(page, 'running');
  server.signal('SIGCONT');
  await state_is(page, 'over');
  assert.equal(await run.ended, 0);
  const { cases } = read_json(file('certified.json'));
  assert.equal(await page.locator('table[aria-label="Cases"] tbody tr').count(), cases.length);
  assert.match(await page.textContent('.verdict'), /^CERTIFIED/);
  assert.deepEqual(complaints, []);
});

test('a run that dies leaves what was known, and says so', async () => {
  const run = await watched('load', server.target, '--rate', '1k', '--duration', '10m');
  const { page } = await visit(browser, run.found);
  await shows_seconds(page, 1);
  run.signal('SIGKILL');
  await state_is(page, 'lost');
  assert.match(await page.textContent('[role=status]'), /cannot be reached any more/);
});

test('a load of two ranks is followed at rank 0', { skip: !existsSync(ranks_program) }, async () => {
  const run = await start('mpirun', directory, /the run is at (\S+)/, [
    ...['--allow-run-as-root', '--oversubscribe', '--mca', 'btl', 'self,vader', '--mca', 'oob_tcp_if_include', 'lo'],
    ...['-n', '2', ranks_program, 'load', server.target, '--rate', '1k', '--duration', '10m'],
    ...['--live', '0', '--json', 'ranks.json'],
  ]);
  runs.push(run);
  const { page, complaints } = await visit(browser, run.found);
  await shows_seconds(page, 2);
  const [rank] = readFileSync(`/proc/${run.pid}/task/${run.pid}/children`, 'utf8').split(' ');
  process.kill(Number(rank), 'SIGINT');
  await state_is(page, 'over');
  await run.ended;
  assert.match(await page.textContent('pre.command'), /^hallmark-mpi load tcp:/);
  const { counts, ranks } = read_json(file('ranks.json'));
  assert.match(await page.textContent('.figures'), new RegExp(`of ${counts.planned.toLocaleString('en')} planned`));
  const rows = await page.evaluate(checks.table, ['Ranks']);
  assert.deepEqual(
    rows.map(([rank, , , answered]) => [Number(rank), Number(answered.replaceAll(',', ''))]),
    ranks.map(({ rank, counts }) => [rank, counts.completed]),
  );
  assert.equal(ranks[0].counts.completed + ranks[1].counts.completed, counts.completed);
  const charts = await page.evaluate(checks.charts);
  assert.ok(charts.find(({ title }) => title.startsWith('Latency of each rank')).inked > 500);
  assert.deepEqual(complaints, []);
});

test('an address in use is one line', async () => {
  const run = await watched('load', server.target, '--rate', '1k', '--duration', '10m');
  const at = new URL(run.found).host;
  const refused = await start(program, directory, /(--live \S+: Address already in use.*)\n/, [
    'load',
    server.target,
    '--live',
    at,
  ]);
  assert.equal(await refused.ended, 2);
  run.signal('SIGKILL');
  await run.ended;
});
