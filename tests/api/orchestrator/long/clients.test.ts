import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { taskKey } from '../../../../domain/clients.js';
import { createOrderClient } from '../../../../integrations/router/orders.js';
import type { DevJson } from '../../../../dev/dev-json.js';
import { uuidV5 } from '../../../../platform/crypto/ids.js';
import {
  adminToken,
  call,
  callAs,
  eventually,
  freshTask,
  patientIn,
  shared,
} from '../../../helpers/client.js';
import { newPatient, saveCard } from '../../../helpers/patients.js';
import { withKey } from '../../../cli/rx.js';
import { approve, chargesOf, messagesTo, ordersUnder, semaglutideFor } from '../approvals.js';
import { atPharmacy, type BookedOrder, cancel, refundsOf, reroute } from '../exceptions.js';
import { dayFromToday, schedulesAt } from '../refills.js';
import { lost, replace } from '../replacements.js';

let dev: DevJson;
let sql: Sql;
beforeAll(async () => {
  sql = createSql(shared().databaseUrl, { applicationName: 'test', max: 1 });
  dev = await withKey(shared(), 'acme', '--scopes', 'orchestrator', '--client', 'acme');
  dev = await withKey(dev, 'beta', '--scopes', 'orchestrator', '--client', 'beta');
});
afterAll(() => sql.end());

const sourceOf = (client: string) => (client === '' ? 'orchestrator' : `orchestrator:${client}`);
const keyOf = { '': 'approvals', acme: 'acme', beta: 'beta' } as const;
type Client = keyof typeof keyOf;
const clients = Object.keys(keyOf) as Client[];

const booked = (client: string, reference: string) =>
  ordersUnder(
    dev,
    uuidV5('submission', dev.apiKeys['orchestrator']!.key, sourceOf(client), reference),
  ) as Promise<BookedOrder[]>;

interface Listed {
  id: string;
  taskId: string;
  reference: string;
  client?: string;
  cancellation: { state: string } | null;
  replacements: { reference: string; state: string }[];
}
const get = <T>(path: string, key: string) => call<T>(dev, 'orchestrator', { path, key });
const statusOf = (taskId: string, key: string, query = '') =>
  get<{ taskId: string; runs: Listed[] }>(`/orchestrator/status/${encodeURIComponent(taskId)}${query}`, key);
const runsListed = async (key: string, query = '') =>
  (await get<{ runs: Listed[] }>(`/orchestrator/runs?limit=100${query}`, key)).body.runs;

/** One approval of the same task id by each of the three clients, each for a patient of its own. */
async function approvedByAll(state = 'WA') {
  const taskId = freshTask();
  const patients = {} as Record<Client, Awaited<ReturnType<typeof newPatient>>>;
  for (const client of clients) {
    const patient = await newPatient(dev, state);
    await saveCard(dev, patient);
    patients[client] = patient;
    const answer = await approve(dev, { ...semaglutideFor(patient.id), taskId }, { key: keyOf[client] });
    expect([client, answer.status]).toEqual([client, 200]);
  }
  return { taskId, patients };
}

describe('clients apart (D140)', () => {
  test('the daily close knows the order of each client under the reference of its own task', async () => {
    const from = new Date();
    const { taskId } = await approvedByAll();
    const { key: keyId, secret } = dev.apiKeys['orchestrator']!;
    const orders = createOrderClient({ party: 'Router', baseUrl: dev.services.router, keyId, secret });
    const limits = { timeoutMs: 5_000, signal: AbortSignal.timeout(20_000) };
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await orders.listOrders({ from, to: new Date(Date.now() + 60_000), cursor }, limits);
      listed.push(...page.orders.map(({ reference }) => reference));
      cursor = page.nextCursor;
    } while (cursor !== null);
    const keys = clients.map((client) => taskKey(client, taskId));
    expect(listed.filter((reference) => keys.includes(reference)).sort()).toEqual(keys.sort());
    const found = await Promise.all(keys.map((key) => orders.findOrderOf(key, limits)));
    expect(new Set(found.map((order) => order !== 'lost' && order?.id)).size).toBe(clients.length);
  });

  test('equal task ids of three clients are three tasks, with orders, charges and workflows of their own', async () => {
    const { taskId, patients } = await approvedByAll();
    for (const client of clients) {
      const { status, body } = await statusOf(taskId, keyOf[client]);
      expect([status, body.taskId, body.runs.map((run) => run.taskId)]).toEqual([200, taskId, [taskId]]);
      expect(await booked(client, taskId)).toHaveLength(1);
    }
    const charges = await chargesOf(dev, taskId);
    expect(charges.map(({ metadata }) => [metadata['client'] ?? '', metadata['charge_key']]).sort()).toEqual([
      ['', `charge:${taskId}:1`],
      ['acme', `charge@acme:${taskId}:1`],
      ['beta', `charge@beta:${taskId}:1`],
    ]);
    const workflows = await sql<{ client: string; workflowId: string }[]>`
      select client, workflow_id from orchestrator.run where emr_patient_id = any(${clients.map((client) => patients[client].id)})
      order by client
    `;
    expect(workflows.map(({ client, workflowId }) => [client, workflowId])).toEqual([
      ['', `approval:${taskId}`],
      ['acme', `approval:acme ${taskId}`],
      ['beta', `approval:beta ${taskId}`],
    ]);
    const again = await approve(dev, { ...semaglutideFor(patients.acme.id), taskId }, { key: 'acme' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });

  test('a task of one client does not exist for the others: status, timeline, cancel, reroute, replace, pay', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    const { taskId } = approval;
    expect((await approve(dev, approval, { key: 'acme' })).status).toBe(200);
    expect((await statusOf(taskId, 'acme')).status).toBe(200);
    for (const key of ['approvals', 'beta', 'admin']) {
      for (const id of [taskId, `acme\u001f${taskId}`, `acme ${taskId}`]) {
        expect([id, (await statusOf(id, key)).status]).toEqual([id, 404]);
        const path = `/orchestrator/timeline/${encodeURIComponent(id)}`;
        expect((await get(path, key)).status).toBe(404);
      }
      expect((await cancel(dev, { taskId, reason: 'Mine?' }, key)).status).toBe(404);
      expect((await reroute(dev, { taskId, pharmacy: 'pharmacy_b' }, key)).status).toBe(404);
      expect((await replace(dev, lost(taskId), key)).status).toBe(404);
      const retry = { method: 'POST', path: `/orchestrator/payments/${taskId}/retry`, key };
      expect((await call(dev, 'orchestrator', retry)).status).toBe(404);
    }
    const timeline = await get<{ taskId: string; entries: { kind: string; service: string }[] }>(
      `/orchestrator/timeline/${taskId}`,
      'acme',
    );
    expect(timeline.body.taskId).toBe(taskId);
    expect(timeline.body.entries.filter(({ service }) => service === 'router').length).toBeGreaterThan(0);
    expect(JSON.stringify(timeline.body)).not.toContain('\\u001f');
  });

  test('a cancellation of one client leaves the equal tasks of the others, and names the order to the patient', async () => {
    const { taskId, patients } = await approvedByAll();
    const { status, body } = await cancel(dev, { taskId, reason: 'Prescribed twice.' }, 'acme');
    expect([status, body.taskId, body.cancellation.state, body.cancellation.refundedCents]).toEqual([
      200,
      taskId,
      'approved',
      29_900,
    ]);
    expect((await refundsOf(dev, taskId)).map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      `refund:charge@acme:${taskId}:1`,
    ]);
    const states = [];
    for (const client of clients)
      states.push((await statusOf(taskId, keyOf[client])).body.runs[0]?.cancellation?.state);
    expect(states).toEqual([undefined, 'approved', undefined]);
    const told = await eventually(async () =>
      (await messagesTo(dev, patients.acme)).find(({ text }) => text?.includes('Prescribed twice.')),
    );
    expect(told.text).not.toContain('\u001f');
  });

  test('a denial, a reroute and a replacement are those of the client', async () => {
    const { taskId } = await approvedByAll();
    const moved = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' }, 'beta');
    expect([moved.status, moved.body.reference]).toEqual([200, `${taskId}#2`]);
    expect([await booked('acme', `${taskId}#2`), await booked('', `${taskId}#2`)]).toEqual([[], []]);
    expect(await booked('beta', `${taskId}#2`)).toHaveLength(1);

    const [order] = await booked('acme', taskId);
    await atPharmacy(dev, order!, 'status', { status: 'shipped', trackingNumber: '1Z999', carrier: 'UPS' });
    const replaced = await eventually(async () => {
      const answer = await replace(dev, lost(taskId), 'acme');
      return answer.status === 409 ? undefined : answer;
    });
    expect([replaced.status, replaced.body.replacement.reference]).toEqual([200, `${taskId}~1`]);
    expect(await booked('acme', `${taskId}~1`)).toHaveLength(1);
    const { body } = await statusOf(taskId, 'acme');
    expect(body.runs[0]?.replacements.map(({ reference }) => reference)).toEqual([`${taskId}~1`]);
    expect((await replace(dev, lost(taskId), 'approvals')).body.error).toBe('The order has not shipped');

    const denial = { taskId: freshTask() };
    const deny = (key: string) =>
      call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body: denial, key });
    expect((await deny('acme')).status).toBe(200);
    expect((await statusOf(denial.taskId, 'beta')).status).toBe(404);
    const repeated = await deny('acme');
    const other = await deny('beta');
    expect([repeated, other].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      'true',
      null,
    ]);
  });

  test('schedules and refills belong to a client, and its check runs its own', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const due = {
      emrPatientId: patient.id,
      medication: 'semaglutide',
      totalRefillsAllowed: 3,
      nextFillDate: dayFromToday(0),
    };
    const make = async (key: string) =>
      (await schedulesAt(dev, '', { method: 'POST', body: due, key })).body.schedule.id;
    const [ours, acmes] = [await make('approvals'), await make('acme')];
    const listed = async (key: string, query = '') =>
      (await schedulesAt(dev, `?emrPatientId=${patient.id}${query}`, { key })).body.schedules.map(
        (schedule) => [schedule.id, (schedule as { client?: string }).client],
      );
    expect(await listed('acme')).toEqual([[acmes, undefined]]);
    expect(await listed('approvals')).toEqual([[ours, undefined]]);
    expect(await listed('beta')).toEqual([]);
    expect(await listed('admin')).toEqual([
      [acmes, 'acme'],
      [ours, ''],
    ]);
    expect(await listed('admin', '&client=acme')).toEqual([[acmes, 'acme']]);
    for (const suffix of ['', '/pause', '/skip']) {
      const method = suffix === '' ? 'GET' : 'POST';
      const options = { method, key: 'beta', ...(suffix === '/skip' && { body: {} }) };
      expect((await schedulesAt(dev, `/${acmes}${suffix}`, options)).status).toBe(404);
    }
    expect((await schedulesAt(dev, `/${acmes}?client=acme`, { key: 'admin' })).status).toBe(200);

    const { body } = await call<{ results: { scheduleId: string; processed: boolean }[] }>(
      dev,
      'orchestrator',
      {
        method: 'POST',
        path: '/orchestrator/refill-check',
        key: 'acme',
      },
    );
    const results = body.results.filter(({ scheduleId }) => [ours, acmes].includes(scheduleId));
    expect(results).toMatchObject([{ scheduleId: acmes, processed: true }]);
    expect(await booked('acme', `refill-${acmes}-1`)).toHaveLength(1);
    expect((await statusOf(`refill-${acmes}`, 'acme')).status).toBe(200);
    expect((await statusOf(`refill-${acmes}`, 'approvals')).status).toBe(404);
    expect((await cancel(dev, { taskId: `refill-${acmes}`, reason: 'Mine?' }, 'beta')).status).toBe(404);
    const { status } = await cancel(dev, { taskId: `refill-${acmes}`, reason: 'Stop.' }, 'acme');
    expect(status).toBe(200);
  });

  test('an approval replaces the refills of its own client only (D40)', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    for (const key of ['approvals', 'acme', 'acme'])
      expect((await approve(dev, semaglutideFor(patient.id), { key })).status).toBe(200);
    const { schedules } = (await schedulesAt(dev, `?emrPatientId=${patient.id}`, { key: 'admin' })).body;
    expect(schedules.map(({ status, ...rest }) => [(rest as { client?: string }).client, status])).toEqual([
      ['acme', 'active'],
      ['acme', 'cancelled'],
      ['', 'active'],
    ]);
  });

  test('lists have the client’s own; admin sees all with their client and names one, and work items say whose', async () => {
    const taskId = freshTask();
    const approval = { ...semaglutideFor(patientIn(dev, 'CA')), taskId };
    for (const key of ['acme', 'approvals']) expect((await approve(dev, approval, { key })).status).toBe(500);
    const mine = (runs: Listed[]) => runs.filter((run) => run.taskId === taskId).map(({ client }) => client);
    expect(mine(await runsListed('acme'))).toEqual([undefined]);
    expect(mine(await runsListed('beta'))).toEqual([]);
    expect(mine(await runsListed('admin'))).toEqual(['', 'acme']);
    expect(mine(await runsListed('admin', '&client=acme'))).toEqual(['acme']);
    expect((await statusOf(taskId, 'admin', '?client=acme')).body.runs).toHaveLength(1);
    expect((await statusOf(taskId, 'admin', '?client=Acme')).status).toBe(400);

    const items = await eventually(async () => {
      const { body } = await callAs<{ workItems: { id: string; references: Record<string, string> }[] }>(
        dev,
        'worklist',
        await adminToken(dev),
        { path: '/v1/work-items?kind=approval_failed&limit=100' },
      );
      const found = body.workItems.filter(({ references }) => references['taskId'] === taskId);
      return found.length === 2 ? found : undefined;
    });
    expect(items.map(({ references }) => references['client'] ?? '').sort()).toEqual(['', 'acme']);
    const timeline = await callAs<{ entries: { service: string }[] }>(
      dev,
      'worklist',
      await adminToken(dev),
      {
        path: `/v1/timeline/${taskId}?client=acme`,
      },
    );
    expect(timeline.body.entries.filter(({ service }) => service === 'worklist')).toHaveLength(1);
  });

  test('preflight judges the task of its own client', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    expect((await approve(dev, approval, { key: 'acme' })).status).toBe(200);
    const preflight = async (key: string) => {
      const body = { ...approval, dosage: 'Another.' };
      const path = '/orchestrator/preflight';
      const answer = await call<{ findings: { code: string }[] }>(dev, 'orchestrator', {
        method: 'POST',
        path,
        body,
        key,
      });
      return answer.body.findings.map(({ code }) => code);
    };
    expect(await preflight('acme')).not.toEqual([]);
    expect(await preflight('beta')).toEqual([]);
  });
});
