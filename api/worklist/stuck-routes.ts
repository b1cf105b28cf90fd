import { listStuckRuns } from '../../starts/stuck.js';
import type { App, ServiceContext } from '../context.js';
import { codedErrors } from '../http-errors.js';
import { runsAt } from '../run-links.js';
import * as contract from './contract.js';

/** What is tried in vain, of all services (D109): nobody has to answer it, and the list empties by itself. */
export function stuckRoutes(admin: App, { temporal, config }: ServiceContext): void {
  const linkOf = runsAt(config.service('worklist'));
  admin.get(
    '/v1/stuck-runs',
    {
      config: { policy: { allows: 'superadmin' }, access: { none: 'ids of runs only' } },
      schema: {
        tags: ['Work items'],
        security: [{ adminToken: [] }],
        summary: 'Runs whose step has been tried in vain for over five minutes',
        description: 'The same in the Web UI: `RxStuck is not null`.',
        response: { 200: contract.stuckRuns, ...codedErrors(401, 403, 429, 500, 503) },
      },
    },
    async () => {
      const { runs, total } = await listStuckRuns(temporal);
      return {
        total,
        stuckRuns: runs.map(({ since, nextTryAt, ...run }) => ({
          ...run,
          since: since.toISOString(),
          nextTryAt: nextTryAt?.toISOString() ?? null,
          runUrl: linkOf(run.workflowId),
        })),
      };
    },
  );
}
