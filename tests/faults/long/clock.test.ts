import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { type RunningSystem, startSystem } from '../../../dev/start/system.js';
import { approve, semaglutideFor } from '../../api/orchestrator/approvals.js';
import {
  checkRefills,
  dayFromToday,
  newSchedule,
  type Schedule,
  schedulesAt,
} from '../../api/orchestrator/refills.js';
import { rxWith } from '../../cli/rx.js';
import { call } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { emptyState } from '../../helpers/system.js';
import { clearFaults, setFault } from '../faults.js';

let stateDir: string;
let system: RunningSystem;
let dev: DevJson;
async function start(): Promise<void> {
  const env = { REFILLS_WHEN_UNPAID: 'hold' };
  system = await startSystem({ stateDir, portBase: 0, quiet: true, env });
  dev = system.dev;
}
beforeAll(async () => {
  stateDir = await emptyState();
  await start();
});
afterAll(async () => {
  await system.stop(1_500);
  await rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
});

interface Clock {
  today: string;
  isReal: boolean;
}
const path = '/orchestrator/clock';
const setClock = async (today: string | null) =>
  (await call<Clock>(dev, 'orchestrator', { key: 'admin', method: 'PUT', path, body: { today } })).body;
const readClock = async () => (await call<Clock>(dev, 'orchestrator', { path })).body;
const rx = (...args: string[]) => rxWith({ SCRIPTRAIL_STATE_DIR: stateDir }, ...args);

async function withCard(): Promise<string> {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  return patient.id;
}
const only = async ({ id }: Schedule) => (await checkRefills(dev, { scheduleIds: [id] })).body.results;
const now = async ({ id }: Schedule) => (await schedulesAt(dev, `/${id}`)).body.schedule;

test('rx demo --exceptions: six prescriptions that do not go to plan end as expected, in the books of everyone', async () => {
  const { exitCode, stdout, stderr } = await rx('demo', '--exceptions');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.match(/│ ok +│/g)).toHaveLength(6);
  expect(stdout).toMatch(/All of it as expected\.\n$/);
});

test('a month is a moment: schedules, fills and resumes go by the day that was set (D146)', async () => {
  expect(await setClock('2027-03-01')).toEqual({ today: '2027-03-01', isReal: false });
  const emrPatientId = await withCard();
  expect((await approve(dev, semaglutideFor(emrPatientId))).status).toBe(200);
  const [approved] = (await schedulesAt(dev, `?emrPatientId=${emrPatientId}`)).body.schedules;
  const made = { lastFillDate: '2027-03-01', nextFillDate: '2027-03-28' };
  expect(approved).toMatchObject(made);
  const added = await newSchedule(dev, { emrPatientId });
  expect(added).toMatchObject(made);

  await setClock('2027-03-27');
  expect(await only(approved!)).toEqual([]);
  await setClock('2027-03-28');
  expect(await only(approved!)).toMatchObject([{ scheduleId: approved!.id, processed: true }]);
  expect(await now(approved!)).toMatchObject({
    refillsSent: 1,
    lastFillDate: '2027-03-28',
    nextFillDate: '2027-04-24',
  });
  // The check has left the other one alone, which is due too.
  expect(await now(added)).toEqual(added);

  await schedulesAt(dev, `/${added.id}/pause`, { method: 'POST' });
  await setClock('2027-05-05');
  const resumed = await schedulesAt(dev, `/${added.id}/resume`, { method: 'POST' });
  expect(resumed.body.schedule).toMatchObject({ nextFillDate: '2027-05-05' });
});

test('the day may go back; timestamps stay real, and so does today once nobody has set it', async () => {
  await setClock('2001-02-03');
  const schedule = await newSchedule(dev, { emrPatientId: 'nobody' });
  expect(schedule.lastFillDate).toBe('2001-02-03');
  const { createdAt } = schedule as Schedule & { createdAt: string };
  expect(createdAt.slice(0, 10)).toBe(dayFromToday(0));
  expect(await setClock(null)).toEqual({ today: dayFromToday(0), isReal: true });
  expect((await newSchedule(dev, { emrPatientId: 'nobody' })).lastFillDate).toBe(dayFromToday(0));
});

test('with REFILLS_WHEN_UNPAID=hold a refill waits for the charge before it (D118)', async () => {
  await setClock('2027-07-01');
  const patient = await newPatient(dev, 'WA');
  const approval = semaglutideFor(patient.id);
  await approve(dev, approval);
  const [schedule] = (await schedulesAt(dev, `?emrPatientId=${patient.id}`)).body.schedules;
  await setClock('2027-07-28');
  expect(await only(schedule!)).toMatchObject([{ processed: false, reason: 'unpaid' }]);
  expect(await now(schedule!)).toEqual(schedule);
  await saveCard(dev, patient);
  const paid = await call(dev, 'orchestrator', {
    method: 'POST',
    path: `/orchestrator/payments/${approval.taskId}/retry`,
  });
  expect(paid.status).toBe(200);
  expect(await only(schedule!)).toMatchObject([{ processed: true }]);
});

test('rx clock shows the day, sets it, adds days to it, and returns to the real one', async () => {
  await setClock(null);
  expect((await rx('clock')).stdout).toBe(`Today is ${dayFromToday(0)}, the real date.\n`);
  expect((await rx('clock', '2027-01-31')).stdout).toBe('Today is 2027-01-31, and not the real date.\n');
  expect((await rx('clock', '+27d')).stdout).toBe('Today is 2027-02-27, and not the real date.\n');
  expect((await rx('clock', 'real')).stdout).toBe(`Today is ${dayFromToday(0)}, the real date.\n`);
  const wrong = await rx('clock', 'tomorrow');
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('Give a day as YYYY-MM-DD')]);
});

test('rx demo --refills: refills that do not go to plan end as expected, in the books of everyone', async () => {
  await setClock('2027-09-01');
  const { exitCode, stdout, stderr } = await rx('demo', '--refills');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.match(/│ ok +│/g)).toHaveLength(5);
  expect(stdout).toContain('All of it as expected.');
  expect(stdout).toContain('work item: closed by root@scriptrail.test with try_again');
  expect(stdout).toContain('schedule: paused, patient_inactive');
  expect(await readClock()).toMatchObject({ isReal: true });
});

test('rx demo --year: a year of three plans ends as expected, and other schedules are left alone', async () => {
  await setClock('2027-09-01');
  const other = await newSchedule(dev, { emrPatientId: 'nobody' });
  const { exitCode, stdout, stderr } = await rx('demo', '--year');
  expect(stdout).toContain('All of it as expected.');
  expect(stdout.match(/│ ok +│/g)).toHaveLength(3);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(await now(other)).toEqual(other);
  expect(await readClock()).toMatchObject({ isReal: true });
});

test('rx plans lists plans, shows one, and answers what it waits for', async () => {
  const body = {
    planRef: 'cli',
    emrPatientId: 'nobody',
    treatment: 'cli',
    phases: [{ medication: 'semaglutide', fills: 3, checkIn: 'fill' }],
    running: { phase: 1, sent: 1, lastFillDate: dayFromToday(-22) },
  };
  const made = await call<{ plan: { id: string } }>(dev, 'orchestrator', {
    method: 'POST',
    path: '/orchestrator/plans',
    body,
  });
  const { id } = made.body.plan;
  const is = (rest: string) => expect.stringContaining(`${id} is ${rest}`);
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await rx('plans', ...args);
    return stderr === '' ? stdout : stderr;
  };
  expect(await said('list', '--treatment', 'cli')).toContain(id);
  await checkRefills(dev, { scheduleIds: [id] });
  expect(await said('list', '--state', 'waiting')).toContain('check_in (fill)');
  expect(await said('check-in', id, '{"weight":80}', '--flagged')).toEqual(is('waiting'));
  expect(await said('decide', id, '--phase', '1', '--by', 'Dr. Hart', '--reason', 'Stay')).toEqual(
    is('active'),
  );
  expect(JSON.parse(await said('show', id))).toMatchObject({
    checkIns: [{ flagged: true }],
    decisions: [{ by: 'Dr. Hart', reason: 'Stay' }],
  });
  expect(await said('renew', id, '--until', dayFromToday(300), '--by', 'Dr. Hart')).toEqual(is('active'));
  expect(await said('pause', id)).toEqual(is('paused'));
  expect(await said('resume', id)).toEqual(is('active'));
  expect(await said('stop', id, '--reason', 'Moved')).toEqual(is('stopped'));
  expect(await said('stop', id, '--reason', 'Moved')).toContain('Plan is stopped (409)');
});

test('rx demo --refills says what is not as expected, and the real date counts again', async () => {
  await setClock('2027-09-01');
  await setFault(dev, { target: 'pharmacy_a', operation: 'order', kind: 'status', status: 422 });
  const { exitCode, stdout } = await rx('demo', '--refills');
  await clearFaults(dev);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('NOT as expected: see the lines marked above.');
  expect(stdout.match(/│ NOT OK +│/g)).toHaveLength(5);
  expect(await readClock()).toMatchObject({ isReal: true });
});

test('the day that was set is still there after a restart', async () => {
  await setClock('2027-08-01');
  await system.stop(1_500);
  await start();
  expect(await readClock()).toEqual({ today: '2027-08-01', isReal: false });
});
