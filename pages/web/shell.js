// What all pages have in common: heading, verdict, figures, contents.

const verdict_kinds = { 0: 'good', 1: 'bad', 3: 'bad', 4: 'open' };

/** The verdict as the last line of the terminal's report has it: a word in capitals and the reason. */
function verdict_box(line, exit_code) {
  const [, word, why] = /^([^a-z]*?)(?:\s{2,}(.*))?$/s.exec(line) ?? [null, line, ''];
  const reasons = (why ?? '').split(/; (?!allowed)/).filter(Boolean);
  const told =
    reasons.length > 2
      ? el(
          'ul',
          {},
          reasons.map((one) => el('li', {}, one)),
        )
      : el('p', { class: 'why' }, why);
  return el(
    'section',
    { class: `verdict ${verdict_kinds[exit_code] ?? 'open'}`, 'aria-label': 'Verdict' },
    el('p', { class: 'word' }, word.trim() || line),
    why ? told : null,
  );
}

function figures(pairs) {
  return el(
    'dl',
    { class: 'figures' },
    pairs
      .filter(Boolean)
      .map(([name, value, note]) =>
        el('div', {}, el('dt', {}, name), el('dd', {}, value), note ? el('dd', { class: 'note' }, note) : null),
      ),
  );
}

/** A section with a heading; nothing where it would be empty. */
function section(ids, name, title, ...content) {
  const there = content
    .flat(Infinity)
    .filter((one) => one !== undefined && one !== null && one !== false && one !== '');
  if (there.length === 0) return undefined;
  const heading = el('h2', { id: ids.id('part', name) }, title);
  const made = el(
    'section',
    { 'aria-labelledby': ids.id('part', name) },
    heading,
    there.map((one) => (one instanceof Node ? one : el('p', { class: 'quiet' }, one))),
  );
  made.contents = ids.link('part', name, title);
  return made;
}

/** `top` above the contents, and the sections below. */
function page_of(top, sections) {
  const there = sections.filter(Boolean);
  const contents =
    there.length > 2
      ? el(
          'nav',
          { class: 'contents', 'aria-label': 'Contents' },
          there.map((one) => one.contents),
        )
      : null;
  return [...top.filter(Boolean), contents, ...there].filter(Boolean);
}

function heading(kind, title, details) {
  return el(
    'header',
    {},
    el('p', { class: 'kind' }, el('b', {}, 'Hallmark'), ` ${kind}`),
    el('h1', { class: title.length > 60 ? 'long' : undefined }, title),
    el('p', { class: 'quiet' }, details.filter(Boolean).join(' · ')),
  );
}

function run_details(header) {
  return [
    moment(header.started),
    duration(header.duration_ns),
    [header.dialect, header.width].filter(Boolean).join(' '),
    header.profile && `profile ${header.profile}`,
  ];
}

/** What was run, how, and how to run it again. */
function run_section(ids, header, extra) {
  const readings = header.readings.length ? header.readings.join(', ') : undefined;
  const options = header.options.map((one) => [one.name, one.value]);
  return section(
    ids,
    'run',
    'Run',
    extra.command ? [el('h3', {}, 'Command'), el('pre', { class: 'command' }, extra.command)] : null,
    facts('Run', [
      ['target', header.target],
      ['share', extra.share],
      ['started', moment(header.started)],
      ['took', duration(header.duration_ns)],
      ['dialect', [header.dialect, header.width].filter(Boolean).join(' ')],
      ['profile', header.profile],
      ['readings', readings],
      ...options,
      ...(extra.environment ?? []).map((one) => [one.name, one.value]),
      ['made by', `${header.tool} ${header.version}`],
    ]),
    header.notes.length ? [el('h3', {}, 'Notes'), header.notes.map((one) => el('p', { class: 'quiet' }, one))] : null,
  );
}
