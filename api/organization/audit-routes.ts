import { Readable } from 'node:stream';
import { z } from 'zod';
import { listAccessDays } from '../../db/access/access-days.js';
import { type AccessFilter, listAccessEvents } from '../../db/access/access-events.js';
import { listAuditEvents } from '../../db/organization/audit.js';
import { isCalendarDay } from '../../domain/calendar.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf, pageQuery } from '../cursor.js';
import { organizationsOf } from '../plugins/admin.js';
import { policiesOf } from './authorize.js';
import * as contract from './contract.js';
import { codedErrors } from '../http-errors.js';

const ndjson = 'application/x-ndjson';
const cursorPosition = z.string().regex(/^\d{1,18}$/);

/** The audit of changes in this service (D84) and of access to personal data in all services (D88). */
export function auditRoutes(admin: App, context: ServiceContext): void {
  admin.get(
    '/v1/access-events',
    {
      config: { policy: policiesOf(context).superadmin, access: { action: 'access.list' } },
      schema: {
        tags: ['Audit'],
        security: [{ adminToken: [] }],
        summary: 'List the access events of all services, newest first',
        description:
          'With `Accept: application/x-ndjson`, exports all of them: a JSON object per line, without `limit` and `cursor`.',
        querystring: contract.accessQuery,
        response: { 200: contract.accessEventList, ...codedErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ headers, query: { limit, cursor, ...filter } }, reply) => {
      if (headers.accept?.includes(ndjson) === true)
        return reply.type(ndjson).send(Readable.from(lines(context, filter)) as never);
      const before = decodeCursor(cursor, cursorPosition);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listAccessEvents(context.sql, { ...filter, before, limit }),
        ({ position }) => position,
      );
      return { accessEvents: page.map(withoutNull), nextCursor };
    },
  );

  admin.get(
    '/v1/access-events/days',
    {
      config: { policy: policiesOf(context).superadmin, access: { action: 'access.list' } },
      schema: {
        tags: ['Audit'],
        security: [{ adminToken: [] }],
        summary: 'List the days of access events with their chained hashes, newest first',
        querystring: pageQuery,
        response: { 200: contract.accessDayList, ...codedErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { limit, cursor } }) => {
      const before = decodeCursor(cursor, z.string().refine(isCalendarDay));
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listAccessDays(context.sql, { before, limit }),
        ({ day }) => day,
      );
      return { days: page, nextCursor };
    },
  );

  admin.get(
    '/v1/audit-events',
    {
      config: { policy: policiesOf(context).superadmin, access: { action: 'audit.list' } },
      schema: {
        tags: ['Audit'],
        security: [{ adminToken: [] }],
        summary: 'List audit events, newest first',
        querystring: contract.auditQuery,
        response: { 200: contract.auditEventList, ...codedErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ admin: caller, query: { limit, cursor, ...filter } }) => {
      const before = decodeCursor(cursor, cursorPosition);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listAuditEvents(context.sql, organizationsOf(caller), { ...filter, before, limit }),
        ({ position }) => position,
      );
      return { auditEvents: page, nextCursor };
    },
  );
}

type Listed = Awaited<ReturnType<typeof listAccessEvents>>[number];

/** A line of JSON per access event, newest first. */
async function* lines(
  { sql }: ServiceContext,
  filter: Omit<AccessFilter, 'before' | 'limit'>,
): AsyncGenerator<string> {
  let before: string | undefined;
  do {
    const page: Listed[] = await listAccessEvents(sql, { ...filter, before, limit: 1_000 });
    for (const event of page) {
      const { position: _position, ...shown } = withoutNull(event);
      yield `${JSON.stringify(shown)}\n`;
    }
    before = page.at(-1)?.position;
  } while (before !== undefined);
}

/** Few events name a person for whom a key acted. */
const withoutNull = ({ onBehalfOf, ...event }: Listed) => ({ ...event, ...(onBehalfOf && { onBehalfOf }) });
