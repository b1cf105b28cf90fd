import { isCancellation, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { SearchAttributePair } from '@temporalio/common';
import type { FailureType } from '../../domain/failures.js';
import type { PipelineStep, PipelineWarning, WarningStep } from '../../domain/orchestrator/pipeline.js';
import { operatorCancelledText } from '../../domain/orchestrator/cancellation.js';
import { stepPhrase, stepTitle } from '../../domain/orchestrator/pipeline.js';
import type { RunOutcome } from '../../domain/search-attributes.js';
import { failureOf } from '../proxies.js';
import { rxOutcome, rxState, rxStep, rxWarnings } from '../search-attributes.js';
import { inStep } from '../stuck.js';

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

/** What a step does, given its title. */
type Work<T> = (title: string) => Promise<T>;

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
   * them costs the server as much as a step
   */
  constructor(private readonly attributes: () => SearchAttributePair[]) {}

  /** A step that must succeed. @throws StepFailure */
  block<T>(step: PipelineStep, work: Work<T>): Promise<T> {
    return this.run(step, work).then(
      (value) => {
        this.completed.push(step);
        return value;
      },
      (error: unknown) => {
        if (isCancellation(error)) throw new StepFailure(step, operatorCancelledText);
        const { type, message, details } = failureOf(error);
        throw new StepFailure(step, message, details, type);
      },
    );
  }

  /** Counts steps as done that an earlier run has done. */
  resume(steps: readonly PipelineStep[]): void {
    this.completed.push(...steps);
  }

  /**
   * A step that is attempted and counts as done either way; its failure is a warning (page 1, invariants).
   * @returns the failure's type, where it failed
   */
  attempt(step: WarningStep, work: Work<unknown>): Promise<FailureType | undefined> {
    return this.run(step, work).then(
      () => {
        this.completed.push(step);
        return undefined;
      },
      (error: unknown) => {
        const { type, message } = failureOf(error);
        this.completed.push(step);
        this.warnings.push(`${step}_failed`);
        this.warningLines.push(`- WARNING, ${stepPhrase(step)}: ${message}`);
        return type;
      },
    );
  }

  private run<T>(step: PipelineStep, work: Work<T>): Promise<T> {
    setCurrentDetails([`**Running**, ${stepPhrase(step)}.`, ...this.warningLines].join('\n\n'));
    const waits = () => this.waiting(step);
    return inStep({ name: step, waits }, () => work(stepTitle(step)));
  }

  private waiting(step: PipelineStep): void {
    upsertSearchAttributes([{ key: rxStep, value: step }, ...this.attributes()]);
  }

  /** @param order what came of it in a line: which pharmacy, which state */
  succeeded(order: string): void {
    const warned = this.warnings.length > 0;
    upsertSearchAttributes([
      { key: rxStep, value: 'completed' },
      { key: rxOutcome, value: (warned ? 'WARN' : 'OK') satisfies RunOutcome },
      ...(warned ? [{ key: rxWarnings, value: [...this.warnings] }] : []),
      ...this.attributes(),
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
