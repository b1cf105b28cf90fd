// An order that the pharmacy does not have (D138), while processes die and the pharmacy is away.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { createSql, type Sql } from '../../../db/client.js';
import {
  approve,
  callsTo,
  chargesOf,
  semaglutideFor,
  submissionIdOf,
} from '../../api/orchestrator/approvals.js';
import { atPharmacy, booked, refundsOf, reroute } from '../../api/orchestrator/exceptions.js';
import { adminToken, call, callAs, eventually } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { clearFaults, setFault } from '../faults.js';

let running: TestSystem;
let dev: DevJson;
/** The database as its owner sees it. */
let sql: Sql;
beforeAll(async () => {
  running = await startTestSystem({
    split: true,
    env: { ORDER_SETTLE_SECONDS: '3,6,9', DRAIN_SECONDS: '4' },
  });
  dev = running.system.dev;
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
});
afterEach(() => clearFaults(dev));
afterAll(async () => {
  await sql.end();
  await running.stop();
});

const ofOrder = <T = Record<string, unknown>>(reference: string, what = '', method = 'POST') =>
  call<T>(dev, 'router', {
    key: 'orchestrator',
    method,
    path: `/rx/prescriptions/${submissionIdOf(dev, reference)}${what}`,
  });
const recordOf = async (reference: string) => (await ofOrder(reference, '', 'GET')).body;
/** The calls of an operation about the order of a reference. */
const callsAbout = async (operation: string, reference: string) =>
  (await callsTo(dev, 'pharmacy_a')).filter(
    (one) =>
      one.operation === operation &&
      `${one.path} ${JSON.stringify(one.body)}`.includes(submissionIdOf(dev, reference)),
  );

/** An approved task whose order is lost at the pharmacy. */
async function forgotten() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  const { taskId } = approval;
  expect((await approve(dev, approval)).status).toBe(200);
  const [order] = await booked(dev, taskId);
  await atPharmacy(dev, order!, 'forget', {});
  return { taskId };
}
const itemOf = (taskId: string, state: string) =>
  eventually(async () => {
    const path = `/v1/work-items?taskId=${taskId}&kind=order_missing`;
    const token = await adminToken(dev, {}, running.stateDir);
    const { body } = await callAs<{ workItems: { id: string; state: string }[] }>(dev, 'worklist', token, {
      path,
    });
    return body.workItems.find((item) => item.state === state);
  });
/** The first call works and its answer is lost; later ones get no answer. */
const lostAnswers = [{ kind: 'lost-answer', times: 1 }, { kind: 'hang' }] as const;
/** Reports the loss, answers the work item, and kills the workers at the first call about the order of `reference`. */
async function killDuringOrderAgain(taskId: string, operation: string, reference: string): Promise<void> {
  expect((await ofOrder<{ found: boolean }>(taskId, '/missing')).body.found).toBe(false);
  const { id } = await itemOf(taskId, 'open');
  const before = (await callsAbout(operation, reference)).length;
  const about = submissionIdOf(dev, reference);
  for (const fault of lostAnswers) await setFault(dev, { target: 'pharmacy_a', operation, about, ...fault });
  const path = `/v1/work-items/${id}/answer`;
  const body = { answer: 'order_again' };
  const token = await adminToken(dev, {}, running.stateDir);
  // Whatever it is told; the item shows the end.
  void callAs(dev, 'worklist', token, { method: 'POST', path, body }).catch(() => undefined);
  await eventually(async () => (await callsAbout(operation, reference)).length > before);
  process.kill(dev.pids.workers, 'SIGKILL');
}
const settled = (taskId: string) =>
  eventually(async () => {
    const [task] = await sql<{ isOver: boolean }[]>`
      select changing is null and exists (
        select from orchestrator.order_reference ref
        where ref.task_id = task.task_id and n = 2 and submission_id is not null
      ) as is_over
      from orchestrator.task where task_id = ${taskId}
    `;
    return task!.isOver;
  });

test.each([
  ['before the old order is cancelled by its reference', 'find', (taskId: string) => taskId],
  ['while the new order is placed and its answers are lost', 'order', (taskId: string) => `${taskId}#2`],
])(
  'workers killed during order_again, %s: one order in the books, one charge',
  async (_when, operation, about) => {
    const { taskId } = await forgotten();
    await killDuringOrderAgain(taskId, operation, about(taskId));
    await clearFaults(dev);
    await settled(taskId);
    expect(await booked(dev, taskId)).toMatchObject([{ forgotten: true }]);
    expect(await booked(dev, `${taskId}#2`)).toMatchObject([{ pharmacy: 'pharmacy_a', moves: [] }]);
    expect(await booked(dev, `${taskId}#3`)).toEqual([]);
    expect([(await chargesOf(dev, taskId)).length, await refundsOf(dev, taskId)]).toEqual([1, []]);
    await itemOf(taskId, 'closed');
  },
);

test('the same with another key for the repeated order makes two (control)', async () => {
  const { taskId } = await forgotten();
  const reference = `${taskId}#2`;
  await killDuringOrderAgain(taskId, 'order', reference);
  await sql`update router.submission set try = try + 1 where id = ${submissionIdOf(dev, reference)}`;
  await clearFaults(dev);
  await settled(taskId);
  expect(await booked(dev, reference)).toHaveLength(2);
});

test('a pharmacy that is away is asked at the pace of lost answers: 202 until then, and a reroute waits', async () => {
  const { taskId } = await forgotten();
  await setFault(dev, {
    target: 'pharmacy_a',
    operation: 'find',
    kind: 'status',
    status: 503,
    about: submissionIdOf(dev, taskId),
  });
  const asked = await ofOrder(taskId, '/missing');
  expect([asked.status, asked.body]).toEqual([
    202,
    { submissionId: submissionIdOf(dev, taskId), found: null },
  ]);
  // At once and three times more; then a person is asked.
  expect((await callsAbout('find', taskId)).length).toBe(4);
  expect(await recordOf(taskId)).toMatchObject({ status: 'submitted' });
  const items = () =>
    sql`select kind, state from router.work_item where fact = ${submissionIdOf(dev, taskId)}`;
  expect(await items()).toEqual([{ kind: 'order_unknown', state: 'open' }]);

  const moving = reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
  await eventually(async () => (await recordOf(taskId))['cancellation'] !== null);
  await clearFaults(dev);
  const { status, body } = await moving;
  expect([200, 202]).toContain(status);
  if (status === 200) expect(body).toMatchObject({ reference: `${taskId}#2`, pharmacy: 'pharmacy_b' });
  await settled(taskId);
  expect(await recordOf(taskId)).toMatchObject({ status: 'failed' });
  expect(await booked(dev, `${taskId}#2`)).toMatchObject([{ pharmacy: 'pharmacy_b', moves: [] }]);
  expect(await items()).toEqual([{ kind: 'order_unknown', state: 'closed' }]);
});
