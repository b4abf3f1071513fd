// Changes between two certifications.

const change_order = ['newly failing', 'appeared', 'other reason', 'no longer played', 'newly passing', 'disappeared'];
const change_kinds = {
  'newly failing': 'bad',
  appeared: 'open',
  'other reason': 'open',
  'no longer played': 'open',
  'newly passing': 'good',
  disappeared: 'none',
};

function changes_table(changes, name_of) {
  const rows = [...changes.cases]
    .sort((a, b) => change_order.indexOf(a.change) - change_order.indexOf(b.change))
    .map((one) => [
      mark(one.regression ? 'bad' : (change_kinds[one.change] ?? 'none'), one.change),
      { value: name_of(one.id), class: 'text' },
      one.before ? verdict_words[one.before] : '–',
      one.now ? verdict_words[one.now] : '–',
      { value: one.reason || one.reason_before, class: 'text' },
    ]);
  return table('Changes', ['change', 'case', 'before', 'now', 'why'], rows);
}

function changes_part(ids, changes, result) {
  const short = short_names(result.cases);
  const played = new Set(result.cases.map((one) => one.id));
  return section(
    ids,
    'changes',
    'Changes',
    el(
      'p',
      { class: 'quiet' },
      `Since ${changes.baseline}: ${plural(changes.cases.length, 'case has', 'cases have')} changed, ${grouped(changes.unchanged)} have not.`,
    ),
    changes.cases.length
      ? changes_table(changes, (id) => (played.has(id) ? ids.link('case', id, short(id)) : id))
      : null,
  );
}
