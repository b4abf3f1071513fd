// Runs the program under bounds: of time, of memory and of what it prints.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

const mostPrinted = 1 << 26;
const crashes = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS']);

/** `options`: cwd; seconds; memory in MiB, 0: unbounded; stdout: a path; limits: what ulimit is told; signal: [name, after milliseconds]. */
export function runBounded(program, args, options) {
  const limits = [options.memory ? `ulimit -v ${options.memory * 1024}` : '', options.limits ?? ''].filter(Boolean).join('; ');
  const closed = options.stdout === 'closed' ? ' >&-' : '';
  const script = `${limits ? `${limits}; ` : ''}exec "$0" "$@"${closed}`;
  const out = options.stdout && options.stdout !== 'closed' ? openSync(options.stdout, 'w') : 'pipe';
  return new Promise((done) => {
    const begun = Date.now();
    const child = spawn('/bin/sh', ['-c', script, program, ...args], { cwd: options.cwd, stdio: ['ignore', out, 'pipe'], detached: true });
    const result = { code: null, signal: null, out: '', err: '', hung: false, flooded: false };
    const kill = (signal) => { try { process.kill(-child.pid, signal); } catch { /* it is gone */ } };
    const take = (name) => (data) => {
      if (result[name].length < mostPrinted) result[name] += data.toString('latin1');
      else { result.flooded = true; kill('SIGKILL'); }
    };
    child.stdout?.on('data', take('out'));
    child.stderr.on('data', take('err'));
    const patience = setTimeout(() => { result.hung = true; kill('SIGKILL'); }, options.seconds * 1000);
    const sending = options.signal && setTimeout(() => kill(options.signal[0]), options.signal[1]);
    child.on('close', (code, signal) => {
      clearTimeout(patience);
      clearTimeout(sending);
      if (out !== 'pipe') closeSync(out);
      done({ ...result, code, signal, seconds: (Date.now() - begun) / 1000 });
    });
  });
}

/** What is wrong with how it ended, whatever it was given; empty: nothing. */
export function misconduct(result) {
  if (result.hung) return `still running after ${result.seconds} s`;
  if (result.flooded) return `printed more than ${mostPrinted} bytes`;
  if (/(Address|Thread|Leak|UndefinedBehavior)Sanitizer|runtime error:/.test(result.err)) return 'a sanitizer reports a mistake';
  if (crashes.has(result.signal) || [132, 134, 135, 136, 139].includes(result.code)) return `crashed: ${result.signal ?? result.code}`;
  if (/terminate called|std::bad_alloc|logic_error|basic_string/.test(result.err)) return 'an exception reached the user';
  return '';
}
