import { z } from 'zod';
import { listMedicationConfigs } from '../../db/orchestrator/medication-configs.js';
import { searchTasks } from '../../db/orchestrator/search.js';
import { clientOfSource, taskKey, tasksOfReference } from '../../domain/clients.js';
import { foundTask } from '../../integrations/worklist/search.js';
import { text } from '../../platform/http/text.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors } from '../http-errors.js';

const id = text(420).min(1);
const sought = z
  .object({
    q: text(200).min(1),
    emrPatientIds: z.array(id).max(100),
    orders: z
      .array(z.object({ source: id, sourceOrderId: id }))
      .max(100)
      .describe('Orders that were found'),
  })
  .meta({ id: 'DeskSearch' });
const found = z.object({ results: z.array(foundTask.meta({ id: 'FoundTask' })) });

/** Finds tasks, schedules and plans for the desk (D134). The search text stands in the body only. */
export function searchRoutes(signed: App, { sql }: ServiceContext): void {
  signed.post(
    '/orchestrator/search',
    {
      config: { access: { action: 'desk.lookup' } },
      schema: {
        tags: ['Work items'],
        security: [{ signature: [] }],
        summary: 'Find tasks, schedules and plans, newest first',
        body: sought,
        response: { 200: found, ...issueErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ body: { q, emrPatientIds, orders } }) => {
      const tasks = orders.flatMap(({ source, sourceOrderId }) => {
        const client = clientOfSource(source);
        if (client === undefined) return [];
        return tasksOfReference(sourceOrderId).map((id) =>
          id.startsWith('refill-') ? id : taskKey(client, id),
        );
      });
      const results = await searchTasks(sql, { q, emrPatientIds, tasks });
      const names = new Map((await listMedicationConfigs(sql)).map((one) => [one.key, one.displayName]));
      return {
        results: results.map(({ about, at, ...one }) => ({
          ...one,
          title: one.kind === 'plan' ? about : (names.get(about) ?? about),
          at: at.toISOString(),
        })),
      };
    },
  );
}
