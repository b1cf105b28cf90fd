import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { services } from '../../api/services.js';
import { openBrowser, watchedPage } from '../helpers/browser.js';
import { freshTask, patientIn, shared } from '../helpers/client.js';

const dev = shared();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe('the documentation page', () => {
  // One plugin serves them all; what each describes is tests/api/documents.
  test.each(['intake', 'codec'] as const)(
    'of %s needs no other host and shows its operations',
    async (name) => {
      const origin = dev.services[name];
      const { page, complaints } = await watchedPage(browser, [origin]);
      await page.goto(`${origin}/docs`);
      await page.getByRole('heading', { name: `Scriptrail: ${services[name].title}` }).waitFor();
      await page.getByText('/ready', { exact: true }).first().waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('shows the request and the answers of an operation that is opened', async () => {
    const origin = dev.services.orchestrator;
    const { page, complaints } = await watchedPage(browser, [origin]);
    await page.goto(`${origin}/docs`);
    await page.getByText('/orchestrator/approve', { exact: true }).click();
    for (const text of ['emrPatientId', 'Prefer']) await page.getByText(text).first().waitFor();
    for (const status of ['200', '202', '400', '401', '409', '500'])
      await page.locator('.response-col_status', { hasText: status }).first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('signs what is tried out there, the body too, with the secret that was entered, which goes nowhere', async () => {
    const origin = dev.services.orchestrator;
    const { page, complaints } = await watchedPage(browser, [origin]);
    const { key, secret } = dev.apiKeys['approvals']!;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(JSON.stringify([request.headers(), request.postData()])));
    await page.goto(`${origin}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.modal-ux');
    for (const [header, value] of [
      ['X-API-Key', key],
      ['X-Signature', secret],
    ] as const) {
      const scheme = dialog
        .locator('.auth-container')
        .filter({ hasText: `Name: ${header}` })
        .first();
      await scheme.getByRole('textbox').fill(value);
      await scheme.getByRole('button', { name: 'Apply credentials' }).click();
    }
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    const approval = { taskId: freshTask(), medication: 'semaglutide', emrPatientId: patientIn(dev, 'NY') };
    for (const { path, body } of [
      { path: '/orchestrator/runs' },
      { path: '/orchestrator/approve', body: JSON.stringify(approval) },
    ]) {
      await page.getByText(path, { exact: true }).click();
      const operation = page.locator('.opblock.is-open').filter({ hasText: path });
      await operation.getByRole('button', { name: 'Try it out' }).click();
      if (body !== undefined) await operation.locator('textarea.body-param__text').fill(body);
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation
        .locator('.live-responses-table .response-col_status', { hasText: '200' })
        .first()
        .waitFor();
    }
    expect(sent.filter((request) => request.includes(secret))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
