import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createIntakeMailActivities } from '../../../activities/intake/mails.js';
import { cancelCheckout } from '../../../api/intake/remind-of-checkout.js';
import { defaultStateDir } from '../../../dev/dev-json.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { createSql, type Sql } from '../../../db/client.js';
import { hasSubmittedSince } from '../../../db/intake/checkouts.js';
import { createNotificationClient } from '../../../integrations/notification/client.js';
import type { Config } from '../../../platform/config.js';
import { keyedHash } from '../../../platform/crypto/ids.js';
import { createLogger } from '../../../platform/logger.js';
import { atOnce, eventually, shared } from '../../helpers/client.js';
import { newIntake, postIntake } from './intakes.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';
import { codeSentTo, freshAddress, mailsTo, newCode, notThe, ownIntake, visit } from './visitors.js';

const dev = shared();
let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  temporal = await openTemporal(dev);
});
afterAll(async () => {
  await sql.end();
  await temporal.close();
});

const send = (body: unknown) => visit(dev, '/verify-email/send', body);
const check = async (email: string, code: string) =>
  (
    await visit<{ verified: boolean; emailProof?: string; error?: string }>(dev, '/verify-email/check', {
      email,
      code,
    })
  ).body;
/** As the table has it. */
const hashOf = (email: string) => keyedHash(loadSecrets(defaultStateDir()).idHashSecret, `address:${email}`);
const verified = { verified: true, emailProof: expect.any(String) };
const wrong = (error: string) => ({ verified: false, error });

describe('POST /verify-email/send', () => {
  test('200: a code of six digits reaches the address', async () => {
    const email = freshAddress();
    const { status, body } = await send({ email });
    expect([status, body]).toEqual([200, { success: true, message: 'Verification code sent' }]);
    expect(await codeSentTo(dev, email)).toMatch(/^\d{6}$/);
  });

  test('200: nobody who reads the table learns the address or the code, not even by trying all there are', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    const [row] = await sql<{ id: string; codeHash: string }[]>`
      select * from intake.verification_code where address = ${hashOf(email)}
    `;
    expect(JSON.stringify(row)).not.toContain(code);
    expect(JSON.stringify(row)).not.toContain(email);
    const { idHashSecret } = loadSecrets(defaultStateDir());
    expect(row?.codeHash).toBe(keyedHash(idHashSecret, `verification-code:${row?.id}:${code}`));
  });

  test.each([[undefined], [{}], [{ email: '' }], [{ email: '  ' }], [{ email: null }], [{ email: 7 }]])(
    '400: Email is required, for %j',
    async (body) => {
      const answer = body === undefined ? await visit(dev, '/verify-email/send', '') : await send(body);
      expect([answer.status, answer.body]).toEqual([400, { error: 'Email is required' }]);
    },
  );

  test('400: Validation failed, for what is no address', async () => {
    const { status, body } = await send({ email: 'a b@example.test' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'Validation failed',
      details: { fieldErrors: { email: [expect.anything()] } },
    });
  });

  test('429: a sixth code for an address within ten minutes, whoever asks and however it is written', async () => {
    const email = freshAddress();
    const [own, other] = await Promise.all([ownIntake(dev), ownIntake(dev)]);
    const ask = (gateway: typeof own, address: string) =>
      visit(gateway.dev, '/verify-email/send', { email: address });
    for (let n = 1; n <= 5; n += 1) {
      const { status, headers } = await ask(n % 2 ? own : other, n % 2 ? email : email.toUpperCase());
      expect([status, headers.get('ratelimit-remaining')]).toEqual([200, String(5 - n)]);
    }
    const last = await codeSentTo(dev, email, 5);
    for (const gateway of [own, other]) {
      const { status, body, headers } = await ask(gateway, email);
      expect([status, body]).toEqual([429, { error: 'Too many requests' }]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // The refused ones have not touched the code that was sent.
    expect(await check(email, last)).toEqual(verified);
    await Promise.all([own.stop(), other.stop()]);
  });

  test('429: an eleventh request of a visitor within a minute, sent and checked together', async () => {
    const own = await ownIntake(dev);
    for (let n = 0; n < 10; n += 1) {
      const path = n % 2 ? '/verify-email/send' : '/verify-email/check';
      expect((await visit(own.dev, path, { email: freshAddress(), code: '000000' })).status).toBe(200);
    }
    for (const path of ['/verify-email/send', '/verify-email/check']) {
      const { status, body } = await visit(own.dev, path, { email: freshAddress(), code: '000000' });
      expect([status, body]).toEqual([429, { error: 'Too many requests' }]);
    }
    expect((await visit(own.dev, '/plans')).status).toBe(200);
    await own.stop();
  });
});

describe('POST /verify-email/check', () => {
  test('200: the right code verifies the address, in any case of its letters', async () => {
    const email = freshAddress();
    expect(await check(email.toUpperCase(), await newCode(dev, email))).toEqual(verified);
  });

  test('200: no_code_sent', async () => {
    expect(await check(freshAddress(), '123456')).toEqual(wrong('no_code_sent'));
  });

  test('200: code_expired, ten minutes after it was sent, and only to who sends that code', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    const [lifetime] = await sql<{ seconds: number }[]>`
      update intake.verification_code set expires_at = now()
      where address = ${hashOf(email)}
      returning extract(epoch from old.expires_at - old.issued_at)::int as seconds
    `;
    expect(lifetime?.seconds).toBe(600);
    expect(await check(email, notThe(code))).toEqual(wrong('no_code_sent'));
    expect(await check(email, code)).toEqual(wrong('code_expired'));
    for (let n = 2; n <= 6; n += 1)
      expect(await check(email, notThe(code, n))).toEqual(wrong('no_code_sent'));
  });

  test('200: code_already_used, and only to who sends that code', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    expect(await check(email, code)).toEqual(verified);
    expect(await check(email, code)).toEqual(wrong('code_already_used'));
    expect(await check(email, notThe(code))).toEqual(wrong('no_code_sent'));
    for (let n = 1; n <= 6; n += 1) expect(await check(email, code)).toEqual(wrong('code_already_used'));
  });

  test('200: no_code_sent an hour after a code has expired, when nothing is left of it', async () => {
    const [gone, kept] = [freshAddress(), freshAddress()];
    const code = await newCode(dev, gone);
    await newCode(dev, kept);
    const expire = (email: string, minutes: number) => sql`
      update intake.verification_code set expires_at = now() - ${minutes} * interval '1 minute'
      where address = ${hashOf(email)}
    `;
    await expire(gone, 61);
    await expire(kept, 59);
    const left = (email: string) => sql`
      select from intake.verification_code where address = ${hashOf(email)}
    `;
    await eventually(async () => (await left(gone)).length === 0);
    expect(await left(kept)).toHaveLength(1);
    expect(await check(gone, code)).toEqual(wrong('no_code_sent'));
  });

  test('200: invalid_code five times, then rate_limited, for the right code too, until a new one is sent', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    for (let n = 1; n <= 5; n += 1)
      expect(await check(email, notThe(code, n))).toEqual(wrong('invalid_code'));
    expect(await check(email, notThe(code))).toEqual(wrong('rate_limited'));
    expect(await check(email, code)).toEqual(wrong('rate_limited'));
    expect(await check(email, await newCode(dev, email))).toEqual(verified);
  });

  test('500 while Temporal is away takes no attempt from the right code', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    const cutOff = await ownIntake(dev, { TEMPORAL_NAMESPACE: 'nowhere' });
    for (let n = 1; n <= 6; n += 1)
      expect((await visit(cutOff.dev, '/verify-email/check', { email, code })).status).toBe(500);
    await cutOff.stop();
    for (let n = 1; n <= 4; n += 1)
      expect(await check(email, notThe(code, n))).toEqual(wrong('invalid_code'));
    expect(await check(email, code)).toEqual(verified);
  });

  test('200: a new code replaces the one before it', async () => {
    const email = freshAddress();
    const first = await newCode(dev, email);
    const second = await newCode(dev, email);
    if (first !== second) expect(await check(email, first)).toEqual(wrong('invalid_code'));
    expect(await check(email, second)).toEqual(verified);
  });

  test.each(['12345', '1234567', 'abcdef', ' 123456', '１２３４５６', 'x'.repeat(4_000)])(
    '200: invalid_code, for what no code looks like: %.12s',
    async (code) => {
      const email = freshAddress();
      await newCode(dev, email);
      expect(await check(email, code)).toEqual(wrong('invalid_code'));
    },
  );

  test('200 guesses at once: five are judged, the others are rate_limited', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => check(email, notThe(code, n + 1))),
    );
    const count = (error: string) => answers.filter((answer) => answer.error === error).length;
    expect([count('invalid_code'), count('rate_limited')]).toEqual([5, 195]);
    expect(await check(email, code)).toEqual(wrong('rate_limited'));
  });

  test('the right code twenty times at once verifies once', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    const answers = await atOnce(20, () => check(email, code));
    expect(answers.filter(({ verified }) => verified)).toHaveLength(1);
  });

  test.each([
    [{}],
    [{ email: 'visitor@example.test' }],
    [{ code: '123456' }],
    [{ email: 'visitor@example.test', code: 123456 }],
    [{ email: '', code: '' }],
    [{ email: 'visitor@example.test', code: ' ' }],
  ])('400: Email and code are required, for %j', async (body) => {
    const answer = await visit(dev, '/verify-email/check', body);
    expect([answer.status, answer.body]).toEqual([400, { error: 'Email and code are required' }]);
  });

  test('400: Validation failed, for what is no address', async () => {
    const { status, body } = await visit(dev, '/verify-email/check', { email: 'visitor', code: '123456' });
    expect([status, body['error']]).toEqual([400, 'Validation failed']);
  });
});

describe('the budgets of a mailbox for a day (D165)', () => {
  const ip = '127.0.0.1';
  const keyOf = (what: string, email: string, ...parts: string[]) =>
    keyedHash(loadSecrets(defaultStateDir()).idHashSecret, JSON.stringify([what, email, ...parts]));
  const isUp = (key: string, used: number) => sql`
    insert into intake.day_budget (key, used) values (${key}, ${used})
    on conflict (key) do update set used = ${used}
  `;
  const used = async (key: string): Promise<unknown> =>
    (await sql`select used from intake.day_budget where key = ${key}`)[0]?.['used'];
  const yesterday = (key: string) => sql`
    update intake.day_budget set day_began_at = now() - interval '1 day 1 second',
      last_used_at = now() - interval '1 day 1 second'
    where key = ${key}
  `;

  test('count wrong codes: after 20 of one network address, no code is judged there until the day is over', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    const key = keyOf('wrong codes', email, ip);
    expect(await check(email.toUpperCase(), notThe(code))).toEqual(wrong('invalid_code'));
    expect([await used(key), await used(keyOf('wrong codes', email))]).toEqual([1, 1]);
    await isUp(key, 19);
    expect(await check(email, notThe(code))).toEqual(wrong('invalid_code'));
    for (const entered of [code, notThe(code)])
      expect(await check(email, entered)).toEqual(wrong('rate_limited'));
    await yesterday(key);
    expect(await check(email, code)).toEqual(verified);
  });

  test('of another network address take nothing, and 50 wrong codes of all leave one a minute', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    await isUp(keyOf('wrong codes', email, '192.0.2.9'), 20);
    const inAll = keyOf('wrong codes', email);
    await isUp(inAll, 50);
    expect(await check(email, code)).toEqual(wrong('rate_limited'));
    await sql`update intake.day_budget set last_used_at = now() - interval '61 seconds' where key = ${inAll}`;
    expect(await check(email, code)).toEqual(verified);
  });

  test('count mails: 429 after ten to one network address, and after twenty of all until an hour has passed', async () => {
    const own = await ownIntake(dev);
    const ask = (email: string) => visit(own.dev, '/verify-email/send', { email });
    const [one, all] = [freshAddress(), freshAddress()];
    expect((await ask(one)).status).toBe(200);
    const key = keyOf('mails', one, ip);
    expect([await used(key), await used(keyOf('mails', one))]).toEqual([1, 1]);
    await isUp(key, 10);
    const { status, body, headers } = await ask(one);
    expect([status, body]).toEqual([429, { error: 'Too many requests' }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(await used(key)).toBe(10);
    await yesterday(key);
    expect((await ask(one)).status).toBe(200);
    expect(await used(key)).toBe(1);

    const inAll = keyOf('mails', all);
    await isUp(inAll, 20);
    expect((await ask(all)).status).toBe(429);
    await sql`update intake.day_budget set last_used_at = now() - interval '61 minutes' where key = ${inAll}`;
    expect((await ask(all)).status).toBe(200);
    await own.stop();
  });

  test('are gone once their day is over', async () => {
    const key = keyOf('mails', freshAddress());
    await isUp(key, 1);
    await yesterday(key);
    await eventually(async () => (await used(key)) === undefined);
  });
});

describe('an intake that was begun', () => {
  const { idHashSecret } = loadSecrets(defaultStateDir());
  const checkoutOf = (email: string) =>
    temporal.client.workflow.getHandle(`checkout:${keyedHash(idHashSecret, email)}`);
  const intake = () => ({
    temporal: temporal.client,
    config: { service: () => ({ ID_HASH_SECRET: idHashSecret }) } as unknown as Config,
    logger: createLogger({ level: 'silent' }),
  });

  test('is followed from the verified address, once however often it is verified', async () => {
    const email = freshAddress();
    await check(email, await newCode(dev, email));
    const first = await checkoutOf(email).describe();
    expect(first.status.name).toBe('RUNNING');
    await check(email, await newCode(dev, email));
    expect((await checkoutOf(email).describe()).runId).toBe(first.runId);
    await cancelCheckout(intake(), email);
  });

  test('is not followed when the code was wrong', async () => {
    const email = freshAddress();
    await check(email, notThe(await newCode(dev, email)));
    await expect(checkoutOf(email).describe()).rejects.toThrow('not found');
  });

  test('is called off by the submit, and nobody is reminded', async () => {
    const email = freshAddress();
    await check(email, await newCode(dev, email));
    const { status } = await postIntake(dev, await newIntake(dev, { email: email.toUpperCase() }));
    expect(status).toBe(200);
    expect(await checkoutOf(email).result()).toBe('submitted');
    expect((await mailsTo(dev, email)).map(({ subject }) => subject)).toEqual(['Your verification code']);
  });

  test('that was abandoned is reminded of once, with the address of the form; not when it was submitted, or a day ago', async () => {
    const { key: keyId, secret } = dev.apiKeys['intake']!;
    const notifications = createNotificationClient({
      party: 'Notification service',
      baseUrl: dev.services.notification,
      keyId,
      secret,
    });
    const formUrl = 'https://intake.example.test/';
    const mails = createIntakeMailActivities({ sql, notifications, formUrl });
    const worker = new MockActivityEnvironment({ startToCloseTimeoutMs: 13_000 });
    const reminder = {
      email: freshAddress(),
      codeId: randomUUID(),
      since: new Date().toISOString(),
      attempt: 1,
    };
    const remind = (change = {}) => worker.run(() => mails.remindOfCheckout({ ...reminder, ...change }));

    expect([await remind(), await remind()]).toEqual(['sent', 'sent']);
    const [mail, second] = await mailsTo(dev, reminder.email);
    expect(mail).toMatchObject({
      subject: 'Your intake is waiting for you',
      text: expect.stringContaining(formUrl),
    });
    expect(second).toBeUndefined();

    expect(await remind({ since: new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString() })).toBe(
      'obsolete',
    );
    await postIntake(dev, await newIntake(dev, { email: reminder.email }));
    expect(await remind({ attempt: 2 })).toBe('obsolete');
  });

  test('is followed from the moment its code was issued: one submitted before the code is entered counts', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    await postIntake(dev, await newIntake(dev, { email }));
    await check(email, code);
    const { events } = await checkoutOf(email).fetchHistory();
    const sealed = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    const { payloadCodecs, payloadConverter } = temporal.client.options.loadedDataConverter;
    const [payload] = await payloadCodecs[0]!.decode(sealed);
    const { since } = payloadConverter.fromPayload<{ since: string }>(payload!);
    expect(await hasSubmittedSince(sql, email, new Date(since))).toBe(true);
    await cancelCheckout(intake(), email);
  });

  test('is called off without complaint where none was begun', async () => {
    await expect(cancelCheckout(intake(), freshAddress())).resolves.toBeUndefined();
  });

  test('leaves no address and no code in what Temporal shows', async () => {
    const email = freshAddress();
    const code = await newCode(dev, email);
    await check(email, code);
    const [row] = await sql<{ id: string }[]>`
      select id from intake.verification_code where address = ${hashOf(email)}
    `;
    for (const workflowId of [`verification-code:${row?.id}`, checkoutOf(email).workflowId]) {
      const history = await eventually(() => temporal.client.workflow.getHandle(workflowId).fetchHistory());
      const plain = Buffer.concat(
        JSON.stringify(history)
          .match(/[A-Za-z0-9+/=]{16,}/g)
          ?.map((text) => Buffer.from(text, 'base64')) ?? [],
      );
      for (const secret of [email, code]) {
        expect(JSON.stringify(history)).not.toContain(`"${secret}"`);
        expect(plain.includes(secret)).toBe(false);
      }
    }
    await cancelCheckout(intake(), email);
  });
});
