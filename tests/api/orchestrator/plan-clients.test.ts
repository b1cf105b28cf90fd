import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { adminToken, call, callAs, eventually, shared } from '../../helpers/client.js';
import { withKey } from '../../cli/rx.js';
import { bodyOf, type Plan, type PlanAnswer } from './plans.js';
import { dayFromToday } from './refills.js';

let dev: DevJson;
beforeAll(async () => {
  dev = await withKey(shared(), 'acme', '--scopes', 'orchestrator', '--client', 'acme');
  dev = await withKey(dev, 'beta', '--scopes', 'orchestrator', '--client', 'beta');
});

const plansAt = (key: string, path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') =>
  call<PlanAnswer>(dev, 'orchestrator', {
    ...{ key, method, path: `/orchestrator/plans${path}` },
    ...(body === undefined ? {} : { body }),
  });
/** A plan before its second fill, which is due and waits for a check-in. */
async function runningOf(key: string, fields: object = {}): Promise<Plan> {
  const running = { phase: 1, sent: 1, lastFillDate: dayFromToday(-27) };
  const { status, body } = await plansAt(key, '', bodyOf({ running, ...fields }));
  expect([key, status]).toEqual([key, 201]);
  return body.plan;
}
const clientsOf = (plans: Plan[]) => plans.map((plan) => (plan as { client?: string }).client);

describe('a plan of a named client (D140)', () => {
  test('does not exist for other clients, whatever they ask', async () => {
    const { id } = await runningOf('acme');
    for (const key of ['approvals', 'beta', 'admin'])
      for (const [path, body] of [
        ['', undefined],
        ['/check-ins', { answers: {} }],
        ['/decisions', { phase: 1, by: 'Dr. Hart' }],
        ['/renew', { prescribedUntil: dayFromToday(90), by: 'Dr. Hart' }],
        ['/pause', {}],
        ['/resume', {}],
        ['/stop', { reason: 'Mine?' }],
        [`/check-ins/${randomUUID()}`, undefined],
      ] as const)
        expect([key, path, (await plansAt(key, `/${id}${path}`, body)).status]).toEqual([key, path, 404]);
    expect((await plansAt('acme', `/${id}`)).body).toMatchObject({
      plan: { state: 'waiting' },
      checkIns: [],
      decisions: [],
    });
  });

  test('stands beside one of another client for the same patient, treatment and reference', async () => {
    const same = { emrPatientId: randomUUID(), planRef: randomUUID() };
    const [ours, acmes] = [await runningOf('approvals', same), await runningOf('acme', same)];
    const listed = async (key: string, query = '') => {
      const { body } = await plansAt(key, `?emrPatientId=${same.emrPatientId}${query}`);
      return [body.plans.map(({ id }) => id), clientsOf(body.plans)];
    };
    expect(await listed('acme')).toEqual([[acmes.id], [undefined]]);
    expect(await listed('approvals')).toEqual([[ours.id], [undefined]]);
    expect(await listed('beta')).toEqual([[], []]);
    expect(await listed('admin')).toEqual([
      [acmes.id, ours.id],
      ['acme', ''],
    ]);
    expect(await listed('admin', '&client=acme')).toEqual([[acmes.id], ['acme']]);
  });

  test('is acted on by scope admin where it names the client', async () => {
    const { id } = await runningOf('acme');
    const flagged = await plansAt('admin', `/${id}/check-ins?client=acme`, { answers: {}, flagged: true });
    expect(flagged.status).toBe(201);
    const decided = await plansAt('admin', `/${id}/decisions?client=acme`, { phase: 2, by: 'Dr. Hart' });
    expect([decided.status, decided.body.plan.phase]).toEqual([200, 2]);
    const mine = bodyOf({ startDate: dayFromToday(3) });
    const made = await plansAt('admin', '?client=acme', mine);
    expect((await plansAt('acme', `/${made.body.plan.id}`)).status).toBe(200);
  });

  test('is looked at by the check of its own client', async () => {
    const emrPatientId = randomUUID();
    const { id } = await runningOf('acme', { emrPatientId });
    const seenBy = async (key: string) => {
      const { body } = await call<{ results: { reason?: string }[] }>(dev, 'orchestrator', {
        ...{ key, method: 'POST', path: '/orchestrator/refill-check', body: { scheduleIds: [id] } },
      });
      return body.results.map(({ reason }) => reason);
    };
    expect([await seenBy('beta'), await seenBy('acme')]).toEqual([[], ['gate']]);
  });

  test('has work items that say whose it is, and people at the desk answer them', async () => {
    const { id } = await runningOf('acme');
    await plansAt('acme', `/${id}/check-ins`, { answers: {}, flagged: true });
    type Item = { id: string; references: Record<string, string> };
    const desk = async <T>(path: string, body?: unknown) =>
      callAs<T>(dev, 'worklist', await adminToken(dev), {
        path: `/v1/work-items${path}`,
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
    const item = await eventually(async () => {
      const path = '?kind=decision_needed&state=open&limit=200';
      const { body } = await desk<{ workItems: Item[] }>(path);
      return body.workItems.find(({ references }) => references['planId'] === id);
    });
    expect(item.references).toMatchObject({ planId: id, client: 'acme' });
    const read = await desk<{ context: object }>(`/${item.id}`);
    expect(read.body.context).toMatchObject({ directions: 'inject 10 units weekly' });
    const given = await desk(`/${item.id}/answer`, {
      answer: 'decide',
      data: { phase: 2 },
      note: 'Goes well',
    });
    expect([given.status, given.body]).toMatchObject([200, { workItem: { state: 'closed' } }]);
    const { decisions } = (await plansAt('acme', `/${id}`)).body;
    expect(decisions).toMatchObject([{ phase: 2, by: 'root@scriptrail.test', reason: 'Goes well' }]);
  });
});
