import { listStuckRuns } from '../../starts/stuck.js';
import type { App, ServiceContext } from '../context.js';
import { codedErrors } from '../http-errors.js';
import { runsAt } from '../run-links.js';
import * as contract from './contract.js';

/** Workflows of all services that keep failing (D109). They need no answer, and leave the list once they proceed. */
export function stuckRoutes(admin: App, { temporal, config }: ServiceContext): void {
  const linkOf = runsAt(config.service('worklist'));
  admin.get(
    '/v1/stuck-runs',
    {
      config: { policy: { allows: 'superadmin' }, access: { none: 'workflow ids only' } },
      schema: {
        tags: ['Work items'],
        security: [{ adminToken: [] }],
        summary: 'List workflows whose step has failed for over five minutes',
        description: 'Query for the same list in the Web UI: `RxStuck is not null`.',
        response: { 200: contract.stuckRuns, ...codedErrors(401, 403, 429, 500, 503) },
      },
    },
    async () => {
      const { runs, total } = await listStuckRuns(temporal);
      return { total, stuckRuns: runs.map((run) => ({ ...run, runUrl: linkOf(run.workflowId) })) };
    },
  );
}
