import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createSql, type Sql } from '../../db/client.js';
import { approve, chargesOf, semaglutideFor } from '../api/orchestrator/approvals.js';
import { mailsTo } from '../api/intake/visitors.js';
import { barriersOf, openBrowser, watchedPage } from '../helpers/browser.js';
import { eventually, sandbox, shared } from '../helpers/client.js';
import { newPatient, saveCard } from '../helpers/patients.js';
import { startSecondApi } from '../helpers/second-api.js';

const dev = shared();
const gateway = dev.services.intake;

let browser: Browser;
let sql: Sql;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await sql.end();
});

/** A task whose charge has failed, and the link that its patient was sent. */
async function unpaid(agreed: Parameters<typeof saveCard>[2]) {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient, agreed);
  const approval = semaglutideFor(patient.id);
  await approve(dev, approval);
  const link = await eventually(async () => {
    const texts = (await mailsTo(dev, patient.email)).map(({ text }) => text);
    return texts.map((text) => /https?:\/\/\S+\/pay\?token=\S+/.exec(text)?.[0]).find(Boolean);
  });
  return { taskId: approval.taskId, link };
}

test.each(['light', 'dark'] as const)(
  'a patient pays with another card, by keyboard, on a small screen in %s colours',
  async (colorScheme) => {
    const { taskId, link } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
    const { page, complaints } = await watchedPage(browser, [gateway]);
    await page.setViewportSize({ width: 360, height: 640 });
    await page.emulateMedia({ colorScheme });
    await page.goto(link);
    await page.getByRole('heading', { name: 'Pay $299.00' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);

    const button = page.getByRole('button', { name: 'Save this card and pay' });
    await page.getByLabel('Test card').focus();
    await page.keyboard.press('Tab');
    expect(await button.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByText('Your payment was received.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);

    await page.reload();
    await page.getByRole('heading', { name: 'Nothing is owed' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  },
);

test('a patient is told of a decline, and pays with the next card', async () => {
  const { taskId, link } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
  const { page } = await watchedPage(browser, [gateway]);
  await page.goto(link);
  await page.getByLabel('Test card').selectOption({ label: 'Card that cannot be saved' });
  await page.getByRole('button', { name: 'Save this card and pay' }).click();
  await page.getByRole('alert').getByText('Your bank has declined it.').waitFor();
  await page.getByLabel('Test card').selectOption({ label: 'Visa that pays' });
  await page.getByRole('button', { name: 'Save this card and pay' }).click();
  await page.getByText('Your payment was received.').waitFor();
  expect(await chargesOf(dev, taskId)).toHaveLength(1);
  await page.close();
});

test('a patient whose bank does not answer is asked to come back, and is promised no message', async () => {
  const { taskId, link } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
  const { page, complaints } = await watchedPage(browser, [gateway]);
  await page.goto(link);
  const button = page.getByRole('button', { name: 'Save this card and pay' });
  await button.waitFor();
  // Meanwhile a charge of theirs has begun whose outcome nobody knows yet.
  await sql`update orchestrator.payment set status = 'pending' where task_id = ${taskId}`;
  await button.click();
  const answer =
    'Your bank has not answered yet. Please open this link again later; you are not charged twice.';
  await page.getByRole('status').getByText(answer, { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test('a patient satisfies the bank, and the saved card pays', async () => {
  const { taskId, link } = await unpaid({ card: 'pm_card_authenticationRequired' });
  const { page, complaints } = await watchedPage(browser, [gateway]);
  await page.goto(link);
  await page.getByRole('button', { name: 'Ask my bank' }).click();
  const session = await eventually(
    async () => /seti_\w+/.exec(await page.locator('#session').innerText())?.[0],
  );
  expect(await barriersOf(page)).toEqual([]);
  await sandbox(dev, `/stripe/setup-intents/${session}/authenticate`, { method: 'POST', body: {} });
  await page.getByRole('button', { name: 'I have confirmed' }).click();
  await page.getByText('Your payment was received.').waitFor();
  expect(await chargesOf(dev, taskId)).toHaveLength(1);
  expect(complaints).toEqual([]);
  await page.close();
});

test('a price without its coupon is shown before it is paid; a link that is none says so', async () => {
  const { taskId, link } = await unpaid({ couponId: 'EXPIRED' });
  const { page } = await watchedPage(browser, [gateway]);
  await page.goto(link);
  await page.getByText('Your coupon is no longer valid. This is the price without it.').waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pay with this card' }).click();
  await page.getByText('Your payment was received.').waitFor();
  expect(await chargesOf(dev, taskId)).toMatchObject([{ amountCents: 29_900 }]);
  await page.goto(`${gateway}/pay?token=nothing`);
  await page.getByRole('heading', { name: 'Invalid payment link' }).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.close();
});

/** Stands in for Stripe.js: a field of the processor, and a card of its own. */
const stripeJs = `window.Stripe = (key) => ({
  elements: (options) => ({
    create: () => ({ mount: (at) => (document.querySelector(at).textContent = key + ' ' + options.currency) }),
    submit: async () => ({}),
  }),
  createPaymentMethod: async () => ({ paymentMethod: { id: 'pm_card_mastercard' } }),
});`;

test('with a publishable key a patient pays by the fields of the processor (D163)', async () => {
  const { taskId, link } = await unpaid({ card: 'pm_card_chargeCustomerFail' });
  const intake = await startSecondApi(dev, ['intake'], {
    STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_tests',
    CLINIC_NAME: 'Clinic of the tests',
  });
  try {
    const { page, complaints } = await watchedPage(browser, [
      intake.services.intake,
      'https://js.stripe.com',
    ]);
    await page.route('https://js.stripe.com/v3/', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: stripeJs }),
    );
    await page.goto(link.replace(gateway, intake.services.intake));
    await page.getByText('pk_test_of_the_tests usd').waitFor();
    await page.getByText('Clinic of the tests').waitFor();
    expect(await page.getByLabel('Test card').count()).toBe(0);
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save this card and pay' }).click();
    await page.getByText('Your payment was received.').waitFor();
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
    expect(complaints).toEqual([]);
    await page.close();
  } finally {
    await intake.stop();
  }
});
