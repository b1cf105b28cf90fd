import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Plan } from '../../db/orchestrator/plans.js';
import { fillsSent } from '../../domain/orchestrator/plans.js';

/** A plan as the API shows it (D125). */
export function presentedPlan(plan: Plan) {
  const { id, planRef, emrPatientId, treatment, state, phases, phase, fill } = plan;
  const isEnded = state === 'completed' || state === 'stopped';
  return {
    ...{ id, planRef, emrPatientId, treatment, state, phases: [...phases], phase },
    fill: isEnded ? null : fill,
    fillsSent: fillsSent(phases),
    nextFillDate: plan.nextFillDate,
    waitingFor: isEnded ? [] : plan.waiting.map((entry) => ({ ...entry })),
    prescribedUntil: plan.prescribedUntil,
    stoppedBecause: plan.stoppedBecause,
    createdAt: plan.createdAt,
    updatedAt: plan.updatedAt,
  };
}

/** The text of a member of a JSON object, byte for byte. */
export function memberText(body: Buffer, name: string): string {
  const text = body.toString('utf8');
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, [name]);
  return node ? text.slice(node.offset, node.offset + node.length) : '';
}
