import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { booked } from '../api/orchestrator/exceptions.js';
import { barriersOf, openBrowser, watchedPage } from '../helpers/browser.js';
import { callAs, eventually, sandbox, shared } from '../helpers/client.js';
import { newOperator, newSuperadmin, signIn } from './desk.js';
import { held, sentTo } from './phone-calls.js';

const dev = shared();
const desk = dev.services.worklist;
/** `npm run evidence -- desk-session` waits as long as a person works, and keeps pictures. */
const isReal = process.env['REAL_SESSION'] === 'yes';
const pictures = fileURLToPath(new URL('../../evidence/results/desk/', import.meta.url));
let browser: Browser;
let operator: string;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await openBrowser();
  operator = await newSuperadmin();
});
afterAll(() => browser.close());

/** A few of them tell enough. */
const kept = [
  ...['wide-order', 'wide-dialog', 'dark-item', 'phone-list', 'phone-order', 'phone-dark-item', 'zoom-order'],
  ...['session-26-minutes', 'session-40-minutes'],
];
const picture = (page: Page, name: string) =>
  isReal && kept.includes(name)
    ? page.screenshot({ path: `${pictures}${name}.jpg`, type: 'jpeg', quality: 60 })
    : undefined;
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 200; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead there');
}

const looks: [string, BrowserContextOptions][] = [
  ['wide', { viewport: { width: 1280, height: 900 } }],
  ['phone-dark', { viewport: { width: 360, height: 780 }, colorScheme: 'dark' }],
  // A window of 1280 by 900 at 200 %.
  ['zoom', { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }],
];
/** What the others do not show together. */
const moreLooks: typeof looks = [
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 780 } }],
];
test.each([...looks, ...(isReal ? moreLooks : [])])(
  'Every page is reached by keyboard alone and has no barrier, with a network of 250 ms: %s',
  async (look, options) => {
    const { taskId, patient } = await held('clarify-rx', 'Once a day or once a week?');
    const { page, complaints } = await watchedPage(browser, [desk], options);
    await page.route('**/v1/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      await route.continue();
    });
    const reads = async (name: string) => {
      await picture(page, `${look}-${name}`);
      expect([name, await barriersOf(page)]).toEqual([name, []]);
      const isWhole = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
      expect([name, isWhole]).toEqual([name, true]);
      for (const text of [await page.title(), page.url()])
        for (const personal of [patient.name, patient.email, patient.id])
          expect(text).not.toContain(personal);
    };
    const key = (name: string) => page.keyboard.press(name);
    await page.goto(desk);
    await reads('sign-in');
    await signIn(dev, page, operator);
    const row = page.locator('#items').getByRole('button', { name: new RegExp(patient.name) });
    await row.waitFor();
    await reads('list');
    await page.locator('#list').focus();
    while ((await row.and(page.locator(':focus')).count()) === 0) await key('j');
    await key('Enter');
    await page.getByText('Once a day or once a week?').first().waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Change', exact: true }));
    await key('Enter');
    await page.getByLabel(/^New directions/).waitFor();
    await reads('item');

    await tabTo(page, page.getByRole('button', { name: 'Open the order' }));
    await key('Enter');
    await page.getByRole('heading', { name: 'What you can do' }).waitFor();
    await reads('order');
    await tabTo(page, page.getByRole('button', { name: 'Cancel the order' }));
    await key('Enter');
    await page.keyboard.type('The patient asked');
    await tabTo(page, page.locator('.panel').getByRole('button', { name: 'Cancel the order' }));
    await key('Enter');
    await page.getByRole('dialog', { name: 'Cancel the order?' }).waitFor();
    await reads('dialog');
    // Going back is what Enter does.
    await key('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await key('Escape');

    await page.locator('#list').focus();
    await key('/');
    await page.keyboard.type(patient.id);
    await key('Enter');
    await page.getByRole('heading', { name: /^Found/ }).waitFor();
    await reads('found');
    for (const [button, heading] of [
      ['Month', /\d{4}$/],
      ['Runs', /./],
    ] as const) {
      await tabTo(page, page.getByRole('button', { name: button, exact: true }));
      await key('Enter');
      await page.locator('#item').getByRole('heading', { name: heading }).first().waitFor();
      await reads(button.toLowerCase());
    }
    expect(await booked(dev, taskId)).toMatchObject([{ moves: [] }]);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

test(
  'A session of 40 minutes with a pause of 12 keeps the person signed in and what was typed',
  async () => {
    const { order, patient } = await held('clarify-rx', 'Once a day or once a week?');
    const { page } = await watchedPage(browser, [desk]);
    if (!isReal) await page.clock.install();
    /** Nothing is pressed meanwhile. */
    const pass = async (minutes: number) => {
      if (isReal) return sleep(minutes * 60_000);
      for (let minute = 0; minute < minutes; minute += 1) await page.clock.fastForward('01:00');
    };
    const token = () => page.evaluate("sessionStorage.getItem('token')");
    await page.goto(desk);
    await signIn(dev, page, operator);
    const tokens = new Set([await token()]);
    await page
      .locator('#items')
      .getByRole('button', { name: new RegExp(patient.name) })
      .click();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const directions = page.getByLabel(/^New directions/);
    await directions.fill('Once');
    const work = async (minutes: number, word: string) => {
      const known = tokens.size;
      for (let passed = 0; passed < minutes; passed += 4) {
        await directions.press('End');
        await pass(Math.min(4, minutes - passed));
        tokens.add(await token());
      }
      await eventually(async () => tokens.add(await token()).size > known);
      await page.keyboard.type(` ${word}`);
    };
    await work(14, 'a');
    await picture(page, 'session-14-minutes');
    await pass(12);
    expect(await directions.inputValue()).toBe('Once a');
    await picture(page, 'session-26-minutes');
    await work(14, 'week');
    await picture(page, 'session-40-minutes');
    expect(tokens.size).toBeGreaterThan(2);
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByRole('status').getByText('Done.').waitFor();
    expect(await sentTo(order)).toContain('Once a week');
    await page.close();
  },
  50 * 60_000,
);

/** Offers an identity provider at the desk that signs this person in at once. */
async function provide(page: Page, email: string): Promise<void> {
  const provider = 'https://provider.test/';
  await page.route('**/v1/auth/ways', (route) =>
    route.fulfill({
      json: { codes: true, provider: { authorizeUrl: `${provider}authorize`, clientId: 'scriptrail' } },
    }),
  );
  await page.route(`${provider}**`, async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const { idToken } = await sandbox<{ idToken: string }>(dev, '/idp/tokens', {
      method: 'POST',
      body: { sub: email, email, claims: { nonce: asked.get('nonce') } },
    });
    const back = `${asked.get('redirect_uri')}#id_token=${idToken}&state=${asked.get('state')}`;
    await route.fulfill({ contentType: 'text/html', body: `<script>location.replace('${back}')</script>` });
  });
}

test.each([
  ['waits for the person who wrote it', true],
  ['is shown to nobody else', false],
])('While the identity provider signs in, a draft %s', async (_what, isSame) => {
  const { patient } = await held('clarify-rx', 'Once a day or once a week?');
  const writer = await newOperator(dev);
  const { page } = await watchedPage(browser, [desk]);
  await provide(page, isSame ? writer : await newOperator(dev));
  await page.goto(desk);
  await signIn(dev, page, writer);
  await page
    .locator('#items')
    .getByRole('button', { name: new RegExp(patient.name) })
    .click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const directions = page.getByLabel(/^New directions/);
  await directions.fill('Once a week');
  const token = await page.evaluate<string>("sessionStorage.getItem('token')");
  await callAs(dev, 'worklist', token, { method: 'POST', path: '/v1/auth/sign-out' });
  await page.getByRole('status').getByText('your draft is kept').waitFor();
  await page.getByRole('button', { name: 'Sign in with your company account' }).click();
  if (isSame) {
    await page.getByRole('status').getByText('Your draft is back.').waitFor();
    expect(await directions.inputValue()).toBe('Once a week');
  } else await page.locator('#item').getByText('Choose an item, or find an order.').waitFor();
  expect(await page.evaluate("sessionStorage.getItem('draft')")).toBeNull();
  await page.close();
});
