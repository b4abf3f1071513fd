#!/usr/bin/env node
// Serves every dialect at every width under both profiles, and holds the judges to it: `certify` finds
// nothing, `identify` names it, and `certify` as anything else fails with the right explanation. The
// dialect of datagrams is certified directly, and over paths that lose, double and reorder.
//   node e2e/matrix.mjs [--preset NAME] [--sample] [--no-cross]
// --sample: one width of each dialect and profile, and of the mistaken certifications a few.
// The last line is "N passed, N failed"; exit code 0 when nothing failed.

import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const widths = ['u8', 'u16', 'u32', 'u64'];
const dialects = {
  'throttr-2.0': ['u64'],
  'throttr-6.0': widths,
  'throttr-7.1': widths,
  'throttr-7.3': widths,
};
/** Each dialect with those whose released form it holds whole. */
const contains = { 'throttr-7.1': ['throttr-6.0'], 'throttr-7.3': ['throttr-6.0'] };
const identifyLimitMs = 500;

function readArguments() {
  const options = { preset: 'dev', sample: false, cross: true };
  const given = process.argv.slice(2);
  while (given.length > 0) {
    const option = given.shift();
    if (option === '--preset' && given.length > 0) options.preset = given.shift();
    else if (option === '--sample') options.sample = true;
    else if (option === '--no-cross') options.cross = false;
    else {
      console.error(`matrix: unknown option '${option}'; allowed: --preset NAME, --sample, --no-cross`);
      process.exit(2);
    }
  }
  return options;
}

const options = readArguments();
const program = join(root, 'build', options.preset, 'hallmark');
const scratch = mkdtempSync(join(tmpdir(), 'hallmark-matrix-'));
let passed = 0;
const complaints = [];

/** Judges what belongs to the suite of that name. */
function judge(name, holds, what) {
  if (holds) passed += 1;
  else complaints.push({ name, what });
}

function verdictOn(name) {
  const failed = complaints.filter((one) => one.name === name).length;
  return failed === 0 ? 'as expected' : `${failed} FAILED`;
}

function run(...args) {
  const started = process.hrtime.bigint();
  return new Promise((resolve) => {
    execFile(program, args, { encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      resolve({ status: error ? error.code : 0, text: `${stdout}${stderr}`, ms });
    });
  });
}

/** A command that says where it listens, and goes on until it is stopped. */
function listen(...args) {
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      const listening = /listening on (\S+)/.exec(text);
      if (listening) resolve({ target: listening[1], stop: () => stop(server) });
    });
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
}

function serve(suite) {
  return listen('serve', '--dialect', suite.dialect, '--width', suite.width, '--profile', suite.profile,
    '--listen', 'tcp://127.0.0.1:0', '--info-version', '0.0.0');
}

function stop(server) {
  return new Promise((resolve) => {
    server.removeAllListeners('exit');
    server.on('exit', resolve);
    server.kill('SIGTERM');
  });
}

let results = 0;

async function certify(target, suite, profile) {
  const json = join(scratch, `${results++}.json`);
  const ran = await run('certify', target, '--dialect', suite.dialect, '--width', suite.width,
    '--profile', profile, '--json', json);
  let summary = null;
  try {
    summary = JSON.parse(readFileSync(json, 'utf8')).summary;
    rmSync(json);
  } catch { /* no result was written: the status says why */ }
  return { ...ran, summary };
}

/** Certified as itself: pinned to its profile, and with the readings that the target shows. */
async function certifyAsItself(target, suite) {
  let ms = 0;
  let cases = 0;
  for (const profile of [suite.profile, 'auto']) {
    const ran = await certify(target, suite, profile);
    judge(suite.name, ran.status === 0, `certify ${suite.name} --profile ${profile}: exit ${ran.status}\n${ran.text}`);
    ms += ran.ms;
    cases += ran.summary?.pass ?? 0;
  }
  return { ms, cases };
}

async function identify(target, suite) {
  const ran = await run('identify', target, '--json');
  let found = {};
  try { found = JSON.parse(ran.text); } catch { /* judged below */ }
  judge(suite.name, ran.status === 0 && found.header?.dialect === suite.dialect &&
    found.header.width === suite.width,
    `identify ${suite.name}: exit ${ran.status}\n${ran.text}`);
  judge(suite.name, ran.ms < identifyLimitMs, `identify ${suite.name}: ${ran.ms.toFixed(0)} ms`);
  return ran.ms;
}

/** Certified as something else. */
async function certifyMistaken(target, suite, claimed) {
  const ran = await certify(target, claimed, 'auto');
  const contained = claimed.width === suite.width &&
    (contains[suite.dialect] ?? []).includes(claimed.dialect);
  const explanation = contained
    ? `${claimed.dialect} is contained in ${suite.dialect}, which the target speaks`
    : `the target answers as ${suite.dialect} ${suite.width}: --dialect ${suite.dialect} --width ${suite.width}`;
  const what = `certify ${suite.name} as ${claimed.dialect} ${claimed.width}`;
  judge(suite.name, ran.status === (contained ? 0 : 1), `${what}: exit ${ran.status}\n${ran.text}`);
  judge(suite.name, ran.text.includes(explanation), `${what}: does not say "${explanation}"\n${ran.text}`);
  return ran.ms;
}

function allSuites() {
  const all = [];
  for (const [dialect, its] of Object.entries(dialects)) {
    for (const width of its) {
      for (const profile of ['deployed', 'literal']) {
        all.push({ dialect, width, profile, name: `${dialect} ${width} ${profile}` });
      }
    }
  }
  return all;
}

/** A width a dialect and profile, not the same one everywhere. */
function sampleOf(all) {
  const chosen = { 'throttr-2.0': ['u64', 'u64'], 'throttr-6.0': ['u8', 'u32'],
    'throttr-7.1': ['u64', 'u16'], 'throttr-7.3': ['u16', 'u8'] };
  return all.filter(({ dialect, width, profile }) =>
    chosen[dialect][profile === 'deployed' ? 0 : 1] === width);
}

/** The others; of a sample, the other dialects at one width, and one other width. */
function mistakesAbout(suite, all) {
  const others = all.filter((one) => one.profile === 'deployed' &&
    (one.dialect !== suite.dialect || one.width !== suite.width));
  if (!options.sample) return others;
  const sameWidth = others.filter(({ width }) => width === suite.width);
  const otherWidth = others.filter(({ dialect }) => dialect === suite.dialect).slice(0, 1);
  return [...sameWidth, ...otherWidth];
}

async function play(suite, all) {
  const server = await serve(suite);
  try {
    const { ms, cases } = await certifyAsItself(server.target, suite);
    const identifyMs = await identify(server.target, suite);
    const mistakes = options.cross ? mistakesAbout(suite, all) : [];
    let mistakenMs = 0;
    for (const claimed of mistakes) mistakenMs += await certifyMistaken(server.target, suite, claimed);
    console.log(`${suite.name.padEnd(27)} ${String(cases).padStart(5)} cases twice ` +
      `${(ms / 1000).toFixed(1).padStart(5)} s   identify ${identifyMs.toFixed(0).padStart(4)} ms   ` +
      `as ${String(mistakes.length).padStart(2)} others ${(mistakenMs / 1000).toFixed(1).padStart(5)} s   ` +
      verdictOn(suite.name));
  } finally {
    await server.stop();
  }
}

async function certifyDatagrams(name, what, target, profile) {
  const ran = await run('certify', target, '--profile', profile, '--rules', join(root, 'docs/example.rules'),
    '--estimator', 'exponential');
  judge(name, ran.status === 0, `certify ${what} --profile ${profile}: exit ${ran.status}\n${ran.text}`);
  return ran.ms;
}

/** Directly, and through as many bad paths as there are seeds. */
async function playDatagrams(profile, seeds) {
  const name = `ratelimit-udp ${profile}`;
  const server = await listen('serve', '--dialect', 'ratelimit-udp', '--profile', profile,
    '--listen', 'udp://127.0.0.1:0');
  try {
    const ms = await certifyDatagrams(name, name, server.target, profile) +
      await certifyDatagrams(name, name, server.target, 'auto');
    let badMs = 0;
    for (const seed of seeds) {
      const path = await listen('proxy', '--listen', 'udp://127.0.0.1:0', '--target', server.target,
        '--drop', '2%', '--duplicate', '1%', '--reorder', '1%', '--reorder-hold', '20ms', '--seed', `${seed}`);
      try {
        badMs += await certifyDatagrams(name, `${name} over bad path ${seed}`, path.target, profile);
      } finally {
        await path.stop();
      }
    }
    console.log(`${name.padEnd(27)} twice ${(ms / 1000).toFixed(1).padStart(5)} s   ` +
      `over ${seeds.length} bad paths ${(badMs / 1000).toFixed(1).padStart(5)} s   ${verdictOn(name)}`);
  } finally {
    await server.stop();
  }
}

const started = Date.now();
const all = allSuites();
const left = [
  ...['deployed', 'literal'].map((profile) => () => playDatagrams(profile, options.sample ? [1] : [1, 2, 3, 4, 5])),
  ...(options.sample ? sampleOf(all) : all).map((suite) => () => play(suite, all)),
];
// Much of what a run does is wait.
await Promise.all(Array.from({ length: availableParallelism() + 1 }, async () => {
  for (let next = left.shift(); next; next = left.shift()) await next();
}));
rmSync(scratch, { recursive: true });
for (const { what } of complaints.slice(0, 20)) console.log(`\nFAILED ${what}`);
console.log(`\ntook ${((Date.now() - started) / 1000).toFixed(1)} s`);
console.log(`${passed} passed, ${complaints.length} failed`);
process.exit(complaints.length === 0 ? 0 : 1);
