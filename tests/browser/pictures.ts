import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { createSql } from '../../db/client.js';
import { renderGallery } from '../../dev/gallery/render.js';
import { stepTitle } from '../../domain/orchestrator/pipeline.js';
import { approvalWorkflowId, planWorkflowId } from '../../workflows/ids.js';
import { ordersUnder } from '../api/orchestrator/approvals.js';
import { atPharmacy } from '../api/orchestrator/exceptions.js';
import { openBrowser, openPage } from '../helpers/browser.js';
import { call, patientIn, shared } from '../helpers/client.js';
import { signIn } from './desk.js';

/** `npm run generate -- pictures`: takes the pictures of docs/ anew, from the system that is running. */
const dev = shared();
const browser = await openBrowser();
try {
  const page = await openPage(browser, { viewport: { width: 1400, height: 1260 } });
  await pictureOfRun(page);
  await pictureOfPlan(page);
  await pictureOfSandbox(page);
  await pictureOfDesk(page);
  await pictureOfNotifications(page);
} finally {
  await browser.close();
}

async function pictureOfRun(page: Page): Promise<void> {
  // A repeat is answered from the record, and the picture is of the same run.
  const taskId = 'task-1001';
  const body = { taskId, medication: 'semaglutide', emrPatientId: patientIn(dev, 'NY') };
  await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/approve', body });
  const { ui, namespace } = dev.temporal;
  await page.goto(`${ui}/namespaces/${namespace}/workflows/${approvalWorkflowId(taskId)}`);
  await page.getByText('User Metadata').first().click();
  await page.getByText(stepTitle('notification'), { exact: true }).first().waitFor();
  await save(page, 'run.webp');
}

async function pictureOfPlan(page: Page): Promise<void> {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
  const phases = ['10', '20', '40'].map((units) => ({
    medication: 'semaglutide',
    dosage: `inject ${units} units weekly`,
    fills: 4,
  }));
  // Its next fill is the first of the second phase, in a week.
  const running = { phase: 1, sent: 4, lastFillDate: daysAgo(20) };
  const emrPatientId = patientIn(dev, 'NY');
  const body = { planRef: 'plan-1001', emrPatientId, treatment: 'weight-loss', phases, running };
  const { plan } = (
    await call<{ plan: { id: string } }>(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/plans',
      body,
    })
  ).body;
  const path = '/orchestrator/refill-check';
  await call(dev, 'orchestrator', { method: 'POST', path, body: { scheduleIds: [plan.id] } });
  const { ui, namespace } = dev.temporal;
  const waiting = page.getByText('Waiting for a check-in').first();
  // The page reads the details once, and the run may not have heard yet.
  for (let looks = 0; looks < 10 && !(await waiting.isVisible()); looks += 1) {
    await page.goto(`${ui}/namespaces/${namespace}/workflows/${planWorkflowId(plan.id)}`);
    await page.getByText('User Metadata').first().click();
    await waiting.waitFor({ timeout: 3_000 }).catch(() => undefined);
  }
  await saveNow(page, 'plan.webp');
}

async function pictureOfSandbox(page: Page): Promise<void> {
  await page.goto(dev.sandbox);
  await page.getByText('pharmacy_a: received').first().waitFor();
  await save(page, 'sandbox.webp');
}

async function pictureOfDesk(page: Page): Promise<void> {
  // Two questions of a pharmacy; the second time they are known, and change nothing.
  for (const [taskId, code, message] of [
    ['task-1002', 'clarify-rx', 'Once a day or once a week?'],
    ['task-1003', 'out-of-stock', 'Back in two weeks'],
  ] as const) {
    const body = { taskId, medication: 'semaglutide', emrPatientId: patientIn(dev, 'WA') };
    const path = '/orchestrator/approve';
    const { result } = (
      await call<{ result: { submissionId: string } }>(dev, 'orchestrator', { method: 'POST', path, body })
    ).body;
    const [order] = await ordersUnder(dev, result.submissionId);
    await atPharmacy(dev, order!, 'hold', { id: 'hold-1', code, message });
  }
  await page.goto(dev.services.worklist);
  await signIn(dev, page, dev.admins.superadmin);
  await page.getByText('Clarify prescription').first().click();
  await page.getByText('Opened by system').waitFor();
  await save(page, 'desk.webp');
}

async function pictureOfNotifications(page: Page): Promise<void> {
  const sql = createSql(dev.databaseUrl, { applicationName: 'gallery', max: 1 });
  // The policy of the page before would hold for it too.
  await page.goto('about:blank');
  await page.setContent(await renderGallery(sql));
  await sql.end();
  await page.evaluate(`document.getElementById('first_shipping_confirmation').scrollIntoView()`);
  await save(page, 'notifications.webp');
}

async function save(page: Page, name: string): Promise<void> {
  // The last decoded and drawn element has no mark of its own.
  await page.waitForLoadState('networkidle');
  await saveNow(page, name);
}

/** The page of an open run never stops asking. */
async function saveNow(page: Page, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
  writeFileSync(path, await webpOf(await page.screenshot()));
  console.log(path);
}

/** The same picture in a third of the bytes. A page of ours allows no picture from elsewhere, so another page reads it. */
async function webpOf(png: Buffer): Promise<Buffer> {
  const page = await openPage(browser);
  const url = await page.evaluate<string>(`(async () => {
    const picture = new Image();
    picture.src = 'data:image/png;base64,${png.toString('base64')}';
    await picture.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext('2d').drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', 0.75);
  })()`);
  await page.close();
  return Buffer.from(url.split(',')[1]!, 'base64');
}
