// Latency by quantile, over an axis of nines: p0, p90, p99, p99.9 are equally far apart.

const nines = (share) => -Math.log10(1 - share);
const share_at = (place) => 1 - 10 ** -place;

function quantile_name(place) {
  if (place < 0.2) return 'min';
  if (Math.abs(place - nines(0.5)) < 0.01) return 'p50';
  const digits = Math.round(place);
  return digits <= 2 ? `p${(100 * share_at(digits)).toFixed(0)}` : `p99.${'9'.repeat(digits - 2)}`;
}

/** Places on the axis of nines, up to the last that so many requests can fill. */
function places_of(total) {
  const last = Math.max(1, Math.log10(Math.max(10, total)));
  const places = [];
  for (let i = 0; i <= 500; ++i) places.push((i * last) / 500);
  return places;
}

function nines_axis() {
  return axis({
    size: 34,
    splits: (plot, index, least, most) => [0, nines(0.5), 1, 2, 3, 4, 5, 6, 7, 8].filter((one) => one <= most),
    values: (plot, ticks) => ticks.map((one) => (one === null ? null : quantile_name(one))),
    filter: (plot, ticks) =>
      plot.width < 500 ? ticks.map((one) => ([0, 1, 2, 3, 5, 7].includes(one) ? one : null)) : ticks,
  });
}

function hatch_from(place) {
  return (plot) => {
    const { ctx, bbox } = plot;
    const left = Math.max(bbox.left, plot.valToPos(place, 'x', true));
    if (left >= bbox.left + bbox.width) return;
    ctx.save();
    ctx.fillStyle = hatch(ctx, faded(colours.bad, 0.45));
    ctx.fillRect(left, bbox.top, bbox.left + bbox.width - left, bbox.height);
    ctx.restore();
  };
}

/** Some quantiles in words, exact even where the curve is coarse. A lower bound says that it is one. */
const spoken_quantiles = ({ exact }) =>
  ['p50', 'p90', 'p99', 'p99_9']
    .map((name) => `${heading_of_quantile(name)} ${exact[`${name}_at_least`] ? 'at least ' : ''}${duration(exact[name])}`)
    .join(', ');

/** Series of {name, colour, distribution, fill}; `censored` is the share from which values are lower bounds. */
function quantile_chart(title, caption, series, censored = 1) {
  const total = Math.max(...series.map((one) => one.distribution.total));
  const places = places_of(total);
  const data = [
    places,
    ...series.map((one) => {
      const last = nines(1 - 1 / Math.max(10, one.distribution.total)) + 1e-6;
      return places.map((place) => (place > last ? null : Math.max(1, one.distribution.at(share_at(place)))));
    }),
  ];
  const summary = series.map((one) => `${one.name}: ${spoken_quantiles(one.distribution)}`).join('. ');
  return figure(title, caption, summary, () => ({
    data,
    options: {
      scales: { x: { time: false, range: (plot, least, most) => [0, most] }, y: log_scale },
      axes: [nines_axis(), log_duration_axis()],
      series: [
        {
          label: 'quantile',
          value: (plot, place) =>
            place === null ? '–' : `${(100 * share_at(place)).toPrecision(6).replace(/\.?0+$/, '')} %`,
        },
        ...series.map((one) => ({
          label: one.name,
          stroke: colours[one.colour],
          width: one.fill ? 1 : 2,
          fill: one.fill ? faded(colours[one.colour], 0.25) : undefined,
          fillTo: (plot) => plot.scales.y.min,
          points: { show: false },
          value: (plot, value) => (value === null ? '–' : duration(value)),
        })),
      ],
      hooks: censored < 1 ? { drawAxes: [hatch_from(nines(censored))] } : {},
    },
  }));
}
