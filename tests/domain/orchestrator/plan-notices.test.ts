import { describe, expect, test } from '@jest/globals';
import {
  decisionDay,
  dueNotice,
  isCheckInMissing,
  missingFact,
  planNotice,
  planNotices,
} from '../../../domain/orchestrator/plan-notices.js';

const untold = { noticedFill: null, noticed: 0, noticeRound: 0, reminders: 0, remindedOn: null };
const plan = {
  id: 'p',
  fill: 3,
  waiting: [
    { what: 'check_in', because: 'fill', fill: 3, since: '', dueAt: '2027-03-20' } as const,
    { what: 'decision', because: 'gap', fill: 3, since: '', dueAt: '2027-03-20' } as const,
  ],
  ...untold,
};

describe('a patient is told of a check-in', () => {
  test.each([
    ['2027-03-10', 1],
    ['2027-03-16', 1],
    ['2027-03-17', 2],
    ['2027-03-19', 2],
    ['2027-03-20', 3],
    ['2027-05-01', 3],
  ])('that nobody was told of: on %s with notice %d alone', (today, stage) => {
    expect(dueNotice(plan, today)).toBe(stage);
  });

  test('with each notice once for a fill, and again for the next', () => {
    const told = { ...plan, noticedFill: 3, noticed: 2 };
    expect([
      dueNotice(told, '2027-03-12'),
      dueNotice(told, '2027-03-19'),
      dueNotice(told, '2027-03-21'),
    ]).toEqual([undefined, undefined, 3]);
    expect(dueNotice({ ...told, noticed: 3 }, '2027-03-21')).toBeUndefined();
    expect(dueNotice({ ...told, noticed: 3, noticedFill: 2 }, '2027-03-12')).toBe(1);
  });

  test('never while none is waited for', () => {
    expect(dueNotice({ ...plan, waiting: plan.waiting.slice(1) }, '2027-03-21')).toBeUndefined();
  });
});

describe('a person is asked about a missing check-in', () => {
  test('from the days of grace after the fill on', () => {
    expect([isCheckInMissing(plan, '2027-03-26', 7), isCheckInMissing(plan, '2027-03-27', 7)]).toEqual([
      false,
      true,
    ]);
    expect(isCheckInMissing({ ...plan, waiting: [] }, '2027-03-27', 7)).toBe(false);
  });

  test('again so many days after a reminder, as another subject', () => {
    const reminded = { ...plan, noticedFill: 3, reminders: 1, remindedOn: '2027-03-28' };
    expect([
      isCheckInMissing(reminded, '2027-04-03', 7),
      isCheckInMissing(reminded, '2027-04-04', 7),
    ]).toEqual([false, true]);
    expect(missingFact(reminded)).not.toBe(missingFact(plan));
  });
});

test('a decision is due two days before its fill', () => {
  expect(decisionDay('2027-03-01')).toBe('2027-02-27');
});

test('each notice has a key of its own, and the keys of a plan are all of them', () => {
  const sent = [
    planNotice({ planId: 'p', fill: 2, round: 0, stage: 1 }),
    planNotice({ planId: 'p', fill: 2, round: 1, stage: 3 }),
    planNotice({ planId: 'p', fill: 2, reminder: 1 }),
  ];
  expect(sent).toEqual([
    { type: 'follow_up_due', reference: 'refill-p-2:0:1' },
    { type: 'follow_up_past_due', reference: 'refill-p-2:1:3' },
    { type: 'follow_up_past_due', reference: 'refill-p-2:again:1' },
  ]);
  const all = planNotices({ id: 'p', fill: 2, noticeRound: 1, reminders: 1 });
  expect(all).toEqual(expect.arrayContaining(sent));
  expect(new Set(all.map(({ type, reference }) => `${type}:${reference}`)).size).toBe(all.length);
});
