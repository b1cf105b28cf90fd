import { describe, expect, it } from '@jest/globals';
import type { Notice } from '../../../activities/orchestrator/notifications.js';
import type { Shipment } from '../../../db/orchestrator/shipments.js';
import type { PharmacyUpdate } from '../../../domain/orchestrator/shipments.js';
import { followActivities, followShipment } from '../../replay/cases/follow-shipment.js';
import { useRuns } from '../runs.js';
import { failingFirst, outage, ownOutage, refusal } from './pipeline-activities.js';

const { run, testCases } = useRuns('followShipment');

const update = (state: PharmacyUpdate['state'], trackingNumber: string | null = null): PharmacyUpdate => ({
  submissionId: 's1',
  sourceOrderId: 'task',
  pharmacy: 'pharmacy_a',
  pharmacyOrderId: 'case-1',
  state,
  trackingNumber,
  carrier: trackingNumber === null ? null : 'ups',
});

/** A shipment's record as the database keeps it: final states stay, and each tracking number is a parcel. */
const recordOf = (shipment: Shipment) => {
  const parcels: string[] = [];
  return async ({ state, trackingNumber, carrier }: PharmacyUpdate) => {
    const isFinal = shipment.state === 'delivered' || shipment.state === 'cancelled';
    if (!isFinal && state !== 'processing') shipment.state = state;
    shipment.trackingNumber = trackingNumber ?? shipment.trackingNumber;
    shipment.carrier = carrier ?? shipment.carrier;
    const newest = shipment.trackingNumber;
    if (newest !== null && !parcels.includes(newest)) parcels.push(newest);
    const n = newest === null ? 0 : parcels.indexOf(newest) + 1;
    const parcel = newest !== null && {
      n,
      trackingNumber: newest,
      carrier: shipment.carrier,
      shipmentId: null,
    };
    return {
      shipment: { ...shipment },
      parcels: parcel ? [parcel] : [],
      emrPatientId: 'p1',
      medication: 'Semaglutide 5mg/mL',
    };
  };
};

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

/** Follows a shipment through these updates: the first starts the run, whose record waits for the others. */
async function follow(
  updates: readonly PharmacyUpdate[],
  replaced: Partial<ReturnType<typeof followActivities>> = {},
  record = recordOf({ ...awaited }),
) {
  const [first, ...others] = updates;
  let handOver: () => void = () => undefined;
  const handedOver = new Promise<void>((resolve) => (handOver = resolve));
  const ending = await run(
    {
      args: [],
      activities: {
        ...followActivities(),
        recordShipmentUpdate: async (next: PharmacyUpdate) => {
          await handedOver;
          return record(next);
        },
        ...replaced,
      },
      startedBy: { signal: 'pharmacyUpdate', args: [first] },
    },
    async (handle) => {
      for (const next of others) await handle.signal('pharmacyUpdate', next);
      handOver();
    },
  );
  const told = ending.inputs('notifyPatient') as Notice[];
  return { ...ending, told, types: told.map(({ type }) => type) };
}

describe('an order that ships', () => {
  testCases(followShipment);

  it('is told with the carrier that the shipping service names where the pharmacy names none', async () => {
    const { told } = await follow([{ ...update('shipped', '1Z1'), carrier: null }], {
      createShipment: async () => ({ carrier: 'fedex' }),
    });
    expect(told).toMatchObject([{ variables: { carrier: 'fedex' } }]);
  });

  it('says that no tracking number is known where it arrives without one', async () => {
    const { told } = await follow([update('delivered')]);
    expect(told).toMatchObject([{ type: 'delivered', variables: { trackingNumber: 'not known' } }]);
  });

  it('is told when its tracking comes, with one shipment', async () => {
    const { types, times } = await follow([update('shipped'), update('shipped', '1Z1')]);
    expect([types, times('createShipment')]).toEqual([['first_shipping_confirmation'], 1]);
  });
});

describe('an order of several parcels (D155)', () => {
  it('gets a shipment and a message for each', async () => {
    const { told, inputs } = await follow([
      update('shipped', '1Z1'),
      update('shipped', '1Z2'),
      update('shipped', '1Z3'),
    ]);
    expect(
      told.map(({ type, reference, variables }) => [type, reference, variables['trackingNumber']]),
    ).toEqual([
      ['first_shipping_confirmation', 's1', '1Z1'],
      ['shipping_update', 's1:2', '1Z2'],
      ['shipping_update', 's1:3', '1Z3'],
    ]);
    expect(inputs('createShipment')).toMatchObject([
      { parcel: { n: 1 } },
      { parcel: { n: 2 } },
      { parcel: { n: 3 } },
    ]);
  });

  it('tells of each although the shipping service rejects one', async () => {
    const { types } = await follow([update('shipped', '1Z1'), update('shipped', '1Z2')], {
      createShipment: refusal('The address is unknown'),
    });
    expect(types).toEqual(['first_shipping_confirmation', 'shipping_update']);
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
});

describe('faults', () => {
  it('of the database, the EMR, the shipping and the notification service are waited out', async () => {
    const good = followActivities();
    const { inputs } = await follow(
      [update('shipped', '1Z1')],
      {
        readRecipient: failingFirst(15, good.readRecipient),
        fetchContact: failingFirst(15, good.fetchContact),
        createShipment: failingFirst(15, good.createShipment),
        notifyPatient: failingFirst(15, good.notifyPatient),
      },
      failingFirst(30, recordOf({ ...awaited })),
    );
    expect(inputs('notifyPatient')).toHaveLength(16);
  });

  it('of the EMR that last end the attempt: the parcel has its shipment, and the next update its turn', async () => {
    const good = followActivities();
    const { types, times, details } = await follow([update('shipped', '1Z1'), update('delivered')], {
      // The first try is local, and twenty follow it.
      fetchContact: failingFirst(21, good.fetchContact),
    });
    expect([types, times('createShipment'), times('recordFailedShipment')]).toEqual([['delivered'], 1, 0]);
    expect(await details()).toContain('delivered');
  });

  it.each<[string, Parameters<typeof follow>[1]]>([
    ['shipping service', { createShipment: outage }],
    ['router', { readRecipient: ownOutage }],
  ])('of the %s that last are a work item, and the patient is told', async (_name, replaced) => {
    const { types, inputs } = await follow([update('shipped', '1Z1')], replaced);
    expect(types).toEqual(['first_shipping_confirmation']);
    expect(inputs('recordFailedShipment')).toMatchObject([{ reference: 'task', reason: 'unanswered' }]);
  });

  it.each<[string, Parameters<typeof follow>[1]]>([
    ['message', { notifyPatient: refusal('No channel could deliver the notification') }],
    ['contact', { fetchContact: refusal('Patient not found in EMR', 'NotFound') }],
  ])('of a %s keep no other parcel from its shipment', async (_name, replaced) => {
    const { times } = await follow([update('shipped', '1Z1')], replaced, async (next) => {
      const recorded = await recordOf({ ...awaited })(next);
      return {
        ...recorded,
        parcels: [1, 2].flatMap((n) => recorded.parcels.map((one) => ({ ...one, n }))),
      };
    });
    expect([times('createShipment'), times('fetchContact')]).toEqual([2, 1]);
  });
});
