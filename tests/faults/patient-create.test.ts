import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { DevJson } from '../../cli/dev-json.js';
import { uuidV5 } from '../../platform/crypto/ids.js';
import { eventually } from '../helpers/client.js';
import { startTestSystem, type TestSystem } from '../helpers/system.js';
import {
  type Ask,
  asking,
  asOwner,
  emrPatientsUnder,
  eventsOf,
  memberOf,
  newBody,
  organization,
} from '../services/directory.js';
import { findCanaries } from './canary-search.js';
import { clearFaults, faultsMet, setFault } from './faults.js';

/** Kills per gap. `PATIENT_CREATE_KILLS=20 npm test -- tests/faults/patient-create` runs the full tier. */
const kills = Number(process.env['PATIENT_CREATE_KILLS'] ?? 2);
const testTimeoutMs = 60_000 + kills * 30_000;
/** Long enough to stop the caller before the answer comes. */
const delayMs = 1_000;

let testSystem: TestSystem;
let dev: DevJson;
let organizationId: string;
let ask: Ask;
const sub = `admin-${randomUUID()}`;
beforeAll(async () => {
  testSystem = await startTestSystem({ split: true, env: { LOG_LEVEL: 'trace' } });
  dev = testSystem.system.dev;
  organizationId = await organization(dev);
  ask = asking(dev, await memberOf(dev, organizationId, 'org_user', sub, testSystem.stateDir));
}, 120_000);
afterAll(() => testSystem.stop(), 60_000);
afterEach(() => clearFaults(dev));

/** A create under a key of its own, so that its id is known before anything is. */
function aCreate() {
  const key = randomUUID();
  const body = newBody(organizationId);
  return {
    id: uuidV5('patient', sub, key),
    send: () => ask('POST', '/patients', body, { 'idempotency-key': key }),
  };
}

interface Intent {
  mrn: string;
  state: string;
}
const intentOf = async (id: string): Promise<Intent | undefined> =>
  (
    await asOwner(dev, (sql) => sql<Intent[]>`select mrn, state from patients.create_intent where id = ${id}`)
  )[0];

/** The judge is the EMR: whom it holds under a number and nobody here has a row or an orphan entry for (I8). */
async function unaccounted(mrn: string): Promise<string[]> {
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
}

const signal = (child: 'workers' | 'api' | 'postgres', name: NodeJS.Signals) =>
  process.kill(dev.pids[child]!, name);

/** Stops the workers where they stand, waits for what happens meanwhile, and kills them. */
async function killWorkers(meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
  signal('workers', 'SIGSTOP');
  await meanwhile();
  signal('workers', 'SIGKILL');
}

async function terminate(id: string): Promise<void> {
  const connection = await Connection.connect({ address: dev.temporal.address });
  await new Client({ connection }).workflow.getHandle(`patient-create:${id}`).terminate();
  await connection.close();
}

const emrDelay = (operation: string) =>
  setFault(dev, { target: 'emr', operation, kind: 'delay', delayMs, times: 1 });
const heldInEmr = (id: string) => async () =>
  eventually(async () => {
    const intent = await intentOf(id);
    return intent !== undefined && (await emrPatientsUnder(dev, intent.mrn)).length > 0;
  });

/** Blocks the commit until it is released. */
async function holdCommits(): Promise<() => Promise<void>> {
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
  );
  await isLocked;
  return async () => {
    release();
    await holding;
  };
}
const backendWaits = (condition: string) =>
  eventually(async () => {
    const [row] = await asOwner(dev, (sql) =>
      sql.unsafe<{ waits: boolean }[]>(
        `select exists (select from pg_stat_activity where usename = 'scriptrail_patients' and ${condition}) as waits`,
      ),
    );
    return row?.waits;
  });
const insertWaits = () => backendWaits(`wait_event_type = 'Lock' and query like '%intake_snapshots%'`);

/** Runs a statement inside every commit of a create. @returns what ends that */
async function inCommits(statement: string): Promise<() => Promise<unknown>> {
  const run = (text: string) => asOwner(dev, (sql) => sql.unsafe(text));
  await run(`
    create function public.in_commit() returns trigger language plpgsql as $$
    begin ${statement}; return null; end $$;
    create constraint trigger in_commit after insert on patients.patient_directory
      deferrable initially deferred for each row execute function public.in_commit();
  `);
  return () => run('drop trigger in_commit on patients.patient_directory; drop function public.in_commit;');
}
const slowCommits = () => inCommits('perform pg_sleep(2)');
/** With the row in the text, as the database's own texts may have it. */
const breakCommits = () => inCommits(`raise exception 'broken: %', row_to_json(new)`);

/** Brings a create to a gap and kills there. @returns the answer it will get */
type Gap = (
  create: ReturnType<typeof aCreate>,
) => Promise<{ answer: ReturnType<ReturnType<typeof aCreate>['send']> }>;

const gaps: Record<string, Gap> = {
  'after the intent, before the EMR is called': async ({ send }) => {
    await emrDelay('search');
    const answer = send();
    await faultsMet(dev);
    await killWorkers();
    return { answer };
  },
  'after the EMR did its work, before it was heard': async ({ id, send }) => {
    await emrDelay('create');
    const answer = send();
    await faultsMet(dev);
    await killWorkers(heldInEmr(id));
    return { answer };
  },
  'after the EMR answered, before the commit': async ({ id, send }) => {
    const release = await holdCommits();
    const answer = send();
    await heldInEmr(id)();
    await insertWaits();
    await killWorkers();
    await release();
    return { answer };
  },
  'in the transaction, with Postgres': async ({ id, send }) => {
    const release = await holdCommits();
    const answer = send();
    await heldInEmr(id)();
    await insertWaits();
    signal('postgres', 'SIGKILL');
    await release().catch(() => undefined);
    return { answer };
  },
  'after the commit, before it was reported': async ({ id, send }) => {
    const quicken = await slowCommits();
    const answer = send();
    await backendWaits(`wait_event = 'PgSleep'`);
    await killWorkers(() => eventually(async () => (await intentOf(id))?.state === 'completed'));
    await quicken();
    return { answer };
  },
};
const rounds = Object.entries(gaps).flatMap(([name, gap]) =>
  Array.from({ length: kills }, (_, n) => [name, n + 1, gap] as const),
);

describe('a create of a patient', () => {
  test.each(rounds)(
    '201: killed %s (%i): one EMR patient, one row, one event',
    async (_name, _n, gap) => {
      const create = aCreate();
      const { answer } = await gap(create);
      const { status, body } = await answer;
      expect([status, body.patient.id]).toEqual([201, create.id]);
      expect(await emrPatientsUnder(dev, body.patient.mrn)).toMatchObject([
        { id: body.patient.emr_patient_id },
      ]);
      expect(await unaccounted(body.patient.mrn)).toEqual([]);
      expect(await eventsOf(dev, create.id)).toHaveLength(1);
    },
    testTimeoutMs,
  );

  test(
    '201: the API killed while it waits: the same request finds the patient',
    async () => {
      const { id, send } = aCreate();
      await emrDelay('create');
      const lost = send().catch(() => undefined);
      await faultsMet(dev);
      const killed = dev.pids.api;
      signal('api', 'SIGKILL');
      await lost;
      await eventually(async () => dev.pids.api !== killed);
      const { status, body } = await eventually(() => send().catch(() => undefined));
      expect([status, body.patient.id]).toEqual([201, id]);
      expect(await emrPatientsUnder(dev, body.patient.mrn)).toHaveLength(1);
    },
    testTimeoutMs,
  );

  /** Leaves an EMR patient behind whose run can do nothing more. */
  async function leaveBehind(): Promise<{ id: string; mrn: string; send: () => ReturnType<Ask> }> {
    const { id, send } = aCreate();
    await emrDelay('create');
    const answer = send();
    await faultsMet(dev);
    await killWorkers(async () => {
      await heldInEmr(id)();
      await terminate(id);
    });
    expect((await answer).status).toBe(500);
    const { mrn } = (await intentOf(id))!;
    return { id, mrn, send };
  }

  test('500: its run terminated after the EMR did its work: the intent leads to an orphan entry, which the same request adopts; without an intent nothing is found (control)', async () => {
    const [lost, kept] = [await leaveBehind(), await leaveBehind()];
    await asOwner(dev, (sql) => sql`delete from patients.create_intent where id = ${lost.id}`);
    await eventually(async () => (await unaccounted(kept.mrn)).length === 0);
    expect(await intentOf(kept.id)).toMatchObject({ state: 'failed' });
    expect(await unaccounted(lost.mrn)).toHaveLength(1);

    const { status, body } = await kept.send();
    expect([status, body.patient.mrn]).toEqual([201, kept.mrn]);
    expect(await emrPatientsUnder(dev, kept.mrn)).toHaveLength(1);
    const [orphan] = await asOwner(
      dev,
      (sql) => sql`select settled_at from patients.orphan_log where mrn = ${kept.mrn}`,
    );
    expect(orphan).toMatchObject({ settledAt: expect.any(Date) });
  }, 120_000);
});

describe('an EMR that fails', () => {
  const rowsOf = (id: string) =>
    asOwner(
      dev,
      (sql) => sql`
        select 1 from patients.patient_directory where id = ${id}
        union all
        select 1 from patients.outbox where aggregate_id = ${id}
      `,
    );

  test.each([
    ['is down', { kind: 'status', status: 503 }, 'EMR answered 503'],
    ['drops every connection', { kind: 'drop' }, 'EMR could not be reached'],
    ['refuses the patient', { kind: 'status', status: 422, operation: 'create' }, 'EMR answered 422'],
  ] as const)(
    '502: one that %s, with nothing left; the same request succeeds later',
    async (_name, fault, message) => {
      const { id, send } = aCreate();
      await setFault(dev, { target: 'emr', ...fault });
      const { status, body } = await send();
      expect([status, body.error]).toEqual([502, 'emr_unavailable']);
      expect(body.message).toContain(message);
      expect(await rowsOf(id)).toEqual([]);
      const { mrn, state } = (await intentOf(id))!;
      expect([state, await emrPatientsUnder(dev, mrn)]).toEqual(['failed', []]);

      await clearFaults(dev);
      const again = await send();
      expect([again.status, again.body.patient.mrn]).toEqual([201, mrn]);
    },
  );

  test('201: a lost answer makes no second patient', async () => {
    const { send } = aCreate();
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer', times: 1 });
    const { status, body } = await send();
    expect(status).toBe(201);
    expect(await emrPatientsUnder(dev, body.patient.mrn)).toHaveLength(1);
  });

  test('201: every answer to the create lost: the patient is found by the number', async () => {
    const { send } = aCreate();
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer' });
    const { status, body } = await send();
    expect(status).toBe(201);
    expect(await emrPatientsUnder(dev, body.patient.mrn)).toMatchObject([
      { id: body.patient.emr_patient_id },
    ]);
  });

  test('502: every answer lost, searches too: an orphan entry follows, or the same request adopts the patient', async () => {
    const [left, repeated] = [aCreate(), aCreate()];
    await setFault(dev, { target: 'emr', operation: 'search', kind: 'delay', delayMs: 0, times: 2 });
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer' });
    await setFault(dev, { target: 'emr', operation: 'search', kind: 'drop' });
    const answers = await Promise.all([left.send(), repeated.send()]);
    expect(answers.map(({ status }) => status)).toEqual([502, 502]);
    await clearFaults(dev);

    const adopted = await repeated.send();
    expect(adopted.status).toBe(201);
    expect(await emrPatientsUnder(dev, adopted.body.patient.mrn)).toHaveLength(1);
    const { mrn } = (await intentOf(left.id))!;
    expect(await unaccounted(mrn)).toHaveLength(1);
    await eventually(async () => (await unaccounted(mrn)).length === 0);
  }, 150_000);
});

test('nothing of a person is in Temporal or in a log, whatever became of the create', async () => {
  const canaries: Record<string, string> = {
    firstName: 'Zephyrine',
    lastName: 'Quobbleworth',
    birthDate: '1913-07-19',
    email: 'zq.canary@umberhollow.test',
    phone: '5005559917',
    line1: '7719 Umberhollow Crescent',
    city: 'Fjordlingham',
    answer: 'seven plumbuses at noon',
    customer: 'cus_umberhollow',
  };
  const { firstName, lastName, birthDate: dob, phone, line1, city } = canaries;
  const demographics = { ...newBody(organizationId).demographics, firstName, lastName, dob, phone };
  const body = newBody(organizationId, {
    contactEmail: canaries['email'],
    demographics: { ...demographics, address: { line1, city, state: 'NY', zip: '13202' } },
    intake: {
      intakeType: 'nad',
      submittedAt: '2026-11-01T09:30:00Z',
      payload: { answer: canaries['answer'] },
    },
    identifiers: { payment_customer_id: canaries['customer'] },
  });
  const create = () => ask('POST', '/patients', body);
  const { patient } = (await create()).body;
  canaries['mrn'] = patient.mrn;
  canaries['emrPatientId'] = patient.emr_patient_id!;
  expect((await ask('GET', `/patients/by-mrn/${patient.mrn}`)).status).toBe(200);
  expect((await ask('GET', `/patients/by-emr-id/${patient.emr_patient_id}x`)).status).toBe(404);
  expect((await ask('PATCH', `/patients/${patient.id}`, { payment_customer_id: 'x' })).status).toBe(409);
  expect(
    (await ask('POST', '/patients/email-lookup', { organizationId, email: body.contactEmail })).status,
  ).toBe(200);
  await setFault(dev, { target: 'emr', operation: 'create', kind: 'status', status: 422 });
  expect((await create()).status).toBe(502);
  await clearFaults(dev);
  const mend = await breakCommits();
  expect((await create()).status).toBe(500);
  await mend();

  const folder = (name: string) => ({ folder: join(testSystem.stateDir, name) });
  const outside = findCanaries(canaries, folder('sandbox')).join('\n');
  for (const field of ['line1', 'mrn', 'phone']) expect(outside).toContain(`: ${field}`);
  expect(findCanaries({ id: patient.id }, folder('temporal'))).not.toEqual([]);
  expect(findCanaries({ route: '/v1/patients/by-mrn/:mrn' }, folder('logs'))).not.toEqual([]);
  expect(findCanaries(canaries, folder('temporal'))).toEqual([]);
  expect(findCanaries(canaries, folder('logs'))).toEqual([]);
});
