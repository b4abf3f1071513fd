#!/usr/bin/env node
// Runs fuzz targets that are built already, each for so many seconds, as many at a time as there are
// processors, and prints a line about each.
//   node e2e/fuzz.mjs [BUILD] [--seconds N] [--seed N] [--only NAME[,NAME]]
// BUILD: the directory of the build, build/fuzz if none is given. --seconds: 60 if not given. With a seed, the
// same inputs are tried in the same order from the same corpus; how many, the time decides.
// A target begins with the files that it brings along and with what earlier runs found, in
// BUILD/fuzz/found/NAME. BUILD/findings/NAME keeps each input that ends it, takes more than ten
// seconds, or takes more than 1 GiB. Exit code: 0 if there is none, 1 if there are some, 2 for a
// mistake in the arguments, 130 after SIGINT, which ends all targets.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The seconds that a target may take to begin and to end, beyond those that it runs. */
const graceSeconds = 60;
const keptCharacters = 1 << 16;

function refuse(what) {
  console.error(`fuzz: ${what}`);
  process.exit(2);
}

function readArguments() {
  const options = { build: join(root, 'build', 'fuzz'), seconds: 60, seed: null, only: null };
  const given = process.argv.slice(2);
  while (given.length > 0) {
    const option = given.shift();
    if (option === '--seconds' && given.length > 0) options.seconds = Number(given.shift());
    else if (option === '--seed' && given.length > 0) options.seed = Number(given.shift());
    else if (option === '--only' && given.length > 0) options.only = given.shift().split(',');
    else if (!option.startsWith('-')) options.build = resolve(option);
    else refuse(`unknown option '${option}'; allowed: --seconds N, --seed N, --only NAME[,NAME]`);
  }
  if (!Number.isInteger(options.seconds) || options.seconds < 1)
    refuse('--seconds is not a number of seconds; expected a whole number from 1');
  if (options.seed !== null && !(Number.isInteger(options.seed) && options.seed >= 1 && options.seed < 2 ** 32))
    refuse('--seed is not a seed; expected a whole number from 1 to 4294967295');
  return options;
}

const options = readArguments();

/** The targets, as hallmark_fuzz_target of cmake/HallmarkComponent.cmake describes them. */
function targets() {
  const described = join(options.build, 'fuzz');
  if (!existsSync(described)) refuse(`no fuzz targets in ${options.build}; cmake --preset fuzz configures them`);
  const all = readdirSync(described)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ name: basename(file, '.json'), ...JSON.parse(readFileSync(join(described, file), 'utf8')) }));
  const unknown = options.only?.find((name) => !all.some((target) => target.name === name));
  if (unknown !== undefined)
    refuse(`no target '${unknown}'; there are ${all.map((target) => target.name).join(', ')}`);
  const chosen = all.filter((target) => options.only === null || options.only.includes(target.name));
  const missing = chosen.find((target) => !existsSync(target.program));
  if (missing !== undefined)
    refuse(`${relative('.', missing.program)} is not built; ninja -C build/fuzz hallmark_fuzz_targets builds it`);
  return chosen;
}

const inputsIn = (directory) => readdirSync(directory).map((file) => join(directory, file));

function argumentsOf(target, found, findings) {
  const seeds = target.corpus.filter((file) => file !== '');
  const listed = join(options.build, 'fuzz', `${target.name}.seeds`);
  writeFileSync(listed, seeds.join(','));
  return [
    `-max_total_time=${options.seconds}`,
    `-max_len=${target.most_bytes}`,
    '-rss_limit_mb=1024',
    '-timeout=10',
    '-print_final_stats=1',
    `-artifact_prefix=${findings}/`,
    ...(seeds.length > 0 ? [`-seed_inputs=@${listed}`] : []),
    ...(options.seed === null ? [] : [`-seed=${options.seed}`]),
    ...(target.dictionary === '' ? [] : [`-dict=${target.dictionary}`]),
    found,
  ];
}

const running = new Set();
let interrupted = false;

/** Runs the program; what it said last, and its exit code. */
function play(program, args) {
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    running.add(child);
    const bound = setTimeout(() => child.kill('SIGKILL'), (options.seconds + graceSeconds) * 1000);
    let said = '';
    let coverage = 0;
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text) => {
      said = (said + text).slice(-keptCharacters);
      for (const [, edges] of text.matchAll(/\bcov: (\d+)/g)) coverage = Number(edges);
    });
    child.on('error', (error) => (said += error.message));
    child.on('close', (code, signal) => {
      clearTimeout(bound);
      running.delete(child);
      done({ said, coverage, ended: code ?? signal });
    });
  });
}

/** A number that libFuzzer prints at its end. */
const figure = (said, name) => Number(said.match(new RegExp(`^stat::${name}:\\s*(\\d+)`, 'm'))?.[1] ?? 0);

function row(name, runs, rate, coverage, added, memory) {
  const columns = [runs, rate, coverage, added, memory].map((each) => String(each).padStart(11));
  console.log(`${name.padEnd(16)}${columns.join('')}`);
}

/** Returns true if the target found nothing. */
async function fuzz(target) {
  const found = join(options.build, 'fuzz', 'found', target.name);
  const findings = join(options.build, 'findings', target.name);
  for (const directory of [found, findings]) mkdirSync(directory, { recursive: true });
  const before = new Set(inputsIn(findings));
  const { said, coverage, ended } = await play(target.program, argumentsOf(target, found, findings));
  if (interrupted) return true;
  const runs = figure(said, 'number_of_executed_units');
  row(target.name, runs, figure(said, 'average_exec_per_sec'), coverage, figure(said, 'new_units_added'),
    figure(said, 'peak_rss_mb'));
  if (ended === 0) return true;
  const inputs = inputsIn(findings).filter((file) => !before.has(file));
  const kept = said.split('\n').filter((line) => /^required: |ERROR|SUMMARY| in hallmark::/.test(line));
  for (const line of kept.slice(0, 20)) console.log(`    ${line.trim().slice(0, 500)}`);
  console.log(`  ${target.name} ended with ${ended}; play it again:`);
  for (const input of inputs) console.log(`    ${relative('.', target.program)} ${relative('.', input)}`);
  return false;
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interrupted = true;
    for (const child of running) child.kill('SIGKILL');
  });
}

const waiting = targets();
let failed = 0;
row('target', 'runs', 'runs/s', 'coverage', 'new inputs', 'peak MB');
async function work() {
  while (waiting.length > 0 && !interrupted) {
    if (!(await fuzz(waiting.shift()))) failed += 1;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
if (interrupted) process.exit(130);
process.exit(failed === 0 ? 0 : 1);
