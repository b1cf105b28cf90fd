import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientOf } from '../../db/orchestrator/clients.js';
import type { Queryable } from '../../db/client.js';
import { isKey, ownTaskId, taskKey } from '../../domain/clients.js';
import { refillPrefix } from '../../domain/orchestrator/pipeline.js';
import { text } from '../../platform/http/text.js';
import type { App } from '../context.js';
import { InvalidField } from '../http-errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose records the request is about (D140). */
    whose: {
      /** The client of the record that the request names; '' is the default client. */
      client: string;
      /** The client whose records a list has; undefined: all of them. */
      listed: string | undefined;
      /** The caller sees `client` at each record of a list. */
      seesAll: boolean;
    };
  }
}

const name = /^[a-z0-9-]{1,40}$/;
/** The query parameter of lists that names a client. */
export const clientQuery = {
  client: text(40)
    .regex(name)
    .optional()
    .describe('Only for scope `admin`: the client whose entries are listed; all of them if omitted'),
};
/** In the entries of lists, for scope `admin` only. */
export const clientOfEntry = {
  client: z.string().optional().describe('Only for scope `admin`: whose it is; empty for the default client'),
};

/**
 * Each key reaches the records of its own client. An `admin` key and our own services name another by `?client=` (D140).
 */
export function apartByClient(signed: App): void {
  signed.decorateRequest('whose');
  signed.addHook('preValidation', async (request) => {
    const { apiKey } = request;
    const seesAll = apiKey.scopes.includes('admin');
    const { client: named } = request.query as { client?: unknown };
    if (!(seesAll || apiKey.isOwn) || named === undefined) {
      request.whose = { client: apiKey.client, listed: seesAll ? undefined : apiKey.client, seesAll };
      return;
    }
    if (typeof named !== 'string' || !name.test(named))
      throw new InvalidField('client', 'Must be 1 to 40 of a-z, 0-9 and -');
    request.whose = { client: named, listed: named, seesAll };
  });
}

/** The key of a task that a request names. A refill of another client gets the key of a task that does not exist. */
export async function keyOf(
  sql: Queryable,
  { whose: { client } }: FastifyRequest,
  taskId: string,
): Promise<string> {
  if (isKey(taskId)) return missingKey;
  if (!taskId.startsWith(refillPrefix)) return taskKey(client, taskId);
  return (await clientOf(sql, taskId)) === client ? taskId : missingKey;
}

const missingKey = taskKey('-', '-');

/** A record with its reference as the client knows it. */
export const asKnown = <R extends { reference: string }>(record: R): R => ({
  ...record,
  reference: ownTaskId(record.reference),
});

/** Whose an entry of a list is, to those who see all. */
export const shownTo = (
  { whose }: FastifyRequest,
  { client }: { client: string },
): { client: string | undefined } => ({ client: whose.seesAll ? client : undefined });
