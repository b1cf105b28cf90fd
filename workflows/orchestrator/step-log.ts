import { isCancellation, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { SearchAttributePair } from '@temporalio/common';
import type { FailureType } from '../../domain/failures.js';
import type { PipelineStep, PipelineWarning, WarningStep } from '../../domain/orchestrator/pipeline.js';
import { operatorCancelledText } from '../../domain/orchestrator/cancellation.js';
import { stepPhrase, stepTitle } from '../../domain/orchestrator/pipeline.js';
import type { RunOutcome } from '../../domain/search-attributes.js';
import { failureOf, whenItWaits } from '../proxies.js';
import { rxOutcome, rxState, rxStep, rxWarnings } from '../search-attributes.js';
import { currentStep } from '../stuck.js';

/** A blocking step that ended its run. */
export class StepFailure extends Error {
  override name = 'StepFailure';
  constructor(
    readonly step: PipelineStep,
    /** For the caller and the operator; names the step's cause, no payload (D35). */
    readonly reason: string,
    /** What goes with the cause. */
    readonly details: readonly unknown[] = [],
    /** None for a run that was cancelled. */
    readonly type?: FailureType,
  ) {
    super(reason);
  }
}

/**
 * The mechanics of a run's steps: which are done, which only warned and why, and what an operator sees of it. The
 * order of the steps is the workflow's own business.
 */
export class StepLog {
  readonly completed: PipelineStep[] = [];
  readonly warnings: PipelineWarning[] = [];
  private readonly warningLines: string[] = [];

  /**
   * @param attributes what a run is found by, as far as it is known: set when it ends, or waits, since each change of
   * them costs the server as much as a step; undefined for runs begun before that, which set them themselves
   */
  constructor(private readonly attributes?: () => SearchAttributePair[]) {}

  /** A step that must succeed; it is given the steps done before it. @throws StepFailure */
  async block<T>(
    step: PipelineStep,
    work: (title: string, completedSteps: PipelineStep[]) => Promise<T>,
  ): Promise<T> {
    try {
      const value = await this.run(step, work);
      this.completed.push(step);
      return value;
    } catch (error) {
      if (isCancellation(error)) throw new StepFailure(step, operatorCancelledText);
      const { type, message, details } = failureOf(error);
      throw new StepFailure(step, message, details, type);
    }
  }

  /** Counts steps as done that an earlier run has done. */
  resume(steps: readonly PipelineStep[]): void {
    this.completed.push(...steps);
  }

  /**
   * A step that is attempted and counts as done either way; its failure is a warning (page 1, invariants).
   * @returns the failure's type, where it failed
   */
  async attempt(
    step: WarningStep,
    work: (title: string, completedSteps: PipelineStep[]) => Promise<unknown>,
  ): Promise<FailureType | undefined> {
    let failed: FailureType | undefined;
    try {
      await this.run(step, work);
    } catch (error) {
      const { type, message } = failureOf(error);
      failed = type;
      this.warnings.push(`${step}_failed`);
      this.warningLines.push(`- WARNING, ${stepPhrase(step)}: ${message}`);
    }
    this.completed.push(step);
    return failed;
  }

  private run<T>(
    step: PipelineStep,
    work: (title: string, completedSteps: PipelineStep[]) => Promise<T>,
  ): Promise<T> {
    setCurrentDetails([`**Running**, ${stepPhrase(step)}.`, ...this.warningLines].join('\n\n'));
    return whenItWaits.run(
      () => this.waiting(step),
      () => currentStep.run(step, () => work(stepTitle(step), [...this.completed])),
    );
  }

  private waiting(step: PipelineStep): void {
    if (this.attributes) upsertSearchAttributes([{ key: rxStep, value: step }, ...this.attributes()]);
  }

  /** @param order what came of it in a line: which pharmacy, which state */
  succeeded(order: string): void {
    const warned = this.warnings.length > 0;
    upsertSearchAttributes([
      { key: rxStep, value: 'completed' },
      { key: rxOutcome, value: (warned ? 'WARN' : 'OK') satisfies RunOutcome },
      ...(warned ? [{ key: rxWarnings, value: [...this.warnings] }] : []),
      ...(this.attributes?.() ?? []),
    ]);
    const headline = warned ? '**Completed with warnings.**' : '**Completed**, all seven steps.';
    setCurrentDetails([headline, order, ...this.warningLines].join('\n\n'));
  }

  /**
   * @param state of the patient, once it is known
   * @param isOrderUnknown whether the order may exist all the same
   */
  failed({ step, reason }: StepFailure, state: string | undefined, isOrderUnknown: boolean): void {
    upsertSearchAttributes([
      { key: rxStep, value: step },
      ...(state === undefined ? [] : [{ key: rxState, value: state }]),
      { key: rxOutcome, value: 'FAILED' satisfies RunOutcome },
    ]);
    const next = isOrderUnknown
      ? 'Nothing was charged. The router finds out whether the order exists: if it does, a new run carries on from step 5.'
      : 'Nothing was charged. Mend the cause, then approve the task again.';
    setCurrentDetails(`**FAILED, ${stepPhrase(step)}:** ${reason}\n\n${next}`);
  }
}
