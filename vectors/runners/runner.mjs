// Plays plain vectors against a server or, without one, checks a codec against their bytes. docs/vectors.md explains them.
//   hallmark vectors plain --dialect throttr-7.1 --width u16 --output u16.json
//   node runner.mjs u16.json [tcp://HOST:PORT | udp://HOST:PORT]    exit code 1: something failed, or there was nothing to do
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { Refused, decode, encode, read_message } from './codec.mjs';

/** A connection. */
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

  /** Returns the values of the next message, which has to come within 10 seconds. */
  async receive(layout) {
    const { signal } = this.over;
    const deadline = setTimeout(() => this.over.abort(), 10_000);
    try {
      for (;; await once(this.socket, this.news, { signal }).catch(() => {})) {
        const values = this.take(layout);
        if (values) return values;
        if (signal.aborted) throw new Refused('nothing more comes');
      }
    } finally {
      clearTimeout(deadline);
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

/** One example or vector. It remembers when its steps were taken, in nanoseconds, and what to put in place of {NAME}. */
class Play {
  constructor(layouts, server) {
    Object.assign(this, { layouts, server, times: [], captured: {} });
  }

  /** Removes the keys of a vector before and after. */
  async run({ cleanup = [], steps }) {
    await this.steps(cleanup);
    await this.steps(steps).finally(() => this.steps(cleanup));
  }

  /** Takes steps one after the other, on connections of their own. */
  async steps(steps) {
    const links = {};
    this.times = [];
    try {
      for (const step of steps) {
        const link = step.on && (links[step.on] ??= new Link(this.server));
        if ('send' in step) this.send(step, link);
        else if (step.expect) await this.expect(step, link, this.layouts[step.layout]);
        else this.check(step, this.layouts[step.layout]);
      }
    } finally {
      Object.values(links).forEach((link) => link.close());
    }
  }

  send({ send }, link) {
    this.times.push(performance.now() * 1e6);
    link.write(Buffer.from(this.fill(send), 'hex'));
  }

  async expect({ expect }, link, layout) {
    const got = await link.receive(layout);
    this.times.push(performance.now() * 1e6);
    if (!this.satisfies(got, expect)) throw new Refused(`${layout.message} came as ${JSON.stringify(got).slice(0, 300)}`);
  }

  /** Checks that the codec makes of an example what it should. */
  check({ encode: values, decode: digits, result: wanted }, layout) {
    const result = values ? encode(layout, values).toString('hex') : decode(layout, Buffer.from(digits, 'hex'));
    if (isDeepStrictEqual(result, wanted)) return;
    throw new Refused(`the codec makes of it ${JSON.stringify(result).slice(0, 300)}`);
  }

  satisfies(record, wants) {
    return wants.every((want) => this.matches(want, record));
  }

  /** Returns true if a record is as wanted. */
  matches(want, record) {
    const { match, name, full, unit } = want;
    const value = record[want.field];
    const lifetime = Number(full) * unit;
    const most = this.times.at(-1) - this.times[want.set];
    if (match === 'either') return this.satisfies(record, want.either) || this.satisfies(record, want.or);
    if (match === 'records') return this.count(want, record) === want.times;
    if (match === 'over') return most >= lifetime;
    if (value === undefined) return false;
    if (match === 'equals') return value === this.fill(want.value);
    if (match === 'range') return BigInt(want.min) <= BigInt(value) && BigInt(value) <= BigInt(want.max);
    if (match === 'capture') {
      Object.assign(this.captured, { [`{${name}}`]: value, [`{${name}.hex}`]: Buffer.from(value).toString('hex') });
      return true;
    }
    const least = this.times[want.asked] - this.times[want.confirmed];
    const gone = Number(BigInt(full) - BigInt(value)) * unit;
    return least < lifetime && least <= gone + want.slack && gone < most + unit;
  }

  /** Returns how many of the records that a path leads to are as wanted. */
  count({ path, records: wants }, record) {
    const found = path.split('/').reduce((records, group) => records.flatMap((one) => one[group] ?? []), [record]);
    return found.filter((one) => this.satisfies(one, wants)).length;
  }

  /** Puts captured values into a text. */
  fill(text) {
    return text.replace(/{.*?}/g, (name) => this.captured[name]);
  }
}

async function main(path, server) {
  if (!path) return console.error('usage: runner.mjs PLAIN_VECTORS [tcp://HOST:PORT | udp://HOST:PORT]') ?? 2;
  const { layouts, vectors, examples, skipped } = JSON.parse(readFileSync(path, 'utf8'));
  const todo = server ? vectors : examples;
  let failed = 0;
  for (const one of todo) {
    await new Play(layouts, server).run(one).catch((why) => {
      if (one.refused?.[why.message]) return;
      failed += 1;
      console.log(`FAIL ${one.id}: ${why.message}`);
    });
  }
  console.log(`${todo.length - failed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 || todo.length === 0 ? 1 : 0;
}

process.exitCode = await main(...process.argv.slice(2));
