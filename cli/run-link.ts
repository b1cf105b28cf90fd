import { approvalWorkflowId } from '../workflows/ids.js';
import type { DevJson } from '../dev/dev-json.js';

/** Where a person reads a run in Temporal's Web UI. */
export const runLink = ({ temporal }: DevJson, workflowId: string): string =>
  `${temporal.ui}/namespaces/${temporal.namespace}/workflows/${workflowId}`;

export const approvalLink = (dev: DevJson, taskId: string): string =>
  runLink(dev, approvalWorkflowId(taskId));

/** All runs of a task in the Web UI, refills included. */
export const taskLink = ({ temporal }: DevJson, taskId: string): string =>
  `${temporal.ui}/namespaces/${temporal.namespace}/workflows?query=${encodeURIComponent(`RxTask="${taskId}"`)}`;
