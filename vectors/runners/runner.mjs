#!/usr/bin/env node
// Plays the golden vectors of a dialect against a server, and checks a codec against their bytes; docs/vectors.md explains them.
//   runner.mjs VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]
// Without a server, only the codec. The server gives the answers of released ones, but for those named. Exit code 1: failures.
import { createSocket } from 'node:dgram';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';

class Refused extends Error {} // with the field, or what is wrong
class Missing extends Refused {} // more bytes could complete the message
const refuse = (why, Kind = Refused) => { throw new Kind(why); };
const is_object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const is_match = (field) => is_object(field) && 'match' in field;
const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, one]) => [name, change(one)]));
function at_width(value, width) {
  if (Array.isArray(value)) return value.filter((one) => !one?.widths || one.widths.includes(width)).map((one) => at_width(one, width));
  if (!is_object(value)) return value;
  if (Object.keys(value).length && Object.keys(value).every((name) => /^u(8|16|32|64)$/.test(name))) return value[width];
  return Object.fromEntries(Object.entries(mapped(value, (one) => at_width(one, width))).filter(([, one]) => one !== undefined));
}
// Bytes are strings of characters up to 255.
const of_hex = (hex) => Buffer.from(hex, 'hex').toString('latin1');
const of_text = (text) => Buffer.from(text).toString('latin1');
const to_hex = (bytes) => Buffer.from(bytes, 'latin1').toString('hex');
const bytes_of = (parts, spelled = of_hex) =>
  [parts].flat().map((one) => (is_object(one) ? spelled(one.hex ?? one.text).repeat(one.times) : spelled(one))).join('');
const number_of = (bytes) => BigInt(`0x${to_hex([...bytes].reverse().join('')) || '0'}`);
function value_of(field) { // a number, bytes, or records
  if (Array.isArray(field)) return field.map((one) => mapped(one, value_of));
  if (typeof field === 'number' || field.number) return BigInt(field.number ?? field);
  return typeof field === 'string' ? of_text(field) : field.hex ? bytes_of(field.hex) : bytes_of(field.text, of_text);
}

class Codec { // walks the layouts, for servers that give these answers; what it reads are the bytes of each field
  constructor(layouts, answers) { Object.assign(this, { messages: layouts.messages, answers }); }
  layout(named) { return this.messages.find((one) => Object.entries(named).every(([name, value]) => one[name] === value)).fields; }
  present(field, values) {
    const failed = values.status === '\0' || values.status === 0n;
    return !(field.on_success && failed) && Object.entries(field.when ?? {}).every(([one, answer]) => this.answers[one] === answer);
  }
  encode(layout, values) {
    return layout.filter((field) => this.present(field, values)).map((field) => {
      const { name, kind, size = 0 } = field;
      let value = field.of ? BigInt(values[field.of].length) : values[name] ?? (kind === 'number' ? 0n : '');
      if (kind === 'constant') value = of_hex(field.hex);
      if (kind === 'group') value = [field.head, field.tail ?? []].flatMap((part) => value.map((one) => this.encode(part, one))).join('');
      if (typeof value === 'bigint' && kind === 'text') value = String(value);
      if (typeof value === 'bigint' && value >> BigInt(8 * size) === 0n)
        value = of_hex(value.toString(16).padStart(2 * size, '0')).split('').reverse().join('');
      if (typeof value === 'bigint' || (size && value.length > size) || (value.length < size && !field.padded)) refuse(name);
      return value.padEnd(size, '\0') + (value ? field.suffix ?? '' : '');
    }).join('');
  }
  decode(layout, data, whole = true) {
    Object.assign(this, { data, at: 0, records: {} });
    const values = this.read(layout, {}, {});
    return whole && this.at < data.length ? refuse('') : values;
  }
  read(layout, values, sizes) {
    for (const field of layout) {
      const { name, kind, size = sizes[name] } = field;
      if (!this.present(field, values)) continue;
      if (kind === 'group') {
        const own = [];
        for (let i = 0; i < sizes[name]; ++i) own.push([{}, {}]), this.read(field.head, ...own[i]);
        values[name] = own.map(([record, one]) => this.read(field.tail ?? [], record, one));
        this.records[name] = (this.records[name] ?? []).concat(values[name]); // over all fragments
        continue;
      }
      const rest = this.data.slice(this.at);
      if (kind !== 'text' && rest.length < size) refuse(name, Missing);
      const raw = kind === 'text' ? rest.match(`^${field.extent}`)?.[1] ?? refuse(name) : rest.slice(0, size);
      if (kind === 'text' && !new RegExp(`^(?:${field.pattern})$`).test(raw)) refuse(name);
      if (field.choices ? !(to_hex(raw) in field.choices) : field.hex && field.hex !== to_hex(raw)) refuse(name);
      this.at += raw.length;
      if (field.of) sizes[field.of] = Number(kind === 'text' ? raw : number_of(raw));
      else if (kind !== 'constant') values[name] = field.suffix ? raw.slice(0, -1) : raw;
    }
    return values;
  }
  agree(want, got) { // of states: what is named is there, and numbers are equal however they are spelled
    if (Array.isArray(want)) return want.length === got.length && want.every((one, i) => this.agree(one, got[i]));
    if (!is_object(want)) return of_text(want) === got || (got.includes('.') && Number(want) === Number(got));
    if (!want.fields) return Object.entries(want).every(([name, one]) => this.agree(one, got[name]));
    return this.agree(want.fields, this.decode(this.layout(want.format ? { message: want.format } : { strategy: want.strategy }), got));
  }
}
function refusal(run) { // why it is refused
  try { run(); } catch (why) { if (why instanceof Refused) return why.message; throw why; }
}

class Link { // a connection: what it received and nobody read, and requests that wait for their replies
  constructor(server) {
    Object.assign(this, { udp: server.protocol === 'udp:', data: '', datagrams: [], waiting: [], wake() {} });
    this.socket = this.udp ? createSocket('udp4') : connect(server.port, server.hostname);
    this.send = (data) => (this.udp ? this.socket.send(data, server.port, server.hostname) : this.socket.write(data));
    const take = (data) => { this.udp ? this.datagrams.push(data.toString('latin1')) : (this.data += data.toString('latin1')); this.wake(); };
    const end = () => { this.over = true; this.wake(); };
    this.socket.on('data', take).on('message', take).on('end', end).on('error', end).on('close', end);
  }
  async receive(codec, layout) {
    for (const begun = Date.now(); ; ) {
      try {
        if (this.udp && this.datagrams.length) return codec.decode(layout, this.datagrams.shift());
        const values = this.udp ? refuse('', Missing) : codec.decode(layout, this.data, false);
        this.data = this.data.slice(codec.at);
        return values;
      } catch (why) { if (!(why instanceof Missing)) throw why; }
      if (this.over || Date.now() - begun > 10000) refuse('nothing more comes');
      await new Promise((wake) => { const timer = setTimeout(wake, 10000); this.wake = () => { clearTimeout(timer); wake(); }; });
    }
  }
  close() { this.udp ? this.socket.close() : this.socket.destroy(); }
}
class Play { // one vector, on connections of its own; without a server, its bytes and the codec alone
  constructor(codec, server) { Object.assign(this, { codec, server, links: {}, captured: {}, sent: {}, arrived: {} }); }
  link(name) { return (this.links[name] ??= new Link(this.server)); }
  exchange(on, message, values) {
    this.link(on).send(Buffer.from(this.codec.encode(this.codec.layout({ kind: 'request', message }), values), 'latin1'));
    return this.link(on).receive(this.codec, this.codec.layout({ kind: 'reply', message }));
  }
  async run(vector) {
    const purge = async () => { for (const key of (this.server && vector.keys) || []) await this.exchange('purge', 'PURGE', mapped(key, value_of)); };
    await purge();
    try { for (const [place, step] of vector.steps.entries()) await this.step(place, step); } finally { await purge(); }
  }
  async step(place, step) {
    if (step.request) this.answer(step.request, step.answer);
    else if ('send' in step) this.send(place, step);
    else if (step.expect || step.any_of) await this.expect(step.any_of ?? [step], step.on);
    else if (this.server && step.close) this.link(step.on).close();
    else if (this.server) await this.exchange(step.on, 'ping', { request_id: '1234321' }); // nothing comes before its reply
  }
  answer(asked, answer) { // of states
    const [want, text] = asked.op === 'encode' ? [asked, of_text(answer.state)] : [answer, of_text(asked.state)];
    const parts = Object.fromEntries((asked.of ?? []).map((strategy, i) => [['primary', 'secondary'][i], { strategy, fields: {} }]));
    const right = answer.error ? refusal(() => this.codec.agree({ ...asked, fields: parts }, text)) !== undefined : this.codec.agree(want, text);
    if (!right) refuse(`the codec reads ${text} otherwise`);
  }
  send(place, { on, send: message, fields = {}, hex, substitute = {} }) {
    let data = bytes_of(hex);
    if (message && this.codec.encode(this.codec.layout({ kind: 'request', message }), mapped(fields, value_of)) !== data)
      refuse(`the codec does not encode ${message} as ${to_hex(data)}`);
    if (!this.server) return;
    for (const { at, name } of Object.values(substitute)) data = data.slice(0, at[0]) + this.captured[name] + data.slice(at[0] + at[1]);
    this.link(on).waiting.push({ message, place });
    this.sent[place] = process.hrtime.bigint();
    this.link(on).send(Buffer.from(data, 'latin1'));
  }
  async expect(messages, on) {
    const [{ expect: message, push }] = messages;
    const layout = this.codec.layout({ kind: push ? 'push' : 'reply', message });
    const examples = messages.map(({ hex, fields = {} }) => {
      const plain = Object.entries(fields).filter(([name, one]) => name !== 'status' && !is_match(one));
      const example = this.codec.decode(layout, bytes_of(hex));
      if (this.codec.encode(layout, { ...example, ...mapped(Object.fromEntries(plain), value_of) }) === bytes_of(hex)) return example;
      return refuse(`the codec reads ${message} otherwise than its fields say`);
    });
    if (!this.server) return;
    const { waiting } = this.link(on);
    const asked = push ? -1 : waiting.findIndex((one) => one.message === message);
    this.asked = asked < 0 ? undefined : waiting.splice(asked, 1)[0].place;
    const values = await this.link(on).receive(this.codec, layout);
    this.arrived[this.asked] = process.hrtime.bigint();
    if (!messages.some((one, i) => this.agrees(one, examples[i], values))) refuse(`${message} came as ${JSON.stringify(values).slice(0, 300)}`);
  }
  agrees({ fields: wants = {}, only_after: after }, example, values) {
    if (after && value_of(after.full) * value_of(after.unit_ns) > this.elapsed(after.since)[1]) return false;
    const names = Object.keys(example);
    return names.length === Object.keys(values).length && names.every((name) => name in values) &&
      Object.entries(wants).every(([name, one]) => !is_match(one) || this.matches(one, values[name], name)) &&
      names.every((name) => is_match(wants[name]) || Array.isArray(example[name]) || example[name] === values[name]);
  }
  elapsed(since) { // the least and the most time between two requests, in nanoseconds
    const least = this.sent[this.asked] - (this.arrived[since] ?? this.sent[this.asked]);
    return [least > 0n ? least : 0n, this.arrived[this.asked] - this.sent[since]];
  }
  matches(want, raw, name) {
    const number = typeof raw === 'string' ? number_of(raw) : 0n;
    const [known, found] = [this.captured[want.name], this.codec.records[name] ?? []];
    const hits = (record) => found.filter((one) => Object.entries(record).every(([field, wanted]) => this.matches(wanted, one[field], field)));
    switch (is_match(want) ? want.match : 'equals') {
      case 'equals': return [raw, number].includes(value_of(want));
      case 'capture': this.captured[want.name] = raw; return true;
      case 'captured': return raw === known;
      case 'captured_hex': return raw === to_hex(known);
      case 'range': return value_of(want.min) <= number && number <= value_of(want.max);
      case 'one_of': return want.choices.some((one) => value_of(one) === number);
      case 'set_of': return want.records.every((one) => hits(one).length === 1) && !(want.exactly && found.length > want.records.length);
      case 'remaining': break;
      default: return true;
    }
    const [[least, most], unit] = [this.elapsed(want.since), value_of(want.unit_ns)];
    const [full, step] = [value_of(want.full) * unit, unit < 1000000000n ? unit : 1n]; // short units pass as a whole
    return full > least && (full > most ? full - most : 0n) / unit <= number && number <= (full - (least / step) * step) / unit;
  }
}

function check_invalid(codec, message, one) { // bytes or values of a message that is not legal
  const [layout, valid] = [codec.layout({ kind: message.kind, message: message.message }), bytes_of(message.valid)];
  const bytes = () => (one.first === undefined ? bytes_of(one.hex) : valid.slice(0, one.first));
  const why = refusal(() => (one.change ? codec.encode(layout, mapped({ ...message.fields, ...one.change }, value_of)) : codec.decode(layout, bytes())));
  if (why === undefined || (why !== (one.field ?? '') && one.kind !== 'size')) refuse(`is refused at ${why}`);
}
async function main([directory, spoken, ...options]) {
  const [dialect, width] = spoken.split('/');
  const load = (path) => at_width(JSON.parse(readFileSync(`${directory}/${path}`, 'utf8')), width);
  const files = (folder) => (existsSync(`${directory}/${folder}`) ? readdirSync(`${directory}/${folder}`) : []).filter((one) => one.endsWith('.json')).sort();
  const layouts = load(`layouts/${dialect}.json`);
  const server = options.filter((one) => one.includes('://')).map((one) => new URL(one))[0];
  const answers = { ...layouts.answers.deployed, ...Object.fromEntries(options.filter((one) => !one.includes('://')).map((one) => one.split('='))) };
  const cases = (server ? [] : load(`invalid/${dialect}.json`).messages).flatMap((message) => message.invalid.map((one) => ({
    id: `invalid/${message.message}/${one.id}`, profile: 'deployed', run: (codec) => check_invalid(codec, message, one) })));
  for (const [profile, folder] of [['deployed', dialect], ['literal', `${dialect}/literal`]])
    for (const vector of files(folder).map((file) => load(`${folder}/${file}`)).filter((file) => !file.widths || file.widths.includes(width)).flatMap((file) => file.vectors)) cases.push({ ...vector, profile, vector });
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const { id, profile, vector, readings = {}, operation, run } of cases) {
    const given = server ? answers : { ...layouts.answers[profile], ...readings };
    if (operation === 'decide' || Object.entries(readings).some(([one, answer]) => given[one] !== answer)) { ++count.skipped; continue; }
    const play = new Play(new Codec(layouts, given), server);
    try { await (run ? run(play.codec) : play.run(vector)); ++count.passed; } catch (why) {
      if (!(why instanceof Refused)) throw why;
      ++count.failed;
      console.log(`FAIL ${id.replace('{width}', width)}: ${why.message}`);
    }
    for (const link of Object.values(play.links)) link.close();
  }
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  return count.failed || !count.passed ? 1 : 0;
}
if (process.argv.length < 4) console.error('usage: runner.mjs VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]');
if (process.argv.length < 4) process.exit(2);
main(process.argv.slice(2)).then((code) => process.exit(code), (why) => { console.error(why); process.exit(2); });
