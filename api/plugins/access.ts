import type { FastifyRequest } from 'fastify';
import { insertAccessEvents } from '../../db/access/access-events.js';
import { type AccessAction, type AccessEvent, isReading } from '../../domain/access-events.js';
import { inBatches } from '../../platform/in-batches.js';
import type { App, Context } from '../context.js';
import { isUuid, unavailable } from '../http-errors.js';

/** The action of a route on personal data (D88), or why its requests are not recorded. */
export type Access =
  | {
      action: AccessAction;
      /** The path parameter with the record's id, a UUID. */
      record?: string;
      /** The action to record for a rejected sign-in. */
      refusal?: AccessAction;
    }
  | { none: string };

interface Accessed {
  /** The caller, if neither a key nor a token identifies it. */
  actor?: Pick<AccessEvent, 'actor' | 'actorKind'>;
  /** Replaces the record in the path. */
  records?: readonly string[];
  organizationId?: string | null;
  /** Where a request came from that one of our services hands on (D161). */
  origin?: Pick<AccessEvent, 'ip' | 'userAgent'>;
  /** The person for whom a key acts, as the key says (D162). */
  onBehalfOf?: string;
  /** A key, or the admin of a token, that did not prove itself (D162). */
  refused?: Pick<AccessEvent, 'actor' | 'actorKind'>;
  /** Too many codes were entered or mailed. Unlike a rate limit's, this 429 is recorded (D88). */
  isLockedOut?: true;
  /** A workflow has started and records the event. */
  isHandedOn?: true;
  /** The event is stored, or another statement stores it. */
  isNoted?: true;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    accessed: Accessed;
    /** The organization in which the policy was checked. */
    organizationId?: string | undefined;
  }
}

/**
 * Stores an access event for every request of a key or an admin on personal data, before the response is sent (D88). A
 * route without a declared access stops the service from starting.
 *
 * If the event cannot be stored, a read gets 503, because data must not be shown without a trace. A write has already
 * happened, so its response stands and the log records the failure.
 */
export function noteAccess(app: App, { sql, logger }: Context): void {
  const store = inBatches(async (batch: readonly AccessEvent[][]) => {
    await insertAccessEvents(sql, batch.flat());
    return batch;
  });
  const isSampled = sampleRefusals();
  app.addHook('onRoute', ({ config: { access } = {}, method, url }) => {
    if (!access && method !== 'OPTIONS') throw new Error(`${String(method)} ${url} declares no access`);
  });
  app.addHook('onRequest', async (request) => {
    request.accessed = {};
  });
  app.addHook('onSend', async (request, reply) => {
    const events = eventsOf(request, reply.statusCode, isSampled);
    if (events.length === 0) return;
    // Set first, because the 503 below runs this hook again.
    request.accessed.isNoted = true;
    try {
      await store(events);
    } catch (err) {
      const [{ actor, action }] = events as [AccessEvent];
      logger.error({ err, actor, route: request.routeOptions.url ?? 'unknown' }, 'access event not stored');
      if (isReading(action) && reply.statusCode < 400) throw unavailable();
    }
  });
}

/** Statuses of a rejected sign-in. */
const signInRejections = [401, 403, 429];

function eventsOf(
  request: FastifyRequest,
  statusCode: number,
  isSampled: (caller: string) => boolean,
): AccessEvent[] {
  const { access } = request.routeOptions.config;
  // Undefined if an earlier hook rejected the request.
  const { accessed } = request as Partial<Pick<FastifyRequest, 'accessed'>>;
  // A rate limit exists to save load, so its 429 stores no event.
  if (!access || !accessed || accessed.isNoted || (statusCode === 429 && !accessed.isLockedOut)) return [];
  if (accessed.refused)
    return [
      { ...accessed.refused, action: 'auth.refuse', record: null, ...placeOf(request), outcome: 'refused' },
    ];
  if ('none' in access) return [];
  const actor = actorOf(request);
  const outcome: AccessEvent['outcome'] =
    statusCode < 400 ? 'allowed' : statusCode < 500 ? 'refused' : 'failed';
  if (!actor && (access.refusal === undefined || !signInRejections.includes(statusCode))) return [];
  const action = outcome === 'refused' ? (access.refusal ?? access.action) : access.action;
  const records = recordsOf(request, access.record, statusCode);
  // For a sign-in with an unknown address, which may belong to anyone.
  const unknownAdmin = { actor: 'unknown', actorKind: 'admin' } as const;
  const event = { ...(actor ?? unknownAdmin), action, ...placeOf(request), outcome };
  if (accessed.isLockedOut && !isSampled(`${event.actor} ${event.ip}`)) return [];
  return records.map((record) => ({ ...event, record }));
}

/** The event of an allowed request, for a statement that stores it; the handler then sets `isNoted`. */
export function allowedEvent(request: FastifyRequest, record: string | null = null): AccessEvent {
  const { access } = request.routeOptions.config;
  const actor = actorOf(request);
  if (!access || 'none' in access || !actor) throw new Error('The request has no access context');
  return { ...actor, action: access.action, record, ...placeOf(request), outcome: 'allowed' };
}

function actorOf(request: FastifyRequest): Accessed['actor'] {
  if (request.accessed.actor) return request.accessed.actor;
  const { apiKey, admin } = request as Partial<Pick<FastifyRequest, 'apiKey' | 'admin'>>;
  if (apiKey) return { actor: apiKey.id, actorKind: 'key' };
  return admin && { actor: admin.sub, actorKind: 'admin' };
}

/** The path is untrusted text, and so is a name that a 404 did not find: only a UUID of those is stored. */
function recordsOf(
  { accessed, params }: FastifyRequest,
  name: string | undefined,
  statusCode: number,
): readonly (string | null)[] {
  const records = accessed.records?.filter((id) => statusCode !== 404 || isUuid(id)) ?? [];
  if (records.length > 0) return records;
  const inPath = name === undefined ? undefined : (params as Record<string, unknown>)[name];
  return [isUuid(inPath) ? inPath.toLowerCase() : null];
}

const maxUserAgentCharacters = 500;

function placeOf(
  request: FastifyRequest,
): Pick<AccessEvent, 'organizationId' | 'ip' | 'userAgent' | 'requestId' | 'onBehalfOf'> {
  const organizationId = request.accessed.organizationId ?? request.organizationId;
  return {
    organizationId: isUuid(organizationId) ? organizationId : null,
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, maxUserAgentCharacters) ?? null,
    requestId: request.id,
    ...request.accessed.origin,
    ...(request.accessed.onBehalfOf !== undefined && { onBehalfOf: request.accessed.onBehalfOf }),
  };
}

const maxSampled = 10_000;

/**
 * Says once a minute and process whether a rejection of this caller is to be recorded (D162), so that guesses cannot
 * fill the table.
 */
export function sampleRefusals(): (caller: string) => boolean {
  let minute = 0;
  const recorded = new Set<string>();
  return (caller) => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) recorded.clear();
    minute = now;
    if (recorded.has(caller) || recorded.size >= maxSampled) return false;
    recorded.add(caller);
    return true;
  };
}
