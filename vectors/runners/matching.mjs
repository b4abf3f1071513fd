// Compares replies with what a vector expects, and the contents of states with what a codec reads.
import { decode } from './codec.mjs';
import { is_object, of_text, to_hex, value_of } from './vectors.mjs';

const second = 1_000_000_000n;

export const is_match = (want) => is_object(want);
const rounded_up = (time, unit) => (time + unit - 1n) / unit;

/** Remembers what later steps of a vector need: captured values, and when each step sent and was answered. */
export class Matcher {
  captured = {};
  sent = {};
  arrived = {};

  /** Returns true if a reply to the step asked is right. The example is a right reply, decoded from the vector. */
  accepts({ fields: wants = {}, only_after: lifetime }, example, got, asked) {
    Object.assign(this, { got, asked });
    if (lifetime && value_of(lifetime.full) > this.elapsed(lifetime).most / value_of(lifetime.unit_ns)) return false;
    const names = Object.keys(example);
    const matched = Object.entries(wants).filter(([, want]) => is_match(want));
    return (
      names.length === Object.keys(got).length &&
      names.every((name) => name in got) &&
      names.every((name) => is_match(wants[name]) || Array.isArray(example[name]) || example[name] === got[name]) &&
      matched.every(([name, want]) => this.matches(want, got[name], name))
    );
  }

  /** Returns true if a field has the value that a vector wants, or satisfies the match. */
  matches(want, value, name) {
    switch (is_match(want) ? want.match : 'equal') {
      case 'equal':
        return value === value_of(want);
      case 'capture':
        this.captured[want.name] = value;
        return true;
      case 'captured':
        return value === this.captured[want.name];
      case 'captured_hex':
        return value === to_hex(this.captured[want.name]);
      case 'range':
        return value_of(want.min) <= value && value <= value_of(want.max);
      case 'one_of':
        return want.choices.some((choice) => value_of(choice) === value);
      case 'set_of':
        return this.is_set(want, records_of(this.got, name));
      case 'remaining':
        return this.remains(want, value);
      default:
        return true;
    }
  }

  /** Returns true if each record that a vector wants occurs exactly once. */
  is_set({ records: wanted, exactly }, records) {
    const is_there_once = (want) => records.filter((record) => this.is_record(want, record)).length === 1;
    return wanted.every(is_there_once) && !(exactly && records.length > wanted.length);
  }

  is_record(wanted, record) {
    return Object.entries(wanted).every(([name, want]) => this.matches(want, record[name], name));
  }

  /** Returns true if so many units can be left, whenever between request and reply the server looked. */
  remains(lifetime, left) {
    const [full, unit] = [value_of(lifetime.full), value_of(lifetime.unit_ns)];
    const { least, most } = this.elapsed(lifetime);
    if (full <= least / unit) return false;
    // Of units below a second, only whole ones count as gone.
    const gone = unit < second ? least / unit : rounded_up(least, unit);
    return full - rounded_up(most, unit) <= left && left <= full - gone;
  }

  /** Returns the least and the most nanoseconds from when the server began a lifetime to when it made the reply. */
  elapsed({ since }) {
    const sent = this.sent[this.asked];
    const least = sent - (this.arrived[since] ?? sent);
    return { least: least > 0n ? least : 0n, most: this.arrived[this.asked] - this.sent[since] };
  }
}

/** Returns all records of a group. In a listing, several fragments have records of the group. */
function records_of(values, group) {
  const groups = Object.entries(values).filter(([, value]) => Array.isArray(value));
  return groups.flatMap(([name, records]) => [
    ...(name === group ? records : []),
    ...records.flatMap((record) => records_of(record, group)),
  ]);
}

/** Returns true if a state has the wanted values. Numbers may be spelled differently. */
export function agree(layouts, want, got) {
  if (Array.isArray(want)) return want.length === got.length && want.every((one, i) => agree(layouts, one, got[i]));
  if (!is_object(want)) return of_text(want) === got || (got.includes('.') && Number(want) === Number(got));
  if (!want.fields) return Object.entries(want).every(([name, one]) => agree(layouts, one, got[name]));
  return agree(layouts, want.fields, decode(layouts.find('format', want.format ?? want.strategy), got));
}
