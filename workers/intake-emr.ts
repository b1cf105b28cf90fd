import type { WorkerContext } from './context.js';

/** What the intakeEmr queue runs: finding or making patients in the EMR. */
export const intakeEmrActivities = (_context: WorkerContext): object => ({});
