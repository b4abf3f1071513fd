// Starts, signals and ends processes, and reads from /proc what they hold. Ends only what it started.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const mostPrinted = 1 << 22;
const alive = new Set();
let closed = false;
const endsWithUs = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : [];

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A process in a group of its own, which the system ends when this one dies. `options`: cwd, env, limits (for ulimit),
 * quit (the signal that ends it
 * whole), bare (the command arranges for its own end).
 */
export function start(command, options = {}) {
  if (closed) throw new Error('the soak ends');
  const limited = options.limits ? ['/bin/sh', '-c', `${options.limits} && exec "$0" "$@"`] : [];
  const [file, ...args] = [...(options.bare ? [] : endsWithUs), ...limited, ...command];
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const begun = { child, pid: child.pid, out: '', err: '', code: null, signal: null, ended: false, waiting: [], quit: options.quit };
  const take = (name) => (data) => {
    if (begun[name].length < mostPrinted) begun[name] += data;
    for (const look of [...begun.waiting]) look();
  };
  child.stdout.setEncoding('utf8').on('data', take('out'));
  child.stderr.setEncoding('utf8').on('data', take('err'));
  begun.end = new Promise((resolve) => {
    const finish = (code, signal) => {
      Object.assign(begun, { code, signal, ended: true });
      alive.delete(begun);
      for (const look of [...begun.waiting]) look();
      resolve(begun);
    };
    child.on('close', finish);
    child.on('error', (error) => {
      begun.err += `${error}`;
      finish(127, null);
    });
  });
  alive.add(begun);
  return begun;
}

/** Resolves to true once the output has the pattern, to false if the process ends or the time is over before. */
export function printed(begun, pattern, seconds = 30) {
  return new Promise((resolve) => {
    const settle = (found) => {
      clearTimeout(patience);
      begun.waiting = begun.waiting.filter((one) => one !== look);
      resolve(found);
    };
    const look = () => {
      if (pattern.test(begun.out) || pattern.test(begun.err)) settle(true);
      else if (begun.ended) settle(false);
    };
    const patience = setTimeout(() => settle(false), seconds * 1000);
    begun.waiting.push(look);
    look();
  });
}

/** Sends the signal to the process alone. */
export function signal(begun, name) {
  if (!begun.ended) begun.child.kill(name);
}

/** Kills the process and its group. */
function kill(begun) {
  try {
    process.kill(-begun.pid, 'SIGKILL');
  } catch {
    begun.child.kill('SIGKILL');
  }
}

/** Waits for the end of the process; one that takes longer is killed, and `hung` is true. */
export async function finish(begun, seconds) {
  const patience = setTimeout(() => {
    begun.hung = true;
    kill(begun);
  }, seconds * 1000);
  await begun.end;
  clearTimeout(patience);
  return begun;
}

/** Ends a process by the signal, and by SIGKILL if it does not end in time. */
export function stop(begun, name = 'SIGTERM', seconds = 10) {
  signal(begun, name);
  return finish(begun, seconds);
}

export async function killAndWait(begun) {
  if (!begun.ended) kill(begun);
  return begun.end;
}

/** Ends all that still runs, by the signal that it asked for (`quit`) or SIGKILL; nothing can be started any more. */
export async function endAll() {
  closed = true;
  await Promise.all([...alive].map((one) => (one.quit ? stop(one, one.quit, 3) : killAndWait(one))));
}

/** The resident memory and all writable memory in KiB, descriptors and threads of a process; null if it is gone. */
export function usage(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return { rss: number('VmRSS'), data: number('VmData'), fds: readdirSync(`/proc/${pid}/fd`).length, threads: number('Threads') };
  } catch {
    return null;
  }
}

/** The processor time of a process in seconds. */
export function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /, '').split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** The children of a process. */
export function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
