#!/usr/bin/env node
// Attacks the program: damaged files, outputs that cannot be written, few resources, and signals.
//   node e2e/attack/attack.mjs [--seed S] [--count N] [--shard I/N] [--program FILE] [--memory MIB]
// --count: attacks of all shards together (400). --memory: what a run may have of addresses (4096; 0 for a program with
// sanitizers). The same seed makes the same attacks; a failure says the number that `--only NUMBER` repeats.
// What is looked for: crashes, hangs, more memory or output than allowed, exit code 0 for what was not done, and refusals that
// are not one line. The last line is "N passed, N failed".
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { misconduct, runBounded } from './bounded.mjs';
import { runningCommands, talkers, writers } from './commands.mjs';
import { damaged } from './damage.mjs';
import { Random } from './random.mjs';
import { makeSamples, startServer } from './samples.mjs';

const tree = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const patience = 60;

function readOptions() {
  const read = { seed: 1, count: 400, shard: [1, 1], program: join(tree, 'build/gate/hallmark'), memory: 4096, only: null };
  const given = process.argv.slice(2);
  while (given.length > 0) {
    const name = given.shift();
    const value = given.shift();
    if (name === '--shard' && /^[1-9]\d*\/[1-9]\d*$/.test(value ?? '')) read.shard = value.split('/').map(Number);
    else if (name === '--program' && value) read.program = resolve(value);
    else if (['--seed', '--count', '--memory', '--only'].includes(name) && /^\d+$/.test(value ?? '')) read[name.slice(2)] = Number(value);
    else {
      console.error(`attack: ${name} ${value ?? ''} is not understood; expected --seed S, --count N, --shard I/N, --program FILE, --memory MIB or --only NUMBER`);
      process.exit(2);
    }
  }
  return read;
}

const options = readOptions();
const samples = [];

/** Refusals are one line on stderr; nothing that a file says may steer a terminal. */
function misreported(result) {
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(result.err + result.out)) return 'control characters reach the terminal';
  if (result.code === 2 && result.err.split('\n').length !== 2) return `a refusal of ${result.err.split('\n').length - 1} lines`;
  if (result.code === null && result.signal === null) return 'it ended in no known way';
  return '';
}

async function attackFile(random, directory) {
  const sample = random.of(samples);
  const { bytes, how } = damaged(sample.bytes, random);
  writeFileSync(join(directory, 'damaged'), bytes);
  const args = random.of(sample.commands).map((one) => (one === '%' ? 'damaged' : one));
  const result = await runBounded(options.program, args, { cwd: directory, seconds: patience, memory: options.memory });
  return { what: `${sample.file} with ${how}: ${args.join(' ')}`, result, wrong: misconduct(result) || misreported(result) };
}

/** Each place with the exit codes that say that nothing was written. */
const places = {
  '/dev/full': (directory) => '/dev/full',
  'a directory': (directory) => { mkdirSync(join(directory, 'a-directory'), { recursive: true }); return 'a-directory'; },
  'below a file': () => 'certify.json/below',
  'in no directory': () => 'absent/file',
  'a pipe that nobody reads': (directory) => {
    if (!existsSync(join(directory, 'pipe'))) execFileSync('mkfifo', [join(directory, 'pipe')]);
    return 'pipe';
  },
  'a place where nobody may write': () => '/proc/version',
  'an empty name': () => '',
};

async function attackOutput(random, directory) {
  const writer = random.of(writers);
  const option = random.of(writer.outputs);
  const place = random.of(Object.keys(places));
  const path = places[place](directory);
  const args = [...writer.args, option, path];
  const result = await runBounded(options.program, args, { cwd: directory, seconds: patience, memory: options.memory });
  let wrong = misconduct(result) || misreported(result);
  if (!wrong && result.code === 0) wrong = 'exit code 0, and nothing was written';
  if (!wrong && result.err === '') wrong = 'no word about what was not written';
  return { what: `output to ${place}: ${args.join(' ')}`, result, wrong };
}

async function attackTwice(random, directory) {
  const writer = random.of(writers.filter((one) => one.outputs.length > 1));
  const first = random.of(writer.outputs);
  const second = random.of(writer.outputs.filter((one) => one !== first));
  rmSync(join(directory, 'twice'), { force: true });
  const args = [...writer.args, first, 'twice', second, random.of(['twice', './twice', join(directory, 'twice')])];
  const result = await runBounded(options.program, args, { cwd: directory, seconds: patience, memory: options.memory });
  let wrong = misconduct(result) || misreported(result);
  if (!wrong && result.code !== 2) wrong = `exit code ${result.code}, and one of two results was lost`;
  return { what: `one path twice: ${args.join(' ')}`, result, wrong };
}

async function attackStdout(random, directory) {
  const args = random.of(talkers);
  const stdout = random.of(['/dev/full', 'closed']);
  const result = await runBounded(options.program, args, { cwd: directory, seconds: patience, memory: options.memory, stdout });
  let wrong = misconduct(result) || misreported(result);
  if (!wrong && result.code === 0) wrong = 'exit code 0, and nobody got what was printed';
  return { what: `stdout ${stdout}: ${args.join(' ')}`, result, wrong };
}

async function attackRunning(random, directory) {
  const { args, serves: endless } = random.of(runningCommands(options.program, server.endpoint));
  const signal = random.of(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGPIPE', 'SIGUSR1', 'SIGWINCH', 'SIGCONT']);
  const after = random.below(1500);
  rmSync(join(directory, 'out.json'), { force: true });
  // Hallmark's servers do not end by themselves: what does not end them is seen for four seconds.
  const serves = endless && !['SIGINT', 'SIGTERM', 'SIGHUP'].includes(signal);
  const result = await runBounded(options.program, args,
    { cwd: directory, seconds: serves ? 4 : patience, memory: options.memory, signal: [signal, after] });
  let wrong = serves && result.hung ? '' : misconduct(result);
  const written = join(directory, 'out.json');
  if (!wrong && existsSync(written)) {
    try { JSON.parse(readFileSync(written, 'utf8')); } catch { wrong = 'half of a result was left behind'; }
  }
  return { what: `${signal} after ${after} ms: ${args.join(' ')}`, result, wrong };
}

async function attackDescriptors(random, directory) {
  const args = random.of([...talkers, ...runningCommands(options.program, server.endpoint).filter((one) => !one.serves).map((one) => one.args)]);
  const count = 3 + random.below(14);
  const result = await runBounded(options.program, args,
    { cwd: directory, seconds: 2 * patience, memory: options.memory, limits: `ulimit -n ${count}` });
  return { what: `${count} descriptors: ${args.join(' ')}`, result, wrong: misconduct(result) };
}

const kinds = [[60, attackFile], [12, attackOutput], [5, attackTwice], [8, attackStdout], [8, attackRunning], [7, attackDescriptors]];

function chosenKind(random) {
  let left = random.below(100);
  for (const [share, kind] of kinds) {
    if (left < share) return kind;
    left -= share;
  }
  return attackFile;
}

const scratch = mkdtempSync(join(tmpdir(), 'hallmark-attack-'));
let passed = 0;
let failed = 0;
const server = await startServer(options.program);
try {
  samples.push(...makeSamples(options.program, tree, scratch, server.endpoint));
  const [shard, shards] = options.shard;
  for (let number = 0; number < options.count; number += 1) {
    if (options.only === null ? number % shards !== shard - 1 : number !== options.only) continue;
    if (number > 0 && Math.floor(number / shards) % 50 === 0) console.log(`${number}/${options.count} attacks`);
    const random = new Random(Math.imul(options.seed, 0x9e3779b1) + number);
    const { what, result, wrong } = await chosenKind(random)(random, scratch);
    if (wrong === '') {
      passed += 1;
      continue;
    }
    failed += 1;
    console.log(`FAILED  ${number} of seed ${options.seed}: ${wrong}\n  ${what}`);
    console.log(`  exit code ${result.code}, signal ${result.signal}, ${result.seconds} s\n  ${result.err.slice(0, 400).replace(/[^\x20-\x7e\n]/g, '?')}`);
  }
} finally {
  server.stop();
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
