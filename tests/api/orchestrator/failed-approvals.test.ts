import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { closeTerminatedRun } from '../../../db/orchestrator/runs.js';
import { claimForRun } from '../../../db/orchestrator/tasks.js';
import { adminToken, call, callAs, eventually, freshTask, patientIn, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { withKey } from '../../cli/rx.js';
import { approve, chargesOf, messagesTo, ordersOf, semaglutideFor } from './approvals.js';
import { cancel } from './exceptions.js';
import { dayFromToday } from './refills.js';

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 3 });
});
afterAll(() => sql.end());

interface OwnItem {
  id: string;
  reason: string;
  state: string;
  answers: string[];
  closedBy: string | null;
  refersTo: Record<string, string>;
}
const itemsOf = (taskId: string): Promise<OwnItem[]> => sql`
  select id, reason, state, answers, closed_by, refers_to from orchestrator.work_item
  where kind = 'approval_failed' and fact = ${taskId}
`;

const answer = async (id: string, given: string, data?: object) => {
  const token = await adminToken(dev);
  const path = `/v1/work-items/${id}`;
  await eventually(async () => (await callAs(dev, 'worklist', token, { path })).status === 200);
  return callAs(dev, 'worklist', token, {
    method: 'POST',
    path: `${path}/answer`,
    body: { answer: given, ...(data && { data }) },
  });
};

/** No pharmacy serves the state. */
const unroutable = () => semaglutideFor(patientIn(dev, 'CA'));

describe('an approval that fails (D137)', () => {
  test('opens one work item per task with the code of the cause; another cause replaces it, and a success closes it', async () => {
    const patient = await newPatient(dev, 'NY');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    const { taskId } = approval;
    expect((await approve(dev, { ...approval, medication: 'nothing' })).status).toBe(500);
    const [first] = await itemsOf(taskId);
    expect(first).toMatchObject({
      reason: 'unknown_medication',
      state: 'open',
      answers: ['approve_again', 'cancel', 'dismiss'],
      refersTo: { taskId, reference: taskId },
    });
    expect((await approve(dev, { ...approval, emrPatientId: patientIn(dev, 'CA') })).status).toBe(500);
    expect(await itemsOf(taskId)).toMatchObject([
      {
        id: first!.id,
        reason: 'no_pharmacy_route',
        state: 'open',
        answers: ['approve_again', 'reroute', 'cancel', 'dismiss'],
      },
    ]);
    await eventually(async () => {
      const { body } = await callAs<{ workItem?: { reason: string } }>(
        dev,
        'worklist',
        await adminToken(dev),
        {
          path: `/v1/work-items/${first!.id}`,
        },
      );
      return body.workItem?.reason === 'no_pharmacy_route';
    });
    expect((await approve(dev, approval)).status).toBe(200);
    expect(await itemsOf(taskId)).toMatchObject([{ state: 'closed', closedBy: 'system' }]);
  });

  test('is closed by a denial', async () => {
    const approval = unroutable();
    await approve(dev, approval);
    const { status } = await call(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/deny',
      body: { taskId: approval.taskId, reason: 'Not now.', emrPatientId: approval.emrPatientId },
    });
    expect(status).toBe(200);
    expect(await itemsOf(approval.taskId)).toMatchObject([{ state: 'closed', closedBy: 'system' }]);
  });

  test('is given up by the answer cancel: the task is cancelled, without an order, a charge or a message', async () => {
    const patient = await newPatient(dev, 'CA');
    const approval = semaglutideFor(patient.id);
    const { taskId } = approval;
    await approve(dev, approval);
    const refused = await cancel(dev, { taskId, reason: 'Prescribed twice.' });
    expect([refused.status, refused.body.error]).toEqual([409, 'There is no order to cancel']);
    const [item] = await itemsOf(taskId);
    expect(await answer(item!.id, 'cancel')).toMatchObject({ status: 200 });
    expect(await itemsOf(taskId)).toMatchObject([
      { state: 'closed', closedBy: expect.stringContaining('@') },
    ]);
    const again = await approve(dev, approval);
    expect([again.status, again.body.error]).toEqual([409, 'Task was cancelled']);
    expect(await ordersOf(dev, taskId)).toEqual([]);
    expect(await chargesOf(dev, taskId)).toEqual([]);
    expect(await messagesTo(dev, patient)).toEqual([]);
  });

  test('stays open if the answer approve_again fails again', async () => {
    const approval = unroutable();
    await approve(dev, approval);
    const [item] = await itemsOf(approval.taskId);
    expect(await answer(item!.id, 'approve_again')).toMatchObject({ status: 409 });
    expect(await itemsOf(approval.taskId)).toMatchObject([{ state: 'open', reason: 'no_pharmacy_route' }]);
  });

  test('opens none for a key that owns its failures', async () => {
    const owner = await withKey(dev, 'owner', '--scopes', 'orchestrator', '--owns-failures');
    const approval = unroutable();
    expect((await approve(owner, approval, { key: 'owner' })).status).toBe(500);
    expect(await itemsOf(approval.taskId)).toEqual([]);
  });

  test('opens one if its workflow was terminated, but none if a person is cancelling the task', async () => {
    const claimed = async () => {
      const [taskId, runId] = [freshTask(), randomUUID()];
      const claim = {
        kind: 'approve',
        reference: taskId,
        taskId,
        runId,
        workflowId: `test:${runId}`,
      } as const;
      const what = { detailsHash: 'hash', medication: 'semaglutide', emrPatientId: 'patient-1' };
      await claimForRun(sql, { ...claim, ...what }, []);
      return { taskId, runId };
    };
    const day = { today: dayFromToday(0), timeZone: 'UTC' };
    const ended = await claimed();
    // The sweep may close it first, with the same effect.
    for (let time = 0; time < 2; time += 1) await closeTerminatedRun(sql, ended.runId, null, day);
    expect(await itemsOf(ended.taskId)).toMatchObject([
      { reason: 'terminated', state: 'open', answers: ['approve_again', 'cancel', 'dismiss'] },
    ]);
    const cancelling = await claimed();
    await sql`
      update orchestrator.task set changing = 'cancellation', changing_since = now()
      where task_id = ${cancelling.taskId}
    `;
    await closeTerminatedRun(sql, cancelling.runId, null, day);
    expect(await itemsOf(cancelling.taskId)).toEqual([]);
  });
});
