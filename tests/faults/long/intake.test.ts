import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { intakeWorkflowId } from '../../../workflows/ids.js';
import { adminToken, atOnce, callAs, eventually, sandbox } from '../../helpers/client.js';
import {
  emrPatients,
  freshEmail,
  newIntake,
  postAtOnce,
  postIntake,
  storedSubmission,
} from '../../api/intake/intakes.js';
import { proofOf } from '../../api/intake/visitors.js';
import { clearFaults, faultsMet, setFault } from '../faults.js';
import { dev, sql, stateDir, temporal } from '../faulty-system.js';

interface Retry {
  id: string;
  submission_id: string;
  status: string;
  attempts: number;
  last_error: string | null;
  next_retry_at: string | null;
  [field: string]: unknown;
}

let root: string;
beforeAll(async () => {
  root = await adminToken(dev, {}, stateDir);
});

interface EmrRequest {
  operation: string;
  status: number;
  body: unknown;
  fault: unknown;
}
const emrOf = async (email: string) => {
  const { requests } = await sandbox<{ requests: EmrRequest[] }>(dev, '/requests?target=emr');
  return requests.filter(({ body }) => JSON.stringify(body).includes(email));
};
const createsOf = async (email: string) =>
  (await emrOf(email)).filter(({ operation }) => operation === 'create');

/** Makes the coming retry due at once, as time would. */
async function hurry(submissionId: string): Promise<void> {
  await sql`
    update intake.retry_queue set next_retry_at = now() where submission_id = ${submissionId} and status = 'pending'
  `;
  await temporal.client.workflow.getHandle(intakeWorkflowId(submissionId)).signal('recheck');
}

const retryOf = async (submissionId: string): Promise<Retry> => {
  const { body } = await callAs<{ retries: Retry[] }>(dev, 'intake', root, { path: '/admin/intake-retries' });
  const retry = body.retries.find(({ submission_id }) => submission_id === submissionId);
  if (!retry) throw new Error('no retry entry');
  return retry;
};

/** Spends the three attempts. */
async function exhaust(submissionId: string): Promise<Retry> {
  for (const attempts of [1, 2, 3]) {
    await hurry(submissionId);
    await eventually(async () => (await retryOf(submissionId)).attempts === attempts);
  }
  return retryOf(submissionId);
}

const stateOf = (submissionId: string) => temporal.statusOf(intakeWorkflowId(submissionId));

describe('an intake while the EMR is away', () => {
  test.each(['hang', 'drop', 'status'] as const)(
    'is answered 200 and stored as pending_emr when it shows as %s, and gets its patient once the EMR is back',
    async (kind) => {
      await setFault(dev, { target: 'emr', kind, ...(kind === 'status' ? { status: 503 } : {}) });
      const intake = await newIntake(dev);
      const { status, body } = await postIntake(dev, intake, { 'x-request-id': 'r' });
      expect(status).toBe(200);
      const stored = await storedSubmission(dev, root, body.submissionId);
      expect(stored).toMatchObject({ status: 'pending_emr', emr_patient_id: null, data: intake });
      const retry = await retryOf(body.submissionId);
      expect(retry).toEqual({
        id: expect.any(String),
        submission_id: body.submissionId,
        action: 'create_patient',
        attempts: 0,
        last_error: expect.stringMatching(/^EMR (did not answer|could not be reached|answered 503)/),
        status: 'pending',
        created_at: expect.any(String),
        next_retry_at: expect.any(String),
      });
      expect(Date.parse(retry.next_retry_at!) - Date.parse(String(retry['created_at']))).toBe(60_000);
      const details = await eventually(async () => {
        const shown = await temporal.detailsOf(intakeWorkflowId(body.submissionId));
        return shown.includes('attempt 1 of 3') && shown;
      });
      expect(details).toContain('The EMR is down; attempt 1 of 3 at');
      expect(await stateOf(body.submissionId)).toBe('RUNNING');

      await clearFaults(dev);
      await hurry(body.submissionId);
      await eventually(async () => (await stateOf(body.submissionId)) === 'COMPLETED');
      const [patient, ...others] = await emrPatients(dev, intake.email);
      expect(others).toEqual([]);
      expect(await storedSubmission(dev, root, body.submissionId)).toMatchObject({
        status: 'submitted',
        emr_patient_id: patient?.id,
      });
      expect(await retryOf(body.submissionId)).toMatchObject({
        status: 'completed',
        attempts: 0,
        next_retry_at: null,
      });
    },
  );

  test('gives the card that was saved meanwhile to the patient once there is one', async () => {
    await setFault(dev, { target: 'emr', kind: 'status', status: 503 });
    const { body } = await postIntake(dev, await newIntake(dev));
    const { submissionId } = body;
    const payment = { submissionId, paymentMethodId: 'pm_card_visa' };
    const paid = await callAs(dev, 'intake', undefined, {
      method: 'POST',
      path: '/save-payment-info',
      body: payment,
    });
    expect(paid.status).toBe(200);
    await clearFaults(dev);
    await hurry(submissionId);
    const { emr_patient_id: id } = await eventually(async () => {
      const stored = await storedSubmission(dev, root, submissionId);
      return stored.status === 'submitted' && stored;
    });
    const [profile] = await eventually(async () => {
      const rows = await sql`select * from orchestrator.payment_profile where emr_patient_id = ${id}`;
      return rows.length > 0 && rows;
    });
    expect(profile).toMatchObject({ amountCents: 29_900 });
  });

  test('is parked as failed after three attempts, in red, and a reset starts it again', async () => {
    await setFault(dev, { target: 'emr', kind: 'status', status: 503 });
    const intake = await newIntake(dev);
    const { body } = await postIntake(dev, intake);
    const { submissionId } = body;
    const failed = await exhaust(submissionId);
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 3,
      last_error: 'EMR answered 503',
      next_retry_at: null,
    });
    await eventually(async () => (await stateOf(submissionId)) === 'FAILED');
    expect(await temporal.detailsOf(intakeWorkflowId(submissionId))).toContain(
      `rx intake-retries reset ${failed.id}`,
    );

    await clearFaults(dev);
    const path = `/admin/intake-retries/${failed.id}/reset`;
    const reset = await callAs<{ retry: Retry }>(dev, 'intake', root, { method: 'POST', path });
    expect(reset).toMatchObject({
      status: 200,
      body: { retry: { id: failed.id, status: 'pending', attempts: 0 } },
    });
    await eventually(async () => (await stateOf(submissionId)) === 'COMPLETED');
    expect(await storedSubmission(dev, root, submissionId)).toMatchObject({ status: 'submitted' });
    expect(await emrPatients(dev, intake.email)).toHaveLength(1);
    const again = await callAs(dev, 'intake', root, { method: 'POST', path });
    expect(again).toMatchObject({ status: 409, body: { error: 'Retry is completed' } });
  });

  test('is taken up again by the sweep when its run was terminated', async () => {
    await setFault(dev, { target: 'emr', kind: 'status', status: 503 });
    const intake = await newIntake(dev);
    const { body } = await postIntake(dev, intake);
    await temporal.client.workflow.getHandle(intakeWorkflowId(body.submissionId)).terminate('by a test');
    await clearFaults(dev);
    await sql`
      update intake.retry_queue set next_retry_at = now() - interval '31 seconds'
      where submission_id = ${body.submissionId}
    `;
    await eventually(
      async () => (await storedSubmission(dev, root, body.submissionId)).status === 'submitted',
    );
    expect(await emrPatients(dev, intake.email)).toHaveLength(1);
  });

  test('stays parked when an operator cancels it, until a reset', async () => {
    await setFault(dev, { target: 'emr', kind: 'status', status: 503 });
    const { body } = await postIntake(dev, await newIntake(dev));
    await temporal.client.workflow.getHandle(intakeWorkflowId(body.submissionId)).cancel();
    await eventually(async () => (await stateOf(body.submissionId)) === 'CANCELLED');
    const retry = await retryOf(body.submissionId);
    expect(retry).toMatchObject({ status: 'failed', last_error: 'Cancelled by an operator' });
    await clearFaults(dev);
    const path = `/admin/intake-retries/${retry.id}/reset`;
    await callAs(dev, 'intake', root, { method: 'POST', path });
    await eventually(async () => (await stateOf(body.submissionId)) === 'COMPLETED');
  });
});

/** Everybody has looked by the time the first of them creates. */
const slowCreate = { target: 'emr', operation: 'create', kind: 'delay', delayMs: 1_500 } as const;

describe('an EMR that answers badly', () => {
  test('makes one patient of a create whose answer is lost', async () => {
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer', times: 1 });
    const intake = await newIntake(dev);
    const { body } = await postIntake(dev, intake);
    await faultsMet(dev);
    const [patient, ...others] = await emrPatients(dev, intake.email);
    expect(others).toEqual([]);
    expect(await storedSubmission(dev, root, body.submissionId)).toMatchObject({
      status: 'submitted',
      emr_patient_id: patient?.id,
    });
  });

  test('has two patients under one address named in a work item, also when the answer to a creation is lost', async () => {
    const email = freshEmail();
    await postIntake(dev, await newIntake(dev, { email, lastName: 'Stranger' }));
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer', times: 1 });
    const { body } = await postIntake(dev, await newIntake(dev, { email }));
    await faultsMet(dev);
    const items = await eventually(async () => {
      const opened = await sql`
        select kind from intake.work_item where refers_to ->> 'intakeId' = ${body.submissionId}
      `;
      return opened.length > 0 && opened;
    });
    expect([...items]).toEqual([{ kind: 'identity_mismatch' }]);
    expect(await emrPatients(dev, email)).toHaveLength(2);
  });

  test('gets the newer address of a proved intake once it takes changes again', async () => {
    const email = freshEmail();
    await postIntake(dev, await newIntake(dev, { email }));
    await setFault(dev, { target: 'emr', operation: 'update', kind: 'status', status: 503, times: 2 });
    const emailProof = await proofOf(dev, email);
    const address = { line1: '5 New Road', city: 'Otherton', state: 'NY', zip: '13203' };
    expect((await postIntake(dev, await newIntake(dev, { email, address, emailProof }))).status).toBe(200);
    await faultsMet(dev);
    const [patient] = await eventually(async () => {
      const found = await emrPatients(dev, email);
      return found[0]?.address?.[0]?.city === 'Otherton' && found;
    });
    expect(patient?.address).toEqual([
      { use: 'home', line: ['5 New Road'], city: 'Otherton', state: 'NY', postalCode: '13203' },
    ]);
  });

  test('makes one patient of fifty intakes of one address of which the first answers are lost', async () => {
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer', times: 3 });
    const email = freshEmail();
    const intakes = await atOnce(50, () => newIntake(dev, { email }));
    await postAtOnce(dev, intakes);
    expect(await emrPatients(dev, email)).toHaveLength(1);
    expect((await createsOf(email)).filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('makes one patient of fifty intakes of one address while its creates are slow', async () => {
    await setFault(dev, slowCreate);
    const email = freshEmail();
    const intakes = await atOnce(50, () => newIntake(dev, { email }));
    await postAtOnce(dev, intakes);
    expect(await emrPatients(dev, email)).toHaveLength(1);
    expect((await createsOf(email)).filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('really puts more patients at risk then: fifty who look and create, each for itself, make several', async () => {
    await setFault(dev, slowCreate);
    const email = freshEmail();
    const headers = { authorization: `Bearer ${dev.emr.token}` };
    const lookAndCreate = async () => {
      if ((await emrPatients(dev, email)).length > 0) return;
      await fetch(`${dev.emr.baseUrl}/Patient`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/fhir+json' },
        body: JSON.stringify({ resourceType: 'Patient', telecom: [{ system: 'email', value: email }] }),
      });
    };
    await atOnce(50, lookAndCreate);
    expect((await emrPatients(dev, email)).length).toBeGreaterThan(1);
  });

  test('that refuses a patient is asked no more than the budget says, and the intake is parked', async () => {
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'status', status: 422 });
    const intake = await newIntake(dev, { lastName: `Refused${randomUUID().slice(0, 8)}` });
    const { body } = await postIntake(dev, intake);
    expect(await exhaust(body.submissionId)).toMatchObject({
      status: 'failed',
      last_error: 'EMR answered 422',
    });
    expect(await createsOf(intake.email)).toHaveLength(4);
  });
});
