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
