// The exported descriptions and dissectors show every vector and capture as `hallmark decode` does:
//   HALLMARK=build/gate/hallmark node --test e2e/exports/exports.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { sets, widths } from './conversations.mjs';
import { at, compiled, parsed, streamOf } from './kaitai.mjs';
import { captureOf, ports } from './pcap.mjs';
import { dissected } from './tshark.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const hallmark = resolve(process.env.HALLMARK ?? join(root, 'build/gate/hallmark'));
const scratch = mkdtempSync(join(tmpdir(), 'hallmark-exports-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** What the program prints; decode exits with 1 where a value is not listed. */
function run(...words) {
  const { status, stdout, stderr } = spawnSync(hallmark, words, { encoding: 'utf8', maxBuffer: 1 << 30 });
  assert.ok(status === 0 || (status === 1 && words[0] === 'decode'), `${words.join(' ')}: ${stderr}`);
  return stdout;
}
const idOf = (dialect) => dialect.replaceAll(/[^a-z0-9]+/g, '_');

/** What `hallmark decode` finds in a capture: messages by connection and side, in their order. */
function decoded(file, { dialect, width, profile }) {
  const words = ['decode', file, '--json', '--dialect', dialect, '--profile', profile, '--port', String(ports[transportOf(dialect)])];
  if (width !== '') words.push('--width', width);
  const { events } = JSON.parse(run(...words));
  // Some vectors send values that are not listed on purpose; nothing else may be wrong with them.
  const faults = events.filter(({ fault, kind }) => fault && kind !== 'unlisted');
  assert.deepEqual(faults.slice(0, 3), []);
  return events.filter(({ event }) => ['request', 'reply', 'push'].includes(event));
}

/** Compiled once for all widths. */
const descriptions = new Map();
function descriptionOf({ dialect, profile }) {
  const key = `${dialect} ${profile}`;
  if (!descriptions.has(key)) descriptions.set(key, compiled(run('export', 'kaitai', '--dialect', dialect, '--profile', profile)));
  return descriptions.get(key);
}

const transportOf = (dialect) => (dialect === 'ratelimit-udp' ? 'udp' : 'tcp');
const sliced = (message, { offset, length }) => message.hex.slice(2 * offset, 2 * (offset + length));

/** Holds a value that Kaitai read against the field that Hallmark decoded. */
function same(value, field, hex, where) {
  if (value instanceof Uint8Array) return assert.equal(Buffer.from(value).toString('hex'), hex, where);
  if (typeof value === 'string') {
    const text = Buffer.from(hex, 'hex').toString('utf8').replace(/\0+$/, '');
    // The blank behind a request id belongs to it where Hallmark says how long it is.
    return assert.equal(value, field.path === 'request_id' ? text.trimEnd() : text, where);
  }
  assert.equal(value, Number(field.number), where);
}

function compareWithKaitai(Root, message, width) {
  const bytes = Buffer.from(message.hex, 'hex');
  const { value, stream } = parsed(Root, message.message, message.event, bytes, width);
  let compared = 0;
  for (const field of message.fields) {
    const found = at(value, field.path);
    const where = `${message.message} ${message.event} ${field.path}`;
    if (found === undefined && transportOf(message.dialect) === 'udp') continue; // a literal
    same(found, field, sliced(message, field), where);
    compared += 1;
  }
  if (message.dialect !== 'ratelimit-udp') {
    assert.equal(compared, message.fields.length);
    assert.ok(stream.isEof(), `${message.message} ${message.event} goes on`);
    return compared;
  }
  // Every field that the description has was among those that Hallmark decoded.
  const own = Object.keys(value.body).filter((key) => !key.startsWith('_') && !key.startsWith('literal'));
  assert.equal(compared, own.length + (value.requestId === undefined ? 0 : 1), JSON.stringify(own));
  return compared;
}

function compareWithTshark(message, shown) {
  assert.equal(shown.name, `${message.message} ${message.event}`);
  assert.equal(shown.fields.length, message.fields.length, `${shown.name}: ${JSON.stringify(shown.fields)}`);
  message.fields.forEach((field, position) => {
    const { hex, show, name } = shown.fields[position];
    const where = `${shown.name} ${field.path} as ${name}`;
    let expected = sliced(message, field);
    if (field.path === 'request_id' && message.dialect === 'ratelimit-udp') expected = expected.slice(0, -2);
    assert.equal(hex, expected, where);
    if (field.number !== undefined && /^(0x[0-9a-f]+|\d+)$/.test(show)) assert.equal(BigInt(show), BigInt(field.number), where);
  });
}

const byPlace = (messages, place) => Map.groupBy
  ? Map.groupBy(messages, place)
  : messages.reduce((map, one) => map.set(place(one), [...(map.get(place(one)) ?? []), one]), new Map());

for (const set of sets(root)) {
  const name = [set.dialect, set.width, set.profile].filter((one) => one !== '').join(' ');
  const id = idOf(set.dialect);
  const width = widths[set.width];
  const file = join(scratch, `${name.replaceAll(' ', '-')}.pcap`);
  const transport = transportOf(set.dialect);
  const { file: bytes, packets } = captureOf(set.connections, transport);
  writeFileSync(file, bytes);
  let messages;

  test(`Kaitai Struct reads ${name}`, async () => {
    messages = decoded(file, set).map((one) => ({ ...one, dialect: set.dialect }));
    assert.ok(messages.length > set.connections.length);
    const Root = await descriptionOf(set);
    let compared = 0;
    for (const message of messages) compared += compareWithKaitai(Root, message, width);
    assert.ok(compared >= messages.length);
  });

  test(`tshark shows ${name}`, () => {
    const script = join(scratch, `${id}-${set.profile}.lua`);
    run('export', 'wireshark', '--dialect', set.dialect, '--profile', set.profile, '--output', script);
    const severalWidths = set.dialect !== 'throttr-2.0' && transport === 'tcp';
    const { packets: shown, complaints } = dissected(script, id, severalWidths ? width : undefined, ports[transport], file);
    assert.deepEqual(complaints, []);
    assert.equal(shown.length, packets.length);
    const side = ({ event }) => (event === 'request' ? 'client' : 'server');
    const expected = byPlace(messages, (one) => `${one.connection} ${side(one)}`);
    const found = byPlace(
      shown.flatMap((all, packet) => all.map((one) => ({ ...one, place: `${packets[packet].connection + 1} ${packets[packet].side}` }))),
      ({ place }) => place,
    );
    assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
    let links = 0;
    for (const [place, ofPlace] of expected) {
      const here = found.get(place);
      assert.equal(here.length, ofPlace.length, place);
      ofPlace.forEach((message, position) => {
        compareWithTshark(message, here[position]);
        if (message.event === 'reply' && here[position].links.request_in !== undefined) links += 1;
      });
    }
    assert.equal(links, messages.filter(({ event }) => event === 'reply').length);
  });
}

/** Holds a state that a description has read against what a vector says of it, part by part. */
function compareState(Root, state, { format, fields }) {
  const type = format.split(/[^a-z0-9]+/).map((part) => part.replace(/^./, (letter) => letter.toUpperCase())).join('');
  const value = new Root[type](streamOf(new TextEncoder().encode(state)), null, null);
  const compare = (found, expected, where) => {
    if (Array.isArray(expected)) {
      assert.equal(found.length, expected.length, where);
      return expected.forEach((record, i) => Object.entries(record).forEach(([name, one]) => compare(at(found[i], name), one, `${where}[${i}].${name}`)));
    }
    if (typeof expected === 'object') return compareState(Root, found, expected);
    return assert.ok(found === expected || Number(found) === Number(expected), `${state} ${where}: ${found}, expected ${expected}`);
  };
  for (const [name, expected] of Object.entries(fields)) compare(at(value, name), expected, name);
}

test('Kaitai Struct reads states', async () => {
  const described = new Map();
  let compared = 0;
  for (const strategy of ['token-bucket', 'fixed-window', 'leaky-bucket', 'gcra', 'composite']) {
    for (const { steps, readings } of JSON.parse(readFileSync(join(root, `vectors/ratelimit-state/${strategy}.json`), 'utf8')).vectors) {
      // What Kaitai Struct cannot express is refused; see the test of the component.
      if (readings?.['nested-split'] === 'last') continue;
      const words = Object.entries(readings ?? {}).flatMap(([reading, answer]) => ['--reading', `${reading}=${answer}`]);
      const read = steps.filter(({ request, answer }) => request.op === 'decode' && answer.format !== undefined);
      if (read.length === 0) continue;
      if (!described.has(words.join())) described.set(words.join(), await compiled(run('export', 'kaitai', '--dialect', 'ratelimit-state', ...words)));
      for (const { request, answer } of read) compareState(described.get(words.join()), request.state, answer);
      compared += read.length;
    }
  }
  assert.ok(compared > 60);
});
