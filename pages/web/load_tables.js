// Tables of a load run: operations, objectives, errors, the client.

function connection_facts(connections) {
  if (!connections) return undefined;
  const told = [
    ['opened', connections.opened],
    ['replaced, as asked', connections.replaced],
    ['lost', connections.lost],
    ['regained', connections.regained],
    ['failed attempts', connections.failed],
  ].filter(([name, count]) => Number(count) || name === 'opened');
  const gap = Number(connections.longest_gap_ns);
  return el(
    'p',
    { class: 'quiet' },
    'Connections: ',
    told.map(([name, count]) => `${grouped(count)} ${name}`).join(', '),
    gap ? `; the longest time without one was ${duration(gap)}` : '',
    '.',
  );
}

function operations_part(ids, result) {
  const names = ['planned', 'completed', 'timed_out', 'shed', 'failed'];
  const row = (name, counts, p, properties) => ({
    ...properties,
    cells: [
      name,
      ...names.map((one) => number(Number(counts[one]) ? grouped(counts[one]) : el('span', { class: 'none' }, '0'))),
      { value: latency_strip(p, result), class: 'tight' },
    ],
  });
  const rows = [
    ...result.operations.map((one) => row(one.operation, one.counts, one.corrected.quantiles_ns)),
    row('all', result.counts, result.corrected.quantiles_ns, { class: 'sum' }),
  ];
  return section(
    ids,
    'operations',
    'Operations',
    table(
      'Requests by operation',
      ['operation', ...names.map((one) => number(one.replace('_', ' '))), 'p50 · p99 · longest'],
      rows,
    ),
  );
}

/** Median, p99 and longest on a logarithmic line from the fastest reply to the slowest of all. */
function latency_strip(p, result) {
  if (!Number(p.count)) return el('span', { class: 'none' }, 'no reply');
  const all = result.corrected.quantiles_ns;
  const low = Math.log(Math.max(1, Number(all.min)));
  const high = Math.log(Math.max(2, Number(all.max)));
  const place = (ns) => `${(100 * (Math.log(Math.max(1, Number(ns))) - low)) / Math.max(high - low, 1e-9)}%`;
  const words = `p50 ${quantile_text(p, 'p50')}, p99 ${quantile_text(p, 'p99')}, longest ${quantile_text(p, 'max')}`;
  const line = styled(el('span', { class: 'line' }), { left: place(p.min) });
  line.style.right = `calc(100% - ${place(p.max)})`;
  return el(
    'div',
    { class: 'strip', role: 'img', 'aria-label': words, title: words },
    line,
    ['p50', 'p99', 'max'].map((name, i) =>
      styled(el('span', { class: `dot c${[0, 1, 3][i]}` }), { left: place(p[name]) }),
    ),
  );
}

function objectives_part(ids, result) {
  if (!result.objectives) return undefined;
  const kinds = { yes: ['good', 'met'], no: ['bad', 'missed'], unknown: ['open', 'unknown'] };
  return section(
    ids,
    'objectives',
    'Objectives',
    slim_table(
      'Objectives',
      ['objective', 'outcome', 'measured'],
      result.objectives.map((one) => [
        el('code', {}, one.objective),
        mark(...kinds[one.met]),
        one.shown + (one.proven ? ' (proven: no delay of the client excuses it)' : ''),
      ]),
    ),
  );
}

function errors_part(ids, result) {
  if (!result.errors.length) return undefined;
  return section(
    ids,
    'errors',
    'Errors',
    table(
      'Errors',
      ['kind', number('count'), 'example'],
      result.errors.map((one) => [one.kind, number(grouped(one.count)), { value: one.example, class: 'text' }]),
    ),
  );
}

function client_part(ids, result) {
  const client = result.client;
  const test = client?.schedule?.test;
  const busiest = client?.threads.length ? Math.max(...client.threads.map((one) => one.busy)) : undefined;
  const waited = client?.threads.length ? Math.max(...client.threads.map((one) => one.waited)) : undefined;
  const pairs = [
    [
      'busiest thread',
      busiest !== undefined
        ? `${percent(busiest)} of ${plural(client.threads.length, 'thread', 'threads')}`
        : undefined,
    ],
    ['waited for a processor', waited !== undefined ? percent(waited) : undefined],
    ['taken by the host', client && client.stolen_share ? percent(client.stolen_share) : undefined],
    ['throttled', client && client.throttled_seconds ? `${client.throttled_seconds.toFixed(2)} s` : undefined],
    [
      'late',
      client?.schedule
        ? `${percent(client.schedule.late_share)} left more than ${duration(client.schedule.lag_bound_ns)} behind plan`
        : undefined,
    ],
    ['arrivals', client?.schedule?.arrivals],
    [
      'arrivals as asked',
      test
        ? `${test.as_asked} (A² ${test.statistic.toFixed(2)} over ${grouped(test.spans)} spans of ${grouped(test.span)}, p ${test.p_value.toPrecision(3)})`
        : undefined,
    ],
    [
      'sockets',
      client?.sockets
        ? `${grouped(client.sockets.count)}${client.sockets.no_delay ? ', TCP_NODELAY' : ''}, buffers of ${bytes_text(client.sockets.send_buffer_bytes)} and ${bytes_text(client.sockets.receive_buffer_bytes)}`
        : undefined,
    ],
    ['CPU', `${result.cpu_user_seconds.toFixed(2)} s user, ${result.cpu_system_seconds.toFixed(2)} s system`],
    [
      'batches',
      `${result.requests_per_write.toFixed(1)} requests per write, ${result.replies_per_read.toFixed(1)} replies per read`,
    ],
    ['bytes', `${grouped(result.bytes_out)} out, ${grouped(result.bytes_in)} in`],
  ];
  return section(
    ids,
    'client',
    'Client',
    client?.taints.length
      ? [
          el('p', {}, 'These numbers may show the client and not the target:'),
          el(
            'ul',
            {},
            client.taints.map((one) => el('li', {}, one)),
          ),
        ]
      : null,
    facts('The client', pairs),
  );
}

/** How runs one after the other differ. */
function spread_part(ids, result) {
  if (!result.spread) return undefined;
  const most = Math.max(...result.spread.map((one) => one.runs.length));
  const runs = Array.from({ length: most }, (_, i) => number(`run ${i + 1}`));
  const rows = result.spread.map((one) => {
    const text = (value) => (one.metric === 'throughput' ? `${rate_text(value)}/s` : duration(value));
    const values = one.runs.map((run) => number(marked(text(run.value), run.at_least, run.by_client)));
    return [one.metric, ...values, number(one.high ? `${text(one.low)} … ${text(one.high)}` : '–')];
  });
  return section(
    ids,
    'spread',
    'Between runs',
    table('Between runs', ['metric', ...runs, number('interval of 95 % of the mean')], rows),
  );
}

/** As many curves as colours and legends tell apart; of more ranks a chart has points. */
const most_rank_curves = 8;
const rank_colours = ['accent', 'second', 'third', 'fourth'];

/** p50 and p99 of each rank. */
function latency_by_rank(ranks) {
  const told = ranks.filter((one) => Number(one.latency.quantiles_ns.count));
  const values = (name) => told.map((one) => Math.max(1, Number(one.latency.quantiles_ns[name])));
  const names = [
    ['p50', 'lag'],
    ['p99', 'accent'],
  ];
  const spans = names.map(
    ([name]) => `${name} from ${duration(Math.min(...values(name)))} to ${duration(Math.max(...values(name)))}`,
  );
  return figure('Latency by rank', 'From the planned send.', `${plural(told.length, 'rank', 'ranks')}: ${spans.join(', ')}`, () => ({
    data: [told.map((one) => Number(one.rank)), ...names.map(([name]) => values(name))],
    options: {
      scales: { x: { time: false }, y: log_scale },
      axes: [count_axis({ size: 34, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] }), log_duration_axis()],
      series: [
        { label: 'rank' },
        ...names.map(([name, colour]) => ({
          label: name,
          stroke: colours[colour],
          paths: () => null,
          points: { show: true, size: 5, fill: colours[colour] },
          value: (plot, ns) => (ns === null ? '–' : duration(ns)),
        })),
      ],
    },
  }));
}

async function rank_curves(ranks) {
  const told = ranks.filter((one) => one.latency.histogram);
  if (!told.length) return undefined;
  const series = [];
  for (const [i, one] of told.entries())
    series.push({
      name: `rank ${one.rank}`,
      colour: rank_colours[i % rank_colours.length],
      distribution: await Distribution.of(one.latency),
    });
  return quantile_chart(
    'Latency of each rank by quantile',
    'From the planned send, in steps of 6 %.',
    series,
    Math.min(...series.map((one) => one.distribution.censored_from)),
  );
}

/** The ranks of a run of several processes, each by itself. */
async function ranks_part(ids, result) {
  const { ranks } = result;
  if (!ranks) return undefined;
  const offset = (one) =>
    one.rank === 0
      ? '–'
      : `${one.clock_offset_ns < 0 ? '−' : '+'}${duration(Math.abs(one.clock_offset_ns))} ± ${duration(one.clock_bound_ns)}`;
  const rows = ranks.map((one) => {
    const quantiles = one.latency.quantiles_ns;
    const has_latency = Number(quantiles.count) > 0;
    const { planned, completed, timed_out, shed, failed } = one.counts;
    return [
      `${one.rank}`,
      { value: [one.host, one.lost ? [' ', mark('bad', 'died')] : ''], class: 'text' },
      number(one.lost ? '–' : rate_text(one.rate_achieved)),
      number(grouped(completed)),
      number(grouped(planned)),
      number(grouped(Number(timed_out) + Number(shed) + Number(failed))),
      ...['p50', 'p99', 'p99_9', 'max'].map((name) => number(has_latency ? quantile_text(quantiles, name) : '–')),
      number(offset(one)),
    ];
  });
  const headings = ['answered/s', 'answered', 'planned', 'without a reply', 'p50', 'p99', 'p99.9', 'max', 'clock'];
  return section(
    ids,
    'ranks',
    'Ranks',
    el(
      'p',
      { class: 'quiet' },
      'Each rank by itself; everything else on this page is all of them together. The last column says how far the clock of a rank is ahead of that of rank 0.',
    ),
    ranks.length > most_rank_curves ? latency_by_rank(ranks) : await rank_curves(ranks),
    table('Ranks', ['rank', 'host', ...headings.map(number)], rows),
  );
}
