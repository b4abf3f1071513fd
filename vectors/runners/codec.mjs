// Encodes and decodes messages by their layouts, which docs/vectors.md explains. To test your own codec, replace this file:
// the runner calls encode, decode and read_message. A layout names its message: "kind" is request, reply, push or format,
// and "message" is the name. A value is a number (BigInt), bytes, or an array with the records of a group. Bytes are a
// string in which each character stands for one byte.
import { of_hex, to_hex } from './vectors.mjs';

/** Names the field that is wrong; the name is empty if bytes follow the message. */
export class Refused extends Error {}

/** Is thrown if the message may only be incomplete: more bytes could complete it. */
export class Incomplete extends Refused {}

const refuse = (why, Kind = Refused) => {
  throw new Kind(why);
};

/** Returns the bytes of a message. */
export const encode = (layout, values) => encode_fields(layout.fields, values);

/** Returns the values of a message. The data have to be exactly one message. */
export function decode(layout, data) {
  const { values, size } = read_message(layout, data);
  return size < data.length ? refuse('') : values;
}

/** Returns the values and the size of the next message of a stream. The data are what has come of the stream so far. */
export function read_message(layout, data) {
  const source = new Source(data);
  const values = read_fields(layout.fields, source, {}, {});
  return { values, size: source.at };
}

const reversed = (bytes) => [...bytes].reverse().join('');
const number_of = (bytes) => BigInt(`0x${to_hex(reversed(bytes))}`);

const is_present = (field, values) => !field.on_success || values.status !== 0n;

const encode_fields = (fields, values) =>
  fields
    .filter((field) => is_present(field, values))
    .map((field) => encode_field(field, values))
    .join('');

function encode_field(field, values) {
  const { name, size = 0, padded, suffix = '' } = field;
  let data = encode_value(field, values);
  if (data) data += suffix;
  if (padded) data = data.padEnd(size, '\0');
  return size && data.length !== size ? refuse(name) : data;
}

function encode_value({ name, kind, size, hex, of, head, tail }, values) {
  if (kind === 'constant') return of_hex(hex);
  if (kind === 'group') {
    return [head, tail].flatMap((part) => values[name].map((record) => encode_fields(part, record))).join('');
  }
  const value = of ? BigInt(values[of].length) : values[name] ?? (kind === 'number' ? 0n : '');
  if (typeof value === 'string') return value;
  if (kind === 'text') return String(value);
  const digits = value.toString(16).padStart(2 * size, '0');
  return digits.length > 2 * size ? refuse(name) : reversed(of_hex(digits));
}

/** Bytes, and how many of them have been read. */
class Source {
  constructor(data) {
    this.data = data;
    this.at = 0;
  }

  /** Reads so many bytes. */
  take(size, name) {
    if (this.data.length - this.at < size) refuse(name, Incomplete);
    this.at += size;
    return this.data.slice(this.at - size, this.at);
  }

  /** Reads the text that the field's expression finds. */
  take_text({ name, extent, pattern }) {
    const found = this.data.slice(this.at).match(`^${extent}`)?.[1] ?? refuse(name);
    return new RegExp(`^(?:${pattern})$`).test(found) ? this.take(found.length) : refuse(name);
  }
}

/** Adds fields to a record. The sizes and counts that it reads of later fields are kept in sizes. */
function read_fields(fields, source, record, sizes) {
  for (const field of fields) {
    const { name, kind, of, suffix } = field;
    if (!is_present(field, record)) continue;
    if (kind === 'group') {
      record[name] = read_group(field, source, sizes[name]);
      continue;
    }
    const raw = kind === 'text' ? source.take_text(field) : read_bytes(field, source, sizes);
    if (of) sizes[of] = Number(kind === 'text' ? raw : number_of(raw));
    else if (kind === 'number') record[name] = number_of(raw);
    else if (kind !== 'constant') record[name] = suffix ? raw.slice(0, -suffix.length) : raw;
  }
  return record;
}

function read_group({ head, tail }, source, count) {
  const records = [];
  const sizes = [];
  while (records.length < count) {
    const own = {};
    records.push(read_fields(head, source, {}, own));
    sizes.push(own);
  }
  records.forEach((record, i) => read_fields(tail, source, record, sizes[i]));
  return records;
}

function read_bytes({ name, kind, size, hex, choices }, source, sizes) {
  const raw = source.take(kind === 'bytes' ? sizes[name] : size, name);
  const is_listed = choices ? to_hex(raw) in choices : hex === undefined || hex === to_hex(raw);
  return is_listed ? raw : refuse(name);
}
