import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { developmentSuperadmin } from '../../../dev/seed/admins.js';
import { adminToken, callAs, eventually, sandbox } from '../../helpers/client.js';
import { clearFaults, faultsMet, setFault } from '../faults.js';
import { dev, sql, stateDir } from '../faulty-system.js';
import { mailsTo } from '../../api/intake/visitors.js';

let token: string;
beforeAll(async () => {
  token = await adminToken(dev, {}, stateDir);
});

const fresh = () => ({ slug: `t-${randomUUID()}`, displayName: 'Clinic', kind: 'dtc' });
const create = (body: ReturnType<typeof fresh>) =>
  callAs<{ organization: { id: string; emrOrganizationId: string }; error: string }>(
    dev,
    'organization',
    token,
    { method: 'POST', path: '/v1/organizations', body },
  );
interface EmrOrganization {
  id: string;
  name: string;
}
/** All that the EMR holds of an organization of ours. */
async function inEmr(organizationId: string): Promise<EmrOrganization[]> {
  const response = await fetch(`${dev.emr.baseUrl}/Organization?identifier=${organizationId}`, {
    headers: { authorization: `Bearer ${dev.emr.token}`, 'x-sandbox-bypass': '1' },
  });
  const { entry = [] } = (await response.json()) as { entry?: { resource: EmrOrganization }[] };
  return entry.map(({ resource: { id, name } }) => ({ id, name }));
}
const noteOf = async (slug: string) => {
  const [note] = await sql<{ organizationId: string }[]>`
    select organization_id from organization.creation where slug = ${slug}
  `;
  return note?.organizationId;
};
const storedWith = async (slug: string) =>
  (await sql`select from organization.organization where slug = ${slug}`).length;
const eventsOf = async (id: string) =>
  (await sql`select from organization.outbox where aggregate_id = ${id}`).length;

describe('the EMR away while an organization is created', () => {
  test.each([
    ['refuses connections', { kind: 'drop' }],
    ['answers 503', { kind: 'status', status: 503 }],
    ['refuses the token', { kind: 'status', status: 401 }],
  ] as const)(
    '502 emr_unavailable when it %s, nothing stored, and a retry makes one',
    async (_how, fault) => {
      await setFault(dev, { target: 'emr', ...fault });
      const body = fresh();
      const refused = await create(body);
      expect([refused.status, refused.body.error]).toEqual([502, 'emr_unavailable']);
      const id = await noteOf(body.slug);
      expect([await storedWith(body.slug), await eventsOf(id!)]).toEqual([0, 0]);
      await clearFaults(dev);
      const { status, body: made } = await create(body);
      expect([status, made.organization.id]).toEqual([201, id]);
      expect(await inEmr(id!)).toEqual([{ id: made.organization.emrOrganizationId, name: 'Clinic' }]);
      expect(await eventsOf(id!)).toBe(1);
    },
  );

  test('502 when it hangs', async () => {
    await setFault(dev, { target: 'emr', kind: 'hang' });
    const { status, body } = await create(fresh());
    expect([status, body.error]).toEqual([502, 'emr_unavailable']);
  });

  test('201 when the answer to the creation is lost: the EMR has one', async () => {
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer', times: 1 });
    const { status, body } = await create(fresh());
    expect(status).toBe(201);
    const { id, emrOrganizationId } = body.organization;
    expect(await inEmr(id)).toEqual([{ id: emrOrganizationId, name: 'Clinic' }]);
  });

  test('502 when every answer to the creation is lost; a retry under another name takes what the EMR has', async () => {
    await setFault(dev, { target: 'emr', operation: 'create', kind: 'lost-answer' });
    await setFault(dev, { target: 'emr', operation: 'search', kind: 'status', status: 503 });
    const body = fresh();
    await setFault(dev, { target: 'emr', operation: 'search', kind: 'delay', delayMs: 1, times: 1 });
    expect((await create(body)).status).toBe(502);
    const id = (await noteOf(body.slug))!;
    // The effect was really there.
    const [left] = await inEmr(id);
    expect(left?.name).toBe('Clinic');
    await clearFaults(dev);
    const { status, body: made } = await create({ ...body, displayName: 'Clinic South' });
    expect([status, made.organization]).toMatchObject([201, { id, emrOrganizationId: left!.id }]);
    expect(await inEmr(id)).toEqual([{ id: left!.id, name: 'Clinic South' }]);
  });

  test('what nobody retries is deleted in the EMR and forgotten', async () => {
    await setFault(dev, { target: 'emr', operation: 'search', kind: 'delay', delayMs: 1, times: 1 });
    await setFault(dev, { target: 'emr', operation: 'search', kind: 'status', status: 503 });
    const body = fresh();
    expect((await create(body)).status).toBe(502);
    const id = (await noteOf(body.slug))!;
    expect(await inEmr(id)).toHaveLength(1);
    await clearFaults(dev);
    await sql`update organization.creation set tried_at = now() - interval '2 hours' where organization_id = ${id}`;
    await eventually(async () => (await noteOf(body.slug)) === undefined);
    expect(await inEmr(id)).toEqual([]);
    const { status, body: made } = await create(body);
    expect([status, made.organization.id === id]).toEqual([201, false]);
  });
});

test('201 for workers killed after the EMR has made it and before that was reported: one each', async () => {
  await sandbox(dev, '/requests', { method: 'DELETE' });
  await setFault(dev, { target: 'emr', operation: 'create', kind: 'delay', delayMs: 1_000, times: 1 });
  const body = fresh();
  const answer = create(body);
  await faultsMet(dev);
  const killed = dev.pids.workers;
  process.kill(killed, 'SIGSTOP');
  const id = (await noteOf(body.slug))!;
  await eventually(async () => (await inEmr(id)).length > 0);
  process.kill(killed, 'SIGKILL');
  const { status, body: made } = await answer;
  expect([status, made.organization.id]).toEqual([201, id]);
  expect(await inEmr(id)).toHaveLength(1);
  expect([await storedWith(body.slug), await eventsOf(id)]).toEqual([1, 1]);
});

test('a code for signing in that no channel could deliver is sent on, once, and lets in', async () => {
  const { email } = developmentSuperadmin;
  const asks = (path: string, body: object) =>
    callAs<{ admin: { email: string } }>(dev, 'organization', undefined, {
      method: 'POST',
      path: `/v1/auth/otp/${path}`,
      body,
    });
  const mails = () => mailsTo(dev, email);
  // One more than the notification service tries by itself.
  await setFault(dev, { target: 'smtp', kind: 'status', status: 451, times: 4 });
  expect((await asks('send', { email })).status).toBe(200);
  await faultsMet(dev);
  const [mail] = await eventually(async () => {
    const found = await mails();
    return found.length > 0 && found;
  });
  const { status, body } = await asks('check', { email, code: /\b\d{6}\b/.exec(mail!.text)?.[0] });
  expect([status, body.admin.email]).toEqual([200, email]);
  expect(await mails()).toHaveLength(1);
});

test('503 unavailable with Retry-After for verifying while the workers stand still; 200 once they go on', async () => {
  const { body } = await create(fresh());
  const path = `/v1/organizations/${body.organization.id}/custom-domains`;
  const hostname = `care-${randomUUID()}.example.test`;
  const post = (at: string, given?: object) =>
    callAs<{ error: string }>(dev, 'organization', token, {
      method: 'POST',
      path: `${path}${at}`,
      body: given,
    });
  expect((await post('', { hostname })).status).toBe(201);
  const { workers } = dev.pids;
  process.kill(workers, 'SIGSTOP');
  const late = await post(`/${hostname}/verify`).finally(() => process.kill(workers, 'SIGCONT'));
  expect([late.status, late.body.error, late.headers.get('retry-after')]).toEqual([503, 'unavailable', '10']);
  expect(await eventually(async () => (await post(`/${hostname}/verify`)).status === 200)).toBe(true);
});

test('a hostname whose look is overdue is looked at again after its workers were killed, without being asked', async () => {
  const { body } = await create(fresh());
  const { id } = body.organization;
  const hostname = `care-${randomUUID()}.example.test`;
  const path = `/v1/organizations/${id}/custom-domains`;
  const registered = await callAs<{ dnsRecord: { name: string; value: string } }>(
    dev,
    'organization',
    token,
    {
      method: 'POST',
      path,
      body: { hostname },
    },
  );
  process.kill(dev.pids.workers, 'SIGKILL');
  const { name, value } = registered.body.dnsRecord;
  await sandbox(dev, '/dns', { method: 'POST', body: { name, type: 'TXT', values: [value] } });
  await sql`
    update organization.custom_domain set next_check_at = now() - interval '1 minute' where hostname = ${hostname}
  `;
  // No request: the sweep finds what is overdue.
  const domain = await eventually(async () => {
    const [row] = await sql<{ state: string }[]>`
      select state from organization.custom_domain where hostname = ${hostname}
    `;
    return row?.state === 'pending_tls' && row;
  });
  expect(domain.state).toBe('pending_tls');
});
