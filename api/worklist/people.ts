import type { FastifyRequest } from 'fastify';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { unavailable } from '../http-errors.js';

/** Under which e-mail address a person stands in an item's history. */
export type Whose = (request: FastifyRequest) => Promise<string>;

const keptMs = 60_000;
const maxKept = 1_000;

/**
 * Asks the organization service, whose tokens say no address, once a minute. Whom it does not know, whose token holds
 * all the same, stands there by id.
 * @throws Refused 503 while it is away
 */
export function whose(people: OrganizationClient): Whose {
  const kept = new Map<string, { email: string; until: number }>();
  return async ({ admin, headers }) => {
    const known = kept.get(admin.sub);
    if (known && known.until > Date.now()) return known.email;
    const email = (await people.emailOf(headers.authorization ?? '').catch(nobody)) ?? admin.sub;
    if (kept.size >= maxKept) kept.clear();
    kept.set(admin.sub, { email, until: Date.now() + keptMs });
    return email;
  };
}

function nobody(error: unknown): undefined {
  if (!(error instanceof OutboundError)) throw error;
  const { fault } = error;
  if (fault.kind === 'status' && fault.status === 401) return undefined;
  throw unavailable('Temporarily unavailable');
}
