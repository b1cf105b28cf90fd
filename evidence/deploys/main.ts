import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { freeLoopbackPort } from '../../platform/temporal/runtime.js';
import { showProgress } from '../../dev/progress.js';
import { createSupervisor } from '../../dev/start/supervisor.js';
import { productSpecs } from '../../dev/start/node-children.js';
import { startSystem } from '../../dev/start/system.js';
import { version } from '../../platform/version.js';
import { approvals } from './approvals.js';
import { judge, type Stage } from './judge.js';
import { buildNextRelease } from './releases.js';
import { deploymentName, routingOf } from './routing.js';
import { write } from './report.js';

const present = version;
const next = `${version}-with-another-step`;

/** Few slots and slow pharmacies make runs long enough to meet a deploy. */
const environment = {
  TEMPORAL_DEPLOYMENT_NAME: deploymentName,
  ACTIVITY_SLOTS: '8',
};
const pharmacyDelayMs = 3_000;
/** Approvals started in each stage. */
const more = 20;

/**
 * `npm run evidence -- deploys [<approvals in flight>]`: deploys a release with another step to 10, 50 and 100 % of
 * new runs, with one rollback, while approvals are in flight.
 * It compares all records and writes results/deploys.md. @returns true if every check passed
 */
async function deployDemo(count: number): Promise<boolean> {
  const progress = showProgress(process.stdout);
  const stateDir = await mkdtemp(join(tmpdir(), 'scriptrail-deploys-'));
  // Postgres drops root's rights and still has to read this folder.
  await chmod(stateDir, 0o755);
  const system = await startSystem({ stateDir, portBase: 0, split: true, env: environment });
  const { dev } = system;
  const supervisor = createSupervisor({
    stateDir: join(stateDir, next),
    report: progress.say,
    onRestart: () => undefined,
  });
  const connection = await Connection.connect({ address: dev.temporal.address });
  const release = await progress.during('Building the next release', buildNextRelease);
  const bring = async (): Promise<boolean> => {
    const client = new Client({ connection, namespace: dev.temporal.namespace });
    const { setCurrent, ramp, rollBack } = routingOf(dev);
    const { approve, areEnded, delayPharmacies } = approvals(dev);
    const stages: Stage[] = [];
    const stage = async (what: string, route: () => Promise<void>, begun: number): Promise<void> => {
      await progress.during(what, async () => {
        const ended = await areEnded(stages.flatMap(({ started }) => started));
        await route();
        const inFlight = ended.filter((isOver) => !isOver).length;
        stages.push({ what, inFlight, started: await approve(begun) });
      });
    };

    await delayPharmacies(pharmacyDelayMs);
    await progress.during(`Starting workers of ${next} beside those of ${present}`, async () => {
      await setCurrent(present);
      const told = { ...system.environment, TEMPORAL_WORKER_BUILD_ID: next };
      const ports = { health: await freeLoopbackPort(), workersHealth: await freeLoopbackPort() };
      const specs = productSpecs(true, told, ports, release.sources);
      for (const spec of specs.filter(({ name }) => name === 'workers')) await supervisor.start(spec);
      // The server accepts the version once it knows all its queues.
      await ramp(next, 0);
    });
    await stage(`${present} is current`, async () => undefined, count);
    await stage('10 % of new runs', () => ramp(next, 10), more);
    await stage('50 %', () => ramp(next, 50), more);
    await stage('rolled back', () => rollBack(next), more);
    await stage('50 % again', () => ramp(next, 50), more);
    await stage('100 %: the release is current', () => setCurrent(next), more);

    const verdict = await progress.during('Waiting for the last run', () =>
      judge({ dev, client, stages, present, next }),
    );
    await write(verdict);
    return verdict.isGood;
  };
  try {
    return await Promise.race([bring(), interruption()]);
  } finally {
    await connection.close();
    await supervisor.stop();
    await system.stop();
    await release.remove();
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** Stops the wait, so that nothing keeps running. */
const interruption = (): Promise<false> =>
  new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve(false));
  });

// The exit of the process ends pending work of an interrupted run.
process.exit((await deployDemo(Number(process.argv[2] ?? 200))) ? 0 : 1);
