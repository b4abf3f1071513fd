// Latency over time as a heat map: a column a second, a row a sixth of a power of two.

const rows_per_octave = 6;
const row_of = (value) => Math.floor(Math.log2(Math.max(1, value)) * rows_per_octave);
const value_of_row = (row) => 2 ** (row / rows_per_octave);

/** What was decoded of a second. A page that follows a run shows the same seconds again and again. */
const decoded_seconds = new WeakMap();

async function decoded_second(one) {
  const before = decoded_seconds.get(one);
  if (before) return before;
  const parts = { known: await decoded(one.histogram), waits: await decoded(one.censored) };
  decoded_seconds.set(one, parts);
  return parts;
}

/** Counts by column (a second) and row (a sixth of a power of two). */
async function heat_of(series) {
  const parts = await Promise.all(series.map(decoded_second));
  let least = Infinity;
  let most = -Infinity;
  for (const part of parts)
    for (const one of [part.known, part.waits])
      if (one.total) {
        least = Math.min(least, row_of(one.low[0]));
        most = Math.max(most, row_of(one.high[one.high.length - 1]));
      }
  if (most < least) return undefined;
  const rows = most - least + 1;
  const heat = {
    columns: series.length,
    rows,
    least,
    known: new Float64Array(series.length * rows),
    waits: new Float64Array(series.length * rows),
    highest: 1,
  };
  parts.forEach((part, column) => {
    for (const name of ['known', 'waits'])
      part[name].counts.forEach((count, i) => {
        const at = column * rows + row_of((part[name].low[i] + part[name].high[i]) / 2) - least;
        heat[name][at] += count;
        heat.highest = Math.max(heat.highest, heat[name][at]);
      });
  });
  return heat;
}

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** From the colour of one request to that of the most in a cell, by the logarithm of their number. */
function ramp(share) {
  const low = channels(colours['heat-low']);
  const high = channels(colours['heat-high']);
  return low.map((one, i) => Math.round(one + (high[i] - one) * share));
}

function paint_heat(heat) {
  const canvas = document.createElement('canvas');
  canvas.width = heat.columns;
  canvas.height = heat.rows;
  const context = canvas.getContext('2d');
  const image = context.createImageData(heat.columns, heat.rows);
  const bad = channels(colours.bad);
  for (let column = 0; column < heat.columns; ++column)
    for (let row = 0; row < heat.rows; ++row) {
      const at = column * heat.rows + row;
      const count = heat.known[at] || heat.waits[at];
      if (!count) continue;
      const share = heat.highest > 1 ? Math.log(count) / Math.log(heat.highest) : 1;
      const colour = heat.known[at] ? ramp(share) : bad;
      image.data.set([...colour, 255], ((heat.rows - 1 - row) * heat.columns + column) * 4);
    }
  context.putImageData(image, 0, 0);
  return canvas;
}

function ramp_key(highest) {
  const canvas = el('canvas', { width: 100, height: 1, 'aria-hidden': 'true' });
  const paint = () => {
    const context = canvas.getContext('2d');
    for (let i = 0; i < 100; ++i) {
      context.fillStyle = `rgb(${ramp(i / 99).join(',')})`;
      context.fillRect(i, 0, 1, 1);
    }
  };
  charts.push({ draw: paint, remove: () => {} });
  return el('div', { class: 'key' }, el('span', {}, '1', canvas, `${grouped(highest)} requests in a cell`));
}

/** Columns have one width unless the last second is not whole; that one is drawn as the others. */
function heat_map(result, heat) {
  const series = result.series;
  const length = series[0].length_seconds;
  const begin = begin_of(series[0]);
  const end = begin + length * series.length;
  const edges = series.flatMap((one, i) => [begin + i * length, begin + (i + 1) * length]);
  const line = (name) => stairs(series, (one) => Number(one[name]) || null);
  const low = value_of_row(heat.least);
  const high = value_of_row(heat.least + heat.rows);
  const lines = [
    ['p50_ns', 'p50', 'ink'],
    ['p99_ns', 'p99', 'fourth'],
  ];
  return figure(
    'Latency over time',
    'From the planned send. Each column is ' +
      (length === 1 ? 'a second' : seconds_text(length)) +
      '; the stronger the colour of a cell, the more requests. Red: requests without a reply, at the time they were waited for.',
    `From ${duration(low)} to ${duration(high)}`,
    () => {
      const picture = paint_heat(heat);
      return {
        data: [edges, ...lines.map(([name]) => line(name))],
        options: {
          scales: { x: { time: false, range: () => [begin, end] }, y: { ...log_scale, range: () => [low, high] } },
          axes: [seconds_axis(), log_duration_axis()],
          series: [
            { label: 'time', value: (plot, at) => (at === null ? '–' : seconds_text(at)) },
            ...lines.map(([, label, colour]) => ({
              label,
              stroke: colours[colour],
              width: series.length > 300 ? 0.75 : 1.5,
              points: { show: false },
              value: (plot, value) => (value === null ? '–' : duration(value)),
            })),
          ],
          hooks: {
            drawAxes: [
              (plot) => {
                const { ctx, bbox } = plot;
                ctx.save();
                ctx.imageSmoothingEnabled = false;
                ctx.drawImage(picture, bbox.left, bbox.top, bbox.width, bbox.height);
                ctx.restore();
              },
            ],
          },
        },
      };
    },
    ramp_key(heat.highest),
  );
}
