import type { CallbackActivities, DeliveryResult, NextCallback } from '../../activities/router/callbacks.js';
import type { RecordedAttempt } from '../../db/router/callbacks.js';

interface Row extends Omit<NextCallback, 'kind' | 'lastError'> {
  state: string;
}

/** The table as the activities see it, with a receiver that answers by callback and attempt (from 1). */
export function queueOf(count: number, answer: (sequence: number, attempt: number) => number | 'busy') {
  const rows: Row[] = [];
  const sent: number[] = [];
  const log: RecordedAttempt[] = [];
  const add = () =>
    rows.push({
      callbackId: `callback-${rows.length + 1}`,
      sequence: rows.length + 1,
      series: 1,
      attempts: 0,
      firstAttemptAt: null,
      dueAt: null,
      state: 'pending',
    });
  while (rows.length < count) add();
  const rowOf = (callbackId: string) => rows.find((row) => row.callbackId === callbackId)!;

  const activities: CallbackActivities = {
    nextCallback: async () => {
      const row = rows.find(({ state }) => state === 'pending');
      return row ? { ...row, kind: 'update', lastError: log.at(-1)?.error ?? null } : null;
    },
    deliverCallback: async ({ callbackId }): Promise<DeliveryResult> => {
      const row = rowOf(callbackId);
      const status = answer(row.sequence, row.attempts + 1);
      if (status === 'busy') return { skipped: 'busy' };
      sent.push(row.sequence);
      const error = status === 200 ? null : `The receiver answered ${status}`;
      return { attempt: { at: new Date(0).toISOString(), status, error, durationMs: 1 } };
    },
    recordCallbackAttempt: async (attempt) => {
      log.push(attempt);
      const { verdict } = attempt;
      if (verdict.state === 'stopped') for (const row of rows) row.state = 'stopped';
      else
        Object.assign(rowOf(attempt.callbackId), {
          state: verdict.state,
          attempts: attempt.attempts,
          firstAttemptAt: attempt.firstAttemptAt,
          dueAt: verdict.nextAttemptAt,
        });
    },
  };
  return { rows, sent, log, add, activities, states: () => rows.map(({ state }) => state) };
}

export type CallbackQueue = ReturnType<typeof queueOf>;
