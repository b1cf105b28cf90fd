import { describe, expect, test } from '@jest/globals';
import { call, eventually, freshTask, patientIn, shared } from '../../helpers/client.js';
import { allSteps, approve, approveAsync, endedRun, semaglutideFor } from './approvals.js';

const dev = shared();

describe('GET /orchestrator/status/:taskId', () => {
  const status = (taskId: string, key?: string) =>
    call(dev, 'orchestrator', { path: `/orchestrator/status/${taskId}`, ...(key && { key }) });

  test('200 with the runs of a task, newest first', async () => {
    const approval = semaglutideFor('nobody');
    const failed = await approve(dev, approval);
    const retried = await approve(dev, { ...approval, emrPatientId: patientIn(dev, 'WA') });
    const { body } = await status(approval.taskId);
    const stamps = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    const untouched = { cancellation: null, replacements: [] };
    expect(body).toEqual({
      taskId: approval.taskId,
      runs: [
        {
          id: expect.any(String),
          ...approval,
          emrPatientId: patientIn(dev, 'WA'),
          status: 'completed',
          completedSteps: allSteps,
          failedStep: null,
          error: null,
          warnings: [],
          result: retried.body.result,
          ...stamps,
          ...untouched,
        },
        {
          id: expect.any(String),
          ...approval,
          status: 'failed',
          completedSteps: ['medication_config'],
          failedStep: 'patient_details',
          error: 'Patient not found in EMR: nobody',
          warnings: [],
          result: failed.body.result,
          ...stamps,
          ...untouched,
        },
      ],
    });
  });

  test.each(['a/b ?#%&=;é', 'x'.repeat(200), '字'.repeat(200)])('200 for the task %s', async (beginning) => {
    const taskId = beginning.slice(0, 164) + freshTask().slice(-36);
    const { body } = await approveAsync(dev, { ...semaglutideFor('nobody'), taskId });
    expect(body.statusUrl).toBe(
      `${dev.services.orchestrator}/orchestrator/status/${encodeURIComponent(taskId)}`,
    );
    expect(await eventually(() => endedRun(dev, taskId))).toMatchObject({ taskId });
  });

  test('404 when there is no run', async () => {
    const { status: code, body } = await status(freshTask());
    expect([code, body]).toEqual([404, { error: 'No runs found for this task' }]);
  });
});
