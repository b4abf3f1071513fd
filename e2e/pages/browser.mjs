// Debian's Chromium, without a network. Every page that is opened here must stay quiet: it logs nothing,
// throws nothing and asks for nothing but its own file.

import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
}

/** Opens a page from disk and waits until it is drawn: {page, complaints, close}. */
export async function open(browser, file, { scheme = 'light', width = 1180, height = 900, scale = 1, hash = '' } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    offline: true,
    deviceScaleFactor: scale,
  });
  const page = await context.newPage();
  const complaints = [];
  const own = pathToFileURL(file).href;
  page.on('console', (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== own) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(own + (hash ? `#${encodeURIComponent(hash)}` : ''));
  await page.waitForFunction(() => document.documentElement.dataset.drawn !== undefined, undefined, {
    timeout: 60_000,
  });
  return { page, complaints, close: () => context.close() };
}
