import { z } from 'zod';
import { detailOf, type Handlers } from '../../activities/events/deliveries.js';
import { upsertSyncAttempt } from '../../db/bridge/sync-attempts.js';
import { archiveSyncKey } from '../../domain/bridge/emr-sync.js';
import { recheckSync } from '../../starts/bridge.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

const archived = z.object({
  patientId: z.string().optional(),
  emrPatientId: z.string().min(1).nullable(),
});

export const bridgeEvents = (context: WorkerContext): Handlers<'bridge'> => ({
  ...sessionEvents(context, 'bridge'),

  /**
   * Marks an archived patient inactive in the EMR (page 3, egress): upserts the ledger row and starts its workflow.
   * Idempotent by the row's key; a closed row stays as it is.
   */
  'patient.archived': async (event) => {
    const { patientId, emrPatientId } = detailOf(event, archived);
    // The EMR does not know this patient.
    if (emrPatientId === null) return;
    const { id, status } = await upsertSyncAttempt(context.sql, {
      idempotencyKey: archiveSyncKey(emrPatientId),
      internalEventName: event.detailType,
      targetResourceType: 'Patient',
      targetResourceId: emrPatientId,
      organizationId: event.organizationId,
      patientId,
    });
    if (status === 'pending') await recheckSync(context.temporal, id);
  },
});
