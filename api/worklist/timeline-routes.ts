import { z } from 'zod';
import { type ItemOfTask, listItemsOf } from '../../db/worklist/timeline.js';
import { gap, inOrder, type TimelineEntry } from '../../domain/timeline.js';
import { askForTimeline } from '../../integrations/timeline/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { App, ServiceContext } from '../context.js';
import { codedErrors, unknown } from '../http-errors.js';
import { runsAt } from '../run-links.js';
import { idList, timeline, timelinePart } from '../timeline.js';
import { clientName } from './order-contract.js';
import { partyAt } from './parties.js';

/** The worklist's part of a timeline, for the orchestrator (D111). */
export function timelinePartRoutes(signed: App, { sql, config }: ServiceContext): void {
  const linkOf = runsAt(config.service('worklist'));
  signed.post(
    '/timeline',
    {
      config: { access: { action: 'timeline.read' } },
      schema: {
        tags: ['Timeline'],
        security: [{ signature: [] }],
        summary: 'Find the work items of tasks and submissions, without the names of people',
        body: z
          .object({ taskIds: idList(420), submissionIds: idList(36), client: clientName.optional() })
          .meta({ id: 'ItemsTimelineRequest' }),
        response: { 200: timelinePart, ...codedErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ body }) => ({ entries: entriesOf(await listItemsOf(sql, body), linkOf) }),
  );
}

/**
 * The entries of a task from the orchestrator; while it is away, the work items and a gap.
 * @returns a function that returns undefined for an unknown task
 */
export function createTimelines({ sql, config, logger }: ServiceContext) {
  const linkOf = runsAt(config.service('worklist'));
  const orchestrator = partyAt({ config }, 'ORCHESTRATOR_URL');
  return (taskId: string, client: string | undefined) =>
    askForTimeline(orchestrator, taskId, client).catch(async (err: unknown) => {
      if (!(err instanceof OutboundError)) throw err;
      logger.warn({ err }, 'the orchestrator did not return a timeline');
      const items = await listItemsOf(sql, { taskIds: [taskId], submissionIds: [], client });
      return inOrder([...entriesOf(items, linkOf), gap('orchestrator', new Date())]);
    });
}

/** The timeline for the desk (D111), which the orchestrator answers. */
export function timelineRoutes(admin: App, context: ServiceContext): void {
  const timelineOf = createTimelines(context);
  admin.get(
    '/v1/timeline/:taskId',
    {
      config: { policy: { allows: 'operators' }, access: { action: 'timeline.read' } },
      schema: {
        tags: ['Timeline'],
        security: [{ adminToken: [] }],
        summary: 'Get the timeline of a task',
        description: 'While the orchestrator is unavailable, the timeline has the work items and a gap.',
        params: z.object({ taskId: z.string() }),
        querystring: z.object({ client: clientName.optional() }),
        response: { 200: timeline, ...codedErrors(400, 401, 403, 404, 429, 500, 503) },
      },
    },
    async ({ accessed, params: { taskId }, query: { client } }) => {
      const entries = await timelineOf(taskId, client);
      if (!entries) throw unknown('Task');
      accessed.records = [taskId];
      return { taskId, entries };
    },
  );
}

function entriesOf(
  items: readonly ItemOfTask[],
  linkOf: (workflowId: string | null) => string | null,
): TimelineEntry[] {
  return items.flatMap(({ title, reason, workflowId, openedAt, closedAt, answer, state }) => {
    const entry = { service: 'worklist', kind: 'work_item' as const, link: linkOf(workflowId) };
    return [
      { ...entry, at: openedAt.toISOString(), text: `${title}: ${reason}`, state },
      ...(closedAt === null
        ? []
        : [
            {
              ...entry,
              at: closedAt.toISOString(),
              text: `${title}: ${answer === null ? 'closed automatically' : `answered with ${answer}`}`,
              state: 'closed',
            },
          ]),
    ];
  });
}
