import { z } from 'zod';
import type { App, ServiceContext } from '../context.js';
import { issueErrors, notFound } from '../http-errors.js';
import { timeline } from '../timeline.js';
import { createTimeline } from './timeline.js';

/** What happened to a task, as all services tell of it (D111). */
export function timelineRoutes(signed: App, context: ServiceContext): void {
  const timelineOf = createTimeline(context);
  signed.get(
    '/orchestrator/timeline/:taskId',
    {
      config: { access: { action: 'timeline.read' } },
      schema: {
        tags: ['Timeline'],
        security: [{ signature: [] }],
        summary: 'What happened to a task, by time',
        description:
          'Each service tells its own part; one that is away leaves an entry of kind `gap`. Nothing of the patient stands in it. Of a schedule’s task, `refill-<scheduleId>`, its refills.',
        params: z.object({ taskId: z.string() }),
        response: { 200: timeline, ...issueErrors(401, 403, 404, 429, 500, 503) },
      },
    },
    async ({ accessed, params: { taskId } }) => {
      const entries = await timelineOf(taskId);
      if (!entries) throw notFound('No runs found for this task');
      accessed.records = [taskId];
      return { taskId, entries };
    },
  );
}
