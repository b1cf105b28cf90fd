import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { stepTitle } from '../../domain/orchestrator/pipeline.js';
import { approvalWorkflowId } from '../../workflows/ids.js';
import { openBrowser } from '../helpers/browser.js';
import { call, patientIn, shared } from '../helpers/client.js';

/** `npm run pictures`: takes the pictures of docs/ anew, from the system that is running. */
const dev = shared();
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1260 } });
  await pictureOfRun(page);
  await pictureOfSandbox(page);
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
  await save(page, 'run.png');
}

async function pictureOfSandbox(page: Page): Promise<void> {
  await page.goto(dev.sandbox);
  await page.getByText('pharmacy_a: received').first().waitFor();
  await save(page, 'sandbox.png');
}

async function pictureOfNotifications(page: Page): Promise<void> {
  await page.goto(new URL('../../docs/gallery/index.html#first_shipping_confirmation', import.meta.url).href);
  await save(page, 'gallery/notifications.png');
}

async function save(page: Page, name: string): Promise<void> {
  // What is decoded and drawn last has no mark of its own.
  await page.waitForLoadState('networkidle');
  const path = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
  await page.screenshot({ path });
  console.log(path);
}
