import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { defaultStateDir } from '../../../dev/dev-json.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { createSql, type Sql } from '../../../db/client.js';
import { verifyPlanToken } from '../../../platform/crypto/plan-token.js';
import { shared } from '../../helpers/client.js';
import { ownIntake, visit } from './visitors.js';

interface Plans {
  plans: Record<string, unknown>[];
}

const dev = shared();
let sql: Sql;
/** As in production, without a database. */
let bare: Awaited<ReturnType<typeof ownIntake>>;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  bare = await ownIntake(dev, {
    NODE_ENV: 'production',
    INTAKE_REQUIRE_EMAIL_PROOF: 'true',
    DATABASE_TLS: 'off',
    EMR_BASE_URL: 'https://emr.example.org',
    ORCHESTRATOR_URL: 'https://orchestrator.example.org',
    STRIPE_API_BASE: 'https://stripe.example.org',
    STRIPE_SECRET_KEY: `sk_live_${randomUUID()}`,
    INTAKE_DATABASE_URL: 'postgres://scriptrail_intake@127.0.0.1:1/none',
    INTAKE_FORM_URL: 'https://clinic.example.org/start',
    CLINIC_NAME: 'Clinic of the tests',
    CLINIC_CONTACT: 'care@clinic.example.org',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_of_the_tests',
    INTAKE_ORIGINS: 'https://clinic.example.org',
  });
});
afterAll(async () => {
  await sql.end();
  await bare.stop();
});

describe('GET /plans', () => {
  test('200: the active plans, each with a token that fixes its price', async () => {
    const { status, body } = await visit<Plans>(dev, '/plans');
    expect(status).toBe(200);
    const plan = (intakeType: string, amountCents: number) => ({
      id: expect.any(String),
      intakeType,
      plan: 'monthly',
      displayName: expect.any(String),
      amountCents,
      interval: 'month',
      token: expect.any(String),
    });
    expect(body).toEqual({ plans: [plan('glp-1', 29_900), plan('micro', 14_900), plan('nad', 19_900)] });

    const { planTokenSecret } = loadSecrets(defaultStateDir());
    for (const { intakeType, plan, amountCents, token } of body.plans) {
      expect(verifyPlanToken(planTokenSecret, String(token), Date.now())).toEqual({
        ok: true,
        payload: { intakeType, plan, amountCents, issuedAt: expect.any(Number) },
      });
    }
  });

  test('200: a plan that was withdrawn is left out', async () => {
    const name = `withdrawn-${randomUUID()}`;
    await sql`
      insert into intake.plan (intake_type, plan, display_name, amount_cents, is_active)
      values ('nad', ${name}, 'Withdrawn', 100, false)
    `;
    const { body } = await visit<Plans>(dev, '/plans');
    expect(body.plans.map(({ plan }) => plan)).not.toContain(name);
  });

  test('429: a visitor who asks too often, with the standard headers', async () => {
    const own = await ownIntake(dev, { RATE_LIMIT_UNVERIFIED_PER_MINUTE: '2' });
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await visit(own.dev, '/plans'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['1', '0', '0']);
    expect(answers[2]?.body).toEqual({ error: 'Too many requests' });
    expect(answers[2]?.headers.get('ratelimit-limit')).toBe('2');
    expect(answers[2]?.headers.get('retry-after')).toMatch(/^\d+$/);
    await own.stop();
  });

  test('500: the plans cannot be read', async () => {
    const { status, body } = await visit(bare.dev, '/plans');
    expect([status, body]).toEqual([500, { error: 'Failed to load plans' }]);
  });
});

describe('cross-origin requests', () => {
  const [allowed = ''] = dev.intakeOrigins;
  const ask = (
    origin: string,
    path: string,
    { headers, ...init }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) => fetch(dev.services.intake + path, { ...init, headers: { ...headers, origin } });
  const preflight = (origin: string, path: string) =>
    ask(origin, path, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,idempotency-key',
      },
    });
  const json = { 'content-type': 'application/json' };

  test.each(dev.intakeOrigins)('are allowed from %s, without credentials', async (origin) => {
    const answer = await ask(origin, '/plans');
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  test.each(['/submit', '/verify-email/send', '/payment-intent'])(
    'a preflight for %s is answered',
    async (path) => {
      const { status, headers } = await preflight(allowed, path);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(allowed);
      expect(headers.get('access-control-allow-methods')).toContain('POST');
      expect(headers.get('access-control-allow-headers')).toContain('idempotency-key');
    },
  );

  test('a preflight that names no method is refused by no text', async () => {
    const answer = await ask(allowed, '/submit', { method: 'OPTIONS' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  test('a refusal can be read by the form as well', async () => {
    const answer = await ask(allowed, '/validate-coupon', { method: 'POST', headers: json, body: '{}' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([400, allowed]);
  });

  test.each([
    'http://localhost:1',
    `${allowed}.example.test`,
    allowed.replace('http:', 'https:'),
    `${allowed}/`,
    'null',
    '*',
  ])('get no leave from %s', async (origin) => {
    for (const answer of [await ask(origin, '/plans'), await preflight(origin, '/submit')])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('get no leave where a wildcard is listed', async () => {
    const own = await ownIntake(dev, { INTAKE_ORIGINS: '*' });
    const { headers } = await fetch(`${own.dev.services.intake}/plans`, { headers: { origin: allowed } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    await own.stop();
  });
});

describe('the form at /', () => {
  test('is there in development, and runs nothing but its own script', async () => {
    const answer = await fetch(`${dev.services.intake}/`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'; connect-src 'self'/,
    );
    expect(await answer.text()).not.toMatch(/(?:src|href)="(?!data:)/);
  });

  test('404: in production there is none', async () => {
    const { status, body } = await visit(bare.dev, '/');
    expect([status, body]).toEqual([404, { error: 'Not found' }]);
  });
});
