import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createSignInActivities } from '../../../activities/organization/sign-in.js';
import { defaultStateDir } from '../../../dev/dev-json.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { createSql, type Sql } from '../../../db/client.js';
import { judgeCode, putCode } from '../../../db/organization/sign-in-codes.js';
import { keyedHash } from '../../../platform/crypto/ids.js';
import { adminToken, atOnce, call, callAs, eventually, sandbox } from '../../helpers/client.js';
import {
  type Admin,
  ask,
  dev,
  eventsOf,
  freshEmail,
  grant,
  invalid,
  newInvited,
  newTenant,
  refused,
  root,
} from './tenants.js';
import { mailsTo } from '../intake/visitors.js';

interface Session {
  token: string;
  expiresAt: string;
  admin: Admin;
}

let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

const send = (email: unknown) => ask(undefined, 'POST', '/v1/auth/otp/send', { email });
const check = (email: string, code: unknown) =>
  ask<Session>(undefined, 'POST', '/v1/auth/otp/check', { email, code });
/** The code of the newest of so many mails. */
const mailedCode = (email: string, mails = 1) =>
  eventually(async () => {
    // An invitation may have come before, without six digits.
    const found = (await mailsTo(dev, email)).flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
    return found.length >= mails && found[0];
  });
const hashed = (...parts: string[]) =>
  keyedHash(loadSecrets(defaultStateDir()).idHashSecret, JSON.stringify(parts));
const addressOf = (email: string) => hashed('sign-in', email);
const budgetOf = (email: string, ip = '127.0.0.1') => hashed('sign-in', 'code', email, ip);
const exchange = (idToken: unknown, code?: string) =>
  ask<Session>(undefined, 'POST', '/v1/auth/exchange', { idToken, code });
const idTokenOf = async (sub: string, email: string, claims: Record<string, unknown> = {}) =>
  (
    await sandbox<{ idToken: string }>(dev, '/idp/tokens', {
      method: 'POST',
      body: { sub, email, claims },
    })
  ).idToken;
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const suspend = async (id: string) => ask(await root(), 'POST', `/v1/admin-users/${id}/suspend`);

describe('signing in with a code', () => {
  test('200: the code comes by mail and is good for one sign-in, the first of which activates', async () => {
    const tenant = await newTenant();
    const { id, email } = await newInvited();
    await grant(id, tenant.id, 'org_user');
    expect(await send(email.toUpperCase())).toMatchObject({ status: 200, body: { success: true } });
    const code = await mailedCode(email);
    const { status, body } = await check(email, code);
    expect(status).toBe(200);
    expect(body.admin).toMatchObject({
      id,
      email,
      state: 'active',
      memberships: [{ organizationId: tenant.id, role: 'org_user' }],
    });
    expect(Object.keys(body)).toEqual(['token', 'expiresAt', 'admin']);
    const lifetimeMs = Date.parse(body.expiresAt) - Date.now();
    expect(lifetimeMs).toBeGreaterThan(14 * 60_000);
    expect(lifetimeMs).toBeLessThanOrEqual(15 * 60_000);
    const own = await ask<{ organizations: { id: string }[] }>(body.token, 'GET', '/v1/organizations');
    expect(own.body.organizations.map((organization) => organization.id)).toEqual([tenant.id]);
    expect((await eventsOf(sql, id)).at(-1)).toEqual({
      detailType: 'admin.user_activated',
      organizationId: null,
      detail: { adminUserId: id },
    });

    expect(await check(email, code)).toMatchObject(refused(401, 'unauthorized'));
    await send(email);
    expect((await check(email, await mailedCode(email, 2))).status).toBe(200);
    const activations = (await eventsOf(sql, id)).filter(
      ({ detailType }) => detailType === 'admin.user_activated',
    );
    expect(activations).toHaveLength(1);
  });

  test('200 for the development superadmin', async () => {
    const { superadmin } = dev.admins;
    const before = (await mailsTo(dev, superadmin)).length;
    await send(superadmin);
    const { status, body } = await check(superadmin, await mailedCode(superadmin, before + 1));
    expect([status, body.admin.isSuperadmin]).toEqual([200, true]);
    expect((await ask(body.token, 'GET', '/v1/audit-events')).status).toBe(200);
  });

  test('200 for an address that nobody has, in the same words, and no mail', async () => {
    const [stranger, { email }] = [freshEmail(), await newInvited()];
    const [unknown, known] = [await send(stranger), await send(email)];
    expect(unknown.body).toEqual(known.body);
    expect(unknown.status).toBe(known.status);
    await mailedCode(email);
    expect(await mailsTo(dev, stranger)).toEqual([]);
    expect(await check(stranger, '000000')).toMatchObject(refused(401, 'unauthorized'));
  });

  test('401 for a wrong code, and one that is too old', async () => {
    const { email } = await newInvited();
    await send(email);
    const code = await mailedCode(email);
    expect(await check(email, other(code))).toMatchObject(refused(401, 'unauthorized'));
    const { count } = await sql`
      update organization.sign_in_code set expires_at = now() - interval '1 second' where address = ${addressOf(email)}
    `;
    expect(count).toBe(1);
    expect(await check(email, code)).toMatchObject(refused(401, 'unauthorized'));
  });

  test('200 for the code before the newest, and then 401 for the newest: using one ends them all', async () => {
    const { email } = await newInvited();
    await send(email);
    const first = await mailedCode(email);
    await send(email);
    const second = await mailedCode(email, 2);
    expect(second).not.toBe(first);
    expect((await check(email, first)).status).toBe(200);
    expect(await check(email, second)).toMatchObject(refused(401, 'unauthorized'));
  });

  test('429 after 20 wrong codes in a day, for codes only, and the admin is told by mail', async () => {
    const { email } = await newInvited();
    for (let round = 1; round <= 4; round += 1) {
      expect((await send(email)).status).toBe(200);
      const wrong = other(await mailedCode(email, round));
      for (let guess = 1; guess <= 5; guess += 1)
        expect(await check(email, wrong)).toMatchObject(refused(401, 'unauthorized'));
    }
    for (const answer of [await check(email, '000000'), await send(email)]) {
      expect(answer).toMatchObject(refused(429, 'too_many_requests'));
      const retryAfter = Number(answer.headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThan(20 * 3600);
      expect(retryAfter).toBeLessThanOrEqual(24 * 3600);
    }
    const told = await eventually(async () => {
      const rows = await sql<{ status: string | null }[]>`
        select status from notification.delivery
        where recipient_email = ${email} and notification_type = 'support_message'
      `;
      return rows[0]?.status ? rows : undefined;
    });
    expect(told).toEqual([{ status: 'sent' }]);
    expect((await exchange(await idTokenOf(randomUUID(), email))).status).toBe(200);

    await sql`update organization.sign_in_budget set day_began_at = now() - interval '1 day 1 second',
      window_began_at = now() - interval '1 hour' where key = ${budgetOf(email)}`;
    expect((await send(email)).status).toBe(200);
    expect((await check(email, await mailedCode(email, 5))).status).toBe(200);
  });

  test('200 from another network address while one is locked out; after 50 wrong codes in all, one entry a minute and one code an hour (D161)', async () => {
    const { email } = await newInvited();
    const atDesk = (step: 'send' | 'check', ip: string, code?: string) =>
      call<{ token?: string }>(dev, 'organization', {
        key: 'worklist',
        method: 'POST',
        path: `/desk/sign-in/${step}`,
        body: { email, ...(code !== undefined && { code }), caller: { ip, userAgent: 'a desk' } },
      });
    const guessing = (ip: string) =>
      sql`update organization.sign_in_budget set wrong_in_day = 20 where key = ${budgetOf(email, ip)}`;
    expect((await atDesk('send', '10.0.0.1')).status).toBe(200);
    const code = await mailedCode(email);
    expect((await atDesk('check', '10.0.0.1', other(code))).status).toBe(401);
    await guessing('10.0.0.1');
    expect((await atDesk('check', '10.0.0.1', code)).status).toBe(429);
    expect((await atDesk('send', '10.0.0.1')).status).toBe(429);

    const inAll = hashed('sign-in', 'code', email);
    await sql`update organization.sign_in_budget set wrong_in_day = 50 where key = ${inAll}`;
    const early = await atDesk('check', '10.0.0.2', code);
    expect(early.status).toBe(429);
    expect(Number(early.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    const another = await atDesk('send', '10.0.0.2');
    expect(another.status).toBe(429);
    const untilNext = Number(another.headers.get('retry-after'));
    expect([untilNext > 600, untilNext <= 3_600]).toEqual([true, true]);
    await sql`update organization.sign_in_budget set window_began_at = now() - interval '61 minutes' where key = ${inAll}`;
    expect((await atDesk('send', '10.0.0.2')).status).toBe(200);
    expect((await atDesk('send', '10.0.0.2')).status).toBe(429);
    await sql`update organization.sign_in_budget set last_entry_at = now() - interval '61 seconds' where key = ${inAll}`;
    const { status, body } = await atDesk('check', '10.0.0.2', code);
    expect([status, typeof body.token]).toEqual([200, 'string']);
    const events = await sql`
      select ip, user_agent from access.access_event event
      join organization.admin_user admin on admin.id::text = event.actor
      where admin.email = ${email} and action = 'session.start'
    `;
    expect(events).toEqual([{ ip: '10.0.0.2', userAgent: 'a desk' }]);
  });

  test('429 leaves an access event once a minute while an admin is locked out', async () => {
    const { id, email } = await newInvited();
    await sql`insert into organization.sign_in_budget (key, wrong_in_day) values (${budgetOf(email)}, 20)`;
    for (let guess = 1; guess <= 5; guess += 1) expect((await check(email, '000000')).status).toBe(429);
    const [event, ...others] = await sql`
      select action, record, outcome from access.access_event where actor = ${id}
    `;
    expect(event).toEqual({ action: 'session.refuse', record: id, outcome: 'refused' });
    // The minute may end meanwhile.
    expect(others.length).toBeLessThanOrEqual(1);
  });

  test('401 for the right code too after five wrong ones, also when 200 come at once', async () => {
    const { email } = await newInvited();
    await send(email);
    const code = await mailedCode(email);
    const guesses = await atOnce(200, () => check(email, other(code)));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await check(email, code)).toMatchObject(refused(401, 'unauthorized'));
    const [{ most } = { most: 0 }] = await sql<{ most: number }[]>`
      select max(attempts) as most from organization.sign_in_code
    `;
    expect(most).toBe(5);
  });

  test('200 once of ten with the right code at once', async () => {
    const { email } = await newInvited();
    await send(email);
    const code = await mailedCode(email);
    const answers = await atOnce(5, () => check(email, code));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test('401 for a suspended admin, who gets no mail either', async () => {
    const { id, email } = await newInvited();
    await send(email);
    const code = await mailedCode(email);
    await suspend(id);
    expect(await check(email, code)).toMatchObject(refused(401, 'unauthorized'));
  });

  test('400 for what is no address, no code or no JSON', async () => {
    expect(await send('kim')).toMatchObject(invalid('email'));
    expect(await send(undefined)).toMatchObject(invalid('email'));
    expect(await check(freshEmail(), 123456)).toMatchObject(invalid('code'));
    expect(await ask(undefined, 'POST', '/v1/auth/otp/send', '{')).toMatchObject({ status: 400 });
  });

  test('codes and addresses are not kept in clear', async () => {
    const { email } = await newInvited();
    await send(email);
    const code = await mailedCode(email);
    const rows = await sql<
      { text: string }[]
    >`select sign_in_code::text as text from organization.sign_in_code`;
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) {
      expect(text).not.toContain(email);
      expect(text.split(',')).not.toContain(code);
    }
  });
});

describe('mailing a code', () => {
  const sends: { key: string; to: string }[] = [];
  let delivered: string[] = [];
  const mailing = () =>
    createSignInActivities({
      sql,
      notifications: {
        send: async ({ recipient }, { idempotencyKey }) => {
          sends.push({ key: idempotencyKey, to: recipient.email! });
          return delivered;
        },
      },
    });
  const put = async (address: string, id: string = randomUUID()) => {
    await putCode(sql, {
      address,
      budget: address,
      budgetInAll: `${address} in all`,
      id,
      codeHash: 'x',
      maxPerWindow: 5,
    });
    return id;
  };
  const mail = (codeId: string, email: string, attempt: number) =>
    new MockActivityEnvironment({ startToCloseTimeoutMs: 13_000 }).run(() =>
      mailing().mailSignInCode({ codeId, email, code: '123456', attempt }),
    );

  test('that no channel delivered is tried under another key, also beside a newer one, and not once one was used', async () => {
    const { email } = await newInvited();
    const address = randomUUID();
    const codeId = await put(address);
    sends.length = 0;
    delivered = [];
    expect(await mail(codeId, email, 1)).toBe('undelivered');
    delivered = ['email'];
    expect(await mail(codeId, email, 2)).toBe('sent');
    await put(address);
    expect(await mail(codeId, email, 3)).toBe('sent');
    const codes = { address, budget: address, budgetInAll: `${address} in all`, email };
    expect(await judgeCode(sql, codes, () => true)).toEqual({ verdict: 'right' });
    expect(await mail(codeId, email, 4)).toBe('obsolete');
    expect(sends).toEqual([1, 2, 3].map((attempt) => ({ key: `sign-in:${codeId}:${attempt}`, to: email })));
  });

  test('that is too old, used, or judged five times is not tried, nor one for nobody', async () => {
    const { email } = await newInvited();
    sends.length = 0;
    for (const spoil of [
      { expiresAt: new Date(Date.now() - 1_000) },
      { usedAt: new Date() },
      { attempts: 5 },
    ]) {
      const codeId = await put(randomUUID());
      await sql`update organization.sign_in_code set ${sql(spoil)} where id = ${codeId}`;
      expect(await mail(codeId, email, 1)).toBe('obsolete');
    }
    expect(await mail(await put(randomUUID()), freshEmail(), 1)).toBe('obsolete');
    expect(sends).toEqual([]);
  });
});

describe('POST /v1/auth/exchange', () => {
  test('200: the first sign-in links the identity and activates', async () => {
    const { id, email } = await newInvited();
    const sub = randomUUID();
    const { status, body } = await exchange(await idTokenOf(sub, email));
    expect([status, body.admin]).toMatchObject([200, { id, state: 'active', identityProviderId: sub }]);
    expect((await ask(body.token, 'GET', '/v1/organizations')).status).toBe(200);
    expect((await eventsOf(sql, id)).at(-1)).toMatchObject({ detailType: 'admin.user_activated' });
    const moved = await exchange(await idTokenOf(sub, freshEmail()));
    expect([moved.status, moved.body.admin.id]).toEqual([200, id]);
  });

  test('401 for another identity with the address of a linked admin', async () => {
    const { email } = await newInvited();
    await exchange(await idTokenOf(randomUUID(), email));
    expect(await exchange(await idTokenOf(randomUUID(), email))).toMatchObject(refused(401, 'unauthorized'));
  });

  test('401 for nobody, a suspended admin, and a token that is not valid', async () => {
    const { id, email } = await newInvited();
    const sub = randomUUID();
    const now = Math.floor(Date.now() / 1000);
    const past = now - 3600;
    const idToken = await idTokenOf(sub, email);
    const [header = '', payload = '', signature = ''] = idToken.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const changed = `${header}.${Buffer.from(JSON.stringify({ sub, email, exp: 9e9 })).toString('base64url')}.${signature}`;
    for (const token of [
      await idTokenOf(randomUUID(), freshEmail()),
      await idTokenOf(sub, email, { exp: past }),
      await idTokenOf(sub, email, { iss: 'https://elsewhere.test' }),
      await idTokenOf(sub, email, { aud: 'another' }),
      await idTokenOf(sub, email, { email_verified: false }),
      await idTokenOf(sub, email, { email_verified: null }),
      await idTokenOf(sub, email, { email_verified: 'true' }),
      await idTokenOf(sub, email, { iat: null }),
      await idTokenOf(sub, email, { iat: now - 11 * 60 }),
      await idTokenOf(sub, email, { iat: now + 5 * 60 }),
      await idTokenOf(sub, email, { azp: 'another' }),
      unsigned,
      changed,
      'nothing',
      await root(),
    ])
      expect(await exchange(token)).toMatchObject(refused(401, 'unauthorized'));
    await suspend(id);
    expect(await exchange(idToken)).toMatchObject(refused(401, 'unauthorized'));
  });

  test('200 for a token of some minutes ago whose authorized party is us, and 401 the second time', async () => {
    const { id, email } = await newInvited();
    const { aud } = decodeJwt(await idTokenOf(randomUUID(), email));
    const now = Math.floor(Date.now() / 1000);
    const idToken = await idTokenOf(randomUUID(), email, { azp: aud, iat: now - 9 * 60, exp: now + 3600 });
    const answers = await atOnce(5, () => exchange(idToken));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect(answers.find(({ status }) => status === 200)?.body.admin.id).toBe(id);
    expect(await exchange(idToken)).toMatchObject(refused(401, 'unauthorized'));
  });

  test('409 the first time of a superadmin, who is mailed a code: only with it does the same token sign in', async () => {
    const { id, email } = await newInvited();
    await sql`update organization.admin_user set is_superadmin = true where id = ${id}`;
    const sub = randomUUID();
    const idToken = await idTokenOf(sub, email);
    expect(await exchange(idToken)).toMatchObject(refused(409, 'conflict'));
    const code = await mailedCode(email);
    expect(await exchange(idToken, other(code))).toMatchObject(refused(401, 'unauthorized'));
    const { status, body } = await exchange(idToken, code);
    expect([status, body.admin]).toMatchObject([200, { id, identityProviderId: sub, isSuperadmin: true }]);
    expect(await exchange(idToken, code)).toMatchObject(refused(401, 'unauthorized'));
    expect((await exchange(await idTokenOf(sub, email))).status).toBe(200);
  });

  test('wrong codes beside a token are counted apart from those of signing in with a code', async () => {
    const { id, email } = await newInvited();
    await sql`update organization.admin_user set is_superadmin = true where id = ${id}`;
    await send(email);
    await mailedCode(email);
    await sql`insert into organization.sign_in_budget (key, wrong_in_day) values (${budgetOf(email)}, 20)`;
    expect((await send(email)).status).toBe(429);
    const idToken = await idTokenOf(randomUUID(), email);
    expect((await exchange(idToken)).status).toBe(409);
    expect((await exchange(idToken, await mailedCode(email, 2))).status).toBe(200);
  });

  test('400 without a token', async () => {
    expect(await exchange(undefined)).toMatchObject(invalid('idToken'));
    expect(await exchange('')).toMatchObject(invalid('idToken'));
  });
});

describe('POST /v1/auth/refresh', () => {
  const refresh = (token?: string) => ask<Session>(token, 'POST', '/v1/auth/refresh');
  const signedIn = async () => {
    const { id, email } = await newInvited();
    return { id, token: (await exchange(await idTokenOf(randomUUID(), email))).body.token };
  };

  test('200: a token with the claims of now; the old one stays good', async () => {
    const { id, token } = await signedIn();
    await ask(await root(), 'PATCH', `/v1/admin-users/${id}`, { isOperator: true });
    const { status, body } = await refresh(token);
    expect([status, Object.keys(body).sort()]).toEqual([200, ['expiresAt', 'token']]);
    const { auth_time, exp, ...claims } = decodeJwt(body.token);
    expect(claims).toMatchObject({ sub: id, isOperator: true, isSuperadmin: false });
    expect(auth_time).toBe(decodeJwt(token)['auth_time']);
    expect(new Date(body.expiresAt).getTime()).toBe(exp! * 1000);
    for (const each of [token, body.token]) expect((await ask(each, 'GET', '/v1/auth/me')).status).toBe(200);
  });

  test('The last token ends with the session, 12 h after the sign-in; then 401', async () => {
    const { id } = await signedIn();
    const ago = (seconds: number) =>
      adminToken(dev, {
        sub: id,
        isSuperadmin: false,
        auth_time: Math.floor(Date.now() / 1000) - seconds,
      });
    const end = 12 * 3600;
    const { status, body } = await refresh(await ago(end - 60));
    expect(status).toBe(200);
    expect(new Date(body.expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(60_000);
    expect(await refresh(await ago(end))).toMatchObject(refused(401, 'unauthorized'));
  });

  test('401 after a sign-out or suspension, and for a token without a sign-in', async () => {
    for (const end of [
      (_id: string, token: string) => ask(token, 'POST', '/v1/auth/sign-out'),
      async (id: string) => ask(await root(), 'POST', `/v1/admin-users/${id}/suspend`),
    ]) {
      const { id, token } = await signedIn();
      expect((await end(id, token)).status).toBe(200);
      expect(await refresh(token)).toMatchObject(refused(401, 'unauthorized'));
    }
    expect(await refresh(await root())).toMatchObject(refused(401, 'unauthorized'));
    expect(await refresh()).toMatchObject(refused(401, 'unauthorized'));
  });

  test('The worklist forwards a sign-in by the provider, refresh and sign-out', async () => {
    const { email } = await newInvited();
    const idToken = await idTokenOf(randomUUID(), email);
    const at = (step: string, token?: string, body?: object) =>
      callAs<Session>(dev, 'worklist', token, { method: 'POST', path: `/v1/auth/${step}`, body });
    const { token } = (await at('exchange', undefined, { idToken })).body;
    const renewed = await at('refresh', token);
    expect([renewed.status, decodeJwt(renewed.body.token)['auth_time']]).toEqual([
      200,
      decodeJwt(token)['auth_time'],
    ]);
    expect(await at('sign-out', renewed.body.token)).toMatchObject({ status: 200, body: { success: true } });
    expect((await refresh(token)).status).toBe(401);
    const ways = await callAs(dev, 'worklist', undefined, { path: '/v1/auth/ways' });
    expect(ways).toMatchObject({ status: 200, body: { codes: true, provider: null } });
  });
});

describe('POST /v1/auth/sign-out', () => {
  const signOut = (token?: string) => ask<object>(token, 'POST', '/v1/auth/sign-out');

  test('200: ends all tokens of the admin, here at once and in the other services with the event', async () => {
    const tenant = await newTenant();
    const { id, email } = await newInvited();
    await grant(id, tenant.id, 'org_admin');
    const sub = randomUUID();
    const [first, second] = [
      await exchange(await idTokenOf(sub, email)),
      await exchange(await idTokenOf(sub, email)),
    ].map(({ body }) => body.token);
    const { status, body } = await signOut(first);
    expect([status, body]).toEqual([200, { success: true }]);
    for (const token of [first, second]) {
      expect(await ask(token, 'GET', '/v1/organizations')).toMatchObject(refused(401, 'unauthorized'));
      expect(await signOut(token)).toMatchObject(refused(401, 'unauthorized'));
    }
    const patients = () =>
      callAs(dev, 'patients', second, { path: `/v1/patients/${randomUUID()}` }).then(({ status }) => status);
    await eventually(async () => (await patients()) === 401);
    expect((await eventsOf(sql, id)).at(-1)).toMatchObject({
      detailType: 'admin.user_signed_out',
      detail: { adminUserId: id, ver: expect.any(Number) },
    });
    expect((await exchange(await idTokenOf(sub, email))).status).toBe(200);
  });

  test('401 without a token', async () => {
    expect(await signOut()).toMatchObject(refused(401, 'unauthorized'));
  });
});
