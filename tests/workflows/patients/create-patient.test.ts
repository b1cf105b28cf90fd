import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import type { PatientCreationActivities } from '../../../activities/patients/creations.js';
import type { MrnActivities } from '../../../activities/patients/emr.js';
import { failureTypes } from '../../../domain/failures.js';
import type { createPatient } from '../../../workflows/patients/create-patient.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { aCreate, aRow } from './patient-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

type Activities = PatientCreationActivities & MrnActivities;

/** Runs one create; the activities named are replaced, the others do well. */
async function create(replaced: Partial<Activities> = {}) {
  const request = aCreate(randomUUID());
  const calls: [name: string, input: unknown][] = [];
  const activities: Activities = {
    reserveMrn: async () => ({ mrn: '0123456789', isNew: true }),
    releaseMrn: async () => undefined,
    findPatientsByMrn: async () => [],
    makePatientUnderMrn: async () => ({ emrPatientId: 'emr-1', calledBefore: false }),
    commitPatient: async () => aRow,
    failPatientCreation: async () => undefined,
    ...replaced,
  };
  const noted = Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [
      name,
      async (input: never) => {
        calls.push([name, input]);
        return (activity as (input: never) => Promise<unknown>)(input);
      },
    ]),
  );
  const taskQueue = `patients-${request.id}`;
  const answer: unknown = await time
    .withWorker(taskQueue, noted, () =>
      time.env.client.workflow.execute<typeof createPatient>('createPatient', {
        workflowId: `patient-create:${request.id}`,
        taskQueue,
        args: [request],
      }),
    )
    .catch((error: unknown) => (error instanceof WorkflowFailedError ? error.cause : error));
  const inputs = (name: string) => calls.filter(([called]) => called === name).map(([, input]) => input);
  return { request, answer, order: calls.map(([name]) => name), inputs };
}

const refusing = (type: string, message: string) => async () => {
  throw ApplicationFailure.nonRetryable(message, type);
};
const unavailable = async () => {
  throw ApplicationFailure.create({ type: failureTypes.unavailable, message: 'EMR answered 503' });
};
/** Finds nobody at first, and later these. */
const foundLater = (...ids: string[]) => {
  let searches = 0;
  return async () => (++searches === 1 ? [] : ids);
};

test('the number is reserved before the EMR is called, and looked up before and after', async () => {
  const { request, answer, order, inputs } = await create();
  expect(order).toEqual([
    'reserveMrn',
    'findPatientsByMrn',
    'makePatientUnderMrn',
    'findPatientsByMrn',
    'commitPatient',
  ]);
  expect(answer).toEqual({ patient: aRow, bodyHash: request.bodyHash, replayed: false });
  expect(inputs('commitPatient')).toMatchObject([
    {
      patient: { id: request.id, mrn: '0123456789', emrPatientId: 'emr-1' },
      surplusEmrPatientIds: [],
      lookAgain: false,
    },
  ]);
});

test('a patient that an earlier run made is given again without a call', async () => {
  const { answer, order } = await create({ reserveMrn: async () => ({ recorded: aRow }) });
  expect(order).toEqual(['reserveMrn']);
  expect(answer).toMatchObject({ patient: aRow, replayed: true });
});

test('an EMR patient of an earlier try is taken, not made again', async () => {
  const { order, inputs } = await create({
    reserveMrn: async () => ({ mrn: '0123456789', isNew: false }),
    findPatientsByMrn: async () => ['emr-7'],
  });
  expect(order).not.toContain('makePatientUnderMrn');
  expect(inputs('commitPatient')).toMatchObject([{ patient: { emrPatientId: 'emr-7' } }]);
});

test('somebody whom the EMR holds under a new number is not taken for the patient', async () => {
  const { answer, order } = await create({ findPatientsByMrn: async () => ['emr-7'] });
  expect(order).toEqual(['reserveMrn', 'findPatientsByMrn', 'releaseMrn']);
  expect(answer).toMatchObject({ type: failureTypes.mrnExhausted });
});

test('a create that was never answered is found by its number', async () => {
  const { order, inputs } = await create({
    makePatientUnderMrn: unavailable,
    findPatientsByMrn: foundLater('emr-1'),
  });
  expect(order.filter((name) => name === 'makePatientUnderMrn')).toHaveLength(3);
  expect(inputs('commitPatient')).toMatchObject([{ patient: { emrPatientId: 'emr-1' }, lookAgain: true }]);
});

test('what raced in beside the patient is handed on as surplus', async () => {
  const { inputs } = await create({ findPatientsByMrn: foundLater('emr-0', 'emr-1') });
  expect(inputs('commitPatient')).toMatchObject([
    { patient: { emrPatientId: 'emr-1' }, surplusEmrPatientIds: ['emr-0'] },
  ]);
});

test('a search that fails after the create does not lose the patient', async () => {
  let searches = 0;
  const { inputs } = await create({
    findPatientsByMrn: async () => (++searches === 1 ? [] : unavailable()),
  });
  expect(inputs('commitPatient')).toMatchObject([{ patient: { emrPatientId: 'emr-1' }, lookAgain: true }]);
});

test.each([
  ['cannot be searched', { findPatientsByMrn: unavailable }],
  ['takes no patient', { makePatientUnderMrn: unavailable }],
  ['refuses the patient', { makePatientUnderMrn: refusing(failureTypes.rejected, 'EMR answered 422') }],
])('an EMR that %s: the create fails as unavailable and nothing is committed', async (_name, replaced) => {
  const { answer, order, request, inputs } = await create(replaced);
  expect(answer).toMatchObject({ type: failureTypes.unavailable });
  expect(order).not.toContain('commitPatient');
  expect(inputs('failPatientCreation')).toMatchObject([{ id: request.id, emrPatientIds: [] }]);
});

test('a commit that cannot happen leaves an orphan entry for what the EMR holds', async () => {
  const { answer, inputs, request } = await create({
    commitPatient: refusing(failureTypes.rejected, 'The database refused the patient'),
    findPatientsByMrn: foundLater('emr-0', 'emr-1'),
  });
  expect(answer).toMatchObject({ type: failureTypes.stepFailed });
  expect(inputs('failPatientCreation')).toEqual([
    {
      id: request.id,
      emrPatientIds: ['emr-1', 'emr-0'],
      reason: 'The directory did not take the patient: The database refused the patient',
    },
  ]);
});

test('an outage of our own before or after the EMR call is waited out', async () => {
  let failures = 0;
  const away = async () => {
    if (++failures % 8 !== 0) throw new Error('connect ECONNREFUSED');
  };
  const { answer, order } = await create({
    reserveMrn: async () => {
      await away();
      return { mrn: '0123456789', isNew: true };
    },
    commitPatient: async () => {
      await away();
      return aRow;
    },
  });
  expect(answer).toMatchObject({ patient: aRow });
  expect(order.filter((name) => name === 'makePatientUnderMrn')).toHaveLength(1);
});

test.each([failureTypes.mrnExhausted, failureTypes.organizationClosed, failureTypes.duplicateConflict])(
  '%s ends the create before the EMR is called',
  async (type) => {
    const { answer, order } = await create({ reserveMrn: refusing(type, 'no') });
    expect(answer).toMatchObject({ type, message: 'no' });
    expect(order).toEqual(['reserveMrn']);
  },
);
