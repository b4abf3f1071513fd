// The bytes that prove a verdict, field by field.

/** Bytes of a field or a message that are shown at once, wrapped; a reader opens those behind them. */
const bytes_at_once = 256;

const spaced = (hex) => hex.replace(/(..)(?=.)/g, '$1 ');

function bytes_of_hex(hex) {
  const more = hex.slice(2 * bytes_at_once);
  if (!more) return spaced(hex);
  return [
    spaced(hex.slice(0, 2 * bytes_at_once)),
    folded_late({}, plural(more.length / 2, 'more byte', 'more bytes'), () => spaced(more)),
  ];
}

function field_row(exchange, field) {
  const [offset, length] = [Number(field.offset), Number(field.length)];
  const hex = exchange.bytes.slice(2 * offset, 2 * (offset + length));
  return el(
    'tr',
    { class: field.wrong ? 'wrong' : undefined },
    el('td', { class: 'number quiet' }, grouped(offset)),
    el(
      'td',
      { class: 'bytes', title: length > bytes_at_once ? plural(length, 'byte', 'bytes') : undefined },
      bytes_of_hex(hex),
    ),
    el('td', {}, field.path),
    el(
      'td',
      { class: 'text' },
      field.meaning,
      field.wrong
        ? [' ', el('span', { class: 'mark bad' }, field.expected ? `✗ expected ${field.expected}` : '✗ wrong')]
        : null,
    ),
  );
}

/** One message: who sent it and when, and its fields. */
function message(exchange) {
  const sent = exchange.direction === 'sent';
  const omitted = Number(exchange.omitted) ? ` and ${grouped(exchange.omitted)} more that are not shown` : '';
  const head = el(
    'tr',
    { class: 'head' },
    el(
      'th',
      { colspan: 4, scope: 'rowgroup' },
      sent ? '→ sent' : '← received',
      el(
        'span',
        { class: 'quiet' },
        ` ${sent ? 'on' : 'from'} ${exchange.connection} after ${duration(1000 * Number(exchange.at_us))}, ${plural(exchange.bytes.length / 2, 'byte', 'bytes')}${omitted}`,
      ),
    ),
  );
  const whole = (label, hex) =>
    el(
      'tr',
      {},
      el('td', { class: 'quiet number' }, label),
      el('td', { class: 'bytes', colspan: 3 }, bytes_of_hex(hex)),
    );
  const fields = exchange.fields.length
    ? exchange.fields.map((one) => field_row(exchange, one))
    : exchange.bytes
      ? whole('0', exchange.bytes)
      : null;
  const other = exchange.expected !== undefined && exchange.expected !== exchange.bytes;
  return el(
    'tbody',
    {},
    head,
    fields,
    other
      ? el(
          'tr',
          { class: 'expected' },
          el('td', {}),
          el('td', { class: 'bytes' }, bytes_of_hex(exchange.expected)),
          el('td', { class: 'quiet', colspan: 2 }, 'expected in all'),
        )
      : null,
  );
}

/** Messages field by field, in the order in which they passed. */
function messages(exchanges) {
  if (!exchanges.length) return undefined;
  return el(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Messages' },
    el(
      'table',
      { class: 'messages', 'aria-label': 'Messages' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('th', { scope: 'col', class: 'number' }, 'at'),
          el('th', { scope: 'col' }, 'bytes'),
          el('th', { scope: 'col' }, 'field'),
          el('th', { scope: 'col' }, 'meaning'),
        ),
      ),
      exchanges.map(message),
    ),
  );
}

function script(lines) {
  return el('pre', { tabindex: '0' }, lines.map((line) => `${shown(line)}\n`).join(''));
}

/** All that is known of why a case ended as it did. */
function case_details(one, ids) {
  return [
    el('p', {}, one.title),
    one.reason ? el('p', {}, el('b', {}, verdict_words[one.verdict]), `: ${one.reason}`) : null,
    one.likely_cause ? el('p', {}, el('b', {}, 'Likely cause'), `: ${one.likely_cause}`) : null,
    one.known ? el('p', {}, el('b', {}, 'Known'), `: ${one.known}`) : null,
    one.repeated
      ? el(
          'p',
          { class: 'quiet' },
          `Played again alone, on a fresh process: failed ${grouped(one.repeated.failed)} of ${plural(one.repeated.played, 'time', 'times')}.`,
        )
      : null,
    el(
      'ul',
      { class: 'chips', 'aria-label': 'Clauses' },
      one.clauses.map((clause) => el('li', {}, ids.link('clause', clause))),
    ),
    one.code ? el('p', { class: 'quiet' }, 'code ', el('code', {}, one.code)) : null,
    one.drawing ? script(one.drawing) : null,
    messages(one.evidence),
    one.reproduction.length
      ? folded(
          `Shortest sequence that shows it: ${plural(one.reproduction.length, 'send', 'sends')}`,
          script(one.reproduction),
        )
      : null,
    one.process
      ? el(
          'p',
          { class: 'quiet' },
          `Process afterwards: ${bytes_text(one.process.memory)}, ${plural(one.process.descriptors, 'descriptor', 'descriptors')}, ${plural(one.process.threads, 'thread', 'threads')}, ${duration(one.process.cpu_ns)} of CPU.`,
        )
      : null,
  ];
}
