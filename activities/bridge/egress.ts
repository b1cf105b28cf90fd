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

export interface EgressDependencies {
  sql: Sql;
  emr: PatientStatusClient;
  logger: Logger;
}

/** A pending row of the ledger; times are epoch milliseconds. */
export interface PendingSyncAttempt {
  internalEventName: string;
  series: number;
  /** Counts the attempts of all series. */
  attempts: number;
  firstAttemptAt: number | null;
  nextAttemptAt: number | null;
  lastError: string | null;
}

/** Six calls at most, with room to spare below the attempt's own time. */
const callTimeoutMs = 3_500;

export const createEgressActivities = ({ sql, emr, logger }: EgressDependencies) => {
  /** By internal event, each does its change to the target and answers with the EMR's status. */
  const handlers: Readonly<Record<string, (targetId: string) => Promise<number>>> = {
    'patient.archived': (emrPatientId) =>
      emr.deactivatePatient(emrPatientId, { timeoutMs: callTimeoutMs, signal: cancellationSignal() }),
  };

  return {
    /**
     * The ledger row of a run while it is pending.
     *
     * Safe to retry: only reads.
     */
    async pendingSync({ syncAttemptId }: { syncAttemptId: string }): Promise<PendingSyncAttempt | null> {
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
     * Counts an attempt and makes it. Whatever the EMR does is a result; only faults of our own are thrown.
     * @returns null when the row is no longer pending
     *
     * Safe to retry: the change sets a value, and one that is there already is not written again.
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
            'the EMR refuses our credentials: page the operators',
          );
        return {
          outcome: 'error',
          class: errorClass,
          status: fault.kind === 'status' ? fault.status : null,
          retryAfterMs: (fault.kind === 'status' ? fault.retryAfterMs : undefined) ?? null,
        };
      }
    },

    /**
     * Writes what an attempt came to.
     *
     * Safe to retry: it writes the same again, and nothing over a series that began since.
     */
    async recordSync(record: SyncRecord): Promise<void> {
      await recordSync(sql, record);
    },
  };
};

export type EgressActivities = ReturnType<typeof createEgressActivities>;
