import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SecondApi, startSecondApi } from '../../helpers/second-api.js';
import { type Answer, callAs, sandbox } from '../../helpers/client.js';
import { asking, newBody } from '../patients/directory.js';
import { dev, freshEmail, newAdmin, newTenant, refused, root } from '../organization/tenants.js';

// Services behind a gateway that they trust, with low limits, and with an identity provider that is away.
const limit = 3;
let api: SecondApi;
beforeAll(async () => {
  api = await startSecondApi(dev, ['organization', 'patients'], {
    TRUSTED_PROXIES: '192.0.2.0/24,127.0.0.1',
    RATE_LIMIT_PER_KEY_PER_MINUTE: String(limit),
    RATE_LIMIT_UNVERIFIED_PER_MINUTE: String(limit),
    RATE_LIMIT_CODES_PER_MINUTE: String(limit),
    RATE_LIMIT_CODES_PER_ADDRESS: '2',
    IDP_JWKS_URL: 'http://127.0.0.1:1/jwks.json',
  });
});
afterAll(() => api.stop());

type Service = 'organization' | 'patients';
interface Call {
  method?: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}
const behind = (service: Service, token: string | undefined, call: Call) =>
  callAs({ ...dev, services: api.services }, service, token, call);
const from = (address: string) => ({ 'x-forwarded-for': address });

let lastHost = 0;
const freshAddress = () => `198.51.100.${(lastHost += 1)}`;

function expectTooMany({ status, headers, body }: Answer<unknown>): void {
  expect([status, body]).toMatchObject([429, { error: 'too_many_requests' }]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

const readOf: Record<Service, string> = {
  organization: '/v1/organizations',
  patients: `/v1/patients/${randomUUID()}`,
};
const served = { organization: 200, patients: 404 };

describe.each(['organization', 'patients'] as const)('%s', (service) => {
  const read = (token: string | undefined, address = freshAddress()) =>
    behind(service, token, { path: readOf[service], headers: from(address) });

  test('429 with Retry-After for an admin beyond the limit, whatever the address; others are served', async () => {
    const tenant = await newTenant();
    const [one, other] = [await newAdmin(tenant, 'support'), await newAdmin(tenant, 'support')];
    for (let n = 0; n < limit; n += 1) expect((await read(one.token)).status).toBe(served[service]);
    expectTooMany(await read(one.token));
    expect((await read(other.token)).status).toBe(served[service]);
  });

  test('429 for requests without a valid token beyond the limit, per address that the gateway names', async () => {
    const address = freshAddress();
    for (let n = 0; n < limit; n += 1) expect((await read('x.y.z', address)).status).toBe(401);
    expectTooMany(await read('x.y.z', address));
    // Entries of the caller before the gateway's entry change nothing.
    expectTooMany(await read('x.y.z', `203.0.113.7, ${address}`));
    expect((await read('x.y.z')).status).toBe(401);
  });
});

describe('signing in', () => {
  const send = (email: string, address: string) =>
    behind('organization', undefined, {
      method: 'POST',
      path: '/v1/auth/otp/send',
      body: { email },
      headers: from(address),
    });

  test('429 beyond the codes of an address per minute; from elsewhere it is 200', async () => {
    const address = freshAddress();
    for (let n = 0; n < limit; n += 1) expect((await send(freshEmail(), address)).status).toBe(200);
    expectTooMany(await send(freshEmail(), address));
    expect((await send(freshEmail(), freshAddress())).status).toBe(200);
  });

  test('429 beyond the codes of a mailbox, from wherever they are asked for', async () => {
    const email = freshEmail();
    for (let n = 0; n < 2; n += 1) expect((await send(email, freshAddress())).status).toBe(200);
    expectTooMany(await send(email, freshAddress()));
  });

  test('502 identity_provider_unavailable while its keys cannot be had', async () => {
    const { idToken } = await sandbox<{ idToken: string }>(dev, '/idp/tokens', {
      method: 'POST',
      body: { sub: randomUUID(), email: freshEmail() },
    });
    const answer = await behind('organization', undefined, {
      method: 'POST',
      path: '/v1/auth/exchange',
      body: { idToken },
      headers: from(freshAddress()),
    });
    expect(answer).toMatchObject(refused(502, 'identity_provider_unavailable'));
  });
});

describe('X-Forwarded-For', () => {
  const invited = async (ask: (call: Call) => Promise<unknown>, headers: Record<string, string>) => {
    const { email, token } = await newAdmin(await newTenant(), 'org_admin');
    await ask({
      method: 'POST',
      path: '/v1/admin-users',
      body: { email: freshEmail(), displayName: 'Kim' },
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    const { body } = await callAs<{ auditEvents: { ip: string; actor: string; action: string }[] }>(
      dev,
      'organization',
      await root(),
      { path: `/v1/audit-events?actor=${encodeURIComponent(email)}` },
    );
    return body.auditEvents.map(({ ip, action }) => [action, ip]);
  };

  test("is the caller's address in the audit where a trusted proxy says so, up to the first one that is not trusted", async () => {
    const chain = '203.0.113.7, 198.51.100.200, 192.0.2.10';
    const events = await invited((call) => behind('organization', undefined, call), from(chain));
    expect(events).toEqual([['admin.user_invited', '198.51.100.200']]);
  });

  test('is nothing where no proxy is trusted, as by default', async () => {
    const events = await invited(
      (call) => callAs(dev, 'organization', undefined, call),
      from('198.51.100.200'),
    );
    expect(events).toEqual([['admin.user_invited', '127.0.0.1']]);
  });

  test('is the source_ip of an intake in the same way', async () => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, 'org_user');
    for (const [made, sourceIp] of [
      [
        await behind('patients', token, {
          method: 'POST',
          path: '/v1/patients',
          body: newBody(tenant.id),
          headers: from('198.51.100.200'),
        }),
        '198.51.100.200',
      ],
      [
        await asking(dev, token)('POST', '/patients', newBody(tenant.id), from('198.51.100.200')),
        '127.0.0.1',
      ],
    ] as const) {
      expect(made.status).toBe(201);
      const { patient } = made.body as { patient: { id: string } };
      const { body } = await asking(dev, token)('GET', `/patients/${patient.id}/intake-snapshots`);
      expect(body.snapshots).toMatchObject([{ source_ip: sourceIp }]);
    }
  });
});
