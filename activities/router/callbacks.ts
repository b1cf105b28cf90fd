import { cancellationSignal } from '@temporalio/activity';
import { findApiKey } from '../../db/access/api-keys.js';
import type { Sql } from '../../db/client.js';
import type { CallbackKind } from '../../domain/router/callbacks.js';
import {
  type CallbackAttempt,
  findDelivery,
  findNextCallback,
  type RecordedAttempt,
  recordAttempt,
  stopCallbacks,
} from '../../db/router/callbacks.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { deliveryHeaders } from '../../platform/crypto/signature.js';
import type { GuardedSender } from '../../platform/http/guarded.js';
import { OutboundError } from '../../platform/http/outbound.js';

/** The limit of D26. */
const timeoutMs = 10_000;
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
        return { attempt: await post({ callbackId, kind, callbackUrl, payload, secret }) };
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

  async function post(callback: {
    callbackId: string;
    kind: CallbackKind;
    callbackUrl: string;
    payload: string;
    secret: string;
  }): Promise<CallbackAttempt> {
    const { callbackId, kind, callbackUrl, payload, secret } = callback;
    const headers = deliveryHeaders(secret, callbackId, payload);
    const at = new Date().toISOString();
    const startedMs = performance.now();
    const outcome = await send({
      party: 'The receiver',
      url: callbackUrl,
      headers: { ...headers, 'content-type': 'application/json', 'x-callback-kind': kind },
      body: payload,
      timeoutMs,
      signal: cancellationSignal(),
    }).then(
      ({ status }) => ({
        status,
        error: status >= 200 && status < 300 ? null : `The receiver answered ${status}`,
      }),
      (error: unknown) => {
        if (!(error instanceof OutboundError)) throw error;
        return { status: null, error: error.message };
      },
    );
    return { at, durationMs: Math.round(performance.now() - startedMs), ...outcome };
  }
};

export type CallbackActivities = ReturnType<typeof createCallbackActivities>;
/** Times are epoch milliseconds. */
export type NextCallback = NonNullable<Awaited<ReturnType<CallbackActivities['nextCallback']>>>;
