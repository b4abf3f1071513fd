// Makes a page of each kind with the program itself, in a directory.

import { execFile, spawn } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Starts the program in `directory`, and waits until it says what the pattern finds: {found, pid, signal, ended}. */
export function start(program, directory, pattern, args) {
  const child = spawn(program, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (bytes) => {
      text += bytes;
      const found = pattern.exec(text);
      if (found) resolve({ found: found[1], pid: child.pid, signal: (name) => child.kill(name), ended });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${text}`)));
  });
}

/** A reference server on a port that the system chooses: {target, signal, stop}. */
export async function serve(program, ...more) {
  const args = ['serve', '--width', 'u16', '--listen', 'tcp://127.0.0.1:0', ...more];
  const { found, signal } = await start(program, '.', /listening on (\S+)/, args);
  return { target: found, signal, stop: () => signal('SIGTERM') };
}

/** Runs the program in `directory` to its end: {status, stdout, stderr}. */
export function run(program, directory, ...args) {
  const options = {
    cwd: directory,
    env: { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` },
    timeout: 240_000,
    maxBuffer: 1 << 28,
  };
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const status = error ? error.code : 0;
      if (typeof status === 'number' && status !== 2) resolve({ status, stdout, stderr });
      else reject(new Error(`hallmark ${args.join(' ')}: ${stderr || error}`));
    });
  });
}

/** Loads a server that stands still for the second second of the run. */
async function load_with_a_stall(program, directory, args) {
  const server = await serve(program);
  const client = spawn(program, ['load', server.target, '--verbose', ...args], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const signals = ['SIGSTOP', 'SIGCONT'];
  client.stderr.setEncoding('utf8').on('data', (lines) => {
    for (const line of lines.split('\n')) if (/sent\/s/.test(line) && signals.length) server.signal(signals.shift());
  });
  const code = await new Promise((resolve, reject) => client.on('error', reject).on('exit', resolve));
  server.signal('SIGCONT');
  server.stop();
  if (code === 2) throw new Error('load refused its options');
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

/** The kinds of pages. */
export const kinds = [
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
  'client',
];

const words = (text) => text.split(' ');

/** What makes each page, but for those that are made of others; `long` as make_samples has it. */
function makers(program, directory, long) {
  const hallmark = (...args) => run(program, directory, ...args);
  const both = (name) => ['--json', `${name}.json`, '--html', `${name}.html`];
  const served = async (name, options) => {
    const server = await serve(program);
    const to = options.map((one) => one.replace('TARGET', server.target));
    await hallmark('load', server.target, ...words('--width u16 --connections 8'), ...to, ...both(name)).finally(
      server.stop,
    );
  };
  // Found on the path, so that no picture shows a directory.
  const target = `exec:${basename(program)} serve --width u16 --listen tcp://127.0.0.1:{port}`;
  const bugs = ['status.of-publish-inverted', 'list.last-twice', 'reply.get-value-cut', 'keys.trimmed'];
  const failing = [target, ...bugs.map((bug) => `--mutant ${bug}`)].join(' ');
  const time = (of_pictures, of_tests) => (long ? of_pictures : of_tests);
  return [
    () => hallmark('certify', failing, ...words('--width u16 --deadline 1s'), ...both('failed')),
    () => hallmark('certify', target, '--width', 'u16', ...both('certified')),
    () => hallmark('mutants', 'run', '--filter', time('list.*', 'list.last-*'), ...both('kills')),
    () =>
      load_with_a_stall(program, directory, [
        ...words(`--width u16 --rate 2k --duration ${time('12s', '3s')} --timeout 200ms --connections 8 --mix query=1`),
        ...both('silent'),
      ]),
    () =>
      served('load', [
        ...words(`--rate ${time('8k', '2k')} --duration ${time('60s', '3s')} --arrivals poisson --stages`),
        ...words('--mix query=60,insert=10,update=20,set=5,get=5 --slo p99<50ms,errors<1%'),
      ]),
    () => served('later', words('--rate 2k --duration 2s')),
    () =>
      served('search', [
        ...words(`--rate ${time('10k', '100k')} --duration ${time('500ms', '100ms')} --confirm ${time('5s', '100ms')} --search p99<5ms`),
      ]),
    () => served('versus', words(`--versus TARGET --rate 2k --duration ${time('2s', '200ms')} --rounds 1`)),
    () => {
      writeFileSync(join(directory, 'states.tsv'), states());
      return hallmark('audit', 'states.tsv', ...both('audit'));
    },
    () => {
      const filters = time(['*'], ['cut/one*', 'status/[IQG]*', 'reading/*ttl*']).flatMap((one) => ['--filter', one]);
      for (const name of ['throttr_client.py', 'throttr_client_test.py'])
        copyFileSync(join(root, 'clients/tests/client', name), join(directory, name));
      const tests = words('/usr/bin/python3 throttr_client_test.py --port {port} --bug any-status-is-success');
      return hallmark('certify-client', '--width', 'u16', ...filters, ...both('client'), '--', ...tests);
    },
  ];
}

/**
 * Makes the pages, and what they were made of, by name. `long`: as long as pictures need, and one after
 * the other; otherwise as short as tests allow, and side by side.
 */
export async function make_samples(program, directory, { long = false } = {}) {
  const all = makers(program, directory, long);
  if (long) for (const make of all) await make();
  else await Promise.all(all.map((make) => make()));
  const report = (...args) => run(program, directory, 'report', ...args);
  await report('compare', 'certified.json', 'failed.json', '--html', 'changes.html');
  await report('compare', 'later.json', 'load.json', '--html', 'compared.html');
  await report('certified.json', 'failed.json', 'kills.json', 'audit.json', 'client.json', '--html', 'several.html');
}

export const read_json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The result of a short run with its seconds repeated; an hour is told in pieces of two seconds. */
export function an_hour(result) {
  const series = Array.from({ length: 1800 }, (_, i) => ({
    ...result.series[i % result.series.length],
    second: 2 * i,
    length_seconds: 2,
  }));
  return { ...result, series, header: { ...result.header, duration_ns: 3600e9 } };
}
