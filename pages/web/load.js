// A load run.

const quantile_names = ['p50', 'p90', 'p99', 'p99_9', 'p99_99', 'max'];
const heading_of_quantile = (name) => name.replace('p99_99', 'p99.99').replace('p99_9', 'p99.9');

function latency_cells(quantiles) {
  return [
    grouped(quantiles.count),
    duration(quantiles.min),
    quantile_text(quantiles, 'mean'),
    ...quantile_names.map((name) => quantile_text(quantiles, name)),
  ].map(number);
}

/** The client's part of each number of a row; undefined if the client has no part in any of them. */
function client_part_cells(quantiles) {
  const parts = ['mean', ...quantile_names].map((name) => Number(quantiles[`${name}_client_part`] ?? 0));
  if (!parts.some(Boolean)) return undefined;
  return ['', '·', ...parts.map((part) => (part < 1 ? '·' : duration(Math.trunc(part))))].map(number);
}

const latency_headings = ['count', 'min', 'mean', ...quantile_names.map(heading_of_quantile)].map(number);

function latency_table(caption, first, rows) {
  const by_client = rows.some(([, latency]) =>
    Object.keys(latency.quantiles_ns).some((name) => name.endsWith('_by_client')),
  );
  const cells = rows.map(([name, latency, properties]) => ({
    cells: [name, ...latency_cells(latency.quantiles_ns)],
    ...properties,
  }));
  const parts = client_part_cells(rows.at(-1)[1].quantiles_ns);
  if (parts) cells.push({ cells: ["of it the client's", ...parts], class: 'quiet' });
  const made = table(caption, [first, ...latency_headings], cells);
  return by_client ? [made, el('p', { class: 'quiet' }, by_client_text)] : made;
}

function load_figures(result) {
  const { planned, completed } = result.counts;
  const lost = ['timed_out', 'shed', 'failed']
    .map((name) => [name, Number(result.counts[name])])
    .filter(([, count]) => count);
  const of_plan = result.loop === 'open';
  const p = (of_plan ? result.corrected : result.uncorrected).quantiles_ns;
  const count = Number(p.count);
  return figures([
    [
      'answered per second',
      rate_text(result.rate_achieved),
      result.rate_asked ? `${rate_text(result.rate_asked)} asked` : `closed loop, depth ${result.depth}`,
    ],
    ['answered', grouped(completed), `of ${grouped(planned)} planned`],
    [
      'without a reply',
      grouped(lost.reduce((sum, [, one]) => sum + one, 0)),
      lost.map(([name, one]) => `${grouped(one)} ${name.replace('_', ' ')}`).join(', ') || 'none failed or timed out',
    ],
    count && ['median', quantile_text(p, 'p50'), `from the ${of_plan ? 'planned' : 'actual'} send`],
    count && [
      'p99',
      quantile_text(p, 'p99'),
      of_plan ? `client's lag ${quantile_text(result.send_lag.quantiles_ns, 'p99')}` : `p90 ${quantile_text(p, 'p90')}`,
    ],
    count && ['p99.9', quantile_text(p, 'p99_9'), `longest ${quantile_text(p, 'max')}`],
  ]);
}

async function latency_part(ids, result) {
  if (!Number(result.corrected.quantiles_ns.count)) return undefined;
  const of_plan = result.loop === 'open';
  const lag = Number(result.send_lag.quantiles_ns.count) ? await Distribution.of(result.send_lag) : undefined;
  const planned = await Distribution.of(result.corrected);
  const actual = await Distribution.of(result.uncorrected);
  const series = [
    lag && { name: "client's lag", colour: 'lag', fill: true, distribution: lag },
    of_plan && { name: 'from planned send', colour: 'accent', distribution: planned },
    { name: 'from actual send', colour: 'second', distribution: actual },
  ].filter(Boolean);
  const censored = Math.min(planned.censored_from, actual.censored_from);
  const caption = [
    of_plan &&
      "The planned send counts what a user waits; the actual send leaves out how late the client was. The grey band is that lateness by itself: a quantile inside it may be the client's.",
    censored < 1 && `Hatched: ${result.corrected.censored?.reason ?? 'requests have no reply'}.`,
  ]
    .filter(Boolean)
    .join(' ');
  const rows = (name, all) => [
    ...result.operations.map((one) => [one.operation, one[name]]),
    ['all', result[all], { class: 'sum' }],
  ];
  return section(
    ids,
    'latency',
    'Latency',
    quantile_chart('Latency by quantile', caption, series, censored),
    of_plan
      ? [
          el('h3', {}, 'From the planned send'),
          latency_table('Latency from the planned send', 'operation', rows('corrected', 'corrected')),
        ]
      : null,
    el('h3', {}, 'From the actual send'),
    latency_table('Latency from the actual send', 'operation', rows('uncorrected', 'uncorrected')),
    lag
      ? [
          el('h3', {}, "The client's own lag"),
          latency_table('Lag of the client', '', [['planned to actual send', result.send_lag]]),
        ]
      : null,
  );
}

async function time_part(ids, result) {
  if (result.series.length < 2) return undefined;
  const heat = await heat_of(result.series);
  const rows = result.series.map((one) => [
    number(seconds_text(one.second)),
    ...['sent', 'completed', 'errors'].map((name) => number(grouped(one[name]))),
    ...['p50', 'p99', 'max'].map((name) => number(point_text(one, name))),
  ]);
  const headings = ['from', 'sent', 'answered', 'errors', 'p50', 'p99', 'max'].map(number);
  return section(
    ids,
    'time',
    'Over time',
    rates_chart(result),
    heat ? heat_map(result, heat) : null,
    connection_facts(result.connections),
    folded_late({}, `Numbers of ${plural(result.series.length, 'row', 'rows')}`, () =>
      table('Seconds of the run', headings, rows),
    ),
  );
}

const share_of = (run) =>
  run && Number(run.of) > 1 ? `${Number(run.rank) + 1} of ${grouped(run.of)} of run ${run.run}` : undefined;

async function load_page(document_, ids) {
  const result = document_.content;
  const top = [
    heading('load run', result.header.target, run_details(result.header)),
    verdict_box(document_.verdict, result.exit_code),
    load_figures(result),
    document_.note ? el('p', { class: 'quiet' }, document_.note) : null,
  ];
  return page_of(top, [
    objectives_part(ids, result),
    spread_part(ids, result),
    await latency_part(ids, result),
    await time_part(ids, result),
    await ranks_part(ids, result),
    operations_part(ids, result),
    await stages_part(ids, result),
    slowest_part(ids, result),
    errors_part(ids, result),
    records_part(ids, result),
    fan_out_part(ids, result),
    await datagram_part(ids, result),
    store_part(ids, result),
    client_part(ids, result),
    run_section(ids, result.header, { ...document_, share: share_of(result.run) }),
  ]);
}
