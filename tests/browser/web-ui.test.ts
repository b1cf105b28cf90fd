import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { pipelineSteps, stepTitle } from '../../domain/orchestrator/pipeline.js';
import { approvalWorkflowId } from '../../workflows/ids.js';
import { openBrowser, openPage, watchedPage } from '../helpers/browser.js';
import { approve as approveAt, semaglutideFor } from '../api/orchestrator/approvals.js';
import { atPharmacy, booked } from '../api/orchestrator/exceptions.js';
import { adminToken, call, callAs, eventually, freshTask, patientIn, shared } from '../helpers/client.js';
import { newPatient, type TestPatient } from '../helpers/patients.js';

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

/** An approved order about which its pharmacy asks. */
async function held(patient: TestPatient) {
  const approval = semaglutideFor(patient.id);
  await approveAt(dev, approval);
  const [order] = await booked(dev, approval.taskId);
  await atPharmacy(dev, order!, 'hold', { id: 'hold-1', code: 'clarify-rx', message: 'Which days?' });
  return { taskId: approval.taskId, order: order! };
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
    const page = await openPage(browser);
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

describe('what the desk links to', () => {
  test('an item opens its run at the tab that says what is waited for', async () => {
    const patient = await newPatient(dev, 'WA');
    const { taskId, order } = await held(patient);
    const { ui, namespace } = dev.temporal;
    const token = await adminToken(dev);
    const item = await eventually(async () => {
      const path = `/v1/work-items?state=open&taskId=${taskId}`;
      const { body } = await callAs<{ workItems: { id: string }[] }>(dev, 'worklist', token, { path });
      return body.workItems[0];
    });
    const { body } = await callAs<{ workItem: { runUrl: string } }>(dev, 'worklist', token, {
      path: `/v1/work-items/${item.id}`,
    });
    const list = `${ui}/namespaces/${namespace}/workflows/`;
    expect(body.workItem.runUrl).toMatch(new RegExp(`^${list}[^/]+/[0-9a-f-]{36}/user-metadata$`));
    const { page, complaints } = await watchedPage(browser, [new URL(ui).origin, dev.services.codec]);
    await page.goto(body.workItem.runUrl);
    await markdownSays(page, `${order.pharmacy} holds the order`);
    await markdownSays(page, 'Waiting for an answer: at the desk');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('each list that operators look for is a query that the server understands', async () => {
    const { body } = await callAs<{ lists: { title: string; query: string; url: string }[] }>(
      dev,
      'worklist',
      await adminToken(dev),
      { path: '/v1/stuck-runs' },
    );
    expect(body.lists.length).toBeGreaterThan(5);
    const page = await openPage(browser);
    for (const { query, url } of body.lists) {
      const asked = page.waitForResponse(
        (response) => new URL(response.url()).searchParams.get('query') === query,
      );
      await page.goto(url);
      expect([query, (await asked).status()]).toEqual([query, 200]);
    }
    await page.close();
  });
});
