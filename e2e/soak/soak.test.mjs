// Soaks of less than a minute: one where all is well, ones where a server has a bug, and one that is interrupted.
//   HALLMARK=build/gate/hallmark node --test e2e/soak/soak.test.mjs
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { growth } from './bounds.mjs';
import { checkLoad } from './checks.mjs';
import { root } from './options.mjs';

const hallmark = resolve(process.env.HALLMARK ?? join(root, 'build/gate/hallmark'));
const [minute, fortySeconds, twentySeconds, tenSeconds] = ['0.0168', '0.0112', '0.0056', '0.0028'];

/** A soak with a temporary directory of its own: {code, out, left, report}; `interruptAt`: SIGINT when this is printed. */
function soak(args, interruptAt = null) {
  const directory = mkdtempSync(join(tmpdir(), 'hallmark-soak-test-'));
  // PostgreSQL runs as another user.
  chmodSync(directory, 0o711);
  const json = join(directory, 'soak.json');
  const child = spawn(join(root, 'soak'), [...args, '--minute', '3', '--seed', '1', '--program', hallmark, '--json', json],
    { env: { ...process.env, TMPDIR: directory } });
  return new Promise((done) => {
    let out = '';
    const read = (bytes) => {
      out += bytes;
      if (interruptAt?.test(out)) {
        interruptAt = null;
        child.kill('SIGINT');
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', (code) => {
      const report = existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : null;
      rmSync(json, { force: true });
      const left = [...readdirSync(directory), ...processesOf(directory)];
      rmSync(directory, { recursive: true, force: true });
      done({ code, out, left, report });
    });
  });
}

/** The processes whose command line or environment names the directory. */
function processesOf(directory) {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid)).filter((pid) => {
    try {
      return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(directory));
    } catch {
      return false;
    }
  });
}

test('a soak of forty seconds finds nothing', async () => {
  const { code, out, left, report } = await soak([fortySeconds]);
  assert.equal(code, 0, out);
  assert.deepEqual(left, []);
  assert.match(out, /^DONE {2}\d+ rounds/m);
  assert.ok(report.minutes.length >= 10 && report.minutes.at(-1).certifications > 0, out);
  for (const kind of ['kill', 'pause', 'reset', 'few descriptors']) assert.ok(report.faults[kind] > 0, `no ${kind}\n${out}`);
});

for (const [bug, what] of [['leak.memory', 'allocated memory'], ['leak.descriptors', 'descriptors'], ['leak.threads', 'threads']]) {
  test(`a server with ${bug} is found to grow`, async () => {
    const args = ['--only', 'plain', '--mutant', bug];
    let { code, out } = await soak([twentySeconds, ...args]);
    // On a busy machine fewer rounds fit into the time, and fewer connections leak.
    if (code === 0) ({ code, out } = await soak([minute, ...args]));
    assert.equal(code, 1, out);
    assert.match(out, new RegExp(`^GREW {2}serve: ${what} grew`, 'm'));
  });
}

test('a server that does not count is found', async () => {
  const { code, out } = await soak([tenSeconds, '--mutant', 'info.requests-frozen']);
  assert.equal(code, 1, out);
  assert.match(out, /^DISAGREES {2}streams\/\w+: .*the server counted/m);
});

test('a soak that is interrupted leaves nothing behind', async () => {
  const begun = Date.now();
  const { code, out, left } = await soak([fortySeconds], /minute 1/);
  assert.equal(code, 4, out);
  assert.match(out, /^INTERRUPTED {2}/m);
  assert.deepEqual(left, []);
  assert.ok(Date.now() - begun < 30_000, 'it took its time');
});

test('growth is what goes on after the warm-up', () => {
  const minutes = (rss) => Array.from({ length: 60 }, (_, at) => ({ rss: rss(at), data: 50_000, fds: 10, threads: 2 }));
  assert.deepEqual(growth({ serve: minutes(() => 20_000) }, 60), []);
  assert.deepEqual(growth({ serve: minutes((at) => (at < 10 ? 1000 * at : 20_000)) }, 60), []);
  assert.deepEqual(growth({ serve: minutes((at) => 20_000 + 50 * at) }, 60), []);
  assert.deepEqual(growth({ serve: minutes((at) => (at < 40 ? 20_000 : 40_000)) }, 60), []);
  assert.deepEqual(growth({ serve: minutes((at) => (at % 3 ? 40_000 : 20_000)) }, 60), []);
  assert.equal(growth({ serve: minutes((at) => (at < 40 ? 20_000 : 90_000)) }, 60).length, 1);
  assert.equal(growth({ serve: minutes((at) => 20_000 + 200 * at) }, 60).length, 1);
  assert.deepEqual(growth({ serve: minutes((at) => 5000 * at).slice(0, 8) }, 60), []);
});

test('a load whose counts do not add up, or whose exit code is wrong, is told', () => {
  const counts = { planned: 3, completed: 2, timed_out: 1, shed: 0, failed: 0 };
  const result = { exit_code: 1, counts, operations: [{ operation: 'query', counts }], series: [{ completed: 2 }] };
  assert.deepEqual(checkLoad({ code: 1 }, result), []);
  assert.ok(checkLoad({ code: 0 }, result).length > 0);
  const lost = { ...counts, planned: 4 };
  assert.ok(checkLoad({ code: 1 }, { ...result, counts: lost, operations: [{ operation: 'query', counts: lost }] }).length > 0);
  assert.ok(checkLoad({ code: 1 }, { ...result, series: [{ completed: 1 }] }).length > 0);
});
