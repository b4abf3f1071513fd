// A page that is served while its run lasts: once a second the server tells what is new.

/** The list of a result that grows while the run lasts; events bring its new entries only. */
const growing = { 'hallmark-load': 'series', 'hallmark-certify': 'cases' };

/** The cases of a run; one that was played again counts as it was judged last. */
const judged_last = (cases) => [...new Map(cases.map((one) => [one.id, one])).values()];

/** A run that lasts has no verdict yet, and no exit code. */
function present(result, entries) {
  const content = { ...result, exit_code: undefined, running: true };
  if (result.format === 'hallmark-load') return { ...content, series: entries };
  const cases = judged_last(entries);
  // None is absent: it must not be taken for those of an event before.
  return { ...content, findings: result.findings ?? [], cases, summary: { ...result.summary, ...tally(cases) } };
}

/** Says above the page why nothing new comes; an empty text takes that back. */
function tell_reader(text) {
  const page = document.getElementById('page');
  page.querySelector('.told')?.remove();
  if (text) page.prepend(el('p', { class: 'mark open told', role: 'status' }, text));
}

/** Draws the page whenever something is new; events that come meanwhile wait, the last one counts. */
function follow(about) {
  const events = new EventSource('events');
  const state = document.documentElement.dataset;
  const entries = [];
  let totals = {};
  let waiting;
  let busy = false;
  const show = async (event, word) => {
    waiting = { event, word };
    if (busy) return;
    busy = true;
    try {
      while (waiting) {
        const { event, word } = waiting;
        waiting = undefined;
        await draw({ ...about, ...event.about }, event.results);
        state.live = word;
      }
    } finally {
      // An event that cannot be drawn does not keep the next one from being drawn.
      busy = false;
    }
  };
  events.addEventListener('news', ({ data }) => {
    const event = JSON.parse(data);
    const [result] = event.results;
    entries.length = event.about.from;
    entries.push(...result[growing[result.format]]);
    // Not every event brings what adds up the whole run; findings are always those of now.
    totals = { ...totals, findings: undefined, ...result };
    show({ ...event, results: [present(totals, entries)] }, 'running');
  });
  events.addEventListener('final', ({ data }) => {
    events.close();
    show(JSON.parse(data), 'over');
  });
  events.addEventListener('error', () => {
    if (state.live === 'over') return;
    state.live = 'lost';
    tell_reader('The run cannot be reached any more: it may be over.');
  });
  events.addEventListener('open', () => {
    state.live = 'connected';
    tell_reader(state.drawn ? '' : 'The run has not begun yet.');
  });
}
