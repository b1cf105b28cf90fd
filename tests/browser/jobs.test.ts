import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createSql, type Sql } from '../../db/client.js';
import { chargesOf, messagesTo } from '../api/orchestrator/approvals.js';
import { booked, statusesOf } from '../api/orchestrator/exceptions.js';
import { dayFromToday } from '../api/orchestrator/refills.js';
import { shipped } from '../api/orchestrator/replacements.js';
import { openBrowser, watchedPage } from '../helpers/browser.js';
import { eventually, shared } from '../helpers/client.js';
import { saveCard } from '../helpers/patients.js';
import { newOperator, signIn } from './desk.js';
import * as calls from './phone-calls.js';
import { approved, chargesAndRefunds, held, holdOf, scheduleOf, sentTo } from './phone-calls.js';
import { prepareAll, prepared } from './prepared.js';
import { type Job, Reader, writeJobs } from './reader.js';

const dev = shared();
const jobs: Job[] = [];
const beech = '20 Beech Street';
let browser: Browser;
let sql: Sql;
let page: Reader['page'];
let complaints: string[];

beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  prepareAll();
  browser = await openBrowser();
  ({ page, complaints } = await watchedPage(browser, [dev.services.worklist]));
  await page.goto(dev.services.worklist);
  await signIn(dev, page, await newOperator(dev));
});
afterAll(async () => {
  await browser.close();
  await sql.end();
  if (process.env['WRITE_DESK_JOBS'] === 'yes') await writeJobs(jobs);
});

/** @param make makes what the job needs. @param work does the job and returns what the books say */
function job<T>(name: string, make: () => Promise<T>, work: (desk: Reader, made: T) => Promise<string>) {
  const made = prepared(make);
  test(name, async () => {
    complaints.length = 0;
    const desk = new Reader(page);
    const books = await work(desk, await made());
    jobs.push({ job: name, clicks: desk.clicks, shown: desk.shown, books });
    expect(complaints).toEqual([]);
    expect(await page.locator('body').innerText()).not.toMatch(/\bnull\b|undefined/);
  });
}

const move = (desk: Reader, write: () => Promise<void>) =>
  desk.act('Change pharmacy or address', { effect: /^Cancels the order at Pharmacy A/, write });
const change = (desk: Reader, write: () => Promise<void>) =>
  desk.answer('Change', { effect: /^Sends the changed fields/, write });
const replace = (desk: Reader, why: [reason: string, paidBy: string], more?: () => Promise<void>) =>
  desk.act('Send a replacement', {
    effect: /^Orders the same prescription again/,
    write: async () => {
      await desk.choose('Reason', why[0]);
      await desk.choose('Paid by', why[1]);
      await more?.();
    },
  });
const asks = (code: string, message: string) => () => held(code, message);
job(
  'see what waits, and answer a hold',
  asks('clarify-rx', 'Once a day or once a week?'),
  async (desk, { patient, taskId }) => {
    await desk.open(/^Pharmacy hold/, patient.name);
    await desk.reads(/Pharmacy A asks: “Once a day or once a week\?”/);
    await desk.reads(new RegExp(`${patient.name}, WA · Semaglutide 5mg/mL`));
    await desk.answer('Proceed', { effect: /^Asks Pharmacy A to continue/ });
    expect(await holdOf(taskId)).toMatchObject({ state: 'answered', answer: 'proceed' });
    return 'pharmacy_a has the answer `proceed`';
  },
);
job(
  'new directions for a hold',
  asks('clarify-rx', 'Which dose?'),
  async (desk, { patient, taskId, order }) => {
    const directions = 'Inject 20 units once a week';
    await desk.open(/^Pharmacy hold/, patient.name);
    await change(desk, () => desk.write(/^New directions/, directions));
    expect(await holdOf(taskId)).toMatchObject({ answer: 'change' });
    expect(await sentTo(order)).toContain(directions);
    await eventually(async () => (await scheduleOf(sql, patient)).dosage === directions);
    return 'pharmacy_a has the new directions, and so has the next refill';
  },
);
job(
  'correct an address when asked',
  asks('clarify-address', 'No such street'),
  async (desk, { patient, order }) => {
    await desk.open(/^Pharmacy hold/, patient.name);
    await change(desk, async () => {
      await desk.click('New shipping address (all fields)');
      await desk.write('Address', beech);
      await desk.write('First name', 'Ada');
      await desk.write('Last name', 'Example');
      await desk.write('Phone', '+12025550101');
    });
    expect(await sentTo(order)).toContain(beech);
    return 'pharmacy_a has the new address for the order that it holds';
  },
);
job(
  'reroute when a pharmacy has none left',
  asks('out-of-stock', 'Back in two weeks'),
  async (desk, { patient, taskId }) => {
    await desk.open(/^Pharmacy hold/, patient.name);
    const write = () => desk.choose('Pharmacy', 'Pharmacy C');
    await desk.answer('Reroute', { effect: /^Cancels the order at Pharmacy A/, write });
    await eventually(async () => (await booked(dev, `${taskId}#2`)).length === 1);
    return `pharmacy_a cancelled, pharmacy_c has the order; ${await chargesAndRefunds(taskId)}`;
  },
);

const caller = prepared(approved);
job('send the last message again', caller, async (desk, { taskId, patient }) => {
  await desk.find(taskId);
  await desk.act('Send the last message again', {
    effect: /^Sends the patient the last message \(prescription/,
  });
  const mails = (await messagesTo(dev, patient)).filter(({ channel }) => channel === 'email');
  expect(mails).toHaveLength(2);
  return 'the mailbox has the same mail twice';
});
job('address change before shipping, not asked: this order', caller, async (desk, { taskId, order }) => {
  await desk.find(taskId);
  await move(desk, async () => {
    await desk.click('Another address');
    await desk.write('Address', beech);
  });
  await desk.learns('Ships to', new RegExp(`^${beech}`));
  const [moved] = await booked(dev, `${taskId}#2`);
  const first = order.body['shipTo'] as object;
  expect(moved).toMatchObject({ pharmacy: 'pharmacy_a', body: { shipTo: { ...first, line1: beech } } });
  expect([await statusesOf(dev, taskId), await chargesOf(dev, taskId)]).toMatchObject([['cancelled'], [{}]]);
  return `pharmacy_a cancelled, and has the order with the new address; ${await chargesAndRefunds(taskId)}`;
});
job(
  'address change before shipping, not asked: the next refills',
  caller,
  async (desk, { taskId, order }) => {
    await desk.find(taskId);
    const write = async () => {
      await desk.write('Address', '7 Elm Road');
      await desk.write('Number of refills', '2');
    };
    await desk.act('Send refills to another address', {
      effect: /^Sends the next refill, or as many/,
      write,
    });
    await desk.learns('Next address', /^7 Elm Road.*\(2 more\)/);
    const orders = [order, ...(await booked(dev, `${taskId}#2`))];
    expect(JSON.stringify(orders)).not.toContain('7 Elm Road');
    return 'the schedule sends 2 refills there; the order at pharmacy_a is as it was';
  },
);
job('skip a refill, move the next, pause, resume, end', caller, async (desk, { taskId, patient }) => {
  await desk.find(taskId);
  await desk.act('Skip the next refill', { effect: /^Leaves out the refill of/ });
  const write = () => desk.write('Date of the next refill', dayFromToday(40));
  await desk.act('Move the next refill', { effect: /^Moves the refill of/, write });
  expect(await scheduleOf(sql, patient)).toMatchObject({ skipped: 1, nextFillDate: dayFromToday(40) });
  for (const [title, effect, state] of [
    ['Pause the refills', /^Sends no refill until/, /^Paused/],
    ['Resume the refills', /^Sends refills again/, /^Active/],
    ['End the refills', /^Ends the refills for good/, /^Cancelled/],
  ] as const) {
    await desk.act(title, { effect });
    await desk.learns('Refills', state);
  }
  expect((await scheduleOf(sql, patient)).status).toBe('cancelled');
  return 'the schedule skipped one, moved, paused, resumed and ended';
});
job('reroute any other order, with a note', caller, async (desk, { taskId }) => {
  await desk.find(taskId);
  await move(desk, async () => {
    await desk.choose('Pharmacy', 'Pharmacy C');
    await desk.write('Note', 'The patient prefers C');
  });
  await desk.reads(/asked for by .*: The patient prefers C/);
  expect(await booked(dev, `${taskId}#3`)).toHaveLength(1);
  return `pharmacy_a cancelled, pharmacy_c has the order; ${await chargesAndRefunds(taskId)}`;
});
job('refund all: cancel the order', caller, async (desk, { taskId }) => {
  await desk.find(taskId);
  const write = () => desk.write(/^Note/, 'The patient has changed plans');
  await desk.act('Cancel the order', { effect: /^Asks Pharmacy C to cancel the order/, write });
  await desk.learns('Cancellation', /^Cancelled, \$299.00 refunded/);
  expect(await statusesOf(dev, `${taskId}#3`)).toEqual(['cancelled']);
  return `pharmacy_c cancelled; ${await chargesAndRefunds(taskId)}`;
});
const [noted, unnoted] = [true, false].map((isNoted) => calls.forgotten({ isNoted }));
job('“we never got this order”, as an item', noted!, async (desk, { taskId, patient }) => {
  await desk.open(/^Order missing/, patient.name);
  await desk.answer('Order again', { effect: /^Orders the same prescription at Pharmacy A again/ });
  expect(await booked(dev, `${taskId}#2`)).toMatchObject([{ pharmacy: 'pharmacy_a', moves: [] }]);
  expect(await chargesOf(dev, taskId)).toHaveLength(1);
  return `pharmacy_a has the order; ${await chargesAndRefunds(taskId)}`;
});
job('“we never got this order”, on the phone', unnoted!, async (desk, { taskId }) => {
  await desk.find(taskId);
  await move(desk, () => desk.choose('Pharmacy', 'Pharmacy C'));
  await desk.learns('Pharmacy', /^Pharmacy C$/);
  expect(await booked(dev, `${taskId}#2`)).toHaveLength(1);
  return `pharmacy_c has the order; ${await chargesAndRefunds(taskId)}`;
});

const sent = () => shipped(dev);
const parcel = prepared(sent);
job('where is my order? (by e-mail address)', parcel, async (desk, { patient, order }) => {
  await desk.find(patient.email);
  await desk.reads(/^Found/);
  await desk.click(/^Semaglutide 5mg\/mL.*Completed/);
  await desk.learns('Tracking', new RegExp(`^1Z${order.orderId}$`));
  await desk.reads(/^.*Paid: \$299\.00/);
  return 'pharmacy_a shipped it with this tracking number';
});
job('refund a part, after shipping', parcel, async (desk, { taskId }) => {
  await desk.find(taskId);
  const write = async () => {
    await desk.write(/^Amount in dollars/, '49.50');
    await desk.write(/^Note/, 'Came a week late');
  };
  await desk.act('Refund', { effect: /^Refunds a part, or all of \$299.00/, write });
  await desk.learns('Refunded', /^\$49.50$/);
  return chargesAndRefunds(taskId);
});
job('a lost parcel is sent again', parcel, async (desk, { taskId, order }) => {
  await desk.find(taskId);
  await replace(desk, ['Lost', 'Carrier']);
  await desk.learns('Replacement 1', /^Lost/);
  const [again, ...others] = await booked(dev, `${taskId}~1`);
  expect({ ...again!.body, externalId: '' }).toEqual({ ...order.body, externalId: '' });
  expect([others, await chargesOf(dev, `${taskId}~1`)]).toEqual([[], []]);
  return `pharmacy_a has one more order; ${await chargesAndRefunds(taskId)}`;
});
job('address change after shipping', sent, async (desk, { taskId }) => {
  await desk.find(taskId);
  await replace(desk, ['Returned', 'Us'], async () => {
    await desk.click('Another address');
    await desk.write('Address', beech);
  });
  await desk.learns('Replacement 1', /^Returned/);
  const [again, ...others] = await booked(dev, `${taskId}~1`);
  expect(again?.body).toMatchObject({ shipTo: { line1: beech } });
  expect([others, await chargesOf(dev, `${taskId}~1`)]).toEqual([[], []]);
  return `pharmacy_a has one more order, to the new address; ${await chargesAndRefunds(taskId)}`;
});
job('dose change at the next fill of a plan', calls.planAtItsEnd, async (desk, { id, patient }) => {
  await desk.open(/^Decision needed/, patient.name);
  await desk.answer('Decide', {
    effect: /^Makes the next fill one of/,
    write: () => desk.write('Phase', '2'),
  });
  const order = await eventually(async () => (await booked(dev, `refill-${id}-3`))[0]);
  expect(JSON.stringify(order.body)).toContain('inject 20 units weekly');
  return 'pharmacy_a has the third fill with 20 units';
});
const unpaid = () => calls.unpaid(sql);
job('charge again what was not paid', unpaid, async (desk, { patient, taskId }) => {
  await saveCard(dev, patient);
  await desk.open(/^Payment unpaid/, patient.name);
  await desk.answer('Charge again', { effect: /^Charges \$299.00 to the saved card again/ });
  expect(await chargesOf(dev, taskId)).toMatchObject([{ status: 'succeeded' }]);
  return chargesAndRefunds(taskId);
});
job('waive what was not paid', unpaid, async (desk, { patient, taskId }) => {
  await desk.open(/^Payment unpaid/, patient.name);
  await desk.answer('Waive', { effect: /^Waives \$299.00/ });
  expect([await calls.dunningOf(sql, taskId), await chargesOf(dev, taskId)]).toEqual(['cancelled', []]);
  return `${await chargesAndRefunds(taskId)}; no further try is made`;
});
job('an approval that failed', calls.failedApproval, async (desk, { taskId, patient }) => {
  await desk.open(/^Approval failed/, patient.name);
  await calls.serve(patient);
  await desk.answer('Approve again', { effect: /^Runs the approval again/ });
  await eventually(async () => (await booked(dev, taskId)).length === 1);
  return `pharmacy_a has the order; ${await chargesAndRefunds(taskId)}`;
});
job('a refill that could not be sent', calls.failedRefill, async (desk, { id, patient }) => {
  await desk.open(/^Refill failed/, patient.name);
  await calls.serve(patient);
  await desk.answer('Try again', { effect: /^Runs this refill now/ });
  await eventually(async () => (await booked(dev, `refill-${id}-1`)).length === 1);
  return `pharmacy_a has the refill; ${await chargesAndRefunds(`refill-${id}-1`)}`;
});
job('month end: orders, charges, refunds and bills, as CSV', calls.closedDay, async (desk, day) => {
  await desk.click('Month');
  if (!day.startsWith(dayFromToday(0).slice(0, 7))) await desk.click('Month before');
  await desk.reads(/closed days?; bills as they have come/);
  const loading = page.waitForEvent('download');
  await desk.click('Download as CSV');
  expect((await loading).suggestedFilename()).toBe(`${day.slice(0, 7)}.csv`);
  return 'the closes have the same figures';
});
