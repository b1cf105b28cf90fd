import { z } from 'zod';
import { listRunsOfTask } from '../../db/orchestrator/runs.js';
import type { ServiceRoutes } from '../context.js';
import { notFound } from '../http-error.js';
import { registerSigned } from '../plugins/signed.js';
import { approve } from './approve.js';
import * as contract from './contract.js';

const security = [{ signature: [] }];

/** Page 1, Orchestrator. */
export const orchestratorRoutes: ServiceRoutes = async (app, context) => {
  const own = context.config.service('orchestrator');
  const options = { scope: 'orchestrator' as const, encryptionKeys: own.SECRET_ENCRYPTION_KEYS };
  const statusUrl = (taskId: string) =>
    `${own.ORCHESTRATOR_PUBLIC_URL}/orchestrator/status/${encodeURIComponent(taskId)}`;

  await registerSigned(app, context, options, (signed) => {
    signed.post(
      '/orchestrator/approve',
      {
        schema: {
          tags: ['Approval'],
          summary: 'Approve a prescription and carry it through all seven steps',
          description:
            'Answers when the run has ended. `Prefer: respond-async` answers 202 at once, as does a run that takes longer than two minutes. Repeating a completed approval gives its recorded answer with `Idempotent-Replayed: true`.',
          security,
          body: contract.approveRequest,
          response: {
            200: contract.approved,
            202: contract.accepted,
            400: contract.invalid,
            401: contract.refusal,
            403: contract.refusal,
            409: contract.refusal,
            500: z.union([contract.approvalFailed, contract.internal]),
          },
        },
      },
      async (request, reply) => {
        const { taskId } = request.body;
        const wait = !/(?:^|[,\s])respond-async(?:$|[,;\s])/i.test(String(request.headers['prefer'] ?? ''));
        const answer = await approve(context, request.body, wait);
        if (answer.kind === 'accepted')
          return reply.code(202).send({ taskId, runId: answer.runId, statusUrl: statusUrl(taskId) });
        const { result, replayed } = answer;
        if (replayed) void reply.header('idempotent-replayed', 'true');
        if (result.success) return reply.code(200).send({ success: true, result });
        const { error = 'Failed', failedStep = 'medication_config' } = result;
        return reply.code(500).send({ error, failedStep, result });
      },
    );

    signed.get(
      '/orchestrator/status/:taskId',
      {
        schema: {
          tags: ['Approval'],
          summary: 'All runs of a task, newest first, also while one is under way',
          security,
          params: z.object({ taskId: z.string() }),
          response: {
            200: contract.status,
            401: contract.refusal,
            403: contract.refusal,
            404: contract.refusal,
          },
        },
      },
      async (request) => {
        const { taskId } = request.params;
        const runs = await listRunsOfTask(context.sql, taskId);
        if (runs.length === 0) throw notFound('No runs found for this task');
        return { taskId, runs };
      },
    );
  });
};
