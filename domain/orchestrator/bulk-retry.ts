import type { PipelineStep } from './pipeline.js';

/** Which failed runs are tried again (D112): those that failed at this step, in this time. */
export interface BulkRetrySelection {
  step: PipelineStep;
  from: Date;
  to: Date;
  /** A part of the text of what failed. */
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
