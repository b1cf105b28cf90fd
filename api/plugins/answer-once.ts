import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AnsweringService,
  claimRequest,
  keepAnswer,
  type StoredAnswer,
} from '../../db/answered-requests.js';
import type { Queryable, Sql } from '../../db/client.js';
import { HttpError } from '../http-errors.js';
import { expiryOf } from './signed.js';

/** Said of the routes that answer so. */
export const answeredOnce =
  'The same signed request again, byte for byte, gets the first answer with `Idempotent-Replayed: true`.';

/**
 * Answers a signed request that creates something, once: the same request again, equal in key, method, path and
 * signature, gets the first answer, a refusal too, with `Idempotent-Replayed: true` (D91).
 *
 * What is created and the answer are one transaction. Two at once: the second waits for the first. A process that dies
 * on the way leaves nothing behind, and the same request begins anew; one whose answer was lost finds it.
 *
 * @param create makes what is asked for on the transaction it is given; a Refused it throws undoes what it has written
 */
export async function answerOnce<T extends object>(
  { sql, service, status }: { sql: Sql; service: AnsweringService; status: number },
  reply: FastifyReply,
  create: (sql: Queryable) => Promise<T>,
): Promise<T> {
  const { request } = reply;
  const digest = requestDigest(request);
  const expiresAt = expiryOf(String(request.headers['x-timestamp']));
  const answered = await sql.begin(async (sql): Promise<StoredAnswer & { isReplay: boolean }> => {
    const earlier = await claimRequest(sql, service, { digest, expiresAt });
    if (earlier) return { ...earlier, isReplay: true };
    const made = await sql
      .savepoint((sql) => create(sql))
      .then(
        (created) => ({ status, answer: reply.code(status).serialize(created) as string }),
        (error: unknown) => {
          if (error instanceof HttpError) return refusalAsAnswer(error);
          throw error;
        },
      );
    await keepAnswer(sql, service, digest, made);
    return { ...made, isReplay: false };
  });
  if (answered.isReplay) void reply.header('idempotent-replayed', 'true');
  if (answered.status >= 400) throw refusalOf(answered);
  const sent: unknown = reply.code(status).type('application/json; charset=utf-8').send(answered.answer);
  // The answer is sent as the text it was stored as; for the contract it is what that text was made of.
  return sent as T;
}

/** SHA-256 of what makes two signed requests the same one: key, method, path with the query, and signature (D91). */
export const requestDigest = ({ apiKey, method, raw, headers }: FastifyRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([apiKey.id, method, raw.url, headers['x-signature']]))
    .digest();

const refusalAsAnswer = ({ statusCode, message, beside }: HttpError): StoredAnswer => ({
  status: statusCode,
  answer: JSON.stringify({ message, beside }),
});

function refusalOf({ status, answer }: StoredAnswer): HttpError {
  const { message, beside } = JSON.parse(answer) as Pick<HttpError, 'message' | 'beside'>;
  return new HttpError(status, message, beside);
}
