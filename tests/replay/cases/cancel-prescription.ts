import { ApplicationFailure } from '@temporalio/common';
import type {
  AwaitedCancellation,
  CancelAttempt,
  CancellationActivities,
} from '../../../activities/router/cancellations.js';
import { failureTypes } from '../../../domain/failures.js';
import type { cancelPrescription as workflow } from '../../../workflows/router/cancel-prescription.js';
import { type CasesOf, type Expected, ownRun } from '../cases.js';

const submissionId = '00000000-0000-5000-8000-000000000021';
const silence = ApplicationFailure.create({
  type: failureTypes.unavailable,
  message: 'pharmacy_a answered 503',
});
const ownFault = ApplicationFailure.create({ type: 'Error', message: 'the database is away' });
const farOff = Date.UTC(9999, 0, 1);
type Said = CancelAttempt | ApplicationFailure;

/**
 * A request in a table of its own, and what the pharmacy says to each attempt; the last word is said from then on.
 * @param onAttempt what happens elsewhere in the middle of an attempt
 */
export function cancelling(
  expect: Expected,
  said: Said[],
  {
    onAttempt,
    ...asked
  }: Partial<AwaitedCancellation> & {
    onAttempt?: (attempt: number, row: { current: AwaitedCancellation | null }) => Promise<void> | void;
  } = {},
) {
  const row: { current: AwaitedCancellation | null } = {
    current: { number: 1, pharmacy: 'pharmacy_a', shippedMeanwhile: false, askUntil: farOff, ...asked },
  };
  let attempts = 0;
  const activities: CancellationActivities = {
    readCancellation: async () => row.current,
    cancelOrder: async () => {
      attempts += 1;
      await onAttempt?.(attempts, row);
      const word = said[Math.min(attempts, said.length) - 1] ?? silence;
      if (word instanceof ApplicationFailure) throw word;
      return word;
    },
    recordCancellation: async () => {
      row.current = null;
    },
    reportCancellation: async () => {
      // The person has it seen to: the pharmacy's own word settles it.
      row.current = null;
      await ownRun().signal('recheck');
    },
  };
  return {
    args: [submissionId] as [string],
    activities,
    startedBy: { signal: 'recheck', args: [] },
    expect,
  };
}

const answered = (answer: object) => ({ recordCancellation: [{ submissionId, number: 1, answer }] });

export const cancelPrescription: CasesOf<typeof workflow> = {
  approved: cancelling(
    {
      behavior: 'the pharmacy approves, which is recorded',
      calls: ['readCancellation', 'cancelOrder', 'recordCancellation', 'readCancellation'],
      inputs: answered({ state: 'approved' }),
      details: ['Decided'],
    },
    [{ state: 'approved' }],
  ),
  denied: cancelling(
    {
      behavior: 'the pharmacy denies, which is recorded',
      inputs: answered({ state: 'denied', reason: 'other' }),
    },
    [{ state: 'denied', reason: 'other' }],
  ),
  silent: {
    ...cancelling(
      {
        behavior: 'a pharmacy that gives no answer is asked again',
        times: { cancelOrder: 4, reportCancellation: 0 },
        inputs: answered({ state: 'approved' }),
      },
      [silence, silence, silence, { state: 'approved' }],
    ),
    skipTime: true,
  },
  shipped: cancelling(
    {
      behavior: 'what ships while the pharmacy says nothing is denied',
      times: { cancelOrder: 1 },
      inputs: answered({ state: 'denied', reason: 'already_shipped' }),
    },
    [silence],
    { shippedMeanwhile: true },
  ),
  'shipped-approved': cancelling(
    {
      behavior: 'what ships meanwhile is cancelled all the same if the pharmacy says so',
      inputs: answered({ state: 'approved' }),
    },
    [{ state: 'approved' }],
    { shippedMeanwhile: true },
  ),
  settled: cancelling(
    {
      behavior: 'what the pharmacy reported meanwhile settles it',
      times: { cancelOrder: 1, recordCancellation: 0 },
    },
    [{ state: 'settled' }],
    { onAttempt: (_attempt, row) => void (row.current = null) },
  ),
  placing: {
    ...cancelling(
      { behavior: 'an order that is still being placed is waited for', times: { cancelOrder: 2 } },
      [{ state: 'placing' }, { state: 'approved' }],
    ),
    skipTime: true,
  },
  'own-fault': {
    ...cancelling(
      {
        behavior: 'a fault of our own is not the pharmacy’s silence',
        inputs: answered({ state: 'approved' }),
      },
      [ownFault, { state: 'approved' }],
      { shippedMeanwhile: true },
    ),
    skipTime: true,
  },
  'a-person': {
    ...cancelling(
      {
        behavior: 'after the hours it is given a person is asked, once',
        times: { reportCancellation: 1, recordCancellation: 0 },
        details: ['Decided'],
      },
      [silence],
      { askUntil: 0 },
    ),
    skipTime: true,
  },
  stuck: {
    ...cancelling(
      { behavior: 'a pharmacy that is away for long is asked all along', times: { cancelOrder: 12 } },
      [...Array.from({ length: 11 }, () => silence), { state: 'approved' }],
    ),
    skipTime: true,
  },
  running: { ...cancelling({ behavior: 'it is asked' }, [{ state: 'approved' }]), openAt: 'cancelOrder' },
};
