import { approvalWorkflowId } from '../workflows/ids.js';
import type { System } from './system.js';

/** Where a person reads a run in Temporal's Web UI. */
export const runLink = ({ temporal }: System, workflowId: string): string =>
  `${temporal.ui}/namespaces/${temporal.namespace}/workflows/${workflowId}`;

export const approvalLink = (system: System, taskId: string): string =>
  runLink(system, approvalWorkflowId(taskId));

/** All runs of a task in the Web UI, refills included. */
export const taskLink = ({ temporal }: System, taskId: string): string =>
  `${temporal.ui}/namespaces/${temporal.namespace}/workflows?query=${encodeURIComponent(`RxTask="${taskId}"`)}`;
