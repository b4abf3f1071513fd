// What happened when: seconds, and the rates in them.

const seconds_text = (at) => `${+Number(at).toFixed(1)} s`;

function seconds_axis() {
  return axis({
    size: 34,
    incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200],
    values: (plot, ticks) =>
      ticks.map((one) => (plot.scales.x.max > 600 ? `${+(one / 60).toFixed(1)} min` : `${one} s`)),
  });
}

/** Both edges of each second, so that a line is a stair. */
function stairs(series, value) {
  return series.flatMap((one) => [value(one), value(one)]);
}

const begin_of = (one) => Number(one.second);
const end_of = (one) => Number(one.second) + one.length_seconds;

/** True where the client sent, or the target answered, less than half of what was asked for. */
function is_stall(one, asked) {
  const due = asked * one.length_seconds;
  return Number(one.completed) < due / 2 || Number(one.sent) < due / 2;
}

function shade(spans, colour) {
  return (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.fillStyle = hatch(ctx, faded(colour, 0.5));
    for (const [from, to] of spans) {
      const left = plot.valToPos(from, 'x', true);
      ctx.fillRect(left, bbox.top, Math.max(2, plot.valToPos(to, 'x', true) - left), bbox.height);
    }
    ctx.restore();
  };
}

/** An upright dashed line at each of these times. */
function upright(times, colour) {
  return (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colour;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const at of times) {
      const x = plot.valToPos(at, 'x', true);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  };
}

function rates_chart(result) {
  const series = result.series;
  const per_second = (name) => (one) => Number(one[name]) / Math.max(one.length_seconds, 1e-9);
  const answered = (one) => (Number(one.completed) - Number(one.drained ?? 0)) / Math.max(one.length_seconds, 1e-9);
  const last = series[series.length - 1];
  // A last second that is not whole would look like a fall.
  const whole = series.filter((one) => one !== last || one.length_seconds >= 0.5 * series[0].length_seconds);
  const lines = [
    { name: 'sent', colour: 'second', value: per_second('sent') },
    { name: 'answered', colour: 'accent', value: answered },
    { name: 'errors', colour: 'bad', value: per_second('errors'), fill: true },
  ];
  const profile = result.header.options.some(
    (one) => one.name === 'rate-profile' || (one.name === 'rate' && one.value.includes('..')),
  );
  const asked = profile ? undefined : result.rate_asked;
  const stalls = asked ? whole.filter((one) => is_stall(one, asked)).map((one) => [begin_of(one), end_of(one)]) : [];
  const errors = series.reduce((sum, one) => sum + Number(one.errors), 0);
  const reopened = whole.filter((one) => Number(one.reconnects ?? 0) > 0);
  const reconnects = reopened.reduce((sum, one) => sum + Number(one.reconnects), 0);
  const caption =
    `Requests per second${asked ? `; ${rate_text(asked)} were asked for` : ''}.` +
    (stalls.length ? ` Hatched: ${plural(stalls.length, 'second', 'seconds')} with less than half of it.` : '') +
    (reconnects
      ? ` Dashed upright: a second in which lost connections were opened again, ${grouped(reconnects)} in all.`
      : '');
  const data = [whole.flatMap((one) => [begin_of(one), end_of(one)]), ...lines.map((one) => stairs(whole, one.value))];
  if (asked) data.push(data[0].map(() => asked));
  if (reconnects) data.push(stairs(whole, (one) => Number(one.reconnects ?? 0)));
  return figure(
    'Requests over time',
    caption,
    `${rate_text(result.rate_achieved)} answered per second, ${grouped(errors)} errors in all`,
    () => ({
      data,
      options: {
        height: 240,
        scales: { x: { time: false }, y: { range: (plot, least, most) => [0, (most || 1) * 1.08] } },
        axes: [seconds_axis(), count_axis()],
        series: [
          { label: 'time', value: (plot, at) => (at === null ? '–' : seconds_text(at)) },
          ...lines.map((one) => ({
            label: one.name,
            stroke: colours[one.colour],
            width: 1.75,
            points: { show: false },
            fill: one.fill ? faded(colours[one.colour], 0.3) : undefined,
            value: (plot, value) => (value === null ? '–' : rate_text(value)),
          })),
          ...(asked
            ? [
                {
                  label: 'asked',
                  stroke: colours.quiet,
                  dash: [5, 4],
                  width: 1.25,
                  points: { show: false },
                  value: (plot, value) => (value === null ? '–' : rate_text(value)),
                },
              ]
            : []),
          // Not drawn: the legend tells how many there were in a second.
          ...(reconnects
            ? [
                {
                  label: 'reconnects',
                  scale: 'reconnects',
                  stroke: colours.open,
                  paths: () => null,
                  points: { show: false },
                  value: (plot, value) => (value === null ? '–' : grouped(value)),
                },
              ]
            : []),
        ],
        hooks: {
          drawAxes: [
            ...(stalls.length ? [shade(stalls, colours.open)] : []),
            ...(reconnects ? [upright(reopened.map((one) => (begin_of(one) + end_of(one)) / 2), colours.open)] : []),
          ],
        },
      },
    }),
  );
}
