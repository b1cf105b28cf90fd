import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { findSyncAttempt, upsertSyncAttempt } from '../../../db/bridge/sync-attempts.js';
import { archiveSyncKey } from '../../../domain/bridge/emr-sync.js';
import type { bridgeActivities } from '../../../workers/bridge/activities.js';
import { eventually } from '../../helpers/client.js';
import { newPatient } from '../../helpers/patients.js';
import { eventOf, eventQueue, sessionEvents, toldOutside } from '../events.js';
import { db, dev } from '../real-parts.js';
import { consuming, consumingAsSink, type Entries, type Entry } from '../twice.js';

const syncOf = async (emrPatientId: string) =>
  upsertSyncAttempt(db, {
    idempotencyKey: archiveSyncKey(emrPatientId),
    internalEventName: 'patient.archived',
    targetResourceType: 'Patient',
    targetResourceId: emrPatientId,
  });

/** True if the patient was active, one entry per version: a second write would be a third. */
async function activeInEmr(emrPatientId: string): Promise<boolean[]> {
  const response = await fetch(`${dev.emr.baseUrl}/Patient/${emrPatientId}/_history`, {
    headers: { authorization: `Bearer ${dev.emr.token}` },
  });
  const { entry } = (await response.json()) as { entry: { resource: { active?: boolean } }[] };
  return entry.map(({ resource }) => resource.active ?? true).sort();
}

const activities: Entries<ReturnType<typeof bridgeActivities>> = {
  ...eventQueue('bridge', 'emr.medication_request.activated'),
  pendingSync: async () => {
    const { id: syncAttemptId } = await syncOf(randomUUID());
    return {
      input: { syncAttemptId },
      answers: {
        internalEventName: 'patient.archived',
        series: 1,
        attempts: 0,
        lastError: null,
        firstAttemptAt: null,
        nextAttemptAt: null,
      },
    };
  },
  // The row also counts each attempt, a repeat too: it says how often we called the EMR.
  syncToEmrOnce: async () => {
    const patient = await newPatient(dev);
    const { id: syncAttemptId } = await syncOf(patient.id);
    return {
      input: { syncAttemptId },
      answers: { outcome: 'succeeded', status: 200 },
      seen: () => activeInEmr(patient.id),
      once: [false, true],
    };
  },
  recordSync: async () => {
    const { id } = await syncOf(randomUUID());
    const verdict = { status: 'succeeded', nextAttemptAt: null } as const;
    return {
      input: { id, series: 1, firstAttemptAt: Date.now(), verdict, responseStatus: 200, error: null },
      seen: () => findSyncAttempt(db, 'all', id),
      once: expect.objectContaining({ status: 'succeeded', emrResponseStatus: 200, lastError: null }),
    };
  },
};

export const bridge: Record<string, Entry> = {
  ...activities,
  ...consuming('bridge', {
    'patient.archived': async () => {
      const { id: emrPatientId } = await newPatient(dev);
      return {
        event: eventOf('patients', 'patient.archived', { emrPatientId }),
        seen: () =>
          eventually(async () => {
            const rows = await db<{ status: string; attempts: number }[]>`
              select status, attempts from bridge.emr_sync_attempts where target_resource_id = ${emrPatientId}
            `;
            return rows[0]?.status === 'succeeded' && { rows, active: await activeInEmr(emrPatientId) };
          }),
        once: { rows: [{ status: 'succeeded', attempts: 1 }], active: [false, true] },
      };
    },
    ...sessionEvents('bridge'),
  }),
  ...consumingAsSink(toldOutside('bridge')),
};
