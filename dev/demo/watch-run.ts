import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type PipelineStep, pipelineSteps, stepTitle } from '../../domain/orchestrator/pipeline.js';
import type { DevJson } from '../dev-json.js';
import { callService, pretty } from '../../cli/call-service.js';

const run = z.object({
  status: z.enum(['pending', 'completed', 'failed', 'denied']),
  completedSteps: z.array(z.enum(pipelineSteps)),
  failedStep: z.string().nullable(),
  error: z.string().nullable(),
  warnings: z.array(z.string()),
  result: z.object({ submissionId: z.string().optional() }).nullish(),
});
export type FinishedRun = z.infer<typeof run>;

const pollMs = 100;
/** The API waits as long (D34). */
const giveUpMs = 120_000;

/**
 * Starts an approval without waiting for it and follows its run.
 * @param onStep called once for each completed step
 * @throws Error if the orchestrator rejects the approval or the run does not end in time
 */
export async function watchRun(
  dev: DevJson,
  approval: { taskId: string; medication: string; emrPatientId: string },
  onStep: (step: PipelineStep) => void,
): Promise<FinishedRun> {
  const started = await callService(dev, {
    service: 'orchestrator',
    method: 'POST',
    path: '/orchestrator/approve',
    body: JSON.stringify(approval),
    headers: { prefer: 'respond-async' },
  });
  if (started.status !== 202)
    throw new Error(`The approval was answered ${started.status}: ${pretty(started.body)}`);

  const seen = new Set<PipelineStep>();
  const deadline = Date.now() + giveUpMs;
  while (Date.now() < deadline) {
    const current = await newestRun(dev, approval.taskId);
    for (const step of current?.completedSteps ?? []) {
      if (seen.has(step)) continue;
      seen.add(step);
      onStep(step);
    }
    if (current && current.status !== 'pending') return current;
    await sleep(pollMs);
  }
  throw new Error(
    `The run did not end within ${giveUpMs / 1000} s after ${[...seen].map(stepTitle).join(', ')}`,
  );
}

/** undefined until the run has a row. */
async function newestRun(dev: DevJson, taskId: string): Promise<FinishedRun | undefined> {
  const path = `/orchestrator/status/${encodeURIComponent(taskId)}`;
  const answer = await callService(dev, { service: 'orchestrator', method: 'GET', path });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200)
    throw new Error(`The status was answered ${answer.status}: ${pretty(answer.body)}`);
  return z.object({ runs: z.array(run) }).parse(answer.body).runs[0];
}
