import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { defaultStateDir } from '../../../dev/dev-json.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { keyRing } from '../../../platform/config-values.js';
import { encryptedDataConverter } from '../../../platform/temporal/codec.js';
import { temporal } from '../../../platform/temporal/proto.js';
import { workflowBundle } from '../../../workers/bundle.js';
import { createWorker } from '../../../workers/create-worker.js';
import { taskQueues } from '../../../workflows/queues.js';
import { eventually, shared } from '../../helpers/client.js';

const { VersioningBehavior } = temporal.api.enums.v1;
/** One that nothing is routed to but what is told so. */
const version = { deploymentName: `test-${randomUUID()}`, buildId: '0.0.1' };
const codecKeys = { own: keyRing.parse(loadSecrets(defaultStateDir()).orchestratorCodecKeys) };
let client: Client;
let native: NativeConnection;
let worker: Worker;
let running: Promise<void>;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } });
  const { address, namespace } = shared().temporal;
  native = await NativeConnection.connect({ address });
  const dataConverter = encryptedDataConverter(codecKeys, 'client');
  client = new Client({ connection: native, namespace, dataConverter });
  const activities = { listDueSchedules: async () => 0, announceRefills: async () => false };
  worker = await createWorker({
    queue: 'orchestrator',
    activities,
    stuck: {},
    connection: native,
    namespace,
    bundlePath: await workflowBundle(),
    codecKeys,
    activitySlots: 1,
    version,
  });
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await native.close();
});

test.each([
  ['refillCheck', 'a check is pinned', VersioningBehavior.VERSIONING_BEHAVIOR_PINNED],
  ['settlePayment', 'what waits for a payment moves on', VersioningBehavior.VERSIONING_BEHAVIOR_AUTO_UPGRADE],
])('%s: %s', async (workflow, _what, behavior) => {
  const handle = await eventually(() =>
    client.workflow
      .start(workflow, {
        workflowId: `versioning:${randomUUID()}`,
        taskQueue: taskQueues.orchestrator,
        args: [{ charge: { taskId: 'test' } }],
        versioningOverride: { pinnedTo: version },
      })
      // Not known yet with its queue.
      .catch(() => undefined),
  );
  const told = await eventually(async () => {
    const { versioningInfo } = (await handle.describe()).raw.workflowExecutionInfo ?? {};
    return versioningInfo?.deploymentVersion ? versioningInfo : undefined;
  });
  await handle.terminate('seen').catch(() => undefined); // it may have ended by itself
  expect(told).toMatchObject({ behavior, deploymentVersion: version });
});
