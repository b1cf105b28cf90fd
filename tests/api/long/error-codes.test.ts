import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { Patient } from 'fhir/r4.js';
import { adminToken, call, callAs, eventually, freshTask, patientIn, shared } from '../../helpers/client.js';
import { changeInEmr, newPatient } from '../../helpers/patients.js';
import { lost, replace, shipped } from '../orchestrator/replacements.js';
import { inState } from '../../helpers/prescription.js';
import { openTemporal } from '../../helpers/temporal-view.js';
import { approvalWorkflowId } from '../../../workflows/ids.js';
import { setFault } from '../../faults/faults.js';
import { approve, semaglutideFor } from '../orchestrator/approvals.js';
import { reroute } from '../orchestrator/exceptions.js';
import { newIntake, postIntake } from '../intake/intakes.js';

// Each call of the helpers checks that an error has the headers of D139, with a code that its page lists.
const dev = shared();
const coded = ({ headers }: { headers: Headers }) => [
  headers.get('error-code'),
  headers.get('error-retryable'),
];
const patientWith = async (change: Partial<Patient>) =>
  (await newPatient(dev, 'NY', (complete) => ({ ...complete, ...change }))).id;
const merged = { link: [{ type: 'replaced-by' as const, other: { reference: 'Patient/x' } }] };

describe('A failed approval', () => {
  test.each([
    ['unknown_medication', async () => ({ ...semaglutideFor(patientIn(dev, 'NY')), medication: 'aspirin' })],
    ['patient_not_found', async () => semaglutideFor('nobody')],
    ['patient_incomplete', async () => semaglutideFor(await patientWith({ telecom: [] }))],
    ['patient_inactive', async () => semaglutideFor(await patientWith({ active: false }))],
    ['patient_deceased', async () => semaglutideFor(await patientWith({ deceasedBoolean: true }))],
    ['patient_merged', async () => semaglutideFor(await patientWith(merged))],
    ['no_pharmacy_route', async () => semaglutideFor(patientIn(dev, 'CA'))],
    [
      'medication_not_at_pharmacy',
      async () => ({ ...semaglutideFor(patientIn(dev, 'TX')), medication: 'nad' }),
    ],
  ])('has the code of its cause: %s', async (code, given) => {
    const answer = await approve(dev, await given());
    expect([answer.status, ...coded(answer)]).toEqual([500, code, 'false']);
  });

  test('has the code of its cause: emr_unavailable, which a repeat mends', async () => {
    const approval = semaglutideFor((await newPatient(dev, 'NY')).id);
    const { emrPatientId: about } = approval;
    await setFault(dev, { target: 'emr', kind: 'status', status: 403, times: 1, about });
    const answer = await approve(dev, approval);
    expect([answer.status, ...coded(answer)]).toEqual([500, 'emr_unavailable', 'true']);
    expect((await approve(dev, approval)).status).toBe(200);
  });

  test('has the code of its cause: order_rejected', async () => {
    const patient = await newPatient(dev, 'WA');
    const about = patient.name.replace('Ada ', '');
    await setFault(dev, { target: 'pharmacy_a', kind: 'status', status: 422, times: 1, about });
    const answer = await approve(dev, semaglutideFor(patient.id));
    expect([answer.status, ...coded(answer)]).toEqual([500, 'order_rejected', 'false']);
  });

  test('has the code of its cause: order_unknown, which a repeat finds out', async () => {
    const patient = await newPatient(dev, 'WA');
    const about = patient.name.replace('Ada ', '');
    const lost = { target: 'pharmacy_a', operation: 'order', kind: 'lost-answer', times: 3, about } as const;
    await setFault(dev, lost);
    const answer = await approve(dev, semaglutideFor(patient.id));
    expect([answer.status, ...coded(answer)]).toEqual([500, 'order_unknown', 'true']);
    await setFault(dev, lost);
    const order = { ...inState('WA'), sourceOrderId: freshTask() };
    const named = { ...order, patient: { ...order.patient, lastName: about } };
    const path = '/rx/prescriptions/submit';
    const submitted = await call(dev, 'router', { key: 'clinic', method: 'POST', path, body: named });
    expect([submitted.status, ...coded(submitted)]).toEqual([502, 'order_unknown', 'true']);
  });

  test.each(['terminated', 'cancelled'])('has the code of its cause: %s', async (code) => {
    const approval = semaglutideFor((await newPatient(dev, 'NY')).id);
    const { emrPatientId: about, taskId } = approval;
    await setFault(dev, { target: 'emr', kind: 'status', status: 503, times: 1_000, about });
    const answer = approve(dev, approval);
    const temporal = await openTemporal(dev);
    const run = temporal.client.workflow.getHandle(approvalWorkflowId(taskId));
    await eventually(() => run.describe().catch(() => undefined));
    await (code === 'terminated' ? run.terminate() : run.cancel());
    expect([(await answer).status, ...coded(await answer)]).toEqual([500, code, 'false']);
    await temporal.close();
  });
});

describe('A rejected replacement', () => {
  test('has the code of how the patient left', async () => {
    const { patient, taskId } = await shipped(dev);
    const codes: [number, ...(string | null)[]][] = [];
    const change = async (changed: Partial<Patient>) => {
      await changeInEmr(dev, patient, (record) => Object.assign(record, changed));
      const answer = await replace(dev, lost(taskId));
      const [code = null, retryable = null] = coded(answer);
      codes.push([answer.status, code, retryable]);
    };
    await change({ telecom: [] });
    await change({ active: false });
    await change(merged);
    await change({ deceasedBoolean: true });
    await setFault(dev, { target: 'emr', kind: 'status', status: 404, times: 1, about: patient.id });
    await change({});
    expect(codes).toEqual([
      [409, 'patient_incomplete', 'false'],
      [409, 'patient_inactive', 'false'],
      [409, 'patient_merged', 'false'],
      [409, 'patient_deceased', 'false'],
      [409, 'patient_not_found', 'false'],
    ]);
  });

  test('has the code of what the pharmacy or its routes say', async () => {
    const { patient, taskId } = await shipped(dev);
    const about = patient.name.replace('Ada ', '');
    await setFault(dev, { target: 'pharmacy_a', kind: 'status', status: 422, times: 1, about });
    const rejected = await replace(dev, lost(taskId));
    expect([rejected.status, ...coded(rejected)]).toEqual([502, 'order_rejected', 'false']);
    const shipTo = { ...inState('CA').shipTo, state: 'CA', zip: '90001' };
    const unrouted = await replace(dev, lost(taskId, { shipTo }));
    expect([unrouted.status, ...coded(unrouted)]).toEqual([422, 'no_pharmacy_route', 'false']);
  });
});

test('A reroute that the other pharmacy rejects has its code, and so has what the desk asks of an order', async () => {
  const { patient, taskId } = await approved();
  const fault = { target: 'pharmacy_b', kind: 'status', status: 422, times: 1 } as const;
  await setFault(dev, { ...fault, about: patient.name.replace('Ada ', '') });
  const rerouted = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
  expect([rerouted.status, ...coded(rerouted)]).toEqual([502, 'order_rejected', 'false']);

  const token = await adminToken(dev);
  const note = 'The patient called';
  const act = async (taskId: string, action: string, data: object) => {
    const path = `/v1/orders/${taskId}/actions`;
    const answer = await callAs(dev, 'worklist', token, {
      method: 'POST',
      path,
      body: { action, data, note },
    });
    return [answer.status, coded(answer)[0]];
  };
  const other = await approved();
  await setFault(dev, { ...fault, about: other.patient.name.replace('Ada ', '') });
  expect(await act(other.taskId, 'reroute', { pharmacy: 'pharmacy_b' })).toEqual([502, 'order_rejected']);
  const { taskId: sent } = await shipped(dev);
  const shipTo = { ...inState('CA').shipTo, state: 'CA', zip: '90001' };
  const lostParcel = { reason: 'lost', paidBy: 'carrier' };
  expect(await act(sent, 'replace', { ...lostParcel, shipTo })).toEqual([422, 'no_pharmacy_route']);
  const nad = await shipped(dev, { medication: 'nad' });
  const texas = { ...shipTo, state: 'TX', zip: '77002' };
  expect(await act(nad.taskId, 'replace', { ...lostParcel, shipTo: texas })).toEqual([
    422,
    'medication_not_at_pharmacy',
  ]);
  const third = await approved();
  expect(await act(third.taskId, 'reroute', { pharmacy: 'pharmacy_a' })).toEqual([422, 'refused']);
});

async function approved() {
  const patient = await newPatient(dev, 'WA');
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  return { patient, taskId: approval.taskId };
}

test('A bulk retry that has ended is not cancelled', async () => {
  const [from, to] = ['2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'];
  const admin = { key: 'admin', method: 'POST' };
  const path = '/orchestrator/recoveries';
  const body = { step: 'payment', from, to, dryRun: false };
  const { body: begun } = await call(dev, 'orchestrator', { ...admin, path, body });
  const own = `${path}/${String(begun['recoveryId'])}`;
  await eventually(async () => {
    const { body } = await call(dev, 'orchestrator', { key: 'admin', path: own });
    return body['state'] === 'completed';
  });
  const refused = await call(dev, 'orchestrator', { ...admin, path: `${own}/cancel` });
  expect([refused.status, ...coded(refused)]).toEqual([409, 'conflict', 'false']);
});

describe('An error of every service', () => {
  test.each([
    [400, 'validation_failed', { method: 'POST', path: '/orchestrator/approve', body: {} }],
    [403, 'forbidden', { path: '/orchestrator/runs', key: 'clinic' }],
    [404, 'not_found', { path: `/orchestrator/status/${freshTask()}` }],
    [400, 'validation_failed', { path: `/orchestrator/status/${'a'.repeat(1_100)}` }],
    [405, 'method_not_allowed', { method: 'PUT', path: '/orchestrator/approve', body: {} }],
    [
      415,
      'unsupported_content_type',
      { method: 'POST', path: '/orchestrator/deny', body: 'a', headers: { 'content-type': 'text/plain' } },
    ],
  ])('that is %i has the code %s', async (status, code, options) => {
    const answer = await call(dev, 'orchestrator', options);
    expect([answer.status, ...coded(answer)]).toEqual([status, code, 'false']);
  });

  test('is the word of the body where the body has words', async () => {
    const none = await callAs(dev, 'patients', undefined, { path: '/v1/patients/x' });
    expect([none.status, none.body['error'], ...coded(none)]).toEqual([
      401,
      'unauthorized',
      'unauthorized',
      'false',
    ]);
    const token = await adminToken(dev);
    const path = '/v1/work-items/00000000-0000-4000-8000-000000000000';
    const missing = await callAs(dev, 'worklist', token, { path });
    expect([missing.status, missing.body['error'], ...coded(missing)]).toEqual([
      404,
      'not_found',
      'not_found',
      'false',
    ]);
  });

  test('that is a conflict or a missing route at the router has its code', async () => {
    const path = '/rx/prescriptions/submit';
    const order = { ...inState('WA'), sourceOrderId: freshTask() };
    const submit = (body: unknown) => call(dev, 'router', { key: 'clinic', method: 'POST', path, body });
    expect((await submit(order)).status).toBe(201);
    const other = { ...order, medication: { ...order.medication, sig: 'another' } };
    expect(coded(await submit(other))).toEqual(['conflict', 'false']);
    expect(coded(await submit(inState('CA')))).toEqual(['no_pharmacy_route', 'false']);
    const unknown = { ...inState('WA').medication, name: 'Aspirin' };
    expect(coded(await submit({ ...inState('WA'), medication: unknown }))).toEqual([
      'order_rejected',
      'false',
    ]);
  });

  test('that an intake gets for its plan has its code, and a browser may read it', async () => {
    const token = await postIntake(dev, await newIntake(dev, { planToken: 'none' }));
    expect(token.status).toBe(400);
    const answer = await fetch(`${dev.services.intake}/validate-coupon`, {
      method: 'POST',
      headers: { origin: dev.services.intake, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([answer.status, ...coded(answer)]).toEqual([400, 'validation_failed', 'false']);
  });

  test('that is no HTTP is the 400 of the framework with a code', async () => {
    const { hostname, port } = new URL(dev.services.router);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.end('no http\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/\r\nerror-code: validation_failed\r\nerror-retryable: false\r\n/);
    expect(answer).toMatch(/"message":"Client Error","statusCode":400\}$/);
  });
});
