// Several load runs: the search for the highest rate, and two targets compared.

const met_kinds = {
  yes: ['good', 'holds', 'good'],
  no: ['bad', 'missed', 'bad'],
  unknown: ['open', 'unknown', 'open'],
};

/** A band over the whole height, and a line in it. */
function interval_hook(low, high, at) {
  return (plot) => {
    const { ctx, bbox } = plot;
    const place = (value) => plot.valToPos(value, 'x', true);
    ctx.save();
    ctx.fillStyle = faded(colours.accent, 0.14);
    ctx.fillRect(place(low), bbox.top, Math.max(2, place(high) - place(low)), bbox.height);
    ctx.fillStyle = colours.accent;
    ctx.fillRect(place(at) - 1, bbox.top, 2, bbox.height);
    ctx.restore();
  };
}

/** Latency by rate; points of each outcome have a colour and a shape of their own. */
function search_chart(knee) {
  const points = [...knee.points].sort((a, b) => a.rate - b.rate);
  const value = (one, name) => Math.max(1, Number(one[name]));
  const of = (met, name) => points.map((one) => (one.met === met && Number(one[name]) ? value(one, name) : null));
  const wide = points[points.length - 1].rate > 20 * points[0].rate && points[0].rate > 0;
  const outcomes = Object.keys(met_kinds).filter((met) => points.some((one) => one.met === met));
  const caption = `p99 of each run by the rate that it asked for. ${knee.rate > 0 ? `Line: the highest rate at which the objectives hold, ${rate_text(knee.rate)} requests/s; band: its interval of 95 %, ${rate_text(knee.low)} to ${rate_text(knee.high)}.` : 'No rate was found at which the objectives hold.'}`;
  return figure('Latency by rate', caption, `${points.length} runs`, () => ({
    data: [
      points.map((one) => one.rate),
      ...outcomes.map((met) => of(met, 'p99_ns')),
      points.map((one) => (Number(one.p50_ns) ? value(one, 'p50_ns') : null)),
    ],
    options: {
      scales: { x: wide ? { ...log_scale, time: false } : { time: false }, y: log_scale },
      axes: [
        count_axis({ size: 34, ...(wide ? { splits: log_splits, filter: (plot, ticks) => ticks } : {}) }),
        log_duration_axis(),
      ],
      series: [
        { label: 'requests/s', value: (plot, at) => (at === null ? '–' : rate_text(at)) },
        ...outcomes.map((met) => ({
          label: `p99, ${met_kinds[met][1]}`,
          stroke: colours[met_kinds[met][2]],
          paths: () => null,
          points: { show: true, size: 9, fill: met === 'yes' ? colours[met_kinds[met][2]] : colours.paper, width: 2 },
          value: (plot, ns) => (ns === null ? '–' : duration(ns)),
        })),
        {
          label: 'p50',
          stroke: colours.lag,
          paths: () => null,
          points: { show: true, size: 4, fill: colours.lag },
          value: (plot, ns) => (ns === null ? '–' : duration(ns)),
        },
      ],
      hooks: knee.rate > 0 ? { drawAxes: [interval_hook(knee.low, knee.high, knee.rate)] } : {},
    },
  }));
}

async function search_page(document_, ids) {
  const knee = document_.content;
  const rows = knee.points.map((one) => [
    one.sweep,
    number(rate_text(one.rate)),
    number(rate_text(one.achieved)),
    mark(...met_kinds[one.met]),
    ...['p50', 'p99', 'p99_9'].map((name) => number(point_text(one, name))),
    number(percent(one.busy, 0)),
    { value: one.reason, class: 'text' },
  ]);
  const sweeps = (values) => values.map(rate_text).join(', ') || '–';
  const top = [
    heading('search for the highest rate', knee.target, [knee.objectives]),
    verdict_box(document_.verdict, knee.exit_code),
    figures([
      ['highest rate', knee.rate > 0 ? rate_text(knee.rate) : 'none', 'requests/s at which the objectives hold'],
      [
        'interval of 95 %',
        knee.rate > 0 ? `${rate_text(knee.low)} – ${rate_text(knee.high)}` : 'none',
        'requests/s',
      ],
      ['confirmed', knee.confirmed ? rate_text(knee.confirmed) : 'none', 'requests/s in a longer run'],
      ['runs', grouped(knee.points.length), knee.client_limited ? 'the client was the limit' : ''],
    ]),
  ];
  return page_of(top, [
    section(
      ids,
      'curve',
      'Curve',
      knee.points.length ? search_chart(knee) : null,
      facts('Sweeps', [
        ['found from below', sweeps(knee.up)],
        ['found from above', sweeps(knee.down)],
      ]),
    ),
    section(
      ids,
      'runs',
      'Runs',
      table(
        'Runs',
        [
          'sweep',
          number('asked'),
          number('achieved'),
          'objectives',
          ...['p50', 'p99', 'p99.9'].map(number),
          number('client busy'),
          'why',
        ],
        rows,
      ),
    ),
    command_section(ids, document_),
  ]);
}

function command_section(ids, document_) {
  if (!document_.command) return undefined;
  return section(
    ids,
    'run',
    'Run',
    el('pre', { class: 'command' }, document_.command),
    document_.environment
      ? facts(
          'Machine',
          document_.environment.map((one) => [one.name, one.value]),
        )
      : null,
  );
}

/** How each of two loads was made that were read from files. */
function runs_section(ids, runs) {
  if (!runs?.length) return undefined;
  const names = [...new Set(runs.flatMap((run) => run.options.map((one) => one.name)))];
  const value_of = (run, name) => run.options.find((one) => one.name === name)?.value ?? '–';
  return section(
    ids,
    'loads',
    'The two loads',
    slim_table(
      'The two loads',
      ['', 'A', 'B'],
      [
        ['file', ...runs.map((run) => run.file)],
        ['target', ...runs.map((run) => run.target)],
        ...names.map((name) => [name, ...runs.map((run) => value_of(run, name))]),
      ],
    ),
  );
}

const difference_kinds = {
  same: ['none', 'same'],
  better: ['good', 'better'],
  worse: ['bad', 'worse'],
  unknown: ['open', 'unknown'],
};

/** The interval of a difference, in percent of before, with the noise around zero. */
function interval_strip(one, widest) {
  const share = (value) => value / one.before;
  const place = (value) => `${50 + (50 * Math.max(-widest, Math.min(widest, share(value)))) / widest}%`;
  const between = (name, low, high) => {
    const made = styled(el('span', { class: name }), { left: place(low) });
    made.style.right = `calc(100% - ${place(high)})`;
    return made;
  };
  // An end that is open reaches the edge of the strip.
  const low = one.low_open ? -widest * one.before : one.low;
  const high = one.high_open ? widest * one.before : one.high;
  const end = (value, open) => (open ? 'unknown' : percent(share(value)));
  const words = `from ${end(low, one.low_open)} to ${end(high, one.high_open)}; noise ${percent(share(one.noise))}`;
  return el(
    'div',
    { class: 'strip', role: 'img', 'aria-label': words, title: words },
    between('band', -one.noise, one.noise),
    styled(el('span', { class: 'zero' }), { left: '50%' }),
    between('line', low, high),
    styled(el('span', { class: `dot c${difference_kinds[one.difference][0]}` }), { left: place(one.now - one.before) }),
  );
}

async function comparison_page(document_, ids) {
  const result = document_.content;
  const shown_as = (one) => (value) =>
    ['throughput', 'capacity'].includes(one.metric) ? `${rate_text(value)}/s` : duration(value);
  const widest = Math.max(
    0.02,
    ...result.metrics
      .filter((one) => one.before > 0)
      .flatMap((one) => [one.low, one.high, one.noise].map((value) => Math.abs(value / one.before))),
  );
  const rows = result.metrics.map((one) => {
    const text = shown_as(one);
    return [
      one.metric,
      number(marked(text(one.before), one.before_at_least, one.before_by_client)),
      number(marked(text(one.now), one.now_at_least, one.now_by_client)),
      number(
        one.before > 0 ? `${one.now >= one.before ? '+' : ''}${percent((one.now - one.before) / one.before)}` : '–',
      ),
      { value: one.before > 0 ? interval_strip(one, widest) : '', class: 'tight' },
      number(`${one.low_open ? '?' : text(one.low)} … ${one.high_open ? '?' : text(one.high)}`),
      mark(...difference_kinds[one.difference]),
    ];
  });
  const top = [
    heading('comparison of two loads', `${result.now}`, [`compared with ${result.before}`]),
    verdict_box(document_.verdict, result.exit_code),
    figures([
      ['A', `${grouped(result.blocks_before)} blocks`, result.before],
      ['B', `${grouped(result.blocks_now)} blocks`, result.now],
    ]),
  ];
  return page_of(top, [
    section(
      ids,
      'metrics',
      'Differences',
      el(
        'p',
        { class: 'quiet' },
        `B less A, with the interval of 99 % as a line, the full width being ±${percent(widest)}. Grey: how far two halves of the same differ; no smaller difference counts.`,
      ),
      table(
        'Differences',
        [
          'metric',
          number('A'),
          number('B'),
          number('difference'),
          `-${percent(widest, 0)} … +${percent(widest, 0)}`,
          number('interval'),
          'verdict',
        ],
        rows,
      ),
    ),
    runs_section(ids, document_.runs),
    command_section(ids, document_),
  ]);
}
