import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  claimKey,
  type ClaimedKey,
  dropKey,
  isUsedKey,
  keepKeyedAnswer,
} from '../../db/orchestrator/keyed-requests.js';
import type { Queryable, Sql } from '../../db/client.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import { conflict, HttpError } from '../http-errors.js';
import { idempotencyHeaders } from '../idempotency.js';

export const keyedHeaders = idempotencyHeaders(
  'Requests with the same key are one, however often it is sent; a repeat has `Idempotent-Replayed: true`',
);

interface Made<T> {
  status: number;
  body: T;
}

/** The key of a request and what it asks for; undefined without one. */
function keyedRequestOf({ apiKey, whose, method, raw, headers, rawBody }: FastifyRequest) {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  const id = JSON.stringify([apiKey.id, whose.client, key]);
  const digest = createHash('sha256')
    .update(JSON.stringify([id, method, raw.url]))
    .update(rawBody);
  return { id: createHash('sha256').update(id).digest(), digest: digest.digest() };
}

/** True if the key of a request has been used, for whatever change. */
export async function isKeyKnown(sql: Queryable, request: FastifyRequest): Promise<boolean> {
  const keyed = keyedRequestOf(request);
  if (!keyed) return false;
  const { apiKey, headers } = request;
  return isUsedKey(sql, keyed.id, refundKeyOf(apiKey.id, String(headers['idempotency-key'])));
}

/** Refunds are found by this key. */
export const refundKeyOf = (keyId: string, idempotencyKey: string): string =>
  `key:${keyId}:${idempotencyKey}`;

/**
 * Carries out a request once for its Idempotency-Key (D135): a repeat gets the recorded answer. A repeat before there
 * is one carries it out again, so `act` has to join what it began. A rejected request changed nothing, and its repeat
 * is judged anew.
 * @param factOf what the first request decides before it begins
 */
export async function onceByKey<T>(
  sql: Sql,
  reply: FastifyReply,
  act: (claimed?: ClaimedKey & { requestKey: string }) => Promise<Made<T>>,
  factOf?: () => Promise<string | null>,
): Promise<T> {
  const keyed = keyedRequestOf(reply.request);
  const send = ({ status, body }: Made<T>) => reply.code(status).send(body) as T;
  if (!keyed) return send(await act());
  const claimed = await claimKey(sql, keyed, await factOf?.());
  if (claimed.isOther) throw conflict(keyUsedOtherwiseText);
  const { status, answer, isNew } = claimed;
  if (status !== null && answer !== null)
    return sendText(reply.code(status).header('idempotent-replayed', 'true'), answer);
  const made = await act({ ...claimed, requestKey: keyed.id.toString('hex') }).catch(
    async (error: unknown) => {
      if (isNew && error instanceof HttpError && error.statusCode < 500) await dropKey(sql, keyed);
      throw error;
    },
  );
  if (made.status === 202) return send(made);
  const text = reply.code(made.status).serialize(made.body) as string;
  await keepKeyedAnswer(sql, keyed, { status: made.status, answer: text });
  return sendText(reply, text);
}

/** The text of an answer that its contract has let through before. */
const sendText = (reply: FastifyReply, text: string) =>
  reply.type('application/json; charset=utf-8').send(text) as never;

/**
 * Changes a schedule once for the request's Idempotency-Key, in the transaction of the change. A concurrent repeat
 * waits.
 * @param show a repeat gets the schedule as it is
 * @returns undefined without a key
 */
export async function changedByKey<T>(
  sql: Sql,
  reply: FastifyReply,
  { change, show }: Record<'change' | 'show', (sql: Queryable) => Promise<T>>,
): Promise<T | undefined> {
  const keyed = keyedRequestOf(reply.request);
  if (!keyed) return undefined;
  return sql.begin(async (sql) => {
    const { isNew, isOther } = await claimKey(sql, keyed);
    if (isOther) throw conflict(keyUsedOtherwiseText);
    if (!isNew) {
      void reply.header('idempotent-replayed', 'true');
      return show(sql);
    }
    const changed = await change(sql);
    await keepKeyedAnswer(sql, keyed, { status: 200, answer: null });
    return changed;
  });
}
