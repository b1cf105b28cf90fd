import type { RerouteActivities } from '../../../activities/orchestrator/reroutes.js';
import type { LabelActivities } from '../../../activities/orchestrator/lost-labels.js';
import type { CancellationActivities } from '../../../activities/orchestrator/cancellations.js';
import type { rerouteOrder as workflow } from '../../../workflows/orchestrator/reroute-order.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

type Functions<A> = {
  [K in keyof A]: A[K] extends (...args: infer I) => infer O ? (...args: I) => O : never;
};
type Activities = PipelineActivities &
  Functions<
    RerouteActivities &
      Pick<CancellationActivities, 'cancelOrder' | 'readOrderCancellation' | 'lookForOrder'> &
      Pick<LabelActivities, 'recordFailedShipment'>
  >;

const first = '00000000-0000-5000-8000-000000000021';
const placed = {
  submissionId: '00000000-0000-5000-8000-000000000022',
  pharmacy: 'pharmacy_b',
  pharmacyOrderId: 'b-1',
};
const run = {
  id: '00000000-0000-7000-8000-000000000001',
  workflowId: 'approval:moved',
  taskId: 'task',
  kind: 'approve' as const,
  isFailed: false,
  isUnplaced: false,
  detailsHash: 'hash',
  medication: 'semaglutide',
  emrPatientId: 'patient-1',
  dosage: null,
  requestedBy: 'key',
  patientName: 'Ada Test',
  state: 'NY',
};
const live = {
  reference: 'task',
  n: 1,
  pharmacy: null,
  submissionId: null,
  isMissing: false,
  isFromReroute: false,
};
type Claimed = Awaited<ReturnType<Activities['openReroute']>>;
const claimed: Claimed = { run, references: ['task'], live, shipTo: null, isOtherAddress: false };
/** What the run is told of the task. */
export const claiming =
  (over: Partial<Claimed> = {}): Activities['openReroute'] =>
  async () => ({ ...claimed, ...over });
const good: Activities = {
  ...goodActivities(),
  openReroute: claiming(),
  checkReroute: async () => ({ source: first }),
  cancelOrder: async () => ({ state: 'approved', submissionId: first }),
  readOrderCancellation: async () => ({ state: 'approved', submissionId: first }),
  lookForOrder: async () => ({ found: false }),
  moveReference: async () => ({ reference: 'task#2' }),
  placeAgain: async () => ({ placed }),
  recordMoved: async () => undefined,
  recordNotTaken: async () => undefined,
  recordPlaced: async () => ({ state: 'rejected' as const, error: 'No' }),
  endReroute: async () => undefined,
  recordFailedShipment: async () => undefined,
};
/** The new order goes to a pharmacy that uses our label. */
export const placedAtC = async () => ({
  placed: { ...placed, pharmacy: 'pharmacy_c', pharmacyOrderId: 'c-1' },
});

/** Somebody wants the order of a task at pharmacy_b. */
export const moving = (
  expect: Expected,
  replaced: Partial<Activities> = {},
): CheckedCase<Parameters<typeof workflow>> => ({
  args: [{ reference: 'task', pharmacy: 'pharmacy_b', requestedBy: 'key' }],
  activities: { ...good, ...replaced },
  expect,
});

const freed = ['openReroute', 'checkReroute', 'cancelOrder', 'moveReference', 'moveReference'];
const end = {
  state: 'moved',
  submissionId: placed.submissionId,
  pharmacy: 'pharmacy_b',
  reference: 'task#2',
};
let unknown = 0;

export const rerouteOrder: CasesOf<typeof workflow> = {
  moved: moving({
    behavior: 'the first order is given back before the other is made, and nothing is charged again',
    result: end,
    calls: [...freed, 'placeAgain', 'recordMoved', 'shipOrder', 'endReroute'],
    inputs: {
      moveReference: [{ freed: { reference: 'task', submissionId: first } }, { freed: null }],
      placeAgain: [{ source: first, reference: 'task#2', pharmacy: 'pharmacy_b' }],
    },
  }),
  denied: moving(
    {
      behavior: 'an order that the pharmacy keeps is left where it is',
      result: { state: 'denied', reason: 'already_shipped' },
      calls: ['openReroute', 'checkReroute', 'cancelOrder', 'endReroute'],
      inputs: { endReroute: [{ isRefused: true }] },
    },
    { cancelOrder: async () => ({ state: 'denied', submissionId: first, reason: 'already_shipped' }) },
  ),
  missing: moving(
    {
      behavior: 'an order that the first pharmacy does not have counts as given back',
      result: end,
      calls: [
        'openReroute',
        'checkReroute',
        'cancelOrder',
        'lookForOrder',
        'moveReference',
        'moveReference',
        'placeAgain',
        'recordMoved',
        'shipOrder',
        'endReroute',
      ],
      inputs: { moveReference: [{ freed: { reference: 'task', submissionId: first } }, { freed: null }] },
    },
    { cancelOrder: async () => ({ state: 'denied', submissionId: first, reason: 'not_found' }) },
  ),
  unfillable: moving(
    {
      behavior: 'a pharmacy that cannot fill it is found out before anything is done to the order',
      result: { state: 'unfillable', error: 'No' },
      calls: ['openReroute', 'checkReroute', 'endReroute'],
      inputs: { endReroute: [{ isRefused: true }] },
    },
    { checkReroute: async () => ({ refusal: 'No' }) },
  ),
  rejected: moving(
    {
      behavior: 'a new pharmacy that does not take it leaves no order, and that is recorded',
      result: { state: 'rejected', error: 'Out of stock' },
      calls: [...freed, 'placeAgain', 'recordNotTaken'],
    },
    { placeAgain: async () => ({ refusal: 'Out of stock' }) },
  ),
  unknown: {
    ...moving(
      {
        behavior:
          'while nobody knows whether it was taken, the same is asked again and no other order is made',
        result: end,
        times: { placeAgain: 3, moveReference: 2, cancelOrder: 1 },
      },
      {
        placeAgain: async () =>
          ++unknown < 3 ? { unknown: true as const, submissionId: placed.submissionId } : { placed },
      },
    ),
    skipTime: true,
  },
  'begun-again': moving(
    {
      behavior: 'a run that was lost once the first order was given back goes on with the new one',
      result: end,
      times: { cancelOrder: 0 },
    },
    {
      openReroute: claiming({
        references: ['task#2', 'task'],
        live: {
          reference: 'task#2',
          n: 2,
          pharmacy: 'pharmacy_b' as const,
          submissionId: null,
          isMissing: false,
          isFromReroute: true,
        },
      }),
    },
  ),
  'failed-run': moving(
    {
      behavior: 'a task whose order was rejected resumes at step 4 in a new run, which charges it',
      result: end,
      times: { cancelOrder: 1, placeAgain: 1 },
    },
    {
      openReroute: claiming({ run: { ...run, isFailed: true } }),
      cancelOrder: async () => ({ state: 'none' }),
    },
  ),
  'label-refused': moving(
    {
      behavior: 'a label that is refused is a work item, and the order is moved all the same',
      result: end,
      calls: [
        ...freed,
        ...['placeAgain', 'recordMoved', 'readAddressee', 'shipOrder', 'recordFailedShipment', 'endReroute'],
      ],
      inputs: {
        recordFailedShipment: [{ submissionId: placed.submissionId, reference: 'task', reason: 'refused' }],
      },
    },
    { placeAgain: placedAtC, shipOrder: refusal('The address is unknown') },
  ),
  running: { ...moving({ behavior: 'the other order is made' }), openAt: 'placeAgain' },
};
