import type { LabelActivities } from '../../../activities/orchestrator/lost-labels.js';
import type { ReplacementActivities } from '../../../activities/orchestrator/replacements.js';
import type { replaceOrder as workflow } from '../../../workflows/orchestrator/replace-order.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

type Functions<A> = {
  [K in keyof A]: A[K] extends (...args: infer I) => infer O ? (...args: I) => O : never;
};
type Activities = Pick<PipelineActivities, 'chargeSavedCard' | 'shipOrder' | 'notifyPatient'> &
  Functions<
    Pick<
      ReplacementActivities,
      | 'openReplacement'
      | 'placeReplacement'
      | 'recordReplacementOrder'
      | 'recordNoReplacement'
      | 'endReplacement'
      | 'readAddressee'
    > &
      Pick<LabelActivities, 'recordFailedShipment'>
  > & { fetchContact: () => Promise<{ name: string; email: string }> };

const submissionId = '00000000-0000-5000-8000-000000000031';
const placed = { submissionId, pharmacy: 'pharmacy_c', pharmacyOrderId: 'c-1' };
const reference = 'task~1';
const replacing = { heldBy: 'task', emrPatientId: 'patient-1', pharmacy: 'pharmacy_c', requestedBy: 'key' };
const { chargeSavedCard, shipOrder, notifyPatient } = goodActivities();
const good: Activities = {
  openReplacement: async () => ({ replacing: { ...replacing, priceCents: 29_900 } }),
  placeReplacement: async () => ({ placed }),
  recordReplacementOrder: async () => undefined,
  recordNoReplacement: async () => undefined,
  endReplacement: async () => undefined,
  readAddressee: async () => ({
    firstName: 'Ada',
    lastName: 'Test',
    phone: '2125550100',
    address: { line1: '2 Other St', city: 'New York', state: 'NY', zip: '10001' },
  }),
  recordFailedShipment: async () => undefined,
  fetchContact: async () => ({ name: 'Ada Test', email: 'ada@example.test' }),
  chargeSavedCard,
  shipOrder,
  notifyPatient,
};

/** Somebody wants a shipped order replaced. */
export const replacingOrder = (
  expect: Expected,
  replaced: Partial<Activities> = {},
): CheckedCase<Parameters<typeof workflow>> => ({
  args: [{ reference }],
  activities: { ...good, ...replaced },
  expect,
});

const shipped = ['readAddressee', 'shipOrder'];
const told = ['fetchContact', 'notifyPatient', 'endReplacement'];

export const replaceOrder: CasesOf<typeof workflow> = {
  'paid-by-the-patient': replacingOrder({
    behavior: 'the order is made once, charged under its own reference, shipped and told',
    result: { state: 'ordered' },
    calls: [
      'openReplacement',
      'placeReplacement',
      'recordReplacementOrder',
      'chargeSavedCard',
      ...shipped,
      ...told,
    ],
    inputs: {
      chargeSavedCard: [{ taskId: reference, priceCents: 29_900 }],
      shipOrder: [{ shipment: { taskId: reference }, patient: { address: { line1: '2 Other St' } } }],
      notifyPatient: [
        {
          type: 'order_edited',
          reference,
          variables: { orderNumber: 'task', change: 'A replacement is on its way' },
        },
      ],
    },
  }),
  'paid-by-another': replacingOrder(
    {
      behavior: 'nobody else is charged',
      result: { state: 'ordered' },
      calls: ['openReplacement', 'placeReplacement', 'recordReplacementOrder', ...shipped, ...told],
    },
    { openReplacement: async () => ({ replacing }) },
  ),
  'steps-fail': replacingOrder(
    {
      behavior: 'a declined charge, a refused label and a failed message leave the order',
      result: { state: 'ordered' },
      times: { recordFailedShipment: 1, endReplacement: 1 },
      details: ['WARNING, charge', 'WARNING, shipment', 'WARNING, notification'],
    },
    {
      chargeSavedCard: refusal('Card declined: insufficient_funds', 'Declined'),
      shipOrder: refusal('The address is unknown'),
      notifyPatient: refusal('No channel could deliver the notification'),
    },
  ),
  rejected: replacingOrder(
    {
      behavior: 'a pharmacy that rejects it leaves no order and no charge',
      result: { state: 'rejected', error: 'Out of stock' },
      calls: ['openReplacement', 'placeReplacement', 'recordNoReplacement'],
      inputs: { recordNoReplacement: [{ reference, state: 'rejected' }] },
    },
    { placeReplacement: async () => ({ refusal: 'Out of stock' }) },
  ),
  unknown: replacingOrder(
    {
      behavior: 'an order of which nobody knows is neither charged nor told',
      result: { state: 'unknown' },
      calls: ['openReplacement', 'placeReplacement', 'recordNoReplacement'],
      inputs: { recordNoReplacement: [{ reference, state: 'unknown', submissionId }] },
    },
    { placeReplacement: async () => ({ unknown: true as const, submissionId }) },
  ),
  'carried-on': replacingOrder(
    {
      behavior: 'an order that turned out to exist is charged, shipped and told, and not made again',
      result: { state: 'ordered' },
      calls: ['openReplacement', 'chargeSavedCard', ...shipped, ...told],
    },
    { openReplacement: async () => ({ replacing: { ...replacing, priceCents: 29_900, placed } }) },
  ),
  repeated: replacingOrder(
    {
      behavior: 'a run that comes after the end does nothing',
      result: { state: 'ordered' },
      calls: ['openReplacement'],
    },
    { openReplacement: async () => ({ end: { state: 'ordered' as const } }) },
  ),
  running: { ...replacingOrder({ behavior: 'the order is made' }), openAt: 'placeReplacement' },
};
