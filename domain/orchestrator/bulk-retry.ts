import type { PipelineStep } from './pipeline.js';

/** Selects the failed runs that a bulk retry starts again (D112). */
export interface BulkRetrySelection {
  step: PipelineStep;
  from: Date;
  to: Date;
  error?: string | undefined;
}

export interface BulkRetryProgress {
  state: 'running' | 'completed' | 'cancelled';
  selected: number;
  done: number;
  succeeded: number;
  failed: number;
  skipped: number;
}

export type RetriedOutcome = 'succeeded' | 'failed' | 'skipped';
