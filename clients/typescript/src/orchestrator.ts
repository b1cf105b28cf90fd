import { type CallOptions, type ClientOptions, ServiceClient, sleep } from './client.js';
import type { components } from './pages/orchestrator.js';

export type ApproveRequest = components['schemas']['ApproveRequest'];
export type PipelineResult = components['schemas']['PipelineResult'];
export type Run = components['schemas']['OrchestrationRun'];

/** A prescription was approved and could not be carried through; `result` says how far it came, and why. */
export class ApprovalFailed extends Error {
  override name = 'ApprovalFailed';
  constructor(
    readonly taskId: string,
    readonly result: PipelineResult,
  ) {
    super(
      `${taskId} stopped at ${result.failedStep ?? 'an unknown step'}: ${result.error ?? 'no reason given'}`,
    );
  }
}

const firstLookMs = 500;
const longestPauseMs = 5_000;

/** Approvals, and what became of them. */
export class Orchestrator extends ServiceClient<'orchestrator'> {
  constructor(options: ClientOptions) {
    super('orchestrator', options);
  }

  /**
   * Approves a prescription and waits until it is carried through. Approving a task again gives its recorded result, so
   * a call whose answer was lost is made again as it was.
   * @throws ApprovalFailed where it stopped on the way
   * @throws Refusal, with 409 where the task was approved with other details or denied
   */
  async approve(request: ApproveRequest, options: CallOptions = {}): Promise<PipelineResult> {
    const answer = await this.send('POST', '/orchestrator/approve', JSON.stringify(request), options);
    if (answer.status === 200) return (answer.body as { result: PipelineResult }).result;
    if (answer.status === 202) return this.waitForResult(request.taskId, options);
    const failed = (answer.body as { result?: PipelineResult } | null)?.result;
    if (failed) throw new ApprovalFailed(request.taskId, failed);
    throw this.refusalOf(answer);
  }

  /**
   * Waits until the newest run of a task has ended: for approvals that were answered 202, with `Prefer: respond-async` or
   * because they took long. End it with `options.signal`.
   * @throws ApprovalFailed where the run failed or was denied
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

/** Of a run that has left no result, because it was denied or ended from outside. */
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
