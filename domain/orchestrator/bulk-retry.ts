import type { CalendarDay } from '../calendar.js';
import type { PipelineStep } from './pipeline.js';

/** Decides which failed refills may be sent now, as in the refill check (D41). */
export interface RefillRules {
  today: CalendarDay;
  /** `REFILLS_WHEN_UNPAID` (D118). */
  whenUnpaid: 'send' | 'hold';
}

/** Selects the failed runs that a bulk retry starts again (D112). */
export interface BulkRetrySelection extends RefillRules {
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
