import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  countFailed,
  endBulkRetry,
  findBulkRetry,
  openBulkRetry,
} from '../../db/orchestrator/bulk-retries.js';
import { pipelineSteps } from '../../domain/orchestrator/pipeline.js';
import { recoverRuns } from '../../starts/bulk-retry.js';
import type { App, ServiceContext } from '../context.js';
import { instant } from '../instant.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { conflict, found, idOf, InvalidField, issueErrors } from '../http-errors.js';
import { text } from '../../platform/http/text.js';

const common = { tags: ['Operators'], security: [{ signature: [] }] };
/** Tasks that an answer names. */
const shown = 200;

const selection = z
  .object({
    step: z.enum(pipelineSteps).describe('At which step they failed'),
    from: instant.describe('When they failed'),
    to: instant,
    error: text(500).min(1).optional().describe('A part of the text of what failed'),
    perMinute: z.int().min(1).max(600).default(60).describe('How many are begun in a minute'),
    dryRun: z.boolean().default(true).describe('Only says what would be tried again'),
  })
  .meta({ id: 'RecoveryRequest' });
const selected = z
  .object({
    selected: z.int().describe('How many are still failed'),
    taskIds: z.array(z.string()).describe(`The first ${shown}`),
    recoveryId: z.uuid().nullable().describe('null for a dry run'),
  })
  .meta({ id: 'SelectedForRecovery' });
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

/** Trying again what failed together, for keys of the scope `admin` (D112). */
export function recoveryRoutes(signed: App, { sql, temporal }: ServiceContext): void {
  signed.post(
    '/orchestrator/recoveries',
    {
      config: { access: { action: 'recovery.start' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Try again what failed at a step in a stretch of time',
        description:
          'Up to step 4 the approval is made again; of step 5 the charge, of 6 the label, of 7 the message, and no more. What was approved, denied or cancelled since is left alone. Nothing is ordered or charged twice, however often this is asked for.',
        body: selection,
        response: { 200: selected, ...issueErrors(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async ({ apiKey, body: { perMinute, dryRun, ...wanted } }) => {
      if (wanted.from > wanted.to) throw new InvalidField('to', 'Must not lie before from');
      if (dryRun) return { ...(await countFailed(sql, wanted, shown)), recoveryId: null };
      const recoveryId = randomUUID();
      const opened = await openBulkRetry(
        sql,
        { id: recoveryId, perMinute, requestedBy: apiKey.id },
        wanted,
        shown,
      );
      await recoverRuns(temporal, { recoveryId, what: `${opened.selected} at ${wanted.step}` }, 0);
      return { ...opened, recoveryId };
    },
  );

  signed.get(
    '/orchestrator/recoveries/:id',
    {
      config: { access: { action: 'recovery.read', record: 'id' } },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'How far a recovery is',
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
        summary: 'End a recovery',
        description:
          'Those under way are carried through, no other is begun. The rest may be asked for again.',
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
