import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { physicianSeedId } from '../../../dev/seed/physicians.js';
import { createSql, type Sql } from '../../../db/client.js';
import {
  addMissingLicenses,
  addMissingPhysicians,
  addMissingRoutingRules,
} from '../../../dev/seed/physicians.js';
import { addDays } from '../../../domain/calendar.js';
import type { LicenseType, PhysicianPlatform } from '../../../domain/registry/physician-routing.js';
import { usStates } from '../../../domain/us-states.js';
import { businessDay } from '../../../platform/business-day.js';
import { call, shared } from '../../helpers/client.js';

const dev = shared();
const today = businessDay('UTC');
const yesterday = addDays(today, -1);
const lastYear = addDays(today, -365);
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

async function get(path: string, key = 'registry'): Promise<{ status: number; body: unknown }> {
  const { status, body } = await call(dev, 'registry', { key, path });
  return { status, body };
}

/** A physician of this test alone, known by a fresh organization; `license` is the one in `state`. */
async function addPhysician(options: {
  organization?: string;
  platform?: PhysicianPlatform;
  inactive?: boolean;
  license?: { state: string; expirationDate?: string | null; inactive?: boolean };
  rule?: { state: string; priority: number };
}): Promise<string> {
  const id = randomUUID();
  await addMissingPhysicians(sql, [
    {
      id,
      email: `${id}@example.test`,
      firstName: 'Test',
      lastName: 'Physician',
      suffix: 'MD',
      npi: '1000000004',
      deaNumber: null,
      phone: null,
      fax: null,
      addressLine1: null,
      addressCity: null,
      addressState: null,
      addressZip: null,
      signatureImage: 'iVBORw0KGgo=',
      organization: options.organization ?? id,
      platform: options.platform ?? 'platform_b',
      emrPractitionerId: null,
    },
  ]);
  if (options.inactive) await sql`update registry.physician set is_active = false where id = ${id}`;
  if (options.license) {
    const { state, expirationDate = null, inactive } = options.license;
    const licenseType: LicenseType = 'MD';
    const license = { id: randomUUID(), physicianId: id, state, licenseNumber: `${state}-1` };
    await addMissingLicenses(sql, [{ ...license, expirationDate, licenseType }]);
    if (inactive) await sql`update registry.license set is_active = false where physician_id = ${id}`;
  }
  if (options.rule)
    await addMissingRoutingRules(sql, [
      { id: randomUUID(), platform: 'platform_b', physicianId: id, ...options.rule },
    ]);
  return id;
}

describe('GET /route', () => {
  test('200: LA yields prescriber A at priority 10, with every field of the page', async () => {
    const { status, body } = await get('/route?platform=platform_a&state=LA');
    expect(status).toBe(200);
    expect(body).toEqual({
      physician: {
        id: dev.apiKeys['physician_a']?.physicianId,
        firstName: expect.any(String),
        lastName: expect.any(String),
        suffix: 'FNP-C',
        npi: expect.stringMatching(/^\d{10}$/),
        deaNumber: null,
        phone: expect.any(String),
        fax: null,
        addressLine1: expect.any(String),
        addressCity: expect.any(String),
        addressState: 'NY',
        addressZip: expect.any(String),
        emrPractitionerId: expect.any(String),
      },
      licenseNumber: expect.stringMatching(/^LA-/),
      priority: 10,
    });
  });

  test('200: with the signature only where it is asked for', async () => {
    const routed = async (query: string) => {
      const { body } = await get(`/route?platform=platform_a&state=LA${query}`);
      return (body as { physician: object }).physician;
    };
    expect(await routed('&withSignature=false')).not.toHaveProperty('signatureImage');
    expect(await routed('&withSignature=true')).toHaveProperty('signatureImage');
  });

  test('200: OH yields prescriber B at priority 5, also in lower case', async () => {
    for (const state of ['OH', 'oh'])
      expect((await get(`/route?platform=platform_a&state=${state}`)).body).toMatchObject({
        physician: { suffix: 'MD' },
        licenseNumber: expect.stringMatching(/^OH-/),
        priority: 5,
      });
  });

  test('200: every state as page 1, Current rules, has it, and prescriber B has one in all fifty', async () => {
    const [a, b] = [physicianSeedId('a'), physicianSeedId('b')];
    const statesOfA = ['AK', 'CT', 'HI', 'LA', 'NM', 'NY'];
    for (const state of usStates) {
      const { body } = await get(`/route?platform=platform_a&state=${state}`);
      const [id, priority] = statesOfA.includes(state) ? [a, 10] : [b, 5];
      expect([state, body]).toMatchObject([state, { physician: { id }, priority }]);
    }
    const { rules } = (await get('/routing-rules', 'admin')).body as {
      rules: { platform: string; physicianId: string; state: string; priority: number }[];
    };
    const rulesOfB = rules.filter(
      ({ platform, physicianId }) => platform === 'platform_a' && physicianId === b,
    );
    expect(rulesOfB.map(({ state }) => state).sort()).toEqual([...usStates].sort());
    expect(new Set(rulesOfB.map(({ priority }) => priority))).toEqual(new Set([5]));
  });

  test('200: without a match says for which platform and state', async () => {
    expect(await get('/route?platform=platform_b&state=pr')).toEqual({
      status: 200,
      body: { physician: null, reason: 'No physician available for platform_b in PR' },
    });
  });

  test('200: passes over better ones who are inactive, unlicensed or expired', async () => {
    const state = 'MT';
    await addPhysician({ inactive: true, license: { state }, rule: { state, priority: 9 } });
    await addPhysician({ rule: { state, priority: 8 } });
    await addPhysician({ license: { state, inactive: true }, rule: { state, priority: 7 } });
    await addPhysician({
      license: { state, expirationDate: yesterday },
      rule: { state, priority: 6 },
    });
    const id = await addPhysician({
      license: { state, expirationDate: today },
      rule: { state, priority: 5 },
    });
    expect((await get(`/route?platform=platform_b&state=${state}`)).body).toMatchObject({
      physician: { id },
      licenseNumber: 'MT-1',
      priority: 5,
    });
  });

  test('200: among equal priorities the physician added first is chosen, whichever rule came first', async () => {
    const state = 'WY';
    const first = await addPhysician({ license: { state } });
    await addPhysician({ license: { state }, rule: { state, priority: 3 } });
    await addMissingRoutingRules(sql, [
      { id: randomUUID(), platform: 'platform_b', state, physicianId: first, priority: 3 },
    ]);
    expect((await get(`/route?platform=platform_b&state=${state}`)).body).toMatchObject({
      physician: { id: first },
    });
  });

  test('200: with a physician answers whether they may prescribe there, for each reason', async () => {
    const ask = async (id: string) =>
      (await get(`/route?platform=platform_b&state=ks&physicianId=${id}`)).body;
    const state = 'KS';
    expect(await ask(await addPhysician({ license: { state } }))).toEqual({
      authorized: true,
      licenseNumber: 'KS-1',
    });
    const refusals: [string, string][] = [
      [randomUUID(), 'Physician not found'],
      ['nobody', 'Physician not found'],
      [
        await addPhysician({ inactive: true, license: { state, expirationDate: lastYear } }),
        'Physician is inactive',
      ],
      [await addPhysician({ license: { state: 'TX' } }), 'No active license in KS'],
      [await addPhysician({ license: { state, expirationDate: yesterday } }), 'License expired'],
    ];
    for (const [id, reason] of refusals) expect(await ask(id)).toEqual({ authorized: false, reason });
  });

  test('400 names the field at fault', async () => {
    expect(await get('/route?platform=platform_a&state=NYC')).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: [{ path: 'state', message: expect.any(String) }] },
    });
  });
});

describe('GET /physicians/:id/verify-license', () => {
  test('200: licensed, in either case, to the end of the expiration date', async () => {
    const id = await addPhysician({ license: { state: 'OH', expirationDate: today } });
    expect((await get(`/physicians/${id}/verify-license?state=oh`)).body).toEqual({
      licensed: true,
      state: 'OH',
      licenseNumber: 'OH-1',
      expirationDate: today,
      type: 'MD',
    });
  });

  test('200: a license without an expiration date does not expire', async () => {
    const id = await addPhysician({ license: { state: 'OH' } });
    expect((await get(`/physicians/${id}/verify-license?state=OH`)).body).toMatchObject({
      licensed: true,
      expirationDate: null,
    });
  });

  test('200: not licensed there, or no longer', async () => {
    const id = await addPhysician({ license: { state: 'OH', inactive: true } });
    for (const state of ['OH', 'TX'])
      expect((await get(`/physicians/${id}/verify-license?state=${state}`)).body).toEqual({
        licensed: false,
        state,
      });
  });

  test('200: expired, since when', async () => {
    const id = await addPhysician({ license: { state: 'OH', expirationDate: yesterday } });
    expect((await get(`/physicians/${id}/verify-license?state=OH`)).body).toEqual({
      licensed: false,
      state: 'OH',
      reason: 'License expired',
      expirationDate: yesterday,
    });
  });

  test('400: without a state; 404: for an unknown physician', async () => {
    const id = await addPhysician({});
    expect((await get(`/physicians/${id}/verify-license`)).status).toBe(400);
    expect(await get(`/physicians/${randomUUID()}/verify-license?state=OH`)).toEqual({
      status: 404,
      body: { error: 'Physician not found' },
    });
  });
});

describe('GET /physicians', () => {
  const list = async (query: string) => {
    const { status, body } = await get(`/physicians?${query}`);
    expect(status).toBe(200);
    return body as { physicians: Record<string, unknown>[]; nextCursor: string | null };
  };

  test('200: a platform also finds those of both; an organization is found in any case', async () => {
    const organization = `Clinic ${randomUUID()}`;
    const a = await addPhysician({ organization, platform: 'platform_a' });
    const b = await addPhysician({ organization, platform: 'platform_b' });
    const both = await addPhysician({ organization, platform: 'both' });
    const of = encodeURIComponent(organization.toUpperCase());
    const ids = async (query: string) => (await list(query)).physicians.map(({ id }) => id);
    expect(await ids(`organization=${of}`)).toEqual([a, b, both]);
    expect(await ids(`organization=${of}&platform=platform_a`)).toEqual([a, both]);
    expect(await ids(`organization=${of}&platform=platform_b`)).toEqual([b, both]);
  });

  test('200: shows active ones unless asked for inactive ones', async () => {
    const organization = randomUUID();
    const active = await addPhysician({ organization });
    const inactive = await addPhysician({ organization, inactive: true });
    expect((await list(`organization=${organization}`)).physicians).toMatchObject([{ id: active }]);
    expect((await list(`organization=${organization}&active=true`)).physicians).toMatchObject([
      { id: active },
    ]);
    expect((await list(`organization=${organization}&active=false`)).physicians).toMatchObject([
      { id: inactive, isActive: false },
    ]);
  });

  test('200: leaves signatures out', async () => {
    const organization = randomUUID();
    await addPhysician({ organization });
    const { physicians } = await list(`organization=${organization}`);
    expect(physicians).toHaveLength(1);
    expect(physicians[0]).not.toHaveProperty('signatureImage');
  });

  test('200: pages in the order of adding, the last page without a cursor', async () => {
    const organization = randomUUID();
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await addPhysician({ organization }));
    const first = await list(`organization=${organization}&limit=2`);
    const second = await list(`organization=${organization}&limit=2&cursor=${first.nextCursor}`);
    expect([...first.physicians, ...second.physicians].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expect((await list(`organization=${organization}&limit=3`)).nextCursor).toBeNull();
  });

  test('200: with fifty where no limit is given, and with up to 200', async () => {
    const organization = randomUUID();
    for (let n = 0; n < 51; n += 1) await addPhysician({ organization });
    const first = await list(`organization=${organization}`);
    expect([first.physicians.length, first.nextCursor]).toEqual([50, expect.any(String)]);
    const whole = await list(`organization=${organization}&limit=200`);
    expect([whole.physicians.length, whole.nextCursor]).toEqual([51, null]);
  });

  test('400 names the parameter at fault', async () => {
    expect(await get('/physicians?limit=201')).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: [{ path: 'limit' }] },
    });
  });
});

describe('GET /physicians/:id and its licenses', () => {
  test('200: the profile with signature, and the active licenses', async () => {
    const id = await addPhysician({ license: { state: 'OH', expirationDate: lastYear } });
    const gone = { id: randomUUID(), physicianId: id, state: 'TX', licenseNumber: 'TX-9' };
    await addMissingLicenses(sql, [{ ...gone, expirationDate: null, licenseType: null }]);
    await sql`update registry.license set is_active = false where id = ${gone.id}`;
    const license = {
      id: expect.any(String),
      physicianId: id,
      state: 'OH',
      licenseNumber: 'OH-1',
      expirationDate: lastYear,
      licenseType: 'MD',
      isActive: true,
    };
    const { status, body } = await get(`/physicians/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ physician: { id, signatureImage: 'iVBORw0KGgo=', platform: 'platform_b' } });
    expect(body).toHaveProperty('licenses', [license]);
    expect(await get(`/physicians/${id}/licenses`)).toEqual({ status: 200, body: { licenses: [license] } });
  });

  test.each(['', '/licenses'])('404: /physicians/:id%s of an unknown or malformed id', async (rest) => {
    for (const id of [randomUUID(), '42'])
      expect(await get(`/physicians/${id}${rest}`)).toEqual({
        status: 404,
        body: { error: 'Physician not found' },
      });
  });
});

describe('who may read the registry', () => {
  const path = '/route?platform=platform_a&state=NY';

  test('200: a key bound to a physician, and an admin key', async () => {
    for (const key of ['physician_a', 'admin']) expect((await get(path, key)).status).toBe(200);
  });
});
