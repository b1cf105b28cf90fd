import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { approve, chargesOf, semaglutideFor, submissionIdOf } from '../api/orchestrator/approvals.js';
import { atPharmacy, booked, refundsOf, statusesOf } from '../api/orchestrator/exceptions.js';
import { shipped } from '../api/orchestrator/replacements.js';
import { barriersOf, openBrowser, watchedPage } from '../helpers/browser.js';
import { adminToken, call, callAs, eventually, shared } from '../helpers/client.js';
import { newPatient, saveCard } from '../helpers/patients.js';
import { newSuperadmin, signIn } from './desk.js';

const dev = shared();
const desk = dev.services.worklist;
let browser: Browser;
let page: Page;
let complaints: string[];
let operator: string;
beforeAll(async () => {
  browser = await openBrowser();
  operator = await newSuperadmin();
  ({ page, complaints } = await watchedPage(browser, [desk]));
  await page.goto(desk);
  await signIn(dev, page, operator);
});
beforeEach(() => void (complaints.length = 0));
afterAll(() => browser.close());

/** A task that is approved and charged, its order at pharmacy_a. */
async function approved() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  const [order] = await booked(dev, approval.taskId);
  return { patient, taskId: approval.taskId, order: order! };
}
/** Finds it as a person does, with the keyboard alone. */
async function find(q: string): Promise<void> {
  await page.locator('#list').focus();
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(q);
  await page.keyboard.press('Enter');
}
/** By a link, as a colleague sends it. */
async function openOrder(taskId: string): Promise<void> {
  await page.evaluate(`location.hash = '#order/${taskId}'`);
  await page.getByText(`Order ${taskId}`).waitFor();
}
const saying = (text: string) => page.getByRole('status').getByText(text).waitFor();
const panel = () => page.locator('.panel');
const send = (title: string) => panel().getByRole('button', { name: title }).click();
/** Opens an action; what it asks for is written before it is sent, and confirmed where nobody can undo it. */
async function act(title: string, { write, sure }: { write?: () => Promise<void>; sure?: boolean } = {}) {
  await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: title }).click();
  await write?.();
  await send(title);
  if (sure) await page.getByRole('button', { name: /^Yes, / }).click();
  await saying('Done.');
}
const note = (text: string) => panel().getByLabel(/^Note/).fill(text);
/** The text of a card of the page under a name. */
const fact = (name: string): Locator =>
  page.locator('.cards dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd');
/** True if nothing of it lies beyond the edge. */
const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');

describe('an order at the desk', () => {
  test('is found by its number, its order at the pharmacy and its patient; nothing about the patient stands in the address', async () => {
    const { patient, taskId, order } = await approved();
    await find(`nobody.${patient.email}`);
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    expect(page.url()).toBe(`${desk}/`);
    for (const q of [taskId.slice(0, 20), submissionIdOf(dev, taskId), order.orderId]) {
      await find(q);
      await page.getByText(`Order ${taskId}`).waitFor();
      await find(patient.id);
      await page.getByRole('heading', { name: /^Found/ }).waitFor();
      expect(page.url()).toBe(`${desk}/`);
    }
    await page.getByRole('list', { name: 'Prescriptions' }).getByRole('button').first().click();
    await page.getByRole('heading', { name: `Semaglutide 5mg/mL for ${patient.name}` }).waitFor();
    expect(page.url()).toBe(`${desk}/#order/${taskId}`);
    expect(await fact('Paid').innerText()).toBe('$299.00');
    await page.goBack();
    await page.getByRole('heading', { name: /^Found/ }).waitFor();
    await page.goForward();
    await page.getByText(`Order ${taskId}`).waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([
    ['light', 1200],
    ['dark', 360],
    ['light', 640],
  ] as const)(
    'reads well and is used by keyboard in %s colours, %d px wide, with a slow network',
    async (colorScheme, width) => {
      const { taskId } = await approved();
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.route('**/v1/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 250));
        await route.continue();
      });
      await openOrder(taskId);
      expect([await barriersOf(page), await fits()]).toEqual([[], true]);
      const refund = page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Refund' });
      await page.locator('#item').focus();
      while ((await refund.and(page.locator(':focus')).count()) === 0) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.keyboard.type('49.999');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Late by a week');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await saying('Amount must be dollars and cents, such as 49.50.');
      await panel().getByLabel('Amount in dollars').fill('49.50');
      await send('Refund');
      const dialog = page.getByRole('dialog', { name: 'Refund?' });
      await dialog.getByText('Amount: $49.50').waitFor();
      expect([await barriersOf(page), await fits()]).toEqual([[], true]);
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await saying('Done.');
      await eventually(async () => (await fact('Refunded').innerText()) === '$49.50');
      expect(await refundsOf(dev, taskId)).toMatchObject([{ amountCents: 4950 }]);
      expect([await barriersOf(page), await fits()]).toEqual([[], true]);
      await page.unrouteAll({ behavior: 'wait' });
      await page.setViewportSize({ width: 1400, height: 1000 });
      await page.emulateMedia({ colorScheme: 'light' });
      expect(complaints).toEqual([]);
    },
  );

  test('is cancelled only after the dialog that repeats the effect; going back sends nothing', async () => {
    const { taskId } = await approved();
    await openOrder(taskId);
    const cancel = page
      .getByRole('group', { name: 'Actions' })
      .getByRole('button', { name: 'Cancel the order' });
    await cancel.click();
    await send('Cancel the order');
    await saying('Write a note first.');
    await note('The patient asked');
    await send('Cancel the order');
    await page.getByRole('dialog').getByText('$299.00 is refunded').waitFor();
    await page.keyboard.press('Enter');
    expect(await statusesOf(dev, taskId)).toEqual([]);
    await send('Cancel the order');
    await page.getByRole('button', { name: 'Yes, cancel the order' }).click();
    await saying('Done.');
    await eventually(async () => (await fact('Cancellation').innerText()).startsWith('Cancelled'));
    expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
    expect(await refundsOf(dev, taskId)).toMatchObject([{ amountCents: 29_900 }]);
    expect(complaints).toEqual([]);
  });

  test('an address changes before the next refill is sent: the refill goes there, the order stays', async () => {
    const { taskId } = await approved();
    await openOrder(taskId);
    await act('Send refills to another address', {
      sure: true,
      write: async () => {
        await panel().getByLabel('Address', { exact: true }).fill('20 Beech Street');
        await panel().getByLabel('Number of refills').fill('2');
      },
    });
    await eventually(async () => (await fact('Next address').innerText()).startsWith('20 Beech Street'));
    expect(await fact('Next address').innerText()).toContain('(2 more)');
    expect((await booked(dev, taskId)).map(({ body }) => JSON.stringify(body))).toEqual([
      expect.not.stringContaining('20 Beech Street'),
    ]);
    expect(complaints).toEqual([]);
  });

  test('an address changes after shipping: one more order goes to the new one, and nothing is charged', async () => {
    const { taskId } = await shipped(dev);
    await openOrder(taskId);
    await act('Send a replacement', {
      sure: true,
      write: async () => {
        await panel().getByLabel('Reason').selectOption('returned');
        await panel().getByLabel('Paid by').selectOption('company');
        await panel().getByText('Another address').click();
        await panel().getByLabel('Address', { exact: true }).fill('20 Beech Street');
      },
    });
    await eventually(async () => (await fact('Replacement 1').innerText()).startsWith('Returned'));
    const [again, ...others] = await booked(dev, `${taskId}~1`);
    expect(JSON.stringify(again?.body)).toContain('20 Beech Street');
    expect([others, await chargesOf(dev, `${taskId}~1`)]).toEqual([[], []]);
    expect(complaints).toEqual([]);
  });

  test('a lost parcel is sent again at the same address, and the carrier pays', async () => {
    const { taskId, order } = await shipped(dev);
    await openOrder(taskId);
    await act('Send a replacement', {
      sure: true,
      write: async () => {
        await panel().getByLabel('Reason').selectOption('lost');
        await panel().getByLabel('Paid by').selectOption('carrier');
      },
    });
    await eventually(async () => (await fact('Replacement 1').innerText()).startsWith('Lost'));
    const [again] = await booked(dev, `${taskId}~1`);
    const { externalId: _one, ...first } = order.body;
    const { externalId: _other, ...second } = again!.body;
    expect(second).toEqual(first);
    expect([await chargesOf(dev, taskId), await chargesOf(dev, `${taskId}~1`)]).toMatchObject([[{}], []]);
    expect(complaints).toEqual([]);
  });

  test('“we never got this order”: it is ordered again from the item, or at another pharmacy from its page', async () => {
    const lost = async () => {
      const made = await approved();
      await atPharmacy(dev, made.order, 'forget', {});
      return made.taskId;
    };
    const atItem = await lost();
    const path = `/rx/prescriptions/${submissionIdOf(dev, atItem)}/missing`;
    await call(dev, 'router', { key: 'orchestrator', method: 'POST', path });
    const item = await eventually(async () => {
      const query = `/v1/work-items?state=open&kind=order_missing&taskId=${atItem}`;
      const { body } = await callAs<{ workItems: { id: string }[] }>(dev, 'worklist', await adminToken(dev), {
        path: query,
      });
      return body.workItems[0];
    });
    await page.getByLabel('Kind').selectOption('order_missing');
    await page.locator(`#items [data-id="${item.id}"]`).click();
    await page.getByText('Opened by system').waitFor();
    await page.getByRole('button', { name: 'Order again' }).click();
    await page.getByRole('button', { name: 'Send answer' }).click();
    await saying('Done.');
    expect(await booked(dev, `${atItem}#2`)).toMatchObject([{ pharmacy: 'pharmacy_a', moves: [] }]);
    expect(await chargesOf(dev, atItem)).toHaveLength(1);
    await page.getByLabel('Kind').selectOption('');

    const atPage = await lost();
    await openOrder(atPage);
    await act('Order at another pharmacy', {
      sure: true,
      write: async () => {
        await panel().getByLabel('Pharmacy').selectOption('pharmacy_c');
      },
    });
    await eventually(async () => (await fact('Pharmacy').innerText()) === 'Pharmacy C');
    expect(await booked(dev, `${atPage}#2`)).toHaveLength(1);
    expect(await chargesOf(dev, atPage)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('refills are skipped, moved, paused, resumed and ended, and the page says what comes next', async () => {
    const { taskId } = await approved();
    await openOrder(taskId);
    const before = await fact('Next refill').innerText();
    await act('Skip the next refill');
    await eventually(async () => (await fact('Next refill').innerText()) !== before);
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    await act('Move the next refill', {
      write: () => panel().getByLabel('Date of the next refill').fill(day),
    });
    await eventually(async () =>
      (await fact('Next refill').innerText()).includes(String(Number(day.slice(8)))),
    );
    await act('Pause the refills');
    await eventually(async () => (await fact('Refills').innerText()).startsWith('Paused'));
    await act('Resume the refills');
    await eventually(async () => (await fact('Refills').innerText()).startsWith('Active'));
    await act('End the refills', { sure: true });
    await eventually(async () => (await fact('Refills').innerText()).startsWith('Cancelled'));
    expect(complaints).toEqual([]);
  });
});
