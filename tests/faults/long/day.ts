import { randomUUID } from 'node:crypto';
import type { DevJson } from '../../../dev/dev-json.js';
import type { Sql } from '../../../db/client.js';
import { closeWorkItem, openWorkItem } from '../../../db/work-items.js';
import { approve, runsOf, semaglutideFor, submissionIdOf } from '../../api/orchestrator/approvals.js';
import { atPharmacy, booked, cancel } from '../../api/orchestrator/exceptions.js';
import { checkRefills, dayFromToday, newSchedule } from '../../api/orchestrator/refills.js';
import { adminToken, call, callAs, eventually, freshTask, sandbox } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { inState } from '../../helpers/prescription.js';

export interface Place {
  dev: DevJson;
  /** The database as its owner sees it. */
  sql: Sql;
  stateDir: string;
}

/** One of everything that a day brings, to its end. @throws Error when something is not answered as it should be */
export async function day(place: Place): Promise<void> {
  const { dev, sql } = place;
  const patient = await newPatient(dev, 'NY');
  const customer = await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  ok(await approve(dev, approval));
  const { taskId } = approval;
  await runsOf(dev, taskId);

  const [order] = await booked(dev, taskId);
  if (!order) throw new Error('no order was placed');
  await atPharmacy(dev, order, 'hold', { id: 'h1', code: 'clarify-rx' });
  await atPharmacy(dev, order, 'release', { id: 'h1' });
  await atPharmacy(dev, order, 'status', { status: 'shipped' });
  await eventually(async () => {
    const told = await sql<{ kind: string }[]>`
      select kind from router.callback where submission_id = ${submissionIdOf(dev, taskId)} and state = 'delivered'
    `;
    return told.some(({ kind }) => kind === 'update');
  });

  await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(0) });
  ok(await checkRefills(dev));

  const denial = { taskId: freshTask(), emrPatientId: patient.id, reason: 'Not indicated.' };
  ok(await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body: denial }));

  const taken = semaglutideFor(patient.id);
  ok(await approve(dev, taken));
  ok(await cancel(dev, { taskId: taken.taskId, reason: 'Prescribed twice.' }));

  const refused = semaglutideFor(patient.id);
  const bank = { customer, answer: 'card_declined', times: 1 };
  await sandbox(dev, '/stripe/bank', { method: 'POST', body: bank });
  ok(await approve(dev, refused));
  const again = { method: 'POST', path: `/orchestrator/payments/${refused.taskId}/retry` };
  ok(await call(dev, 'orchestrator', again));

  const submitted = ok(
    await call<{ submissionId: string }>(dev, 'router', {
      key: 'clinic',
      method: 'POST',
      path: '/rx/prescriptions/submit',
      body: inState('WA'),
    }),
  );
  ok(await call(dev, 'router', { key: 'clinic', path: `/rx/prescriptions/${submitted.submissionId}` }));
  ok(await call(dev, 'router', { key: 'clinic', path: '/rx/prescriptions' }));

  await workItem(place);
}

/** An item that is opened, looked for, put off, and closed. */
async function workItem({ dev, sql, stateDir }: Place): Promise<void> {
  const taskId = freshTask();
  const fact = { kind: 'approval_failed', fact: taskId } as const;
  const token = await adminToken(dev, {}, stateDir);
  const items = async (query: string) =>
    ok(
      await callAs<{ workItems: { id: string }[] }>(dev, 'worklist', token, {
        path: `/v1/work-items?${query}`,
      }),
    ).workItems;
  await sql.begin((sql) =>
    openWorkItem(sql, 'orchestrator', { ...fact, reason: 'test', references: { taskId } }),
  );
  const [item] = await eventually(async () => {
    const found = await items(`taskId=${taskId}&state=open`);
    return found.length > 0 && found;
  });
  for (const query of [
    '',
    'state=open',
    'state=closed',
    'state=snoozed',
    'overdue=true',
    'kind=domain_unverified',
    `organizationId=${randomUUID()}`,
  ])
    await items(query);
  ok(await callAs(dev, 'worklist', token, { path: `/v1/work-items/${item?.id}` }));
  await sql.begin((sql) => closeWorkItem(sql, 'orchestrator', fact));
  await eventually(async () => (await items(`taskId=${taskId}&state=closed`)).length > 0);
}

/** Not Jest's: a measurement lives through such days too. */
function ok<T>({ status, body }: { status: number; body: T }): T {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
