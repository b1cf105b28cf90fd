import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { closeWorkItem, openWorkItem } from '../../../db/work-items.js';
import type { AdminClaims } from '../../../platform/crypto/admin-token.js';
import { adminToken, callAs, eventually, shared } from '../../helpers/client.js';

interface Item {
  id: string;
  kind: string;
  state: string;
  answers: string[];
  references: Record<string, string>;
  closedBy: string | null;
  answer: string | null;
  dueAt: string;
}
interface List {
  workItems: Item[];
  nextCursor: string | null;
}
interface One {
  workItem: Item;
  history: { actor: string; action: string; answer: string | null; note: string | null }[];
}

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
});
afterAll(() => sql.end());

const as = async <T = Record<string, unknown>>(path: string, body?: unknown, token?: string) =>
  callAs<T>(dev, 'worklist', token ?? (await adminToken(dev)), {
    method: body === undefined ? 'GET' : 'POST',
    path,
    ...(body === undefined ? {} : { body }),
  });
const roleIn = (
  orgId: string,
  role: AdminClaims['memberships'][number]['role'],
  sub: string = randomUUID(),
) => adminToken(dev, { sub, memberships: [{ orgId, role }] });

/** An item of the organization service, once the worklist has heard of it. */
async function opened(organizationId: string | null = null, fact: string = randomUUID()): Promise<Item> {
  const taskId = `task-${fact}`;
  await sql.begin((sql) =>
    openWorkItem(sql, 'organization', {
      kind: 'domain_unverified',
      fact,
      reason: 'no_record',
      references: { taskId },
      organizationId,
    }),
  );
  return eventually(async () => {
    const { body } = await as<List>(`/v1/work-items?taskId=${taskId}&state=open`);
    return body.workItems[0];
  });
}

describe('GET /v1/work-items', () => {
  test('200 with an item that a service has opened, once however often it is reported', async () => {
    const fact = randomUUID();
    const item = await opened(null, fact);
    await opened(null, fact);
    const { body } = await as<List>(`/v1/work-items?taskId=task-${fact}`);
    expect(body).toEqual({
      workItems: [
        {
          id: item.id,
          kind: 'domain_unverified',
          reason: 'no_record',
          title: 'A custom domain was not verified',
          references: { taskId: `task-${fact}` },
          organizationId: null,
          state: 'open',
          answers: ['verify', 'dismiss'],
          openedAt: expect.any(String),
          dueAt: expect.any(String),
          closedAt: null,
          closedBy: null,
          answer: null,
          runUrl: null,
        },
      ],
      nextCursor: null,
    });
    const [first] = body.workItems as (Item & { openedAt: string })[];
    expect(Date.parse(first!.dueAt) - Date.parse(first!.openedAt)).toBe(24 * 3_600_000);
  });

  test('200 in pages, by when they are due, closed ones last', async () => {
    const organizationId = randomUUID();
    const items = [];
    for (let n = 0; n < 3; n += 1) items.push(await opened(organizationId));
    await as(`/v1/work-items/${items[0]!.id}/answer`, { answer: 'dismiss' });
    const query = `/v1/work-items?organizationId=${organizationId}&limit=2`;
    const { body: page } = await as<List>(query);
    const { body: last } = await as<List>(`${query}&cursor=${page.nextCursor ?? ''}`);
    expect([...page.workItems, ...last.workItems].map(({ id }) => id)).toEqual([
      items[1]!.id,
      items[2]!.id,
      items[0]!.id,
    ]);
    expect(last.nextCursor).toBeNull();
  });

  test('200 with the own organizations only, and those of none for superadmins alone', async () => {
    const own = randomUUID();
    const [mine, , nobodys] = [await opened(own), await opened(randomUUID()), await opened(null)];
    const token = await roleIn(own, 'support');
    const { body } = await as<List>('/v1/work-items', undefined, token);
    expect(body.workItems.map(({ id }) => id)).toEqual([mine.id]);
    expect(await as(`/v1/work-items/${nobodys.id}`, undefined, token)).toMatchObject({ status: 404 });
  });

  test('400 for a kind that there is not, 401 without a token', async () => {
    expect(await as('/v1/work-items?kind=odd')).toMatchObject({
      status: 400,
      body: { error: 'validation_failed' },
    });
    expect(await callAs(dev, 'worklist', undefined, { path: '/v1/work-items' })).toMatchObject({
      status: 401,
    });
  });
});

describe('POST /v1/work-items/:id/answer', () => {
  test('200 closes it at its service, by whom and with what; the same again is 200, anybody else 409', async () => {
    const organizationId = randomUUID();
    const { id } = await opened(organizationId);
    const adaId = randomUUID();
    const ada = await roleIn(organizationId, 'org_admin', adaId);
    const adaEmail = `${adaId}@test.example`;
    const ben = await roleIn(organizationId, 'org_admin');
    const answer = { answer: 'dismiss', note: 'A test domain' };
    const first = await as<One>(`/v1/work-items/${id}/answer`, answer, ada);
    expect(first).toMatchObject({
      status: 200,
      body: { workItem: { state: 'closed', closedBy: adaEmail, answer: 'dismiss' } },
    });
    expect(await as(`/v1/work-items/${id}/answer`, answer, ada)).toMatchObject({ status: 200 });
    expect(await as(`/v1/work-items/${id}/answer`, answer, ben)).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: `Closed by ${adaEmail} with dismiss` },
    });
    const [row] = await sql`select state, closed_by, answer from organization.work_item where id = ${id}`;
    expect(row).toEqual({ state: 'closed', closedBy: adaEmail, answer: 'dismiss' });
    await eventually(async () => {
      const { body } = await as<One>(`/v1/work-items/${id}`);
      return body.history.length === 3 && body.history;
    }).then((history) =>
      expect(history.map(({ actor, action, answer, note }) => [actor, action, answer, note])).toEqual([
        ['system', 'opened', null, null],
        [adaEmail, 'answered', 'dismiss', 'A test domain'],
        [adaEmail, 'closed', 'dismiss', null],
      ]),
    );
  });

  test('of two people at once one is 200 and the other 409', async () => {
    const organizationId = randomUUID();
    const { id } = await opened(organizationId);
    const tokens = await Promise.all([1, 2].map(() => roleIn(organizationId, 'org_admin')));
    const answers = await Promise.all(
      tokens.map((token) => as(`/v1/work-items/${id}/answer`, { answer: 'dismiss' }, token)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('400 for an answer that it does not take, 403 below org_admin, 404 for what there is not', async () => {
    const organizationId = randomUUID();
    const { id } = await opened(organizationId);
    expect(await as(`/v1/work-items/${id}/answer`, { answer: 'proceed' })).toMatchObject({ status: 400 });
    const token = await roleIn(organizationId, 'support');
    const refused = await as(`/v1/work-items/${id}/answer`, { answer: 'dismiss' }, token);
    expect(refused).toMatchObject({ status: 403 });
    const unknown = `/v1/work-items/${randomUUID()}/answer`;
    expect(await as(unknown, { answer: 'dismiss' })).toMatchObject({ status: 404 });
  });
});

describe('putting off and noting', () => {
  test('200 snoozed until then, and not overdue meanwhile; 400 for a time that is over', async () => {
    const { id, references } = await opened();
    await sql`update worklist.work_item set due_at = now() - interval '1 hour' where id = ${id}`;
    const overdue = async () => {
      const { body } = await as<List>(`/v1/work-items?overdue=true&taskId=${references['taskId']!}`);
      return body.workItems.length;
    };
    expect(await overdue()).toBe(1);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await as(`/v1/work-items/${id}/snooze`, { until })).toMatchObject({
      status: 200,
      body: { workItem: { state: 'snoozed' } },
    });
    expect(await overdue()).toBe(0);
    const past = new Date(Date.now() - 1000).toISOString();
    expect(await as(`/v1/work-items/${id}/snooze`, { until: past })).toMatchObject({ status: 400 });
  });

  test('200 with the counts of what the list of open items has, which leaves out snoozed ones', async () => {
    const organizationId = randomUUID();
    const token = await roleIn(organizationId, 'org_admin');
    const [{ id }] = [await opened(organizationId), await opened(organizationId)];
    const counted = async () => (await as('/v1/work-items/counts', undefined, token)).body['counts'];
    expect(await counted()).toEqual([{ kind: 'domain_unverified', open: 2, overdue: 0 }]);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await as(`/v1/work-items/${id}/snooze`, { until }, token)).toMatchObject({ status: 200 });
    expect(await counted()).toEqual([{ kind: 'domain_unverified', open: 1, overdue: 0 }]);
    const { body } = await as<List>('/v1/work-items?state=open', undefined, token);
    expect(body.workItems).toHaveLength(1);
  });

  test('200 for a note, which stands in the history', async () => {
    const { id } = await opened();
    expect(await as(`/v1/work-items/${id}/note`, { note: 'Asked the owner' })).toMatchObject({ status: 200 });
    const { body } = await as<One>(`/v1/work-items/${id}`);
    expect(body.history.at(-1)).toMatchObject({ action: 'noted', note: 'Asked the owner' });
  });

  test('409 once it is closed', async () => {
    const { id } = await opened();
    const [row] = await sql<{ fact: string }[]>`select fact from organization.work_item where id = ${id}`;
    await sql.begin((sql) =>
      closeWorkItem(sql, 'organization', { kind: 'domain_unverified', fact: row!.fact }),
    );
    await eventually(async () => (await as<One>(`/v1/work-items/${id}`)).body.workItem.state === 'closed');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await as(`/v1/work-items/${id}/snooze`, { until })).toMatchObject({
      status: 409,
      body: { message: 'Closed by system' },
    });
  });
});

test('the desk shows nothing of anybody before signing in, and runs its own script only', async () => {
  const response = await fetch(dev.services.worklist);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
});

test('signing in is the organization service’s: 200 for a code, 401 for a wrong one', async () => {
  const email = `${randomUUID()}@clinic.test`;
  const send = await callAs(dev, 'worklist', undefined, {
    method: 'POST',
    path: '/v1/auth/otp/send',
    body: { email },
  });
  expect(send).toMatchObject({ status: 200, body: { success: true } });
  const check = await callAs(dev, 'worklist', undefined, {
    method: 'POST',
    path: '/v1/auth/otp/check',
    body: { email, code: '000000' },
  });
  expect(check).toMatchObject({ status: 401 });
});
