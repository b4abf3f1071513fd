// Ways to damage a file that was valid. Each takes its bytes and random numbers, and returns others.
import { zstdLikeBomb } from './bombs.mjs';

const at = (bytes, random) => random.below(bytes.length + 1);
const spliced = (bytes, from, to, between) => Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(to)]);

/**
 * The places of a pattern in a text; the damage is done at one of them. What its group `before` finds stays: looking
 * behind would begin anew at each of a million spaces.
 */
function replaced(bytes, random, pattern, made) {
  const text = bytes.toString('latin1');
  const places = [...text.matchAll(pattern)];
  if (places.length === 0) return null;
  const place = random.of(places);
  const before = place.groups?.before.length ?? 0;
  const between = Buffer.from(made(place[0].slice(before), random), 'latin1');
  return spliced(bytes, place.index + before, place.index + place[0].length, between);
}

const numbers = ['-1', '0', '1e999', '-1e999', '18446744073709551616', '9'.repeat(400), '1e-400', '0.5', '-0', 'NaN', '1.7976931348623157e308'];
const values = ['null', 'true', '[]', '{}', '""', '"x"', '-1', '[[[]]]', '{"a":{"a":{}}}'];
const member = /"[\w.-]+"\s*:\s*(?:"[^"\\]*"|-?[\d.]+|true|false|null)/g;

export const damages = {
  'a bit': (bytes, random) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[random.below(copy.length)] ^= 1 << random.below(8);
    return copy;
  },
  'bytes of noise': (bytes, random) => {
    const from = at(bytes, random);
    return spliced(bytes, from, from, Buffer.from(Array.from({ length: 1 + random.below(16) }, () => random.below(256))));
  },
  'a cut': (bytes, random) => bytes.subarray(0, at(bytes, random)),
  'a part taken out': (bytes, random) => {
    const from = at(bytes, random);
    return spliced(bytes, from, Math.min(bytes.length, from + 1 + random.below(64)), Buffer.alloc(0));
  },
  'a part twice': (bytes, random) => {
    const from = at(bytes, random);
    const to = Math.min(bytes.length, from + 1 + random.below(256));
    return spliced(bytes, to, to, bytes.subarray(from, to));
  },
  'nothing': () => Buffer.alloc(0),
  'twice itself': (bytes) => Buffer.concat([bytes, bytes]),
  'a huge number': (bytes, random) => replaced(bytes, random, /-?\d+(\.\d+)?/g, () => random.of(numbers)),
  'another type': (bytes, random) =>
    replaced(bytes, random, /(?<before>:\s*)(?:"[^"\\]*"|-?[\d.]+|true|false|null)/g, () => random.of(values)),
  'a member twice': (bytes, random) => replaced(bytes, random, member, (found) => `${found},${found}`),
  'a member renamed': (bytes, random) => replaced(bytes, random, /"[\w.-]+"(?=\s*:)/g, (found) => `"x${found.slice(1)}`),
  'a member taken out': (bytes, random) => replaced(bytes, random, new RegExp(`${member.source}\\s*,`, 'g'), () => ''),
  'deep nesting': (bytes, random) => {
    const depth = 1000 + random.below(200_000);
    const between = random.of(['[', '{"a":']).repeat(depth);
    return replaced(bytes, random, /(?<before>:\s*)(?:"[^"\\]*"|-?[\d.]+)/g, () => between) ?? Buffer.from(between);
  },
  'broken UTF-8': (bytes, random) => {
    const from = at(bytes, random);
    return spliced(bytes, from, from, random.of([Buffer.from([0xff]), Buffer.from([0xc0, 0x80]), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xf4, 0x90, 0x80, 0x80])]));
  },
  'a control character': (bytes, random) => {
    const from = at(bytes, random);
    return spliced(bytes, from, from, Buffer.from(random.of(['\0', '\u001b[2J', '\r', '\u202e', '\u0007'])));
  },
  'a long line': (bytes, random) => {
    const from = at(bytes, random);
    return spliced(bytes, from, from, Buffer.alloc(1 + random.below(1 << 22), random.of(['a', ' ', '9', '[', '"', '\\'])));
  },
  'many lines': (bytes, random) => {
    const line = bytes.subarray(0, Math.max(1, bytes.indexOf('\n') + 1));
    const most = 1 << 23;
    const lines = Math.min(1 + random.below(20_000), Math.ceil(most / Math.max(1, line.length)));
    return Buffer.concat(Array.from({ length: lines }, () => line)).subarray(0, most);
  },
  'a bomb': (bytes, random) => zstdLikeBomb(random),
};

/** One way, or several one after the other; what was done, in words. */
export function damaged(bytes, random) {
  const names = Object.keys(damages);
  let result = bytes;
  const done = [];
  for (let rounds = 1 + (random.below(4) === 0 ? random.below(4) : 0); rounds > 0; rounds -= 1) {
    const name = random.of(names);
    const made = damages[name](result, random);
    if (made === null) continue;
    result = made.length > 1 << 25 ? made.subarray(0, 1 << 25) : made;
    done.push(name);
  }
  return { bytes: result, how: done.join(', then ') || 'nothing' };
}
