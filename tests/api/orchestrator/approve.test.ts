import { describe, expect, test } from '@jest/globals';
import { eventually, patientIn, shared } from '../../helpers/client.js';
import { allSteps, approve, approveAsync, endedRun, semaglutideFor, submissionIdOf } from './approvals.js';
import { newPatient, saveCard } from '../../helpers/patients.js';

const dev = shared();
const nora = () => semaglutideFor(patientIn(dev, 'NY'));
const unknownMedication = () => ({ ...nora(), medication: 'aspirin' });

describe('POST /orchestrator/approve', () => {
  test('200 with the result of all seven steps', async () => {
    const patient = await newPatient(dev, 'NY');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    const { status, body, headers } = await approve(dev, approval);
    expect(body).toEqual({
      success: true,
      result: {
        success: true,
        completedSteps: allSteps,
        warnings: [],
        medication: 'Semaglutide 5mg/mL',
        patientName: patient.name,
        state: 'NY',
        submissionId: submissionIdOf(dev, approval.taskId),
      },
    });
    expect(status).toBe(200);
    expect(headers.get('idempotent-replayed')).toBeNull();
  });

  test('200 with warnings: no card, no channel that delivers; completedSteps still lists all seven', async () => {
    const patient = await newPatient(dev, 'NY', (complete) => ({
      ...complete,
      telecom: [{ system: 'phone', value: '+15005550001' }],
    }));
    const { status, body } = await approve(dev, semaglutideFor(patient.id));
    expect([status, body.success, body.result.success]).toEqual([200, true, true]);
    expect(body.result.warnings).toEqual(['payment_failed', 'notification_failed']);
    expect(body.result.completedSteps).toEqual(allSteps);
  });

  test('202 with Prefer: respond-async: taskId, the id of the run and where to ask for it', async () => {
    const approval = nora();
    const { status, body } = await approveAsync(dev, approval);
    expect([status, Object.keys(body)]).toEqual([202, ['taskId', 'runId', 'statusUrl']]);
    expect(body.taskId).toBe(approval.taskId);
    expect(body.statusUrl).toBe(`${dev.services.orchestrator}/orchestrator/status/${approval.taskId}`);
    const run = await eventually(() => endedRun(dev, approval.taskId));
    expect([run.id, run.status]).toEqual([body.runId, 'completed']);
  });

  test.each(['wait=10, respond-async', 'Respond-Async; x=1'])('202 with Prefer: %s', async (prefer) => {
    expect((await approve(dev, unknownMedication(), { headers: { prefer } })).status).toBe(202);
  });

  test.each([
    ['taskId', undefined],
    ['taskId', ''],
    ['dosage', null],
  ])('400 with a details array for %s: %j', async (path, value) => {
    const { status, body } = await approve(dev, { ...nora(), [path]: value });
    expect(body).toEqual({ error: 'Validation failed', details: [{ path, message: expect.any(String) }] });
    expect(status).toBe(400);
  });

  test('an emrPatientId of 64 characters is looked up', async () => {
    const emrPatientId = 'x'.repeat(64);
    const { body } = await approve(dev, { ...nora(), emrPatientId });
    expect(body.error).toBe(`Patient not found in EMR: ${emrPatientId}`);
  });

  test('400 lists every field at fault', async () => {
    const { body } = await approve(dev, {});
    expect(body.details.map(({ path }) => path)).toEqual(['taskId', 'medication', 'emrPatientId']);
  });

  test.each(['[]', '"task"', 'null'])('400 for a body that is no object: %s', async (body) => {
    const answer = await approve(dev, body);
    expect([answer.status, answer.body.error, answer.body.details]).toMatchObject([
      400,
      'Validation failed',
      [{ path: '' }],
    ]);
  });

  test('400 for no body, and for malformed JSON without details', async () => {
    expect((await approve(dev, undefined)).status).toBe(400);
    expect(await approve(dev, '{"taskId":')).toMatchObject({
      status: 400,
      body: { error: 'Malformed JSON' },
    });
  });

  test('413 for a body over 1 MiB, before the signature is looked at; just below it is read', async () => {
    const padded = (bytes: number) => JSON.stringify({ ...unknownMedication(), padding: 'x'.repeat(bytes) });
    const headers = { 'x-signature': 'wrong' };
    const { status, body } = await approve(dev, padded(1_048_576), { headers });
    expect([status, body]).toEqual([413, { error: 'Payload too large' }]);
    expect((await approve(dev, padded(1_048_000))).body.error).toBe('Unknown medication: aspirin');
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'foo', 'a/b/c'])(
    '415 for %s',
    async (type) => {
      const { status, body } = await approve(dev, nora(), { headers: { 'content-type': type } });
      expect([status, body]).toEqual([415, { error: 'Unsupported content type' }]);
    },
  );

  test('ignores unknown fields', async () => {
    const { body } = await approve(dev, { ...unknownMedication(), price: 0 });
    expect(body.error).toBe('Unknown medication: aspirin');
  });
});

describe('POST /orchestrator/approve that fails at a blocking step', () => {
  const failed = { success: false, warnings: [] };

  test.each(['aspirin', 'Semaglutide', 'toString', '__proto__'])(
    '500 at step 1 for the medication %s',
    async (key) => {
      const { status, body } = await approve(dev, { ...nora(), medication: key });
      const error = `Unknown medication: ${key}`;
      expect(body).toEqual({
        error,
        failedStep: 'medication_config',
        result: {
          ...failed,
          completedSteps: [],
          failedStep: 'medication_config',
          error,
          medication: key,
          patientName: '',
          state: '',
        },
      });
      expect(status).toBe(500);
    },
  );

  test.each(['nobody', '.', '..', 'a.b-c'])(
    '500 at step 2 for a patient the EMR does not know: %s',
    async (id) => {
      const { status, body } = await approve(dev, semaglutideFor(id));
      expect([status, body.error, body.failedStep]).toEqual([
        500,
        `Patient not found in EMR: ${id}`,
        'patient_details',
      ]);
      expect(body.result).toMatchObject({ ...failed, completedSteps: ['medication_config'] });
      expect(body.result.medication).toBe('Semaglutide 5mg/mL');
    },
  );

  test('500 at step 2 names the fields that the record lacks, and no value', async () => {
    const { id } = await newPatient(dev, 'NY', (complete) => ({
      ...complete,
      telecom: [],
      gender: 'other',
      address: [{ line: ['1 Main St'], state: 'New York', postalCode: '123' }],
    }));
    const { status, body } = await approve(dev, semaglutideFor(id));
    const fields = 'gender, phone, address.city, address.zip';
    expect([status, body.error]).toEqual([500, `Patient record is incomplete: ${fields}`]);
    expect(body.failedStep).toBe('patient_details');
  });

  test("500 at step 4 with the router's 422 text; nothing is charged", async () => {
    const { status, body } = await approve(dev, semaglutideFor(patientIn(dev, 'CA')));
    expect([status, body.error, body.failedStep]).toEqual([
      500,
      'No pharmacy route configured for state: CA',
      'pharmacy_submission',
    ]);
    expect(body.result).toMatchObject({
      ...failed,
      completedSteps: ['medication_config', 'patient_details', 'prescriber_resolution'],
      state: 'CA',
    });
    expect(body.result).not.toHaveProperty('submissionId');
  });

  test("500 at step 4 with the text of the router's 502", async () => {
    const { status, body } = await approve(dev, {
      ...semaglutideFor(patientIn(dev, 'TX')),
      medication: 'nad',
    });
    expect([status, body.failedStep]).toEqual([500, 'pharmacy_submission']);
    expect(body.error).toBe('pharmacy_b has no catalog id for this medication');
  });
});
