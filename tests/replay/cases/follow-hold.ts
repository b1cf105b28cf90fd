import { ApplicationFailure } from '@temporalio/common';
import type { AnswerReply, HoldActivities } from '../../../activities/router/holds.js';
import type { FollowedHold } from '../../../db/router/holds.js';
import { failureTypes } from '../../../domain/failures.js';
import type { followHold as workflow } from '../../../workflows/router/follow-hold.js';
import { type CasesOf, type Expected, ownRun } from '../cases.js';

const hold = { submissionId: '00000000-0000-5000-8000-000000000022', holdId: 'h1' };
const silence = ApplicationFailure.create({
  type: failureTypes.unavailable,
  message: 'pharmacy_b answered 503',
});
const open: FollowedHold = {
  state: 'open',
  code: 'out_of_stock',
  until: '2026-12-01',
  number: 0,
  isUnderWay: false,
  pharmacy: 'pharmacy_b',
};
const underWay: FollowedHold = { ...open, number: 1, isUnderWay: true };

/**
 * A hold in a table of its own. Its release comes once it is answered or has been refused.
 * @param said the pharmacy's word to each attempt
 */
function following(
  expect: Expected,
  begun: FollowedHold | null,
  said: (AnswerReply | ApplicationFailure)[] = [],
  startedBy: { signal: string; args: unknown[] } | { update: string; args: unknown[] } = {
    signal: 'recheck',
    args: [],
  },
) {
  let row = begun;
  let attempts = 0;
  const released = () => {
    row = row && { ...row, state: 'released', isUnderWay: false };
    return ownRun().signal('recheck');
  };
  const activities: HoldActivities = {
    readHold: async () => {
      const seen = row;
      // Nobody else is awaited: the pharmacy goes on.
      if (row && row.state !== 'released' && !row.isUnderWay) await released();
      return seen;
    },
    handOverAnswer: async () => {
      const word = said[attempts++] ?? 'over';
      if (word instanceof ApplicationFailure) throw word;
      if (word === 'over') await released();
      return word;
    },
    recordHoldReply: async ({ refusal }) => {
      row = row && { ...row, state: refusal === null ? 'answered' : 'open', isUnderWay: false };
    },
  };
  return { args: [hold] as [typeof hold], activities, startedBy, expect };
}

export const followHold: CasesOf<typeof workflow> = {
  nothing: following({ behavior: 'one that never came is followed no further', calls: ['readHold'] }, null),
  released: following(
    {
      behavior: 'one that nobody answers ends with its release',
      times: { handOverAnswer: 0 },
      details: ['Released'],
    },
    open,
  ),
  taken: following(
    {
      behavior: 'an answer is handed over, and whoever waits for that is told',
      inputs: { recordHoldReply: [{ ...hold, number: 1, refusal: null }] },
      details: ['Released'],
    },
    underWay,
    [{ taken: true }],
    { update: 'answerHold', args: [1] },
  ),
  refused: following(
    {
      behavior: 'an answer that the pharmacy refuses leaves the hold open',
      inputs: { recordHoldReply: [{ refusal: 'not like this' }] },
    },
    underWay,
    [{ taken: false, error: 'not like this' }],
  ),
  silent: {
    ...following(
      {
        behavior: 'an answer is tried until the pharmacy takes it',
        times: { handOverAnswer: 4, recordHoldReply: 1 },
      },
      underWay,
      [silence, silence, silence, { taken: true }],
    ),
    skipTime: true,
  },
  over: following(
    { behavior: 'an answer that a release has overtaken is dropped', times: { recordHoldReply: 0 } },
    underWay,
    ['over'],
  ),
  running: {
    ...following({ behavior: 'it is followed' }, underWay, [{ taken: true }]),
    openAt: 'handOverAnswer',
  },
};
