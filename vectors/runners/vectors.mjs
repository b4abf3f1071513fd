// Reads the files of a dialect for one width: vectors, layouts of messages, and messages that a codec has to refuse.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const widths = new Set(['u8', 'u16', 'u32', 'u64']);

export const is_object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// Bytes are a string in which each character stands for one byte.
export const of_text = (text) => Buffer.from(text).toString('latin1');
export const of_hex = (digits) => Buffer.from(digits, 'hex').toString('latin1');
export const to_hex = (bytes) => Buffer.from(bytes, 'latin1').toString('hex');

/** Returns the vectors of a dialect, of both profiles. */
export function vectors(directory, dialect, width) {
  return [`${directory}/${dialect}`, `${directory}/${dialect}/literal`]
    .filter(existsSync)
    .flatMap((folder) => files_of(folder).map((name) => load(`${folder}/${name}`, width)))
    .filter((file) => is_for(width, file))
    .flatMap(({ profile = 'deployed', vectors: found }) => found.map((vector) => ({ ...vector, profile })));
}

const files_of = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();

/** Returns the messages that a codec has to refuse, each with the valid message that was changed. */
export function invalid_messages(directory, dialect, width) {
  return load(`${directory}/invalid/${dialect}.json`, width).messages.flatMap((message) =>
    message.invalid.map((invalid) => ({
      id: `invalid/${message.message}/${invalid.id}`,
      profile: 'deployed',
      message,
      invalid,
    })),
  );
}

/** Returns what a file says for a width. */
export const load = (path, width) => at_width(JSON.parse(readFileSync(path, 'utf8')), width);

/** Returns what a part of a file says for a width, or undefined. It spells out runs, bytes and large numbers. */
function at_width(part, width) {
  if (Array.isArray(part)) return part.filter((one) => is_for(width, one)).map((one) => at_width(one, width));
  if (!is_object(part)) return part;
  const names = Object.keys(part);
  if (names.length > 0 && names.every((name) => widths.has(name))) return at_width(part[width], width);
  const members = names.map((name) => [name, at_width(part[name], width)]);
  return spelled_out(Object.fromEntries(members.filter(([, one]) => one !== undefined)));
}

const is_for = (width, part) => !part?.widths || part.widths.includes(width);

/** Returns the digits or the text of a run, the value that an object stands for, or the object itself. */
function spelled_out(found) {
  for (const spelling of ['hex', 'text']) {
    if (Array.isArray(found[spelling])) found[spelling] = found[spelling].join('');
    if (spelling in found && 'times' in found) return found[spelling].repeat(found.times);
  }
  if (Object.keys(found).length > 1) return found;
  if ('hex' in found) return of_hex(found.hex);
  return found.text ?? (found.number === undefined ? found : BigInt(found.number));
}

/** Returns fields as a codec takes them: with BigInts in place of numbers. */
export const values_of = (fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, value_of(one)]));

export function value_of(one) {
  if (Array.isArray(one)) return one.map(values_of);
  return typeof one === 'number' ? BigInt(one) : one;
}
