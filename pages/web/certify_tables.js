// Tables of a certification: operations, readings, what was not played, deaths.

function operations_by_variants(ids, result) {
  const operations = [...new Set(result.cases.map((one) => one.operation))];
  const order = ['sanity', 'vector', 'bytewise', 'split', 'pipelined', 'behaviour'];
  const variants = [...new Set(result.cases.map(variant_of))].sort(
    (a, b) => ((order.indexOf(a) + 99) % 99) - ((order.indexOf(b) + 99) % 99),
  );
  const rows = operations.map((operation) => {
    const all = result.cases.filter((one) => one.operation === operation);
    const cells = variants.map((variant) => {
      const cases = all.filter((one) => variant_of(one) === variant);
      if (!cases.length) return number(el('span', { class: 'none' }, '·'));
      const counts = tally(cases);
      const failed =
        cases.length - (counts.pass ?? 0) - (counts.skipped ?? 0) - (counts.unsupported ?? 0) - (counts.known ?? 0);
      const kind = verdict_kind[worst_of(counts)];
      return number(
        el(
          'span',
          { class: `mark ${kind}`, title: tally_text(counts) },
          failed ? `${failed} of ${cases.length} ✗` : kind === 'none' ? `${cases.length} –` : `${cases.length} ✓`,
        ),
      );
    });
    return [operation, { value: tally_bar(tally(all)), class: 'tight' }, ...cells];
  });
  return section(
    ids,
    'operations',
    'Operations',
    el(
      'p',
      { class: 'quiet' },
      'Golden vectors are played as they are, byte by byte, cut in two at every place, and with all requests in one segment.',
    ),
    table('Operations by variants', ['operation', 'cases', ...variants.map(number)], rows),
  );
}

/** The passages of the document that leave a reading open. */
const words_of = ({ words, section }) =>
  words
    ? el('blockquote', {}, `“${words}” `, el('cite', {}, section))
    : el('span', { class: 'quiet' }, ` (${section})`);

/** A row with the bytes by which the target gave its answer. */
function evidence_row(played) {
  if (!played?.evidence.length) return [];
  const summary = `The bytes that show it: ${plural(played.evidence.length, 'message', 'messages')}`;
  const bytes = folded_late({}, summary, () => messages(played.evidence));
  return el('tr', { class: 'evidence' }, el('td', { colspan: 5 }, bytes));
}

function readings_part(ids, result, document_) {
  const answers = result.header.answers;
  if (!answers.length) return undefined;
  const known = new Map(
    (document_.readings ?? [])
      .filter((one) => one.dialect === result.header.dialect)
      .flatMap((one) => one.readings.map((reading) => [reading.id, reading])),
  );
  const rows = answers.flatMap((one) => {
    const reading = known.get(one.reading);
    const told = reading?.answers.find((each) => each.id === one.told);
    const stance =
      told &&
      [told.favoured && 'favoured by the text', told.released && 'given by released servers']
        .filter(Boolean)
        .join(', ');
    const same = one.told === one.held;
    const played = result.cases.find(({ id }) => id.endsWith(`/readings/${one.reading}`));
    const kind = one.told === '' ? 'open' : same ? 'good' : 'bad';
    const row = {
      id: ids.id('reading', one.reading),
      cells: [
        one.reading,
        {
          class: 'text',
          value: reading ? [reading.question, words_of(reading)] : '',
        },
        {
          class: 'text',
          value: [
            mark(kind, one.told || 'not told'),
            told
              ? el('div', { class: 'quiet' }, told.meaning, stance ? ` · ${stance}` : '')
              : el('div', { class: 'quiet' }, one.not_asked ?? played?.reason ?? ''),
          ],
        },
        { class: 'text', value: same ? 'the same' : one.held },
        reading ? ids.link('clause', reading.clause) : '',
      ],
    };
    return [row, evidence_row(played)].flat();
  });
  return section(
    ids,
    'readings',
    'Readings',
    el(
      'p',
      { class: 'quiet' },
      [...known.values()].some(({ words }) => words)
        ? 'The document leaves these open. '
        : 'No document describes this dialect; that of the version before it leaves these open. ',
      'The target was asked, and held to one answer in all cases.',
    ),
    table('Readings', ['reading', 'what the document leaves open', 'the target answers', 'held to', 'cases'], rows),
  );
}

function not_played_part(ids, result) {
  const groups = new Map();
  for (const one of result.cases) {
    if (one.verdict !== 'skipped' && one.verdict !== 'unsupported') continue;
    if (!groups.has(one.reason)) groups.set(one.reason, []);
    groups.get(one.reason).push(one);
  }
  const short = short_names(result.cases);
  const rows = [...groups]
    .sort((a, b) => b[1].length - a[1].length)
    .map(([reason, cases]) => [
      { value: reason, class: 'text' },
      number(grouped(cases.length)),
      {
        class: 'text',
        value:
          cases.length > 4
            ? folded(
                'show them',
                el(
                  'ul',
                  { class: 'chips' },
                  cases.map((one) => el('li', {}, ids.link('case', one.id, short(one.id)))),
                ),
              )
            : el(
                'ul',
                { class: 'chips' },
                cases.map((one) => el('li', {}, ids.link('case', one.id, short(one.id)))),
              ),
      },
    ]);
  return section(
    ids,
    'unplayed',
    'Not played',
    rows.length ? table('Not played', ['why', number('cases'), 'which'], rows) : null,
    result.missing_operations ? el('p', {}, `The target lacks ${result.missing_operations.join(', ')}.`) : null,
    result.untested_rules
      ? table(
          'Untested rules',
          [number('line'), 'rule', 'untested', 'why'],
          result.untested_rules.map((one) => [
            number(grouped(one.line)),
            el('code', {}, one.rule),
            one.part,
            { value: one.reason, class: 'text' },
          ]),
        )
      : null,
  );
}

function deaths_part(ids, result) {
  if (!result.deaths) return undefined;
  const short = short_names(result.cases);
  return section(
    ids,
    'deaths',
    'Deaths',
    el('p', { class: 'quiet' }, 'The target ended although nobody ended it.'),
    result.deaths.map((one) =>
      el(
        'article',
        { class: 'finding' },
        el(
          'header',
          {},
          el('h3', {}, one.how),
          el(
            'p',
            { class: 'facts' },
            `${duration(one.at_ns)} into the run; it had lived ${duration(one.lived_ns)}. ${one.conclusion}`,
          ),
        ),
        el(
          'div',
          { class: 'body' },
          one.killer ? el('p', {}, 'Killed by ', ids.link('case', one.killer, short(one.killer))) : null,
          one.output.length
            ? el('pre', { tabindex: '0' }, one.output.map((line) => `${shown(line)}\n`).join(''))
            : null,
          one.last_sent.length ? folded('What was sent last', messages(one.last_sent)) : null,
        ),
      ),
    ),
  );
}
