import type { Client } from '@temporalio/client';
import { updateWithStart, startOrJoin, type Run, signalWithStart, signal } from '../../starts/runs.js';
import { activateUpdate, findOrCreateUpdate, pharmacyUpdateSignal } from '../../workflows/messages.js';

/*
 * Code that must not compile: `npm run typecheck` fails on each line that does. A workflow, signal or update that is
 * renamed, or takes something else, is found where it is started or told. Nothing of it is ever run.
 */
const queue = 'orchestrator';
const described = { id: 'id', queue, summary: 'A run' } as const;
const denial: Run<'denyPrescription'> = {
  ...described,
  workflow: 'denyPrescription',
  args: [{ taskId: 'task' }],
};
const shipment: Run<'followShipment'> = { ...described, workflow: 'followShipment', args: [] };
const patient: Run<'findOrCreateEmrPatient'> = {
  ...described,
  workflow: 'findOrCreateEmrPatient',
  args: [],
};

// @ts-expect-error there is no workflow of this name
export const misnamed: Run<'denyPerscription'> = { ...described, workflow: 'denyPerscription', args: [] };

export const misfed: Run<'denyPrescription'> = {
  ...described,
  workflow: 'denyPrescription',
  // @ts-expect-error a denial is of a task
  args: [{ submissionId: 'submission' }],
};

// @ts-expect-error there is no such queue
export const misplaced: Run<'denyPrescription'> = { ...denial, queue: 'orchestrators' };

export async function misused(temporal: Client): Promise<void> {
  const denied = await startOrJoin(temporal, denial, 0);
  // @ts-expect-error only one that has completed has a result
  denied.result satisfies unknown;
  if (denied.state === 'completed') {
    // @ts-expect-error a denial says whether it is repeated, by a truth value
    denied.result.repeated satisfies string;
  }

  // @ts-expect-error the signal carries an update of the order
  await signalWithStart(temporal, shipment, pharmacyUpdateSignal, []);
  // @ts-expect-error the update of the order is no text
  await signalWithStart(temporal, shipment, pharmacyUpdateSignal, ['shipped']);
  // @ts-expect-error the signal carries an update of the order
  await signal(temporal, 'shipment:id', { message: pharmacyUpdateSignal, args: [], withinMs: 1 });

  // @ts-expect-error whose patient is looked for has to be said
  await updateWithStart(temporal, patient, { update: findOrCreateUpdate, args: [], withinMs: 1 });
  // @ts-expect-error an admin is more than a name
  await updateWithStart(temporal, patient, { update: activateUpdate, args: ['kim'], withinMs: 1 });
  // @ts-expect-error an update is no signal
  await signalWithStart(temporal, patient, findOrCreateUpdate, [{ submissionId: 'id' }]);
}
