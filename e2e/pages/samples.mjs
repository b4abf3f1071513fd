// Makes a page of each kind with the program itself, in a directory.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A reference server on a port that the system chooses: {target, stop}. */
function serve(program, ...more) {
  const server = spawn(program, ['serve', '--width', 'u16', '--listen', 'tcp://127.0.0.1:0', ...more], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      const listening = /listening on (\S+)/.exec(text);
      if (listening)
        resolve({ target: listening[1], signal: (name) => server.kill(name), stop: () => server.kill('SIGTERM') });
    });
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
}

/** Runs the program in `directory`, and returns what it printed. */
export function run(program, directory, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: directory,
    env: { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` },
    encoding: 'utf8',
    timeout: 240_000,
    maxBuffer: 1 << 28,
  });
  if (error || status === 2 || status === null) throw new Error(`hallmark ${args.join(' ')}: ${error ?? stderr}`);
  return { status, stdout, stderr };
}

/** Loads a server that stands still for the second second of the run. */
function load_with_a_stall(program, directory, server, args) {
  const client = spawn(program, ['load', server.target, '--live', ...args], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const signals = ['SIGSTOP', 'SIGCONT'];
  client.stderr.setEncoding('utf8').on('data', (lines) => {
    for (const line of lines.split('\n')) if (/sent\/s/.test(line) && signals.length) server.signal(signals.shift());
  });
  return new Promise((resolve, reject) => {
    client.on('error', reject);
    client.on('exit', (code) => {
      server.signal('SIGCONT');
      if (code === 2) reject(new Error('load refused its options'));
      else resolve();
    });
  });
}

/** States as they stand in a store, some of them malformed. */
function states() {
  const now = `${Date.now()}000000`;
  return [
    `rl:whole\t12|8.5|${now}`,
    'rl:text\thello',
    `rl:number\t12|NaN|${now}`,
    'rl:cut\t12|8.5',
    `rl:part\t51|12|5|${now}$12|x|${now}`,
    'rl:markup\t12|<b>bold</b>|1',
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/**
 * The pages and what they were made of, by name. `long`: as long as pictures need; otherwise as
 * short as tests allow.
 */
export async function make_samples(program, directory, { long = false } = {}) {
  const here = (name) => join(directory, name);
  // Found on the path, so that no picture shows a directory.
  const target = `exec:${basename(program)} serve --width u16 --listen tcp://127.0.0.1:{port}`;
  const hallmark = (...args) => run(program, directory, ...args);
  const load = (to, name, ...more) =>
    hallmark(
      'load',
      to,
      '--width',
      'u16',
      '--connections',
      '8',
      '--json',
      `${name}.json`,
      '--html',
      `${name}.html`,
      ...more,
    );
  const server = await serve(program);
  try {
    load(
      server.target,
      'load',
      '--rate',
      long ? '8k' : '2k',
      '--duration',
      long ? '60s' : '3s',
      '--arrivals',
      'poisson',
      '--stages',
      '--mix',
      'query=60,insert=10,update=20,set=5,get=5',
      '--slo',
      'p99<50ms,errors<1%',
    );
    load(server.target, 'later', '--rate', '2k', '--duration', '2s');
    load(server.target, 'search', '--rate', '100k', '--duration', long ? '500ms' : '100ms', '--confirm', long ? '5s' : '100ms', '--search', 'p99<5ms');
    load(
      server.target,
      'versus',
      '--versus',
      server.target,
      '--rate',
      '2k',
      '--duration',
      long ? '2s' : '200ms',
      '--rounds',
      '1',
    );
  } finally {
    server.stop();
  }
  const stalled = await serve(program);
  try {
    await load_with_a_stall(program, directory, stalled, [
      '--width',
      'u16',
      '--rate',
      '2k',
      '--duration',
      long ? '12s' : '3s',
      '--timeout',
      '200ms',
      '--connections',
      '8',
      '--mix',
      'query=1',
      '--json',
      'silent.json',
      '--html',
      'silent.html',
    ]);
  } finally {
    stalled.stop();
  }
  hallmark('certify', target, '--width', 'u16', '--json', 'certified.json', '--html', 'certified.html');
  const bugs = ['status.of-publish-inverted', 'list.last-twice', 'reply.get-value-cut', 'keys.trimmed'];
  hallmark(
    'certify',
    [target, ...bugs.map((bug) => `--mutant ${bug}`)].join(' '),
    '--width',
    'u16',
    '--deadline',
    '1s',
    '--json',
    'failed.json',
    '--html',
    'failed.html',
  );
  hallmark('report', 'compare', 'certified.json', 'failed.json', '--html', 'changes.html');
  hallmark('report', 'compare', 'later.json', 'load.json', '--html', 'compared.html');
  hallmark('report', 'certified.json', 'failed.json', '--html', 'several.html');
  hallmark(
    'mutants',
    'run',
    '--filter',
    long ? 'list.*' : 'list.last-*',
    '--json',
    'kills.json',
    '--html',
    'kills.html',
  );
  writeFileSync(here('states.tsv'), states());
  hallmark('audit', 'states.tsv', '--json', 'audit.json', '--html', 'audit.html');
  return [
    'load',
    'silent',
    'search',
    'versus',
    'compared',
    'certified',
    'failed',
    'changes',
    'several',
    'kills',
    'audit',
  ];
}

export const read_json = (file) => JSON.parse(readFileSync(file, 'utf8'));
