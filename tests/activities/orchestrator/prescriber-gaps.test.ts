import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPrescriberActivities } from '../../../activities/orchestrator/prescribers.js';
import { createSql } from '../../../db/client.js';
import { openPrescriberGap } from '../../../db/orchestrator/prescriber-gaps.js';
import type { ResolvedPrescriber } from '../../../domain/orchestrator/prescribers.js';
import { createRegistryClient } from '../../../integrations/registry/client.js';
import { createLogger } from '../../../platform/logger.js';
import { adminToken, atOnce, call, callAs, eventually, shared } from '../../helpers/client.js';

const dev = shared();
const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 4 });
afterAll(() => sql.end());

/** The seeds have no rule for this platform. */
const place = { platform: 'platform_b', state: 'SD' };
const items = ({ platform, state } = place) => sql<
  { id: string; state: string; closedBy: string | null; openedAt: Date }[]
>`
  select id, state, reason, refers_to, answers, closed_by, opened_at from orchestrator.work_item
  where kind = 'prescriber_unlicensed' and fact = ${`${platform}:${state}`}
`;
const newest = async () => (await items())[0];

const nobody = { firstName: 'No', lastName: 'Body', suffix: '', npi: '1000000020', emrPractitionerId: '' };
const { key: keyId, secret } = dev.apiKeys['orchestrator']!;
const activities = createPrescriberActivities({
  sql,
  registry: createRegistryClient({ party: 'Registry', baseUrl: dev.services.registry, keyId, secret }),
  platform: place.platform,
  staticPrescribers: { A: nobody, B: nobody },
  logger: createLogger({ level: 'silent' }),
});
/** Step 3 of an order there. @returns the prescriber's last name */
async function resolveThere(): Promise<string> {
  const step = () => activities.resolvePrescriber(place);
  const running = new MockActivityEnvironment().run<[], ResolvedPrescriber, typeof step>(step);
  return (await running).lastName;
}

const registry = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await call<T>(dev, 'registry', { key: 'admin', method, path, body });
  expect([200, 201]).toContain(answer.status);
  return answer.body;
};
/** Makes the registry have a match there. @returns what ends it */
async function match(): Promise<() => Promise<unknown>> {
  const { physician } = await registry<{ physician: { id: string } }>('POST', '/physicians', {
    firstName: 'Kim',
    lastName: 'Novak',
    npi: '1000000012',
    platform: place.platform,
  });
  const physicianId = physician.id;
  await registry('POST', `/physicians/${physicianId}/licenses`, {
    state: place.state,
    licenseNumber: 'SD-1',
    licenseType: 'MD',
  });
  const { rule } = await registry<{ rule: { id: string } }>('POST', '/routing-rules', {
    ...place,
    physicianId,
    priority: 1,
  });
  return () => registry('DELETE', `/routing-rules/${rule.id}`);
}

test('a state without a prescriber is one item until the registry has one, and a dismissed one waits for the next gap', async () => {
  expect(await resolveThere()).toBe('Body');
  await resolveThere();
  expect(await items()).toEqual([
    {
      id: expect.any(String),
      state: 'open',
      reason: 'no_licensed_prescriber',
      refersTo: place,
      answers: ['dismiss'],
      closedBy: null,
      openedAt: expect.any(Date),
    },
  ]);
  const { id } = (await newest())!;
  const endMatch = await match();
  // The sweep asks the registry, nobody has to order.
  await eventually(async () => (await newest())?.state === 'closed');
  expect(await newest()).toMatchObject({ id, closedBy: 'system' });
  await endMatch();
  await resolveThere();
  expect(await newest()).toMatchObject({ id, state: 'open' });

  const path = `/v1/work-items/${id}`;
  const token = await adminToken(dev);
  const dismissal = { method: 'POST', path: `${path}/answer`, body: { answer: 'dismiss' } };
  // The item was open, closed and is open again. The worklist may still have any of the three.
  await eventually(async () => (await callAs(dev, 'worklist', token, dismissal)).status === 200);
  await resolveThere();
  expect(await newest()).toMatchObject({ state: 'closed', closedBy: expect.stringContaining('@') });

  const endAgain = await match();
  // An order that finds a prescriber notes it, before any sweep does. A registry that a busy machine holds up counts as away.
  await eventually(async () => (await resolveThere()) === 'Novak');
  await endAgain();
  await resolveThere();
  expect(await newest()).toMatchObject({ id, state: 'open', closedBy: null });
});

test('of many orders at once one opens the item', async () => {
  const elsewhere = { ...place, state: 'GU' };
  await atOnce(8, () => openPrescriberGap(sql, elsewhere));
  const opened = await items(elsewhere);
  expect(opened).toHaveLength(1);
  const events = await sql`
    select from orchestrator.outbox where detail_type = 'work_item.opened' and aggregate_id = ${opened[0]!.id}
  `;
  expect(events).toHaveLength(1);
});

test('a registry that finds nobody leaves no access event, since nobody’s record was read', async () => {
  const eventsIn = async (state: string) => {
    const requestId = randomUUID();
    const path = `/route?platform=platform_a&state=${state}`;
    await call(dev, 'registry', { key: 'registry', path, headers: { 'x-request-id': requestId } });
    return (await sql`select from access.access_event where request_id = ${requestId}`).length;
  };
  expect([await eventsIn('VI'), await eventsIn('NY')]).toEqual([0, 1]);
});
