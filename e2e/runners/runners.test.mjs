// The runners of vectors/runners, each in its language: they pass against the reference server and fail against bugs of it.
//   HALLMARK=build/dev/hallmark node --test e2e/runners/runners.test.mjs
// Go has to be installed unless HALLMARK_WITHOUT_GO is set; then its tests are reported as skipped.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { root, start } from '../pages/samples.mjs';

const program = resolve(process.env.HALLMARK ?? join(root, 'build/dev/hallmark'));
const directory = mkdtempSync(join(tmpdir(), 'hallmark-runners-'));
const vectors = join(root, 'vectors');
const source = (name) => join(vectors, 'runners', name);
const sources = readdirSync(source('')).filter((name) => /\.(py|go|mjs)$/.test(name));
const go_sources = sources.filter((name) => name.endsWith('.go')).map(source);
const go_runner = join(directory, 'runner');
const without_go = spawnSync('go', ['version']).error !== undefined;
const skip = without_go && process.env.HALLMARK_WITHOUT_GO ? 'Go is not installed' : false;

const languages = {
  Python: { command: ['python3', '-B', source('runner.py')], skip: false },
  JavaScript: { command: [process.execPath, source('runner.mjs')], skip: false },
  Go: { command: [go_runner], skip },
};

before(() => {
  if (!skip) execFileSync('go', ['build', '-o', go_runner, ...go_sources], { env: { ...process.env, GOFLAGS: '-mod=mod' } });
});
after(() => rmSync(directory, { recursive: true }));

test('the runners have the same files in each language, short ones', () => {
  const parts = ['codec', 'matching', 'playing', 'runner', 'vectors'];
  assert.deepEqual(sources.sort(), parts.flatMap((part) => [`${part}.go`, `${part}.mjs`, `${part}.py`]));
  for (const name of sources) {
    const lines = readFileSync(source(name), 'utf8').trimEnd().split('\n');
    assert.ok(lines.length <= 150, `${name} has ${lines.length} lines`);
    assert.deepEqual(lines.filter((line) => line.replaceAll('\t', '    ').length > 130), [], name);
  }
});

test('gofmt accepts the runner in Go', { skip }, () => {
  assert.equal(execFileSync('gofmt', ['-l', ...go_sources], { encoding: 'utf8' }), '');
});

/** Runs a runner to its end: {code, text, counts}. */
function play(command, ...args) {
  return new Promise((done) => {
    execFile(command[0], [...command.slice(1), ...args], { timeout: 240_000, maxBuffer: 1 << 26 }, (error, out, err) => {
      const [, passed, failed, skipped] = /(\d+) passed, (\d+) failed, (\d+) skipped\n$/.exec(out) ?? [];
      done({ code: error ? error.code : 0, text: out + err, counts: { passed: +passed, failed: +failed, skipped: +skipped } });
    });
  });
}

async function with_server(args, use) {
  const { found, signal, ended } = await start(program, directory, /listening on (\S+)/, ['serve', ...args]);
  try {
    return await use(found);
  } finally {
    signal('SIGTERM');
    await ended;
  }
}

const stream = ['--dialect', 'throttr-7.1', '--width', 'u16', '--listen', 'tcp://127.0.0.1:0'];
const offline = ['throttr-2.0/u64', 'throttr-6.0/u8', 'throttr-7.1/u16', 'throttr-7.3/u64', 'ratelimit-udp', 'ratelimit-state'];
const bugs = [
  ['update.increase-replaces', /FAIL throttr-7\.1\/u16\/update\/quota-increase: /],
  ['list.last-lost', /FAIL throttr-7\.1\/u16\/list\/fragments[a-z-]*: /],
  ['channels.subscribers-off', /FAIL throttr-7\.1\/u16\/channels\/subscribed[a-z-]*: /],
];

for (const [language, { command, skip }] of Object.entries(languages)) {
  test(`${language} checks its codec against the vectors of each dialect`, { skip }, async () => {
    for (const spoken of offline) {
      const { code, text, counts } = await play(command, vectors, spoken);
      assert.equal(code, 0, text);
      assert.ok(counts.passed > 100, `${spoken}: ${text}`);
    }
  });

  test(`${language} passes against the reference`, { skip }, () =>
    with_server(stream, async (target) => {
      const { code, text, counts } = await play(command, vectors, 'throttr-7.1/u16', target);
      assert.equal(code, 0, text);
      assert.ok(counts.passed > 150, text);
    }));

  test(`${language} passes against the reference over datagrams`, { skip }, () =>
    with_server(['--dialect', 'ratelimit-udp', '--listen', 'udp://127.0.0.1:0'], async (target) => {
      const { code, text } = await play(command, vectors, 'ratelimit-udp', target);
      assert.equal(code, 0, text);
    }));

  test(`${language} plays what applies under other answers`, { skip }, () =>
    with_server([...stream, '--reading', 'insert-existing=replaced'], async (target) => {
      const { code, text } = await play(command, vectors, 'throttr-7.1/u16', target, 'insert-existing=replaced');
      assert.equal(code, 0, text);
    }));

  for (const [bug, failure] of bugs) {
    test(`${language} finds ${bug}`, { skip }, () =>
      with_server([...stream, '--mutant', bug], async (target) => {
        const { code, text } = await play(command, vectors, 'throttr-7.1/u16', target);
        assert.equal(code, 1, text);
        assert.match(text, failure);
      }));
  }

  test(`${language} refuses bytes that its codec does not write`, { skip }, async () => {
    const copy = mkdtempSync(join(directory, 'copy-'));
    cpSync(vectors, copy, { recursive: true, filter: (path) => !/\/(format|generator|captured)$/.test(path) });
    const path = join(copy, 'throttr-7.1/insert.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"u16": "010700043c00', '"u16": "010800043c00'));
    const { code, text } = await play(command, copy, 'throttr-7.1/u16');
    assert.equal(code, 1);
    assert.match(text, /FAIL throttr-7\.1\/u16\/insert\/typical: .*codec/);
  });

  test(`${language} says how it is used`, { skip }, async () => {
    const { code, text } = await play(command);
    assert.equal(code, 2);
    assert.match(text, /VECTORS DIALECT/);
  });
}

test('the npm package is accepted, and gives the vectors', async () => {
  const output = join(directory, 'packed');
  execFileSync(program, ['vectors', 'pack', '--vectors', vectors, '--output', output]);
  const [listed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: join(output, 'npm'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  assert.equal(listed.name, 'hallmark-vectors');
  assert.ok(listed.files.some(({ path }) => path === 'vectors/throttr-7.1/insert.json'));
  for (const name of sources) assert.ok(listed.files.some(({ path }) => path === `vectors/runners/${name}`), name);
  const { dialects, vectors: of, layouts, manifest } = await import(join(output, 'npm/index.mjs'));
  assert.ok(dialects.includes('throttr-7.1'));
  assert.ok(of('throttr-7.1', 'u16').some(({ id }) => id === 'throttr-7.1/{width}/insert/typical'));
  assert.equal(layouts('throttr-7.1', 'u16').messages[0].fields[1].size, 2);
  assert.ok(manifest.files.length > 100);
});
