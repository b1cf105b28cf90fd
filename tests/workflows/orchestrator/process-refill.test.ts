import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { Outcome } from '../../../activities/orchestrator/tasks.js';
import type { Claim } from '../../../db/orchestrator/tasks.js';
import type { PipelineResult } from '../../../domain/orchestrator/pipeline.js';
import type { processRefill } from '../../../workflows/orchestrator/process-refill.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { goodActivities, outage, type PipelineActivities, refusal } from './pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

/** Sends the second refill of a schedule against these activities. */
async function refill(replaced: Partial<PipelineActivities> = {}, dosage?: string) {
  const claims: Claim[] = [];
  const outcomes: Outcome[] = [];
  const { activities, calls } = goodActivities({
    claimTask: async (claim) => {
      claims.push(claim);
      return {};
    },
    recordOutcome: async (outcome) => void outcomes.push(outcome),
    ...replaced,
  });
  const taskQueue = `refills-${randomUUID()}`;
  const workflowId = `refill:${randomUUID()}`;
  const due = { scheduleId: 's1', n: 2, emrPatientId: 'p1', medication: 'semaglutide' };
  return time.withWorker(taskQueue, activities, async () => {
    const handle = await time.env.client.workflow.start<typeof processRefill>('processRefill', {
      workflowId,
      taskQueue,
      args: [{ ...due, ...(dosage === undefined ? {} : { dosage }) }],
    });
    const ending = await handle.result().then(
      (result) => ({ result, failure: undefined }),
      (error: unknown) => {
        if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure)
          return { result: undefined, failure: error.cause };
        throw error;
      },
    );
    return { ...ending, claims, outcomes, calls, handle, workflowId };
  });
}

describe('a refill', () => {
  it('is claimed and recorded under its number, and runs as the task of its schedule', async () => {
    const { result, claims, handle, workflowId } = await refill();
    expect(result?.success).toBe(true);
    expect(claims).toEqual([
      {
        kind: 'refill',
        reference: 'refill-s1-2',
        taskId: 'refill-s1',
        runId: handle.firstExecutionRunId,
        workflowId,
        detailsHash: '',
        medication: 'semaglutide',
        emrPatientId: 'p1',
      },
    ]);
  });

  it('is ordered, charged and shipped under its number, with the dosage of its schedule', async () => {
    const given: Record<string, unknown> = {};
    const good = goodActivities().activities as Record<string, (input: never) => Promise<never>>;
    const noting = (name: string) => async (input: unknown) => {
      given[name] = input;
      return good[name]!(input as never);
    };
    await refill(
      {
        submitToPharmacy: noting('submitToPharmacy'),
        openCharge: noting('openCharge'),
        recordShipment: noting('recordShipment'),
      },
      'half as much',
    );
    expect(given).toMatchObject({
      submitToPharmacy: { sourceOrderId: 'refill-s1-2', dosage: 'half as much' },
      openCharge: { taskId: 'refill-s1-2' },
      recordShipment: { taskId: 'refill-s1-2' },
    });
  });

  it('moves its schedule on in the record of its success, and allows no refills of its own', async () => {
    const { outcomes, result } = await refill();
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ result, refill: { scheduleId: 's1', n: 2 } });
    expect(outcomes[0]).not.toHaveProperty('allows');
  });

  it('moves it on with warnings too', async () => {
    const { outcomes } = await refill({ openCharge: refusal('The patient has no saved card') });
    expect(outcomes[0]).toMatchObject({ result: { warnings: ['payment_failed'] }, refill: { n: 2 } });
  });

  it.each([
    ['medication_config', 'loadMedicationConfig', refusal('Unknown medication: semaglutide')],
    ['patient_details', 'fetchPatient', outage],
    ['pharmacy_submission', 'submitToPharmacy', refusal('pharmacy_a rejected the order')],
  ] as const)('that fails at %s is red and leaves its schedule as it was', async (step, activity, fail) => {
    const { failure, outcomes, calls } = await refill({ [activity]: fail });
    expect(failure).toMatchObject({ type: 'StepFailed' });
    expect(failure?.details?.[0]).toMatchObject({ success: false, failedStep: step });
    expect(outcomes[0]).not.toHaveProperty('refill');
    expect(calls).not.toContain('chargeCard');
  });

  it('that was sent before gives the recorded result and does nothing', async () => {
    const recorded: PipelineResult = {
      success: true,
      completedSteps: [],
      warnings: [],
      medication: 'm',
      patientName: 'n',
      state: 'NY',
    };
    const { result, calls, outcomes } = await refill({ claimTask: async () => ({ recorded }) });
    expect([result, calls, outcomes]).toEqual([recorded, ['claimTask'], []]);
  });
});
