import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createSql, type Sql } from '../../db/client.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { adminToken, callAs, eventually, shared } from '../helpers/client.js';
import { barriersOf, openBrowser, watchedPage } from '../helpers/browser.js';
import { newSuperadmin, openItem, signIn } from './desk.js';

const dev = shared();
const desk = dev.services.worklist;

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

const opened = (item: Parameters<typeof openItem>[1]) => openItem(sql, item);

/** True if nothing of it lies beyond the edge. */
const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth');

test.each([
  ['light', 1200],
  ['dark', 360],
] as const)(
  'an item is found and answered by keyboard, in %s colours, %d px wide',
  async (colorScheme, width) => {
    const reason = `no_record_${randomUUID().slice(0, 8)}`;
    const id = await opened({ kind: 'domain_unverified', reason });
    const { page, complaints } = await watchedPage(browser, [desk]);
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto(desk);
    // Nothing of anybody stands there before signing in.
    expect(await page.locator('#desk').isVisible()).toBe(false);
    const shown = (await page.locator('body').innerText()).replace(/\s+/g, ' ').trim();
    expect(shown).toBe('Desk Sign in E-mail address Mail me a code');
    expect([await barriersOf(page), await fits(page)]).toEqual([[], true]);

    await signIn(dev, page, operator);
    await page.getByLabel('Kind').selectOption('domain_unverified');
    const row = page.locator(`[data-id="${id}"]`);
    await row.waitFor();
    expect(await page.getByLabel('Kind').locator('option:checked').innerText()).toMatch(
      /^Domain unverified \(\d+/,
    );
    expect([await barriersOf(page), await fits(page)]).toEqual([[], true]);

    await page.locator('#list').focus();
    while ((await row.and(page.locator(':focus')).count()) === 0) await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A custom domain was not verified' }).waitFor();
    await page.getByText('Opened by system').waitFor();
    expect([await barriersOf(page), await fits(page)]).toEqual([[], true]);

    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    while ((await dismiss.and(page.locator(':focus')).count()) === 0) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Closes the item. Nothing else changes.').waitFor();
    expect([await barriersOf(page), await fits(page)]).toEqual([[], true]);
    const send = page.getByRole('button', { name: 'Send answer' });
    while ((await send.and(page.locator(':focus')).count()) === 0) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Done.').waitFor();
    await page.getByText(`Closed by ${operator}`).first().waitFor();
    expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await row.waitFor({ state: 'detached' });
    expect(await barriersOf(page)).toEqual([]);

    expect(await page.locator('#item').innerText()).not.toMatch(/null|undefined/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('status').getByText('You are signed out.').waitFor();
    expect(await page.locator('body').innerText()).not.toContain(operator);
    expect(complaints).toEqual([]);
    await page.close();
  },
);

test('signing out gives up what is still being read', async () => {
  const { page, complaints } = await watchedPage(browser, [desk]);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.goto(desk);
  await signIn(dev, page, operator);
  await page.route('**/v1/work-items?**', async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  const asked = page.waitForRequest('**/v1/work-items?**');
  const given = page.waitForEvent('requestfailed', (request) => request.url().includes('/v1/work-items?'));
  await page.getByRole('button', { name: 'Closed' }).click();
  await asked;
  await page.getByRole('button', { name: 'Sign out' }).click();
  await given;
  release();
  await page.getByRole('status').getByText('You are signed out.').waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test('what was read for the item that was shown does not come over a search', async () => {
  const id = await opened({ kind: 'domain_unverified', reason: `no_record_${randomUUID().slice(0, 8)}` });
  const { page } = await watchedPage(browser, [desk]);
  const held = async (path: string) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(path, (route) => released.then(() => route.continue()));
    return release;
  };
  await page.goto(desk);
  await signIn(dev, page, operator);
  await page.getByLabel('Kind').selectOption('domain_unverified');
  await page.locator(`[data-id="${id}"]`).click();
  await page.getByText('Opened by system').waitFor();
  const path = `/v1/work-items/${id}`;
  const note = { method: 'POST', path: `${path}/note`, body: { note: 'I have written to them.' } };
  const asked = page.waitForRequest(`**${path}`);
  const showItem = await held(`**${path}`);
  await callAs(dev, 'worklist', await adminToken(dev), note);
  await asked;

  const showFound = await held('**/v1/search?**');
  await page.locator('#find [name="q"]').fill(randomUUID());
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('Looking …').waitFor();
  const read = page.waitForResponse(`**${path}`);
  showItem();
  await read;
  // The next look at the list comes long after the item has been read.
  await page.waitForRequest('**/v1/work-items?**');
  expect(await page.locator('#item').innerText()).toBe('Looking …');
  showFound();
  await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
  await page.close();
});

test('an answer that needs more says so and goes nowhere; what somebody else answers is shown by itself', async () => {
  const reason = `clarify_${randomUUID().slice(0, 8)}`;
  const id = await opened({ kind: 'pharmacy_hold', reason });
  const { page, complaints } = await watchedPage(browser, [desk]);
  await page.goto(desk);
  await signIn(dev, page, operator);
  await page.getByLabel('Kind').selectOption('pharmacy_hold');
  await page.locator(`[data-id="${id}"]`).click();
  await page.getByRole('button', { name: 'Reroute' }).click();
  await page.getByText('and orders at the pharmacy that you choose').waitFor();
  const offered = page.locator('select[name="pharmacy"] option');
  const values = await Promise.all((await offered.all()).map((option) => option.getAttribute('value')));
  expect(values).toEqual(['', ...pharmacies]);
  const send = page.getByRole('button', { name: 'Send answer' });
  const saying = (text: string) => page.getByRole('status').getByText(text).waitFor();
  await send.click();
  await saying('Choose a pharmacy first.');
  await page.getByRole('button', { name: 'Change' }).click();
  await send.click();
  await saying('Write what changes first.');
  await page.getByLabel('New quantity').fill('0');
  await send.click();
  await saying('New quantity must be a number above 0.');
  await page.getByLabel('New quantity').fill('');
  await page.getByLabel('New days of supply').fill('1.5');
  await send.click();
  await saying('New days of supply must be a whole number of 1 or more.');

  // The desk confirms an irreversible answer first, and going back sends nothing.
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await send.click();
  const dialog = page.getByRole('dialog', { name: 'Cancel?' });
  await dialog.getByText('to cancel the order').waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();

  await page.locator('#item').focus();
  const note = { method: 'POST', path: `/v1/work-items/${id}/note`, body: { note: 'I have called them.' } };
  await callAs(dev, 'worklist', await adminToken(dev), note);
  await page.getByText('I have called them.').waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test('A session is renewed while somebody works; after 15 idle minutes it ends and the draft waits for that person', async () => {
  const reason = `clarify_${randomUUID().slice(0, 8)}`;
  const id = await opened({ kind: 'pharmacy_hold', reason });
  const { page } = await watchedPage(browser, [desk]);
  await page.clock.install();
  await page.goto(desk);
  await signIn(dev, page, operator);
  const first = await page.evaluate("sessionStorage.getItem('token')");
  const renewed = page.waitForResponse((response) => response.url().endsWith('/v1/auth/refresh'));
  await page.clock.fastForward('10:00');
  expect((await renewed).status()).toBe(200);
  await eventually(async () => (await page.evaluate("sessionStorage.getItem('token')")) !== first);

  await page.getByLabel('Kind').selectOption('pharmacy_hold');
  await page.locator(`[data-id="${id}"]`).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByLabel('New directions').fill('Once a week');
  const signedOut = page.waitForResponse((response) => response.url().endsWith('/v1/auth/sign-out'));
  // Minute by minute, so that the session is renewed meanwhile.
  for (let minute = 0; minute < 16; minute += 1) await page.clock.fastForward('01:00');
  await page.getByRole('status').getByText('You were signed out after 15 minutes without').waitFor();
  expect((await signedOut).status()).toBe(200);
  expect(await page.locator('#item').innerText()).toBe('');
  await page.clock.resume();
  await signIn(dev, page, operator);
  await page.getByRole('status').getByText('Your draft is back.').waitFor();
  expect(await page.getByLabel('New directions').inputValue()).toBe('Once a week');
  await page.close();
});

test('The next item stays open when the answer to the last one arrives late; typing keeps the focus, an unknown order is said so', async () => {
  const ids = await Promise.all(
    [0, 1].map(() => opened({ kind: 'domain_unverified', reason: `no_record_${randomUUID().slice(0, 8)}` })),
  );
  const { page } = await watchedPage(browser, [desk]);
  await page.goto(desk);
  await signIn(dev, page, operator);
  await page.route('**/v1/work-items**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 250));
    await route.continue();
  });
  await page.getByLabel('Kind').selectOption('domain_unverified');
  await page.locator(`[data-id="${ids[0]!}"]`).click();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.getByRole('status').getByText('Done.').waitFor();
  await page.locator(`[data-id="${ids[1]!}"]`).click();
  await page.getByText('Opened by system').waitFor();
  await page.locator(`[data-id="${ids[0]!}"]`).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Dismiss' }).waitFor();
  expect(await page.locator(`[data-id="${ids[1]!}"]`).getAttribute('aria-current')).toBe('true');

  // The item arrives while the person types already.
  await page.locator(`[data-id="${ids[1]!}"]`).click();
  const unknown = randomUUID();
  await page.keyboard.press('/');
  await page.keyboard.type(unknown, { delay: 20 });
  expect(await page.locator('#find [name="q"]').inputValue()).toBe(unknown);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
  await page.close();
});
