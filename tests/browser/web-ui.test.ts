import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { pipelineSteps, stepTitle } from '../../domain/orchestrator/pipeline.js';
import { approvalWorkflowId } from '../../workflows/ids.js';
import { openBrowser, watchedPage } from '../helpers/browser.js';
import { call, eventually, freshTask, patientIn, shared } from '../helpers/client.js';

const dev = shared();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function approve(emrPatientId: string): Promise<string> {
  const taskId = freshTask();
  const body = { taskId, medication: 'semaglutide', emrPatientId };
  await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/approve', body });
  return taskId;
}

/** The run's page at the tab that holds what we say about it. */
async function openRun(taskId: string): Promise<{ page: Page; complaints: string[] }> {
  const { ui, namespace } = dev.temporal;
  const watched = await watchedPage(browser, [new URL(ui).origin, dev.services.codec]);
  const { page } = watched;
  await page.goto(`${ui}/namespaces/${namespace}/workflows/${approvalWorkflowId(taskId)}`);
  await page.getByText('User Metadata').first().click();
  return watched;
}

/** The Web UI shows markdown in frames of their own. */
const eachFrame = (page: Page) => page.frames().map((frame) => frame.locator('body').innerText());
async function markdownSays(page: Page, text: string): Promise<void> {
  await eventually(async () => {
    const texts = await Promise.all(eachFrame(page).map((shown) => shown.catch(() => '')));
    return texts.some((shown) => shown.includes(text));
  });
}

describe('a run in the Temporal Web UI', () => {
  test('says in clear what it is, what came of it and which steps it took', async () => {
    const taskId = await approve(patientIn(dev, 'NY'));
    const { page, complaints } = await openRun(taskId);
    await page.getByText('Completed').first().waitFor();
    await markdownSays(page, `Approve semaglutide · task ${taskId}`);
    await markdownSays(page, 'Completed, all seven steps.');
    // The first is done together with the claim of the task.
    for (const step of pipelineSteps)
      await page
        .getByText(stepTitle(step), { exact: step !== 'medication_config' })
        .first()
        .waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('is red when a blocking step failed, and says which and why', async () => {
    const { page, complaints } = await openRun(await approve(patientIn(dev, 'CA')));
    await page.getByText('Failed').first().waitFor();
    await markdownSays(page, 'Submit to pharmacy');
    await markdownSays(page, 'No pharmacy route configured for state: CA');
    await markdownSays(page, 'Nothing was charged.');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('is found by its warning, never by opening green ones', async () => {
    const taskId = await approve(patientIn(dev, 'NY', 'pm_card_chargeCustomerFail'));
    const { ui, namespace } = dev.temporal;
    const page = await browser.newPage();
    const query = encodeURIComponent(`RxOutcome = "WARN" AND RxTask = "${taskId}"`);
    // The list is built from an index that follows a moment later.
    const run = page.getByText(approvalWorkflowId(taskId));
    await eventually(async () => {
      await page.goto(`${ui}/namespaces/${namespace}/workflows?query=${query}`);
      const shown = run.first().waitFor({ timeout: 5_000 });
      return shown.then(
        () => true,
        () => false,
      );
    });
    expect(await run.count()).toBeGreaterThan(0);
    await page.close();
  });
});
