import { randomUUID } from 'node:crypto';
import { callService } from '../../cli/call-service.js';
import type { DevJson } from '../../dev/dev-json.js';
import { sandbox } from '../../dev/demo/outside.js';

export interface Started {
  taskId: string;
}
/** The orchestrator's record. */
export interface Run {
  status: string;
  warnings: string[];
  result: { submissionId?: string } | null;
}

/** One state per pharmacy. */
const states = ['NY', 'TX', 'WA'];
const atOnce = 4;

/** The client that approves during the deploys. */
export function approvals(dev: DevJson) {
  const patients = states.flatMap(
    (state) =>
      dev.patients.find((one) => one.state === state && one.card === 'pm_card_visa')?.emrPatientId ?? [],
  );
  return {
    /** Starts approvals and waits for none. */
    approve: (count: number): Promise<Started[]> =>
      inLanes(
        Array.from({ length: count }, (_, index) => index),
        async (index) => {
          const taskId = `deploy-${randomUUID()}`;
          const emrPatientId = patients[index % patients.length];
          const body = JSON.stringify({ taskId, medication: 'semaglutide', emrPatientId });
          const answer = await callService(dev, {
            service: 'orchestrator',
            method: 'POST',
            path: '/orchestrator/approve',
            body,
            headers: { prefer: 'respond-async' },
          });
          if (answer.status !== 202) throw new Error(`An approval was answered ${answer.status}`);
          return { taskId };
        },
      ),
    areEnded: (started: readonly Started[]): Promise<boolean[]> =>
      inLanes(started, async (one) => (await runOf(dev, one)).status !== 'pending'),
    delayPharmacies: async (delayMs: number): Promise<void> => {
      for (const target of ['pharmacy_a', 'pharmacy_b'])
        await sandbox(dev, '/faults', { target, kind: 'delay', delayMs });
    },
  };
}

/** A run that has not claimed its task yet counts as pending. */
export async function runOf(dev: DevJson, { taskId }: Started): Promise<Run> {
  const path = `/orchestrator/status/${taskId}`;
  const { body } = await callService(dev, { service: 'orchestrator', method: 'GET', path });
  return (body as { runs?: Run[] }).runs?.[0] ?? { status: 'pending', warnings: [], result: null };
}

/** Runs the work for all items in order, with limited concurrency. */
export async function inLanes<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = all.entries();
  const lane = async () => {
    for (const [index, one] of waiting) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
