// What tests ask of a page. Each function runs in the browser, by itself.

export const checks = {
  results: () =>
    Promise.all(
      [...document.querySelectorAll('script.result')].map(async ({ type, textContent }) => {
        if (type !== 'application/gzip') return JSON.parse(textContent);
        const bytes = Uint8Array.from(atob(textContent), (one) => one.charCodeAt(0));
        return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
      }),
    ),

  /** How many pixels of each chart are not empty. */
  charts: () =>
    [...document.querySelectorAll('figure .chart')].map((chart) => {
      const canvas = chart.querySelector('canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let inked = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i] !== 0) ++inked;
      return { title: chart.getAttribute('aria-label').slice(0, 60), inked };
    }),

  dead_links: () =>
    [...document.querySelectorAll('a')]
      .map((one) => one.getAttribute('href'))
      .filter((href) => !href.startsWith('#') || !document.getElementById(decodeURIComponent(href.slice(1)))),

  /** What a screen reader would stumble over. */
  unreadable: () => {
    const found = [];
    const name_of = (one) => one.getAttribute('aria-label') ?? one.textContent.trim();
    let level = 0;
    for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
      const here = Number(heading.tagName[1]);
      if (here > level + 1) found.push(`h${here} behind h${level}: ${heading.textContent}`);
      level = here;
    }
    if (document.querySelectorAll('h1').length === 0) found.push('no h1');
    if (document.documentElement.lang === '') found.push('no language');
    if (document.title === '') found.push('no title');
    for (const one of document.querySelectorAll(
      'a, button, input, select, summary, [role=img], [role=region], table, nav',
    ))
      if (name_of(one) === '') found.push(`no name: ${one.outerHTML.slice(0, 100)}`);
    for (const one of document.querySelectorAll('th'))
      if (!one.closest('[aria-hidden]')) if (!one.scope) found.push(`th without scope: ${one.textContent}`);
    const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
    if (new Set(ids).size !== ids.length)
      found.push(`ids twice: ${ids.filter((one, i) => ids.indexOf(one) !== i).slice(0, 3)}`);
    return found;
  },

  /** Texts whose contrast with what is behind them is below 4.5, that of WCAG 2.2, level AA. */
  faint: () => {
    const parse = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) =>
      [r, g, b]
        .map((one) => one / 255)
        .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
        .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (element) => {
      for (let one = element; one; one = one.parentElement) {
        const [r, g, b, a = 1] = parse(getComputedStyle(one).backgroundColor);
        if (a > 0) return [r, g, b];
      }
      return [255, 255, 255];
    };
    const found = new Set();
    for (const element of document.querySelectorAll('main *')) {
      if (![...element.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim())) continue;
      const pair = [light(parse(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
      const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
      if (ratio < 4.5) found.add(`${ratio.toFixed(2)}: ${element.tagName}.${element.className}`);
    }
    return [...found];
  },

  /** The rows of a table as texts. */
  table: ([caption]) =>
    [...document.querySelectorAll(`table[aria-label="${caption}"] tbody tr`)].map((row) =>
      [...row.children].map((one) => one.textContent),
    ),

  /** Traces of markup or of characters that steer. */
  harm: () => {
    const found = [];
    if (window.hit !== undefined) found.push('a program ran');
    if (document.querySelector('img, svg, iframe, object, form, [onload], [onerror], [onmouseover]'))
      found.push('an element was made');
    const data = '[type="application/json"], [type="application/gzip"]';
    if (document.querySelectorAll(`script:not(${data})`).length !== 1)
      found.push('a script was made');
    for (const one of document.querySelectorAll('main a'))
      if (!one.getAttribute('href').startsWith('#')) found.push(`a link to ${one.href}`);
    const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u;
    if (steering.test(document.getElementById('page').textContent)) found.push('a character that steers');
    for (const one of document.querySelectorAll('[title], [aria-label]'))
      if (steering.test(one.title) || steering.test(one.getAttribute('aria-label') ?? ''))
        found.push('a name with a character that steers');
    return found;
  },
};
