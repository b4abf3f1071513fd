// Starts Redis and PostgreSQL with data of their own.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finish, printed, start, stop } from './processes.mjs';

export const redisInstalled = () => existsSync('/usr/bin/redis-server');

/** A Redis that keeps nothing, or, on a small file system that is almost full, a log; null if it does not start. */
export async function startRedis(directory, port, { smallDisk = false } = {}) {
  mkdirSync(directory, { recursive: true });
  const command = ['redis-server', '--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly',
    smallDisk ? 'yes' : 'no', '--appendfsync', 'everysec', '--auto-aof-rewrite-percentage', '0'];
  const mount = 'mount -t tmpfs -o size=1m tmpfs "$1" && head -c 960k /dev/zero >"$1/ballast" && shift && exec "$@"';
  const server = start(smallDisk
    ? ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', mount, 'sh', directory, ...command] : command);
  if (await printed(server, /Ready to accept connections/)) return server;
  await stop(server, 'SIGKILL');
  return null;
}

const versions = '/usr/lib/postgresql';
const newest = existsSync(versions) ? readdirSync(versions).sort((one, other) => other - one)[0] : null;
const programs = newest && join(versions, newest, 'bin');
const isRoot = process.getuid() === 0;
const user = isRoot ? /^postgres:[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8')) : null;

export const postgresInstalled = () => Boolean(programs) && (!isRoot || user !== null);

/** The words that run a command as a user who may run PostgreSQL: root may not. */
const asPostgres = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--inh-caps=-all', '--pdeathsig=QUIT'] : [];

/** A PostgreSQL with the table of the states; rejects if it does not start. */
export async function startPostgres(directory, port) {
  mkdirSync(directory);
  if (user) chownSync(directory, Number(user[1]), Number(user[2]));
  chmodSync(directory, 0o700);
  const data = join(directory, 'data');
  const made = start([...asPostgres, join(programs, 'initdb'), '--pgdata', data, '--username=postgres', '--no-sync', '--no-locale',
    '--encoding=UTF8', '--no-instructions'], { bare: true });
  await finish(made, 60);
  if (made.code !== 0) throw new Error(`initdb: exit code ${made.code}: ${made.err}`);
  writeFileSync(join(data, 'pg_hba.conf'), 'host all postgres 127.0.0.1/32 trust\n');
  const server = start([...asPostgres, join(programs, 'postgres'), '-D', data, `--port=${port}`, '--listen_addresses=127.0.0.1',
    '--unix_socket_directories=', '--shared_buffers=16MB', '--fsync=off', '--max_connections=40', '--max_wal_size=64MB',
    '--min_wal_size=32MB'], { bare: true, quit: 'SIGQUIT' });
  if (!(await printed(server, /ready to accept connections/))) throw new Error(`postgres: ${server.err}`);
  execFileSync('psql', ['-q', '-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-c',
    'CREATE TABLE ratelimit_kv (key text PRIMARY KEY, value text NOT NULL, expires_at timestamptz)', 'postgres']);
  return server;
}
