// Random numbers that a seed repeats (mulberry32).
export class Random {
  constructor(seed) { this.state = seed >>> 0; }

  /** A number from 0 up to, not including, 1. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer from 0 up to, not including, `end`. */
  below(end) { return Math.floor(this.next() * end); }

  of(list) { return list[this.below(list.length)]; }
}
