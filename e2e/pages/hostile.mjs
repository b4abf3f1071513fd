// Results as a target would like to have them shown: every text that could come from it is an attack.

const markup =
  '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 1"><svg onload="window.hit = 1"> javascript:window.hit=1 "\' onmouseover=window.hit=1 x=';
// The program refuses to read these; should they ever get as far as a page, it shows their numbers.
const steering = '\u001b[2J\u001b]0;hit\u0007 \u202etxet\u202c \u2066a\u2069 \u200b \u0085';

/** Members that are not free: names of formats and of things that the program knows, times and numbers. */
const fixed = new Set([
  'format',
  'verdict',
  'level',
  'severity',
  'direction',
  'bytes',
  'expected_bytes',
  'histogram',
  'censored',
  'loop',
  'met',
  'as_asked',
  'arrivals',
  'cause',
  'change',
  'code',
  'difference',
  'kind',
  'request',
  'reply',
  'sweep',
]);

function is_fixed(name, value) {
  const is_time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  return (
    fixed.has(name) || is_time || (name === 'expected' && /^([0-9a-f]{2})*$/.test(value)) || /^[1-9][0-9]{15,19}$/.test(value)
  );
}

function replaced(value, name, attack) {
  if (Array.isArray(value)) return value.map((one) => replaced(one, name, attack));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, key, attack)]));
  if (typeof value !== 'string' || is_fixed(name, value) || value === '') return value;
  return ['id', 'shown_by', 'cases'].includes(name) ? value + attack : `${attack} ${value}`;
}

/** The value with markup in every free text; ids stay different from each other. */
export const with_markup = (value) => replaced(value, '', markup);

/** The same with controls and marks of direction, too. */
export const with_steering = (value) => replaced(value, '', markup + steering);

/** The page with another result in the place of its first one, escaped as the program does. */
export function with_result(html, result) {
  const escaped = JSON.stringify(result).replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
  const first = /<script type="application\/(json|gzip)" class="result">[^<]*/;
  return html.replace(first, () => `<script type="application/json" class="result">${escaped}`);
}

export const megabyte = 'M\u202e'.repeat(1 << 19);
