import type { PharmacyUpdate } from '../../../domain/orchestrator/shipments.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { NotificationActivities, Notice } from '../../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../../activities/orchestrator/patients.js';
import type { ShipmentUpdateActivities } from '../../../activities/orchestrator/shipment-updates.js';
import type { Shipment } from '../../../db/orchestrator/shipments.js';
import type { followShipment } from '../../../workflows/orchestrator/follow-shipment.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import {
  failingFirst,
  goodActivities,
  outage,
  type PipelineActivities,
  refusal,
} from './pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

type Activities = ShipmentUpdateActivities & PatientActivities & NotificationActivities;

const update = (state: PharmacyUpdate['state'], trackingNumber: string | null = null): PharmacyUpdate => ({
  submissionId: 's1',
  sourceOrderId: 'task',
  pharmacy: 'pharmacy_a',
  pharmacyOrderId: 'case-1',
  state,
  trackingNumber,
  carrier: trackingNumber === null ? null : 'ups',
});

/** A shipment's record as the database keeps it: final states stay, tracking is filled in. */
function recordOf(shipment: Shipment) {
  return {
    record: async ({ state, trackingNumber, carrier }: PharmacyUpdate) => {
      const isFinal = shipment.state === 'delivered' || shipment.state === 'cancelled';
      if (!isFinal) shipment.state = state;
      shipment.trackingNumber = trackingNumber ?? shipment.trackingNumber;
      shipment.carrier = carrier ?? shipment.carrier;
      return { shipment: { ...shipment }, emrPatientId: 'p1', medication: 'Semaglutide 5mg/mL' };
    },
    made: () => {
      shipment.shipmentId = 'shp_1';
      return { carrier: shipment.carrier ?? 'fedex' };
    },
  };
}

const awaited: Shipment = {
  submissionId: 's1',
  taskId: 'task',
  emrPatientId: 'p1',
  pharmacy: 'pharmacy_a',
  state: 'awaiting_pharmacy',
  shipmentId: null,
  trackingNumber: null,
  carrier: null,
  isFirstOrder: true,
};

/** Follows a shipment through these updates, handed over one after the other before any is looked at. */
async function follow(
  updates: readonly PharmacyUpdate[],
  { shipment = awaited, ...replaced }: { shipment?: Shipment } & Partial<Activities> = {},
) {
  const told: Pick<Notice, 'type' | 'variables' | 'reference'>[] = [];
  const calls: string[] = [];
  const stored = recordOf({ ...shipment });
  const patient = goodActivities().activities[
    'fetchPatient'
  ] as unknown as PipelineActivities['fetchPatient'];
  const good: Activities = {
    recordShipmentUpdate: stored.record,
    createShipment: async () => stored.made(),
    fetchPatient: patient,
    fetchContact: async () => ({ name: 'Ada Test', email: 'ada@example.test' }),
    notifyPatient: async ({ type, variables, reference }) => void told.push({ type, variables, reference }),
  };
  const activities = Object.fromEntries(
    Object.entries({ ...good, ...replaced }).map(([name, activity]) => [
      name,
      (input: never) => {
        calls.push(name);
        return (activity as (input: never) => unknown)(input);
      },
    ]),
  );
  const taskQueue = `shipments-${randomUUID()}`;
  const { client } = time.env;
  const workflowId = `shipment:${randomUUID()}`;
  const handOver = (next: PharmacyUpdate) =>
    client.workflow.signalWithStart<typeof followShipment, [PharmacyUpdate]>('followShipment', {
      workflowId,
      taskQueue,
      args: [],
      signal: 'pharmacyUpdate',
      signalArgs: [next],
    });
  // Without a worker yet, all of them wait for the same run.
  for (const next of updates) await handOver(next);
  const details = await time.withWorker(taskQueue, activities, async () => {
    const handle = client.workflow.getHandle(workflowId);
    await handle.result();
    return (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
  });
  return { told, calls, details, types: told.map(({ type }) => type) };
}

describe('an order that ships', () => {
  it('gets a shipment at the shipping service, and its patient is told the tracking', async () => {
    const { told, calls, details } = await follow([update('shipped', '1Z1')]);
    expect(told).toEqual([
      {
        type: 'first_shipping_confirmation',
        reference: 's1',
        variables: { medication: 'Semaglutide 5mg/mL', trackingNumber: '1Z1', carrier: 'ups' },
      },
    ]);
    expect(calls.filter((name) => name === 'createShipment')).toHaveLength(1);
    expect(details).toContain('the patient was told');
  });

  it('is told as any other after the first order of the patient', async () => {
    const shipment = { ...awaited, isFirstOrder: false };
    expect((await follow([update('shipped', '1Z1')], { shipment })).types).toEqual(['shipping_confirmation']);
  });

  it('is told with the carrier that the shipping service names where the pharmacy names none', async () => {
    const { told } = await follow([{ ...update('shipped', '1Z1'), carrier: null }]);
    expect(told).toMatchObject([{ variables: { carrier: 'fedex' } }]);
  });

  it('is told when its tracking comes, not before', async () => {
    expect((await follow([update('shipped')])).types).toEqual([]);
    const { types, calls } = await follow([update('shipped'), update('shipped', '1Z1')]);
    expect(types).toEqual(['first_shipping_confirmation']);
    expect(calls.filter((name) => name === 'createShipment')).toHaveLength(1);
  });

  it('with a label of ours gets no second shipment, and its patient is told the tracking of the label', async () => {
    const labelled: Shipment = {
      ...awaited,
      pharmacy: 'pharmacy_c',
      state: 'label_created',
      shipmentId: 'shp_0',
      trackingNumber: '1ZLABEL',
      carrier: 'ups',
    };
    const { told, calls } = await follow([update('shipped')], { shipment: labelled });
    expect(calls).not.toContain('createShipment');
    expect(told).toMatchObject([{ variables: { trackingNumber: '1ZLABEL' } }]);
  });
});

describe('updates', () => {
  it('are followed in the order they came, one after the other', async () => {
    const { types, calls } = await follow([update('shipped', '1Z1'), update('delivered')]);
    expect(types).toEqual(['first_shipping_confirmation', 'delivered']);
    expect(calls.filter((name) => name === 'recordShipmentUpdate')).toHaveLength(2);
    expect(calls.lastIndexOf('recordShipmentUpdate')).toBeGreaterThan(calls.indexOf('notifyPatient'));
  });

  it('carry one key per state, so that a repeat is the same notice', async () => {
    const { told } = await follow([update('shipped', '1Z1'), update('shipped', '1Z1')]);
    expect(new Set(told.map(({ type, reference }) => `${type}:${reference}`)).size).toBe(1);
  });

  it.each([
    ['delivered', 'shipped', ['delivered']],
    ['delivered', 'cancelled', ['delivered']],
    ['cancelled', 'shipped', ['order_canceled']],
    ['cancelled', 'delivered', ['order_canceled']],
  ] as const)('after %s, %s is kept and told to nobody', async (final, late, expected) => {
    const { types, calls } = await follow([update(final), update(late, '1Z1')]);
    expect(types).toEqual(expected);
    expect(calls.filter((name) => name === 'recordShipmentUpdate')).toHaveLength(2);
    expect(calls).not.toContain('createShipment');
  });

  it('tell a cancellation by the number of the order', async () => {
    const { told } = await follow([update('cancelled')]);
    expect(told).toMatchObject([{ type: 'order_canceled', variables: { orderNumber: 'task' } }]);
  });
});

describe('faults', () => {
  it('of the database, the EMR, the shipping and the notification service are waited out', async () => {
    const stored = recordOf({ ...awaited });
    const told: string[] = [];
    const patient = goodActivities().activities['fetchPatient'] as never;
    await follow([update('shipped', '1Z1')], {
      recordShipmentUpdate: failingFirst(30, stored.record),
      fetchPatient: failingFirst(15, patient),
      createShipment: failingFirst(15, async () => stored.made()),
      notifyPatient: failingFirst(15, async ({ type }: Notice) => void told.push(type)),
    });
    expect(told).toEqual(['first_shipping_confirmation']);
  });

  it('of the shipping service keep nothing from the patient, and an operator reads of them', async () => {
    const { types, details } = await follow([update('shipped', '1Z1')], {
      createShipment: refusal('Shipping service answered 422'),
    });
    expect(types).toEqual(['first_shipping_confirmation']);
    expect(details).toContain('Shipping service answered 422');
  });

  it('that last end the attempt, and the next update has its turn', async () => {
    const { types, details } = await follow([update('shipped', '1Z1'), update('delivered')], {
      fetchPatient: outage,
    });
    expect(types).toEqual(['delivered']);
    expect(details).toContain('delivered');
  });
});
