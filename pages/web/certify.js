// A certification.

const verdict_kind = {
  pass: 'good',
  fail: 'bad',
  error: 'bad',
  unstable: 'open',
  indeterminate: 'open',
  known: 'none',
  unsupported: 'none',
  skipped: 'none',
};
const verdict_order = ['fail', 'error', 'unstable', 'indeterminate', 'known', 'unsupported', 'skipped', 'pass'];
const verdict_words = {
  pass: 'passed',
  fail: 'failed',
  error: 'broken',
  unstable: 'unstable',
  indeterminate: 'undecided',
  known: 'known',
  unsupported: 'unsupported',
  skipped: 'not played',
};

/** The case's id without what all ids of the run begin with. */
function short_names(cases) {
  const first = cases[0]?.id.split('/') ?? [];
  let parts = 0;
  while (parts < 2 && parts < first.length - 1 && cases.every((one) => one.id.split('/')[parts] === first[parts]))
    ++parts;
  return (id) => id.split('/').slice(parts).join('/');
}

/** How the bytes of a case are sent: as written, or a variant of that. */
function variant_of(one) {
  const variant = /#([a-z-]+)$/.exec(one.id);
  if (variant) return variant[1];
  return one.id.includes('/behaviour/') ? 'behaviour' : one.id.includes('/sanity/') ? 'sanity' : 'vector';
}

function tally(cases) {
  const counts = {};
  for (const one of cases) counts[one.verdict] = (counts[one.verdict] ?? 0) + 1;
  return counts;
}

const tally_text = (counts) =>
  verdict_order
    .filter((one) => counts[one])
    .map((one) => `${grouped(counts[one])} ${verdict_words[one]}`)
    .join(', ');

const bar_class = (verdict) => `c${verdict_kind[verdict]}`;

function tally_bar(counts) {
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return stacked_bar(
    verdict_order
      .toReversed()
      .filter((one) => counts[one])
      .map((one) => [bar_class(one), counts[one], `${counts[one]} ${verdict_words[one]}`]),
    Math.max(all, 1),
  );
}

/** The worst verdict of some cases. */
const worst_of = (counts) =>
  verdict_order.find((one) => counts[one] && (one !== 'skipped' || !counts.pass)) ?? 'skipped';

function verdict_mark(verdict) {
  return mark(verdict_kind[verdict], verdict_words[verdict]);
}

function certify_figures(result) {
  const s = result.summary;
  const failures = Number(s.fail) + Number(s.error);
  const severe = (result.findings ?? []).filter((one) => one.severity === 'critical' || one.severity === 'high').length;
  return figures([
    ['cases passed', grouped(s.pass), `of ${grouped(result.cases.length)}`],
    ['failed', grouped(failures), failures ? 'grouped into findings below' : 'nothing failed'],
    result.findings && [
      'findings',
      grouped(result.findings.length),
      severe ? `${grouped(severe)} high or critical` : 'none high or critical',
    ],
    ['not played', grouped(Number(s.skipped) + Number(s.unsupported)), 'each with its reason'],
    Number(s.indeterminate) + Number(s.unstable ?? 0) > 0 && [
      'undecided',
      grouped(Number(s.indeterminate) + Number(s.unstable ?? 0)),
      'undecided or unstable',
    ],
    Number(s.known ?? 0) > 0 && ['known failures', grouped(s.known), 'as listed'],
    [
      'took',
      duration(result.header.duration_ns),
      result.process ? `${bytes_text(result.process.memory)} of memory` : '',
    ],
  ]);
}

async function certify_page(document_, ids) {
  const result = document_.content;
  const top = [
    heading('certification', result.header.target, run_details(result.header)),
    verdict_box(document_.verdict, result.exit_code),
    result.run_error ? el('p', { class: 'mark bad' }, result.run_error) : null,
    certify_figures(result),
    document_.note ? el('p', { class: 'quiet' }, document_.note) : null,
  ];
  return page_of(top, [
    document_.changes ? changes_part(ids, document_.changes, result) : null,
    findings_part(ids, result),
    result.running ? failed_part(ids, result) : null,
    deaths_part(ids, result),
    operations_by_variants(ids, result),
    clauses_part(ids, result, document_),
    result.running ? null : readings_part(ids, result, document_),
    result.running ? null : not_played_part(ids, result),
    cases_part(ids, result),
    run_section(ids, result.header, document_),
  ]);
}
