import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { call, freshTask, patientIn, sandbox, shared } from '../../../helpers/client.js';
import { approve, runsOf, semaglutideFor } from '../approvals.js';
import { activatedRequest, type Body, sendWebhook, settled, webhookOf } from '../../bridge/bridge.js';
import { inState } from '../../../helpers/prescription.js';

interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
}

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

async function submitted(state: string): Promise<Submitted> {
  const { body } = await call<Submitted>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body: inState(state),
  });
  return body;
}
const record = async ({ submissionId }: Submitted) =>
  (await call(dev, 'router', { key: 'clinic', path: `/rx/prescriptions/${submissionId}` })).body;
const updates = ({ submissionId }: Submitted) => sql<{ payload: string }[]>`
  select payload from router.callback where submission_id = ${submissionId} and kind = 'update' order by sequence
`;
const logged = ({ submissionId }: Submitted) => sql<{ webhook: string; body: string }[]>`
  select webhook, body from router.webhook_log where submission_id = ${submissionId} order by id
`;
/** The EMR's word on a dispense with these identifiers, until the router has had it. */
async function dispensed(...identifiers: (string | undefined)[]): Promise<Body> {
  const webhook = webhookOf('MedicationDispense.completed', {
    identifier: identifiers.map((value) => ({ system: 'https://pharmacy.test/orders', value })),
  });
  expect(await settled(sql, await sendWebhook(dev, webhook), 'router')).toBe('delivered');
  return webhook;
}

describe('MedicationDispense.completed', () => {
  test.each(['WA', 'TX', 'NY'])(
    'delivers the order in %s that one of its identifiers names: record, callback and log have it',
    async (state) => {
      const order = await submitted(state);
      const { resource } = await dispensed('another-order', order.pharmacyOrderId);
      expect(await record(order)).toMatchObject({ status: 'delivered' });
      const [callback, ...more] = await updates(order);
      expect([JSON.parse(callback!.payload), more]).toMatchObject([
        { status: 'delivered', pharmacyOrderId: order.pharmacyOrderId, trackingNumber: null },
        [],
      ]);
      const [line] = await logged(order);
      expect([line?.webhook, JSON.parse(line!.body)]).toMatchObject([
        'MedicationDispense.completed',
        { emrEventName: 'MedicationDispense.completed', resource },
      ]);
    },
  );

  test.each(['delivered', 'cancelled'])('changes nothing about an order that is %s', async (final) => {
    const order = await submitted('WA');
    await sandbox(dev, `/pharmacies/pharmacy_a/orders/${order.pharmacyOrderId}/status`, {
      method: 'POST',
      body: { status: final },
    });
    await dispensed(order.pharmacyOrderId);
    expect(await record(order)).toMatchObject({ status: final });
    expect(await updates(order)).toHaveLength(1);
    expect(await logged(order)).toHaveLength(2);
  });

  test('sent twice by the EMR sends one callback', async () => {
    const order = await submitted('WA');
    await dispensed(order.pharmacyOrderId);
    await dispensed(order.pharmacyOrderId);
    expect(await updates(order)).toHaveLength(1);
  });

  test('of an order that nobody knows, or without identifiers, is taken and concerns nobody', async () => {
    await dispensed(randomUUID());
    await dispensed(undefined);
    const answer = await sendWebhook(dev, webhookOf('MedicationDispense.completed'));
    expect(await settled(sql, answer, 'router')).toBe('delivered');
  });

  test('that cannot be read is given up', async () => {
    const answer = await sendWebhook(dev, webhookOf('MedicationDispense.completed', { identifier: 'none' }));
    expect(await settled(sql, answer, 'router')).toBe('dead');
  });
});

describe('MedicationRequest.activated without AUTO_APPROVE_FROM_EMR', () => {
  const recorded = (taskId: string) => sql<{ event: string; outcome: string }[]>`
    select event, outcome from orchestrator.emr_event where task_id = ${taskId}
  `;

  test('is recorded against a task that is known', async () => {
    const approval = semaglutideFor(patientIn(dev, 'WA'));
    expect((await approve(dev, approval)).status).toBe(200);
    const webhook = activatedRequest(approval.taskId, approval.emrPatientId);
    expect(await settled(sql, await sendWebhook(dev, webhook), 'orchestrator')).toBe('delivered');
    expect(await recorded(approval.taskId)).toEqual([
      { event: 'MedicationRequest.activated', outcome: 'recorded' },
    ]);
    expect(await runsOf(dev, approval.taskId)).toHaveLength(1);
  });

  test('starts nothing and records nothing for a task that is not, as the sandbox sends it', async () => {
    const taskId = freshTask();
    const { event, resource } = activatedRequest(taskId, patientIn(dev, 'WA'));
    const answer = await sandbox<{ status: number; body?: Body }>(dev, '/emr/events', {
      method: 'POST',
      body: { event, resource },
    });
    expect(answer.status).toBe(200);
    const [row] = await sql<[{ id: string }]>`
      select id from bridge.emr_webhook_events where resource_id = ${resource.id}
    `;
    const webhook = { status: 200, headers: new Headers(), body: { webhookEventId: row.id } };
    expect(await settled(sql, webhook, 'orchestrator')).toBe('delivered');
    expect(await recorded(taskId)).toEqual([]);
    expect(await runsOf(dev, taskId)).toEqual([]);
  });

  test('without a task, or of another system, concerns nobody', async () => {
    const webhook = activatedRequest(freshTask(), patientIn(dev, 'WA'), {
      identifier: [{ system: 'https://elsewhere.test', value: 'x' }],
    });
    expect(await settled(sql, await sendWebhook(dev, webhook), 'orchestrator')).toBe('delivered');
  });
});
