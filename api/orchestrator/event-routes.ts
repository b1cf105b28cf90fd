import { findNewestSequence, listEvents } from '../../db/orchestrator/events.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors } from '../http-errors.js';
import * as contract from './event-contract.js';

const common = { tags: ['Events'], security: [{ signature: [] }] };
const access = { none: 'ids, states and amounts of the client’s own tasks' } as const;

/** The events of a client's tasks (D129). */
export function eventRoutes(signed: App, { sql }: ServiceContext): void {
  signed.get(
    '/orchestrator/events',
    {
      config: { access },
      schema: {
        ...common,
        summary: 'Read events in the order of their sequence',
        description:
          'Save `nextAfter` once you have handled the page and pass it as `after` next time: such a reader misses none, whatever commits late. Look again after two seconds if `events` is empty. Events are kept for 400 days. If some after `after` were deleted, the answer begins with the oldest kept and has `Events-Truncated: true`.',
        querystring: contract.eventQuery,
        response: { 200: contract.clientEvents, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { after, ...filter }, whose: { client } }, reply) => {
      if (after === 'latest') return { events: [], nextAfter: await findNewestSequence(sql, client) };
      const { isTruncated, ...page } = await listEvents(sql, { ...filter, client, after });
      if (isTruncated) reply.header('Events-Truncated', 'true');
      return page;
    },
  );
}
