// A certified client: what each perturbation showed.

/** The worst first: what a cell of the matrix shows where several perturbations share it. */
const client_verdicts = {
  fails: ['bad', 'fails'],
  error: ['bad', 'error'],
  'not played': ['none', 'not played'],
  passed: ['good', 'passed'],
  'not judged': ['open', 'not judged'],
  'not met': ['none', 'not met'],
};

const client_mark = (verdict) => mark(...(client_verdicts[verdict] ?? ['open', verdict]));

const demands = {
  passes: 'The command has to exit with 0.',
  ends: 'The command has to end in time, and by no signal.',
  notices: 'The command has to exit with another code than 0.',
};

const printed_lines = (lines) =>
  lines.length ? folded('The last lines that the command printed', el('pre', {}, lines.join('\n'))) : null;

/** The first message that was changed: what was asked, what would have come, what came. */
function difference_table(differed) {
  const row = (name, hex) => [name, { value: hex ? bytes_of_hex(hex) : 'nothing', class: 'bytes' }];
  const rows = [row('as the server answers', differed.expected), row('as it was sent', differed.sent)];
  if (differed.request) rows.unshift(row('request', differed.request));
  const where = `${differed.message}, message ${grouped(differed.number)} on connection ${grouped(differed.connection)}`;
  return slim_table(`Bytes: ${where}`, [where, 'bytes'], rows);
}

function client_failure(one, ids) {
  return el(
    'article',
    { class: 'finding', id: ids.id('perturbation', one.id) },
    el('header', {}, client_mark(one.verdict), ' ', el('code', {}, one.id), el('h3', {}, one.title)),
    el(
      'div',
      { class: 'body' },
      el('p', {}, one.reason),
      el(
        'p',
        { class: 'facts' },
        [
          demands[one.demand],
          one.ended && `It ${one.ended}.`,
          `It took ${duration(one.duration_ns)}.`,
          one.left_behind.length && `It left processes behind, which were ended: ${one.left_behind.join(', ')}.`,
        ]
          .filter(Boolean)
          .join(' '),
        one.clause ? [' Clause ', ids.link('clause', one.clause), '.'] : null,
      ),
      one.differed ? difference_table(one.differed) : null,
      printed_lines(one.output),
    ),
  );
}

/** Operations by kinds of replies that no server may send. */
function client_matrix(perturbations, ids) {
  const wrong = perturbations.filter((one) => !one.legal && one.subject);
  if (wrong.length === 0) return null;
  const kinds = [...new Set(wrong.map((one) => one.kind))];
  const subjects = [...new Set(wrong.map((one) => one.subject))];
  const order = Object.keys(client_verdicts);
  const worst = (of) => of.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))[0];
  return table(
    'Replies that no server may send',
    ['message', ...kinds.map((value) => ({ value, class: 'turned' }))],
    subjects.map((subject) => [
      subject,
      ...kinds.map((kind) => {
        const here = wrong.filter((one) => one.subject === subject && one.kind === kind);
        if (here.length === 0) return { value: '', class: 'cell' };
        const shown_here = worst(here);
        const title = `${plural(here.length, 'perturbation', 'perturbations')}; ${shown_here.id}: ${shown_here.verdict}`;
        const [kind_of_mark] = client_verdicts[shown_here.verdict] ?? ['open'];
        const sign = el(
          'span',
          { class: `mark ${kind_of_mark}`, role: 'img', 'aria-label': shown_here.verdict },
          marks[kind_of_mark],
        );
        const value = kind_of_mark === 'bad' ? ids.link('perturbation', shown_here.id, sign) : sign;
        return { value, class: 'cell', title };
      }),
    ]),
  );
}

function perturbation_table(caption, perturbations) {
  if (perturbations.length === 0) return null;
  return table(
    caption,
    ['perturbation', 'verdict', 'what is done', 'why'],
    perturbations.map((one) => [
      el('code', {}, one.id),
      client_mark(one.verdict),
      { value: one.title, class: 'text' },
      { value: one.reason, class: 'text' },
    ]),
  );
}

const clause_marks = { kept: 'good', broken: 'bad', 'not met': 'none' };

function client_clauses(clauses, ids) {
  if (clauses.length === 0) return null;
  return table(
    'Clauses about clients',
    ['clause', 'level', 'verdict', 'what it says', 'why'],
    clauses.map((one) => ({
      id: ids.id('clause', one.id),
      cells: [
        one.id,
        one.level,
        mark(clause_marks[one.verdict] ?? 'open', one.verdict),
        { value: [one.text, el('div', { class: 'quiet' }, one.section)], class: 'text' },
        {
          class: 'text',
          value: [
            one.reason,
            one.shown_by ? el('div', { class: 'quiet' }, `shown by ${one.shown_by}`) : null,
            one.bytes ? el('div', { class: 'bytes' }, bytes_of_hex(one.bytes)) : null,
          ],
        },
      ],
    })),
  );
}

function client_coverage(coverage) {
  if (coverage.length === 0) return null;
  return table(
    'Coverage',
    ['message', number('met'), number('succeeded'), number('failed'), 'listed values', 'never met'],
    coverage.map((one) => {
      const never = one.values.filter((value) => !Number(value.times)).map((value) => value.value);
      return [
        one.name,
        number(Number(one.messages) ? grouped(one.messages) : mark('none', '0')),
        number(grouped(one.succeeded)),
        number(grouped(one.failed)),
        one.values.length ? `${one.values.length - never.length} of ${one.values.length}` : '',
        { value: Number(one.messages) ? never.join(', ') : '', class: 'text' },
      ];
    }),
  );
}

async function client_page(document_, ids) {
  const result = document_.content;
  const { counts, baseline } = result;
  const with_verdict = (...verdicts) => result.perturbations.filter((one) => verdicts.includes(one.verdict));
  const failures = with_verdict('fails', 'error');
  const broken = result.clauses.filter((one) => one.verdict === 'broken');
  const top = [
    heading('certify-client', result.command.join(' ') || 'no command', [
      moment(result.started),
      duration(result.duration_ns),
      [result.dialect, result.width].filter(Boolean).join(' '),
      `profile ${result.profile}`,
      `seed ${result.seed}`,
    ]),
    verdict_box(document_.verdict, result.exit_code),
    figures([
      ['perturbations passed', grouped(counts.passed), `of ${grouped(result.perturbations.length)}`],
      ['failed', grouped(Number(counts.fails) + Number(counts.error))],
      ['not judged', grouped(counts.not_judged)],
      ['not met', grouped(counts.not_met)],
      ['clauses broken', grouped(broken.length), `of ${grouped(result.clauses.length)}`],
    ]),
  ];
  return page_of(top, [
    section(
      ids,
      'baseline',
      'Undisturbed',
      el(
        'p',
        {},
        baseline.passed
          ? `The command passed in ${duration(baseline.duration_ns)}: ${plural(baseline.connections, 'connection', 'connections')}, ${plural(baseline.requests, 'request', 'requests')}.`
          : baseline.reason,
      ),
      baseline.left_behind.length
        ? el('p', {}, `It left processes behind, which were ended: ${baseline.left_behind.join(', ')}.`)
        : null,
      printed_lines(baseline.output),
    ),
    section(
      ids,
      'failures',
      'Failures',
      failures.map((one) => client_failure(one, ids)),
    ),
    section(ids, 'matrix', 'Replies that no server may send', client_matrix(result.perturbations, ids)),
    section(
      ids,
      'legal',
      'What a client has to bear',
      perturbation_table(
        'Legal messages',
        result.perturbations.filter((one) => one.legal),
      ),
    ),
    section(ids, 'clauses', 'Clauses about clients', client_clauses(result.clauses, ids)),
    section(ids, 'coverage', 'What the tests met undisturbed', client_coverage(result.coverage)),
    section(
      ids,
      'open',
      'Not judged, not met or not played',
      perturbation_table(
        'Not judged, not met or not played',
        with_verdict('not judged', 'not met', 'not played').filter((one) => !one.legal),
      ),
    ),
    command_section(ids, document_),
  ]);
}
