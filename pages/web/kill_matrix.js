// The kill matrix: which case finds which bug.

/** The part of a case's id that says what it is about. */
function family_of(id) {
  const parts = id
    .split('/')
    .filter((part) => !/^(u\d+|behaviour|literal)$/.test(part))
    .slice(1);
  return parts[0] ?? id;
}

/** A class for so many killing cases. */
const depth_of = (count) => (count === 0 ? 0 : count < 3 ? 1 : count < 10 ? 2 : count < 40 ? 3 : 4);

function kill_table(ids, dialect, mutants) {
  const families = [...new Set(mutants.flatMap((one) => one.killed_by.map(family_of)))].sort();
  const rows = mutants.map((one) => {
    const counts = new Map();
    for (const id of one.killed_by) counts.set(family_of(id), (counts.get(family_of(id)) ?? 0) + 1);
    return {
      id: ids.id('mutant', `${dialect}/${one.id}`),
      cells: [
        one.id,
        ...families.map((family) => {
          const count = counts.get(family) ?? 0;
          return {
            value: count || '',
            class: `cell k${depth_of(count)}`,
            title: count ? `${plural(count, 'case', 'cases')} of ${family} find ${one.id}` : undefined,
          };
        }),
      ],
    };
  });
  return table(`Kills in ${dialect}`, ['bug', ...families.map((value) => ({ value, class: 'turned' }))], rows);
}

function mutants_table(ids, mutants) {
  return table(
    'Bugs',
    ['bug', 'what it breaks', 'outcome', 'violates', 'found by'],
    mutants.map((one) => {
      const outcome =
        one.killed_by.length === 0
          ? mark('bad', 'survived')
          : one.not_proved.length
            ? mark('open', 'not proved')
            : mark('good', 'killed');
      return [
        one.id,
        { value: one.breaks, class: 'text' },
        { class: 'text', value: [outcome, one.run_error ? el('div', { class: 'quiet' }, one.run_error) : null] },
        {
          class: 'text',
          value: [
            one.violates.join(', '),
            one.not_proved.length
              ? el('div', { class: 'mark open' }, `no killing case cites ${one.not_proved.join(', ')}`)
              : null,
          ],
        },
        {
          class: 'text',
          value: folded_late({}, plural(one.killed_by.length, 'case', 'cases'), () =>
            el(
              'ul',
              { class: 'chips' },
              one.killed_by.map((id) => el('li', {}, id)),
            ),
          ),
        },
      ];
    }),
  );
}

async function kill_matrix_page(document_, ids) {
  const matrix = document_.content;
  const dialects = [...new Set(matrix.mutants.map((one) => one.dialect))];
  const killed = matrix.mutants.filter((one) => one.killed_by.length);
  const survived = matrix.mutants.filter((one) => !one.killed_by.length || one.not_proved.length);
  const idle = matrix.cases.flatMap((one) => one.that_kill_nothing);
  const top = [
    heading('kill matrix', 'Which case finds which bug', [`hallmark ${matrix.version}`]),
    verdict_box(document_.verdict, matrix.interrupted ? 4 : matrix.complete ? 0 : 1),
    figures([
      ['bugs killed', grouped(killed.length), `of ${grouped(matrix.mutants.length)}`],
      ['survived or not proved', grouped(survived.length)],
      [
        'cases',
        grouped(matrix.cases.reduce((sum, one) => sum + one.played, 0)),
        `in ${plural(matrix.cases.length, 'dialect', 'dialects')}`,
      ],
      ['cases that kill nothing', grouped(idle.length)],
    ]),
  ];
  return page_of(top, [
    survived.length ? section(ids, 'survived', 'Survived', mutants_table(ids, survived)) : null,
    ...dialects.map((dialect) => {
      const mutants = matrix.mutants.filter((one) => one.dialect === dialect);
      return section(
        ids,
        `kills-${dialect}`,
        dialect,
        el(
          'p',
          { class: 'quiet' },
          `${plural(mutants.length, 'bug', 'bugs')}; a number is how many cases about something find the bug.`,
        ),
        kill_table(ids, dialect, mutants),
        folded_late({}, 'What each bug breaks, and the cases that find it', () => mutants_table(ids, mutants)),
      );
    }),
    matrix.not_run.length
      ? section(
          ids,
          'unplayed',
          'Not run',
          table(
            'Not run',
            ['bug', 'what it breaks', 'why'],
            matrix.not_run.map((one) => [
              one.id,
              { value: one.breaks, class: 'text' },
              { value: one.reason, class: 'text' },
            ]),
          ),
        )
      : null,
    idle.length
      ? section(
          ids,
          'idle',
          'Cases that kill nothing',
          el(
            'ul',
            { class: 'chips' },
            idle.map((id) => el('li', {}, id)),
          ),
        )
      : null,
    command_section(ids, document_),
  ]);
}
