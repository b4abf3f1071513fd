// Where the time of requests went.

const stage_names = [
  ['planned_to_written', 'planned → written'],
  ['written_to_kernel_sent', 'written → kernel sent'],
  ['kernel_sent_to_received', 'kernel sent → received'],
  ['kernel_received_to_read', 'kernel received → read'],
];
const stage_colours = ['accent', 'fourth', 'second', 'third'];

/** A bar of parts; `parts` are [class, size, words], `whole` is the size of a full bar. */
function stacked_bar(parts, whole) {
  const words = parts.map(([, , text]) => text).join(', ');
  return el(
    'div',
    { class: 'bar', role: 'img', 'aria-label': words, title: words },
    parts.map(([name, size]) => styled(el('i', { class: name }), { width: `${(100 * size) / whole}%` })),
  );
}

async function stages_part(ids, result) {
  if (!result.stages) return undefined;
  const stages = stage_names
    .map(([name, title], i) => ({ name, title, colour: stage_colours[i], latency: result.stages[name] }))
    .filter((one) => Number(one.latency.quantiles_ns.count));
  if (!stages.length) return undefined;
  const sum = stages.reduce((all, one) => all + one.latency.quantiles_ns.mean, 0);
  const parts = stages.map((one) => [
    `c${stage_colours.indexOf(one.colour)}`,
    one.latency.quantiles_ns.mean,
    `${one.title} ${duration(one.latency.quantiles_ns.mean)}`,
  ]);
  const series = [];
  for (const one of stages)
    series.push({ name: one.title, colour: one.colour, distribution: await Distribution.of(one.latency) });
  const without = Number(result.stages.without_kernel_times);
  return section(
    ids,
    'stages',
    'Stages',
    el(
      'figure',
      {},
      el(
        'figcaption',
        {},
        el('b', {}, `A request takes ${duration(sum)} on average`),
        'Means add up; quantiles do not.',
      ),
      stacked_bar(parts, sum),
      el(
        'div',
        { class: 'key' },
        parts.map(([name, , text]) => key_entry(name, text)),
      ),
    ),
    quantile_chart(
      'Stages by quantile',
      without ? `Of ${plural(without, 'request', 'requests')} the system did not tell both times.` : '',
      series,
    ),
    latency_table(
      'Stages',
      'stage',
      stages.map((one) => [one.title, one.latency]),
    ),
  );
}

/** The stages of one request as [class, ns, words]. */
function spans_of(one) {
  const times = [
    ['planned_ns', 'sent_ns', 'c0', 'planned → written'],
    ['sent_ns', 'kernel_sent_ns', 'c1', 'written → kernel sent'],
    ['kernel_sent_ns', 'kernel_received_ns', 'c2', 'kernel sent → received'],
    ['kernel_received_ns', 'read_ns', 'c3', 'kernel received → read'],
  ];
  const known = one.kernel_sent_ns !== undefined && one.kernel_received_ns !== undefined;
  const used = known ? times : [times[0], ['sent_ns', 'read_ns', 'c2', 'sent → read']];
  return used
    .map(([from, to, name, title]) => [name, Math.max(0, Number(one[to]) - Number(one[from])), title])
    .map(([name, ns, title]) => [name, ns, `${title} ${duration(ns)}`]);
}

function slowest_part(ids, result) {
  if (!result.slowest) return undefined;
  const longest = Math.max(...result.slowest.map((one) => Number(one.read_ns) - Number(one.planned_ns)), 1);
  const rows = result.slowest.map((one) => [
    number(duration(one.latency_ns)),
    { value: stacked_bar(spans_of(one), longest), class: 'tight' },
    `${one.operation} `,
    el('code', {}, one.key),
    ...[
      duration(one.planned_ns),
      grouped(one.connection),
      grouped(one.place_in_write),
      grouped(one.place_in_read),
      one.tcp ? duration(1000 * one.tcp.round_trip_us) : '–',
      one.tcp ? grouped(one.tcp.retransmitted) : '–',
    ].map(number),
  ]);
  const known = result.slowest.some((one) => one.kernel_sent_ns !== undefined);
  const key = known
    ? stage_names.map(([, title], i) => key_entry(`c${i}`, title))
    : [key_entry('c0', 'planned → sent (the client)'), key_entry('c2', 'sent → read')];
  return section(
    ids,
    'slowest',
    'Slowest requests',
    el('div', { class: 'key' }, key),
    table(
      'Slowest requests',
      [
        number('latency'),
        'where the time went',
        'operation',
        'key',
        number('planned at'),
        number('connection'),
        number('before it in its write'),
        number('in its read'),
        number('round trip'),
        number('resent'),
      ],
      rows,
    ),
  );
}
