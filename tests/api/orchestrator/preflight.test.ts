import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Patient } from 'fhir/r4.js';
import { rx } from '../../cli/rx.js';
import { call, freshTask, patientIn, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { type SecondApi, startSecondApi } from '../../helpers/second-api.js';
import { approve, ordersOf, runsOf, semaglutideFor } from './approvals.js';

const dev = shared();
const nobody = 'http://127.0.0.1:9';
/** Further orchestrators that reach everybody, but for what a setting changes. */
const orchestratorWith = (settings: Record<string, string>) =>
  startSecondApi(dev, ['orchestrator'], {
    ROUTER_URL: dev.services.router,
    REGISTRY_URL: dev.services.registry,
    EMR_BASE_URL: dev.emr.baseUrl,
    STRIPE_API_BASE: dev.stripe.apiBase,
    LOG_LEVEL: 'silent',
    ...settings,
  });
const invented = {
  firstName: 'Alex',
  lastName: 'Rivera',
  suffix: 'FNP-C',
  npi: '1234567890',
  emrPractitionerId: 'a',
};
let withoutEmr: SecondApi;
let withoutRegistry: SecondApi;
let withoutRouter: SecondApi;
beforeAll(async () => {
  [withoutEmr, withoutRegistry, withoutRouter] = await Promise.all([
    orchestratorWith({ EMR_BASE_URL: nobody }),
    orchestratorWith({ REGISTRY_URL: nobody, PRESCRIBER_A: JSON.stringify(invented) }),
    orchestratorWith({ ROUTER_URL: nobody }),
  ]);
});
afterAll(() => Promise.all([withoutEmr, withoutRegistry, withoutRouter].map((api) => api.stop())));

interface Preflight {
  ready: boolean;
  findings: { code: string; step: string; severity: string; message: string; remedy: string }[];
  error: string;
}
const preflight = (body: unknown, at: { services: Record<string, string> } = dev) =>
  call<Preflight>({ ...dev, services: { ...dev.services, ...at.services } }, 'orchestrator', {
    method: 'POST',
    path: '/orchestrator/preflight',
    body,
  });
/** Readiness, and each finding by its code and severity. */
const found = async (body: unknown, at?: { services: Record<string, string> }) => {
  const { status, body: answer } = await preflight(body, at);
  expect(status).toBe(200);
  return [answer.ready, ...answer.findings.map(({ code, severity }) => `${code} ${severity}`)];
};
const withCard = async (state = 'NY', card = 'pm_card_visa') => {
  const patient = await newPatient(dev, state);
  await saveCard(dev, patient, { card });
  return patient;
};

describe('POST /orchestrator/preflight', () => {
  test('200, ready with nothing found: no run, no order, and the approval then does what was said', async () => {
    const approval = semaglutideFor((await withCard()).id);
    expect(await preflight(approval)).toMatchObject({ status: 200, body: { ready: true, findings: [] } });
    expect(await runsOf(dev, approval.taskId)).toEqual([]);
    expect(await ordersOf(dev, approval.taskId)).toEqual([]);
    expect((await approve(dev, approval)).body.result).toMatchObject({ success: true, warnings: [] });
  });

  test('unknown_medication, whatever the case', async () => {
    const { id } = await withCard();
    const approval = { ...semaglutideFor(id), medication: 'Semaglutide' };
    expect(await found(approval)).toEqual([false, 'unknown_medication blocks']);
  });

  test('patient_not_found, and nothing of what needs the patient’s state', async () => {
    expect(await found(semaglutideFor('nobody'))).toEqual([
      false,
      'patient_not_found blocks',
      'no_payment_profile warns',
    ]);
  });

  test('patient_incomplete and no_contact name fields, and no value stands anywhere', async () => {
    const without = (complete: Patient): Patient => ({ ...complete, telecom: [], gender: 'other' });
    const patient = await newPatient(dev, 'CA', without);
    const { body } = await preflight({ ...semaglutideFor(patient.id), medication: 'aspirin' });
    expect(body.findings).toMatchObject([
      { code: 'unknown_medication', step: 'medication_config', severity: 'blocks' },
      {
        code: 'patient_incomplete',
        step: 'patient_details',
        severity: 'blocks',
        message: 'The patient record is incomplete: gender, phone',
      },
      { code: 'no_pharmacy_route', step: 'pharmacy_submission', severity: 'blocks' },
      { code: 'no_payment_profile', step: 'payment', severity: 'warns' },
      { code: 'no_contact', step: 'notification', severity: 'warns' },
    ]);
    for (const { message, remedy } of body.findings)
      expect(message + remedy).not.toMatch(/CA\b|aspirin|Sampleton|Ada/);
  });

  test('no_pharmacy_route where approve would find none', async () => {
    const approval = semaglutideFor((await withCard('CA')).id);
    expect(await found(approval)).toEqual([false, 'no_pharmacy_route blocks']);
    expect((await approve(dev, approval)).body.failedStep).toBe('pharmacy_submission');
  });

  test('medication_not_at_pharmacy where the pharmacy of the state would reject it', async () => {
    const approval = { ...semaglutideFor((await withCard('TX')).id), medication: 'nad' };
    expect(await found(approval)).toEqual([false, 'medication_not_at_pharmacy blocks']);
    expect((await approve(dev, approval)).body.failedStep).toBe('pharmacy_submission');
  });

  test('no_licensed_prescriber warns, since the static table has one', async () => {
    const approval = semaglutideFor((await withCard('DC')).id);
    expect(await found(approval)).toEqual([true, 'no_licensed_prescriber warns']);
  });

  test('registry_unavailable warns, and so does prescriber_npi_invalid, of the static prescriber too', async () => {
    const approval = semaglutideFor((await withCard()).id);
    expect(await found(approval, withoutRegistry)).toEqual([
      true,
      'registry_unavailable warns',
      'prescriber_npi_invalid warns',
    ]);
  });

  test('emr_unavailable', async () => {
    const approval = semaglutideFor((await withCard()).id);
    expect(await found(approval, withoutEmr)).toEqual([false, 'emr_unavailable blocks']);
  });

  test('no_payment_profile and card_expired warn, and the charge then fails', async () => {
    const cardless = semaglutideFor((await newPatient(dev)).id);
    expect(await found(cardless)).toEqual([true, 'no_payment_profile warns']);
    const expired = semaglutideFor((await withCard('NY', 'pm_card_expired')).id);
    expect(await found(expired)).toEqual([true, 'card_expired warns']);
    expect((await approve(dev, expired)).body.result.warnings).toEqual(['payment_failed']);
  });

  test('task_in_use only where approve would be 409', async () => {
    const approval = semaglutideFor((await withCard()).id);
    await approve(dev, approval);
    expect(await found(approval)).toEqual([true]);
    const other = { ...approval, medication: 'nad' };
    expect(await found(other)).toEqual([false, 'task_in_use blocks']);
    expect((await approve(dev, other)).status).toBe(409);
    const failed = { ...approval, taskId: freshTask(), medication: 'aspirin' };
    await approve(dev, failed);
    expect(await found({ ...failed, medication: 'nad' })).toEqual([true]);
  });

  test('400 for what approve refuses', async () => {
    const { status, body } = await preflight({ ...semaglutideFor('a b'), taskId: '' });
    expect([status, body.error]).toEqual([400, 'Validation failed']);
  });

  test('503 while the router, which is ours, does not answer', async () => {
    const approval = semaglutideFor((await withCard()).id);
    const { status, body, headers } = await preflight(approval, withoutRouter);
    expect([status, body.error]).toEqual([503, 'Temporarily unavailable']);
    expect(headers.get('retry-after')).not.toBeNull();
  });
});

test('rx preflight says what it found and ends with 1 when something blocks', async () => {
  const ready = await rx('preflight', '--patient', patientIn(dev, 'NY'));
  expect([ready.exitCode, ready.stdout]).toEqual([0, 'Ready to be approved.\n']);
  const blocked = await rx('preflight', '--patient', (await withCard('CA')).id);
  expect(blocked.exitCode).toBe(1);
  expect(blocked.stdout).toMatch(/no_pharmacy_route[^]*Not ready\.\n$/);
});
