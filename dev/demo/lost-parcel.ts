import { Client, Connection } from '@temporalio/client';
import { callService } from '../../cli/call-service.js';
import { ask } from '../../cli/lists.js';
import { runLink } from '../../cli/system.js';
import { idPart, uuidV5 } from '../../platform/crypto/ids.js';
import { temporal } from '../../platform/temporal/proto.js';
import { replacementWorkflowId } from '../../workflows/ids.js';
import type { DevJson } from '../dev-json.js';
import { finding } from './judge.js';
import { sandbox, until } from './outside.js';
import type { RefillStory } from './refill-stories.js';

const { WorkflowExecutionStatus } = temporal.api.enums.v1;
const labelTakesMs = 4_000;
const edited = 'Your order was changed';

/**
 * A replacement whose run ends in the middle. A demo kills no process that a user started, so it terminates the run, and
 * the sweep for lost replacements resumes it as after a killed worker (D120). It takes over half a minute of real time.
 */
export const lostParcel: RefillStory = {
  title: 'A lost parcel is replaced once, though its run is lost in the middle',
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
    const answer = callService(dev, replacing);
    // Its failure shows once it is awaited.
    answer.catch(() => undefined);
    await until('the shipping service makes the label', () => isLabelDelayed(dev, reference));
    const terminated = await terminate(dev, workflowId);
    const { status } = await answer;
    stage.say('A coordinator replaces it. The pharmacy has the order, and the label is being made.');
    stage.say(
      'Now the run is terminated, as if it died with its worker. (A demo kills no process of yours.)',
    );
    await stage.expect(async () => [finding('answer to the coordinator', 503, status)]);

    const since = Date.now();
    await stage.mail(edited);
    const seconds = Math.round((Date.now() - since) / 1_000);
    stage.say(`The sweep for lost runs starts another one, which is done ${seconds} s later.`);
    await stage.expect(async () => {
      const { runId, isCompleted } = await withTemporal(dev, (client) => newestRun(client, workflowId));
      const found = `${runId === terminated ? 'the same run' : 'another run'}, ${isCompleted ? '' : 'not '}completed`;
      return [finding('newest run', 'another run, completed', found)];
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

/** @returns the id of the run that it ended */
const terminate = (dev: DevJson, workflowId: string): Promise<string> =>
  withTemporal(dev, async (client) => {
    const { runId } = await newestRun(client, workflowId);
    await client.workflow.getHandle(workflowId, runId).terminate('rx demo --refills');
    return runId;
  });

/** What Temporal says of the newest run, without its payloads, which need the keys of its service (D90). */
async function newestRun({ workflowService, options }: Client, workflowId: string) {
  const { namespace } = options;
  const execution = { workflowId };
  const { workflowExecutionInfo: info } = await workflowService.describeWorkflowExecution({
    namespace,
    execution,
  });
  return {
    runId: info?.execution?.runId ?? '',
    isCompleted: info?.status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
  };
}

async function withTemporal<T>(dev: DevJson, use: (client: Client) => Promise<T>): Promise<T> {
  const { address, namespace } = dev.temporal;
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection, namespace }));
  } finally {
    await connection.close();
  }
}
