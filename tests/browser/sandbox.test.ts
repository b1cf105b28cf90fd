import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openBrowser, watchedPage } from '../helpers/browser.js';
import { call, freshTask, patientIn, sandbox, shared } from '../helpers/client.js';

interface Approved {
  result: { submissionId: string };
}
interface Orders {
  orders: { orderId: string; idempotencyKey: string }[];
}
interface Charges {
  charges: { id: string; metadata: object }[];
}

const dev = shared();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test('the sandbox page shows the order of an approval while it is open', async () => {
  const { page, complaints } = await watchedPage(browser, [new URL(dev.sandbox).origin]);
  await page.goto(dev.sandbox);
  await page.getByRole('heading', { name: 'Orders' }).waitFor();

  const body = { taskId: freshTask(), medication: 'semaglutide', emrPatientId: patientIn(dev, 'WA') };
  const approval = { method: 'POST', path: '/orchestrator/approve', body };
  const { result } = (await call<Approved>(dev, 'orchestrator', approval)).body;
  const { orders } = await sandbox<Orders>(dev, '/orders');
  const order = orders.find(({ idempotencyKey }) => idempotencyKey.startsWith(result.submissionId));

  await page.getByText(order!.orderId).first().waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test('the sandbox page sets a record and a certificate, and signs a token', async () => {
  const { page, complaints } = await watchedPage(browser, [new URL(dev.sandbox).origin]);
  await page.goto(dev.sandbox);
  const hostname = `${randomUUID()}.clinic.test`;
  await page.getByLabel('Name', { exact: true }).fill(`_verify.${hostname}`);
  await page.getByLabel('Value').fill('token-1');
  await page.getByRole('button', { name: 'Set record' }).click();
  await page.getByText(`_verify.${hostname} TXT is set.`).waitFor();
  await page.getByLabel('Hostname').fill(hostname);
  await page.getByRole('button', { name: 'Set certificate' }).click();
  await page.getByText(`The certificate of ${hostname} is valid.`).waitFor();
  await page.getByLabel('Subject').fill('person-1');
  await page.getByLabel('E-mail').fill('pat@clinic.test');
  await page.getByRole('button', { name: 'Sign a token' }).click();
  await page.getByText('Signed.').waitFor();

  const { records } = await sandbox<{ records: { name: string }[] }>(dev, '/dns');
  expect(records).toContainEqual({ name: `_verify.${hostname}`, type: 'TXT', values: ['token-1'] });
  const { hosts } = await sandbox<{ hosts: object[] }>(dev, '/tls');
  expect(hosts).toContainEqual({ hostname, state: 'valid' });
  expect(await page.getByLabel('Token').textContent()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(complaints).toEqual([]);
  await page.close();
});

test('the sandbox page holds an order, and sends what the processor says of a charge', async () => {
  const { page, complaints } = await watchedPage(browser, [new URL(dev.sandbox).origin]);
  const taskId = freshTask();
  const body = { taskId, medication: 'semaglutide', emrPatientId: patientIn(dev, 'WA') };
  const approval = { method: 'POST', path: '/orchestrator/approve', body };
  const { result } = (await call<Approved>(dev, 'orchestrator', approval)).body;
  const { orders } = await sandbox<Orders>(dev, '/orders');
  const order = orders.find(({ idempotencyKey }) => idempotencyKey.startsWith(result.submissionId));
  const { charges } = await sandbox<Charges>(dev, '/charges');
  const charge = charges.find(({ metadata }) => JSON.stringify(metadata).includes(taskId));

  await page.goto(dev.sandbox);
  const row = (id: string) => page.getByRole('listitem').filter({ hasText: id }).first();
  const ours = row(order!.orderId);
  await ours.getByText('Hold or cancel').click();
  await ours.getByLabel('Message').fill('Which dose?');
  await ours.getByRole('button', { name: 'Hold', exact: true }).click();
  await page.getByText(`${order!.orderId} is held`).waitFor();
  // An opened part stays open when the row is drawn anew.
  await ours.getByRole('button', { name: 'Deny cancellations' }).click();
  await page.getByText(`Cancellations of ${order!.orderId}: deny.`).waitFor();
  await ours.getByRole('button', { name: 'Release' }).click();
  await page.getByText('hold-1 is released').waitFor();

  const paid = row(charge!.id);
  await paid.getByText('Refund or tell').click();
  await paid.getByRole('button', { name: 'Refund the rest' }).click();
  await page.getByText(`${charge!.id} is refunded`).waitFor();
  await paid.getByRole('button', { name: 'Send charge.refunded' }).click();
  await page.getByText('Sent charge.refunded; the orchestrator answered').waitFor();

  expect((await sandbox<Orders>(dev, '/orders')).orders).toContainEqual(
    expect.objectContaining({
      orderId: order!.orderId,
      holds: [expect.objectContaining({ id: 'hold-1', code: 'clarify-rx', state: 'released' })],
    }),
  );
  expect(complaints).toEqual([]);
  await page.close();
});
