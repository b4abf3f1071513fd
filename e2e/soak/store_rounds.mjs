// Rounds against stores: decisions in Redis and PostgreSQL, undisturbed and under faults.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { childrenOf, sleep, stop } from './processes.mjs';

const strategies = ['token-bucket:burst=10,rate=5', 'leaky-bucket:capacity=10,rate=5', 'gcra:burst=10,rate=5',
  'fixed-window:default=100/1m,hourly=1000/1h'];
const hour = 3600n * 1_000_000_000n;

const load = (soak, url, options = {}) => soak.load(
  [url, '--rate', '500', '--connections', '4', '--keys', '1000', '--strategy', soak.random.of(strategies)],
  { ...options },
);
const redisUrl = (port) => `redis://127.0.0.1:${port}`;

/** The output of a client of a store; rejects if it fails. */
const ask = (file, args) => new Promise((resolve, reject) => {
  execFile(file, args, { timeout: 10_000 }, (error, out) => (error ? reject(error) : resolve(out.trim())));
});
const keysInRedis = (port) => ask('redis-cli', ['-p', `${port}`, 'DBSIZE']);
const keysInPostgres = (port) =>
  ask('psql', ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-Atc', 'SELECT count(*) FROM ratelimit_kv', 'postgres']);

/** A load removes its keys. */
async function holdEmpty(soak, keys) {
  const left = await keys;
  soak.hold(left === '0', `the load left ${left} keys in the store`);
}

async function redis(soak) {
  await load(soak, redisUrl(soak.ports.redis), { undisturbed: true });
  await holdEmpty(soak, keysInRedis(soak.ports.redis));
}

async function redisPaused(soak) {
  await load(soak, redisUrl(soak.ports.redis), {
    timeout: '300ms',
    during: () => soak.pause(soak.processes.redis, 600 + soak.random.below(600)),
  });
  await soak.settled(() => keysInRedis(soak.ports.redis), (left) => left === '0');
  await holdEmpty(soak, keysInRedis(soak.ports.redis));
}

/** A Redis of its own is killed in the middle of a load, and started again. */
async function redisKilled(soak) {
  const port = await soak.freePort();
  const first = await soak.redis(port);
  let second = null;
  const { result } = await load(soak, redisUrl(port), {
    timeout: '500ms',
    during: async () => {
      soak.fault('kill');
      await stop(first, 'SIGKILL');
      await sleep(300 + soak.random.below(500));
      second = await soak.redis(port);
    },
  });
  if (result) soak.hold(result.counts.failed + result.counts.timed_out > 0, 'Redis was killed, and no request failed');
  if (!second) return;
  await holdEmpty(soak, keysInRedis(port));
  await stop(second);
}

/** The log of Redis fills a small file system: it refuses writes from then on. */
async function redisOnFullDisk(soak) {
  if (!soak.canMount) return redis(soak);
  soak.fault('full disk');
  const port = await soak.freePort();
  const server = await soak.redis(port, { smallDisk: true });
  if (!server) return;
  const { result } = await load(soak, redisUrl(port), { timeout: '500ms' });
  if (result) soak.hold(result.counts.failed > 0, 'the disk of Redis was full, and no request failed');
  await stop(server, 'SIGKILL');
}

/** The wall clock of a client steps by an hour, forth and back: no limit is exceeded by that. */
async function clockStep(soak) {
  const clock = soak.clock();
  if (!clock) return redis(soak);
  await load(soak, redisUrl(soak.ports.redis), {
    undisturbed: true,
    env: clock.env,
    during: async () => {
      soak.fault('clock step');
      clock.set(soak.random.below(2) ? hour : -hour);
      await sleep(500);
      clock.set(0n);
    },
  });
  await holdEmpty(soak, keysInRedis(soak.ports.redis));
}

const postgresUrl = (soak) => `postgres://postgres@127.0.0.1:${soak.ports.postgres}/postgres`;

/** The processes that serve a connection. */
const backends = (soak) => childrenOf(soak.processes.postgres.pid).filter((pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('postgres: postgres postgres');
  } catch {
    return false;
  }
});

async function postgres(soak) {
  if (!soak.processes.postgres) return redis(soak);
  await load(soak, postgresUrl(soak), { undisturbed: true });
  await holdEmpty(soak, keysInPostgres(soak.ports.postgres));
}

/** The process of one connection is killed: PostgreSQL ends the others and recovers. */
async function postgresKilled(soak) {
  if (!soak.processes.postgres) return redis(soak);
  const { result } = await load(soak, postgresUrl(soak), {
    timeout: '500ms',
    during: () => {
      soak.fault('kill');
      const [first] = backends(soak);
      soak.hold(first, 'PostgreSQL has no process for a connection');
      if (first) process.kill(first, 'SIGKILL');
    },
  });
  if (result) soak.hold(result.counts.failed + result.counts.timed_out > 0, 'PostgreSQL was killed, and no request failed');
  await soak.settled(() => keysInPostgres(soak.ports.postgres), (left) => left === '0');
  await holdEmpty(soak, keysInPostgres(soak.ports.postgres));
}

/** The processes of all connections stand still for a while. */
async function postgresPaused(soak) {
  if (!soak.processes.postgres) return redis(soak);
  await load(soak, postgresUrl(soak), {
    timeout: '300ms',
    during: async () => {
      const stopped = backends(soak);
      const all = (name) => { for (const pid of stopped) try { process.kill(pid, name); } catch { /* it is gone */ } };
      soak.fault('pause');
      all('SIGSTOP');
      await sleep(600 + soak.random.below(600));
      all('SIGCONT');
    },
  });
  await soak.settled(() => keysInPostgres(soak.ports.postgres), (left) => left === '0');
  await holdEmpty(soak, keysInPostgres(soak.ports.postgres));
}

export const storeRounds = { redis, redisKilled, postgres, redisOnFullDisk, postgresKilled, clockStep, redisPaused, postgresPaused };
