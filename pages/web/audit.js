// An audit of a store.

/** The value with what is wrong marked; offsets are bytes of the whole value. */
function marked_value(one) {
  const encoded = new TextEncoder().encode(one.value);
  const begin = Math.max(0, Number(one.offset) - Number(one.value_begin));
  const end = Math.min(encoded.length, begin + Number(one.length));
  const text = (from, to) => new TextDecoder().decode(encoded.slice(from, to));
  return el(
    'code',
    { class: 'bytes' },
    Number(one.value_begin) ? '…' : '',
    text(0, begin),
    end > begin ? el('mark', {}, text(begin, end)) : null,
    text(Math.max(begin, end)),
  );
}

function audit_kind(kind, ids) {
  return el(
    'article',
    { class: 'finding', id: ids.id('finding', kind.kind) },
    el('header', {}, el('h3', {}, `${kind.kind}: ${plural(kind.count, 'finding', 'findings')}`)),
    el(
      'div',
      { class: 'body' },
      kind.groups.length
        ? table(
            `Reasons of ${kind.kind}`,
            ['field', 'why', number('count')],
            kind.groups.map((one) => [
              one.field || 'all of the value',
              { value: one.reason, class: 'text' },
              number(grouped(one.count)),
            ]),
          )
        : null,
      Number(kind.ungrouped)
        ? el('p', { class: 'quiet' }, `${grouped(kind.ungrouped)} more with other reasons.`)
        : null,
      kind.examples.length
        ? [
            el('h4', { class: 'quiet' }, 'Examples'),
            table(
              `Examples of ${kind.kind}`,
              ['key', 'value', 'why'],
              kind.examples.map((one) => [
                el('code', { class: 'bytes' }, one.key),
                { value: marked_value(one), class: 'text' },
                { value: `${one.field ? `${one.field}: ` : ''}${one.reason}`, class: 'text' },
              ]),
            ),
          ]
        : null,
    ),
  );
}

function migration_part(ids, migration) {
  if (!migration) return undefined;
  return section(
    ids,
    'migration',
    migration.dry_run ? 'Migration (dry run)' : 'Migration',
    el(
      'p',
      { class: 'quiet' },
      migration.dry_run ? 'Nothing was written; this is what would have been.' : 'What was written.',
    ),
    facts('Migration', [
      ...migration.rewritten.map((one) => [`rewritten from ${one.format}`, grouped(one.count)]),
      ['merged', `${plural(migration.merged_parts, 'key', 'keys')} into ${grouped(migration.merged_keys)}`],
      ['overtaken', grouped(migration.overtaken)],
      ['repaired', grouped(migration.repaired)],
      ['not done', mark(Number(migration.not_done) ? 'bad' : 'good', grouped(migration.not_done))],
    ]),
    migration.examples.length
      ? table(
          'Examples',
          ['key', 'before', 'after'],
          migration.examples.map((one) => [
            el('code', {}, one.key),
            { value: el('code', {}, one.before), class: 'text' },
            {
              value: [
                one.after_key !== one.key ? el('div', { class: 'quiet' }, one.after_key) : null,
                el('code', {}, one.after),
              ],
              class: 'text',
            },
          ]),
        )
      : null,
    migration.not_done_first.length
      ? table(
          'Not done',
          ['key', 'why'],
          migration.not_done_first.map((one) => [el('code', {}, one.key), { value: one.reason, class: 'text' }]),
        )
      : null,
  );
}

async function audit_page(document_, ids) {
  const result = document_.content;
  const audit = result.audit;
  const top = [
    heading('audit', result.store, [moment(result.started), duration(result.duration_ns), `keys ${result.match}`]),
    verdict_box(document_.verdict, result.exit_code),
    result.error ? el('p', { class: 'mark bad' }, result.error) : null,
    figures([
      ['entries', grouped(audit.entries), audit.exact ? 'each counted once' : 'some may be counted twice'],
      ['states', grouped(audit.states)],
      ['with a finding', grouped(audit.faulty)],
      ['expired', grouped(audit.expired)],
    ]),
  ];
  return page_of(top, [
    audit.findings.length
      ? section(
          ids,
          'findings',
          'Findings',
          audit.findings.map((one) => audit_kind(one, ids)),
        )
      : null,
    audit.formats.length
      ? section(
          ids,
          'formats',
          'Formats',
          table(
            'Formats',
            ['format', number('entries'), number('a migration rewrites'), number('merges'), number('leaves')],
            audit.formats.map((one) => [
              el('code', {}, one.format),
              ...['count', 'rewrite', 'merge', 'left'].map((name) => number(grouped(one[name]))),
            ]),
          ),
        )
      : null,
    audit.readings.length
      ? section(
          ids,
          'readings',
          'Readings',
          el('p', { class: 'quiet' }, 'Strings that only this answer to a reading explains.'),
          slim_table(
            'Readings',
            ['reading', 'answer', number('strings')],
            audit.readings.map((one) => [one.reading, one.answer, number(grouped(one.count))]),
          ),
        )
      : null,
    audit.left.length
      ? section(
          ids,
          'left',
          'States that cannot be migrated',
          table(
            'Left',
            ['why', number('count'), 'example', 'reason'],
            audit.left.map((one) => [
              one.why,
              number(grouped(one.count)),
              { value: el('code', {}, one.example_key), class: 'text' },
              { value: one.example_reason, class: 'text' },
            ]),
          ),
        )
      : null,
    audit.unused_rules.length
      ? section(
          ids,
          'unused',
          'Rules that no key matched',
          el(
            'ul',
            { class: 'chips' },
            audit.unused_rules.map((one) => el('li', {}, el('code', {}, one))),
          ),
        )
      : null,
    migration_part(ids, result.migration),
    command_section(ids, document_),
  ]);
}
