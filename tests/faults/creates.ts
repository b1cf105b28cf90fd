import { randomUUID } from 'node:crypto';
import type { DevJson } from '../../dev/dev-json.js';
import { uuidV5 } from '../../platform/crypto/ids.js';
import { eventually } from '../helpers/client.js';
import {
  asking,
  asOwner,
  emrPatientsUnder,
  memberOf,
  newBody,
  organization,
} from '../api/patients/directory.js';

/** A create as the directory notes it down before the EMR is called. */
interface Intent {
  mrn: string;
  state: string;
}

/** Creates of one caller in one organization, and what is known of them behind the API's back. */
export async function openCreates(dev: DevJson, stateDir: string) {
  const sub = randomUUID();
  const organizationId = await organization(dev);
  const ask = asking(dev, await memberOf(dev, organizationId, 'org_user', sub, stateDir));

  const intentOf = async (id: string): Promise<Intent | undefined> => {
    const found = await asOwner(
      dev,
      (sql) => sql<Intent[]>`select mrn, state from patients.create_intent where id = ${id}`,
    );
    return found[0];
  };

  return {
    ask,
    organizationId,
    intentOf,
    /** A create under a key of its own, so that its id is known before anything is. */
    aCreate() {
      const key = randomUUID();
      const body = newBody(organizationId);
      const send = () => ask('POST', '/patients', body, { 'idempotency-key': key });
      return { id: uuidV5('patient', sub, key), send };
    },
    heldInEmr: (id: string) =>
      eventually(async () => {
        const intent = await intentOf(id);
        return intent !== undefined && (await emrPatientsUnder(dev, intent.mrn)).length > 0;
      }),
    /** The judge is the EMR: whom it holds under a number and nobody here has a row or an orphan entry for (I8). */
    async unaccounted(mrn: string): Promise<string[]> {
      const held = (await emrPatientsUnder(dev, mrn)).map(({ id }) => String(id));
      const known = await asOwner(
        dev,
        (sql) => sql<{ id: string }[]>`
          select emr_patient_id as id from patients.patient_directory where emr_patient_id = any(${held})
          union all
          select emr_patient_id from patients.orphan_log where emr_patient_id = any(${held})
        `,
      );
      return held.filter((id) => !known.some((row) => row.id === id));
    },
  };
}
export type Creates = Awaited<ReturnType<typeof openCreates>>;

/** Blocks the commits of creates. @returns what lets them go */
export async function holdCommits(dev: DevJson): Promise<() => Promise<void>> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let locked: () => void = () => undefined;
  const isLocked = new Promise<void>((resolve) => (locked = resolve));
  const holding = asOwner(dev, (sql) =>
    sql.begin(async (sql) => {
      await sql`lock table patients.intake_snapshots in exclusive mode`;
      locked();
      await released;
    }),
  ).catch(() => undefined); // Postgres may be killed meanwhile
  await isLocked;
  return async () => {
    release();
    await holding;
  };
}

/** Runs a statement inside every commit of a create. @returns what ends that */
export async function inCommits(dev: DevJson, statement: string): Promise<() => Promise<unknown>> {
  const run = (text: string) => asOwner(dev, (sql) => sql.unsafe(text));
  await run(`
    create function public.in_commit() returns trigger language plpgsql as $$
    begin ${statement}; return null; end $$;
    create constraint trigger in_commit after insert on patients.patient_directory
      deferrable initially deferred for each row execute function public.in_commit();
  `);
  return () => run('drop trigger in_commit on patients.patient_directory; drop function public.in_commit;');
}

/** Waits until Postgres works for the directory on so many that wait. @param condition on pg_stat_activity */
export const backendWaits = (dev: DevJson, condition: string, backends = 1) =>
  eventually(async () => {
    const [row] = await asOwner(dev, (sql) =>
      sql.unsafe<{ waits: boolean }[]>(
        `select count(*) >= ${backends} as waits from pg_stat_activity where usename = 'scriptrail_patients' and ${condition}`,
      ),
    );
    return row?.waits;
  });
