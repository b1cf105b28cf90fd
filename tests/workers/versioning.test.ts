import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DefaultLogger, NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { defaultStateDir } from '../../dev/dev-json.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { keyRing } from '../../platform/config-values.js';
import { temporal } from '../../platform/temporal/proto.js';
import { workflowBundle } from '../../workers/bundle.js';
import { createWorker } from '../../workers/create-worker.js';
import { sharingThreads } from '../../workers/workflow-threads.js';
import { taskQueues } from '../../workflows/queues.js';
import { eventually, shared } from '../helpers/client.js';
import { openTemporal, type TemporalView } from '../helpers/temporal-view.js';

const { VersioningBehavior } = temporal.api.enums.v1;
/** One that nothing is routed to but what is told so. */
const version = { deploymentName: `test-${randomUUID()}`, buildId: '0.0.1' };
let view: TemporalView;
let native: NativeConnection;
let worker: Worker;
let running: Promise<void>;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } });
  view = await openTemporal(shared());
  native = await NativeConnection.connect({ address: shared().temporal.address });
  const activities = { giveBack: async () => 'nothing' };
  worker = await createWorker({
    kind: sharingThreads(1, Object.keys(activities), true),
    queue: 'orchestrator',
    activities,
    around: [],
    connection: native,
    namespace: shared().temporal.namespace,
    bundlePath: await workflowBundle(),
    codecKeys: { own: keyRing.parse(loadSecrets(defaultStateDir()).orchestratorCodecKeys) },
    activitySlots: 1,
    version,
  });
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await Promise.all([view.close(), native.close()]);
});

test.each([
  ['processRefill', 'a refill is pinned', VersioningBehavior.VERSIONING_BEHAVIOR_PINNED],
  ['settlePayment', 'what waits for a payment moves on', VersioningBehavior.VERSIONING_BEHAVIOR_AUTO_UPGRADE],
])('%s: %s', async (workflow, _what, behavior) => {
  const handle = await eventually(() =>
    view.client.workflow
      .start(workflow, {
        workflowId: `versioning:${randomUUID()}`,
        taskQueue: taskQueues.orchestrator,
        args: [{}],
        versioningOverride: { pinnedTo: version },
      })
      // Not known yet with its queue.
      .catch(() => undefined),
  );
  const told = await eventually(async () => {
    const { versioningInfo } = (await handle.describe()).raw.workflowExecutionInfo ?? {};
    return versioningInfo?.deploymentVersion && versioningInfo;
  });
  await handle.terminate('seen');
  expect(told).toMatchObject({ behavior, deploymentVersion: version });
});
