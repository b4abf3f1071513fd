// Plays plain vectors against a server or, without one, checks a codec against their bytes. docs/vectors.md explains them.
//   hallmark vectors plain --dialect throttr-7.1 --width u16 --output u16.json
//   node runner.mjs u16.json [tcp://HOST:PORT | udp://HOST:PORT]    exit code 1: something failed, or there was nothing to do
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { Refused, decode, encode, read_message } from './codec.mjs';

/** Checks that the codec writes and reads a message, or refuses it at the right field. */
async function check_example(layout, example) {
  const found = {};
  try {
    if (example.fields) found.hex = encode(layout, example.fields).toString('hex');
    if ('hex' in example && !example.unlisted) found.fields = decode(layout, Buffer.from(example.hex, 'hex'));
  } catch (why) {
    if (!(why instanceof Refused)) throw why;
    found.refused = example.anywhere ? example.refused : why.message;
  }
  const wrong = Object.entries(found).filter(([name, one]) => !isDeepStrictEqual(one, example[name]));
  if (wrong.length > 0) throw new Refused(`the codec makes of it ${JSON.stringify(wrong).slice(0, 300)}`);
}

class Link {
  constructor(server) {
    const { protocol, hostname, port } = new URL(server);
    this.is_udp = protocol === 'udp:';
    this.socket = this.is_udp ? createSocket('udp4') : connect(port, hostname);
    this.write = (data) => (this.is_udp ? this.socket.send(data, port, hostname) : this.socket.write(data));
    this.close = () => (this.is_udp ? this.socket.close() : this.socket.destroy());
    this.received = []; // datagrams, or parts of a stream, that have not been read
    this.news = this.is_udp ? 'message' : 'data';
    this.socket.on(this.news, (data) => this.received.push(data));
    this.over = new AbortController();
    for (const event of ['end', 'error', 'close']) this.socket.on(event, () => this.over.abort());
  }

  /** Returns the values of the next message. */
  async receive(layout) {
    const signal = AbortSignal.any([this.over.signal, AbortSignal.timeout(10_000)]);
    for (;; await once(this.socket, this.news, { signal }).catch(() => {})) {
      const values = this.take(layout);
      if (values) return values;
      if (signal.aborted) throw new Refused('nothing more comes');
    }
  }

  take(layout) {
    if (this.is_udp) return this.received.length > 0 ? decode(layout, this.received.shift()) : undefined;
    const data = Buffer.concat(this.received);
    const { values, size } = read_message(layout, data) ?? { size: 0 };
    this.received = [data.subarray(size)];
    return values;
  }
}

/** One vector. It remembers when each step sent its request and was answered, and the values captured. */
class Play {
  constructor(layouts, server) {
    Object.assign(this, { layouts, server, links: {}, captured: {}, sent: {}, arrived: {} });
  }

  /** Removes the vector's keys before and after. */
  async run({ cleanup, steps }) {
    try {
      await this.steps(cleanup);
      await this.steps(steps).finally(() => this.steps(cleanup));
    } finally {
      Object.values(this.links).forEach((link) => link.close());
    }
  }

  async steps(steps) {
    for (const [place, step] of steps.entries()) {
      const link = (this.links[step.on] ??= new Link(this.server));
      if (step.expect) await this.expect(step, link, this.layouts[step.layout]);
      else if ('send' in step) this.send(place, step, link);
      else link.close();
    }
  }

  send(place, { send, insert = [] }, link) {
    const data = Buffer.from(send, 'hex');
    for (const { at, name } of insert) data.write(this.captured[name], at, 'hex');
    this.sent[place] = process.hrtime.bigint();
    link.write(data);
  }

  /** Receives the next message, which has to be one of several. */
  async expect({ expect, answers: asked }, link, layout) {
    const got = await link.receive(layout);
    if (asked !== undefined) this.arrived[asked] = process.hrtime.bigint();
    if (expect.some((wants) => wants.every((want) => this.matches(want, got, asked)))) return;
    throw new Refused(`${layout.message} came as ${JSON.stringify(got).slice(0, 300)}`);
  }

  /** Returns true if a field is as wanted in the reply to step asked. */
  matches(want, record, asked) {
    const { match, field, name, choices = [want.value] } = want;
    const value = record[field];
    if (match === 'over') return this.elapsed(want, asked)[1] >= BigInt(want.full) * BigInt(want.unit_ns);
    if (match === 'set_of') return this.is_set(want, record, asked);
    if (value === undefined) return false;
    if (match === 'capture') this.captured[name] = value;
    if (match === 'capture' || match === 'captured') return value === this.captured[name];
    if (match === 'captured_hex') return value === Buffer.from(this.captured[name]).toString('hex');
    if (match === 'equals' || match === 'one_of') return choices.includes(value);
    const [least, most] = match === 'range' ? [want.min, want.max] : this.left(want, asked);
    return BigInt(least) <= BigInt(value) && BigInt(value) <= BigInt(most);
  }

  /** Returns true if each record that is wanted occurs exactly once in a group. */
  is_set({ path, records: wanted, exactly }, record, asked) {
    const found = path.reduce((records, group) => records.flatMap((one) => one[group] ?? []), [record]);
    const times = wanted.map((fields) => found.filter((one) => fields.every((want) => this.matches(want, one, asked))).length);
    return times.every((one) => one === 1) && !(exactly && found.length > wanted.length);
  }

  /** Returns the least and the most units that can be left, whenever between request and reply the server looked. */
  left(lifetime, asked) {
    const [full, unit, least, most] = [BigInt(lifetime.full), BigInt(lifetime.unit_ns), ...this.elapsed(lifetime, asked)];
    const rounded_up = (time) => (time + unit - 1n) / unit;
    const gone = unit < 10n ** 9n ? least / unit : rounded_up(least); // of units below a second, whole ones
    return full > least / unit ? [full - rounded_up(most), full - gone] : [1n, 0n];
  }

  /** Returns the least and the most nanoseconds from when the server began a lifetime to when it made the reply. */
  elapsed({ since }, asked) {
    const least = this.sent[asked] - (this.arrived[since] ?? this.sent[asked]);
    return [least > 0n ? least : 0n, this.arrived[asked] - this.sent[since]];
  }
}

async function main(path, server) {
  if (!path) return console.error('usage: runner.mjs PLAIN_VECTORS [tcp://HOST:PORT | udp://HOST:PORT]') ?? 2;
  const { layouts, vectors, examples, skipped } = JSON.parse(readFileSync(path, 'utf8'));
  const todo = server ? vectors : examples;
  let failed = 0;
  for (const one of todo) {
    await (server ? new Play(layouts, server).run(one) : check_example(layouts[one.layout], one)).catch((why) => {
      failed += 1;
      console.log(`FAIL ${one.id}: ${why.message}`);
    });
  }
  console.log(`${todo.length - failed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 || todo.length === 0 ? 1 : 0;
}

process.exitCode = await main(...process.argv.slice(2));
