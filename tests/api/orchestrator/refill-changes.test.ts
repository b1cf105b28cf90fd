import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { signedHeaders } from '../../../platform/crypto/signature.js';
import { atOnce, eventually, patientIn, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { callsTo, ordersOf, runsOf, submissionIdOf } from './approvals.js';
import { checkRefills, dayFromToday, newSchedule, type Schedule, schedulesAt } from './refills.js';

const dev = shared();
const [today, tomorrow] = [dayFromToday(0), dayFromToday(1)];
const houston = { addressLine1: '2 Oak St', city: 'Houston', state: 'TX', zip: '77002' };

let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

const change = (id: string, what: string, body?: unknown) =>
  schedulesAt(dev, `/${id}/${what}`, { method: 'POST', ...(body === undefined ? {} : { body }) });
const patch = (id: string, body: unknown) => schedulesAt(dev, `/${id}`, { method: 'PATCH', body });
const scheduleNow = async ({ id }: Schedule) => (await schedulesAt(dev, `/${id}`)).body.schedule;
const make = (fields: Partial<Schedule> = {}) =>
  newSchedule(dev, { emrPatientId: randomUUID(), nextFillDate: tomorrow, ...fields });
/** Has the next refill of a schedule tried; a check of another test may do it. */
async function tryNext({ id }: Schedule, status: 'completed' | 'failed'): Promise<void> {
  const before = (await runsOf(dev, `refill-${id}`)).length;
  await sql`update orchestrator.refill_schedule set next_fill_date = ${today} where id = ${id}`;
  await checkRefills(dev);
  await eventually(async () => {
    const runs = await runsOf(dev, `refill-${id}`);
    return runs.length > before && runs[0]?.status === status;
  });
}

describe('a schedule', () => {
  test('shows from when on it can be moved, what was skipped, where it goes and how much', async () => {
    const schedule = await make({ lastFillDate: '2026-01-01', daysSupply: 28, dosage: 'half as much' });
    expect(schedule).toMatchObject({
      dosage: 'half as much',
      quantity: 2,
      earliestFillDate: '2026-01-18',
      skipped: 0,
      shipTo: null,
    });
    expect((await schedulesAt(dev, `?emrPatientId=${schedule.emrPatientId}`)).body.schedules).toEqual([
      schedule,
    ]);
  });
});

describe('POST …/:id/skip', () => {
  test('200: a supply after the next fill, or after today where it was due before', async () => {
    const ahead = await make({ nextFillDate: dayFromToday(5), daysSupply: 30 });
    const { status, body } = await change(ahead.id, 'skip', { reason: 'Travelling' });
    expect([status, body.schedule]).toMatchObject([200, { nextFillDate: dayFromToday(35), skipped: 1 }]);
    expect((await change(ahead.id, 'skip')).body.schedule).toMatchObject({
      nextFillDate: dayFromToday(65),
      skipped: 2,
    });
    const late = await make({ nextFillDate: '2024-01-31' });
    expect((await change(late.id, 'skip', {})).body.schedule.nextFillDate).toBe(dayFromToday(30));
  });

  test('200 once for a request sent ten times byte for byte', async () => {
    const { id } = await make();
    const { key, secret } = dev.apiKeys['approvals']!;
    const body = '{"reason":"Enough left"}';
    const headers = { ...signedHeaders({ keyId: key, secret }, body), 'content-type': 'application/json' };
    const url = `${dev.services.orchestrator}/orchestrator/refill-schedules/${id}/skip`;
    const answers = await atOnce(10, async () => {
      const response = await fetch(url, { method: 'POST', headers, body });
      return [response.status, await response.json()];
    });
    const once = [200, { schedule: expect.objectContaining({ skipped: 1 }) }];
    expect(answers).toEqual(Array.from({ length: 10 }, () => once));
  });

  test('400 for a reason that is too long', async () => {
    const { id } = await make();
    expect((await change(id, 'skip', { reason: 'x'.repeat(501) })).status).toBe(400);
  });
});

describe('POST …/:id/move', () => {
  test.each([0, 30, 180])('200: to %d days from today, also while paused', async (days) => {
    const schedule = await make({ lastFillDate: dayFromToday(-60) });
    await change(schedule.id, 'pause');
    const { status, body } = await change(schedule.id, 'move', { nextFillDate: dayFromToday(days) });
    expect([status, body.schedule]).toMatchObject([
      200,
      { status: 'paused', nextFillDate: dayFromToday(days), skipped: 0 },
    ]);
  });

  test.each([dayFromToday(-1), dayFromToday(181), '2026-02-30', 'soon', null])(
    '400 for %j',
    async (nextFillDate) => {
      const schedule = await make({ lastFillDate: dayFromToday(-60) });
      const { status, body } = await change(schedule.id, 'move', { nextFillDate });
      expect([status, body.details.map(({ path }) => path)]).toEqual([400, ['nextFillDate']]);
    },
  );

  test('409 before 60 % of the supply is used up, with the first day that is possible', async () => {
    const schedule = await make({ lastFillDate: today, daysSupply: 31 });
    const early = await change(schedule.id, 'move', { nextFillDate: dayFromToday(18) });
    expect([early.status, early.body]).toEqual([
      409,
      { error: 'Too soon', earliestFillDate: dayFromToday(19) },
    ]);
    expect(early.headers.get('error-code')).toBe('too_soon');
    expect(await scheduleNow(schedule)).toEqual(schedule);
    expect((await change(schedule.id, 'move', { nextFillDate: dayFromToday(19) })).status).toBe(200);
  });
});

describe('POST …/:id/ship-to', () => {
  test('200: the address is trimmed, and null returns to that of the EMR', async () => {
    const { id } = await make();
    const shipTo = {
      ...houston,
      addressLine2: ' Flat 3 ',
      city: ' Houston ',
      state: ' tx',
      zip: '77002-1234 ',
    };
    const { status, body } = await change(id, 'ship-to', { shipTo });
    expect([status, body.schedule.shipTo]).toEqual([
      200,
      { ...houston, addressLine2: 'Flat 3', zip: '77002-1234', fillsLeft: 1 },
    ]);
    const again = await change(id, 'ship-to', { shipTo: { ...houston, country: 'USA' }, fills: 12 });
    expect(again.body.schedule.shipTo).toEqual({ ...houston, addressLine2: null, fillsLeft: 12 });
    expect((await change(id, 'ship-to', { shipTo: null })).body.schedule.shipTo).toBeNull();
  });

  test.each<[string, object]>([
    ['shipTo', {}],
    ['shipTo.zip', { shipTo: { ...houston, zip: '7700' } }],
    ['shipTo.city', { shipTo: { ...houston, city: '  ' } }],
    ['shipTo.state', { shipTo: { ...houston, state: 'Texas' } }],
    ['shipTo.country', { shipTo: { ...houston, country: 'Canada' } }],
    ['fills', { shipTo: houston, fills: 0 }],
    ['fills', { shipTo: houston, fills: 13 }],
  ])('400 on %s', async (field, body) => {
    const { id } = await make();
    const answer = await change(id, 'ship-to', body);
    expect([answer.status, answer.body.details.map(({ path }) => path)]).toEqual([400, [field]]);
  });

  test('422 for a state without a route, and nothing changes', async () => {
    const schedule = await make();
    const { status, body } = await change(schedule.id, 'ship-to', { shipTo: { ...houston, state: 'ca' } });
    expect([status, body]).toEqual([422, { error: 'No pharmacy route configured for state: CA' }]);
    expect(await scheduleNow(schedule)).toEqual(schedule);
  });

  test('prescriber, route and label go by it for as many fills as it says, then by the EMR', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const schedule = await make({ emrPatientId: patient.id, totalRefillsAllowed: 5 });
    const newYork = { addressLine1: '3 Elm St', city: 'Albany', state: 'NY', zip: '12207' };
    await change(schedule.id, 'ship-to', { shipTo: newYork });
    await tryNext(schedule, 'completed');
    const reference = `refill-${schedule.id}-1`;
    const [order] = await ordersOf(dev, reference);
    expect(order).toMatchObject({
      body: { shipTo: { line1: '3 Elm St', city: 'Albany', state: 'NY', zip: '12207' } },
    });
    const [label] = (await callsTo(dev, 'shipping')).filter(
      ({ body }) => body['reference'] === submissionIdOf(dev, reference),
    );
    // Only pharmacy_c, which serves New York, takes a label of ours.
    expect(label?.body).toMatchObject({
      pharmacy: 'pharmacy_c',
      recipient: { line1: '3 Elm St', city: 'Albany', state: 'NY' },
    });
    expect((await scheduleNow(schedule)).shipTo).toBeNull();

    await tryNext(schedule, 'completed');
    expect(await ordersOf(dev, `refill-${schedule.id}-2`)).toMatchObject([
      { pharmacy: 'pharmacy_a', body: { shipTo: { line1: '18 Larch Lane', state: 'WA' } } },
    ]);
  });

  test('a failed refill uses none of its fills up, a sent one does', async () => {
    const schedule = await make({ emrPatientId: 'nobody', totalRefillsAllowed: 5 });
    await change(schedule.id, 'ship-to', { shipTo: houston, fills: 2 });
    await tryNext(schedule, 'failed');
    expect((await scheduleNow(schedule)).shipTo).toMatchObject({ fillsLeft: 2 });
    await sql`
      update orchestrator.refill_schedule set emr_patient_id = ${patientIn(dev, 'WA')} where id = ${schedule.id}
    `;
    await tryNext(schedule, 'completed');
    expect((await scheduleNow(schedule)).shipTo).toMatchObject({ ...houston, fillsLeft: 1 });
    expect(await ordersOf(dev, `refill-${schedule.id}-1`)).toMatchObject([{ pharmacy: 'pharmacy_b' }]);
  });
});

describe('PATCH …/:id', () => {
  test('200: the next refill goes out so, and the one after it by the new supply', async () => {
    const schedule = await make({ emrPatientId: patientIn(dev, 'WA'), nextFillDate: today });
    const directions = { dosage: 'inject 5 units weekly', quantity: 1.5, daysSupply: 60 };
    const { status, body } = await patch(schedule.id, directions);
    expect([status, body.schedule]).toMatchObject([200, { ...directions, nextFillDate: today }]);
    await tryNext(schedule, 'completed');
    expect(await ordersOf(dev, `refill-${schedule.id}-1`)).toMatchObject([
      { body: { sig: 'inject 5 units weekly', quantity: 1.5, daysSupply: 60 } },
    ]);
    expect(await scheduleNow(schedule)).toMatchObject({ ...directions, nextFillDate: dayFromToday(57) });
  });

  test('200: what is left out stays', async () => {
    const { id } = await make();
    await patch(id, { dosage: 'half as much' });
    const { body } = await patch(id, { quantity: 1 });
    expect(body.schedule).toMatchObject({ dosage: 'half as much', quantity: 1, daysSupply: 30 });
    expect((await patch(id, {})).body.schedule).toMatchObject({ dosage: 'half as much', quantity: 1 });
  });

  test.each([
    ['dosage', { dosage: ' ' }],
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: '2' }],
    ['daysSupply', { daysSupply: 1.5 }],
    ['daysSupply', { daysSupply: 3_651 }],
  ])('400 on %s: %j', async (field, body) => {
    const { id } = await make();
    const answer = await patch(id, body);
    expect([answer.status, answer.body.details.map(({ path }) => path)]).toEqual([400, [field]]);
  });
});

const changes: [string, (id: string) => ReturnType<typeof change>][] = [
  ['skip', (id) => change(id, 'skip')],
  ['move', (id) => change(id, 'move', { nextFillDate: dayFromToday(40) })],
  ['ship-to', (id) => change(id, 'ship-to', { shipTo: houston })],
  ['patch', (id) => patch(id, { quantity: 1 })],
];

describe.each(changes)('%s', (_name, request) => {
  test('404 for an unknown schedule', async () => {
    for (const id of [randomUUID(), 'no-uuid'])
      expect(await request(id)).toMatchObject({ status: 404, body: { error: 'Refill schedule not found' } });
  });

  test.each(['cancelled', 'completed'])('409 for one that is %s', async (status) => {
    const { id } = await make();
    await sql`update orchestrator.refill_schedule set status = ${status} where id = ${id}`;
    expect(await request(id)).toMatchObject({ status: 409, body: { error: `Schedule is ${status}` } });
  });

  test.each([
    ['runs', 'running', null],
    ['may exist at the pharmacy', 'failed', randomUUID()],
  ])('409 while a refill of it %s', async (_what, state, unknownId) => {
    const schedule = await make();
    const [runId, taskId] = [randomUUID(), `refill-${schedule.id}`];
    await sql`
      with run as (
        insert into orchestrator.run (id, task_id, workflow_id, medication, emr_patient_id, status, unknown_submission_id)
        values (${runId}, ${taskId}, ${`test:${runId}`}, 'semaglutide', 'p1', 'failed', ${unknownId})
      )
      insert into orchestrator.task (task_id, kind, state, details_hash, run_id)
      values (${`${taskId}-1`}, 'refill', ${state}, '', ${runId})
    `;
    expect(await request(schedule.id)).toMatchObject({
      status: 409,
      body: { error: 'A refill is under way' },
    });
    expect(await scheduleNow(schedule)).toEqual(schedule);
  });
});
