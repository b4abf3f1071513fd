// Small files that say they are large ones.

/** A Zstandard frame of blocks that each stand for 128 KiB of one byte (RFC 8878, section 3.1.1.2): a gigabyte at most. */
export function zstdLikeBomb(random) {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const blocks = 1 + random.below(8192);
  const parts = [header];
  for (let i = 0; i < blocks; i += 1) {
    const last = i === blocks - 1 ? 1 : 0;
    const word = last | (1 << 1) | ((128 * 1024) << 3);  // type 1: one byte, repeated
    parts.push(Buffer.from([word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff, random.of([0x0a, 0x20, 0x5b, 0x61])]));
  }
  return Buffer.concat(parts);
}
