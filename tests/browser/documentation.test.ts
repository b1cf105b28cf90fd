import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { services } from '../../api/services.js';
import { openBrowser, watchedPage } from '../helpers/browser.js';
import { shared } from '../helpers/client.js';

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
});
