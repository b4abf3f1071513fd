// A shell for the commands of one page: a directory of its own, free ports, servers that end with the page.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../ports.mjs';
import { makeMissing } from './fixtures.mjs';
import { root } from './pages.mjs';

const hallmark = resolve(process.env.HALLMARK ?? join(root, 'build/release/hallmark'));
const longest = 120_000;

/**
 * Heavy commands made light: a load run lasts 200 ms, and a certification whose output is not shown plays the cases of one
 * operation or strategy, unless it chooses cases itself or is `--exclusive`. Its deadline allows for a busy machine.
 */
export function lightened({ command, shown }) {
  if (/^hallmark load /.test(command)) {
    const without = command.replace(/ --duration \S+/, '');
    return command.includes('--duration 1s') ? command : `${without} --duration 200ms`;
  }
  const whole = /--(filter|operation|level|clause|list|exclusive)\b/.test(command) || shown.length > 0;
  if (!command.startsWith('hallmark certify ')) return command;
  const patient = `${command} --deadline 30s`;
  if (command.includes(' tcp:') && !whole) return `${patient} --operation QUERY`;
  if (command.includes(' pipe:') && !whole) return `${patient} --filter '*/gcra/*'`;
  return patient;
}

export class Session {
  #directory;
  #environment;
  #ports = new Map();
  #servers = new Map();

  static async begin() {
    const session = new Session();
    session.#directory = mkdtempSync(join(tmpdir(), 'hallmark-docs-'));
    for (const folder of ['docs', 'clients']) symlinkSync(join(root, folder), join(session.#directory, folder));
    mkdirSync(join(session.#directory, '.bin'));
    symlinkSync(hallmark, join(session.#directory, '.bin/hallmark'));
    session.#environment = { ...process.env, NO_COLOR: '1', COLUMNS: '100', HOME: session.#directory,
      PYTHONDONTWRITEBYTECODE: '1',
      PATH: `${session.#directory}/.bin:${process.env.PATH}` };
    return session;
  }

  get directory() {
    return this.#directory;
  }

  /** Text with each port of this machine replaced by the port that the page got, and paths of /tmp by its directory. */
  replacePorts(text) {
    return text
      .replace(/127\.0\.0\.1:(\d{4,5})/g, (whole, port) => `127.0.0.1:${this.#ports.get(port) ?? port}`)
      .replaceAll('/tmp/', `${this.#directory}/`);
  }

  /** Runs a command of the page: { command, code, printed }; a server has the code 0 when it listens. */
  async run(shown) {
    for (const [, port] of shown.command.matchAll(/127\.0\.0\.1:(\d{4,5})/g)) await this.#choosePort(port);
    const command = this.replacePorts(lightened(shown));
    await makeMissing(this, command);
    const serves = /^hallmark (serve|proxy|observe) (?!.*--stdio)/.test(command);
    // `observe` listens only after it has reached its target.
    if (serves && !command.startsWith('hallmark observe ')) return this.#serve(command);
    for (const [target, scheme] of command.matchAll(/(?<!--listen )\b(tcp|udp):\/\/127\.0\.0\.1:\d+/g)) {
      if (!this.#servers.has(target)) await this.#serve(this.#standard(target, scheme));
    }
    if (serves) return this.#serve(command);
    const ran = await this.shell(command);
    // A busy machine may give the client no time at all within so short a run.
    if (!/no request was completed in/.test(ran.printed)) return { command, ...ran };
    return { command, ...(await this.shell(command.replace(/--duration \S+/, '--duration 5s'))) };
  }

  /** Runs a command to its end: { code, printed }. A command that takes minutes is killed. */
  shell(command) {
    return new Promise((done, failed) => {
      const child = this.#start(command);
      let printed = '';
      child.stdout.on('data', (text) => (printed += text));
      child.stderr.on('data', (text) => (printed += text));
      const timer = setTimeout(() => child.kill('SIGKILL'), longest);
      child.on('error', failed);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        done({ code: code ?? signal, printed });
      });
    });
  }

  /** Starts a server and waits until it has announced each of its listeners; one that listens there already is ended. */
  async #serve(command) {
    const listeners = [...command.matchAll(/--listen (\S+)/g)].map((match) => match[1]);
    for (const listener of listeners) await ended(this.#servers.get(listener));
    return new Promise((done, failed) => {
      const child = this.#start(command);
      let printed = '';
      const timer = setTimeout(() => failed(new Error(`${command}: does not listen\n${printed}`)), longest);
      const read = (text) => {
        printed += text;
        if (printed.split('\n').filter((line) => line.startsWith('listening on ')).length < listeners.length) return;
        clearTimeout(timer);
        done({ command, code: 0, printed });
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('error', failed);
      child.on('close', (code) => {
        clearTimeout(timer);
        failed(new Error(`${command}: ended with ${code}\n${printed}`));
      });
      for (const listener of listeners) this.#servers.set(listener, child);
    });
  }

  /** A server that the page takes for granted. */
  #standard(target, scheme) {
    const rules = makeMissing.rulesIn(this.#directory);
    return scheme === 'udp'
      ? `hallmark serve --dialect ratelimit-udp --listen ${target}${rules}`
      : `hallmark serve --width u16 --listen ${target}`;
  }

  #start(command) {
    const child = spawn('sh', ['-c', `exec ${command}`], {
      cwd: this.#directory, env: this.#environment, stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.setEncoding('utf8');
    child.stderr.setEncoding('utf8');
    return child;
  }

  async #choosePort(shown) {
    if (this.#ports.has(shown)) return;
    const chosen = await freePort();
    this.#ports.set(shown, chosen);
  }

  /** Ends the servers that were started here, and removes the directory. */
  async end() {
    await Promise.all([...new Set(this.#servers.values())].map(ended));
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Ends a process, if there is one, and waits for its end. */
function ended(child) {
  return new Promise((done) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return done();
    child.on('close', done);
    child.kill('SIGTERM');
  });
}
