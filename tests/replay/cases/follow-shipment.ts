import type { PharmacyUpdate } from '../../../domain/orchestrator/shipments.js';
import type { NotificationActivities } from '../../../activities/orchestrator/notifications.js';
import type { LabelActivities } from '../../../activities/orchestrator/lost-labels.js';
import type { ReplacementActivities } from '../../../activities/orchestrator/replacements.js';
import type { PatientActivities } from '../../../activities/orchestrator/patients.js';
import type {
  ShipmentUpdateActivities,
  UpdatedShipment,
} from '../../../activities/orchestrator/shipment-updates.js';
import type { followShipment as workflow } from '../../../workflows/orchestrator/follow-shipment.js';
import { refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected } from '../cases.js';

type Activities = ShipmentUpdateActivities &
  NotificationActivities &
  Pick<PatientActivities, 'fetchContact'> &
  Pick<LabelActivities, 'recordFailedShipment'> &
  Pick<ReplacementActivities, 'readRecipient'>;

const submissionId = '00000000-0000-5000-8000-000000000006';

/** One update, and the shipment as it stands once that is recorded. */
function following(
  expect: Expected,
  state: PharmacyUpdate['state'],
  shipment: Partial<UpdatedShipment['shipment']> = {},
  replaced: Partial<Activities> = {},
  n = 1,
  named: readonly string[] = [],
) {
  const order = { submissionId, pharmacy: 'pharmacy_b', trackingNumber: '1Z', carrier: 'ups' };
  const update: PharmacyUpdate = { ...order, sourceOrderId: 'task', pharmacyOrderId: 'b-1', state };
  const known = { taskId: 'task', emrPatientId: 'patient-1', shipmentId: null, isFirstOrder: true };
  const activities: Activities = {
    ...followActivities(),
    recordShipmentUpdate: async () => ({
      shipment: {
        ...order,
        ...known,
        state: state === 'processing' ? 'awaiting_pharmacy' : state,
        ...shipment,
      },
      parcels:
        shipment.trackingNumber === null
          ? []
          : [...named, '1Z'].map((trackingNumber, i) => ({
              n: n - named.length + i,
              trackingNumber,
              carrier: 'ups',
              shipmentId: shipment.shipmentId ?? null,
            })),
      emrPatientId: 'patient-1',
      medication: 'Semaglutide 5mg/mL',
    }),
    ...replaced,
  };
  return { args: [] as [], activities, startedBy: { signal: 'pharmacyUpdate', args: [update] }, expect };
}

/** The EMR, the shipping and the notification service, which do well. */
export const followActivities = (): Omit<Activities, 'recordShipmentUpdate'> => ({
  createShipment: async () => ({ carrier: 'ups' }),
  fetchContact: async () => ({ name: 'Ada Test', email: 'ada@example.test' }),
  notifyPatient: async () => undefined,
  recordFailedShipment: async () => undefined,
  readRecipient: async () => ({
    name: 'Ada Test',
    phone: '2125550100',
    line1: '2 Other St',
    city: 'Troy',
    state: 'NY',
    zip: '12180',
  }),
});

/** The patient is told so, and of these. */
const telling = (behavior: string, type: string, variables: object, times: Expected['times']): Expected => ({
  behavior,
  inputs: { notifyPatient: [{ type, reference: submissionId, variables }] },
  ...(times === undefined ? {} : { times }),
});
const tracking = { medication: 'Semaglutide 5mg/mL', trackingNumber: '1Z', carrier: 'ups' };

export const followShipment: CasesOf<typeof workflow> = {
  shipped: following(
    {
      ...telling(
        'it gets a shipment at the shipping service, and its patient is told the tracking',
        'first_shipping_confirmation',
        tracking,
        { createShipment: 1 },
      ),
      details: ['the patient was notified'],
      calls: [
        ...['recordShipmentUpdate', 'readRecipient', 'createShipment', 'fetchContact', 'notifyPatient'],
      ],
    },
    'shipped',
  ),
  'shipped-with-our-label': following(
    telling(
      'with a label of ours it gets no second shipment, and is told as any other after the first order',
      'shipping_confirmation',
      tracking,
      { createShipment: 0 },
    ),
    'shipped',
    { shipmentId: 's', isFirstOrder: false },
  ),
  'shipped-without-tracking': following(
    { behavior: 'it is not told before its tracking comes', times: { notifyPatient: 0 } },
    'shipped',
    { trackingNumber: null },
  ),
  'another-parcel': following(
    {
      behavior: 'another parcel gets a shipment of its own, and its patient is told of it alone',
      inputs: {
        createShipment: [{ parcel: { n: 2, trackingNumber: '1Z', carrier: 'ups' } }],
        notifyPatient: [
          {
            type: 'shipping_update',
            reference: `${submissionId}:2`,
            variables: { ...tracking, status: 'another parcel is on its way' },
          },
        ],
      },
    },
    'shipped',
    {},
    {},
    2,
  ),
  'parcels-at-once': following(
    {
      behavior: 'each parcel that was named before it ships gets its shipment and message before the next',
      calls: [
        ...['recordShipmentUpdate', 'readRecipient', 'createShipment', 'fetchContact', 'notifyPatient'],
        ...['readRecipient', 'createShipment', 'notifyPatient'],
      ],
      inputs: {
        createShipment: [
          { parcel: { n: 1, trackingNumber: '1Z0' } },
          { parcel: { n: 2, trackingNumber: '1Z' } },
        ],
        notifyPatient: [
          { type: 'first_shipping_confirmation', reference: submissionId },
          { type: 'shipping_update', reference: `${submissionId}:2` },
        ],
      },
    },
    'shipped',
    {},
    {},
    2,
    ['1Z0'],
  ),
  'parcel-still-here': following(
    {
      behavior: 'a parcel that has not left yet is recorded and told to nobody',
      calls: ['recordShipmentUpdate'],
    },
    'processing',
  ),
  'not-told': following(
    {
      behavior: 'a shipment that the shipping service rejects is a work item, and its patient is told',
      inputs: {
        recordFailedShipment: [{ submissionId, reference: 'task', reason: 'refused' }],
        notifyPatient: [
          { type: 'first_shipping_confirmation', reference: submissionId, variables: tracking },
        ],
      },
      times: { createShipment: 1 },
      details: ['The address is unknown'],
    },
    'shipped',
    {},
    { createShipment: refusal('The address is unknown') },
  ),
  'address-unread': following(
    {
      ...telling(
        'a parcel whose address cannot be read is a work item, and its patient is told all the same',
        'first_shipping_confirmation',
        tracking,
        { createShipment: 0 },
      ),
      calls: [
        ...['recordShipmentUpdate', 'readRecipient', 'recordFailedShipment', 'fetchContact', 'notifyPatient'],
      ],
    },
    'shipped',
    {},
    { readRecipient: refusal('The prescription was erased', 'NotFound') },
  ),
  'contact-unread': following(
    {
      behavior: 'a parcel whose patient is not in the EMR any more has its shipment, and no message',
      calls: ['recordShipmentUpdate', 'readRecipient', 'createShipment', 'fetchContact'],
      details: ['Patient not found in EMR'],
    },
    'shipped',
    {},
    { fetchContact: refusal('Patient not found in EMR', 'NotFound') },
  ),
  delivered: following(telling('a delivery is told', 'delivered', {}, { createShipment: 0 }), 'delivered'),
  cancelled: following(
    telling(
      'a cancellation is told by the number of the order',
      'order_canceled',
      { orderNumber: 'task' },
      { createShipment: 0 },
    ),
    'cancelled',
  ),
  'late-word': following(
    {
      behavior: 'what comes after the end is kept and told to nobody',
      calls: ['recordShipmentUpdate'],
    },
    'shipped',
    { state: 'delivered' },
  ),
  'no-word': {
    args: [],
    activities: {},
    skipTime: true,
    expect: { behavior: 'a run that is told nothing ends', calls: [] },
  },
  running: { ...following({ behavior: 'a shipment is made' }, 'shipped'), openAt: 'createShipment' },
};
