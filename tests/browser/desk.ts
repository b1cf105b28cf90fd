import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Sql } from '../../db/client.js';
import { openWorkItem } from '../../db/work-items.js';
import type { DevJson } from '../../dev/dev-json.js';
import { codeSentTo, freshAddress, mailsTo } from '../api/intake/visitors.js';
import { invite, root } from '../api/organization/tenants.js';
import { rx } from '../cli/rx.js';
import { adminToken, callAs, eventually, shared } from '../helpers/client.js';

/** A superadmin whose codes go to no other test. @returns the e-mail address */
export async function newSuperadmin(): Promise<string> {
  const email = freshAddress();
  const { exitCode, stderr } = await rx('admin', 'create', email, 'Kim');
  if (exitCode !== 0) throw new Error(stderr);
  return email;
}

/** Somebody who works the desk, and nothing else that is a superadmin's (D141). @returns the e-mail address */
export async function newOperator(dev: DevJson): Promise<string> {
  const { id, email } = await invite();
  const body = { isOperator: true };
  const { status } = await callAs(dev, 'organization', await root(), {
    method: 'PATCH',
    path: `/v1/admin-users/${id}`,
    body,
  });
  if (status !== 200) throw new Error(`no operator: ${status}`);
  // The invitation would be taken for the code.
  await eventually(async () => (await mailsTo(dev, email)).length > 0);
  return email;
}

/** An item of its own reason, once the worklist has heard of it. @returns its id there */
export async function openItem(
  sql: Sql,
  item: { kind: 'domain_unverified' | 'pharmacy_hold'; reason: string },
): Promise<string> {
  const dev = shared();
  const fact = randomUUID();
  const service = item.kind === 'pharmacy_hold' ? 'router' : 'organization';
  await sql.begin((sql) =>
    openWorkItem(sql, service, { ...item, fact, references: { holdId: fact }, organizationId: null }),
  );
  const token = await adminToken(dev);
  return eventually(async () => {
    const path = `/v1/work-items?state=open&kind=${item.kind}`;
    const { body } = await callAs<{ workItems?: { id: string; reason: string }[] }>(dev, 'worklist', token, {
      path,
    });
    return body.workItems?.find(({ reason }) => reason === item.reason)?.id;
  });
}

/** Signs in with the code by mail, without a mouse. */
export async function signIn(dev: DevJson, page: Page, email: string): Promise<void> {
  const before = (await mailsTo(dev, email)).length;
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Enter');
  const code = await codeSentTo(dev, email, before + 1);
  await page.getByLabel('Code from the mail').fill(code);
  await page.keyboard.press('Enter');
  await page.getByText(/^\d+ open, \d+ overdue$/).waitFor();
}
