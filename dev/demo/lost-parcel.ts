import { Connection } from '@temporalio/client';
import { callService } from '../../cli/call-service.js';
import { ask } from '../../cli/lists.js';
import { runLink } from '../../cli/system.js';
import { idPart, uuidV5 } from '../../platform/crypto/ids.js';
import { temporal } from '../../platform/temporal/proto.js';
import { replacementWorkflowId } from '../../workflows/ids.js';
import { type DevJson, readDevJson } from '../dev-json.js';
import { identify, signalProcess } from '../process-identity.js';
import { finding } from './judge.js';
import { sandbox, until } from './outside.js';
import type { RefillStory } from './refill-stories.js';

const { WorkflowExecutionStatus } = temporal.api.enums.v1;
const labelTakesMs = 4_000;
const edited = 'Your order was changed';

/**
 * A replacement whose worker dies in the middle (D120). `npm start` starts the process again, and Temporal carries the
 * run on. In one process the APIs die with the workers, so no other story may run meanwhile.
 */
export const lostParcel: RefillStory = {
  title: 'A lost parcel is replaced once, though its worker is killed in the middle',
  // Orders of New York get a label of ours.
  state: 'NY',
  play: async (stage) => {
    const { dev } = stage;
    await stage.approve();
    await stage.atPharmacy('status', { status: 'shipped', trackingNumber: '1Z999AA10123456784' });
    await stage.mail('Your first order has shipped');
    stage.say('The pharmacy has shipped it, and the carrier loses the parcel.');

    const { taskId } = stage.of;
    const reference = `${taskId}~1`;
    const workflowId = replacementWorkflowId(idPart(reference));
    const body = JSON.stringify({ taskId, reason: 'lost', paidBy: 'carrier' });
    const replacing = {
      service: 'orchestrator',
      method: 'POST',
      path: '/orchestrator/replacements',
      body,
    } as const;
    await delayLabelOf(dev, reference);
    // The APIs may die with the workers, so there may be no answer.
    const answered = callService(dev, replacing).catch(() => undefined);
    await until('the shipping service makes the label', () => isLabelDelayed(dev, reference));
    stage.say('A coordinator replaces it. The pharmacy has the order, and the label is being made.');
    const { runId } = await findNewestRun(dev, workflowId);
    killWorkers();
    stage.say('Now the process of the workers is killed, and npm start starts it again.');
    await answered;

    const since = Date.now();
    await stage.mail(edited);
    const seconds = Math.round((Date.now() - since) / 1_000);
    stage.say(`A new worker resumes the run, and the patient is notified ${seconds} s later.`);
    await stage.expect(async () => {
      const newest = await findNewestRun(dev, workflowId);
      const found = `${newest.runId === runId ? 'the same run' : 'another run'}, ${newest.isCompleted ? '' : 'not '}completed`;
      return [finding('newest run', 'the same run, completed', found)];
    });
    const again = await ask<{ replacement: { reference: string } }>(replacing);
    await stage.expect(async () => [
      finding('the same request again', reference, again.replacement.reference),
    ]);
    await stage.expectBooks({
      // pharmacy_c receives its orders through pharmacy_a's system.
      orders: ['pharmacy_a for Sampleton NY', 'pharmacy_a for Sampleton NY'],
      labels: [1, 1],
      // The carrier pays for the second one.
      chargedCents: [29_900],
      told: ['Your prescription was approved', 'Your first order has shipped', edited],
    });
    stage.say(runLink(dev, workflowId));
  },
};

/** The orchestrator's order at the router, known before it exists (D21). */
const submissionIdOf = ({ apiKeys }: DevJson, reference: string): string =>
  uuidV5('submission', apiKeys['orchestrator']?.key ?? '', 'orchestrator', reference);

const delayLabelOf = (dev: DevJson, reference: string): Promise<unknown> => {
  const about = submissionIdOf(dev, reference);
  return sandbox(dev, '/faults', {
    target: 'shipping',
    kind: 'delay',
    delayMs: labelTakesMs,
    times: 1,
    about,
  });
};

/** True once the delay has met its call. */
async function isLabelDelayed(dev: DevJson, reference: string): Promise<true | null> {
  const { faults } = await sandbox<{ faults: { about?: string }[] }>(dev, '/faults');
  const submissionId = submissionIdOf(dev, reference);
  return faults.some(({ about }) => about === submissionId) ? null : true;
}

/** @throws Error if the system that was started is not running */
function killWorkers(): void {
  const workers = identify(readDevJson().pids.workers);
  if (!workers || !signalProcess(workers, 'SIGKILL'))
    throw new Error('The process of the workers is not running: run npm start first.');
}

/** Reads Temporal's description of the newest run, without its payloads, which need the keys of its service (D90). */
async function findNewestRun({ temporal: { address, namespace } }: DevJson, workflowId: string) {
  const connection = await Connection.connect({ address });
  try {
    const { workflowExecutionInfo: info } = await connection.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
    return {
      runId: info?.execution?.runId ?? '',
      isCompleted: info?.status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
    };
  } finally {
    await connection.close();
  }
}
