import { eventually, mailboxOf } from '../../tests/helpers/client.js';
import {
  allSteps,
  approve,
  approveAsync,
  chargesOf,
  endedRun,
  ordersOf,
  runsOf,
  shipmentsOf,
} from '../../tests/api/orchestrator/approvals.js';
import { ready } from '../campaign/harms.js';
import { clearFaults, faultsMet, setFault } from '../../tests/faults/faults.js';
import { answers, type Moment, type Place, places, type Step } from './places.js';
import { type Approval, ended, type Hold, newApproval, type Scene } from './scene.js';

export const victims = ['workers', 'api', 'temporal', 'postgres'] as const;
export type Victim = (typeof victims)[number];

/** The findings for each step's approval; none means "once". Omits steps whose approval did not reach its place. */
export type Found = Map<Step, string[]>;

/** On a busy machine, some approvals reach their place too late. They get another round. */
const placedWithinMs = 25_000;

interface Placed {
  step: Step;
  place: Place;
  approval: Approval;
  hold?: Hold;
  grip?: Hold;
}

/** Holds an approval at the same moment of each step, and kills once. */
export async function killAt(
  scene: Scene,
  moment: Moment,
  victim: Victim,
  asked: readonly Step[],
): Promise<Found> {
  const { dev } = scene;
  const all: Placed[] = await Promise.all(
    asked.map(async (step) => {
      const place = places[step][moment] as Place;
      return { step, place, approval: await newApproval(scene, place.state ?? 'NY') };
    }),
  );
  const locks = () => all.flatMap(({ hold, grip }) => [hold, grip].filter((lock) => lock !== undefined));
  let isFrozen = false;
  try {
    for (const stage of [1, 2, 3, 4]) {
      const next = all.filter(({ place }) => place.stage === stage);
      for (const each of next) {
        const hold = await each.place.hold?.(scene, each.approval);
        if (hold) each.hold = hold;
        await approveAsync(dev, asRequest(each.approval));
      }
      await within(placedWithinMs, async () => (await standing(scene, next)).length === next.length);
    }
    if (moment === 'done') {
      for (const each of await standing(scene, all)) {
        const grip = await each.place.grip?.(scene, each.approval);
        if (grip) each.grip = grip;
      }
      process.kill(dev.pids.temporal!, 'SIGSTOP');
      isFrozen = true;
    }
    // Temporal is frozen, so an approval that stands here has reported nothing.
    let there = await standing(scene, all);
    if (moment === 'done') there = await afterTheEffect(scene, there);

    const lost = await waitingOf(there, ({ place }) => place.by === victim);
    const killed = dev.pids[victim]!;
    process.kill(killed, 'SIGKILL');
    await eventually(async () => dev.pids[victim] !== killed);
    // The kill also loses statements on their way to Postgres.
    if (victim !== 'postgres') await ended(scene, lost);
    await Promise.all(locks().map((lock) => lock.release()));
    if (isFrozen && victim !== 'temporal') process.kill(dev.pids.temporal!, 'SIGCONT');
    isFrozen = false;
    await clearFaults(dev);
    await ready(dev);

    const found: Found = new Map();
    for (const { step, approval } of there) found.set(step, await wrongWith(scene, approval));
    for (const { approval } of all) await eventually(() => endedRun(dev, approval.taskId));
    return found;
  } finally {
    await Promise.all(locks().map((lock) => lock.release()));
    if (isFrozen) process.kill(dev.pids.temporal!, 'SIGCONT');
    await clearFaults(dev);
  }
}

/** Approvals at their place. */
async function standing(scene: Scene, all: readonly Placed[]): Promise<Placed[]> {
  const stands = await Promise.all(
    all.map(
      async ({ place, hold, approval }) =>
        (hold === undefined || (await hold.isHolding())) &&
        (place.also === undefined || (await place.also(scene, approval))),
    ),
  );
  return all.filter((_each, n) => stands[n]);
}

/** Releases the effects. @returns approvals whose effect exists, neither recorded nor reported */
async function afterTheEffect(scene: Scene, all: readonly Placed[]): Promise<Placed[]> {
  const running = await waitingOf(all, () => true);
  await Promise.all(all.map(async ({ hold }) => hold?.release()));
  await clearFaults(scene.dev);
  await eventually(async () => {
    const rows = await scene.sql`
      select from pg_stat_activity where pid = any(${scene.sql.array(running)}::int[]) and wait_event_type = 'Lock'
    `;
    return rows.length === 0;
  });
  const done = async () => {
    const are = await Promise.all(
      all.map(
        async ({ place, grip, approval }) =>
          (await place.isDone!(scene, approval)) && (grip === undefined || (await grip.isHolding())),
      ),
    );
    return all.filter((_each, n) => are[n]);
  };
  await within(placedWithinMs / 5, async () => (await done()).length === all.length);
  return done();
}

const waitingOf = async (all: readonly Placed[], which: (placed: Placed) => boolean): Promise<number[]> => {
  const locks = all.filter(which).flatMap(({ hold, grip }) => [hold, grip]);
  return (await Promise.all(locks.map(async (lock) => (await lock?.waiting()) ?? []))).flat();
};

/** Loses each service's answer: before the effect, or after it. */
export async function loseAnswers(
  scene: Scene,
  moment: 'before' | 'done',
  asked: readonly Step[],
): Promise<Found> {
  const found: Found = new Map();
  const approvals = await Promise.all(
    asked.map(async (step) => ({ step, approval: await newApproval(scene, 'NY') })),
  );
  for (const { step, approval } of approvals) {
    const { submissionId, taskId, patient } = approval;
    const about = { '2': patient.id, '5': taskId, '7': patient.email }[step as string] ?? submissionId;
    const kind = moment === 'before' ? 'drop' : 'lost-answer';
    await setFault(scene.dev, { ...answers[step]!, kind, about, times: 1 });
  }
  for (const { approval } of approvals) await approveAsync(scene.dev, asRequest(approval));
  await faultsMet(scene.dev);
  for (const { step, approval } of approvals) found.set(step, await wrongWith(scene, approval));
  return found;
}

/** Compares the services' records, after the end of the run and a repeated request. */
async function wrongWith({ dev }: Pick<Scene, 'dev'>, approval: Approval): Promise<string[]> {
  const { taskId, patient, state } = approval;
  const run = await eventually(() => endedRun(dev, taskId));
  const again = await approve(dev, asRequest(approval));
  const [orders, charges, labels, mails, runs] = await Promise.all([
    ordersOf(dev, taskId),
    chargesOf(dev, taskId),
    shipmentsOf(dev, taskId),
    mailboxOf(dev, patient.email),
    runsOf(dev, taskId),
  ]);
  const expected = {
    orders: [orders.length, 1],
    charges: [charges.length, 1],
    labels: [labels.length, state === 'NY' ? 1 : 0],
    mails: [mails.length, 1],
    runs: [runs.length, 1],
    'status of the run': [run.status, 'completed'],
    steps: [run.completedSteps.join(), allSteps.join()],
    warnings: [run.warnings.join(), ''],
    'answer to a repeat': [again.status, 200],
  };
  return Object.entries(expected)
    .filter(([, [is, should]]) => is !== should)
    .map(([what, [is, should]]) => `${what}: ${is} instead of ${should}`);
}

const asRequest = ({ taskId, medication, emrPatientId }: Approval) => ({ taskId, medication, emrPatientId });

/** Polls until the condition holds or the time is over. */
async function within(ms: number, look: () => Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + ms;
  await eventually(async () => (await look()) || Date.now() > endsAt);
}
