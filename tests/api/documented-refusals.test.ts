import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../db/client.js';
import type { DevJson } from '../../dev/dev-json.js';
import { serviceNames } from '../../platform/service-names.js';
import { adminToken, sandbox, shared } from '../helpers/client.js';
import { credentialsFor, type DocumentedRoute, documentedRoutes } from '../helpers/documented-routes.js';
import { type SecondApi, startSecondApi } from '../helpers/second-api.js';
import { stripe } from '../helpers/patients.js';
import { newIntake } from './intake/intakes.js';

// What every route refuses before it looks at anything of its own. `npm test` names documented answers that nothing provokes.
const dev = shared();
const routes = await documentedRoutes(dev, serviceNames);
const role = `nobody_${randomBytes(6).toString('hex')}`;
let sql: Sql;
let token: string;
/** Services whose database lets them in and shows them nothing, and services for impatient limits. */
let blind: SecondApi;
let limited: SecondApi;

beforeAll(async () => {
  token = await adminToken(dev);
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await sql.unsafe(`create role ${role} login password 'nobody'`);
  const url = new URL(dev.databaseUrl);
  Object.assign(url, { username: role, password: 'nobody' });
  const databases = serviceNames.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, url.href] as const);
  [blind, limited] = await Promise.all([
    startSecondApi(dev, serviceNames, {
      ...Object.fromEntries(databases),
      STRIPE_API_BASE: dev.stripe.apiBase,
      IDP_JWKS_URL: `${dev.sandbox}/idp/jwks.json`,
      IDP_ISSUER: `${dev.sandbox}/idp`,
      STRIPE_SECRET_KEY: dev.stripe.secretKey,
      LOG_LEVEL: 'silent',
    }),
    startSecondApi(dev, serviceNames, {
      RATE_LIMIT_UNVERIFIED_PER_MINUTE: '1',
      RATE_LIMIT_CODES_PER_MINUTE: '1',
    }),
  ]);
});
afterAll(async () => {
  await Promise.all([blind.stop(), limited.stop()]);
  await sql.unsafe(`drop role ${role}`);
  await sql.end();
});

interface Sent {
  services?: DevJson['services'];
  headers?: Record<string, string>;
  body?: string;
  query?: string;
}

/** The status and code of an answer. */
async function ask(
  route: DocumentedRoute,
  { services = dev.services, headers = {}, body, query = '' }: Sent,
) {
  const answer = await fetch(services[route.service] + route.path + query, {
    method: route.method,
    headers,
    ...(body !== undefined && { body }),
  });
  await answer.arrayBuffer();
  return `${answer.status} ${String(answer.headers.get('error-code'))}`;
}

/** The routes that document a refusal but answer otherwise. */
async function otherwise(
  [status, code]: [status: number, code: string],
  answerOf: (route: DocumentedRoute) => Promise<string> | undefined,
): Promise<string[]> {
  const found: string[] = [];
  for (const route of routes) {
    if (!(String(status) in route.responses)) continue;
    const answer = await answerOf(route);
    if (answer !== undefined && answer !== `${status} ${code}`)
      found.push(`${route.service} ${route.method} ${route.template}: ${answer}`);
  }
  return found;
}

const hasBody = ({ method }: DocumentedRoute) => method !== 'GET';
const credentials = (route: DocumentedRoute, body = '') => credentialsFor(dev, token, route, body);
const json = { 'content-type': 'application/json' };

test('401: each route that asks who calls, for nobody', async () => {
  const answerOf = (route: DocumentedRoute) =>
    route.security?.length ? ask(route, hasBody(route) ? { headers: json, body: '{}' } : {}) : undefined;
  expect(await otherwise([401, 'unauthorized'], answerOf)).toEqual([]);
});

test('415: each route with a body, for text', async () => {
  const body = 'text';
  const answerOf = (route: DocumentedRoute) =>
    ask(route, { headers: { ...credentials(route, body), 'content-type': 'text/plain' }, body });
  expect(await otherwise([415, 'unsupported_content_type'], answerOf)).toEqual([]);
});

test('413: each route with a body, for a byte over one MiB, or for six MiB where a route takes more', async () => {
  const answerOf = async (route: DocumentedRoute) => {
    const ofBytes = (bytes: number) => {
      const body = `"${'x'.repeat(bytes - 2)}"`;
      return ask(route, { headers: { ...credentials(route, body), ...json }, body });
    };
    const answer = await ofBytes(1024 * 1024 + 1);
    return answer.startsWith('413') ? answer : ofBytes(6 * 1024 * 1024);
  };
  expect(await otherwise([413, 'payload_too_large'], answerOf)).toEqual([]);
});

test('400: each route that takes a body or a query, for one that says nothing', async () => {
  const answerOf = (route: DocumentedRoute) =>
    hasBody(route)
      ? ask(route, { headers: { ...credentials(route, '{'), ...json }, body: '{' })
      : ask(route, { headers: credentials(route), query: '?x=%00' });
  expect(await otherwise([400, 'validation_failed'], answerOf)).toEqual([]);
});

test('429: each route, for an address that asks too often', async () => {
  const { services } = limited;
  const answerOf = async (route: DocumentedRoute) => {
    const sent = { services, ...(hasBody(route) && { headers: json, body: '{}' }) };
    await ask(route, sent);
    return ask(route, sent);
  };
  expect(await otherwise([429, 'too_many_requests'], answerOf)).toEqual([]);
});

/** What reaches the database where nobody has to say who calls; of the rest, no request finds a fault of ours. */
const unsigned = async (): Promise<Readonly<Record<string, object | null>>> => {
  const token = { sub: randomUUID(), email: 'ada@clinic.test', claims: {} };
  const terms = { id: randomUUID(), percent_off: '50', duration: 'forever', max_redemptions: '9' };
  const { id: code } = await stripe(dev, 'coupons', terms);
  return {
    '/validate-coupon': { code },
    '/save-payment-info': { submissionId: randomUUID(), paymentMethodId: 'pm_card_visa' },
    '/submit': await newIntake(dev),
    '/v1/auth/otp/send': { email: 'ada@clinic.test' },
    '/v1/auth/otp/check': { email: 'ada@clinic.test', code: '123456' },
    '/v1/auth/exchange': await sandbox(dev, '/idp/tokens', { method: 'POST', body: token }),
    '/payment-intent': null,
    '/pay': null,
    '/pay/session': null,
    // Another file asks them.
    '/api/pharmacy-router/callback': null,
    '/orchestrator/webhooks/stripe': null,
  };
};

test('500: each route, whose database shows it nothing', async () => {
  const { services } = blind;
  const bodies = await unsigned();
  const answerOf = (route: DocumentedRoute) => {
    const given = bodies[route.template] ?? {};
    if (bodies[route.template] === null) return undefined;
    const body = hasBody(route) ? JSON.stringify(given) : '';
    const headers = { ...credentials(route, body), ...(hasBody(route) && json) };
    const query = route.template === '/v1/public/resolve' ? '?hostname=care.example.test' : '';
    return ask(route, { services, headers, query, ...(hasBody(route) && { body }) });
  };
  expect(await otherwise([500, 'internal'], answerOf)).toEqual([]);
});
