import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createSql, type Sql } from '../../db/client.js';
import { openBrowser, watchedPage } from '../helpers/browser.js';
import { eventually, shared } from '../helpers/client.js';
import { newSuperadmin, openItem, signIn } from './desk.js';

const dev = shared();
const desk = dev.services.worklist;
const lists = '**/v1/work-items?**';
let browser: Browser;
let sql: Sql;
let operator: string;
beforeAll(async () => {
  browser = await openBrowser();
  operator = await newSuperadmin();
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(async () => {
  await browser.close();
  await sql.end();
});

const newItem = () =>
  openItem(sql, { kind: 'domain_unverified', reason: `no_record_${randomUUID().slice(0, 8)}` });
const rows = (page: Page) =>
  page.evaluate<string[]>("[...document.querySelectorAll('#items [data-id]')].map((row) => row.dataset.id)");
const choose = (page: Page, kind: string) => page.getByLabel('Kind').selectOption(kind);
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

test('More shows each item once however often it is clicked, and none of a kind that was left meanwhile', async () => {
  const ids: string[] = [];
  while (ids.length < 5) ids.push(await newItem());
  await openItem(sql, { kind: 'pharmacy_hold', reason: `clarify_${randomUUID().slice(0, 8)}` });
  const { page } = await watchedPage(browser, [desk]);
  const { open, opened } = gate();
  let isHeld = false;
  await page.route(lists, async (route) => {
    const url = new URL(route.request().url());
    if (isHeld && url.searchParams.has('cursor')) await opened;
    await route.continue({ url: `${url.href}&limit=2` });
  });
  await page.goto(desk);
  await signIn(dev, page, operator);
  await choose(page, 'domain_unverified');
  await eventually(async () => (await rows(page)).length === 2);
  const more = page.getByRole('button', { name: 'More' });
  await more.dblclick();
  await eventually(async () => (await rows(page)).length > 2);
  const shown = await rows(page);
  expect([shown.length, new Set(shown).size]).toEqual([4, 4]);

  isHeld = true;
  const asked = page.waitForRequest((request) => request.url().includes('cursor='));
  await more.click();
  await asked;
  await choose(page, 'pharmacy_hold');
  await eventually(async () => !(await rows(page)).some((id) => shown.includes(id)));
  const late = page.waitForResponse((response) => response.url().includes('cursor='));
  open();
  await late;
  // The next look comes long after the late answer.
  await page.waitForRequest(lists);
  expect((await rows(page)).filter((id) => ids.includes(id))).toEqual([]);
  await page.close();
});

/** The list of a kind. From now on time passes only where the test says so. */
async function stoppedAt(kind: string) {
  const { page } = await watchedPage(browser, [desk]);
  let open = 0;
  page.on('request', () => (open += 1));
  page.on('requestfinished', () => (open -= 1));
  page.on('requestfailed', () => (open -= 1));
  await page.clock.install();
  await page.goto(desk);
  await signIn(dev, page, operator);
  await page.clock.pauseAt(Date.now() + 60_000);
  const looked = page.waitForResponse(lists);
  await choose(page, kind);
  await looked;
  /** Waits for the look that is under way, without which the page would skip the next one. */
  const lookEnds = () =>
    eventually(async () => {
      if (open > 0) return false;
      // The page has read the last answer before this one, and may have asked again.
      await page.evaluate('0');
      return open === 0;
    });
  return { page, lookEnds };
}
const toNextLook = (page: Page) => page.clock.runFor(5_000);

test('An item of which a service says nothing is read again after a minute, not at each look', async () => {
  const { page, lookEnds } = await stoppedAt('domain_unverified');
  const id = await newItem();
  let reads = 0;
  await page.route(`**/v1/work-items/${id}`, async (route) => {
    reads += 1;
    const response = await route.fetch();
    const answer = (await response.json()) as object;
    await route.fulfill({ response, json: { ...answer, missing: ['Router'] } });
  });
  for (let look = 0; look < 4; look += 1) {
    await lookEnds();
    const looked = page.waitForResponse(lists);
    await toNextLook(page);
    await looked;
    await page.locator(`[data-id="${id}"]`).waitFor();
    await eventually(() => Promise.resolve(reads > 0));
  }
  expect(reads).toBe(1);
  await lookEnds();
  await page.clock.fastForward(60_000);
  await eventually(() => Promise.resolve(reads === 2));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
});

test('A list that takes longer than the time between two looks is awaited and drawn', async () => {
  const { page, lookEnds } = await stoppedAt('domain_unverified');
  await lookEnds();
  const { open, opened } = gate();
  let asked = 0;
  await page.route(lists, async (route) => {
    asked += 1;
    await opened;
    await route.continue();
  });
  for (let look = 0; look < 4; look += 1) await toNextLook(page);
  // What was asked before this has been counted.
  await page.evaluate("fetch('/v1/auth/ways').then((answer) => answer.json())");
  expect(asked).toBe(1);
  const id = await newItem();
  open();
  await page.locator(`[data-id="${id}"]`).waitFor();
  await page.close();
});
