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
    /** For callers and operators; without payload (D35). */
    readonly reason: string,
    readonly details: readonly unknown[] = [],
    /** undefined for a cancelled run */
    readonly type?: FailureType,
  ) {
    super(reason);
  }
}

type Work<T> = (title: string) => Promise<T>;

/** Keeps the completed steps and warnings of a run, and shows them to operators. */
export class StepLog {
  readonly completed: PipelineStep[] = [];
  readonly warnings: PipelineWarning[] = [];
  private readonly warningLines: string[] = [];

  /** @param attributes set only when the run waits or ends, since each upsert costs the server as much as a step */
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

  /** Counts the steps of an earlier run as done. */
  resume(steps: readonly PipelineStep[]): void {
    this.completed.push(...steps);
  }

  /** A step whose failure is a warning (page 1, invariants). @returns the type of its failure, if any */
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

  /** @param order one line about the order */
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

  /** @param isOrderUnknown the order may exist */
  failed({ step, reason }: StepFailure, state: string | undefined, isOrderUnknown: boolean): void {
    upsertSearchAttributes([
      { key: rxStep, value: step },
      ...(state === undefined ? [] : [{ key: rxState, value: state }]),
      { key: rxOutcome, value: 'FAILED' satisfies RunOutcome },
    ]);
    const next = isOrderUnknown
      ? 'Nothing was charged. The router checks if the order exists; if it does, a new run resumes at step 5.'
      : 'Nothing was charged. Fix the cause, then approve the task again.';
    setCurrentDetails(`**FAILED, ${stepPhrase(step)}:** ${reason}\n\n${next}`);
  }
}
