import type { Page } from 'playwright-core';
import type { DevJson } from '../../dev/dev-json.js';
import { codeSentTo, mailsTo } from '../api/intake/visitors.js';

/** Signs in with the code by mail, without a mouse. */
export async function signIn(dev: DevJson, page: Page): Promise<void> {
  const email = dev.admins.superadmin;
  const before = (await mailsTo(dev, email)).length;
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Enter');
  const code = await codeSentTo(dev, email, before + 1);
  await page.getByLabel('Code from the mail').fill(code);
  await page.keyboard.press('Enter');
  await page.getByText(/^\d+ open, \d+ overdue$/).waitFor();
}
