import { z } from 'zod';
import { detailOf, type Handlers } from '../../activities/events/deliveries.js';
import { upsertSyncAttempt } from '../../db/bridge/sync-attempts.js';
import { archiveSyncKey } from '../../domain/bridge/emr-sync.js';
import { recheckSync } from '../../starts/bridge.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

const archived = z.object({ emrPatientId: z.string().min(1).nullable() });

/** What the bridge does when it hears of something. */
export const bridgeEvents = (context: WorkerContext): Handlers<'bridge'> => ({
  ...sessionEvents(context, 'bridge'),

  /**
   * A patient that is archived becomes inactive in the EMR (page 3, egress): the ledger row of its idempotency key,
   * and the run that brings it there. Idempotent by the row: a settled one is left alone.
   */
  'patient.archived': async (event) => {
    const { emrPatientId } = detailOf(event, archived);
    // A patient that was never in the EMR has nothing to become inactive there.
    if (emrPatientId === null) return;
    const { id, status } = await upsertSyncAttempt(context.sql, {
      idempotencyKey: archiveSyncKey(emrPatientId),
      internalEventName: event.detailType,
      targetResourceType: 'Patient',
      targetResourceId: emrPatientId,
      organizationId: event.organizationId,
    });
    if (status === 'pending') await recheckSync(context.temporal, id);
  },
});
