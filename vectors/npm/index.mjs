// The golden vectors of Hallmark as values: docs/vectors.md of Hallmark explains them.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const root = new URL('./vectors/', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const names_in = (folder) =>
  existsSync(new URL(folder, root)) ? readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.json')).sort() : [];
const widths = new Set(['u8', 'u16', 'u32', 'u64']);

/** The part of a file that is for one width: where widths differ, an object has a member for each. */
export function atWidth(value, width) {
  if (Array.isArray(value)) {
    return value.filter((one) => !one?.widths || one.widths.includes(width)).map((one) => atWidth(one, width));
  }
  if (value === null || typeof value !== 'object') return value;
  const names = Object.keys(value);
  if (names.length > 0 && names.every((name) => widths.has(name))) return value[width];
  return Object.fromEntries(
    names.map((name) => [name, atWidth(value[name], width)]).filter(([, one]) => one !== undefined),
  );
}

/** What is in the package: its version, and each file with its SHA-256. */
export const manifest = JSON.parse(readFileSync(new URL('./manifest.json', import.meta.url), 'utf8'));

/** The names of all dialects, such as throttr-7.1. */
export const dialects = names_in('layouts/').map((name) => name.slice(0, -'.json'.length));

/** The layouts of a dialect's messages; with a width, for that width alone. */
export const layouts = (dialect, width) => pick(read(`layouts/${dialect}.json`), width);

/** What decoders and encoders of a dialect have to refuse. */
export const invalid = (dialect, width) => pick(read(`invalid/${dialect}.json`), width);

/** The vector files of a dialect, those of both profiles; with a width, for that width alone. */
export const files = (dialect, width) =>
  [`${dialect}/`, `${dialect}/literal/`].flatMap((folder) =>
    names_in(folder).map((name) => pick(read(folder + name), width)),
  );

/** All vectors of a dialect. */
export const vectors = (dialect, width) => files(dialect, width).flatMap((file) => file.vectors);

/** The plain vectors of a dialect for one width, for servers that answer as released ones or, if literal, as the text says. */
export const plain = (dialect, width, profile = 'deployed') => {
  const name = [dialect, width, profile === 'literal' ? profile : undefined].filter(Boolean).join('-');
  return read(`plain/${name}.json`);
};

const pick = (file, width) => (width === undefined ? file : atWidth(file, width));
