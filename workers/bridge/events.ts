import { z } from 'zod';
import { refuse } from '../../activities/failures.js';
import type { EventHandler } from '../../activities/events/deliveries.js';
import { nudgeSync } from '../../starts/bridge.js';
import { upsertSyncAttempt } from '../../db/bridge/sync-attempts.js';
import { archiveSyncKey } from '../../domain/bridge/emr-sync.js';
import { failureTypes } from '../../domain/failures.js';
import type { WorkerContext } from '../context.js';

const archived = z.object({ emrPatientId: z.string().min(1).nullable() });

/**
 * A patient that is archived becomes inactive in the EMR (page 3, egress): the ledger row of its idempotency key, and
 * the run that brings it there. Idempotent by the row: a settled one is left alone.
 */
export const consumePatientArchived =
  ({ sql, temporal }: WorkerContext): EventHandler =>
  async ({ detailType, detail }) => {
    const { data } = archived.safeParse(detail);
    if (!data) throw refuse(failureTypes.rejected, `${detailType} has no EMR patient id`);
    // A patient that was never in the EMR has nothing to become inactive there.
    if (data.emrPatientId === null) return;
    const { id, status } = await upsertSyncAttempt(sql, {
      idempotencyKey: archiveSyncKey(data.emrPatientId),
      internalEventName: detailType,
      targetResourceType: 'Patient',
      targetResourceId: data.emrPatientId,
    });
    if (status === 'pending') await nudgeSync(temporal, id);
  };
