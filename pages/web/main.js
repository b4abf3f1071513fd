// One section for each result that the page carries.

const pages = {
  'hallmark-load': load_page,
  'hallmark-certify': certify_page,
  'hallmark-knee': search_page,
  'hallmark-load-comparison': comparison_page,
  'hallmark-kill-matrix': kill_matrix_page,
  'hallmark-audit': audit_page,
  'hallmark-certify-client': client_page,
};

const json_of = (element) => JSON.parse(element.textContent);

/** A result: pages that would become large carry it packed. */
async function result_of(element) {
  if (element.type !== 'application/gzip') return json_of(element);
  const bytes = await inflated(bytes_of_base64(element.textContent), 'gzip');
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** What a result is about: a target, a store, or the command of a client. */
const subject_of = (content) => content.header?.target ?? content.store ?? content.command?.join(' ') ?? '';

function overview(documents) {
  return el(
    'nav',
    { 'aria-label': 'Results' },
    table(
      'Results',
      ['result', 'target', 'verdict'],
      documents.map((one, i) => [
        el('a', { href: `#result-${i + 1}` }, one.name),
        subject_of(one.content),
        one.verdict.split(/\s{2,}/)[0],
      ]),
    ),
  );
}

/** Opens and fills what the address points to, so that every link arrives. */
function arrive() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (!id) return;
  for (const reveal of reveals) reveal(id);
  const goal = document.getElementById(id);
  if (!goal) return;
  for (let one = goal; one; one = one.parentElement) if (one instanceof HTMLDetailsElement) one.open = true;
  goal.scrollIntoView();
}

/** Functions that bring to light what a filter hides or what was not made yet. */
const reveals = [];

/** What the page says of one result. A result that it cannot show does not take the others along. */
async function parts_of(one, prefix) {
  const build = pages[one.content.format];
  if (!build) return [el('p', {}, `This page cannot show ${one.content.format}.`)];
  try {
    return await build(one, ids_of(prefix));
  } catch (error) {
    console.error(error);
    return [el('p', { class: 'mark bad' }, `This page cannot show its result: ${error.message}`)];
  }
}

function title_of(documents) {
  if (documents.length > 1) return `Hallmark: ${documents.length} results`;
  const [only] = documents;
  return shown(`${only.verdict.split(/\s{2,}/)[0]} ${subject_of(only.content) || only.name}`).slice(0, 200);
}

const heading_of_all = (documents) =>
  el('header', {}, el('p', { class: 'kind' }, el('b', {}, 'Hallmark')), el('h1', {}, `${documents.length} results`));

/** Draws the page of these results in place of what it shows. */
async function draw(about, contents) {
  const documents = about.results.map((one, i) => ({ ...about, ...one, content: contents[i] }));
  const several = documents.length > 1;
  const made = several ? [heading_of_all(documents), overview(documents)] : [];
  const old_charts = forget_charts();
  reveals.length = 0;
  for (const [i, one] of documents.entries()) {
    const parts = await parts_of(one, several ? `${i + 1}-` : '');
    made.push(several ? el('section', { id: `result-${i + 1}`, class: 'several' }, parts) : parts);
  }
  const independent = ' This page carries its result as JSON and asks nobody for anything.';
  const origin = `Made by hallmark ${about.version}.${about.live ? '' : independent}`;
  document.title = title_of(documents);
  const page = document.getElementById('page');
  const restore = keep_place(page);
  for (const chart of old_charts) chart.remove();
  page.replaceChildren();
  add(page, [made, el('footer', {}, origin)]);
  redraw_all();
  restore();
  document.documentElement.dataset.drawn = String(Math.round(performance.now()));
}

async function draw_page() {
  const about = json_of(document.getElementById('about'));
  read_colours();
  watch_colours();
  addEventListener('hashchange', arrive);
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((one) => one.fill?.()));
  if (about.live) return follow(about);
  await draw(about, await Promise.all([...document.querySelectorAll('script.result')].map(result_of)));
  arrive();
}

draw_page();
