// Elements of the page. All text becomes text nodes; nothing here parses markup.

const longest_text = 4096;
// Controls, marks of direction and characters without a shape: a page shows them by their numbers.
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;

/** The text as it may be shown: without what steers a reader's eyes, and of bounded length. */
function shown(text) {
  let short = String(text);
  const whole = short.length;
  if (whole > longest_text) short = short.slice(0, longest_text);
  short = short.replace(unseen, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);
  return whole > longest_text ? `${short}… (${grouped(whole)} characters)` : short;
}

/** An element: properties are attributes, except `on` (event handlers); children are elements or text. */
function el(name, properties, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'on') {
      for (const [event, handler] of Object.entries(value)) made.addEventListener(event, handler);
    } else if (value === true) {
      made.setAttribute(key, '');
    } else {
      made.setAttribute(key, key === 'id' || key === 'href' ? value : shown(value));
    }
  }
  add(made, children);
  return made;
}

function add(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false || child === '') continue;
    parent.append(child instanceof Node ? child : document.createTextNode(shown(child)));
  }
}

const styled = (element, styles) => Object.assign(element.style, styles) && element;

/** A cell: a plain value, or {value, number, mark, …}. */
function cell(content, heading) {
  const given =
    content !== null && typeof content === 'object' && !(content instanceof Node) && !Array.isArray(content);
  const { value, number, ...rest } = given ? content : { value: content };
  const classes = [number && 'number', rest.class].filter(Boolean).join(' ') || undefined;
  return el(heading ? 'th' : 'td', { ...rest, class: classes, scope: heading ? 'row' : undefined }, value);
}

const number = (value) => ({ value, number: true });

/** A table: headings are text or {value, number}; the first cell of a row is its heading. */
function table(caption, headings, rows) {
  const head = el(
    'tr',
    {},
    headings.map((one) => {
      const { value, ...rest } = typeof one === 'string' ? { value: one } : one;
      return el(
        'th',
        { scope: 'col', class: [rest.number && 'number', rest.class].filter(Boolean).join(' ') || undefined },
        value,
      );
    }),
  );
  const body = rows.map((row) => {
    if (row instanceof Node) return row;
    const { cells, ...properties } = Array.isArray(row) ? { cells: row } : row;
    return el(
      'tr',
      properties,
      cells.map((one, i) => cell(one, i === 0)),
    );
  });
  return el(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption },
    el('table', { 'aria-label': caption }, el('thead', {}, head), el('tbody', {}, body)),
  );
}

/** A table of names and values, without the rows whose value is undefined. */
function facts(caption, pairs) {
  const rows = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return el(
    'div',
    { class: 'wide slim' },
    el(
      'table',
      { 'aria-label': caption },
      el(
        'tbody',
        {},
        rows.map(([name, value]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', { class: 'text' }, value))),
      ),
    ),
  );
}

/** A table that is as wide as its content. */
function slim_table(...given) {
  const made = table(...given);
  made.classList.add('slim');
  return made;
}

function folded(summary, ...content) {
  return el('details', {}, el('summary', {}, summary), content);
}

/** Folded; what is inside is made when it is opened, or printed. */
function folded_late(properties, summary, make) {
  const made = el('details', properties, el('summary', {}, summary));
  const fill = () => {
    if (make) add(made, [make()]);
    make = undefined;
  };
  made.addEventListener('toggle', fill);
  made.fill = fill;
  return made;
}

const marks = { good: '✓', bad: '✗', open: '?', none: '–' };
const mark = (kind, word) => el('span', { class: `mark ${kind}` }, `${marks[kind]} ${word}`);

/** The ids of one document, so that several of them can be on one page. */
function ids_of(prefix) {
  const id = (kind, name) => `${prefix}${kind}-${name}`;
  return {
    id,
    link: (kind, name, text) => el('a', { href: `#${encodeURIComponent(id(kind, name))}` }, text ?? name),
  };
}
