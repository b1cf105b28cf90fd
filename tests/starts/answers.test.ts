import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../db/client.js';
import { openWorkItem } from '../../db/work-items.js';
import { addDays } from '../../domain/calendar.js';
import {
  adminToken,
  type Answer,
  call,
  callAs,
  eventually,
  freshTask,
  sandbox,
  shared,
} from '../helpers/client.js';
import { setFault } from '../faults/faults.js';
import { newPatient, saveCard } from '../helpers/patients.js';
import { inState, prescription } from '../helpers/prescription.js';
import { approve, semaglutideFor } from '../api/orchestrator/approvals.js';
import { shipped } from '../api/orchestrator/replacements.js';
import { freshEmail, newIntake, postIntake } from '../api/intake/intakes.js';
import { newTenant } from '../api/organization/tenants.js';
import { newBody, organization } from '../api/patients/directory.js';
import { openUnserved, type Unserved } from './unserved.js';

const served = shared();
let unserved: Unserved;
let sql: Sql;
let root: string;
/** A task whose charge failed, and a tenant with a hostname. */
let unpaidTask: string;
let domainPath: string;
let hostname: string;

beforeAll(async () => {
  unserved = await openUnserved(served, 'answers-test', [
    'orchestrator',
    'router',
    'intake',
    'notification',
    'organization',
    'patients',
    'worklist',
  ]);
  sql = createSql(served.databaseUrl, { applicationName: 'test', max: 1 });
  root = await adminToken(served);
  const patient = await newPatient(served, 'WA');
  await saveCard(served, patient, { card: 'pm_card_chargeCustomerFail' });
  const approval = semaglutideFor(patient.id);
  expect((await approve(served, approval)).body.result.warnings).toEqual(['payment_failed']);
  unpaidTask = approval.taskId;
  hostname = `care-${randomUUID()}.example.test`;
  domainPath = `/v1/organizations/${(await newTenant()).id}/custom-domains`;
  const path = domainPath;
  const { status } = await callAs(served, 'organization', root, { method: 'POST', path, body: { hostname } });
  expect(status).toBe(201);
});
afterAll(async () => {
  await sql.end();
  await unserved.stop();
});
beforeEach(() => unserved.bePatient(60_000));

type Ask = () => Promise<Answer<Record<string, unknown>>>;
type Told = [status: number, body: unknown];
interface Row {
  /** A request that is the same each time. */
  ask: Ask;
  late: Told;
  ended: Told;
  /** A request under the same id for something else, and its answer. */
  other?: [Ask, Told];
}

const unknown = { error: expect.any(String) };
const goesOn = (what: string, ids: object = {}): Told => [
  503,
  { error: `The ${what} is still under way`, ...ids },
];
const endedBy = (what: string, ids: object = {}): Told => [
  503,
  { error: `The ${what} was ended by an operator`, ...ids },
];
/** The pharmacy has not answered. */
const pending = {
  state: 'pending',
  reason: null,
  refundedCents: 0,
  refillsCancelled: 0,
  replacementsCancelled: 0,
};
/** In the shape of the services that answer with codes. */
const unavailable = (message: string, ids: object): Told => [503, { error: 'unavailable', message, ...ids }];

const post =
  (service: 'orchestrator' | 'router' | 'notification', key: string, path: string) =>
  (body?: unknown, headers: Record<string, string> = {}): ReturnType<Ask> =>
    call(unserved.dev, service, {
      key,
      method: 'POST',
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    });
const postAs =
  (service: 'organization' | 'patients' | 'worklist', path: () => string) =>
  (body?: unknown, headers: Record<string, string> = {}): ReturnType<Ask> =>
    callAs(unserved.dev, service, root, {
      method: 'POST',
      path: path(),
      headers,
      ...(body === undefined ? {} : { body }),
    });

/** An open work item at the worklist. */
async function newItem(): Promise<string> {
  const fact = randomUUID();
  const item = { kind: 'domain_unverified', reason: 'no_record', references: { taskId: fact } } as const;
  await sql.begin((sql) => openWorkItem(sql, 'organization', { ...item, fact }));
  return eventually(async () => {
    const path = `/v1/work-items?taskId=${fact}`;
    const { body } = await callAs<{ workItems: { id: string }[] }>(served, 'worklist', root, { path });
    return body.workItems[0]?.id;
  });
}

/** The outcomes of a run and each service's answers: docs/answers.md. */
const rows: Record<string, () => Promise<Row>> = {
  'POST /orchestrator/approve': async () => {
    const taskId = freshTask();
    const body = { taskId, medication: 'semaglutide', emrPatientId: 'p' };
    const approving = post('orchestrator', 'approvals', '/orchestrator/approve');
    return {
      ask: () => approving(body),
      late: [202, { taskId, runId: expect.any(String), statusUrl: expect.any(String) }],
      ended: [
        500,
        {
          error: 'Terminated by an operator',
          failedStep: 'medication_config',
          result: expect.objectContaining({ success: false }),
        },
      ],
      other: [
        () => approving({ ...body, medication: 'tirzepatide' }),
        [409, { error: 'Task already approved with different details' }],
      ],
    };
  },
  'POST /orchestrator/deny': async () => {
    const taskId = freshTask();
    return {
      ask: () => post('orchestrator', 'approvals', '/orchestrator/deny')({ taskId }),
      late: goesOn('denial', { taskId }),
      ended: endedBy('denial', { taskId }),
    };
  },
  'POST /orchestrator/cancel': async () => ({
    ask: () =>
      post('orchestrator', 'approvals', '/orchestrator/cancel')({ taskId: unpaidTask, reason: 'Twice' }),
    late: [202, { success: true, taskId: unpaidTask, cancellation: pending }],
    ended: endedBy('cancellation', { taskId: unpaidTask }),
  }),
  'POST /orchestrator/reroute': async () => {
    const rerouting = (pharmacy: string) =>
      post('orchestrator', 'approvals', '/orchestrator/reroute')({ taskId: unpaidTask, pharmacy });
    return {
      ask: () => rerouting('pharmacy_b'),
      late: [202, { success: true, taskId: unpaidTask, cancellation: pending }],
      ended: endedBy('reroute', { taskId: unpaidTask }),
      other: [() => rerouting('pharmacy_c'), [409, { error: 'Task is being rerouted to another pharmacy' }]],
    };
  },
  'POST /orchestrator/replacements': async () => {
    const { taskId } = await shipped(served);
    const replacing = { taskId, reason: 'lost', paidBy: 'carrier' };
    const replacement = {
      ...{ n: 1, reference: `${taskId}~1`, submissionId: null, pharmacy: 'pharmacy_a', state: 'pending' },
      ...{ reason: 'lost', paidBy: 'carrier', at: expect.any(String) },
    };
    return {
      ask: () => post('orchestrator', 'approvals', '/orchestrator/replacements')(replacing),
      late: [202, { success: true, taskId, replacement }],
      ended: endedBy('replacement', { taskId }),
      other: [
        () =>
          post(
            'orchestrator',
            'approvals',
            '/orchestrator/replacements',
          )({ ...replacing, reason: 'damaged' }),
        [409, { error: 'A replacement is under way' }],
      ],
    };
  },
  'POST /orchestrator/payments/:taskId/retry': async () => ({
    ask: () => post('orchestrator', 'approvals', `/orchestrator/payments/${unpaidTask}/retry`)(),
    late: goesOn('charge', { taskId: unpaidTask }),
    ended: endedBy('charge', { taskId: unpaidTask }),
  }),
  'POST /orchestrator/refill-check': async () => ({
    ask: post('orchestrator', 'approvals', '/orchestrator/refill-check'),
    late: goesOn('refill check', { runId: expect.any(String) }),
    ended: endedBy('refill check', { runId: expect.any(String) }),
  }),
  'POST /rx/prescriptions/submit': async () => {
    const body = prescription();
    const submitting = post('router', 'clinic', '/rx/prescriptions/submit');
    const submissionId = expect.any(String);
    return {
      ask: () => submitting(body),
      late: goesOn('submission', { submissionId }),
      // Before its claim; after it 502, since the order may exist.
      ended: [503, { error: 'Terminated by an operator', submissionId }],
      other: [() => submitting({ ...body, test: true }), [409, { ...unknown, submissionId }]],
    };
  },
  'POST /rx/prescriptions/:id/cancel': async () => {
    // Still being placed as far as anybody knows, so that its pharmacy is not asked meanwhile.
    const submissionId = randomUUID();
    await sql`
      insert into router.submission (
        id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
        payload_hash, claim_id, status, request_payload, updated_at
      ) values (
        ${submissionId}, 'clinic', 'test', ${submissionId}, 'http://127.0.0.1:9/', 'WA', 'Semaglutide', 'pharmacy_a',
        false, '', ${randomUUID()}, 'processing', '{}', now() + interval '1 hour'
      )
    `;
    const pending: Told = [
      202,
      { submissionId, cancellation: expect.objectContaining({ state: 'pending', answeredAt: null }) },
    ];
    return {
      ask: post('router', 'clinic', `/rx/prescriptions/${submissionId}/cancel`),
      late: pending,
      ended: pending,
    };
  },
  'POST /rx/prescriptions/:id/missing': async () => {
    // A look is under way as far as anybody knows, so that no other run asks the pharmacy meanwhile.
    const submissionId = randomUUID();
    await sql`
      insert into router.submission (
        id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
        payload_hash, claim_id, status, request_payload, outcome, pharmacy_order_id, unknown_since
      ) values (
        ${submissionId}, 'clinic', 'test', ${submissionId}, 'http://127.0.0.1:9/', 'WA', 'Semaglutide', 'pharmacy_a',
        false, '', ${randomUUID()}, 'submitted', '{}', 'accepted', ${submissionId}, now() + interval '1 hour'
      )
    `;
    const looking: Told = [202, { submissionId, found: null }];
    return {
      ask: post('router', 'clinic', `/rx/prescriptions/${submissionId}/missing`),
      late: looking,
      ended: looking,
    };
  },
  'POST /notify/send': async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { type: 'otp', recipient: { email: freshEmail() }, variables: { code: '000000' } };
    const sending = post('notification', 'notifier', '/notify/send');
    const logId = expect.any(String);
    return {
      ask: () => sending(body, headers),
      late: goesOn('notification', { logId }),
      ended: endedBy('notification', { logId }),
      other: [
        () => sending({ ...body, variables: { code: '111111' } }, headers),
        [409, { error: 'Idempotency-Key already used with a different body' }],
      ],
    };
  },
  'POST /v1/patients': async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = newBody(await organization(served));
    const creating = postAs('patients', () => '/v1/patients');
    const patientId = expect.any(String);
    return {
      ask: () => creating(body, headers),
      late: unavailable('The creation of the patient is still under way', { patientId }),
      ended: unavailable('The creation of the patient was ended by an operator', { patientId }),
      other: [
        () => creating({ ...body, contactEmail: freshEmail() }, headers),
        [409, { error: 'conflict', message: 'Idempotency-Key already used with a different body' }],
      ],
    };
  },
  'POST /v1/organizations': async () => {
    const body = { slug: `t-${randomUUID()}`, displayName: 'Clinic', kind: 'dtc' };
    const creating = () => postAs('organization', () => '/v1/organizations')(body);
    const organizationId = expect.any(String);
    return {
      ask: creating,
      late: unavailable('The organization is still being created', { organizationId }),
      ended: unavailable('The creation of the organization was ended by an operator', { organizationId }),
      other: [
        creating,
        [409, { error: 'conflict', message: 'An organization with this slug is being created' }],
      ],
    };
  },
  'POST /v1/work-items/:id/answer': async () => {
    const id = await newItem();
    const answering = postAs('worklist', () => `/v1/work-items/${id}/answer`);
    return {
      ask: () => answering({ answer: 'dismiss' }),
      late: [202, { workItem: expect.objectContaining({ id, state: 'open' }) }],
      ended: unavailable('The answer was ended by an operator', {}),
      other: [
        async () => {
          await sql`update worklist.history set at = now() - interval '2 minutes' where item_id = ${id}`;
          return answering({ answer: 'verify' });
        },
        [409, { error: 'conflict', message: expect.stringMatching(/ has answered dismiss$/) }],
      ],
    };
  },
  'POST /verify-email/send': async () => {
    const body = { email: freshEmail() };
    const sent: Told = [200, { success: true, message: 'Verification code sent' }];
    const path = '/verify-email/send';
    return {
      ask: () => callAs(unserved.dev, 'intake', undefined, { method: 'POST', path, body }),
      late: sent,
      ended: sent,
    };
  },
};

const told = ({ status, body }: Awaited<ReturnType<Ask>>): Told => [status, body];
const retryAfter = ({ status, headers }: Awaited<ReturnType<Ask>>) =>
  status === 503 ? headers.get('retry-after') : '10';

describe.each(Object.keys(rows))('%s', (name) => {
  test('says where a run goes on that is not at its end in time', async () => {
    const { ask, late } = await rows[name]!();
    await unserved.bePatient(2_000);
    const answer = await ask();
    expect([told(answer), retryAfter(answer)]).toEqual([late, '10']);
  });

  test.each(['terminate', 'cancel'] as const)('says that an operator did %s its run', async (end) => {
    const { ask, ended } = await rows[name]!();
    const already = unserved.count();
    const [answer] = await Promise.all([ask(), unserved.begun(already).then(unserved[end])]);
    expect([told(answer), retryAfter(answer)]).toEqual([ended, '10']);
  });
});

test.each([
  'POST /orchestrator/approve',
  'POST /orchestrator/reroute',
  'POST /orchestrator/replacements',
  'POST /rx/prescriptions/submit',
  'POST /notify/send',
  'POST /v1/patients',
  'POST /v1/organizations',
  'POST /v1/work-items/:id/answer',
])('%s refuses a request under the same id for something else', async (name) => {
  const { ask, other } = await rows[name]!();
  await unserved.bePatient(2_000);
  await ask();
  expect(told(await other![0]())).toEqual(other![1]);
});

test('POST /v1/work-items/:id/answer refuses the same answer with other data or another note, and joins its repeat', async () => {
  const id = await newItem();
  const answering = postAs('worklist', () => `/v1/work-items/${id}/answer`);
  const given = { answer: 'verify', note: 'The record is set', data: { text: 'a' } };
  await unserved.bePatient(2_000);
  const late: Told = [202, { workItem: expect.objectContaining({ id, state: 'open' }) }];
  expect(told(await answering(given))).toEqual(late);
  const refused: Told = [409, { error: 'conflict', message: 'Another answer is under way' }];
  for (const other of [
    { data: { text: 'b' } },
    { data: undefined },
    { note: 'It is not' },
    { note: undefined },
  ])
    expect([other, told(await answering({ ...given, ...other }))]).toEqual([other, refused]);
  expect(told(await answering(given))).toEqual(late);
});

/** Workers of the shared system find what is begun here, so a party takes longer than the caller waits. */
const slow = { kind: 'delay', delayMs: 8_000, times: 1 } as const;
/** A refund is waited for during 30 s, in which its run tries again. */
const noRefund = {
  kind: 'status',
  status: 503,
  times: 12,
  target: 'stripe',
  operation: 'refunds.create',
} as const;
/** Requests that 202 answers while their run goes on. */
const underWay: Record<string, () => Promise<Ask>> = {
  'POST /orchestrator/refunds': async () => {
    const { taskId } = await shipped(served);
    await setFault(served, { ...noRefund, about: taskId });
    return () =>
      post(
        'orchestrator',
        'approvals',
        '/orchestrator/refunds',
      )({ taskId, amountCents: 100, reason: 'Late' });
  },
  'POST /orchestrator/closes': async () => () =>
    post('orchestrator', 'admin', '/orchestrator/closes')({ date: longAgo() }),
  'POST /orchestrator/statements': async () => {
    const day = longAgo();
    const path = '/orchestrator/statements?pharmacy=pharmacy_a';
    return () => post('orchestrator', 'admin', path)({ from: day, to: day, lines: [] });
  },
  'POST /v1/orders/:taskId/actions': async () => {
    const { taskId } = await shipped(served);
    await setFault(served, { ...noRefund, about: taskId });
    const action = { action: 'refund', data: { amountCents: 100 }, note: 'Late' };
    return () => postAs('worklist', () => `/v1/orders/${taskId}/actions`)(action);
  },
  'POST /rx/prescriptions/:id/holds/:holdId/answer': async () => {
    const key = 'clinic_holds';
    const submitted = await call<{ submissionId: string; pharmacyOrderId: string }>(served, 'router', {
      key,
      method: 'POST',
      path: '/rx/prescriptions/submit',
      body: inState('WA'),
    });
    const { submissionId, pharmacyOrderId } = submitted.body;
    const hold = { id: `hold-${randomUUID()}`, code: 'out-of-stock', message: 'Wait for it?' };
    const path = `/pharmacies/pharmacy_a/orders/${pharmacyOrderId}/hold`;
    await sandbox(served, path, { method: 'POST', body: hold });
    await setFault(served, { ...slow, target: 'pharmacy_a', operation: 'answer', about: hold.id });
    return () =>
      post('router', key, `/rx/prescriptions/${submissionId}/holds/${hold.id}/answer`)({ answer: 'proceed' });
  },
};

/** A day that no other test has. */
const longAgo = () => addDays('1900-01-01', Math.floor(Math.random() * 15_000));

test.each(Object.keys(underWay))('%s: 202 while its run goes on', async (name) => {
  const ask = await underWay[name]!();
  await unserved.bePatient(2_000);
  expect((await ask()).status).toBe(202);
});

describe('a question that its run does not answer in time', () => {
  test.each(['verify'])('%s of a hostname: 503 with the hostname', async (what) => {
    await unserved.bePatient(2_000);
    const answer = await postAs('organization', () => `${domainPath}/${hostname}/${what}`)();
    const text = 'The hostname could not be looked at in time';
    expect([told(answer), retryAfter(answer)]).toEqual([unavailable(text, { hostname }), '10']);
  });

  test('the intake, whose page has a text of its own: 500, since it is not stored', async () => {
    await unserved.bePatient(2_000);
    const answer = await postIntake(unserved.dev, await newIntake(served));
    expect([answer.status, answer.body]).toEqual([500, { error: 'Failed to save submission' }]);
  });
});

test('a code for signing in is mailed by a run that nobody waits for', async () => {
  const body = { email: freshEmail() };
  const answer = await postAs('organization', () => '/v1/auth/otp/send')(body);
  expect(told(answer)).toEqual([200, { success: true }]);
});
