import type { CancellationActivities } from '../../../activities/orchestrator/cancellations.js';
import type { RefundActivities } from '../../../activities/orchestrator/refunds.js';
import type { ReplacementActivities } from '../../../activities/orchestrator/replacements.js';
import type { cancelApproval as workflow } from '../../../workflows/orchestrator/cancel-approval.js';
import {
  charge,
  goodActivities,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

type Functions<A> = {
  [K in keyof A]: A[K] extends (...args: infer I) => infer O ? (...args: I) => O : never;
};
type Activities = Functions<
  CancellationActivities &
    Omit<RefundActivities, 'listUnrefunded'> &
    Pick<ReplacementActivities, 'findReplacements' | 'recordReplacementCancelled'>
> &
  Pick<PipelineActivities, 'findCharge' | 'recordPayment' | 'notifyPatient'> & {
    fetchContact: () => Promise<{ name: string; email: string }>;
  };

const submissionId = '00000000-0000-5000-8000-000000000011';
/** The due amount of a charge. A function, as all exports but the cases. */
export const owedRefund = () => ({
  kind: 'refund' as const,
  refund: {
    refundKey: 'refund:charge:task:1',
    taskId: 'task',
    paymentIntentId: 'pi_1',
    partCents: null,
    amountCents: 29_900,
    makesUp: [],
    part: null,
  },
});
const refund = owedRefund();
const { findCharge, recordPayment, notifyPatient } = goodActivities();

const good: Activities = {
  openCancellation: async () => ({ task: { runs: null, emrPatientId: 'patient-1' } }),
  findOrderAtEnd: async () => ({ state: 'ordered', reference: 'task' }),
  cancelOrder: async () => ({ state: 'approved', submissionId }),
  readOrderCancellation: async () => ({ state: 'approved', submissionId }),
  lookForOrder: async () => ({ found: false }),
  recordCancelled: async () => undefined,
  recordDenied: async () => undefined,
  forgetCancellation: async () => undefined,
  recordPharmacyCancelled: async () => ({ isCancelled: true }),
  findReplacements: async () => [],
  recordReplacementCancelled: async () => undefined,
  findOwedRefund: async () => refund,
  refundCharge: async () => 29_900,
  recordRefund: async () => undefined,
  recordRefusedRefund: async () => undefined,
  recordRejectedPart: async () => undefined,
  fetchContact: async () => ({ name: 'Ada Test', email: 'ada@example.test' }),
  findCharge,
  recordPayment,
  notifyPatient,
};

/** A request to take the approval of a task back. */
export const taking = (
  expect: Expected,
  replaced: Partial<Activities> = {},
): CheckedCase<Parameters<typeof workflow>> => ({
  args: [
    { asked: { reference: 'task', reason: 'Prescribed twice.', stopRefills: false, requestedBy: 'key' } },
  ],
  activities: { ...good, ...replaced },
  expect,
});

const order = { heldBy: 'task', reference: 'task', submissionId };
/** A person says that the pharmacy does not have a replacement, whose cancellation it denies for this reason. */
const missing = (
  reason: 'not_found' | 'already_shipped',
  expect: Expected,
): CheckedCase<Parameters<typeof workflow>> => ({
  args: [{}],
  startedBy: {
    signal: 'orderCancelled',
    args: [{ heldBy: 'task~1', reference: 'task~1', submissionId, isMissing: true }],
  },
  activities: { ...good, cancelOrder: async () => ({ state: 'denied', reason, submissionId }) },
  expect,
});
const paidBack = ['findOwedRefund', 'refundCharge', 'recordRefund'];
const ended = ['openCancellation', 'findOrderAtEnd', 'findReplacements'];
const taken = [...ended, 'cancelOrder'];
let asked = 0;
let looked = 0;
let askedForMissing = 0;

export const cancelApproval: CasesOf<typeof workflow> = {
  approved: taking({
    behavior: 'the pharmacy gives the order back: the task is cancelled, then what was paid is given back',
    calls: [...taken, 'recordCancelled', ...paidBack],
    inputs: { recordRefund: [{ taskId: 'task', refundedCents: 29_900, makesUp: [], part: null }] },
    details: ['**Cancelled and refunded.**'],
  }),
  denied: taking(
    {
      behavior: 'the pharmacy keeps it: that is recorded, and nothing is undone',
      calls: [...taken, 'recordDenied'],
      inputs: { recordDenied: [{ taskId: 'task', reason: 'already_shipped' }] },
    },
    { cancelOrder: async () => ({ state: 'denied', submissionId, reason: 'already_shipped' }) },
  ),
  missing: {
    ...taking(
      {
        behavior:
          'an order that the pharmacy does not have counts as given back once the look is over, and the patient is told here',
        calls: [
          ...taken,
          ...Array<string>(3).fill('lookForOrder'),
          'recordCancelled',
          ...paidBack,
          'fetchContact',
          'notifyPatient',
        ],
        inputs: {
          recordCancelled: [{ taskId: 'task', submissionId }],
          notifyPatient: [{ type: 'order_canceled', variables: { orderNumber: 'task' } }],
        },
      },
      {
        cancelOrder: async () => ({ state: 'denied', submissionId, reason: 'not_found' }),
        lookForOrder: async () => ({ found: ++askedForMissing < 3 ? null : false }),
      },
    ),
    skipTime: true,
  },
  'found-elsewhere': taking(
    {
      behavior: 'an order that the look finds under another id is cancelled under that one',
      calls: [...taken, 'lookForOrder', 'cancelOrder', 'recordCancelled', ...paidBack],
      inputs: { cancelOrder: [{ reference: 'task' }, { reference: 'task', deniedAt: 'a-1' }] },
    },
    {
      cancelOrder: async ({ deniedAt }) =>
        deniedAt === undefined
          ? { state: 'denied', submissionId, reason: 'not_found', pharmacyOrderId: 'a-1' }
          : { state: 'approved', submissionId, pharmacyOrderId: 'a-2' },
      lookForOrder: async () => ({ found: true }),
    },
  ),
  replaced: taking(
    {
      behavior:
        'a replacement that has not shipped is cancelled and paid back although the pharmacy keeps the order',
      calls: [
        ...ended,
        'cancelOrder',
        'recordReplacementCancelled',
        ...paidBack,
        ...paidBack,
        'cancelOrder',
        'cancelOrder',
        'recordDenied',
      ],
      inputs: {
        cancelOrder: [{ reference: 'task~1' }, { reference: 'task~3' }, { reference: 'task' }],
        recordReplacementCancelled: [{ reference: 'task~1' }],
        findOwedRefund: [{ taskId: 'task~1' }, { taskId: 'task~2' }],
      },
    },
    {
      findReplacements: async () => [
        { reference: 'task~1', isCancelled: false },
        { reference: 'task~2', isCancelled: true },
        { reference: 'task~3', isCancelled: false },
      ],
      cancelOrder: async ({ reference }) =>
        reference === 'task~1'
          ? { state: 'approved', submissionId }
          : { state: 'denied', submissionId, reason: 'already_shipped' },
    },
  ),
  'before-step-4': taking(
    {
      behavior: 'a run that had not ordered is ended: no pharmacy is asked, and the patient is told here',
      calls: [...ended, 'recordCancelled', 'findOwedRefund', 'fetchContact', 'notifyPatient'],
      inputs: { notifyPatient: [{ type: 'order_canceled', variables: { orderNumber: 'task' } }] },
    },
    {
      openCancellation: async () => ({ task: { runs: 'approval:gone', emrPatientId: 'patient-1' } }),
      findOrderAtEnd: async () => ({ state: 'stopped' }),
      findOwedRefund: async () => ({ kind: 'nothing' }),
    },
  ),
  slow: {
    ...taking(
      {
        behavior:
          'a pharmacy that takes its time is waited for; the router is asked what it has said, not to ask anew',
        times: { cancelOrder: 1, readOrderCancellation: 3 },
        calls: [...taken, ...Array<string>(3).fill('readOrderCancellation'), 'recordCancelled', ...paidBack],
      },
      {
        cancelOrder: async () => ({ state: 'pending', submissionId }),
        readOrderCancellation: async () => ({
          state: ++asked < 3 ? ('pending' as const) : ('approved' as const),
          submissionId,
        }),
      },
    ),
    skipTime: true,
  },
  'charge-in-doubt': {
    ...taking(
      {
        behavior: 'a charge that nobody knows of is looked for, and given back once it is found',
        times: { findCharge: 3, recordPayment: 1, refundCharge: 1 },
      },
      {
        findOwedRefund: async () => (looked >= 3 ? refund : { kind: 'doubt', attempt: 1, charge }),
        findCharge: async () =>
          ++looked < 3 ? {} : { outcome: { status: 'succeeded' as const, paymentIntentId: 'pi_1' } },
      },
    ),
    skipTime: true,
  },
  'refund-refused': taking(
    {
      behavior: 'a refund that is refused for good is left to a person',
      calls: [...taken, 'recordCancelled', 'findOwedRefund', 'refundCharge', 'recordRefusedRefund'],
      details: ['refund was rejected'],
    },
    { refundCharge: refusal('The processor answered 400') },
  ),
  'no-order': taking(
    {
      behavior: 'a task that failed without an order is let go as it was',
      failure: { type: 'TaskConflict', message: 'There is no order to cancel' },
      calls: ['openCancellation', 'findOrderAtEnd', 'forgetCancellation'],
    },
    { findOrderAtEnd: async () => ({ state: 'none' }) },
  ),
  'given-up': {
    ...taking(
      {
        behavior:
          'a failed task that a person gives up is cancelled without an order, and the patient hears nothing',
        calls: ['openCancellation', 'findOrderAtEnd', 'recordCancelled', 'findOwedRefund'],
      },
      { findOrderAtEnd: async () => ({ state: 'none' }), findOwedRefund: async () => ({ kind: 'nothing' }) },
    ),
    args: [
      {
        asked: {
          reference: 'task',
          reason: 'Prescribed twice.',
          stopRefills: false,
          withoutOrder: true,
          requestedBy: 'a person',
        },
      },
    ],
  },
  repeated: taking(
    { behavior: 'what was cancelled before is left as it is', calls: ['openCancellation'] },
    { openCancellation: async () => ({}) },
  ),
  'by-the-pharmacy': {
    args: [{}],
    startedBy: { signal: 'orderCancelled', args: [order] },
    activities: good,
    expect: {
      behavior: 'a pharmacy that cancels by itself has the same consequences',
      calls: ['recordPharmacyCancelled', ...paidBack, 'findReplacements'],
    },
  },
  'missing-replacement': missing('not_found', {
    behavior: 'a replacement that the pharmacy does not have is looked for, and then taken back',
    calls: ['cancelOrder', 'lookForOrder', 'recordPharmacyCancelled', ...paidBack, 'findReplacements'],
  }),
  'missing-but-kept': missing('already_shipped', {
    behavior: 'a replacement that the pharmacy has after all stays',
    calls: ['cancelOrder'],
    details: ['Order task~1 stays'],
  }),
  running: { ...taking({ behavior: 'the pharmacy is asked' }), openAt: 'cancelOrder' },
};
