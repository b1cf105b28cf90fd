import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumAdvice, findChromium } from '../../dev/tools/chromium.js';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A headless Chromium with a profile of its own that is gone when it closes. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error(`No Chromium: ${chromiumAdvice}`);
  return chromium.launch({ executablePath, args: flags });
}

/** A page whose waits are as patient as a test, since a busy machine is many times slower. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(300_000);
  return page;
}

/** A page and what it did that it should not: requests to another host, failed ones, errors in its console. */
export interface WatchedPage {
  page: Page;
  complaints: string[];
}

/** @param origins the hosts that the page may talk to */
export async function watchedPage(
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await openPage(browser, { viewport: { width: 1400, height: 1000 }, ...options });
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && !origins.includes(origin)) complaints.push(`asked ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    // What the page itself gave up is no failure.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  return { page, complaints };
}

/** Finds barriers for a person with other senses or without a mouse (WCAG 2.1 AA). */
export async function barriersOf(page: Page): Promise<string[]> {
  // Not as a script of the page, whose policy lets none in: as the inspector would.
  await page.evaluate(axe.source);
  const only = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
  return page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(only)} }).then(({ violations }) => violations.map(({ id }) => id))`,
  );
}
