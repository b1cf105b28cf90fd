import { type CallOptions, type ClientOptions, ServiceClient, sleep } from './client.js';
import type { components } from './pages/orchestrator.js';

export type ApproveRequest = components['schemas']['ApproveRequest'];
export type PipelineResult = components['schemas']['PipelineResult'];
export type Run = components['schemas']['OrchestrationRun'];

/** A prescription was approved but its run failed; `result` has the failed step and the reason. */
export class ApprovalFailed extends Error {
  override name = 'ApprovalFailed';
  constructor(
    readonly taskId: string,
    readonly result: PipelineResult,
    /** The code of the cause (`docs/errors.md`), if the approval itself answered. */
    readonly code?: string,
    /** A later repeat of the same approval can succeed. */
    readonly retryable = false,
  ) {
    super(
      `${taskId} stopped at ${result.failedStep ?? 'an unknown step'}: ${result.error ?? 'no reason given'}`,
    );
  }
}

const firstLookMs = 500;
const longestPauseMs = 5_000;

/** Approves prescriptions and follows their runs. */
export class Orchestrator extends ServiceClient<'orchestrator'> {
  constructor(options: ClientOptions) {
    super('orchestrator', options);
  }

  /**
   * Approves a prescription and waits for its completion. A repeated approval of a task returns the recorded result,
   * so repeat a call without an answer.
   * @throws ApprovalFailed if a step failed
   * @throws Refusal, with 409 if the task was approved with other details or denied
   */
  async approve(request: ApproveRequest, options: CallOptions = {}): Promise<PipelineResult> {
    const answer = await this.send('POST', '/orchestrator/approve', JSON.stringify(request), options);
    if (answer.status === 200) return (answer.body as { result: PipelineResult }).result;
    if (answer.status === 202) return this.waitForResult(request.taskId, options);
    const failed = (answer.body as { result?: PipelineResult } | null)?.result;
    if (failed) throw new ApprovalFailed(request.taskId, failed, answer.code, answer.retryable);
    throw this.refusalOf(answer);
  }

  /**
   * Waits until the newest run of a task ends, after a 202. `options.signal` stops the wait.
   * @throws ApprovalFailed if the run failed or was denied
   */
  async waitForResult(taskId: string, options: CallOptions = {}): Promise<PipelineResult> {
    for (let pause = firstLookMs; ; pause = Math.min(longestPauseMs, pause * 1.5)) {
      const { body } = await this.call('GET', '/orchestrator/status/{taskId}', { path: { taskId } }, options);
      const [newest] = body.runs;
      if (newest?.status === 'completed' && newest.result) return newest.result;
      if (newest && newest.status !== 'pending') throw new ApprovalFailed(taskId, resultOf(newest));
      await sleep(pause, options.signal);
    }
  }
}

/** The result of a run that was denied or terminated. */
const resultOf = ({ result, error, medication, status }: Run): PipelineResult =>
  result ?? {
    success: false,
    completedSteps: [],
    error: error ?? `The task was ${status}`,
    warnings: [],
    medication,
    patientName: '',
    state: '',
  };
