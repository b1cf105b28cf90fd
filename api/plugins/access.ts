import type { FastifyRequest } from 'fastify';
import { insertAccessEvents } from '../../db/access/access-events.js';
import type { Sql } from '../../db/client.js';
import {
  type AccessAction,
  type AccessEvent,
  type AccessOutcome,
  isReading,
} from '../../domain/access-events.js';
import type { App, Context } from '../context.js';
import { isUuid, unavailable } from '../http-errors.js';

/** What a route does to somebody's data (D88), or why it touches nobody's, or is nobody's to answer for. */
export type Access =
  | {
      action: AccessAction;
      /** The parameter of the path that names the record; an id of ours, so a uuid. */
      record?: string;
      /** Of a route that finds out who asks: what it is called when they are not let in. */
      refusal?: AccessAction;
    }
  | { none: string };

interface Accessed {
  /** Who asks, where neither a key nor a token says so. */
  actor?: Pick<AccessEvent, 'actor' | 'actorKind'>;
  /** In place of the one in the path; several where a request is about several. */
  records?: readonly string[];
  organizationId?: string | null;
  /** A run has been started, and handed its event. */
  isHandedOn?: true;
  /** Its event is written, or travels with a statement that will be made. */
  isNoted?: true;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** What the handler has found out for the request's event. */
    accessed: Accessed;
    /** The organization that a policy was judged in. */
    organizationId?: string | undefined;
  }
}

/**
 * Notes every request of a key or an admin that is about somebody's data, before its answer leaves (D88). A route that
 * does not declare what it does stops the service from starting.
 *
 * Where the note cannot be made, a reading is refused with 503: nothing takes back what was shown without a trace, and
 * asking again costs nothing. A change has happened already, so its answer stands, and the log has the line.
 */
export function noteAccess(app: App, { sql, logger }: Context): void {
  const note = inBatches(sql);
  app.addHook('onRoute', ({ config: { access } = {}, method, url }) => {
    if (!access && method !== 'OPTIONS') throw new Error(`${String(method)} ${url} declares no access`);
  });
  app.addHook('onRequest', async (request) => {
    request.accessed = {};
  });
  app.addHook('onSend', async (request, reply) => {
    const events = eventsOf(request, reply.statusCode);
    if (events.length === 0) return;
    // First, because the refusal below is an answer too.
    request.accessed.isNoted = true;
    try {
      await note(events);
    } catch (err) {
      const [{ actor, action }] = events as [AccessEvent];
      logger.error({ err, actor, route: request.routeOptions.url ?? 'unknown' }, 'access was not noted');
      if (isReading(action) && reply.statusCode < 400) throw unavailable('Temporarily unavailable');
    }
  });
}

/** Requests beyond a limit are counted and no more: each would cost what the limit is there to save. */
const isUnnoted = (statusCode: number): boolean => statusCode === 429;

function eventsOf(request: FastifyRequest, statusCode: number): AccessEvent[] {
  const { access } = request.routeOptions.config;
  // Without it the request was refused before anybody looked at it.
  const { accessed } = request as Partial<Pick<FastifyRequest, 'accessed'>>;
  if (!access || 'none' in access || !accessed || accessed.isNoted || isUnnoted(statusCode)) return [];
  const actor = actorOf(request);
  const outcome = outcomeOf(statusCode);
  if (!actor && (access.refusal === undefined || statusCode !== 401)) return [];
  const action = outcome === 'refused' ? (access.refusal ?? access.action) : access.action;
  const records = recordsOf(request, access.record);
  const event = { ...(actor ?? unknownAdmin), action, ...placeOf(request), outcome };
  return records.map((record) => ({ ...event, record }));
}

/**
 * The event of a request that is let through, for the statement that it travels with: mark the request as noted once
 * that is made, or is sure to be.
 */
export function allowedEvent(request: FastifyRequest, record: string | null = null): AccessEvent {
  const { access } = request.routeOptions.config;
  const actor = actorOf(request);
  if (!access || 'none' in access || !actor) throw new Error('Nobody is known to do anything here');
  return { ...actor, action: access.action, record, ...placeOf(request), outcome: 'allowed' };
}

const outcomeOf = (statusCode: number): AccessOutcome =>
  statusCode < 400 ? 'allowed' : statusCode < 500 ? 'refused' : 'failed';

/** Whoever tried to sign in under an address that no admin has; the address may be anybody's. */
const unknownAdmin = { actor: 'unknown', actorKind: 'admin' } as const;

function actorOf(request: FastifyRequest): Accessed['actor'] {
  if (request.accessed.actor) return request.accessed.actor;
  const { apiKey, admin } = request as Partial<Pick<FastifyRequest, 'apiKey' | 'admin'>>;
  if (apiKey) return { actor: apiKey.id, actorKind: 'key' };
  return admin && { actor: admin.sub, actorKind: 'admin' };
}

/** What the path says is the caller's text: only what can be an id of ours is kept. */
function recordsOf(
  { accessed, params }: FastifyRequest,
  name: string | undefined,
): readonly (string | null)[] {
  if (accessed.records && accessed.records.length > 0) return accessed.records;
  const inPath = name === undefined ? undefined : (params as Record<string, unknown>)[name];
  return [isUuid(inPath) ? inPath.toLowerCase() : null];
}

const maxUserAgentCharacters = 500;

function placeOf(
  request: FastifyRequest,
): Pick<AccessEvent, 'organizationId' | 'ip' | 'userAgent' | 'requestId'> {
  const organizationId = request.accessed.organizationId ?? request.organizationId;
  return {
    organizationId: isUuid(organizationId) ? organizationId : null,
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, maxUserAgentCharacters) ?? null,
    requestId: request.id,
  };
}

/** One statement at a time: what comes while one is under way goes with the next, so that a busy service commits seldom. */
function inBatches(sql: Sql): (events: readonly AccessEvent[]) => Promise<void> {
  let gathering: AccessEvent[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const write = () => {
    const batch = gathering;
    [gathering, next] = [[], undefined];
    return insertAccessEvents(sql, batch);
  };
  return (events) => {
    gathering.push(...events);
    if (!next) {
      next = last.then(write);
      last = next.catch(() => undefined);
    }
    return next;
  };
}
