// What is in vectors/, as conversations: who sent which bytes, connection by connection.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const widths = { u8: 1, u16: 2, u32: 4, u64: 8 };

/** What stands for one width: an object whose members are widths is replaced by that member. */
function atWidth(value, width) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => atWidth(one, width));
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => key in widths)) return atWidth(value[width], width);
  return Object.fromEntries(keys.map((key) => [key, atWidth(value[key], width)]));
}

/** Digits, or a list of digits and runs of them. */
function bytesOf(hex) {
  if (typeof hex === 'string') return Buffer.from(hex, 'hex');
  return Buffer.concat(
    hex.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : Buffer.from(part.hex.repeat(part.times), 'hex'))),
  );
}

/** The connections of a vector; nothing where it sends what is not a request. */
function connectionsOf(vector) {
  if (vector.steps.some((step) => step.send === null)) return [];
  const connections = new Map();
  for (const step of vector.steps) {
    const message = step.any_of?.[0] ?? step;
    if (message.hex === undefined) continue;
    if (!connections.has(step.on)) connections.set(step.on, []);
    connections.get(step.on).push({ side: 'send' in step ? 'client' : 'server', bytes: bytesOf(message.hex) });
  }
  return [...connections.values()];
}

const jsonIn = (directory) => readdirSync(directory).filter((name) => name.endsWith('.json')).map((name) => join(directory, name));

function vectorsIn(files, width) {
  return files.flatMap((file) => {
    const content = JSON.parse(readFileSync(file, 'utf8'));
    const has = ({ widths: some }) => width === '' || some === undefined || some.includes(width);
    return (has(content) ? content.vectors : []).filter(has)
      .flatMap((one) => connectionsOf(atWidth(one, width)));
  });
}

const firstOperations = ['INSERT', 'QUERY', 'UPDATE', 'PURGE', 'SET', 'GET', 'LIST'];

function captured(root, file, kept) {
  const lines = readFileSync(join(root, 'vectors/captured', file), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const encoding = file.startsWith('ratelimit') ? 'latin1' : 'hex';
  return lines.filter(kept).map((line) => [
    { side: 'client', bytes: Buffer.from(line.request ?? '', encoding) },
    { side: 'server', bytes: Buffer.from(line.response ?? '', encoding) },
  ].filter(({ bytes }) => bytes.length > 0));
}

const everything = (line) => line.op !== '(delivery)';
const captures = {
  'throttr-2.0': { u64: [['throttr-3.0.0.jsonl', everything]] },
  'throttr-6.0': { u16: [['throttr-adbdb7d-u16.jsonl', (line) => firstOperations.includes(line.op)]] },
  'throttr-7.1': {
    u16: [['throttr-5.0.3-u16.jsonl', everything],
      ['throttr-adbdb7d-u16.jsonl', (line) => everything(line) && !firstOperations.includes(line.op)]],
  },
  'throttr-7.3': { u8: [['throttr-5.0.11-u8.jsonl', everything]], u16: [['throttr-5.0.11-u16.jsonl', everything]] },
  // What the server left unanswered is not a request.
  'ratelimit-udp': { '': [['ratelimit-udp-958538c.jsonl', (line) => line.response !== null]] },
};

/** All sets of conversations: of a dialect at one width and under one profile. */
export function sets(root) {
  const all = [];
  for (const [dialect, ofWidths] of [['throttr-2.0', ['u64']], ['throttr-6.0', Object.keys(widths)],
    ['throttr-7.1', Object.keys(widths)], ['throttr-7.3', Object.keys(widths)], ['ratelimit-udp', ['']]]) {
    for (const width of ofWidths) {
      const directory = join(root, 'vectors', dialect);
      const taken = (captures[dialect][width] ?? []).flatMap(([file, kept]) => captured(root, file, kept));
      all.push({ dialect, width, profile: 'deployed', connections: [...vectorsIn(jsonIn(directory), width), ...taken] });
      const literal = readdirSync(directory).includes('literal') ? vectorsIn(jsonIn(join(directory, 'literal')), width) : [];
      if (literal.length > 0) all.push({ dialect, width, profile: 'literal', connections: literal });
    }
  }
  return all;
}
