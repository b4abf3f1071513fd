// A load run.

const quantile_names = ['p50', 'p90', 'p99', 'p99_9', 'p99_99', 'max'];
const heading_of_quantile = name => name.replace('p99_99', 'p99.99').replace('p99_9', 'p99.9');

function latency_cells(quantiles) {
  return [grouped(quantiles.count), duration(quantiles.min), at_least(quantiles.mean, quantiles.mean_at_least),
    ...quantile_names.map(name => quantile_text(quantiles, name))].map(number);
}

const latency_headings = ['count', 'min', 'mean', ...quantile_names.map(heading_of_quantile)].map(number);

function latency_table(caption, first, rows) {
  return table(caption, [first, ...latency_headings], rows.map(([name, latency, properties]) =>
    ({cells: [name, ...latency_cells(latency.quantiles_ns)], ...properties})));
}

function load_figures(result) {
  const {planned, completed} = result.counts;
  const lost = ['timed_out', 'shed', 'failed'].map(name => [name, Number(result.counts[name])]).filter(([, count]) => count);
  const p = result.corrected.quantiles_ns;
  const count = Number(p.count);
  return figures([
    ['answered per second', rate_text(result.rate_achieved), result.rate_asked ? `${rate_text(result.rate_asked)} asked` : `closed loop, depth ${result.depth}`],
    ['answered', grouped(completed), `of ${grouped(planned)} planned`],
    ['without a reply', grouped(lost.reduce((sum, [, one]) => sum + one, 0)), lost.map(([name, one]) => `${grouped(one)} ${name.replace('_', ' ')}`).join(', ') || 'none failed or timed out'],
    count && ['median', quantile_text(p, 'p50'), 'from the planned send'],
    count && ['p99', quantile_text(p, 'p99'), `client's lag ${quantile_text(result.send_lag.quantiles_ns, 'p99')}`],
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
    lag && {name: "client's lag", colour: 'lag', fill: true, distribution: lag},
    of_plan && {name: 'from planned send', colour: 'accent', distribution: planned},
    {name: 'from actual send', colour: 'second', distribution: actual},
  ].filter(Boolean);
  const censored = Math.min(planned.censored_from, actual.censored_from);
  const caption = [
    of_plan && 'The planned send counts what a user waits; the actual send leaves out how late the client was. The grey band is that lateness by itself: a quantile inside it may be the client\'s.',
    censored < 1 && `Hatched: ${plural(result.corrected.censored?.count ?? 0, 'request has', 'requests have')} no reply (${result.corrected.censored?.reason ?? ''}); from there on values are lower bounds.`,
  ].filter(Boolean).join(' ');
  const rows = (name, all) => [...result.operations.map(one => [one.operation, one[name]]), ['all', result[all], {class: 'sum'}]];
  return section(ids, 'latency', 'Latency', quantile_chart('Latency by quantile', caption, series, censored),
    of_plan ? [el('h3', {}, 'From the planned send'), latency_table('Latency from the planned send', 'operation', rows('corrected', 'corrected'))] : null,
    el('h3', {}, 'From the actual send'), latency_table('Latency from the actual send', 'operation', rows('uncorrected', 'uncorrected')),
    lag ? [el('h3', {}, "The client's own lag"), latency_table('Lag of the client', '', [['planned to actual send', result.send_lag]])] : null);
}

async function time_part(ids, result) {
  if (result.series.length < 2) return undefined;
  const heat = await heat_of(result.series);
  const rows = result.series.map(one => [number(seconds_text(one.second)), ...['sent', 'completed', 'errors'].map(name => number(grouped(one[name]))),
    ...['p50', 'p99', 'max'].map(name => number(at_least(one[`${name}_ns`], one[`${name}_at_least`])))]);
  const headings = ['from', 'sent', 'answered', 'errors', 'p50', 'p99', 'max'].map(number);
  return section(ids, 'time', 'Over time', rates_chart(result), heat ? heat_map(result, heat) : null,
    connection_facts(result.connections),
    folded_late({}, `Numbers of ${plural(result.series.length, 'row', 'rows')}`, () => table('Seconds of the run', headings, rows)));
}

function connection_facts(connections) {
  if (!connections) return undefined;
  const told = [['opened', connections.opened], ['replaced, as asked', connections.replaced], ['lost', connections.lost],
    ['regained', connections.regained], ['failed attempts', connections.failed]].filter(([name, count]) => Number(count) || name === 'opened');
  const gap = Number(connections.longest_gap_ns);
  return el('p', {class: 'quiet'}, 'Connections: ', told.map(([name, count]) => `${grouped(count)} ${name}`).join(', '),
    gap ? `; the longest time without one was ${duration(gap)}` : '', '.');
}

function operations_part(ids, result) {
  const names = ['planned', 'completed', 'timed_out', 'shed', 'failed'];
  const row = (name, counts, p, properties) => ({...properties, cells: [name, ...names.map(one => number(Number(counts[one]) ? grouped(counts[one]) : el('span', {class: 'none'}, '0'))), {value: latency_strip(p, result), class: 'tight'}]});
  const rows = [...result.operations.map(one => row(one.operation, one.counts, one.corrected.quantiles_ns)), row('all', result.counts, result.corrected.quantiles_ns, {class: 'sum'})];
  return section(ids, 'operations', 'Operations', table('Requests by operation', ['operation', ...names.map(one => number(one.replace('_', ' '))), 'p50 · p99 · longest'], rows));
}

/** Median, p99 and longest on a logarithmic line from the fastest reply to the slowest of all. */
function latency_strip(p, result) {
  if (!Number(p.count)) return el('span', {class: 'none'}, 'no reply');
  const all = result.corrected.quantiles_ns;
  const low = Math.log(Math.max(1, Number(all.min)));
  const high = Math.log(Math.max(2, Number(all.max)));
  const place = ns => `${(100 * (Math.log(Math.max(1, Number(ns))) - low)) / Math.max(high - low, 1e-9)}%`;
  const words = `p50 ${quantile_text(p, 'p50')}, p99 ${quantile_text(p, 'p99')}, longest ${quantile_text(p, 'max')}`;
  const line = styled(el('span', {class: 'line'}), {left: place(p.min)});
  line.style.right = `calc(100% - ${place(p.max)})`;
  return el('div', {class: 'strip', role: 'img', 'aria-label': words, title: words}, line,
    ['p50', 'p99', 'max'].map((name, i) => styled(el('span', {class: `dot c${[0, 1, 3][i]}`}), {left: place(p[name])})));
}

function objectives_part(ids, result) {
  if (!result.objectives) return undefined;
  const kinds = {yes: ['good', 'met'], no: ['bad', 'missed'], unknown: ['open', 'unknown']};
  return section(ids, 'objectives', 'Objectives', slim_table('Objectives', ['objective', 'outcome', 'measured'],
    result.objectives.map(one => [el('code', {}, one.objective), mark(...kinds[one.met]), one.shown + (one.proven ? ' (proven: no delay of the client excuses it)' : '')])));
}

function errors_part(ids, result) {
  if (!result.errors.length) return undefined;
  return section(ids, 'errors', 'Errors', table('Errors', ['kind', number('count'), 'example'],
    result.errors.map(one => [one.kind, number(grouped(one.count)), {value: one.example, class: 'text'}])));
}

function client_part(ids, result) {
  const client = result.client;
  const test = client?.schedule?.test;
  const busiest = client?.threads.length ? Math.max(...client.threads.map(one => one.busy)) : undefined;
  const waited = client?.threads.length ? Math.max(...client.threads.map(one => one.waited)) : undefined;
  const pairs = [
    ['busiest thread', busiest !== undefined ? `${percent(busiest)} of ${plural(client.threads.length, 'thread', 'threads')}` : undefined],
    ['waited for a processor', waited !== undefined ? percent(waited) : undefined],
    ['taken by the host', client && client.stolen_share ? percent(client.stolen_share) : undefined],
    ['throttled', client && client.throttled_seconds ? `${client.throttled_seconds.toFixed(2)} s` : undefined],
    ['late', client?.schedule ? `${percent(client.schedule.late_share)} left more than ${duration(client.schedule.lag_bound_ns)} behind plan` : undefined],
    ['arrivals', client?.schedule?.arrivals],
    ['arrivals as asked', test ? `${test.as_asked} (A² ${test.statistic.toFixed(2)} over ${grouped(test.spans)} spans of ${grouped(test.span)}, p ${test.p_value.toPrecision(3)})` : undefined],
    ['sockets', client?.sockets ? `${grouped(client.sockets.count)}${client.sockets.no_delay ? ', TCP_NODELAY' : ''}, buffers of ${bytes_text(client.sockets.send_buffer_bytes)} and ${bytes_text(client.sockets.receive_buffer_bytes)}` : undefined],
    ['CPU', `${result.cpu_user_seconds.toFixed(2)} s user, ${result.cpu_system_seconds.toFixed(2)} s system`],
    ['batches', `${result.requests_per_write.toFixed(1)} requests per write, ${result.replies_per_read.toFixed(1)} replies per read`],
    ['bytes', `${grouped(result.bytes_out)} out, ${grouped(result.bytes_in)} in`],
  ];
  return section(ids, 'client', 'Client', client?.taints.length
    ? [el('p', {}, 'These numbers may show the client and not the target:'), el('ul', {}, client.taints.map(one => el('li', {}, one)))] : null,
  facts('The client', pairs));
}

async function load_page(document_, ids) {
  const result = document_.content;
  const top = [
    heading('load run', result.header.target, run_details(result.header)),
    verdict_box(document_.verdict, result.exit_code),
    load_figures(result),
    document_.note ? el('p', {class: 'quiet'}, document_.note) : null,
  ];
  return page_of(top, [
    objectives_part(ids, result), await latency_part(ids, result), await time_part(ids, result), operations_part(ids, result),
    await stages_part(ids, result), slowest_part(ids, result), errors_part(ids, result), records_part(ids, result),
    fan_out_part(ids, result), await datagram_part(ids, result), store_part(ids, result), client_part(ids, result),
    run_section(ids, result.header, document_),
  ]);
}
