// Debian's Chromium without its windows, and without a network. Every page that is opened here must stay quiet: it logs nothing,
// throws nothing and asks for nothing but its own file.

import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** CHROMIUM names another one, such as /usr/bin/chromium, with which the same tests take a quarter more of the processor. */
export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    // On a busy machine the process that draws may wait for long: the watchdog would take it for hung and end it.
    args: ['--no-sandbox', '--disable-gpu-watchdog'],
  });
}

/** Opens an address in a context of its own and notes what it complains of and asks others for. */
async function quiet_page(browser, address, { scheme = 'light', width = 1180, height = 900, scale = 1, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    deviceScaleFactor: scale,
    ...options,
  });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) complaints.push(`request: ${request.url()}`);
  });
  return { page, complaints, close: () => context.close() };
}

/** Opens a page that is served: {page, complaints, close}. */
export async function visit(browser, address) {
  const opened = await quiet_page(browser, address);
  await opened.page.goto(address);
  return opened;
}

/** Opens a page from disk, without a network, and waits until it is drawn: {page, complaints, close}. */
export async function open(browser, file, { hash = '', ...options } = {}) {
  const own = pathToFileURL(file).href;
  const opened = await quiet_page(browser, own, { offline: true, ...options });
  await opened.page.goto(own + (hash ? `#${encodeURIComponent(hash)}` : ''));
  await opened.page.waitForFunction(() => document.documentElement.dataset.drawn !== undefined, undefined, {
    timeout: 60_000,
  });
  return opened;
}
