// Rounds over UDP: loads and certifications of a ratelimit-udp server, undisturbed and under faults.
import { join } from 'node:path';
import { checkProxy, servedDatagrams, takeJson } from './checks.mjs';
import { sleep, stop } from './processes.mjs';
import { root } from './options.mjs';

/** Pings that a load sends before it: one that has no reply is repeated. */
const mostPings = 20;
export const pathFaults = ['--drop', '1%', '--duplicate', '1%', '--reorder', '1%', '--reorder-hold', '20ms'];

const target = (port) => `udp://127.0.0.1:${port}`;
const serve = (soak, port) => soak.serve(['--dialect', 'ratelimit-udp', '--listen', target(port)]);
const load = (soak, port, options = {}) => soak.load([target(port), '--rate', '1k'], { timeout: '500ms', ...options });

/** To the server that runs all the time. */
const plain = (soak) => load(soak, soak.ports.datagrams, { timeout: '5s', undisturbed: true });

/** Through the proxy that runs all the time, which loses, doubles and reorders. */
async function unreliable(soak) {
  soak.fault('unreliable path');
  const { result } = await load(soak, soak.ports.proxy);
  if (result) soak.hold(result.datagram.counts.lost + result.datagram.counts.duplicate > 0, 'the path lost and doubled nothing');
}

/** With a server and a proxy of its own: load, proxy and server counted the same datagrams. */
async function counted(soak) {
  const port = await soak.freePort();
  const server = await serve(soak, port);
  const report = join(soak.rounds, 'proxy.json');
  const proxy = await soak.listen(['proxy', '--listen', target(0), '--target', target(port), '--seed', `${1 + soak.random.below(1e6)}`,
    '--json', report, ...pathFaults]);
  if (!server || !proxy) return;
  soak.fault('unreliable path');
  const { result } = await load(soak, proxy.port);
  await sleep(100);
  await stop(proxy.process, 'SIGINT');
  await stop(server, 'SIGINT');
  soak.hold(proxy.process.code === 0, `proxy: exit code ${proxy.process.code}`);
  const passed = takeJson(report, soak.complaints);
  const served = servedDatagrams(server.err);
  soak.hold(passed && served, `no counts of the proxy or the server: ${server.err}`);
  if (!passed || !served || !result) return;
  soak.complaints.push(...checkProxy(passed));
  const { requests, replies } = passed.counts;
  const { sent, datagrams } = result.datagram.counts;
  soak.hold(requests.received >= sent && requests.received <= sent + mostPings, `the load sent ${sent}, the proxy received ${requests.received}`);
  soak.hold(requests.forwarded === served.received + served.overflowed,
    `the proxy forwarded ${requests.forwarded}, the server received ${served.received}`);
  soak.hold(replies.received === served.answered, `the server answered ${served.answered}, the proxy received ${replies.received}`);
  soak.hold(replies.forwarded >= datagrams && replies.forwarded <= datagrams + mostPings,
    `the proxy forwarded ${replies.forwarded} replies, the load received ${datagrams}`);
}

/** A server is killed in the middle of a load, and started again. */
async function killed(soak) {
  const port = await soak.freePort();
  const first = await serve(soak, port);
  let second = null;
  const { result } = await load(soak, port, {
    timeout: '300ms',
    during: async () => {
      soak.fault('kill');
      await stop(first, 'SIGKILL');
      await sleep(200 + soak.random.below(600));
      second = await serve(soak, port);
    },
  });
  if (!second) return;
  await stop(second);
  soak.hold(second.code === 0, `serve: exit code ${second.code}`);
  if (result) soak.hold(result.counts.timed_out + result.counts.failed > 0, 'the server was killed, and no request failed');
}

/** The server stands still for a while. */
async function paused(soak) {
  const { result } = await load(soak, soak.ports.datagrams, {
    timeout: '200ms',
    during: () => soak.pause(soak.processes.datagrams, 500 + soak.random.below(900)),
  });
  if (result) soak.hold(result.counts.timed_out > 0, 'the server stood still, and no request timed out');
}

const certify = (soak, port) =>
  soak.certify([target(port), '--profile', 'deployed', '--rules', join(root, 'docs/example.rules'), '--estimator', 'exponential']);

const certified = (soak) => certify(soak, soak.ports.datagrams);

/** Datagrams that get lost and doubled fail no server. */
function certifiedOverUnreliablePath(soak) {
  soak.fault('unreliable path');
  return certify(soak, soak.ports.proxy);
}

export const datagramRounds = { plain, counted, killed, unreliable, certified, paused, certifiedOverUnreliablePath };
