import { z } from 'zod';
import { listCancellations } from '../../db/orchestrator/cancellations.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { listReplacements } from '../../db/orchestrator/replacements.js';
import { listRunsOfTask } from '../../db/orchestrator/runs.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import { terminatedText } from '../../domain/orchestrator/cancellation.js';
import { ownTaskId } from '../../domain/clients.js';
import { failureTypes } from '../../domain/failures.js';
import { type PipelineResult, pipelineSteps } from '../../domain/orchestrator/pipeline.js';
import * as starts from '../../starts/orchestrator.js';
import type { App, ServiceContext } from '../context.js';
import { type ErrorCode, errorHeaders, isErrorCode } from '../error-codes.js';
import { allowedEvent } from '../plugins/access.js';
import { endOf, runFailed } from '../outcomes.js';
import { conflict, internal, issueErrors, notFound } from '../http-errors.js';
import * as contract from './contract.js';
import { createPreflight } from './preflight.js';
import { asKnown, keyOf } from './whose.js';
import { withProgress } from './progress.js';

const common = { tags: ['Approval'], security: [{ signature: [] }] };
const causes = [
  'unknown_medication',
  'patient_not_found',
  'patient_incomplete',
  'patient_inactive',
  'patient_deceased',
  'patient_merged',
  'no_pharmacy_route',
  'medication_not_at_pharmacy',
  'order_rejected',
  'order_unknown',
  'emr_unavailable',
  'cancelled',
  'terminated',
] as const;
/** Longer than notifying the patient can take. */
const denyWithinMs = 90_000;

/** Approves and denies tasks, lists their runs (page 1, Orchestrator), and checks an approval in advance (D106). */
export function approvalRoutes(signed: App, context: ServiceContext): void {
  const { ORCHESTRATOR_PUBLIC_URL: publicUrl, APPROVE_ANSWER_WITHIN_MS } =
    context.config.service('orchestrator');
  const preflight = createPreflight(context);

  signed.post(
    '/orchestrator/approve',
    {
      config: {
        access: { action: 'prescription.approve' },
        awaitsSignatureUse: true,
        errorCodes: { 500: causes },
      },
      schema: {
        ...common,
        summary: 'Approve a prescription and run all seven steps',
        description:
          'Responds when the run ends. Responds 202 at once for `Prefer: respond-async`, or after two minutes if the run takes longer; `statusUrl` has its end. Repeating a completed approval returns the recorded answer with `Idempotent-Replayed: true`. After a failure, correct what `Error-Code` says and approve the same task again: it never orders or charges twice.',
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
        taskId: await keyOf(context.sql, request, taskId),
        access: allowedEvent(request, taskId),
        signatureUse: request.signatureUse,
        onStart: () => (request.accessed.isHandedOn = true),
      };
      const outcome = await starts.approve(context, approval, isAsync ? 0 : APPROVE_ANSWER_WITHIN_MS);
      if (request.accessed.isHandedOn && recordsAccess(outcome)) request.accessed.isNoted = true;
      if (outcome.state === 'timed_out') {
        const statusUrl = `${publicUrl}/orchestrator/status/${encodeURIComponent(taskId)}`;
        return reply.code(202).send({ taskId, runId: outcome.runId, statusUrl });
      }
      const { result, replayed, code = 'internal' } = await ended(context, approval, outcome);
      if (replayed) void reply.header('idempotent-replayed', 'true');
      if (result.success) return reply.code(200).send({ success: true, result });
      const { error = 'Failed', failedStep = 'medication_config' } = result;
      return reply.code(500).headers(errorHeaders(500, code)).send({ error, failedStep, result });
    },
  );

  signed.post(
    '/orchestrator/preflight',
    {
      config: { access: { action: 'prescription.preflight' } },
      schema: {
        ...common,
        summary: 'Check an approval without approving',
        description:
          'Starts no run and changes nothing. A finding that blocks would fail the approval in steps 1 to 4; one that warns would not. Findings that depend on the patient’s state are missing if the state is unknown.',
        body: contract.approveRequest,
        response: { 200: contract.preflightAnswer, ...issueErrors(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      request.accessed.records = [request.body.taskId];
      const taskId = await keyOf(context.sql, request, request.body.taskId);
      return preflight({ ...request.body, taskId });
    },
  );

  signed.post(
    '/orchestrator/deny',
    {
      config: { access: { action: 'prescription.deny' } },
      schema: {
        ...common,
        summary: 'Deny a prescription and notify the patient if the request names one',
        description:
          'A denied task cannot be approved. Repeating a denial returns the recorded answer with `Idempotent-Replayed: true`. 409: the task was approved; cancel it instead.',
        body: contract.denyRequest,
        response: { 200: contract.denied, ...issueErrors(400, 401, 403, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      request.accessed.records = [request.body.taskId];
      const { repeated } = await deny(
        context,
        { ...request.body, taskId: await keyOf(context.sql, request, request.body.taskId) },
        request.apiKey.id,
      );
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
        summary: 'List all runs of a task, newest first, including a running one',
        description:
          'Look here after a 202. A run ends `completed`, `failed` with `failedStep`, or `denied`. The fate of the order is in `GET /orchestrator/events`. 404: the task never began; approve it.',
        params: z.object({ taskId: z.string() }),
        response: { 200: contract.status, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async (request) => {
      const { taskId } = request.params;
      const runs = await withProgress(
        context.temporal,
        await listRunsOfTask(context.sql, await keyOf(context.sql, request, taskId)),
      );
      if (runs.length === 0) throw notFound('No runs found for this task');
      request.accessed.records = [taskId];
      const ids = runs.map(({ id }) => id);
      const [cancellations, replacements] = await Promise.all([
        listCancellations(context.sql, ids),
        listReplacements(context.sql, ids),
      ]);
      return {
        taskId,
        runs: runs.map((run) => ({
          ...run,
          taskId,
          cancellation: cancellations.get(run.id) ?? null,
          replacements: (replacements.get(run.id) ?? []).map(asKnown),
        })),
      };
    },
  );
}

/** The workflow records the access event together with its run (D88). */
const recordsAccess = (outcome: starts.ApprovalOutcome): boolean =>
  outcome.state === 'completed' ||
  outcome.state === 'timed_out' ||
  (outcome.state === 'failed' && outcome.failure.type === failureTypes.stepFailed);

/** @throws HttpError 409 if the task has an approval with other details, or a denial */
async function ended(
  context: ServiceContext,
  request: contract.ApproveRequest,
  outcome: Exclude<starts.ApprovalOutcome, { state: 'timed_out' }>,
): Promise<{ result: PipelineResult; replayed: boolean; code?: ErrorCode }> {
  switch (outcome.state) {
    case 'held':
      throw conflict(outcome.why);
    case 'completed':
      return outcome;
    case 'terminated':
      return {
        result: await terminated(context, request, outcome.runId),
        replayed: false,
        code: 'terminated',
      };
    case 'failed': {
      const { type, message, details } = outcome.failure;
      if (type === failureTypes.taskConflict) throw conflict(message);
      if (type !== failureTypes.stepFailed || !details[0]) throw runFailed(outcome.failure);
      const [result, code] = details;
      return {
        result: result as PipelineResult,
        replayed: false,
        code: isErrorCode(code) ? code : 'internal',
      };
    }
  }
}

/** The result of a run that an operator terminated, with its completed steps (D33). */
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

/**
 * Denies a task; a repeat joins the running denial or returns its recorded answer (D32).
 * @throws HttpError 409 if an approval holds the task, 503 if the outcome is not known in time
 */
async function deny(
  { sql, temporal }: ServiceContext,
  { taskId, reason, emrPatientId }: contract.DenyRequest,
  requestedBy: string,
): Promise<{ repeated: boolean }> {
  const task = await findTask(sql, taskId);
  if (task?.state === 'denied') return { repeated: true };
  const denial = {
    taskId,
    requestedBy,
    ...(reason === undefined ? {} : { reason }),
    ...(emrPatientId === undefined ? {} : { emrPatientId }),
  };
  const outcome = await starts.deny(temporal, denial, denyWithinMs);
  const end = endOf(outcome, { what: 'denial', ids: { taskId: ownTaskId(taskId) } });
  if (end.state === 'completed') return end.result;
  const { type, message } = end.failure;
  throw type === failureTypes.taskConflict ? conflict(message) : runFailed(end.failure);
}
