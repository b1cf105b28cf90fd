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
import { expiryOf } from './signature-headers.js';

export const answeredOnce =
  'Repeating the same signed request byte for byte returns the first answer with `Idempotent-Replayed: true`.';

/**
 * Processes a signed request that creates something once. A repeat with the same key, method, path and signature returns
 * the first answer, including an error, with `Idempotent-Replayed: true` (D91). The new records and the answer are stored
 * in one transaction, and a concurrent repeat waits for it.
 * @param create writes in the given transaction; an HttpError that it throws undoes its writes
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
          if (error instanceof HttpError) return errorAsAnswer(error);
          throw error;
        },
      );
    await keepAnswer(sql, service, digest, made);
    return { ...made, isReplay: false };
  });
  if (answered.isReplay) void reply.header('idempotent-replayed', 'true');
  if (answered.status >= 400) throw errorOf(answered);
  const sent: unknown = reply.code(status).type('application/json; charset=utf-8').send(answered.answer);
  // The reply sends the stored text. The contract's type describes the object behind it.
  return sent as T;
}

/** SHA-256 that identifies a signed request: key, method, path with query, and signature (D91). */
export const requestDigest = ({ apiKey, method, raw, headers }: FastifyRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([apiKey.id, method, raw.url, headers['x-signature']]))
    .digest();

const errorAsAnswer = ({ statusCode, message, details }: HttpError): StoredAnswer => ({
  status: statusCode,
  answer: JSON.stringify({ message, details }),
});

function errorOf({ status, answer }: StoredAnswer): HttpError {
  const { message, details } = JSON.parse(answer) as Pick<HttpError, 'message' | 'details'>;
  return new HttpError(status, message, details);
}
