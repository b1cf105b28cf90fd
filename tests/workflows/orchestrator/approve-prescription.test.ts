import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { PipelineResult } from '../../../domain/orchestrator/pipeline.js';
import type { approvePrescription } from '../../../workflows/orchestrator/approve-prescription.js';
import { rxOutcome, rxStep, rxWarnings } from '../../../workflows/search-attributes.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import {
  failingFirst,
  goodActivities,
  outage,
  type PipelineActivities,
  refusal,
} from './pipeline-activities.js';

const allSteps = [
  'medication_config',
  'patient_details',
  'prescriber_resolution',
  'pharmacy_submission',
  'payment',
  'shipment',
  'notification',
];

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

type Handle = WorkflowHandle<typeof approvePrescription>;
interface Ending {
  result?: PipelineResult;
  failure?: ApplicationFailure;
  steps: string[];
  calls: string[];
  handle: Handle;
}

/** Runs one approval against these activities and tells how it ended. */
async function approve(
  replaced: Partial<PipelineActivities> = {},
  meanwhile: (handle: Handle) => Promise<unknown> = async () => undefined,
): Promise<Ending> {
  const { activities, steps, calls } = goodActivities(replaced);
  const taskQueue = `approve-${randomUUID()}`;
  return time.withWorker(taskQueue, activities, async () => {
    const handle = await time.env.client.workflow.start<typeof approvePrescription>('approvePrescription', {
      workflowId: `approval:${randomUUID()}`,
      taskQueue,
      args: [{ taskId: 'task', medication: 'semaglutide', emrPatientId: 'p1', detailsHash: 'h' }],
    });
    await meanwhile(handle);
    const ending = await handle.result().then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure)
          return { failure: error.cause };
        throw error;
      },
    );
    return { ...ending, steps: steps(), calls, handle };
  });
}

const resultOf = ({ failure }: Ending) => failure?.details?.[0] as PipelineResult;

describe('an approval', () => {
  it('runs the seven steps in order and answers with what was done', async () => {
    const { result, steps } = await approve();
    expect(result).toEqual({
      success: true,
      completedSteps: allSteps,
      warnings: [],
      medication: 'Semaglutide 5mg/mL',
      patientName: 'Ada Test',
      state: 'NY',
      submissionId: '00000000-0000-5000-8000-000000000001',
    });
    expect(steps).toEqual([
      'loadMedicationConfig',
      'fetchPatient',
      'resolvePrescriber',
      'submitToPharmacy',
      'openCharge',
      'chargeCard',
      'recordPayment',
      'createLabel',
      'recordShipment',
      'notifyPatient',
    ]);
  });

  it('makes no label for a pharmacy that ships by itself', async () => {
    const order = { submissionId: randomUUID(), pharmacy: 'pharmacy_b', pharmacyOrderId: 't1' };
    const { steps } = await approve({ submitToPharmacy: async () => order });
    expect(steps).toContain('recordShipment');
    expect(steps).not.toContain('createLabel');
  });

  it('gives the recorded answer of a task that was approved before and does nothing', async () => {
    const recorded: PipelineResult = {
      success: true,
      completedSteps: [],
      warnings: [],
      medication: 'm',
      patientName: 'n',
      state: 'NY',
    };
    const { result, steps } = await approve({ claimTask: async () => ({ recorded }) });
    expect(result).toEqual(recorded);
    expect(steps).toEqual([]);
  });

  it('ends as a conflict, without a step, when the task is held otherwise', async () => {
    const { failure, steps } = await approve({
      claimTask: async () => {
        throw ApplicationFailure.nonRetryable('Task is being denied', 'TaskConflict');
      },
    });
    expect(failure).toMatchObject({ type: 'TaskConflict', message: 'Task is being denied' });
    expect(steps).toEqual([]);
  });
});

describe('a blocking step that fails', () => {
  it.each([
    ['medication_config', 'loadMedicationConfig'],
    ['patient_details', 'fetchPatient'],
    ['prescriber_resolution', 'resolvePrescriber'],
    ['pharmacy_submission', 'submitToPharmacy'],
  ] as const)('%s: the run is red, says why, and no later step is tried', async (step, activity) => {
    const ending = await approve({ [activity]: refusal('The reason') });
    const position = allSteps.indexOf(step);
    expect(ending.failure).toMatchObject({ type: 'StepFailed' });
    expect(ending.failure?.message).toContain(`${position + 1}/7`);
    expect(ending.failure?.message).toContain('The reason');
    expect(resultOf(ending)).toMatchObject({
      success: false,
      failedStep: step,
      error: 'The reason',
      completedSteps: allSteps.slice(0, position),
      warnings: [],
    });
    expect(ending.steps.at(-1)).toBe(activity);
    expect(ending.steps).not.toContain('chargeCard');
    expect(ending.calls).toContain('recordOutcome');
  });

  it('is not tried again after a refusal', async () => {
    const { steps } = await approve({ submitToPharmacy: refusal() });
    expect(steps.filter((name) => name === 'submitToPharmacy')).toHaveLength(1);
  });

  it('never shows a text that we did not compose', async () => {
    const ending = await approve({
      fetchPatient: async () => {
        throw ApplicationFailure.nonRetryable('Ada Test, born 1990-01-31', 'SomethingElse');
      },
    });
    expect(resultOf(ending).error).toBe('Internal failure');
  });
});

describe('a non-blocking step that fails', () => {
  it.each([
    ['payment', 'payment_failed', { chargeCard: refusal() }],
    ['shipment', 'shipment_failed', { createLabel: refusal() }],
    ['notification', 'notification_failed', { notifyPatient: refusal() }],
  ] as const)('%s: warns with %s, and the steps after it are attempted', async (_step, warning, replaced) => {
    const { result } = await approve(replaced);
    expect(result).toMatchObject({ success: true, warnings: [warning], completedSteps: allSteps });
  });

  it('leaves the others their turn even when all three fail', async () => {
    const { result, steps } = await approve({
      openCharge: refusal('The patient has no saved card'),
      createLabel: refusal(),
      notifyPatient: refusal(),
    });
    expect(result).toMatchObject({
      success: true,
      warnings: ['payment_failed', 'shipment_failed', 'notification_failed'],
      completedSteps: allSteps,
    });
    expect(steps).toEqual(expect.arrayContaining(['openCharge', 'createLabel', 'notifyPatient']));
  });

  it('takes an answered decline as it is: recorded, warned of, never tried again', async () => {
    const { result, steps } = await approve({
      chargeCard: async () => ({ status: 'failed', paymentIntentId: 'pi_1', reason: 'card_declined' }),
    });
    expect(result?.warnings).toEqual(['payment_failed']);
    expect(steps.filter((name) => name === 'chargeCard')).toHaveLength(1);
    expect(steps).toContain('recordPayment');
  });

  it('charges nothing where nothing is due', async () => {
    const { result, steps } = await approve({ openCharge: async () => ({ kind: 'nothing' }) });
    expect(result?.warnings).toEqual([]);
    expect(steps).not.toContain('chargeCard');
  });

  it('asks the processor for the coupon before the amount is fixed with it', async () => {
    const good = goodActivities();
    const { steps } = await approve({
      openCharge: async (input) =>
        input.coupon === undefined
          ? { kind: 'coupon', couponId: 'WELCOME25' }
          : (good.activities['openCharge'] as unknown as PipelineActivities['openCharge'])(input),
    });
    const payment = steps.slice(steps.indexOf('openCharge'), steps.indexOf('createLabel'));
    expect(payment).toEqual(['openCharge', 'findCoupon', 'openCharge', 'chargeCard', 'recordPayment']);
  });
});

describe('faults that pass', () => {
  it.each([
    ['loadMedicationConfig', 60],
    ['fetchPatient', 3],
    ['submitToPharmacy', 5],
    ['chargeCard', 2],
    ['createLabel', 2],
    ['notifyPatient', 3],
    ['recordPayment', 60],
    ['recordShipment', 60],
    ['recordOutcome', 60],
    ['claimTask', 60],
  ] as const)('%s failing %d times is overcome without a warning', async (activity, times) => {
    const { activities } = goodActivities();
    const good = activities[activity] as (input: unknown) => Promise<never>;
    const { result } = await approve({ [activity]: failingFirst(times, good) });
    expect(result).toMatchObject({ success: true, warnings: [], completedSteps: allSteps });
  });

  it.each([
    ['fetchPatient', 4, 'patient_details'],
    ['submitToPharmacy', 6, 'pharmacy_submission'],
  ] as const)(
    '%s gives up after %d attempts, which are its budget',
    async (activity, attempts, failedStep) => {
      const ending = await approve({ [activity]: outage });
      expect(resultOf(ending)).toMatchObject({ failedStep, error: 'The other side answered 503' });
      expect(ending.steps.filter((name) => name === activity)).toHaveLength(attempts);
    },
  );

  it('progress that cannot be recorded disturbs nothing', async () => {
    const { result } = await approve({ recordProgress: outage });
    expect(result).toMatchObject({ success: true, warnings: [] });
  });
});

describe('an operator', () => {
  it('cancels before step 4: the run fails with the reason, and nothing was ordered', async () => {
    const ending = await approve(
      { fetchPatient: failingFirst(4, async () => Promise.reject(new Error('never'))) },
      async (handle) => handle.cancel(),
    );
    expect(resultOf(ending)).toMatchObject({ success: false, error: 'Cancelled by an operator' });
    expect(ending.steps).not.toContain('submitToPharmacy');
    expect(ending.calls).toContain('recordOutcome');
  });

  it('cannot cancel from step 4 on: what was ordered is carried through', async () => {
    let handle: Handle | undefined;
    const { result } = await approve(
      {
        submitToPharmacy: async () => {
          await handle?.cancel();
          return { submissionId: randomUUID(), pharmacy: 'pharmacy_c', pharmacyOrderId: 'c' };
        },
      },
      async (started) => void (handle = started),
    );
    expect(result).toMatchObject({ success: true, completedSteps: allSteps });
  });

  it('finds a run by outcome, failed step and warnings', async () => {
    const warned = await approve({ createLabel: refusal() });
    const failed = await approve({ fetchPatient: refusal() });
    const attributes = async ({ handle }: Ending) => (await handle.describe()).typedSearchAttributes;
    expect((await attributes(warned)).get(rxOutcome)).toBe('WARN');
    expect((await attributes(warned)).get(rxWarnings)).toEqual(['shipment_failed']);
    expect((await attributes(failed)).get(rxOutcome)).toBe('FAILED');
    expect((await attributes(failed)).get(rxStep)).toBe('patient_details');
  });
});
