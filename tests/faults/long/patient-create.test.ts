import { beforeAll, describe, expect, test } from '@jest/globals';
import { atLength } from '../../helpers/at-length.js';
import { eventually } from '../../helpers/client.js';
import { asOwner, emrPatientsUnder, eventsOf } from '../../api/patients/directory.js';
import { backendWaits, type Creates, holdCommits, inCommits, openCreates } from '../creates.js';
import { faultsMet, setFault } from '../faults.js';
import { dev, stateDir, temporal } from '../faulty-system.js';

/** This many stand in a gap at once and are killed together, since noticing a lost worker takes 10 s and more. */
const sideBySide = 5;
/** Times that they are killed in each gap. */
const kills = atLength(1, 4);
/** Long enough to stop the callers before the answer comes, and less than they wait for it. */
const delayMs = 2_000;

let creates: Creates;
beforeAll(async () => {
  creates = await openCreates(dev, stateDir);
});

type Create = ReturnType<Creates['aCreate']>;

const signal = (child: 'workers' | 'api' | 'postgres', name: NodeJS.Signals) =>
  process.kill(dev.pids[child]!, name);

/** Stops the workers where they stand, waits for what happens meanwhile, and kills them. */
async function killWorkers(meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
  signal('workers', 'SIGSTOP');
  await meanwhile();
  signal('workers', 'SIGKILL');
}

/** Its backends end with it, and their transactions. */
async function killPostgres(): Promise<void> {
  const killed = dev.pids.postgres;
  signal('postgres', 'SIGKILL');
  await eventually(async () => dev.pids.postgres !== killed);
}
const postgresAnswers = () =>
  eventually(() =>
    asOwner(dev, (sql) => sql`select 1`).then(
      () => true,
      () => false,
    ),
  );

async function terminate(id: string): Promise<void> {
  await temporal.client.workflow.getHandle(`patient-create:${id}`).terminate();
}

const emrDelay = (operation: string, times: number) =>
  setFault(dev, { target: 'emr', operation, kind: 'delay', delayMs, times });
const insertsWait = ({ length }: readonly Create[]) =>
  backendWaits(dev, `wait_event_type = 'Lock' and query like '%intake_snapshots%'`, length);
const allHeldInEmr = (all: readonly Create[]) => Promise.all(all.map(({ id }) => creates.heldInEmr(id)));
const sendAll = (all: readonly Create[]): Answers => all.map(({ send }) => send());

type Answers = ReturnType<Create['send']>[];
/** Brings creates to a gap, all of them, and kills there. */
type Gap = (all: readonly Create[]) => Promise<Answers>;

const gaps: Record<string, Gap> = {
  'after the EMR did its work, before it was heard': async (all) => {
    await emrDelay('create', all.length);
    const answers = sendAll(all);
    await faultsMet(dev);
    await killWorkers(() => allHeldInEmr(all));
    return answers;
  },
  'in the transaction, with Postgres': async (all) => {
    const release = await holdCommits(dev);
    const answers = sendAll(all);
    await allHeldInEmr(all);
    await insertsWait(all);
    await killPostgres();
    await release();
    return answers;
  },
  'after the intent, before the EMR is called': async (all) => {
    await emrDelay('search', all.length);
    const answers = sendAll(all);
    await faultsMet(dev);
    await killWorkers();
    return answers;
  },
  'after the EMR answered, before the commit': async (all) => {
    const release = await holdCommits(dev);
    const answers = sendAll(all);
    await allHeldInEmr(all);
    await insertsWait(all);
    await killWorkers();
    await release();
    return answers;
  },
  'after the commit, before it was reported': async (all) => {
    const quicken = await inCommits(dev, 'perform pg_sleep(2)');
    const answers = sendAll(all);
    await backendWaits(dev, `wait_event = 'PgSleep'`, all.length);
    const isCompleted = async ({ id }: Create) => (await creates.intentOf(id))?.state === 'completed';
    await killWorkers(() => Promise.all(all.map((one) => eventually(() => isCompleted(one)))));
    await quicken();
    return answers;
  },
};
const rounds = Object.entries(gaps).flatMap(([name, gap]) =>
  Array.from({ length: kills }, (_, n) => [name, n + 1, gap] as const),
);

describe('a create of a patient', () => {
  test.each(rounds)('201: killed %s (%i): one EMR patient, one row, one event', async (_name, _n, gap) => {
    const all = Array.from({ length: sideBySide }, () => creates.aCreate());
    const answers = await gap(all);
    for (const [index, { id, send }] of all.entries()) {
      const first = await answers[index]!;
      // Where workers are slow to come back the API gives up waiting; the same request finds the run.
      const { status, body } = first.status >= 500 ? await send() : first;
      expect([status, body]).toMatchObject([201, { patient: { id } }]);
      await postgresAnswers();
      expect(await emrPatientsUnder(dev, body.patient.mrn)).toMatchObject([
        { id: body.patient.emr_patient_id },
      ]);
      expect(await creates.unaccounted(body.patient.mrn)).toEqual([]);
      expect(await eventsOf(dev, id)).toHaveLength(1);
    }
  });

  test('201: the API killed while it waits: the same request finds the patient', async () => {
    const { id, send } = creates.aCreate();
    await emrDelay('create', 1);
    const lost = send().catch(() => undefined);
    await faultsMet(dev);
    const killed = dev.pids.api;
    signal('api', 'SIGKILL');
    await lost;
    await eventually(async () => dev.pids.api !== killed);
    const { status, body } = await eventually(() => send().catch(() => undefined));
    expect([status, body.patient.id]).toEqual([201, id]);
    expect(await emrPatientsUnder(dev, body.patient.mrn)).toHaveLength(1);
  });

  /** Leaves an EMR patient behind whose run can do nothing more. */
  async function leaveBehind(): Promise<Create & { mrn: string }> {
    const { id, send } = creates.aCreate();
    await emrDelay('create', 1);
    const answer = send();
    await faultsMet(dev);
    await killWorkers(async () => {
      await creates.heldInEmr(id);
      await terminate(id);
    });
    expect((await answer).status).toBe(503);
    const { mrn } = (await creates.intentOf(id))!;
    return { id, mrn, send };
  }

  test('503: its run terminated after the EMR did its work: the intent leads to an orphan entry, which the same request adopts; without an intent nothing is found (control)', async () => {
    const lost = await leaveBehind();
    await asOwner(dev, (sql) => sql`delete from patients.create_intent where id = ${lost.id}`);
    const kept = await leaveBehind();
    await eventually(async () => (await creates.unaccounted(kept.mrn)).length === 0);
    expect(await creates.intentOf(kept.id)).toMatchObject({ state: 'failed' });
    expect(await creates.unaccounted(lost.mrn)).toHaveLength(1);

    const { status, body } = await kept.send();
    expect([status, body.patient.mrn]).toEqual([201, kept.mrn]);
    expect(await emrPatientsUnder(dev, kept.mrn)).toHaveLength(1);
    const [orphan] = await asOwner(
      dev,
      (sql) => sql`select settled_at from patients.orphan_log where mrn = ${kept.mrn}`,
    );
    expect(orphan).toMatchObject({ settledAt: expect.any(Date) });
  });
});
