import type { FastifyRequest } from 'fastify';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { unavailable } from '../http-errors.js';

/** Finds the e-mail address that stands for an admin in an item's history. */
export type EmailOf = (request: FastifyRequest) => Promise<string>;

const cachedMs = 60_000;
const maxCached = 1_000;

/**
 * Reads the address from the organization service, because tokens contain none, and caches it for a minute. An admin
 * whom that service does not know stands in the history by id.
 * @returns a function that throws HttpError 503 while the service is unavailable
 */
export function emailLookup(people: OrganizationClient): EmailOf {
  const cached = new Map<string, { email: string; until: number }>();
  return async ({ admin, headers }) => {
    const known = cached.get(admin.sub);
    if (known && known.until > Date.now()) return known.email;
    const email = (await people.emailOf(headers.authorization ?? '').catch(unlessUnknown)) ?? admin.sub;
    if (cached.size >= maxCached) cached.clear();
    cached.set(admin.sub, { email, until: Date.now() + cachedMs });
    return email;
  };
}

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof OutboundError)) throw error;
  const { fault } = error;
  if (fault.kind === 'status' && fault.status === 401) return undefined;
  throw unavailable();
}
