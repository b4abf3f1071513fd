// Rounds over TCP: loads and certifications of a throttr-7.3 server, undisturbed and under faults.
import { join } from 'node:path';
import { takeJson } from './checks.mjs';
import { between, info } from './info.mjs';
import { finish, signal, sleep, start, stop } from './processes.mjs';
import { relayTo } from './relay.mjs';

const dialect = ['--dialect', 'throttr-7.3', '--width', 'u16'];
/** Requests that Hallmark sends before a load to learn how the server answers: a few dozen. */
const mostProbes = 200;
/** A server that refuses connections for want of descriptors sleeps between attempts: this share of a processor. */
const mostBusy = 0.5;
const year = 365n * 24n * 3600n * 1_000_000_000n;

const target = (port) => `tcp://127.0.0.1:${port}`;
const serve = (soak, port, options) => soak.serve([...dialect, '--listen', target(port)], options);
const load = (soak, port, options = {}) => soak.load([target(port), ...dialect, '--rate', '2k'], options);

/** The server answers, has forgotten the connections of the round, and counted at least what was answered. */
async function holdToInfo(soak, port, before, answered) {
  const after = await soak.settled(() => info(port), (now) => now.connections <= before.connections);
  const counted = between(before, after);
  soak.hold(after.connections <= before.connections, `${after.connections} connections are left, ${before.connections} were before`);
  soak.hold(counted.requests >= answered, `the server counted ${counted.requests} requests, ${answered} were answered`);
  return counted;
}

/** Through the observer that runs all the time, to the server that does. */
async function plain(soak) {
  const before = await info(soak.ports.serve);
  const { result } = await load(soak, soak.ports.observe, { undisturbed: true });
  if (result) await holdToInfo(soak, soak.ports.serve, before, result.counts.completed);
}

/** Through an observer of its own: load, observer and server counted the same requests. */
async function observed(soak) {
  const report = join(soak.rounds, 'observe.json');
  const observer = await soak.listen(['observe', '--listen', target(0), '--target', target(soak.ports.serve), ...dialect,
    '--json', report]);
  if (!observer) return;
  const before = await info(soak.ports.serve);
  const { result } = await load(soak, observer.port, { undisturbed: true });
  await stop(observer.process, 'SIGINT');
  soak.hold(observer.process.code === 0, `observe: exit code ${observer.process.code}: ${observer.process.out}`);
  const seen = takeJson(report, soak.complaints);
  if (!result || !seen) return soak.hold(seen !== null, 'observe wrote no report');
  const counted = await holdToInfo(soak, soak.ports.serve, before, result.counts.completed);
  if (seen.not_looked_at.bytes > 0) return;
  soak.hold(seen.messages.requests === counted.requests && seen.messages.replies === counted.requests,
    `observe saw ${JSON.stringify(seen.messages)}, the server counted ${counted.requests} requests`);
  for (const { name, requests } of seen.operations) {
    const its = counted[name.toLowerCase()];
    soak.hold(requests === its, `observe saw ${requests} ${name}, the server counted ${its}`);
  }
  const planned = result.operations.find(({ operation }) => operation === 'query').counts.planned;
  soak.hold(counted.query >= planned && counted.query <= planned + mostProbes,
    `${planned} QUERY were planned, the server counted ${counted.query}`);
}

/** A server is killed in the middle of a load, and started again. */
async function killed(soak) {
  const port = await soak.freePort();
  const first = await serve(soak, port);
  let second = null;
  const { result } = await load(soak, port, {
    timeout: '500ms',
    forgets: true,
    during: async () => {
      soak.fault('kill');
      await stop(first, 'SIGKILL');
      await sleep(200 + soak.random.below(600));
      second = await serve(soak, port);
    },
  });
  if (result && second) {
    const { failed, timed_out: timedOut } = result.counts;
    soak.hold(failed + timedOut > 0, 'the server was killed, and no request failed');
    soak.hold(result.connections.lost > 0 && result.connections.regained > 0,
      `the server came back: ${JSON.stringify(result.connections)}`);
    await holdToInfo(soak, port, { requests: 0, connections: 1, query: 0 }, 0);
    await stop(second);
    soak.hold(second.code === 0, `serve: exit code ${second.code}`);
  }
}

/** The server stands still for a while. */
async function paused(soak) {
  const before = await info(soak.ports.serve);
  const { result } = await load(soak, soak.ports.serve, {
    timeout: '300ms',
    during: () => soak.pause(soak.processes.serve, 600 + soak.random.below(900)),
  });
  if (!result) return;
  soak.hold(result.counts.timed_out > 0, 'the server stood still, and no request timed out');
  await holdToInfo(soak, soak.ports.serve, before, result.counts.completed);
}

/** Connections are reset on both sides, between the load and the observer. */
async function reset(soak) {
  const relay = await relayTo(soak.ports.observe);
  const before = await info(soak.ports.serve);
  let going = true;
  const resetting = async () => {
    while (going) {
      await sleep(50 + soak.random.below(200));
      if (going) relay.resetOne((count) => soak.random.below(count));
    }
  };
  let resets = null;
  const { result } = await load(soak, relay.port, { during: () => { resets = resetting(); } });
  going = false;
  await resets;
  await relay.close();
  soak.fault('reset', relay.resets);
  if (!result) return;
  const { lost } = result.connections;
  soak.hold(lost > 0 && lost <= relay.resets, `${relay.resets} connections were reset, ${lost} were lost`);
  await holdToInfo(soak, soak.ports.serve, before, result.counts.completed);
}

/** The load is interrupted. */
async function interrupted(soak) {
  const before = await info(soak.ports.serve);
  const { result } = await load(soak, soak.ports.observe, {
    undisturbed: true,
    during: (running) => {
      soak.fault('interrupt');
      signal(running, 'SIGINT');
    },
  });
  if (!result) return;
  soak.hold(result.interrupted, 'the load was interrupted, and its result does not say so');
  const counted = await holdToInfo(soak, soak.ports.serve, before, result.counts.completed);
  soak.hold(counted.keys <= 0, `the load left ${counted.keys} keys behind`);
}

/** The results go to a file system that is full. */
async function fullDisk(soak) {
  if (!soak.canMount) return plain(soak);
  soak.fault('full disk');
  const directory = join(soak.rounds, 'full');
  const script = 'mkdir -p "$1" && mount -t tmpfs -o size=16k tmpfs "$1" && head -c 12k /dev/zero >"$1/ballast" || exit 99; ' +
    'directory=$1; shift; "$@" --json "$directory/x.json"; code=$?; [ ! -e "$directory/x.json" ] || echo "LEFT $(wc -c <"$directory/x.json")"; exit $code';
  const run = start(['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', directory, soak.program, 'load',
    target(soak.ports.serve), ...dialect, '--rate', '500', '--duration', '1s', '--quiet'], { cwd: soak.rounds });
  await finish(run, 30);
  soak.hold(run.code === 3, `results that cannot be written: exit code ${run.code}: ${run.err}`);
  soak.hold(/No space left on device/.test(run.err), `results that cannot be written: ${run.err}`);
  soak.hold(!run.out.includes('LEFT'), `a part of the results is left: ${run.out}`);
}

/** The load may not open enough descriptors. */
async function loadWithoutDescriptors(soak) {
  soak.fault('few descriptors');
  const before = await info(soak.ports.serve);
  const { run, result } = await load(soak, soak.ports.serve, { limits: 'ulimit -n 40', options: ['--connections', '100'] });
  soak.hold(run.code === 3 && /ulimit -n/.test(result?.run_error), `a load of 100 connections and 40 descriptors: exit code ${run.code}`);
  const counted = await holdToInfo(soak, soak.ports.serve, before, 0);
  soak.hold(counted.keys <= 0, `a load that could not begin left ${counted.keys} keys behind`);
}

/** A server may not open enough descriptors: it serves those that it can, and rests. */
async function serverWithoutDescriptors(soak) {
  soak.fault('few descriptors');
  const port = await soak.freePort();
  const server = await serve(soak, port, { limits: 'ulimit -n 32' });
  if (!server) return;
  const { run, result } = await load(soak, port, { timeout: '300ms', options: ['--connections', '64'], busyOf: server.pid });
  if (result) {
    soak.hold(result.counts.completed > 0, 'nobody was served');
    soak.hold(result.counts.timed_out > 0, 'everybody was served by 32 descriptors');
  }
  soak.hold(!(run.busy > mostBusy), `the server was busy for ${run.busy} of the time`);
  soak.hold((await info(port)).requests > 0, 'the server does not answer any more');
  await stop(server);
  soak.hold(server.code === 0, `serve: exit code ${server.code}`);
}

/** The wall clock of a server is set by a year, forth and back. */
async function clockStep(soak) {
  const clock = soak.clock();
  if (!clock) return plain(soak);
  const port = await soak.freePort();
  const server = await serve(soak, port, { env: clock.env });
  if (!server) return;
  const { result } = await load(soak, port, {
    undisturbed: true,
    during: async () => {
      soak.fault('clock step');
      clock.set(soak.random.below(2) ? year : -year);
      await sleep(500);
      clock.set(0n);
    },
  });
  if (result) await holdToInfo(soak, port, { requests: 0, connections: 1, query: 0 }, result.counts.completed);
  await stop(server);
  soak.hold(server.code === 0, `serve: exit code ${server.code}`);
}

/** The server that runs all the time is certified, and the certificate verified. */
const certified = (soak) => soak.certify([target(soak.ports.serve), ...dialect]);

/** A server is killed while it is certified. */
async function certifiedAndKilled(soak) {
  const port = await soak.freePort();
  const server = await serve(soak, port);
  if (!server) return;
  const json = join(soak.rounds, 'killed.json');
  const run = soak.start(['certify', target(port), ...dialect, '--quiet', '--json', json]);
  await sleep(500 + soak.random.below(1000));
  soak.fault('kill');
  await stop(server, 'SIGKILL');
  await finish(run, 120);
  soak.hold([1, 3].includes(run.code), `certify of a server that was killed: exit code ${run.code}: ${run.out}`);
  const result = takeJson(json, soak.complaints);
  soak.hold(!result || result.exit_code === run.code, `certify: exit code ${run.code}, in the result ${result?.exit_code}`);
}

export const streamRounds = { plain, killed, observed, certified, paused, reset, interrupted, fullDisk, loadWithoutDescriptors,
  serverWithoutDescriptors, clockStep, certifiedAndKilled };
