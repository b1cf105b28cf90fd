import type { DevJson } from '../../dev/dev-json.js';
import { createSql, type Queryable, type Sql } from '../../db/client.js';
import { eventually, sandbox } from '../../tests/helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../tests/helpers/patients.js';
import type { TemporalView } from '../../tests/helpers/temporal-view.js';
import { semaglutideFor, submissionIdOf } from '../../tests/api/orchestrator/approvals.js';
import { type Fault, setFault } from '../../tests/faults/faults.js';

/** A system and its inspectors. */
export interface Scene {
  dev: DevJson;
  /** A connection as the owner of the tables. */
  sql: Sql;
  temporal: TemporalView;
}

export interface Approval {
  taskId: string;
  medication: string;
  emrPatientId: string;
  submissionId: string;
  patient: TestPatient;
  state: string;
}

/** An approval that has not started, for a new patient. */
export async function newApproval({ dev }: Scene, state: string): Promise<Approval> {
  const patient = await newPatient(dev, state);
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  return { ...approval, patient, state, submissionId: submissionIdOf(dev, approval.taskId) };
}

/** A hold that blocks an approval until its release. */
export interface Hold {
  /** True while something waits at the hold. */
  isHolding: () => Promise<boolean>;
  /** Postgres backends that wait there. */
  waiting: () => Promise<number[]>;
  release: () => Promise<void>;
}

/** Keeps a transaction open that others wait for. @param run takes its locks */
export async function locked(scene: Scene, run: (sql: Queryable) => Promise<unknown>): Promise<Hold> {
  const sql = createSql(scene.dev.databaseUrl, { applicationName: 'test', max: 1 });
  const own = await new Promise<number>((resolve, reject) => {
    const open = sql.begin(async (sql) => {
      const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
      await run(sql);
      resolve(pid);
      // Until its connection is cut, which rolls back.
      await new Promise(() => undefined);
    });
    open.catch(reject);
  });
  const waiting = async () => {
    const rows = await scene.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where ${own} = any(pg_blocking_pids(pid))
    `;
    return rows.map(({ pid }) => pid);
  };
  return {
    waiting,
    isHolding: async () => (await waiting()).length > 0,
    release: () => sql.end({ timeout: 0 }),
  };
}

/** Makes an external service hold calls that name something. One release frees all such calls. */
export async function held(
  { dev }: Scene,
  call: Pick<Fault, 'target' | 'operation'>,
  about: string,
): Promise<Hold> {
  await setFault(dev, { ...call, kind: 'hold', about });
  return {
    waiting: async () => [],
    isHolding: async () => {
      const { faults } = await sandbox<{ faults: (Fault & { holding?: number })[] }>(dev, '/faults');
      return faults.some(
        ({ target, about: of, holding = 0 }) => target === call.target && of === about && holding > 0,
      );
    },
    release: async () => undefined,
  };
}

/** Waits until these backends are gone. */
export const ended = ({ sql }: Scene, backends: readonly number[]): Promise<boolean> =>
  eventually(async () => {
    const rows = await sql`select from pg_stat_activity where pid = any(${sql.array([...backends])}::int[])`;
    return rows.length === 0;
  });
