import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { listRunsOfTask } from '../../db/orchestrator/runs.js';
import { terminatedText } from '../../db/orchestrator/tasks.js';
import type { Sql } from '../../db/client.js';
import { failureTypes } from '../../domain/failures.js';
import { staticMedication } from '../../domain/orchestrator/medications.js';
import { type PipelineResult, pipelineSteps } from '../../domain/orchestrator/pipeline.js';
import * as starts from '../../starts/orchestrator.js';
import type { ServiceContext } from '../context.js';
import { runFailed } from '../outcomes.js';
import { conflict } from '../refusals.js';
import type { ApproveRequest } from './contract.js';

export type ApprovalAnswer =
  { kind: 'finished'; result: PipelineResult; replayed: boolean } | { kind: 'accepted'; runId: string };

/**
 * Approves a task and says what came of it.
 * @param waitMs a run unfinished after this is answered with where to ask for it (D34); 0 answers at once
 * @throws Refused 409 when the task is held with other details, or is being denied
 */
export async function approve(
  context: ServiceContext,
  request: ApproveRequest,
  waitMs: number,
): Promise<ApprovalAnswer> {
  const outcome = await starts.approve(context, request, waitMs);
  switch (outcome.state) {
    case 'held':
      throw conflict(outcome.why);
    case 'late':
      return { kind: 'accepted', runId: outcome.runId };
    case 'completed':
      return { kind: 'finished', result: outcome.result, replayed: outcome.replayed };
    case 'terminated':
      return {
        kind: 'finished',
        result: await terminated(context.sql, request, outcome.runId),
        replayed: false,
      };
    case 'failed': {
      const { type, message, details } = outcome.failure;
      if (type === failureTypes.taskConflict) throw conflict(message);
      if (type !== failureTypes.stepFailed || !details[0]) throw runFailed(outcome.failure);
      return { kind: 'finished', result: details[0] as PipelineResult, replayed: false };
    }
  }
}

/** What is known of a run that an operator ended from outside: how far its record says it came (D33). */
async function terminated(
  sql: Sql,
  { taskId, medication }: ApproveRequest,
  runId: string,
): Promise<PipelineResult> {
  const runs = await listRunsOfTask(sql, taskId);
  const completedSteps = runs.find(({ id }) => id === runId)?.completedSteps ?? [];
  const config = (await findMedicationConfig(sql, medication)) ?? staticMedication(medication);
  return {
    success: false,
    completedSteps,
    failedStep: pipelineSteps.find((step) => !completedSteps.includes(step)) ?? 'notification',
    error: terminatedText,
    warnings: [],
    medication: config?.displayName ?? medication,
    patientName: '',
    state: '',
  };
}
