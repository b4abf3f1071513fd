// HdrHistogram's V2 encoding: base64 of a header and a zlib stream of another header and counts.

const sub_bucket_half = 1024;

function bytes_of_base64(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** `format`: deflate, which is what RFC 1950 calls zlib, or gzip. */
async function inflated(bytes, format) {
  const stream = new DecompressionStream(format);
  const writer = stream.writable.getWriter();
  writer.write(bytes);
  writer.close();
  return new Uint8Array(await new Response(stream.readable).arrayBuffer());
}

/** The sub-buckets of half a power of two, for so many significant digits. */
const half_of = (digits) => 2 ** Math.ceil(Math.log2(2 * 10 ** digits)) / 2;

/** Lowest value of a bucket. */
function lowest_value(index, half) {
  if (index < 2 * half) return index;
  const shift = Math.floor(index / half) - 1;
  return ((index % half) + half) * 2 ** shift;
}

/** A number of ZigZag LEB128 of at most nine bytes at `at`: [value, place behind it]. */
function zigzag_at(bytes, at) {
  let value = 0;
  let factor = 1;
  for (let i = 0; i < 9; ++i) {
    const byte = bytes[at++];
    if (i === 8) {
      value += byte * factor;
      break;
    }
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) break;
    factor *= 128;
  }
  return [value % 2 ? -(value + 1) / 2 : value / 2, at];
}

/** The buckets that hold something: three arrays, by rising value. */
function buckets_of(payload) {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const end = 40 + view.getUint32(4);
  const half = half_of(view.getUint32(12));
  const low = [];
  const high = [];
  const counts = [];
  let index = 0;
  let at = 40;
  while (at < end) {
    const [value, next] = zigzag_at(payload, at);
    at = next;
    if (value < 0) {
      index -= value;
      continue;
    }
    if (value > 0) {
      low.push(lowest_value(index, half));
      high.push(lowest_value(index + 1, half) - 1);
      counts.push(value);
    }
    ++index;
  }
  return { low, high, counts, total: counts.reduce((sum, one) => sum + one, 0) };
}

const no_buckets = { low: [], high: [], counts: [], total: 0 };

/** The buckets of an encoded histogram; none for an empty text. */
async function decoded(text) {
  if (!text) return no_buckets;
  return buckets_of(await inflated(bytes_of_base64(text).subarray(8), 'deflate'));
}

/**
 * Replies and the waits of requests without one, as one distribution: values by rank, where a rank
 * at or above a wait is a lower bound.
 */
class Distribution {
  constructor(known, waits, exact) {
    this.exact = exact;
    this.total = known.total + waits.total;
    this.steps = [];
    for (const [part, bound] of [
      [known, false],
      [waits, true],
    ])
      part.counts.forEach((count, i) => this.steps.push({ value: part.high[i], count, bound }));
    // Within a bucket replies come first: a reply there is known, a wait is not.
    this.steps.sort((a, b) => a.value - b.value || a.bound - b.bound);
    let rank = 0;
    for (const step of this.steps) step.rank = rank += step.count;
    this.censored_from = waits.total === 0 ? 1 : this.share_below(waits.low[0]);
  }

  static async of(latency) {
    const [known, waits] = await Promise.all([decoded(latency.histogram), decoded(latency.censored?.histogram)]);
    return new Distribution(known, waits, latency.quantiles_ns);
  }

  share_below(value) {
    let below = 0;
    for (const step of this.steps) if (!step.bound && step.value < value) below += step.count;
    return below / this.total;
  }

  /** The value at a share from 0 to 1, in ns. */
  at(share) {
    const rank = Math.min(this.total, Math.max(1, Math.ceil(share * this.total - 1e-9)));
    let low = 0;
    let high = this.steps.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.steps[middle].rank >= rank) high = middle;
      else low = middle + 1;
    }
    return Math.min(this.steps[low].value, Number(this.exact.max));
  }
}
