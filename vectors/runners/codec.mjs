// Encodes and decodes messages by the layouts of plain vectors, which docs/vectors.md explains. To test your own codec, replace
// this file: the runner calls encode, decode and read_message. A layout names its message: "kind" is request, reply, push or
// format, and "message" is the name. Of the values, a number is its decimal digits, bytes are hexadecimal digits, and a group is
// the array of its records. Messages are Buffers.

/** Names the field that is wrong, or "end" if bytes follow the message. */
export class Refused extends Error {}

/** Is thrown if more bytes could complete the message. */
class Incomplete extends Refused {}

const refuse = (why, Kind = Refused) => {
  throw new Kind(why);
};

/** Returns the bytes of a message. */
export const encode = (layout, values) => encode_fields(layout.fields, values);

/** Returns the values of a message. The data have to be exactly one message. */
export function decode(layout, data) {
  const { values, size } = read(layout, data);
  return size < data.length ? refuse('end') : values;
}

/** Returns the values and the size of the next message of a stream of which the data have come; undefined if it is incomplete. */
export function read_message(layout, data) {
  try {
    return read(layout, data);
  } catch (why) {
    if (!(why instanceof Incomplete)) throw why;
  }
}

function read(layout, data) {
  const source = new Source(data);
  const values = read_fields(layout.fields, source, {});
  return { values, size: source.at };
}

const of_hex = (digits) => Buffer.from(digits, 'hex');
const number_of = (raw) => BigInt(`0x${Buffer.from(raw).reverse().toString('hex')}`);

const is_present = (field, values) => !field.on_success || values.status !== '0';

const encode_fields = (fields, values) =>
  Buffer.concat(fields.filter((field) => is_present(field, values)).map((field) => encode_field(field, values)));

function encode_field(field, values) {
  const { name, kind, size, hex, of, head, tail = [] } = field;
  if (kind === 'constant') return of_hex(hex);
  if (kind === 'group') {
    return Buffer.concat([head, tail].flatMap((part) => values[name].map((record) => encode_fields(part, record))));
  }
  if (of) return encode_number(field, measure(values[of]));
  if (kind === 'number') return encode_number(field, values[name]);
  const data = of_hex(values[name]);
  return size && data.length !== size ? refuse(name) : data;
}

/** Returns how many bytes or records a field has. */
const measure = (value) => (typeof value === 'string' ? value.length / 2 : value.length);

function encode_number({ name, kind, size }, number) {
  if (kind === 'text') return Buffer.from(String(number));
  const digits = BigInt(number).toString(16).padStart(2 * size, '0');
  return digits.length > 2 * size ? refuse(name) : of_hex(digits).reverse();
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
    return this.data.subarray(this.at - size, this.at);
  }

  /** Reads the text that the field's expression finds. */
  take_text({ name, extent, pattern }) {
    const found = this.data.toString('latin1', this.at).match(`^${extent}`)?.[1] ?? refuse(name);
    return new RegExp(`^(?:${pattern})$`).test(found) ? this.take(found.length) : refuse(name);
  }
}

/** Adds fields to a record. A size or a count stands in the place of what it measures until that is read. */
function read_fields(fields, source, record) {
  for (const field of fields) {
    const { name, kind, of } = field;
    if (!is_present(field, record)) continue;
    if (kind === 'group') {
      record[name] = read_group(field, source, record[name]);
      continue;
    }
    const raw = kind === 'text' ? source.take_text(field) : read_bytes(field, source, record[name]);
    if (of) record[of] = Number(kind === 'text' ? raw.toString() : number_of(raw));
    else if (kind === 'number') record[name] = String(number_of(raw));
    else if (kind !== 'constant') record[name] = raw.toString('hex');
  }
  return record;
}

function read_group({ head, tail = [] }, source, count) {
  const records = [];
  while (records.length < count) records.push(read_fields(head, source, {}));
  return records.map((record) => read_fields(tail, source, record));
}

function read_bytes({ name, size, hex, choices }, source, measured) {
  const raw = source.take(size ?? measured, name);
  const digits = raw.toString('hex');
  const is_listed = choices ? digits in choices : hex === undefined || hex === digits;
  return is_listed ? raw : refuse(name);
}
