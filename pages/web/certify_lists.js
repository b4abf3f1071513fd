// Findings and clauses, linked to each other and to cases.

function finding_card(one, result, ids, short) {
  const shows = result.cases.find((each) => each.id === one.shown_by);
  const others = one.cases.filter((id) => id !== one.shown_by);
  return el(
    'article',
    { class: 'finding', id: ids.id('finding', one.id) },
    el(
      'header',
      {},
      el('span', { class: `tag ${one.severity}` }, one.severity),
      ' ',
      el('a', { class: 'quiet', href: `#${encodeURIComponent(ids.id('finding', one.id))}` }, one.id),
      el('h3', {}, one.sentence),
    ),
    el(
      'div',
      { class: 'body' },
      el(
        'ul',
        { class: 'chips', 'aria-label': 'Clauses' },
        one.clauses.map((clause) => el('li', {}, ids.link('clause', clause))),
      ),
      el(
        'p',
        { class: 'facts' },
        `${plural(one.cases.length, 'case fails', 'cases fail')} with it; the simplest is `,
        ids.link('case', one.shown_by, short(one.shown_by)),
        '.',
        one.repeated
          ? ` Played again: failed ${grouped(one.repeated.failed)} of ${plural(one.repeated.played, 'time', 'times')}.`
          : '',
        one.seen_in ? ` Seen in ${one.seen_in.join(', ')}.` : '',
      ),
      shows?.likely_cause ? el('p', { class: 'facts' }, `Likely cause: ${shows.likely_cause}.`) : null,
      shows?.evidence.length ? messages(shows.evidence) : one.script.length ? script(one.script) : null,
      shows?.evidence.length && one.script.length ? folded('The script as bytes', script(one.script)) : null,
      others.length
        ? folded(
            `${plural(others.length, 'more case', 'more cases')}`,
            el(
              'ul',
              { class: 'chips' },
              others.map((id) => el('li', {}, ids.link('case', id, short(id)))),
            ),
          )
        : null,
    ),
  );
}

function findings_part(ids, result) {
  if (!result.findings || (result.running && result.findings.length === 0)) return undefined;
  const short = short_names(result.cases);
  return section(
    ids,
    'findings',
    result.running ? 'Findings so far' : 'Findings',
    el(
      'p',
      { class: 'quiet' },
      'Failures by cause, the most serious first, each with the simplest exchange that shows it.' +
        (result.running ? ' These are provisional: the run is not over, and failures are confirmed at its end.' : ''),
    ),
    result.findings.map((one) => finding_card(one, result, ids, short)),
  );
}

/** Clauses in the order of the document; those of cases alone where it is not known. */
function clauses_in_order(result, document_) {
  const cited = new Map();
  for (const one of result.cases)
    for (const clause of one.clauses) {
      if (!cited.has(clause)) cited.set(clause, []);
      cited.get(clause).push(one);
    }
  const listed = (document_.clauses ?? []).flatMap((one) => one.clauses);
  const names = new Set(listed.map((one) => one.id));
  const strangers = [...cited.keys()]
    .filter((id) => !names.has(id))
    .sort()
    .map((id) => ({ id, level: '', section: 'other', text: '' }));
  return [...listed, ...strangers].map((one) => ({ ...one, cases: cited.get(one.id) ?? [] }));
}

function clauses_part(ids, result, document_) {
  const short = short_names(result.cases);
  const rows = [];
  let group;
  const all = clauses_in_order(result, document_);
  for (const clause of all) {
    if (clause.section !== group) {
      group = clause.section;
      rows.push(el('tr', { class: 'group' }, el('th', { colspan: 5, scope: 'colgroup' }, group)));
    }
    const counts = tally(clause.cases);
    const wrong = clause.cases.filter(
      (one) => verdict_kind[one.verdict] === 'bad' || verdict_kind[one.verdict] === 'open',
    );
    const verdict = clause.cases.length ? verdict_mark(worst_of(counts)) : el('span', { class: 'none' }, 'no case');
    rows.push(
      el(
        'tr',
        { id: ids.id('clause', clause.id) },
        el('th', { scope: 'row' }, clause.id),
        el('td', { class: 'quiet' }, clause.level),
        el('td', { class: 'tight' }, verdict),
        el(
          'td',
          { class: 'tight' },
          clause.cases.length
            ? [
                tally_bar(counts),
                el(
                  'button',
                  {
                    type: 'button',
                    on: { click: () => show_cases_of(ids, clause.id) },
                    'aria-label': `Show the cases of ${clause.id}`,
                  },
                  plural(clause.cases.length, 'case', 'cases'),
                ),
              ]
            : null,
        ),
        el(
          'td',
          { class: 'text' },
          clause.text,
          wrong.length
            ? el(
                'ul',
                { class: 'chips' },
                wrong.slice(0, 12).map((one) => el('li', {}, ids.link('case', one.id, short(one.id)))),
                wrong.length > 12 ? el('li', {}, `and ${wrong.length - 12} more`) : null,
              )
            : null,
        ),
      ),
    );
  }
  const document_name = (document_.clauses ?? []).map((one) => one.document).join('; ');
  const tested = all.filter((one) => one.cases.length).length;
  return section(
    ids,
    'clauses',
    'Clauses',
    el(
      'p',
      { class: 'quiet' },
      document_name ? `${document_name}: ` : '',
      `${tested} of ${plural(all.length, 'clause has', 'clauses have')} cases in this run.`,
    ),
    table('Clauses', ['clause', 'level', 'verdict', 'cases', 'what it says'], rows),
  );
}
