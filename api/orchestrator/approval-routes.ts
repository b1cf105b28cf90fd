import { z } from 'zod';
import { listCancellations } from '../../db/orchestrator/cancellations.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { listRunsOfTask } from '../../db/orchestrator/runs.js';
import { terminatedText } from '../../domain/orchestrator/cancellation.js';
import { failureTypes } from '../../domain/failures.js';
import { type PipelineResult, pipelineSteps } from '../../domain/orchestrator/pipeline.js';
import { type ApprovalOutcome, approve } from '../../starts/orchestrator.js';
import type { App, ServiceContext } from '../context.js';
import { allowedEvent } from '../plugins/access.js';
import { runFailed } from '../outcomes.js';
import { conflict, internal, issueErrors, notFound } from '../http-errors.js';
import * as contract from './contract.js';
import { deny } from './deny.js';
import { createPreflight } from './preflight.js';
import { withProgress } from './progress.js';

const common = { tags: ['Approval'], security: [{ signature: [] }] };

/** Approve, deny, and the runs of a task (page 1, Orchestrator), and what an approval would meet (D106). */
export function approvalRoutes(signed: App, context: ServiceContext): void {
  const { ORCHESTRATOR_PUBLIC_URL: publicUrl, APPROVE_ANSWER_WITHIN_MS } =
    context.config.service('orchestrator');
  const preflight = createPreflight(context);

  signed.post(
    '/orchestrator/approve',
    {
      config: { access: { action: 'prescription.approve' } },
      schema: {
        ...common,
        summary: 'Approve a prescription and carry it through all seven steps',
        description:
          'Answers when the run has ended. `Prefer: respond-async` answers 202 at once, as does a run that takes longer than two minutes. Repeating a completed approval gives its recorded answer with `Idempotent-Replayed: true`.',
        headers: contract.approveHeaders,
        body: contract.approveRequest,
        response: {
          200: contract.approved,
          202: contract.accepted,
          ...issueErrors(400, 401, 403, 409, 413, 415, 429, 503),
          500: z.union([contract.approvalFailed, internal]),
        },
      },
    },
    async (request, reply) => {
      const { taskId } = request.body;
      const { prefer } = request.headers;
      const isAsync = /(?:^|[,\s])respond-async(?:$|[,;\s])/i.test(prefer ?? '');
      request.accessed.records = [taskId];
      const approval = {
        ...request.body,
        access: allowedEvent(request, taskId),
        onStart: () => (request.accessed.isHandedOn = true),
      };
      const outcome = await approve(context, approval, isAsync ? 0 : APPROVE_ANSWER_WITHIN_MS);
      if (request.accessed.isHandedOn && holdsTask(outcome)) request.accessed.isNoted = true;
      if (outcome.state === 'timed_out') {
        const statusUrl = `${publicUrl}/orchestrator/status/${encodeURIComponent(taskId)}`;
        return reply.code(202).send({ taskId, runId: outcome.runId, statusUrl });
      }
      const { result, replayed } = await ended(context, request.body, outcome);
      if (replayed) void reply.header('idempotent-replayed', 'true');
      if (result.success) return reply.code(200).send({ success: true, result });
      const { error = 'Failed', failedStep = 'medication_config' } = result;
      return reply.code(500).send({ error, failedStep, result });
    },
  );

  signed.post(
    '/orchestrator/preflight',
    {
      config: { access: { action: 'prescription.preflight' } },
      schema: {
        ...common,
        summary: 'What an approval would meet, without approving',
        description:
          'Starts no run and changes nothing. What blocks would end the approval in one of steps 1 to 4; what warns would not. Findings that need the patient’s state are left out where it is not known.',
        body: contract.approveRequest,
        response: { 200: contract.preflightAnswer, ...issueErrors(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      request.accessed.records = [request.body.taskId];
      return preflight(request.body);
    },
  );

  signed.post(
    '/orchestrator/deny',
    {
      config: { access: { action: 'prescription.deny' } },
      schema: {
        ...common,
        summary: 'Deny a prescription and tell the patient if one is named',
        body: contract.denyRequest,
        response: { 200: contract.denied, ...issueErrors(400, 401, 403, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      request.accessed.records = [request.body.taskId];
      const { repeated } = await deny(context, request.body, request.apiKey.id);
      if (repeated) void reply.header('idempotent-replayed', 'true');
      return reply.send({ success: true, taskId: request.body.taskId, denied: true });
    },
  );

  signed.get(
    '/orchestrator/status/:taskId',
    {
      config: { access: { action: 'run.read' }, failsWithoutPostgres: true },
      schema: {
        ...common,
        summary: 'All runs of a task, newest first, also while one is under way',
        params: z.object({ taskId: z.string() }),
        response: { 200: contract.status, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async (request) => {
      const { taskId } = request.params;
      const runs = await withProgress(context.temporal, await listRunsOfTask(context.sql, taskId));
      if (runs.length === 0) throw notFound('No runs found for this task');
      request.accessed.records = [taskId];
      const cancellations = await listCancellations(
        context.sql,
        runs.map(({ id }) => id),
      );
      return {
        taskId,
        runs: runs.map((run) => ({ ...run, cancellation: cancellations.get(run.id) ?? null })),
      };
    },
  );
}

/** Whether a run has opened its record, or will, and with it notes who asked (D88). */
const holdsTask = (outcome: ApprovalOutcome): boolean =>
  outcome.state === 'completed' ||
  outcome.state === 'timed_out' ||
  (outcome.state === 'failed' && outcome.failure.type === failureTypes.stepFailed);

interface Finished {
  result: PipelineResult;
  replayed: boolean;
}

/**
 * What came of a run that has ended.
 * @throws Refused 409 when the task is held with other details, or is being denied
 */
async function ended(
  context: ServiceContext,
  request: contract.ApproveRequest,
  outcome: Exclude<ApprovalOutcome, { state: 'timed_out' }>,
): Promise<Finished> {
  switch (outcome.state) {
    case 'held':
      throw conflict(outcome.why);
    case 'completed':
      return outcome;
    case 'terminated':
      return { result: await terminated(context, request, outcome.runId), replayed: false };
    case 'failed': {
      const { type, message, details } = outcome.failure;
      if (type === failureTypes.taskConflict) throw conflict(message);
      if (type !== failureTypes.stepFailed || !details[0]) throw runFailed(outcome.failure);
      return { result: details[0] as PipelineResult, replayed: false };
    }
  }
}

/** What is known of a run that an operator terminated: how far it came (D33). */
async function terminated(
  { sql, temporal }: ServiceContext,
  { taskId, medication }: contract.ApproveRequest,
  runId: string,
): Promise<PipelineResult> {
  const runs = await withProgress(temporal, await listRunsOfTask(sql, taskId));
  const { completedSteps = [] } = runs.find(({ id }) => id === runId) ?? {};
  const config = await findMedicationConfig(sql, medication);
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
