// One sequence of rounds. Lanes run beside each other; each has servers, a directory and random numbers of its own.
import { closeSync, constants, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../attack/random.mjs';
import { freePort } from '../ports.mjs';
import { checkLoad, takeJson } from './checks.mjs';
import { cpuSeconds, finish, printed, signal, sleep, start, stop } from './processes.mjs';
import { startRedis } from './stores.mjs';

const restBetweenRounds = 500;

export class Lane {
  constructor(soak, name, rounds, seed) {
    Object.assign(this, { soak, name, deck: [], all: Object.entries(rounds), random: new Random(seed) });
    this.rounds = join(soak.directory, name);
    this.complaints = [];
    mkdirSync(this.rounds);
  }

  get program() { return this.soak.program; }
  get ports() { return this.soak.ports; }
  get processes() { return this.soak.processes; }
  get canMount() { return this.soak.canMount; }

  /** Plays round after round until the time is over; each kind comes once before one comes again. */
  async run() {
    const inOrder = this.all.map(([name]) => name);
    while (!this.soak.over()) {
      if (this.deck.length === 0) this.deck = this.played ? this.shuffled(inOrder) : [...inOrder];
      this.played = true;
      await this.play(this.deck.shift());
      await sleep(restBetweenRounds);
    }
  }

  shuffled(list) {
    const rest = [...list];
    return list.map(() => rest.splice(this.random.below(rest.length), 1)[0]);
  }

  async play(name) {
    this.complaints = [];
    this.started = [];
    try {
      await Object.fromEntries(this.all)[name](this);
    } catch (error) {
      this.complaints.push(`the round could not go on: ${error.message}`);
    }
    await Promise.all(this.started.filter((one) => !one.ended).map((one) => stop(one, 'SIGKILL')));
    const left = readdirSync(this.rounds).filter((file) => file !== 'redis' && file !== 'full');
    if (left.length > 0) this.complaints.push(`files are left: ${left.join(', ')}`);
    this.soak.ended(`${this.name}/${name}`, this.complaints);
  }

  hold(holds, complaint) {
    if (!holds) this.complaints.push(complaint);
  }

  fault(kind, times = 1) { this.soak.fault(kind, times); }
  freePort() { return freePort(); }

  /** Starts Hallmark; what still runs at the end of the round is killed. */
  start(args, options = {}) {
    return this.kept(start([this.program, ...args], { cwd: this.rounds, ...options }));
  }

  kept(process) {
    if (process) this.started.push(process);
    return process;
  }

  /** A command that listens: {process, port}; null, and a complaint, if it does not. */
  async listen(args, options) {
    const process = this.start(args, options);
    const listening = /listening on \w+:\/\/127\.0\.0\.1:(\d+)/;
    if (await printed(process, listening, 20)) return { process, port: Number(listening.exec(process.out)[1]) };
    this.complaints.push(`${args[0]} does not listen: exit code ${process.code}: ${process.err}`);
    return null;
  }

  async serve(args, options) {
    return (await this.listen(['serve', ...args], options))?.process ?? null;
  }

  async redis(port, options) {
    const server = this.kept(await startRedis(join(this.rounds, 'redis'), port, options));
    this.hold(server, 'Redis does not start');
    return server;
  }

  /**
   * A load: {run, result}, both checked; `result` is null, and that a complaint, if there is no whole result. `options`:
   * timeout; undisturbed: nothing may fail; forgets: the target loses its records; during: called after the first second; options: more of the command line;
   * limits, env; busyOf: a process, whose share of a processor becomes run.busy.
   */
  async load(args, options = {}) {
    const json = join(this.rounds, 'load.json');
    const cpuBefore = options.busyOf ? cpuSeconds(options.busyOf) : 0;
    const begun = performance.now();
    const run = this.start(['load', ...args, '--duration', `${this.soak.loadSeconds}s`, '--timeout', options.timeout ?? '5s',
      '--verbose', '--json', json, '--seed', `${1 + this.random.below(1e6)}`, ...(options.options ?? [])],
    { limits: options.limits, env: options.env });
    if (options.during) {
      this.hold(await printed(run, /sent\/s/, 60), 'the load ended within its first second');
      if (!run.ended) await options.during(run);
    }
    await finish(run, this.soak.loadSeconds + 60);
    if (options.busyOf) run.busy = (cpuSeconds(options.busyOf) - cpuBefore) / ((performance.now() - begun) / 1000);
    const result = takeJson(json, this.complaints);
    if (!result) this.complaints.push(`load: no result, ${run.hung ? 'it hung' : `exit code ${run.code}`}: ${run.err.slice(-300)}`);
    else this.complaints.push(...checkLoad(run, result, options.forgets));
    if (result && options.undisturbed) this.hold([0, 4].includes(run.code), `an undisturbed load has exit code ${run.code}`);
    if (result) this.soak.loaded(result.counts);
    return { run, result };
  }

  /** Certifies a target with a certificate, and verifies that; a busy machine may leave cases undecided. */
  async certify(args) {
    const json = join(this.rounds, 'certify.json');
    const certificate = join(this.rounds, 'certificate');
    const run = this.start(['certify', ...args, '--quiet', '--json', json, '--certificate', certificate]);
    await finish(run, 300);
    const result = takeJson(json, this.complaints);
    const undecided = run.code === 4 && result?.summary.fail === 0;
    const why = result?.cases?.filter((one) => ['fail', 'error'].includes(one.verdict)).slice(0, 3)
      .map((one) => `${one.id}: ${one.reason}`).join('; ');
    this.hold(undecided || (run.code === 0 && result?.verdict === 'CERTIFIED'),
      `certify ${args[0]}: exit code ${run.code}: ${run.out.slice(0, 300)} ${why}`);
    this.hold(result?.exit_code === run.code, `certify: exit code ${run.code}, in the result ${result?.exit_code}`);
    const verified = this.start(['verify', certificate]);
    await finish(verified, 120);
    this.hold(verified.code === run.code, `verify: exit code ${verified.code}, certify had ${run.code}: ${verified.out.slice(-300)}`);
    rmSync(certificate, { force: true });
    this.soak.certified(undecided);
  }

  /** A process stands still for so many milliseconds. */
  async pause(process, ms) {
    this.fault('pause');
    signal(process, 'SIGSTOP');
    await sleep(ms);
    signal(process, 'SIGCONT');
  }

  /** What `get` resolves to, once `holds` accepts it, or after five seconds. */
  async settled(get, holds) {
    for (let attempt = 0; ; ++attempt) {
      const value = await get().catch((error) => { if (attempt >= 50) throw error; });
      if (attempt >= 50 || (value !== undefined && holds(value))) return value;
      await sleep(100);
    }
  }

  /** A wall clock that can be set: {env, set}, for programs that this lane starts; null if that is not possible. */
  clock() {
    if (!this.soak.clockLibrary) return null;
    const file = join(this.soak.directory, `clock-${this.name}`);
    const set = (ns) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(ns);
      const out = openSync(file, constants.O_CREAT | constants.O_WRONLY);
      writeSync(out, bytes, 0, 8, 0);
      closeSync(out);
    };
    set(0n);
    return { env: { LD_PRELOAD: this.soak.clockLibrary, HALLMARK_SOAK_CLOCK: file }, set };
  }
}
