import { randomUUID } from 'node:crypto';
import { cancellationSignal } from '@temporalio/activity';
import { type ApiKey, findApiKey } from '../../db/access/api-keys.js';
import type { Sql } from '../../db/client.js';
import {
  findBatch,
  findReceiver,
  fixNextBatch,
  recordNotTaken,
  recordTaken,
} from '../../db/orchestrator/event-batches.js';
import type { TestDelivery } from '../../domain/orchestrator/event-endpoints.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { GuardedSender } from '../../platform/http/guarded.js';
import { type DeliveryAttempt, postSigned } from '../post-signed.js';

export const createEndpointActivities = ({
  sql,
  keys,
  send,
  failingMinutes,
}: {
  sql: Sql;
  keys: KeyRing;
  send: GuardedSender;
  failingMinutes: number;
}) => {
  /** undefined for a key that may not sign. */
  const secretOf = (key: ApiKey | undefined): string | undefined =>
    key?.isActive && key.sealedSecret !== null ? keys.decryptText(key.sealedSecret, key.id) : undefined;

  return {
    /** Fixes the next delivery of an endpoint. Safe to retry: a delivery that is fixed is answered again. */
    async nextBatch({ client }: { client: string }) {
      const batch = await fixNextBatch(sql, client);
      if (!batch) return null;
      const { batchId, events, upTo, series, attempts, lastError } = batch;
      return {
        batchId,
        events,
        upTo,
        series,
        attempts,
        lastError,
        firstAttemptAt: batch.failingSince?.getTime() ?? null,
        dueAt: batch.nextAttemptAt?.getTime() ?? null,
      };
    },

    /**
     * Sends the fixed bytes once, signed with the current secret of the key that set the endpoint (D130). An error of
     * the receiver is a result. Safe to retry: the receiver identifies a repeat by its `webhook-id`.
     * @returns null when nothing is left to send
     */
    async deliverBatch({
      client,
      batchId,
    }: {
      client: string;
      batchId: string;
    }): Promise<DeliveryAttempt | null> {
      const batch = await findBatch(sql, { client, batchId });
      if (!batch) return null;
      const key = await findApiKey(sql, batch.keyId);
      if (!key?.isActive) return null;
      const secret = secretOf(key);
      if (secret === undefined) throw new Error('The secret of an endpoint cannot be read');
      return postSigned(send, { ...batch, id: batchId, secret, signal: cancellationSignal() });
    },

    /**
     * Records what came of an attempt. Safe to retry: the state is set, not added, and only while the delivery is
     * open.
     */
    async recordBatchAttempt(
      attempt: DeliveryAttempt & { client: string; batchId: string; series: number; attempts: number },
    ): Promise<void> {
      const { error } = attempt;
      if (error === null) await recordTaken(sql, attempt);
      else await recordNotTaken(sql, { ...attempt, error, failingAfterMs: failingMinutes * 60_000 });
    },

    /**
     * Sends an event of type `test`. Its sequence is 0, so it moves no cursor. Safe to retry: a test may arrive twice.
     * @returns null without an endpoint
     */
    async deliverTestEvent({ client }: { client: string }): Promise<TestDelivery | null> {
      const receiver = await findReceiver(sql, client);
      if (!receiver) return null;
      const secret = secretOf(await findApiKey(sql, receiver.keyId));
      if (secret === undefined) return { status: null, durationMs: 0 };
      const id = randomUUID();
      const event = { id, sequence: 0, type: 'test', at: new Date().toISOString() };
      const body = JSON.stringify({ events: [{ ...event, taskId: null, planId: null, data: {} }] });
      const signal = cancellationSignal();
      const { status, durationMs } = await postSigned(send, { url: receiver.url, id, body, secret, signal });
      return { status, durationMs };
    },
  };
};

export type EndpointActivities = ReturnType<typeof createEndpointActivities>;
/** Times are epoch milliseconds. */
export type NextBatch = NonNullable<Awaited<ReturnType<EndpointActivities['nextBatch']>>>;
