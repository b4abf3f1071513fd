// Numbers as Hallmark writes them on a terminal: three digits and a unit.

/** Groups of three digits. Takes whole numbers, also as text beyond 2^53. */
function grouped(value) {
  return String(typeof value === 'number' ? Math.round(value) : value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Three significant digits of a whole number and the unit that keeps them below a thousand. A half is rounded up. */
function in_three_digits(value, units) {
  const count = Math.trunc(Number(value));
  if (count < 0) return `-${in_three_digits(-count, units)}`;
  let unit = 0;
  let size = 1;
  while (unit + 1 < units.length && count >= 999.5 * size) {
    size *= 1000;
    ++unit;
  }
  const digits = unit === 0 ? 0 : count < (size / 1000) * 9995 ? 2 : count < (size / 100) * 9995 ? 1 : 0;
  const parts = 10 ** digits;
  // 12350 / 1000 is a little less than 12.35: halves are found among whole numbers.
  const part = size / parts;
  const rounded = Math.floor((count + part / 2) / part);
  return `${(rounded / parts).toFixed(digits)} ${units[unit]}`;
}

const duration = (ns) => in_three_digits(ns, ['ns', 'µs', 'ms', 's']);
const bytes_text = (count) => in_three_digits(count, ['B', 'kB', 'MB', 'GB']);
function percent(share, digits = 1) {
  const parts = 10 ** digits;
  return `${(Math.sign(share) * Math.round(100 * parts * Math.abs(share)) / parts).toFixed(digits)} %`;
}
const rate_text = (rate) => grouped(Math.round(Number(rate)));
const plural = (count, one, several) => `${grouped(count)} ${Number(count) === 1 ? one : several}`;

/** A quantile, which may be a lower bound only. */
const marked = (text, bound, by_client) => `${bound ? '≥ ' : ''}${by_client ? '~' : ''}${text}`;
const quantile_text = (quantiles, name, value = quantiles[name]) =>
  marked(duration(value), quantiles[`${name}_at_least`], quantiles[`${name}_by_client`]);
/** The same of an object whose members are named p50_ns, p50_at_least and p50_by_client. */
const point_text = (point, name) => quantile_text(point, name, point[`${name}_ns`]);
const by_client_text = '~ the client sent or read so late that it could explain more than a tenth of this';

/** For axes: as few digits as tell the ticks apart. */
function short_duration(ns) {
  for (const [unit, size] of [
    ['s', 1e9],
    ['ms', 1e6],
    ['µs', 1e3],
  ]) {
    if (ns >= size * 0.999) return `${+(ns / size).toPrecision(3)} ${unit}`;
  }
  return `${+ns.toPrecision(3)} ns`;
}

function short_count(value) {
  if (value >= 1e6) return `${+(value / 1e6).toPrecision(3)}M`;
  if (value >= 1e4) return `${+(value / 1e3).toPrecision(3)}k`;
  return String(+value.toPrecision(4));
}

const moment = (text) =>
  text
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
    .replace(/Z$/, ' UTC');
