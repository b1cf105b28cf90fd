import { cancellationSignal } from '@temporalio/activity';
import type { Sql } from '../../db/client.js';
import {
  beginSyncAttempt,
  findPendingSync,
  recordSync,
  type SyncRecord,
} from '../../db/bridge/sync-attempts.js';
import { classOf, type SyncAttemptResult } from '../../domain/bridge/emr-sync.js';
import type { PatientStatusClient } from '../../integrations/emr/change-patient.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { Logger } from '../../platform/logger.js';

/** The handler makes six calls at most, within the attempt's own time. */
const callTimeoutMs = 3_500;

export const createEgressActivities = ({
  sql,
  emr,
  logger,
}: {
  sql: Sql;
  emr: PatientStatusClient;
  logger: Logger;
}) => {
  /** By event type: each handler changes its target and returns the EMR's status. */
  const handlers: Readonly<Record<string, (targetId: string) => Promise<number>>> = {
    'patient.archived': (emrPatientId) =>
      emr.deactivatePatient(emrPatientId, { timeoutMs: callTimeoutMs, signal: cancellationSignal() }),
  };

  return {
    /** Reads the ledger row of a run while it is pending. Safe to retry: it only reads. */
    async pendingSync({ syncAttemptId }: { syncAttemptId: string }) {
      const pending = await findPendingSync(sql, syncAttemptId);
      if (!pending) return null;
      const { firstAttemptAt, nextAttemptAt, ...rest } = pending;
      return {
        ...rest,
        firstAttemptAt: firstAttemptAt?.getTime() ?? null,
        nextAttemptAt: nextAttemptAt?.getTime() ?? null,
      };
    },

    /**
     * Counts an attempt and makes it. An error of the EMR is a result; only our own faults are thrown. Safe to retry:
     * the change sets a value, and skips one that is set already.
     * @returns null when the row is no longer pending
     */
    async syncToEmrOnce({ syncAttemptId }: { syncAttemptId: string }): Promise<SyncAttemptResult | null> {
      const target = await beginSyncAttempt(sql, syncAttemptId);
      if (!target) return null;
      const handler = handlers[target.internalEventName];
      if (!handler) throw new Error(`Nothing handles ${target.internalEventName}`);
      try {
        return { outcome: 'succeeded', status: await handler(target.targetResourceId) };
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        const { fault } = error;
        const errorClass = classOf(fault);
        if (errorClass === 'auth')
          logger.error(
            { reason: errorClass, party: 'EMR' },
            'the EMR rejects our credentials: page the operators',
          );
        return {
          outcome: 'error',
          class: errorClass,
          status: fault.kind === 'status' ? fault.status : null,
          retryAfterMs: (fault.kind === 'status' ? fault.retryAfterMs : undefined) ?? null,
        };
      }
    },

    /** Writes the result of an attempt. Safe to retry: it writes the same again, and never over a newer series. */
    recordSync: (record: SyncRecord) => recordSync(sql, record),
  };
};

export type EgressActivities = ReturnType<typeof createEgressActivities>;
export type PendingSyncAttempt = NonNullable<Awaited<ReturnType<EgressActivities['pendingSync']>>>;
