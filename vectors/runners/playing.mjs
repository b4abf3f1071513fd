// Plays one vector on connections of its own. Without a server it only checks the codec against the bytes of the vector.
import { createSocket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { Incomplete, Refused, decode, encode, read_message } from './codec.mjs';
import { Matcher, is_match } from './matching.mjs';
import { of_hex, values_of } from './vectors.mjs';

const patience_ms = 10_000;

/** A connection. The steps whose requests wait for a reply are in waiting, by the name of the request. */
class Link {
  waiting = {};
  received = []; // what has not been read: datagrams, or parts of a stream
  is_over = false;
  news = new EventEmitter();

  constructor({ protocol, hostname, port }) {
    this.is_udp = protocol === 'udp:';
    this.socket = this.is_udp ? createSocket('udp4') : connect(port, hostname);
    this.write = (data) => (this.is_udp ? this.socket.send(data, port, hostname) : this.socket.write(data));
    this.close = () => (this.is_udp ? this.socket.close() : this.socket.destroy());
    const add = (data) => this.news.emit('news', this.received.push(data.toString('latin1')));
    const end = () => this.news.emit('news', (this.is_over = true));
    this.socket.on('data', add).on('message', add).on('end', end).on('error', end).on('close', end);
  }

  /** Returns the values of the next message. */
  async receive(layout) {
    const signal = AbortSignal.timeout(patience_ms);
    for (;;) {
      const values = this.is_udp ? this.take_datagram(layout) : this.take_message(layout);
      if (values) return values;
      if (this.is_over || signal.aborted) throw new Refused('nothing more comes');
      await once(this.news, 'news', { signal }).catch(() => {});
    }
  }

  take_datagram(layout) {
    return this.received.length > 0 ? decode(layout, this.received.shift()) : undefined;
  }

  /** Returns the values of the next message of the stream, or undefined as long as it is incomplete. */
  take_message(layout) {
    const data = this.received.join('');
    try {
      const { values, size } = read_message(layout, data);
      this.received = [data.slice(size)];
      return values;
    } catch (why) {
      if (!(why instanceof Incomplete)) throw why;
    }
  }
}

export class Play {
  links = {};
  matcher = new Matcher();

  constructor(layouts, server) {
    this.layouts = layouts;
    this.server = server;
  }

  link(name) {
    return (this.links[name] ??= new Link(this.server));
  }

  /** Sends a request and receives its reply. */
  async exchange(on, name, values) {
    this.link(on).write(Buffer.from(encode(this.layouts.find('request', name), values), 'latin1'));
    await this.link(on).receive(this.layouts.find('reply', name));
  }

  /** Plays a vector. It purges the vector's keys before and after. */
  async run(vector) {
    try {
      await this.purge(vector);
      try {
        for (const [place, step] of vector.steps.entries()) await this.step(place, step);
      } finally {
        await this.purge(vector);
      }
    } finally {
      for (const link of Object.values(this.links)) link.close();
    }
  }

  async purge({ keys = [] }) {
    if (!this.server) return;
    for (const key of keys) await this.exchange('purge', 'PURGE', values_of(key));
  }

  async step(place, step) {
    if ('send' in step) this.send(place, step);
    else if (step.expect || step.any_of) await this.expect(step.on, step.any_of ?? [step]);
    else if (this.server && step.close) {
      this.link(step.on).close();
      delete this.links[step.on];
    } else if (this.server) {
      await this.exchange(step.on, 'ping', { request_id: '1234321' }); // silence: nothing comes before the reply to a ping
    }
  }

  send(place, { on, send: name, fields = {}, hex, substitute = {} }) {
    let data = of_hex(hex);
    if (name && encode(this.layouts.find('request', name), values_of(fields)) !== data) {
      throw new Refused(`the codec does not encode ${name} as ${hex}`);
    }
    if (!this.server) return;
    for (const { at: [begin, size], name: captured } of Object.values(substitute)) {
      data = data.slice(0, begin) + this.matcher.captured[captured] + data.slice(begin + size);
    }
    const link = this.link(on);
    (link.waiting[name] ??= []).push(place);
    this.matcher.sent[place] = process.hrtime.bigint();
    link.write(Buffer.from(data, 'latin1'));
  }

  /** Receives a message, which has to be one of several. */
  async expect(on, messages) {
    const [{ expect: name, push }] = messages;
    const layout = this.layouts.find(push ? 'push' : 'reply', name);
    const examples = messages.map((one) => check_reply(layout, one));
    if (!this.server) return;
    const link = this.link(on);
    const asked = push ? undefined : link.waiting[name]?.shift();
    const got = await link.receive(layout);
    this.matcher.arrived[asked] = process.hrtime.bigint();
    if (!messages.some((one, i) => this.matcher.accepts(one, examples[i], got, asked))) {
      throw new Refused(`${name} came as ${shown(got)}`);
    }
  }
}

/**
 * Checks that the codec decodes an expected message, and encodes it with the values that the vector names.
 * Returns the decoded message.
 */
function check_reply(layout, { hex, fields = {} }) {
  const example = decode(layout, of_hex(hex));
  const plain = Object.entries(fields).filter(([name, one]) => name !== 'status' && !is_match(one));
  const encoded = encode(layout, { ...example, ...values_of(Object.fromEntries(plain)) });
  if (encoded !== of_hex(hex)) throw new Refused(`the codec reads ${layout.message} as ${shown(example)}`);
  return example;
}

const shown = (values) =>
  JSON.stringify(values, (_, one) => (typeof one === 'bigint' ? Number(one) : one)).slice(0, 300);
