import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createErasureActivities } from '../../../activities/retention/retention.js';
import { reportFailedRefill } from '../../../db/orchestrator/failed-refills.js';
import { taskKey } from '../../../domain/clients.js';
import { refillReference } from '../../../domain/orchestrator/refills.js';
import { planWorkflowId } from '../../../workflows/ids.js';
import { newPlan } from '../../api/orchestrator/plans.js';
import { dayFromToday } from '../../api/orchestrator/refills.js';
import { eventually } from '../../helpers/client.js';
import { closeParts, contextOf, db, running } from '../real-parts.js';
import { ann, erasure, intakeOf, orderOf } from './twice.js';

const activities = createErasureActivities(contextOf('retention'));
afterAll(closeParts);

const erasedBody = '{"erased":true}';

describe('an address in a webhook', () => {
  const contactEmail = `ann.${randomUUID()}+rx@example.test`;
  const encoded = encodeURIComponent(contactEmail);
  const hers = [
    `{"email":"${contactEmail.toUpperCase()}"}`,
    `{"text":"\\n${contactEmail}\\t"}`,
    `{"text":"Her address is ${contactEmail}."}`,
    `{"text":"Ann \\u003c${contactEmail}\\u003e"}`,
    contactEmail,
    `status=shipped&email=${contactEmail}&x=1`,
    `'${contactEmail}'`,
    `pid|1|${contactEmail}|`,
    `{"path":"/users/${contactEmail}"}`,
    `{"text":"„${contactEmail}“"}`,
    `status=shipped&email=${encoded}&x=1`,
    `next=%2Fpatients%3Femail%3D${encoded}`,
    `{"email":"${contactEmail.replace('@', '\\u0040')}"}`,
  ];
  const others = [
    `{"email":"jo${contactEmail}"}`,
    `{"email":"jo.${contactEmail}"}`,
    `{"email":"jo-${contactEmail}"}`,
    `{"email":"jo_${contactEmail}"}`,
    `{"email":"jo+${contactEmail}"}`,
    `{"email":"${contactEmail}.test"}`,
    `email=jo%2B${encoded}`,
    `email=jo${encoded}`,
    `{"email":"${contactEmail}ing"}`,
    `{"email":"${contactEmail.replaceAll('.', 'x')}"}`,
  ];

  test("An EMR's webhook is erased only for the whole address", async () => {
    const { erasureId } = await erasure({ contactEmail });
    const rows = [...hers, ...others].map((body) => ({ id: randomUUID(), rawBody: Buffer.from(body) }));
    await db`insert into bridge.emr_webhook_events ${db(rows)}`;
    await running(activities.eraseInBridge, { erasureId });
    const stored = await db<{ id: string; rawBody: Buffer }[]>`
      select id, raw_body from bridge.emr_webhook_events where id = any(${rows.map(({ id }) => id)})
    `;
    const bodies = rows.map(({ id }) => stored.find((row) => row.id === id)!.rawBody.toString());
    expect(bodies).toEqual([...hers.map(() => erasedBody), ...others]);
  });

  test("A pharmacy's webhook is erased only for the whole address", async () => {
    const { erasureId } = await erasure({ contactEmail: `joint.${contactEmail}` });
    const body = `{"email":"joint.${contactEmail}"}`;
    const longer = `{"email":"in.joint.${contactEmail}"}`;
    await db`
      insert into router.webhook_log ${db(
        [body, longer].map((body) => ({ webhook: 'pharmacy_a', accepted: false, status: 404, body })),
      )}
    `;
    await running(activities.eraseInRouter, { erasureId });
    expect(await db`select body from router.webhook_log where body in (${body}, ${longer})`).toEqual([
      { body: longer },
    ]);
  });
});

test("A patient's plan ends with its work items and its run, its client hears of it, and a failed refill is closed", async () => {
  const { erasureId, patient } = await erasure();
  const emrPatientId = patient.emr_patient_id!;
  const { id } = await newPlan({
    emrPatientId,
    running: { phase: 1, sent: 1, lastFillDate: dayFromToday(-60) },
  });
  const [schedule] = await db<{ id: string }[]>`
    insert into orchestrator.refill_schedule (
      emr_patient_id, medication, total_refills_allowed, last_fill_date, next_fill_date
    )
    values (${emrPatientId}, 'tirzepatide', 3, '2026-11-01', '2099-01-01')
    returning id
  `;
  const reference = refillReference(schedule!.id, 1);
  await db.begin((sql) =>
    reportFailedRefill(sql, { reference, reason: 'patient_details', workflowId: 'test' }),
  );
  const run = contextOf('orchestrator').temporal.workflow.getHandle(planWorkflowId(id));
  const runIs = async (wanted: string) => {
    const state = await run.describe().then(
      ({ status }) => status.name,
      () => undefined,
    );
    return state === wanted;
  };
  const openItems = () => db`
    select kind from orchestrator.work_item
    where kind in ('decision_needed', 'refill_failed') and state <> 'closed'
      and refers_to ->> 'emrPatientId' = ${emrPatientId}
    order by kind
  `;
  await eventually(() => runIs('RUNNING'));
  expect(await openItems()).toContainEqual({ kind: 'decision_needed' });
  await running(activities.eraseInOrchestrator, { erasureId });
  await eventually(async () => (await openItems()).length === 0);
  await eventually(() => runIs('COMPLETED'));
  expect(
    await db`select data from orchestrator.client_event where plan_id = ${id} and type = 'plan.stopped'`,
  ).toEqual([{ data: { fill: 2, phase: 1, reason: 'cancelled' } }]);
});

/** A person's note on a work item. */
async function noteOn(refersTo: Record<string, string>): Promise<string> {
  const [row] = await db<{ position: string }[]>`
    with item as (
      insert into worklist.work_item (id, source, kind, reason, title, refers_to, answers, opened_at, due_at)
      values (
        ${randomUUID()}, 'router', 'callback_dead', 'test', 'Test', ${db.json(refersTo)}, '{dismiss}', now(), now()
      )
      returning id
    )
    insert into worklist.history (item_id, actor, action, note) select id, 'root', 'noted', 'Called Ann' from item
    returning position
  `;
  return row!.position;
}

test("Notes of people about another client's order are erased with the order", async () => {
  const { erasureId, email } = await erasure();
  const [hers, others] = [
    await noteOn({ submissionId: await orderOf({ ...ann, email }) }),
    await noteOn({ submissionId: await orderOf({ ...ann, email: `jo${email}` }) }),
  ];
  await running(activities.eraseInRouter, { erasureId });
  expect(
    await db`select note from worklist.history where position in (${hers}, ${others}) order by position`,
  ).toEqual([{ note: 'erased' }, { note: 'Called Ann' }]);
});

test("Notes of people about a task are erased, and not those about another client's task of the same id", async () => {
  const { erasureId, patient } = await erasure();
  const taskId = randomUUID();
  const key = taskKey('acme', taskId);
  await db`
    insert into orchestrator.run (id, task_id, client, workflow_id, medication, emr_patient_id, status)
    values (${randomUUID()}, ${key}, 'acme', ${taskId}, 'x', ${patient.emr_patient_id}, 'failed')
  `;
  const hers = await noteOn({ taskId, client: 'acme' });
  const others = [await noteOn({ taskId }), await noteOn({ taskId, client: 'beta' })];
  await running(activities.eraseInOrchestrator, { erasureId });
  expect(
    await db`select position from worklist.history where position in ${db([hers, ...others])} and note = 'erased'`,
  ).toEqual([{ position: hers }]);
});

test("An order is the patient's by its task if our own key sent it, whatever its source", async () => {
  const { erasureId, patient } = await erasure();
  const taskId = randomUUID();
  await db`
    insert into orchestrator.run (id, task_id, workflow_id, medication, emr_patient_id, status)
    values (${randomUUID()}, ${taskId}, ${taskId}, 'x', ${patient.emr_patient_id}, 'failed')
  `;
  const orderFrom = async (apiKeyId: string) => {
    const id = await orderOf({ firstName: 'Bert', email: `${randomUUID()}@example.test` });
    const sent = { apiKeyId, source: 'orchestrator', sourceOrderId: taskId };
    await db`update router.submission set ${db(sent)} where id = ${id}`;
    return id;
  };
  const [own, foreign] = [await orderFrom('orchestrator'), await orderFrom('clinic')];
  await running(activities.eraseInRouter, { erasureId });
  const erased = await db`
    select id from router.submission
    where id in (${own}, ${foreign}) and request_payload = ${erasedBody}
  `;
  expect(erased).toEqual([{ id: own }]);
});

describe('records under an address', () => {
  const bert = { ...ann, firstName: 'Bert', gender: 'male' };
  const isErased = async (table: 'router.submission' | 'intake.submission', id: string) => {
    const column = table === 'router.submission' ? 'request_payload' : 'body';
    const [row] = await db<
      [{ isErased: boolean }]
    >`select ${db(column)} = ${erasedBody} as is_erased from ${db(table)} where id = ${id}`;
    return row.isErased;
  };
  const storedOf = async (erasureId: string) => {
    const [row] =
      await db`select emr_patient_ids, leaves_by_address from patients.erasure where id = ${erasureId}`;
    return row;
  };
  const eraseAll = async (erasureId: string) => {
    await running((erasure: { erasureId: string }) => activities.openErasure(erasure), { erasureId });
    for (const part of [
      activities.eraseInRouter,
      activities.eraseInOrchestrator,
      activities.eraseInIntake,
      activities.eraseInPatients,
    ])
      await running(part, { erasureId });
  };

  test.each([
    ['a twin', bert],
    ['a spouse', { ...bert, lastName: 'Stone', dob: '1980-01-01' }],
    ['a namesake', { ...ann, dob: '1950-01-01' }],
  ])(
    'The records of %s under the same address stay, refills run on, and the erasure says so',
    async (_who, person) => {
      const { erasureId, patient, email } = await erasure();
      const emrPatientId = randomUUID();
      const intake = await intakeOf({ ...person, email }, emrPatientId);
      const order = await orderOf({ ...person, email });
      const [schedule] = await db<{ id: string }[]>`
      insert into orchestrator.refill_schedule (
        emr_patient_id, medication, dosage, total_refills_allowed, last_fill_date, next_fill_date
      )
      values (${emrPatientId}, 'Semaglutide', 'daily', 3, '2026-11-01', '2099-01-01')
      returning id
    `;
      await eraseAll(erasureId);
      expect(await storedOf(erasureId)).toEqual({
        emrPatientIds: [patient.emr_patient_id],
        leavesByAddress: true,
      });
      expect(await isErased('intake.submission', intake)).toBe(false);
      expect(await isErased('router.submission', order)).toBe(false);
      expect(
        await db`select status, dosage from orchestrator.refill_schedule where id = ${schedule!.id}`,
      ).toEqual([{ status: 'active', dosage: 'daily' }]);
    },
  );

  test('Records under the address stay if nothing says who the patient is', async () => {
    const { erasureId, email } = await erasure({ payload: { goal: 'weight' } });
    const [intake, order] = [await intakeOf({ ...ann, email }), await orderOf({ ...ann, email })];
    await eraseAll(erasureId);
    expect(await storedOf(erasureId)).toMatchObject({ leavesByAddress: true });
    expect(await isErased('intake.submission', intake)).toBe(false);
    expect(await isErased('router.submission', order)).toBe(false);
  });

  test('Records that name the patient are erased, and an order that names another person stays', async () => {
    const { erasureId, patient, email } = await erasure();
    const emrPatientId = randomUUID();
    const intakes = [
      await intakeOf({ ...ann, email }, emrPatientId),
      await intakeOf({ ...ann, email }, null),
    ];
    const [hers, other] = [await orderOf({ ...ann, email }), await orderOf({ ...bert, email })];
    await eraseAll(erasureId);
    expect(await storedOf(erasureId)).toEqual({
      emrPatientIds: expect.arrayContaining([patient.emr_patient_id, emrPatientId]),
      leavesByAddress: false,
    });
    for (const intake of intakes) expect(await isErased('intake.submission', intake)).toBe(true);
    expect(await isErased('router.submission', hers)).toBe(true);
    expect(await isErased('router.submission', other)).toBe(false);
  });

  test('An open order is erased later, although the archived intake that says whose it is went before', async () => {
    const { erasureId, email } = await erasure();
    const order = await orderOf({ ...ann, email }, null);
    await eraseAll(erasureId);
    expect(await isErased('router.submission', order)).toBe(false);
    await db`
      update router.submission set outcome = 'accepted', pharmacy_order_id = id::text where id = ${order}
    `;
    await eraseAll(erasureId);
    expect(await isErased('router.submission', order)).toBe(true);
    await running(activities.closeErasure, { erasureId });
    expect(await db`select emails, people from patients.erasure where id = ${erasureId}`).toEqual([
      { emails: [], people: [] },
    ]);
  });

  test('Records under a former address or another spelling are erased', async () => {
    const contactEmail = `ann.${randomUUID()}@xn--bcher-kva.test`;
    const { erasureId } = await erasure({ contactEmail, laterEmail: `${randomUUID()}@example.test` });
    const other = `\tANN${contactEmail.slice(3).replace('xn--bcher-kva', 'Bücher')} `;
    const orders = [
      await orderOf({ ...ann, email: ` ${contactEmail}` }),
      await orderOf({ ...ann, email: other }),
    ];
    const id = randomUUID();
    await db`
      insert into notification.delivery (id, client_id, body_hash, notification_type, recipient_email, asked_channels)
      values (${id}, 'test', 'hash', 'otp', ${contactEmail}, '{email}')
    `;
    await running(activities.eraseInNotification, { erasureId });
    await eraseAll(erasureId);
    for (const order of orders) expect(await isErased('router.submission', order)).toBe(true);
    expect(await db`select recipient_email from notification.delivery where id = ${id}`).toEqual([
      { recipientEmail: null },
    ]);
    await running(activities.closeErasure, { erasureId });
    const directory = await db`
      select email_lower, former_emails
      from patients.erasure
      join patients.patient_directory as patient on patient.id = patient_id
      where erasure.id = ${erasureId}
    `;
    expect(directory).toEqual([{ emailLower: null, formerEmails: [] }]);
  });

  test('Records stay if another patient had the address before', async () => {
    const contactEmail = `${randomUUID()}@example.test`;
    const { erasureId } = await erasure({ contactEmail });
    await erasure({ contactEmail, laterEmail: `${randomUUID()}@example.test` });
    const order = await orderOf({ ...ann, email: contactEmail });
    await eraseAll(erasureId);
    expect(await isErased('router.submission', order)).toBe(false);
  });
});
