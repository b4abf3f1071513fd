// The list of cases, with its filters.

/** Filters of the list of cases by the prefix of its document. */
const case_filters = new Map();

function show_cases_of(ids, clause) {
  case_filters.get(ids.id('', ''))?.({ clause });
  document.getElementById(ids.id('part', 'cases')).scrollIntoView();
}

/** While a run lasts: the cases that failed so far, before all others. */
function failed_part(ids, result) {
  const failed = result.cases.filter((one) => verdict_kind[one.verdict] === 'bad');
  if (failed.length === 0) return undefined;
  const short = short_names(result.cases);
  return section(
    ids,
    'failed',
    'Failed so far',
    table(
      'Failed cases',
      ['verdict', 'case', 'reason'],
      failed.map((one) =>
        el(
          'tr',
          {},
          el('td', { class: 'tight' }, verdict_mark(one.verdict)),
          el('td', { class: 'text' }, short(one.id)),
          el('td', { class: 'text' }, one.reason),
        ),
      ),
    ),
  );
}

function cases_part(ids, result) {
  const short = short_names(result.cases);
  const rank = (one) => verdict_order.indexOf(one.verdict);
  const rows = [...result.cases]
    .sort((a, b) => rank(a) - rank(b))
    .map((one) => {
      const details = folded_late({}, short(one.id), () => el('div', { class: 'body' }, case_details(one, ids)));
      const row = el(
        'tr',
        { id: ids.id('case', one.id) },
        el('td', { class: 'tight' }, verdict_mark(one.verdict)),
        el('td', { class: 'text' }, details),
        el('td', {}, one.operation),
        el('td', { class: 'quiet' }, one.level),
        el('td', { class: 'number' }, duration(one.duration_ns)),
      );
      return { one, row, details, text: `${one.id} ${one.title} ${one.reason}`.toLowerCase() };
    });
  const search = el('input', {
    type: 'search',
    'aria-label': 'Search cases',
    placeholder: 'Search id, title or reason',
  });
  const choice = el(
    'select',
    { 'aria-label': 'Verdict' },
    el('option', { value: '' }, `all ${grouped(rows.length)} cases`),
    verdict_order
      .filter((verdict) => rows.some(({ one }) => one.verdict === verdict))
      .map((verdict) =>
        el(
          'option',
          { value: verdict },
          `${verdict_words[verdict]} (${grouped(rows.filter(({ one }) => one.verdict === verdict).length)})`,
        ),
      ),
  );
  const told = el('span', { class: 'quiet', role: 'status' });
  let clause;
  const clear = el('button', { type: 'button' }, 'Show all');
  const apply = () => {
    const words = search.value.toLowerCase();
    let count = 0;
    for (const { one, row, text } of rows) {
      row.hidden = !(
        (!choice.value || one.verdict === choice.value) &&
        (!clause || one.clauses.includes(clause)) &&
        text.includes(words)
      );
      if (!row.hidden) ++count;
    }
    clear.hidden = count === rows.length;
    told.textContent = `${plural(count, 'case', 'cases')}${clause ? ` of ${shown(clause)}` : ''}`;
  };
  const set = ({ clause: only, verdict = '', words = '' }) => {
    clause = only;
    choice.value = verdict;
    search.value = words;
    apply();
  };
  search.addEventListener('input', apply);
  choice.addEventListener('change', apply);
  clear.addEventListener('click', () => set({}));
  case_filters.set(ids.id('', ''), set);
  reveals.push((id) => {
    const goal = rows.find(({ row }) => row.id === id);
    if (!goal) return;
    if (goal.row.hidden) set({});
    goal.details.fill();
    goal.details.open = true;
  });
  apply();
  return section(
    ids,
    'cases',
    'Cases',
    el('div', { class: 'filters' }, search, choice, clear, told),
    table(
      'Cases',
      ['verdict', 'case', 'operation', 'level', number('took')],
      rows.map(({ row }) => row),
    ),
  );
}
