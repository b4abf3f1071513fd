// Charts are uPlot's. Their colours are those of the page, on screens and on paper.

/** The charts of the page: `draw` and `remove`. */
const charts = [];
let colours = {};

/** The charts up to now, which the page draws no more. */
const forget_charts = () => charts.splice(0);

function read_colours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of [
    'paper',
    'raised',
    'ink',
    'quiet',
    'rule',
    'accent',
    'second',
    'third',
    'fourth',
    'good',
    'bad',
    'open',
    'lag',
    'heat-low',
    'heat-high',
  ])
    colours[name] = style.getPropertyValue(`--${name}`).trim();
}

function redraw_all() {
  read_colours();
  for (const chart of charts) chart.draw();
}

function watch_colours() {
  for (const query of ['(prefers-color-scheme: dark)', 'print'])
    matchMedia(query).addEventListener('change', redraw_all);
}

const faded = (colour, alpha) =>
  `${colour}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;

/**
 * A figure with a chart. `make(width)` returns {options, data}; it is called again whenever colours
 * or the width change. `summary` says in words what the chart shows, for those who cannot see it.
 */
function figure(title, caption, summary, make, ...below) {
  const host = el('div', { class: 'chart', role: 'img', 'aria-label': `${title}. ${summary}` });
  let plot;
  let width = 0;
  const draw = () => {
    if (!host.isConnected || host.clientWidth === 0) return;
    width = host.clientWidth;
    plot?.destroy();
    const { options, data } = make(width);
    plot = new uPlot({ width, height: width < 500 ? 240 : 320, ...options }, data, host);
    // The numbers are in tables; the canvas and what uPlot puts around it are for the eye.
    for (const part of host.children) part.setAttribute('aria-hidden', 'true');
  };
  const observer = new ResizeObserver(() => {
    if (host.clientWidth !== width) draw();
  });
  observer.observe(host);
  const remove = () => {
    observer.disconnect();
    plot?.destroy();
  };
  charts.push({ draw, remove });
  return el('figure', {}, el('figcaption', {}, el('b', {}, title), caption), host, below);
}

const axis = (extra = {}) => ({
  stroke: colours.quiet,
  font: '12px Inter, system-ui, sans-serif',
  labelFont: '12px Inter, system-ui, sans-serif',
  grid: { stroke: colours.rule, width: 1 },
  ticks: { show: false },
  ...extra,
});

const duration_axis = () =>
  axis({ size: 62, values: (plot, ticks) => ticks.map((one) => (one === null ? null : short_duration(one))) });
const count_axis = (extra) =>
  axis({ size: 56, values: (plot, ticks) => ticks.map((one) => (one === null ? null : short_count(one))), ...extra });

/** A logarithmic scale around all values, from and to 1, 2 or 5 times a power of ten. */
function log_range(plot, least, most) {
  if (!(least > 0)) return [1e3, 1e6];
  const step = (value, up) => {
    const decade = 10 ** Math.floor(Math.log10(value));
    const steps = [1, 2, 5, 10].map((one) => one * decade);
    return up
      ? (steps.find((one) => one >= value * 0.9999) ?? 10 * decade)
      : steps.findLast((one) => one <= value * 1.0001);
  };
  const low = step(least, false);
  const high = step(most, true);
  return high > low ? [low, high] : [low, low * 10];
}

const log_scale = { distr: 3, log: 10, range: log_range };

/** Ticks at 1 of each power of ten, and at 2 and 5 where there are few powers. */
function log_splits(plot, index, least, most) {
  const decades = Math.log10(most / least);
  const steps = decades > 3.5 ? [1] : decades > 2 ? [1, 3] : [1, 2, 5];
  const ticks = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most) + 1e-9; ++power)
    for (const one of steps) {
      const tick = one * 10 ** power;
      if (tick >= least * 0.999 && tick <= most * 1.001) ticks.push(tick);
    }
  return ticks;
}

const log_duration_axis = () => ({ ...duration_axis(), splits: log_splits, filter: (plot, ticks) => ticks });

/** A pattern of diagonal lines. */
function hatch(context, colour) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const lines = tile.getContext('2d');
  lines.strokeStyle = colour;
  lines.lineWidth = 1.5;
  lines.beginPath();
  for (const shift of [-8, 0, 8]) {
    lines.moveTo(shift - 1, 9);
    lines.lineTo(shift + 9, -1);
  }
  lines.stroke();
  return context.createPattern(tile, 'repeat');
}

const key_entry = (name, text) => el('span', {}, el('i', { class: name }), text);
