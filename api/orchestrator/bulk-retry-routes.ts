import { ownTaskId } from '../../domain/clients.js';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  countFailed,
  endBulkRetry,
  findBulkRetry,
  openBulkRetry,
} from '../../db/orchestrator/bulk-retries.js';
import { orchestratorToday } from '../../db/orchestrator/clock.js';
import { pipelineSteps } from '../../domain/orchestrator/pipeline.js';
import { recoverRuns } from '../../starts/bulk-retry.js';
import type { App, ServiceContext } from '../context.js';
import { instant } from '../instant.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { conflict, found, idOf, InvalidField, issueErrors } from '../http-errors.js';
import { text } from '../../platform/http/text.js';

const common = { tags: ['Operators'], security: [{ signature: [] }] };
const maxTaskIds = 200;

const selection = z
  .object({
    step: z.enum(pipelineSteps).describe('The failed step'),
    from: instant.describe('Earliest time of the failure'),
    to: instant.describe('Latest time of the failure'),
    error: text(500).min(1).optional().describe('Part of the error text'),
    perMinute: z.int().min(1).max(600).default(60).describe('Runs to start per minute'),
    dryRun: z.boolean().default(true).describe('Only report the runs to retry'),
  })
  .meta({ id: 'RecoveryRequest' });
const selected = z
  .object({
    selected: z.int().describe('Number of runs that are still failed'),
    taskIds: z.array(z.string()).describe(`The first ${maxTaskIds} tasks`),
    recoveryId: z.uuid().nullable().describe('Null for a dry run'),
  })
  .meta({ id: 'SelectedForRecovery' });
const known = ({ selected, taskIds }: { selected: number; taskIds: string[] }) => ({
  selected,
  taskIds: taskIds.map(ownTaskId),
});
const count = z.int().min(0);
const progress = z
  .object({
    state: z.enum(['running', 'completed', 'cancelled']),
    selected: count,
    done: count,
    succeeded: count,
    failed: count,
    skipped: count,
  })
  .meta({ id: 'Recovery' });

/** Bulk retry of failed runs, for keys with the scope `admin` (D112). */
export function recoveryRoutes(signed: App, { sql, temporal, config }: ServiceContext): void {
  const today = orchestratorToday({ sql, config });
  const whenUnpaid = config.service('orchestrator').REFILLS_WHEN_UNPAID;

  signed.post(
    '/orchestrator/recoveries',
    {
      config: { access: { action: 'recovery.start' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Retry all runs that failed at a step in a period',
        description:
          'For steps 1 to 4 the approval is retried. For step 5 only the charge is retried, for step 6 the label, for step 7 the notification. Tasks approved, denied or canceled meanwhile are skipped, and so are refills that the refill check would not send today. Repeated requests never order or charge twice.',
        body: selection,
        response: { 200: selected, ...issueErrors(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async ({ apiKey, body: { perMinute, dryRun, ...asked } }) => {
      if (asked.from > asked.to) throw new InvalidField('to', 'Must not lie before from');
      const wanted = { ...asked, today: await today(), whenUnpaid };
      if (dryRun) return { ...known(await countFailed(sql, wanted, maxTaskIds)), recoveryId: null };
      const recoveryId = randomUUID();
      const retry = { id: recoveryId, perMinute, requestedBy: apiKey.id };
      const opened = await openBulkRetry(sql, retry, wanted, maxTaskIds);
      await recoverRuns(temporal, { recoveryId, what: `${opened.selected} at ${wanted.step}` }, 0);
      return { ...known(opened), recoveryId };
    },
  );

  signed.get(
    '/orchestrator/recoveries/:id',
    {
      config: { access: { action: 'recovery.read', record: 'id' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Read the progress of a bulk retry',
        params: z.object({ id: z.string() }),
        response: { 200: progress, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ params: { id } }) => found(await findBulkRetry(sql, idOf(id, 'Recovery')), 'Recovery'),
  );

  signed.post(
    '/orchestrator/recoveries/:id/cancel',
    {
      config: { access: { action: 'recovery.cancel', record: 'id' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Cancel a bulk retry',
        description: 'Running retries complete and no new one starts. A new request can retry the rest.',
        params: z.object({ id: z.string() }),
        response: { 200: progress, ...issueErrors(401, 403, 404, 409, 413, 415, 429, 500) },
      },
    },
    async ({ params }) => {
      const id = idOf(params.id, 'Recovery');
      await endBulkRetry(sql, id, 'cancelled');
      const recovery = found(await findBulkRetry(sql, id), 'Recovery');
      if (recovery.state === 'completed') throw conflict('Recovery has completed');
      return recovery;
    },
  );
}
