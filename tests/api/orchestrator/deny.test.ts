import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { type Answer, atOnce, call, eventually, freshTask, patientIn, shared } from '../../helpers/client.js';
import {
  approve,
  approveAsync,
  chargesOf,
  messagesTo,
  ordersOf,
  runsOf,
  semaglutideFor,
} from './approvals.js';
import { newPatient, saveCard } from '../../helpers/patients.js';

const dev = shared();
const path = '/orchestrator/deny';
const alreadyApproved = [409, { error: 'Task already approved' }];

interface DenyAnswer {
  success: true;
  error: string;
  details: { path: string; message: string }[];
}
const deny = (body: unknown, key?: string): Promise<Answer<DenyAnswer>> =>
  call(dev, 'orchestrator', { method: 'POST', path, body, ...(key && { key }) });

describe('POST /orchestrator/deny', () => {
  test('200: the denial is recorded, and the patient is told by e-mail and SMS, the reason in the mail only', async () => {
    const patient = await newPatient(dev);
    const taskId = freshTask();
    const { status, headers, body } = await deny({
      taskId,
      reason: 'Blood pressure first.',
      emrPatientId: patient.id,
    });
    expect([status, body]).toEqual([200, { success: true, taskId, denied: true }]);
    expect(headers.get('idempotent-replayed')).toBeNull();
    expect(await runsOf(dev, taskId)).toEqual([
      {
        id: expect.any(String),
        taskId,
        medication: 'N/A',
        emrPatientId: patient.id,
        status: 'denied',
        completedSteps: [],
        failedStep: null,
        error: null,
        warnings: [],
        result: null,
        cancellation: null,
        replacements: [],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const [mail, sms] = await messagesTo(dev, patient);
    expect([mail?.channel, sms?.channel]).toEqual(['email', 'sms']);
    expect(mail?.text).toContain(patient.name);
    expect(mail?.text).toContain('Blood pressure first.');
    expect(sms?.text).not.toContain('Blood pressure');
  });

  test.each<[string, { emrPatientId?: string }]>([
    ['no patient is named', {}],
    ['the patient is not in the EMR', { emrPatientId: 'nobody' }],
  ])('200 also when %s', async (_name, fields) => {
    const taskId = freshTask();
    expect((await deny({ taskId, ...fields })).status).toBe(200);
    expect(await runsOf(dev, taskId)).toMatchObject([
      { status: 'denied', emrPatientId: fields.emrPatientId ?? '' },
    ]);
  });

  test('200 with Idempotent-Replayed for a repeat, whatever its reason: one run, one mail', async () => {
    const patient = await newPatient(dev);
    const taskId = freshTask();
    await deny({ taskId, emrPatientId: patient.id });
    const { status, headers, body } = await deny({ taskId, reason: 'another', emrPatientId: patient.id });
    expect([status, headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(body).toEqual({ success: true, taskId, denied: true });
    expect(await runsOf(dev, taskId)).toHaveLength(1);
    expect(await messagesTo(dev, patient)).toHaveLength(2);
  });

  test('200 for each of twenty at once: one run, one mail and one text', async () => {
    const patient = await newPatient(dev);
    const denial = { taskId: freshTask(), emrPatientId: patient.id };
    const answers = await atOnce(20, () => deny(denial));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await runsOf(dev, denial.taskId)).toHaveLength(1);
    expect(await messagesTo(dev, patient)).toHaveLength(2);
  });

  test('400 names the field at fault', async () => {
    const { status, body } = await deny({ taskId: 'task', emrPatientId: 'a/b' });
    expect([status, body.error]).toEqual([400, 'Validation failed']);
    expect(body.details.map((issue) => issue.path)).toEqual(['emrPatientId']);
  });
});

describe('approve and deny of one task (D32)', () => {
  let sql: Sql;
  beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
  afterAll(() => sql.end());

  test('409 for a denial after a completed approval, which stays as it is', async () => {
    const approval = semaglutideFor(patientIn(dev, 'WA'));
    await approve(dev, approval);
    const { status, body } = await deny({ taskId: approval.taskId });
    expect([status, body]).toEqual(alreadyApproved);
    expect(await runsOf(dev, approval.taskId)).toMatchObject([{ status: 'completed' }]);
  });

  test('409 for a denial while the approval runs', async () => {
    const approval = semaglutideFor(patientIn(dev, 'WA'));
    await approveAsync(dev, approval);
    const answered = approve(dev, approval);
    while ((await runsOf(dev, approval.taskId)).length === 0);
    const { status, body } = await deny({ taskId: approval.taskId });
    expect([status, body]).toEqual(alreadyApproved);
    expect((await answered).status).toBe(200);
  });

  test('a denial after a failed approval is accepted, and an approval after that, with other details too', async () => {
    const failing = semaglutideFor('nobody');
    await approve(dev, failing);
    expect((await deny({ taskId: failing.taskId })).status).toBe(200);
    const other = { ...failing, emrPatientId: patientIn(dev, 'WA'), dosage: 'half' };
    expect((await approve(dev, other)).status).toBe(200);
    const runs = await runsOf(dev, failing.taskId);
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'denied', 'failed']);
  });

  test('a task denied, approved in vain, and denied again tells the patient of each denial', async () => {
    const patient = await newPatient(dev);
    const denial = { taskId: freshTask(), emrPatientId: patient.id };
    await deny(denial);
    await approve(dev, { ...semaglutideFor('nobody'), taskId: denial.taskId });
    const again = await deny(denial);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await messagesTo(dev, patient)).toHaveLength(4);
  });

  /** A denial that is under way, as far as the task's row tells. */
  async function holdForDenial(taskId: string, since = new Date()): Promise<void> {
    const runId = randomUUID();
    await sql`
      insert into orchestrator.run (id, task_id, workflow_id, medication, emr_patient_id, status)
      values (${runId}, ${taskId}, ${`denial:${taskId}`}, 'N/A', '', 'denied')
    `;
    await sql`
      insert into orchestrator.task (task_id, kind, state, details_hash, run_id, updated_at)
      values (${taskId}, 'deny', 'running', '', ${runId}, ${since})
    `;
  }

  test('409 Task is being denied for an approval while the denial still runs; nothing is ordered', async () => {
    const approval = semaglutideFor(patientIn(dev, 'WA'));
    await holdForDenial(approval.taskId);
    const { status, body } = await approve(dev, approval);
    expect([status, body]).toEqual([409, { error: 'Task is being denied' }]);
    expect(await ordersOf(dev, approval.taskId)).toEqual([]);
  });

  test('409 also for one that would be answered at once, before a run is started', async () => {
    const approval = semaglutideFor(patientIn(dev, 'WA'));
    await holdForDenial(approval.taskId);
    const { status, body } = await approveAsync(dev, approval);
    expect([status, body]).toEqual([409, { error: 'Task is being denied' }]);
    expect(await runsOf(dev, approval.taskId)).toMatchObject([{ status: 'denied' }]);
  });

  test('a denial whose workflow was terminated lets approvals through within a minute', async () => {
    const approval = semaglutideFor(patientIn(dev, 'WA'));
    await holdForDenial(approval.taskId, new Date(Date.now() - 60_000));
    await eventually(async () => {
      const { status } = await approve(dev, approval);
      expect([200, 409]).toContain(status);
      return status === 200;
    });
    expect(await ordersOf(dev, approval.taskId)).toHaveLength(1);
  });

  test.each([1, 2, 3])(
    'of ten approvals and ten denials at once each is done or refused, and no denial follows the approval (%d)',
    async () => {
      const patient = await newPatient(dev, 'WA');
      await saveCard(dev, patient);
      const approval = semaglutideFor(patient.id);
      const denial = { taskId: approval.taskId, emrPatientId: patient.id };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, turn) =>
          turn % 2 === 0
            ? approve(dev, approval).then(({ status, body }) => ({ kind: 'approve', status, body }))
            : deny(denial).then(({ status, body }) => ({ kind: 'deny', status, body })),
        ),
      );
      for (const { kind, status, body } of answers) {
        if (status === 200) continue;
        const error = kind === 'approve' ? 'Task is being denied' : 'Task already approved';
        expect([kind, status, body]).toEqual([kind, 409, { error }]);
      }
      const done = (kind: string) => answers.some((answer) => answer.kind === kind && answer.status === 200);
      const expected = [done('approve') && 'completed', done('deny') && 'denied'].filter(Boolean);
      expect(expected).not.toEqual([]);
      expect((await runsOf(dev, approval.taskId)).map(({ status }) => status)).toEqual(expected);
      const orders = done('approve') ? 1 : 0;
      expect(await ordersOf(dev, approval.taskId)).toHaveLength(orders);
      expect(await chargesOf(dev, approval.taskId)).toHaveLength(orders);
      expect(await messagesTo(dev, patient)).toHaveLength(2 * expected.length);
    },
  );
});
