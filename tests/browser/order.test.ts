import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { approve, semaglutideFor, submissionIdOf } from '../api/orchestrator/approvals.js';
import { booked, refundsOf, statusesOf } from '../api/orchestrator/exceptions.js';
import { dayFromToday } from '../api/orchestrator/refills.js';
import { refusedPhone } from '../api/notification/notification.js';
import { setFault } from '../faults/faults.js';
import { barriersOf, openBrowser, watchedPage } from '../helpers/browser.js';
import { withKey } from '../cli/rx.js';
import { eventually, shared } from '../helpers/client.js';
import { changeInEmr, newPatient, saveCard } from '../helpers/patients.js';
import { newSuperadmin, signIn } from './desk.js';
import { approved } from './phone-calls.js';

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

  test('of another client with the same number has its own address, and is left and come back to', async () => {
    const { taskId, patient } = await approved();
    const acme = await withKey(dev, 'acme', '--scopes', 'orchestrator', '--client', 'acme');
    const other = await newPatient(dev, 'WA');
    await saveCard(dev, other);
    const theirs = await approve(acme, { ...semaglutideFor(other.id), taskId }, { key: 'acme' });
    expect(theirs.status).toBe(200);
    const isShown = ({ name }: { name: string }) =>
      page.getByRole('heading', { name: `Semaglutide 5mg/mL for ${name}` }).waitFor();
    await openOrder(taskId);
    await isShown(patient);
    await find(theirs.body.result.submissionId!);
    await isShown(other);
    expect(page.url()).toBe(`${desk}/#order/${taskId}?client=acme`);
    await page.reload();
    await isShown(other);
    await page.goBack();
    await isShown(patient);
    expect(page.url()).toBe(`${desk}/#order/${taskId}`);
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

  test('goes to an address without its second line where that is cleared; a cleared city is asked for', async () => {
    const { taskId, order } = await approved();
    await openOrder(taskId);
    await page.getByRole('button', { name: 'Change pharmacy or address' }).click();
    await panel().getByText('Another address', { exact: true }).click();
    const write = (label: string, text: string) => panel().getByLabel(label, { exact: true }).fill(text);
    await write('City', '');
    await send('Change pharmacy or address');
    await saying('The new address also needs: City.');
    await write('City', 'Sampleton');
    await write('Address, second line', '');
    await send('Change pharmacy or address');
    await page.getByRole('dialog').getByText('New address: 18 Larch Lane, Sampleton, WA 13202').waitFor();
    await page.getByRole('button', { name: /^Yes, / }).click();
    await saying('Done.');
    const { line2, ...shipTo } = order.body['shipTo'] as Record<string, string>;
    expect(line2).toBe('Flat 3');
    expect((await booked(dev, `${taskId}#2`)).map(({ body }) => body['shipTo'])).toEqual([shipTo]);
    expect(complaints).toEqual([]);
  });

  test('moves from the same form to another pharmacy, after one has rejected it', async () => {
    const { taskId, patient } = await approved();
    const about = patient.name.replace('Ada ', '');
    await setFault(dev, { target: 'pharmacy_b', kind: 'status', status: 422, times: 1, about });
    await openOrder(taskId);
    await page.getByRole('button', { name: 'Change pharmacy or address' }).click();
    const moveTo = async (pharmacy: string) => {
      await panel().getByLabel('Pharmacy').selectOption({ label: pharmacy });
      await send('Change pharmacy or address');
      await page.getByRole('button', { name: /^Yes, / }).click();
    };
    await moveTo('Pharmacy B');
    await saying('The pharmacy did not accept it: ');
    await moveTo('Pharmacy C');
    await saying('Done. Pharmacy C has the order now.');
  });

  test('has a message sent again from the same form, once the contact that failed is corrected', async () => {
    const { taskId, patient } = await approved();
    await changeInEmr(dev, patient, (record) => {
      record.telecom = [{ system: 'phone', use: 'mobile', value: refusedPhone }];
    });
    await openOrder(taskId);
    await page.getByRole('button', { name: 'Send the last message again' }).click();
    await send('Send the last message again');
    await page.getByRole('status').getByText('No channel could deliver.', { exact: true }).waitFor();
    await changeInEmr(dev, patient, (record) => {
      record.telecom = [{ system: 'email', value: patient.email }];
    });
    await send('Send the last message again');
    await saying('Done. Prescription approved sent by e-mail.');
  });

  test('names a field that the service rejects as the page does, with the reason', async () => {
    const { taskId } = await approved();
    await openOrder(taskId);
    await page.getByRole('button', { name: 'Move the next refill' }).click();
    await panel().getByLabel('Date of the next refill').fill(dayFromToday(200));
    await send('Move the next refill');
    const status = page.getByRole('status');
    await status
      .getByText(/^Please check: Date of the next refill \(must be from today to \w+ \d+, \d{4}\)\.$/)
      .waitFor();
  });

  test('has its next refills sent elsewhere, then to fewer of them, then back to the address in the medical record', async () => {
    const { taskId } = await approved();
    await openOrder(taskId);
    const title = 'Send refills to another address';
    const [address, fills] = ['Address', 'Number of refills'].map((label) =>
      panel().getByLabel(label, { exact: true }),
    );
    const open = () =>
      page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: title }).click();
    const confirm = async (text: string) => {
      await send(title);
      await page.getByRole('dialog').getByText(text).waitFor();
      await page.getByRole('button', { name: /^Yes, / }).click();
    };
    const home = panel().getByLabel('Back to the address in the medical record');
    await open();
    expect(await home.count()).toBe(0);
    await address!.fill('7 Elm Road');
    await fills!.fill('3');
    await confirm('New address: 7 Elm Road, Flat 3');
    await saying('Done. The next 3 refills go to 7 Elm Road, Flat 3');

    await open();
    expect([await address!.inputValue(), await fills!.inputValue()]).toEqual(['7 Elm Road', '3']);
    await fills!.fill('2');
    await confirm('New address: 7 Elm Road, Flat 3');
    await saying('Done. The next 2 refills go to 7 Elm Road, Flat 3');

    await open();
    await home.check();
    await confirm('New address: the one in the medical record');
    await saying('Done. The refills go to the address in the medical record.');
    expect(await fact('Next address').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
