import { cancellationSignal } from '@temporalio/activity';
import { findApiKey } from '../../db/access/api-keys.js';
import type { Sql } from '../../db/client.js';
import {
  type CallbackAttempt,
  findDelivery,
  findNextCallback,
  type RecordedAttempt,
  recordAttempt,
  stopCallbacks,
} from '../../db/router/callbacks.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { GuardedSender } from '../../platform/http/guarded.js';
import { postSigned } from '../post-signed.js';

/** Concurrent deliveries per receiver, so that a slow one cannot take all slots of the queue. */
const maxPerReceiver = 50;

/** `busy`: its receiver has too many open deliveries; `gone`: nothing is left to send. */
export type DeliveryResult = { attempt: CallbackAttempt } | { skipped: 'busy' | 'gone' };

export const createCallbackActivities = ({
  sql,
  keys,
  send,
}: {
  sql: Sql;
  keys: KeyRing;
  send: GuardedSender;
}) => {
  const underWay = new Map<string, number>();

  return {
    /**
     * Finds the first callback of a submission that is not delivered, dead or stopped. Safe to retry: it only reads.
     */
    async nextCallback({ submissionId }: { submissionId: string }) {
      const next = await findNextCallback(sql, submissionId);
      if (!next) return null;
      const { id, sequence, kind, series, attempts, lastError } = next;
      return {
        callbackId: id,
        sequence,
        kind,
        series,
        attempts,
        lastError,
        firstAttemptAt: next.firstAttemptAt?.getTime() ?? null,
        dueAt: next.nextAttemptAt?.getTime() ?? null,
      };
    },

    /**
     * Sends a callback once, signed with the client's current secret (D26). An error of the receiver is a result;
     * only our own faults are thrown. Callbacks of a key that is revoked, or no longer for orders, stop (D91). Safe to retry: the receiver identifies a
     * repeat by its `X-Callback-Id`.
     */
    async deliverCallback({ callbackId }: { callbackId: string }): Promise<DeliveryResult> {
      const delivery = await findDelivery(sql, callbackId);
      if (!delivery) return { skipped: 'gone' };
      const { submissionId, kind, payload, callbackUrl, apiKeyId } = delivery;
      const key = await findApiKey(sql, apiKeyId);
      if (!key) throw new Error('The API key of a submission is gone');
      if (!key.isActive || key.sealedSecret === null) {
        await sql.begin((sql) => stopCallbacks(sql, submissionId));
        return { skipped: 'gone' };
      }
      const secret = keys.decryptText(key.sealedSecret, key.id);

      const receiver = new URL(callbackUrl).origin;
      const busy = underWay.get(receiver) ?? 0;
      if (busy >= maxPerReceiver) return { skipped: 'busy' };
      underWay.set(receiver, busy + 1);
      try {
        const attempt = await postSigned(send, {
          url: callbackUrl,
          id: callbackId,
          body: payload,
          secret,
          headers: { 'x-callback-kind': kind },
          signal: cancellationSignal(),
        });
        return { attempt };
      } finally {
        const left = (underWay.get(receiver) ?? 1) - 1;
        if (left === 0) underWay.delete(receiver);
        else underWay.set(receiver, left);
      }
    },

    /**
     * Logs an attempt and the callback's new state. Safe to retry: an attempt is logged once by its id, and the state
     * is set, not added.
     */
    recordCallbackAttempt: (attempt: RecordedAttempt) => recordAttempt(sql, attempt),
  };
};

export type CallbackActivities = ReturnType<typeof createCallbackActivities>;
/** Times are epoch milliseconds. */
export type NextCallback = NonNullable<Awaited<ReturnType<CallbackActivities['nextCallback']>>>;
