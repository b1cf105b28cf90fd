import { approvalWorkflowId } from '../../workflows/ids.js';
import type { DevJson } from '../dev-json.js';

/** Where a person reads the run of an approval in Temporal's Web UI. */
export const approvalLink = ({ temporal }: DevJson, taskId: string): string =>
  `${temporal.ui}/namespaces/${temporal.namespace}/workflows/${approvalWorkflowId(taskId)}`;

/** All runs of a task in the Web UI, refills included. */
export const taskLink = ({ temporal }: DevJson, taskId: string): string =>
  `${temporal.ui}/namespaces/${temporal.namespace}/workflows?query=${encodeURIComponent(`RxTask="${taskId}"`)}`;
