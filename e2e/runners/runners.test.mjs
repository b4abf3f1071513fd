// The runners of vectors/runners, each in its language: they pass against the reference server and fail against bugs of it.
//   HALLMARK=build/dev/hallmark node --test e2e/runners/runners.test.mjs
// Go has to be installed unless HALLMARK_WITHOUT_GO is set; then its tests are reported as skipped.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
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
  Python: { command: ['/usr/bin/python3', '-B', source('runner.py')], skip: false },
  JavaScript: { command: [process.execPath, source('runner.mjs')], skip: false },
  Go: { command: [go_runner], skip },
};

before(() => {
  if (!skip) execFileSync('go', ['build', '-o', go_runner, ...go_sources], { env: { ...process.env, GOFLAGS: '-mod=mod' } });
});
after(() => rmSync(directory, { recursive: true }));

test('a runner and its codec are short', () => {
  const expected = ['py', 'go', 'mjs'].flatMap((language) => [`codec.${language}`, `runner.${language}`]);
  assert.deepEqual(sources.sort(), expected.sort());
  for (const name of sources) {
    const lines = readFileSync(source(name), 'utf8').trimEnd().split('\n');
    assert.ok(lines.length <= 150, `${name} has ${lines.length} lines`);
    assert.deepEqual(lines.filter((line) => line.replaceAll('\t', '    ').length > 130), [], name);
  }
});

test('gofmt accepts the runner in Go', { skip }, () => {
  assert.equal(execFileSync('gofmt', ['-l', ...go_sources], { encoding: 'utf8' }), '');
});

/** Writes plain vectors; their path. */
function plain(spoken, ...options) {
  const [dialect, width] = spoken.split('/');
  const path = join(mkdtempSync(join(directory, 'plain-')), 'vectors.json');
  const of_width = width ? ['--width', width] : [];
  execFileSync(program, ['vectors', 'plain', '--dir', vectors, '--dialect', dialect, ...of_width, ...options, '--output', path]);
  return path;
}

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
  ['ttl.shown-rounded-up', /FAIL throttr-7\.1\/u16\/insert\/typical: /],
  ['ttl.minutes-as-seconds', /FAIL throttr-7\.1\/u16\/insert\/ttl-type-minutes: /],
  ['whoami.changes', /FAIL throttr-7\.1\/u16\/whoami\/same: /],
  ['channels.subscribers-off', /FAIL throttr-7\.1\/u16\/channels\/subscribed[a-z-]*: /],
];

test('plain vectors are as their schema says', () => {
  const schema = join(vectors, 'schema/plain.schema.json');
  const files = offline.flatMap((spoken) => [plain(spoken), plain(spoken, '--profile', 'literal')]);
  execFileSync(process.execPath, [join(root, 'e2e/validate.mjs'), schema, ...files]);
});

/** Copies plain vectors with a change to them. */
function changed(path, change) {
  const file = JSON.parse(readFileSync(path, 'utf8'));
  change(file);
  const copy = `${path}.changed`;
  writeFileSync(copy, JSON.stringify(file));
  return copy;
}

const of_id = (list, id) => list.find((one) => one.id === id);

/** Patterns, and those of which there is a choice. */
const patterns = (list) => list.flatMap((one) => [one, ...patterns(one.either ?? []), ...patterns(one.or ?? [])]);

for (const [language, { command, skip }] of Object.entries(languages)) {
  test(`${language} checks its codec against the vectors of each dialect`, { skip }, async () => {
    for (const spoken of offline) {
      for (const profile of ['deployed', 'literal']) {
        const { code, text, counts } = await play(command, plain(spoken, '--profile', profile));
        assert.equal(code, 0, text);
        assert.ok(counts.passed > 100, `${spoken}: ${text}`);
      }
    }
  });

  test(`${language} passes against the reference`, { skip }, () =>
    with_server(stream, async (target) => {
      const { code, text, counts } = await play(command, plain('throttr-7.1/u16'), target);
      assert.equal(code, 0, text);
      assert.ok(counts.passed > 150, text);
    }));

  test(`${language} passes against the reference over datagrams`, { skip }, () =>
    with_server(['--dialect', 'ratelimit-udp', '--listen', 'udp://127.0.0.1:0'], async (target) => {
      const { code, text } = await play(command, plain('ratelimit-udp'), target);
      assert.equal(code, 0, text);
    }));

  test(`${language} plays what applies under other answers`, { skip }, () =>
    with_server([...stream, '--reading', 'insert-existing=replaced'], async (target) => {
      const { code, text } = await play(command, plain('throttr-7.1/u16', '--reading', 'insert-existing=replaced'), target);
      assert.equal(code, 0, text);
      const released = await play(command, plain('throttr-7.1/u16'), target);
      assert.match(released.text, /FAIL throttr-7\.1\/u16\/insert\/existing/);
    }));

  for (const [bug, failure] of bugs) {
    test(`${language} finds ${bug}`, { skip }, () =>
      with_server([...stream, '--mutant', bug], async (target) => {
        const { code, text } = await play(command, plain('throttr-7.1/u16'), target);
        assert.equal(code, 1, text);
        assert.match(text, failure);
      }));
  }

  test(`${language} judges how much time has passed of a lifetime`, { skip }, () =>
    with_server(stream, async (target) => {
      // Hours pass between no two steps: 199 of the 200 hours are left. Each change makes only the condition beside it false.
      const hours = 'insert/ttl-type-hours';
      const changes = [
        [hours, 'remaining', { full: '300' }], // gone < most + unit
        [hours, 'remaining', { full: '199' }], // least <= gone + slack
        [hours, 'remaining', { full: '100' }], // more is left than there was: least <= gone + slack
        [hours, 'remaining', { unit: 1, slack: 3_600_000_000_000, confirmed: 0 }], // least < full
        ['insert/ttl-type-nanoseconds', 'over', { full: '3600000000000' }], // most >= full
      ];
      const original = plain('throttr-7.1/u16');
      for (const [name, match, change] of changes) {
        const id = `throttr-7.1/u16/${name}`;
        const path = changed(original, (file) => {
          file.vectors = [of_id(file.vectors, id)];
          const [pattern] = patterns(file.vectors[0].steps.at(-1).expect).filter((one) => one.match === match);
          Object.assign(pattern, change);
        });
        const { code, text } = await play(command, path, target);
        assert.equal(code, 1, `${name} ${JSON.stringify(change)}`);
        assert.ok(text.startsWith(`FAIL ${id}: `), text);
      }
    }));

  test(`${language} notices bytes that its codec does not write, read or refuse`, { skip }, async () => {
    const made = 'the codec makes of it ';
    const changes = {
      'throttr-7.1/u16/insert/typical': [({ steps }) => (steps[0].result = steps[0].result.replace(/^0107/, '0108')), made],
      'throttr-7.1/u16/insert/quota-max': [({ steps }) => (steps[0].encode.quota = '1'), made],
      'throttr-7.1/u16/insert/quota-one': [({ steps }) => (steps[1].result.quota = 1), made],
      'throttr-7.1/u16/insert/quota-zero': [({ steps }) => delete steps[0].encode.quota, ''],
      'throttr-7.1/u16/set/typical': [({ steps }) => (steps[1].result.value = ''), made],
      'invalid/INSERT/request/beyond:quota': [({ steps }) => (steps[0].encode.quota = '65535'), made],
      'invalid/QUERY/reply/surplus': [({ steps }) => (steps[0].decode = steps[0].decode.slice(0, -2)), made],
      'invalid/QUERY/reply/cut-inside:quota': [(one) => (one.refused = { ttl: 'truncated' }), 'quota'],
    };
    const original = plain('throttr-7.1/u16');
    for (const [id, [change, words]] of Object.entries(changes)) {
      const path = changed(original, ({ examples }) => change(of_id(examples, id)));
      const { code, text, counts } = await play(command, path);
      assert.equal(code, 1, id);
      assert.equal(counts.failed, 1, text);
      assert.ok(text.startsWith(`FAIL ${id}: ${words}`), text);
    }
  });

  test(`${language} says why there is no connection`, { skip }, async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address();
    await once(closed.close(), 'close');
    const path = changed(plain('throttr-7.1/u16'), (file) => file.vectors.splice(1));
    const { code, text, counts } = await play(command, path, `tcp://127.0.0.1:${port}`);
    assert.equal(code, 1);
    assert.equal(counts.failed, 1, text);
    assert.match(text, /^FAIL .*refused/i);
  });

  test(`${language} says how it is used`, { skip }, async () => {
    for (const args of [[], ['u16.json', 'tcp://127.0.0.1:9000', 'superfluous']]) {
      const { code, text } = await play(command, ...args);
      assert.equal(code, 2);
      assert.match(text, /tcp:\/\/HOST:PORT/);
    }
  });
}

/** Sends a byte of a reply every four seconds, and never as many as a runner waits for. */
function dribble(socket) {
  const timer = setInterval(() => socket.write('\x01'), 4000);
  socket.on('error', () => {});
  socket.on('close', () => clearInterval(timer));
}

test('runners wait ten seconds for a reply, and no longer', async (context) => {
  const path = changed(plain('throttr-7.1/u16'), (file) => {
    const query = of_id(file.vectors, 'throttr-7.1/u16/insert/typical').steps.slice(2);
    file.vectors = [{ id: 'query', cleanup: [], steps: [query[0], { ...query[1], expect: [] }] }];
  });
  const servers = [createServer(), createServer(dribble)].map((server) => server.listen(0, '127.0.0.1'));
  context.after(() => servers.forEach((server) => server.close()));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const played = Object.values(languages)
    .filter((one) => !one.skip)
    .flatMap(({ command }) => servers.map((server) => timed(command, path, `tcp://127.0.0.1:${server.address().port}`)));
  for (const { code, text, counts, seconds } of await Promise.all(played)) {
    assert.equal(code, 1, text);
    assert.equal(counts.failed, 1, text);
    assert.match(text, /^FAIL query: .*(time|ten seconds)/);
    assert.ok(seconds >= 10 && seconds < 20, `${seconds} s`);
  }
});

/** Runs a runner, and measures the time. */
async function timed(...args) {
  const started = performance.now();
  const played = await play(...args);
  return { ...played, seconds: (performance.now() - started) / 1000 };
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
  const { dialects, vectors: of, layouts, plain: plain_of, manifest } = await import(join(output, 'npm/index.mjs'));
  assert.ok(dialects.includes('throttr-7.1'));
  assert.ok(of('throttr-7.1', 'u16').some(({ id }) => id === 'throttr-7.1/{width}/insert/typical'));
  assert.equal(layouts('throttr-7.1', 'u16').messages[0].fields[1].size, 2);
  assert.equal(plain_of('throttr-7.1', 'u16').width, 'u16');
  assert.equal(plain_of('throttr-7.1', 'u16', 'literal').answers['status-prefix'], 'no');
  assert.equal(plain_of('ratelimit-udp').dialect, 'ratelimit-udp');
  assert.ok(manifest.files.length > 100);
});
