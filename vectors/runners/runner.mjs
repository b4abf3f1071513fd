// Plays plain vectors against a server or, without one, checks a codec against their bytes. docs/vectors.md explains them.
//   hallmark vectors plain --dialect throttr-7.1 --width u16 --output u16.json
//   node runner.mjs u16.json [tcp://HOST:PORT | udp://HOST:PORT]    exit code 1: something failed, or there was nothing to do
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { Refused, decode, encode, read_message } from './codec.mjs';

class Connection {
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
    this.socket.on('error', ({ code }) => this.over.abort(new Refused(`the connection failed: ${code}`)));
    for (const event of ['end', 'close']) this.socket.on(event, () => this.over.abort(new Refused('the connection ended')));
  }

  /** Returns the values of the next message, which has to come within ten seconds. */
  async receive(layout) {
    const deadline = setTimeout(() => this.over.abort(new Refused('no message came within ten seconds')), 10_000);
    try {
      for (;; await once(this.socket, this.news, { signal: this.over.signal }).catch(() => {})) {
        const values = this.take(layout);
        if (values) return values;
        this.over.signal.throwIfAborted();
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
        const link = step.on && (links[step.on] ??= new Connection(this.server));
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
    if (!isDeepStrictEqual(result, wanted)) throw new Refused(`the codec makes of it ${JSON.stringify(result).slice(0, 300)}`);
  }

  satisfies(record, wants) {
    return wants.every((want) => this.matches(want, record));
  }

  /** Returns true if a record is as wanted. */
  matches(want, record) {
    const value = record[want.field];
    const lifetime = Number(want.full) * want.unit;
    const most = this.times.at(-1) - this.times[want.set];
    if (want.match === 'either') return this.satisfies(record, want.either) || this.satisfies(record, want.or);
    if (want.match === 'records') return this.count(want, record) === want.times;
    if (want.match === 'over') return most >= lifetime;
    if (value === undefined) return false;
    if (want.match === 'equals') return value === this.fill(want.value);
    if (want.match === 'range') return BigInt(want.min) <= BigInt(value) && BigInt(value) <= BigInt(want.max);
    if (want.match === 'capture') {
      Object.assign(this.captured, { [`{${want.name}}`]: value, [`{${want.name}.hex}`]: Buffer.from(value).toString('hex') });
      return true;
    }
    const least = this.times[want.asked] - this.times[want.confirmed];
    const gone = Number(BigInt(want.full) - BigInt(value)) * want.unit;
    return least < lifetime && least <= gone + want.slack && gone < most + want.unit;
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

async function main(path, server, ...superfluous) {
  if (!path || superfluous.length > 0) {
    console.error('usage: runner.mjs PLAIN_VECTORS [tcp://HOST:PORT | udp://HOST:PORT]');
    return 2;
  }
  const { layouts, vectors, examples, skipped } = JSON.parse(readFileSync(path, 'utf8'));
  const todo = server ? vectors : examples;
  let failed = 0;
  for (const one of todo) {
    await new Play(layouts, server).run(one).catch((why) => {
      const words = why instanceof Refused ? why.message : String(why);
      if (one.refused?.[words]) return;
      failed += 1;
      console.log(`FAIL ${one.id}: ${words}`);
    });
  }
  console.log(`${todo.length - failed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 || todo.length === 0 ? 1 : 0;
}

process.exitCode = await main(...process.argv.slice(2));
