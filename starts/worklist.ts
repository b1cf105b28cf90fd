import type { Client } from '@temporalio/client';
import type { GivenAnswer } from '../domain/work-items.js';
import { jsonHash } from '../platform/crypto/ids.js';
import { answerWorkItemWorkflowId } from '../workflows/ids.js';
import { isRunning, startOrJoin } from './runs.js';

/** Sends a person's answer to the service of the work item. A repeat by the same person joins, another answer conflicts (D109). */
export const answerWorkItem = (temporal: Client, given: GivenAnswer, withinMs: number) =>
  startOrJoin(
    temporal,
    {
      workflow: 'answerWorkItem',
      id: answerWorkItemWorkflowId(given.itemId),
      queue: 'worklist',
      args: [given],
      purpose: jsonHash([given.answer, given.by, given.note, given.data]),
      summary: `Answer «${given.answer}» to ${given.source}`,
      details: `**Work item** ${given.itemId}`,
    },
    withinMs,
  );

/** True while a run carries out the answer to a work item. */
export const isAnswering = (temporal: Client, itemId: string): Promise<boolean> =>
  isRunning(temporal, answerWorkItemWorkflowId(itemId));
