import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createLabelActivities } from '../../../activities/orchestrator/lost-labels.js';
import { createShipmentUpdateActivities } from '../../../activities/orchestrator/shipment-updates.js';
import { createSql } from '../../../db/client.js';
import { applyShipmentUpdate, findShipment } from '../../../db/orchestrator/shipments.js';
import type { ShippingClient } from '../../../integrations/shipping/client.js';
import { OutboundError } from '../../../platform/http/outbound.js';
import { shared } from '../../helpers/client.js';

const sql = createSql(shared().databaseUrl, { applicationName: 'test', max: 1 });
afterAll(() => sql.end());

const recipient = {
  name: 'Ada Test',
  phone: '+15005550100',
  line1: '1 Main St',
  city: 'Albany',
  state: 'NY',
  zip: '12207',
};
const label = { shipmentId: 'shp_label', trackingNumber: '1ZLABEL', carrier: 'usps' };
const answered = (status: number) =>
  new OutboundError('Shipping service', { kind: 'status', status, body: '' });
const silent = () => new OutboundError('Shipping service', { kind: 'timeout', timeoutMs: 1_000 });

/** Ships an order whose label is not on record. @param label what the shipping service answers to the label's request */
async function ship(pharmacy: 'pharmacy_a' | 'pharmacy_c', answer: typeof label | OutboundError) {
  const submissionId = randomUUID();
  const order = { submissionId, pharmacy, trackingNumber: '1ZPHARMACY', carrier: 'ups' };
  await applyShipmentUpdate(sql, { ...order, taskId: 'task', emrPatientId: randomUUID(), state: 'shipped' });
  const requests: string[] = [];
  const shipping: ShippingClient = {
    listShipments: () => Promise.reject(silent()),
    createShipment: ({ kind }, { idempotencyKey }) => {
      requests.push(idempotencyKey.replace(submissionId, 'order'));
      if (kind === 'tracking')
        return Promise.resolve({ ...label, shipmentId: 'shp_tracking', carrier: 'ups' });
      return answer instanceof OutboundError ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  const parcel = { n: 1, trackingNumber: '1ZPHARMACY', carrier: 'ups' };
  const orders = { readCancellation: () => Promise.reject(silent()) };
  const updates = createShipmentUpdateActivities({ sql, shipping, orders });
  const update = { ...order, sourceOrderId: 'task', pharmacyOrderId: 'case-1', state: 'shipped' as const };
  const outcome = await new MockActivityEnvironment()
    .run(() => updates.createShipment({ update, recipient, parcel }))
    .catch((error: unknown) => (error as { type?: string }).type);
  const labels = createLabelActivities({ sql, shipping, settleSeconds: [] });
  return {
    requests,
    outcome,
    shipment: await findShipment(sql, submissionId),
    needsLabel: await labels.needsLabel({ submissionId }),
  };
}

describe('an order that ships while its label is in doubt (D115)', () => {
  test('takes the label that its request finds, with the tracking of the pharmacy, and no second record', async () => {
    const { requests, outcome, shipment, needsLabel } = await ship('pharmacy_c', label);
    expect(requests).toEqual(['shipment:order']);
    expect(outcome).toEqual({ carrier: 'ups' });
    expect(shipment).toMatchObject({
      state: 'shipped',
      shipmentId: 'shp_label',
      trackingNumber: '1ZPHARMACY',
      carrier: 'ups',
    });
    expect(needsLabel).toBe(false);
  });

  test('gets a record of its tracking if the label is rejected, since there is none', async () => {
    const { requests, shipment, needsLabel } = await ship('pharmacy_c', answered(422));
    expect(requests).toEqual(['shipment:order', 'tracking:order']);
    expect(shipment).toMatchObject({ shipmentId: 'shp_tracking' });
    expect(needsLabel).toBe(false);
  });

  test.each([
    ['does not answer', silent(), 'Unavailable'],
    ['answers 503', answered(503), 'Unavailable'],
    ['has a label for another address', answered(409), 'Rejected'],
  ])('gets no second record if the shipping service %s', async (_name, answer, type) => {
    const { requests, outcome, needsLabel } = await ship('pharmacy_c', answer);
    expect(requests).toEqual(['shipment:order']);
    expect(outcome).toBe(type);
    expect(needsLabel).toBe(true);
  });

  test('asks for no label if the pharmacy makes its own', async () => {
    expect((await ship('pharmacy_a', label)).requests).toEqual(['tracking:order']);
  });
});
