#!/usr/bin/env node
// Runs servers, a proxy, an observer and stores for hours under faults, and checks that counts agree and nothing grows.
//   ./soak [HOURS], which builds the program, or node e2e/soak/soak.mjs --program FILE; docs/soak.md
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskLimitMib, growth, storesLimitMib } from './bounds.mjs';
import { freePort } from '../ports.mjs';
import { checkLoad, takeJson } from './checks.mjs';
import { datagramRounds, pathFaults } from './datagram_rounds.mjs';
import { info } from './info.mjs';
import { Lane } from './lane.mjs';
import { readOptions, root } from './options.mjs';
import { endAll, finish, printed, start, stop, usage } from './processes.mjs';
import { postgresInstalled, redisInstalled, startPostgres, startRedis } from './stores.mjs';
import { storeRounds } from './store_rounds.mjs';
import { streamRounds } from './stream_rounds.mjs';

const mostComplaintsShown = 20;
const steadyRate = 200;
/** Clients that the proxy remembers: it keeps a socket for each, so that its descriptors are soon as many as they become. */
const mostFlows = 64;
/** Requests that Hallmark sends before a load to learn how the server answers: a few dozen. */
const mostProbes = 200;

/** Seconds by which a clock is set to see if that is possible. */
const ofTest = 1_000_000;

const options = readOptions(process.argv.slice(2));
const totalSeconds = options.hours * 3600;
const grouped = (number) => number.toLocaleString('en');

const allRounds = { streams: streamRounds, datagrams: datagramRounds };

/** The state of the whole run; lanes report to it. */
const soak = {
  program: options.program,
  directory: mkdtempSync(join(tmpdir(), 'hallmark-soak-')),
  loadSeconds: totalSeconds < 600 ? 3 : 5,
  ports: {},
  processes: {},
  begun: performance.now(),
  interrupted: false,
  rounds: 0,
  requests: 0,
  answered: 0,
  certifications: 0,
  undecided: 0,
  faults: {},
  disagreements: [],
  leftOut: [],
  minutes: [],
  samples: {},
  over: () => soak.interrupted || soak.broken || performance.now() - soak.begun > totalSeconds * 1000,
  fault(kind, times = 1) { soak.faults[kind] = (soak.faults[kind] ?? 0) + times; },
  loaded(counts) {
    soak.requests += counts.planned;
    soak.answered += counts.completed;
  },
  certified(undecided) {
    soak.certifications += 1;
    if (undecided) soak.undecided += 1;
  },
  /** A round has ended; what was cut off by an interruption is not judged. */
  ended(name, complaints) {
    if (soak.interrupted) return;
    soak.rounds += 1;
    for (const complaint of complaints) soak.disagree(name, complaint);
  },
  disagree(name, complaint) {
    const what = `${name}: ${complaint}`;
    soak.disagreements.push({ at_seconds: Math.round((performance.now() - soak.begun) / 1000), what });
    if (soak.disagreements.length <= mostComplaintsShown) console.log(`DISAGREES  ${what.slice(0, 1000)}`);
  },
};

/** A part that runs until the end of the soak; that it ends before is a disagreement, and the end of the soak. */
async function keep(name, args, pattern = /listening on/) {
  return kept(name, start([soak.program, ...args]), pattern);
}

async function kept(name, begun, pattern) {
  if (begun === null || (pattern && !(await printed(begun, pattern)))) throw new Error(`${name} does not start: ${begun?.err}`);
  soak.processes[name] = begun;
  soak.samples[name] = [];
  begun.end.then(() => {
    if (soak.ending || soak.interrupted || (name === 'load' && soak.over())) return;
    soak.broken = true;
    soak.disagree(name, `ended with ${begun.signal ?? `exit code ${begun.code}`}: ${begun.err.slice(-500)}`);
  });
  return begun;
}

/** True if a program that is started with the library sees a wall clock of our choice. */
function setsClocks(library) {
  const file = join(soak.directory, 'clock');
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(ofTest) * 1_000_000_000n);
  writeFileSync(file, bytes);
  const seen = execFileSync('date', ['+%s'], { env: { ...process.env, LD_PRELOAD: library, HALLMARK_SOAK_CLOCK: file } });
  return Math.abs(Number(seen) - ofTest - Date.now() / 1000) < 60;
}

/** Finds out what this machine allows. */
function lookAround() {
  const may = (file, args) => {
    try {
      execFileSync(file, args, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  soak.canMount = may('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', 'mount -t tmpfs -o size=16k tmpfs /mnt']);
  if (!soak.canMount) soak.leftOut.push('full disks: wants root, and to mount');
  const library = join(soak.directory, 'clock_step.so');
  if (may('cc', ['-O2', '-shared', '-fPIC', '-o', library, join(root, 'e2e/soak/clock_step.c')]) && setsClocks(library)) {
    soak.clockLibrary = library;
  } else soak.leftOut.push('clock steps: want a C compiler, named cc');
  if (!redisInstalled()) soak.leftOut.push('stores: redis-server is not installed');
  else if (!postgresInstalled()) soak.leftOut.push('PostgreSQL: it is not installed, or has no user to run as');
  soak.leftOut.push('steps of the clock of the kernel: they would set the clock of everybody on this machine');
}

async function startParts() {
  for (const name of ['serve', 'steady', 'observe', 'datagrams', 'proxy', 'redis', 'postgres']) soak.ports[name] = await freePort();
  const at = (name, scheme = 'tcp') => `${scheme}://127.0.0.1:${soak.ports[name]}`;
  const dialect = ['--dialect', 'throttr-7.3', '--width', 'u16'];
  const bug = options.mutant ? ['--mutant', options.mutant] : [];
  await keep('serve', ['serve', ...dialect, '--listen', at('serve'), ...bug]);
  await keep('steady', ['serve', '--dialect', 'throttr-7.1', '--width', 'u32', '--listen', at('steady')]);
  await keep('datagrams', ['serve', '--dialect', 'ratelimit-udp', '--listen', at('datagrams', 'udp')]);
  await keep('observe', ['observe', '--listen', at('observe'), '--target', at('serve'), ...dialect, '--queue', '2', '--json',
    join(soak.directory, 'observe.json')]);
  await keep('proxy', ['proxy', '--listen', at('proxy', 'udp'), '--target', at('datagrams', 'udp'), '--seed', `${options.seed}`,
    '--max-flows', `${mostFlows}`, ...pathFaults]);
  if (redisInstalled()) await kept('redis', await startRedis(join(soak.directory, 'redis'), soak.ports.redis));
  if (redisInstalled() && postgresInstalled()) {
    chmodSync(soak.directory, 0o711);
    await kept('postgres', await startPostgres(join(soak.directory, 'postgres'), soak.ports.postgres));
  }
}

/** A load that lasts as long as the soak, at a low rate. */
async function startSteadyLoad() {
  soak.steadySeconds = Math.ceil(totalSeconds);
  await kept('load', start([soak.program, 'load', `tcp://127.0.0.1:${soak.ports.steady}`, '--dialect', 'throttr-7.1', '--width', 'u32',
    '--rate', `${steadyRate}`, '--connections', '4', '--duration', `${soak.steadySeconds}s`, '--timeout', '5s', '--quiet',
    '--json', join(soak.directory, 'steady.json')]));
}

/** The size of a directory in MiB. */
function sizeOf(directory) {
  try {
    return Number(execFileSync('du', ['-sk', directory], { stdio: ['ignore', 'pipe', 'ignore'] }).toString().split('\t')[0]) / 1024;
  } catch (error) {
    // A file that goes while du looks for it makes du fail, after it has told the size.
    return Number(`${error.stdout ?? ''}`.split('\t')[0]) / 1024 || 0;
  }
}

function holdDisk() {
  const stores = sizeOf(join(soak.directory, 'postgres')) + sizeOf(join(soak.directory, 'redis'));
  const others = sizeOf(soak.directory) - stores;
  if (others > diskLimitMib) soak.disagree('disk', `${others.toFixed(0)} MiB of results; at most ${diskLimitMib} are allowed`);
  if (stores > storesLimitMib) soak.disagree('disk', `${stores.toFixed(0)} MiB of stores; at most ${storesLimitMib} are allowed`);
  return { disk_mib: Number(others.toFixed(1)), stores_mib: Number(stores.toFixed(1)) };
}

/** Samples the processes, and prints the line of a minute. */
function minute() {
  const processes = {};
  for (const [name, { pid, ended }] of Object.entries(soak.processes)) {
    const now = ended ? null : usage(pid);
    if (now) soak.samples[name].push(now);
    if (now) processes[name] = now;
  }
  const of = {
    minute: soak.minutes.length + 1,
    rounds: soak.rounds,
    requests: soak.requests,
    answered: soak.answered,
    certifications: soak.certifications,
    faults: Object.values(soak.faults).reduce((one, other) => one + other, 0),
    disagreements: soak.disagreements.length,
    ...holdDisk(),
    processes,
  };
  soak.minutes.push(of);
  const share = of.requests > 0 ? ((100 * of.answered) / of.requests).toFixed(1) : '-';
  const held = Object.entries(processes).map(([name, { rss, fds }]) => `${name} ${(rss / 1024).toFixed(1)}/${fds}`).join(' ');
  console.log(`minute ${of.minute}  ${of.rounds} rounds  ${grouped(of.requests)} requests  ${share} % answered  ` +
    `${of.certifications} certified  ${of.faults} faults  MiB/fds: ${held}  disk ${of.disk_mib}+${of.stores_mib} MiB  ` +
    `${of.disagreements} disagree`);
}

/** The load of the whole time: as many requests as planned, each ended once, and the server counted them. */
async function endSteadyLoad() {
  const { load } = soak.processes;
  await finish(load, soak.broken ? 1 : 60);
  const complaints = [];
  const result = takeJson(join(soak.directory, 'steady.json'), complaints);
  if (!result) complaints.push(`no result, exit code ${load.code}`);
  else {
    complaints.push(...checkLoad(load, result));
    soak.loaded(result.counts);
    const { query } = await info(soak.ports.steady);
    const planned = result.operations.find(({ operation }) => operation === 'query').counts.planned;
    if (query < planned || query > planned + mostProbes) complaints.push(`${planned} QUERY were planned, the server counted ${query}`);
    if (result.counts.planned !== steadyRate * soak.steadySeconds) {
      complaints.push(`${result.counts.planned} requests were planned, not ${steadyRate * soak.steadySeconds}`);
    }
    if (![0, 4].includes(load.code)) complaints.push(`exit code ${load.code}`);
  }
  for (const complaint of complaints) soak.disagree('load', complaint);
}

/** The observer of the whole time: the server did nothing wrong, and clients nothing but to be reset. */
async function endObserver() {
  const { observe } = soak.processes;
  await stop(observe, 'SIGINT');
  const complaints = [];
  const seen = takeJson(join(soak.directory, 'observe.json'), complaints);
  if (!seen) complaints.push('no report');
  for (const violation of seen?.violations ?? []) {
    if (violation.side !== 'client' || violation.kind !== 'truncated') complaints.push(`violation: ${JSON.stringify(violation)}`);
  }
  const expected = seen?.violation_count > 0 ? 1 : 0;
  if (observe.code !== expected) complaints.push(`exit code ${observe.code}, with ${seen?.violation_count} violations`);
  for (const complaint of complaints) soak.disagree('observe', complaint);
}

/** Ends the parts; each has to end as it should. */
async function endParts() {
  soak.ending = true;
  if (soak.broken) return endAll();
  await endSteadyLoad();
  await endObserver();
  for (const name of ['serve', 'steady', 'datagrams', 'proxy', 'redis']) {
    const part = soak.processes[name];
    if (!part) continue;
    await stop(part, 'SIGTERM');
    if (part.code !== 0) soak.disagree(name, `ended with ${part.signal ?? `exit code ${part.code}`} at SIGTERM`);
  }
  return endAll();
}

function summary() {
  const grew = growth(soak.samples, totalSeconds / options.minute);
  const failed = grew.length + soak.disagreements.length > 0;
  const code = failed ? 1 : soak.interrupted ? 4 : 0;
  const faults = Object.entries(soak.faults).map(([kind, times]) => `${kind} ${times}`).join(', ');
  console.log(`\nfaults: ${faults || 'none'}`);
  console.log(`certified: ${soak.certifications}, ${soak.undecided} of them undecided`);
  for (const what of soak.leftOut) console.log(`left out: ${what}`);
  for (const what of grew) console.log(`GREW  ${what}`);
  if (soak.disagreements.length > mostComplaintsShown) console.log(`${soak.disagreements.length - mostComplaintsShown} more disagreements`);
  const seconds = Math.round((performance.now() - soak.begun) / 1000);
  console.log(`${failed ? 'FAILED' : soak.interrupted ? 'INTERRUPTED' : 'DONE'}  ${soak.rounds} rounds, ${grouped(soak.requests)} requests in ` +
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}: ${soak.disagreements.length} disagreements, ${grew.length} grew`);
  if (options.json) {
    const { rounds, faults: injected, disagreements, minutes, leftOut } = soak;
    writeFileSync(options.json, `${JSON.stringify({ format: 'hallmark-soak', seed: options.seed, hours: options.hours, rounds,
      faults: injected, left_out: leftOut, disagreements, grew, minutes, exit_code: code }, null, 1)}\n`);
  }
  return code;
}

/** Ends everything at once; what the rounds find from then on is not judged. */
function interrupt() {
  if (soak.interrupted) return;
  soak.interrupted = true;
  endAll().then(() => {
    const code = summary();
    rmSync(soak.directory, { recursive: true, force: true });
    process.exit(code);
  });
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, interrupt);

async function main() {
  lookAround();
  console.log(`soak of ${options.hours} h, seed ${options.seed}, ${options.program}`);
  await startParts();
  const chosen = (rounds) => Object.fromEntries(Object.entries(rounds).filter(([name]) => options.only?.includes(name) ?? true));
  const lanes = Object.entries(redisInstalled() ? { ...allRounds, stores: storeRounds } : allRounds)
    .map(([name, rounds], at) => new Lane(soak, name, chosen(rounds), options.seed + at))
    .filter((lane) => lane.all.length > 0);
  if (lanes.length === 0) throw new Error(`there is no round ${options.only.join(', ')}`);
  // Certifications take the most memory and sockets: later growth is growth.
  if (!options.only) await Promise.all([lanes[0].play('certified'), lanes[1].play('certifiedOverUnreliablePath')]);
  soak.begun = performance.now();
  await startSteadyLoad();
  const ticking = setInterval(minute, options.minute * 1000);
  await Promise.all(lanes.map((lane) => lane.run()));
  clearInterval(ticking);
  await endParts();
  return summary();
}

let code = 3;
try {
  code = await main();
} catch (error) {
  console.error(`soak: ${error.message}`);
  soak.ending = true;
  await endAll();
}
if (!soak.interrupted) {
  rmSync(soak.directory, { recursive: true, force: true });
  process.exit(code);
}
