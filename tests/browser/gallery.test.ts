import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { renderGallery } from '../../dev/gallery/render.js';
import { createSql, type Sql } from '../../db/client.js';
import { notificationTypes } from '../../domain/notification/notification-types.js';
import { openBrowser, openPage } from '../helpers/browser.js';
import { shared } from '../helpers/client.js';

/** The narrowest phone there is, in CSS pixels. */
const phoneWidth = 320;
/** Sizes that a thumb hits and that are readable without zooming. */
const [touchHeight, textSize] = [44, 16];

let sql: Sql;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  sql = createSql(shared().databaseUrl, { applicationName: 'test', max: 1 });
  browser = await openBrowser();
  page = await openPage(browser, { viewport: { width: phoneWidth, height: 640 } });
});
afterAll(async () => {
  await browser.close();
  await sql.end();
});

/** The e-mails of the gallery by type. */
async function mails(): Promise<[string, string][]> {
  await page.setContent(await renderGallery(sql));
  return page.evaluate(
    `[...document.querySelectorAll('iframe')].map(({ title, srcdoc }) => [title, srcdoc])`,
  );
}

const measure = () =>
  page.evaluate<{ width: number; text: number; lowestLink: number | null }>(`({
    width: document.documentElement.scrollWidth,
    text: parseFloat(getComputedStyle(document.querySelector('.card')).fontSize),
    lowestLink: [...document.querySelectorAll('a')]
      .filter((link) => link.textContent !== '') // the place of a link that a mail may have
      .map((link) => link.getBoundingClientRect().height)
      .sort((a, b) => a - b)[0] ?? null,
  })`);

describe('the gallery of `npm run generate -- gallery`', () => {
  test('shows every type', async () => {
    expect((await mails()).map(([type]) => type)).toEqual(notificationTypes);
  });

  test.each([
    ['as it is', (html: string) => html],
    [
      'with a word longer than the screen',
      (html: string) => html.replaceAll(/Ada Lovelace|Semaglutide/g, 'x'.repeat(90)),
    ],
  ])('holds e-mails that fit the narrowest phone, %s', async (_name, changed) => {
    for (const [type, html] of await mails()) {
      await page.setContent(changed(html));
      const { width, text, lowestLink } = await measure();
      expect([type, width]).toEqual([type, phoneWidth]);
      expect(text).toBeGreaterThanOrEqual(textSize);
      expect(lowestLink ?? touchHeight).toBeGreaterThanOrEqual(touchHeight);
    }
  });
});
