// Pages in a real browser: they are drawn, say what their result says, and do nothing else.
//   HALLMARK=build/dev/hallmark node --test e2e/pages/pages.test.mjs

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { megabyte, with_markup, with_result, with_steering } from './hostile.mjs';
import { checks } from './in_page.mjs';
import { an_hour, kinds, make_samples, read_json, root, run } from './samples.mjs';

const program = resolve(process.env.HALLMARK ?? join(root, 'build/dev/hallmark'));
const directory = mkdtempSync(join(tmpdir(), 'hallmark-pages-'));
const file = (name) => join(directory, name);
const charted = ['load', 'silent', 'search'];
// Made of two results, or of none that --json writes.
const without_json = ['compared', 'changes', 'several'];
const phone = { width: 360, height: 740 };
let browser;

before(async () => {
  await make_samples(program, directory);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

/** Opens a page, does something with it, and insists that it stayed quiet. */
async function with_page(name, options, use) {
  const { page, complaints, close } = await open(browser, file(name), options);
  try {
    const answer = await use(page);
    assert.deepEqual(complaints, []);
    return answer;
  } finally {
    await close();
  }
}

/** A page of many failures leaves out bytes of some, and says so. */
const without_bytes = (result) => ({
  ...result,
  cases: result.cases?.map((one) => ({ ...one, evidence: [], reproduction: [] })),
});

const in_page = (page, name, ...given) => page.evaluate(checks[name], given);

/** Waits until the page is as wide as its window: charts are drawn anew in a later frame. */
async function assert_fits(page) {
  const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  await page
    .waitForFunction(() => document.documentElement.scrollWidth === window.innerWidth)
    .catch(async () => assert.fail(`the page and its window are ${await widths()} pixels wide`));
}

/** Waits until the page's address ends with a fragment that begins so. */
const lead_to = (page, start) =>
  page.waitForFunction((start) => decodeURIComponent(location.hash).startsWith(start), start);

for (const kind of kinds) {
  describe(`the page of ${kind}`, () => {
    let opened;
    before(async () => {
      opened = await open(browser, file(`${kind}.html`));
    });
    after(() => opened?.close());
    const ask = (name, ...given) => in_page(opened.page, name, ...given);

    test('carries its results as --json writes them', { skip: without_json.includes(kind) }, async () => {
      assert.deepEqual((await ask('results')).map(without_bytes), [without_bytes(read_json(file(`${kind}.json`)))]);
    });
    test('draws its charts', async () => {
      const charts = await ask('charts');
      assert.equal(charts.length > 0, charted.includes(kind));
      for (const { title, inked } of charts) assert.ok(inked > 500, `${title}: ${inked} pixels are drawn`);
    });
    test('has links that lead somewhere', async () => assert.deepEqual(await ask('dead_links'), []));
    test('can be read aloud', async () => assert.deepEqual(await ask('unreadable'), []));
    for (const colorScheme of ['light', 'dark']) {
      test(`has enough contrast, ${colorScheme}`, async () => {
        await opened.page.emulateMedia({ colorScheme });
        assert.deepEqual(await ask('faint'), []);
      });
    }
    test('fits a phone', async () => {
      await opened.page.setViewportSize(phone);
      await assert_fits(opened.page);
    });
    test('is white on paper', async () => {
      await opened.page.emulateMedia({ media: 'print' });
      assert.equal(
        await opened.page.evaluate(() => getComputedStyle(document.body).backgroundColor),
        'rgb(255, 255, 255)',
      );
    });
    // Browsers leave out backgrounds, which bars and keys are made of, unless a page insists.
    test('keeps its bars on paper', async () => {
      await opened.page.emulateMedia({ media: 'print' });
      const adjusted = await opened.page.evaluate(() =>
        ['.bar i', '.strip *', '.key i', '.u-marker', 'td.cell', '.verdict', 'tr.wrong']
          .flatMap((one) => [...document.querySelectorAll(one)])
          .filter((one) => getComputedStyle(one).printColorAdjust !== 'exact')
          .map((one) => one.className),
      );
      assert.deepEqual(adjusted, []);
    });
    test('stays quiet', () => assert.deepEqual(opened.complaints, []));
  });
}

/** Cells of the lines between a heading and a blank line of a terminal's report. */
function terminal_table(text, heading) {
  const lines = text.slice(text.indexOf(`\n${heading}`) + 1).split('\n');
  // The line that begins with ~ explains that mark.
  const rows = lines.slice(1, lines.indexOf('')).filter((line) => !line.startsWith('~'));
  return rows.map((line) => {
    const cells = line
      .replaceAll('>= ', '≥ ')
      .trim()
      .split(/\s{2,}/);
    // This row has no count: its empty cell is lost between the blanks of its neighbours.
    return cells[0] === "of it the client's" ? [cells[0], '', ...cells.slice(1)] : cells;
  });
}

describe('numbers', () => {
  for (const [heading, caption] of [
    ['from planned send', 'Latency from the planned send'],
    ['from actual send', 'Latency from the actual send'],
  ]) {
    test(`of latency ${heading} are those of the terminal`, async () => {
      const { stdout } = await run(program, directory, 'report', 'load.json');
      await with_page('load.html', {}, async (page) => {
        assert.deepEqual(await in_page(page, 'table', caption), terminal_table(stdout, heading));
      });
    });
  }
  test('halfway between two are rounded as on the terminal', async () => {
    const result = read_json(file('load.json'));
    const halves = { min: 1125, p50: 12250, p90: 12350, p99: 99950, p99_9: 100500, p99_99: 1235000, max: 999500000 };
    Object.assign(result.corrected.quantiles_ns, halves, { mean: 12350.4 });
    for (const one of result.client.threads) one.busy = 0.0625;
    writeFileSync(file('halves.json'), JSON.stringify(result));
    await run(program, directory, 'report', 'halves.json', '--html', 'halves.html');
    const { stdout } = await run(program, directory, 'report', 'halves.json');
    assert.match(stdout, /busiest of .* 6\.3 %/);
    await with_page('halves.html', {}, async (page) => {
      const rows = await in_page(page, 'table', 'Latency from the planned send');
      const texts = ['1.13 µs', '12.4 µs', '12.3 µs', '12.4 µs', '100 µs', '101 µs', '1.24 ms', '1.00 s'];
      // A mark says that the client had a part in a value, which is not of this.
      const shown = rows.find(([name]) => name === 'all').slice(2);
      assert.deepEqual(shown.map((cell) => cell.replace(/^[≥~ ]+/, '')), texts);
      assert.deepEqual(rows, terminal_table(stdout, 'from planned send'));
      assert.ok((await page.textContent('body')).includes('6.3 % of'));
    });
  });
  test("of the client's part are those of the terminal", async () => {
    const result = read_json(file('load.json'));
    const quantiles = result.corrected.quantiles_ns;
    for (const name of Object.keys(quantiles)) if (name.endsWith('_client_part')) delete quantiles[name];
    Object.assign(quantiles, { p50_client_part: 20000, p99_9_client_part: 1500000, mean_client_part: 345.75 });
    writeFileSync(file('parts.json'), JSON.stringify(result));
    await run(program, directory, 'report', 'parts.json', '--html', 'parts.html');
    const { stdout } = await run(program, directory, 'report', 'parts.json');
    await with_page('parts.html', {}, async (page) => {
      const rows = await in_page(page, 'table', 'Latency from the planned send');
      assert.deepEqual(rows, terminal_table(stdout, 'from planned send'));
      const part = ["of it the client's", '', '·', '345 ns', '20.0 µs', '·', '·', '1.50 ms', '·', '·'];
      assert.deepEqual(rows.at(-1), part);
    });
  });
  test('of a closed loop, which plans nothing ahead, count from the actual send', async () => {
    const result = read_json(file('load.json'));
    writeFileSync(file('closed.json'), JSON.stringify({ ...result, loop: 'closed', depth: 8 }));
    await run(program, directory, 'report', 'closed.json', '--html', 'closed.html');
    const { stdout } = await run(program, directory, 'report', 'load.json');
    const [, , , p50, p90] = terminal_table(stdout, 'from actual send')
      .find((row) => row[0] === 'all')
      .slice(1);
    await with_page('closed.html', {}, async (page) => {
      const figures = await page.textContent('.figures');
      assert.ok(figures.includes(`median${p50}from the actual send`), figures);
      assert.ok(figures.includes(`p90 ${p90}`), figures);
      assert.doesNotMatch(figures, /lag|planned send/);
    });
  });
  test('of a curve are the quantiles of the result', async () => {
    await with_page('load.html', {}, async (page) => {
      const label = await page.getAttribute('.chart', 'aria-label');
      const { stdout } = await run(program, directory, 'report', 'load.json');
      const [, , , p50, p90, p99] = terminal_table(stdout, 'from planned send')
        .find((row) => row[0] === 'all')
        .slice(1)
        .map((value) => value.replace(/^~/, ''));
      assert.ok(label.includes(`from planned send: p50 ${p50}, p90 ${p90}, p99 ${p99}`), label);
    });
  });
  test('that are lower bounds say so to those who cannot see the chart', async () => {
    await with_page('silent.html', {}, async (page) => {
      const label = await page.getAttribute('.chart', 'aria-label');
      assert.match(label, /from planned send: .*p99 at least /);
    });
  });
  test('of requests without a reply are lower bounds', async () => {
    await with_page('silent.html', {}, async (page) => {
      const rows = await in_page(page, 'table', 'Latency from the planned send');
      const all = rows.find(([name]) => name === 'all');
      assert.ok(all.at(-1).startsWith('≥ '), all.join(' '));
      assert.match(await page.textContent('figcaption'), /Hatched: [0-9,]+ of [0-9,]+ requests have no reply/);
    });
  });
  test('of connections that came back are those of their seconds', async () => {
    const result = read_json(file('load.json'));
    result.series[0].reconnects = 1200;
    result.series[1].reconnects = 34;
    writeFileSync(file('reconnects.json'), JSON.stringify(result));
    await run(program, directory, 'report', 'reconnects.json', '--html', 'reconnects.html');
    await with_page('reconnects.html', {}, async (page) => {
      const caption = page.locator('figcaption', { hasText: 'lost connections were opened again' });
      assert.match(await caption.textContent(), /, 1,234 in all\./);
    });
    await with_page('load.html', {}, async (page) => {
      assert.equal(await page.locator('figcaption', { hasText: 'opened again' }).count(), 0);
    });
  });
  test('of a search that found no rate are none', async () => {
    const nothing = { ...read_json(file('search.json')), rate: 0, low: 0, high: 0 };
    writeFileSync(file('nothing.json'), JSON.stringify(nothing));
    await run(program, directory, 'report', 'nothing.json', '--html', 'nothing.html');
    await with_page('nothing.html', {}, async (page) => {
      assert.match(await page.textContent('.figures'), /highest ratenone.*interval of 95 %none/);
    });
  });
  test('of cases are those of the summary', async () => {
    const { summary } = read_json(file('failed.json'));
    await with_page('failed.html', {}, async (page) => {
      for (const [verdict, count] of [
        ['pass', summary.pass],
        ['fail', summary.fail],
        ['skipped', summary.skipped],
      ]) {
        await page.selectOption('select', verdict);
        assert.equal(await page.locator('table[aria-label="Cases"] tbody tr:visible').count(), count, verdict);
      }
    });
  });
});

describe('a finding', () => {
  test('leads to its cases, and these to their clauses', async () => {
    const { findings } = read_json(file('failed.json'));
    await with_page('failed.html', {}, async (page) => {
      await page.locator('article.finding').first().locator('.facts a').first().click();
      const row = page.locator(`[id="case-${findings[0].shown_by}"]`);
      await row.locator('details[open]').waitFor();
      await row.locator('.chips a').first().click();
      await lead_to(page, '#clause-');
    });
  });
  test('shows its bytes, and marks the wrong field', async () => {
    await with_page('failed.html', {}, async (page) => {
      assert.ok((await page.locator('article.finding tr.wrong').count()) > 0);
    });
  });
});

describe('a reading', () => {
  test('has the words of the document, and the bytes that show the answer', async () => {
    const server = `exec:${program} serve --dialect throttr-7.1 --width u16 --listen tcp://127.0.0.1:{port}`;
    const options = ['--dialect', 'throttr-7.1', '--width', 'u16', '--filter', '*/readings/ttl-zero'];
    await run(program, directory, 'certify', server, ...options, '--json', 'zero.json', '--html', 'zero.html');
    const played = read_json(file('zero.json')).cases.find(({ id }) => id.endsWith('/readings/ttl-zero'));
    assert.equal(played.verdict, 'pass');
    assert.ok(played.evidence.length > 0);
    await with_page('zero.html', {}, async (page) => {
      const row = page.locator('[id="reading-ttl-zero"]');
      assert.match(await row.textContent(), /“Is a period of time computed from the now\(\) function of the server/);
      const bytes = row.locator('xpath=following-sibling::tr[1]');
      await bytes.locator('summary').click();
      await bytes.locator('.messages .head').first().waitFor();
      assert.equal(await bytes.locator('.messages .head').count(), played.evidence.length);
    });
  });
});

/** Widths of the tables of bytes that are wider than the place they have. */
const too_wide = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.messages')]
      .filter((one) => one.scrollWidth > one.parentElement.clientWidth)
      .map((one) => one.scrollWidth),
  );

describe('bytes', () => {
  test('have their fields and meanings beside them on a phone', async () => {
    await with_page('failed.html', phone, async (page) => {
      assert.ok((await page.locator('.messages').count()) > 0);
      assert.deepEqual(await too_wide(page), []);
    });
  });
});

describe('the keyboard', () => {
  test('reaches the contents, and a link of it its section', async () => {
    await with_page('load.html', {}, async (page) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement.closest('nav')?.className), 'contents');
      await page.keyboard.press('Enter');
      await lead_to(page, '#part-');
    });
  });
  test('opens what is folded', async () => {
    await with_page('load.html', {}, async (page) => {
      await page.locator('summary').first().focus();
      await page.keyboard.press('Enter');
      await page.locator('table[aria-label="Seconds of the run"]').waitFor({ timeout: 10_000 });
    });
  });
});

/** Opens everything that is folded on a narrow page, and looks for traces of what texts tried. */
async function assert_harmless(page) {
  await page.evaluate(() =>
    document.querySelectorAll('details').forEach((one) => {
      one.open = true;
    }),
  );
  await assert_fits(page);
  assert.deepEqual(await in_page(page, 'harm'), []);
}

describe('a hostile target', () => {
  for (const kind of ['load', 'silent', 'failed']) {
    test(`puts no markup on the page of ${kind}`, async () => {
      writeFileSync(file('hostile.json'), JSON.stringify(with_markup(read_json(file(`${kind}.json`)))));
      await run(program, directory, 'report', 'hostile.json', '--html', 'hostile.html');
      assert.equal(readFileSync(file('hostile.html'), 'utf8').match(/<\/script>/g).length, 3);
      await with_page('hostile.html', phone, async (page) => {
        await assert_harmless(page);
        assert.ok(await page.evaluate(() => document.body.innerText.includes('<img src=x onerror=')));
      });
    });
  }
  for (const kind of kinds) {
    test(`steers nobody who reads the page of ${kind}`, async () => {
      const html = readFileSync(file(`${kind}.html`), 'utf8');
      const [result] = await with_page(`${kind}.html`, {}, (page) => in_page(page, 'results'));
      writeFileSync(file('hostile.html'), with_result(html, with_steering(result)));
      await with_page('hostile.html', phone, async (page) => {
        await assert_harmless(page);
        assert.ok(await page.evaluate(() => document.body.innerText.includes('\\u{202e}')));
      });
    });
  }
  test('may have a name of a megabyte', async () => {
    const result = read_json(file('load.json'));
    result.header.target = megabyte;
    writeFileSync(file('hostile.html'), with_result(readFileSync(file('load.html'), 'utf8'), result));
    await with_page('hostile.html', phone, async (page) => {
      assert.match(await page.textContent('h1'), /\(1,048,576 characters\)$/);
      await assert_harmless(page);
    });
  });
});

test('a changed program is not run', async () => {
  writeFileSync(
    file('changed.html'),
    readFileSync(file('load.html'), 'utf8').replace('draw_page();\n})', 'window.hit = 1;\n})'),
  );
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  await page.goto(`file://${file('changed.html')}`);
  assert.equal(await page.evaluate(() => window.hit), undefined);
  await context.close();
});

/** As much as a page may weigh, with its program and its library. */
const heaviest_page = 1_500_000;

/** Reports results on one page, which may not be heavier, and does something with it. */
async function with_reported(results, use) {
  await run(program, directory, 'report', ...results, '--html', 'many.html');
  const { size } = statSync(file('many.html'));
  assert.ok(size <= heaviest_page, `${size} bytes`);
  await with_page('many.html', {}, async (page) => {
    assert.equal(await page.locator('section.several').count(), results.length);
    await use(page);
  });
}

describe('a page of nine results', () => {
  test('of certifications carries them as --json writes them', async () => {
    await with_reported(Array(9).fill('certified.json'), async (page) => {
      const carried = await in_page(page, 'results');
      assert.equal(carried.length, 9);
      const written = without_bytes(read_json(file('certified.json')));
      for (const one of carried) assert.deepEqual(without_bytes(one), written);
      assert.deepEqual(await in_page(page, 'dead_links'), []);
    });
  });
  test('of loads of an hour shows the numbers of each', async () => {
    writeFileSync(file('hour.json'), JSON.stringify(an_hour(read_json(file('load.json')))));
    const { stdout } = await run(program, directory, 'report', 'hour.json');
    await with_reported(Array(9).fill('hour.json'), async (page) => {
      const latency = terminal_table(stdout, 'from planned send');
      const rows = await in_page(page, 'table', 'Latency from the planned send');
      assert.deepEqual(rows, Array(9).fill(latency).flat());
      assert.match(await page.textContent('section.several'), /Over time, [0-9]+ s are one row\./);
    });
  });
});

describe('a page that cannot be written', () => {
  test('is one line, and the other files are written', async () => {
    const { status, stderr } = await run(
      program,
      directory,
      'report',
      'load.json',
      '--json',
      'again.json',
      '--html',
      'missing/page.html',
    );
    assert.equal(status, 3);
    assert.match(stderr, /^hallmark report: [^\n]*missing\/page\.html[^\n]*\n$/);
    assert.equal(read_json(file('again.json')).format, 'hallmark-load');
  });
});
