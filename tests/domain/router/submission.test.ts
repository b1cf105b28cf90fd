import { describe, expect, test } from '@jest/globals';
import { judgeRepeat, provesNoOrder, taskReferences } from '../../../domain/router/submission.js';

describe('an order reference that was used before', () => {
  test.each([
    ['accepted', 'same', 'replay'],
    ['accepted', 'other', 'differentPayload'],
    ['rejected', 'same', 'nextTry'],
    ['rejected', 'other', 'nextTry'],
    ['unanswered', 'same', 'sameTry'],
    ['unanswered', 'other', 'unknownOutcome'],
    [null, 'same', 'sameTry'],
    [null, 'other', 'unknownOutcome'],
  ] as const)('%s, and the %s payload again: %s', (outcome, payloadHash, verdict) =>
    expect(judgeRepeat({ outcome, payloadHash: 'same' }, payloadHash)).toBe(verdict),
  );
});

describe('a refusal', () => {
  test.each([400, 401, 403, 404, 422])('with %d at the first call means there is no order', (status) =>
    expect(provesNoOrder(status, 1)).toBe(true),
  );
  test('about the order means the same after an unanswered call, since the key would have found the order', () =>
    expect(provesNoOrder(422, 2)).toBe(true));
  test.each([401, 403])('with %d after an unanswered call leaves it open', (status) =>
    expect(provesNoOrder(status, 2)).toBe(false),
  );
  test('with 409 says that the key stands for an order already', () =>
    expect(provesNoOrder(409, 1)).toBe(false));
});

test('an order is ours by the key that sent it, not by the source that it names', () => {
  const order = { source: 'orchestrator:acme', sourceOrderId: 'task-1' };
  expect(taskReferences({ ...order, isOwn: true })).toEqual({ taskId: 'task-1', client: 'acme' });
  expect(taskReferences({ ...order, isOwn: false })).toEqual({});
  expect(taskReferences({ source: 'clinic', sourceOrderId: 'task-1', isOwn: true })).toEqual({});
});
