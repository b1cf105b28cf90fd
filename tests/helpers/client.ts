import { randomUUID } from 'node:crypto';
import { createSql } from '../../db/client.js';
import { developmentSuperadmin } from '../../dev/seed/admins.js';
import { defaultStateDir, type DevJson, readDevJson } from '../../dev/dev-json.js';
import { type AdminClaims, issueAdminToken } from '../../platform/crypto/admin-token.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { sign, signedHeaders } from '../../platform/crypto/signature.js';
import { checkErrorHeaders } from './error-headers.js';

type Service = keyof DevJson['services'];

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** The shared system of the test run. */
export const shared = (): DevJson => readDevJson(process.env['SCRIPTRAIL_STATE_DIR']);

/** A signed call as a client of the system makes it. */
export async function call<T = Record<string, unknown>>(
  dev: DevJson,
  service: Service,
  options: {
    key?: string;
    method?: string;
    path: string;
    /** Sent as JSON; a string as it is. */
    body?: unknown;
    headers?: Record<string, string>;
    signal?: AbortSignal;
  },
): Promise<Answer<T>> {
  const { key = 'approvals', method = 'GET', path, body, headers, signal } = options;
  const credentials = dev.apiKeys[key];
  if (!credentials) throw new Error(`no key ${key}`);
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(dev.services[service] + path, {
    method,
    headers: {
      ...signedHere({ keyId: credentials.key, secret: credentials.secret }, text),
      ...(text === '' ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text === '' ? {} : { body: text }),
    ...(signal && { signal }),
  });
  await checkErrorHeaders({ service: dev.services[service], method, path }, response);
  const answer = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (answer === '' ? undefined : JSON.parse(answer)) as T,
  };
}

/** Test files beside each other may sign in the same millisecond, and a signature opens one request (D158). */
function signedHere(credentials: { keyId: string; secret: string }, text: string): Record<string, string> {
  const { 'x-timestamp': at, ...headers } = signedHeaders(credentials, text);
  const timestamp = at.replace('Z', `${process.env['JEST_WORKER_ID'] ?? ''}Z`);
  return {
    ...headers,
    'x-timestamp': timestamp,
    'x-signature': sign(credentials.secret, timestamp, text || '{}'),
  };
}

/**
 * A token as the organization service issues it; without claims the development superadmin's. An admin that is named
 * is made if there is none.
 * @param stateDir of a system of one's own
 */
export async function adminToken(
  dev: DevJson,
  claims: Partial<AdminClaims> = {},
  stateDir = defaultStateDir(),
): Promise<string> {
  const admin = {
    sub: developmentSuperadmin.id,
    kind: 'admin' as const,
    isSuperadmin: Object.keys(claims).length === 0,
    memberships: [],
    ver: 0,
    ...claims,
  };
  if (claims.sub !== undefined) await haveAdmin(dev, admin);
  return issueAdminToken(loadSecrets(stateDir).adminJwtSecret, admin);
}

/** An admin as if they had been invited and had signed in. */
async function haveAdmin(
  dev: DevJson,
  { sub, isSuperadmin, isOperator = false }: AdminClaims,
): Promise<void> {
  const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await sql`
    insert into organization.admin_user (id, email, display_name, is_superadmin, is_operator, state, activated_at)
    values (${sub}, ${`${sub}@test.example`}, 'Test', ${isSuperadmin}, ${isOperator}, 'active', now())
    on conflict do nothing
  `;
  await sql.end();
}

/** A call with an admin's token, or with none. */
export async function callAs<T = Record<string, unknown>>(
  dev: DevJson,
  service: Service,
  token: string | undefined,
  options: { method?: string; path: string; body?: unknown; headers?: Record<string, string> },
): Promise<Answer<T>> {
  const { method = 'GET', path, body, headers } = options;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(dev.services[service] + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(text === '' ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text === '' ? {} : { body: text }),
  });
  await checkErrorHeaders({ service: dev.services[service], method, path }, response);
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}

/** Calls the sandbox's control API; a fault set here affects every test that shares the system. */
export async function sandbox<T = Record<string, unknown>>(
  dev: DevJson,
  path: string,
  options: { method?: string; body?: unknown } = {},
): Promise<T> {
  const response = await fetch(`${dev.sandbox}/_sandbox${path}`, {
    method: options.method ?? 'GET',
    ...(options.body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(options.body) }),
  });
  if (!response.ok) throw new Error(`sandbox answered ${response.status} to ${path}`);
  const text = await response.text();
  return (text === '' ? {} : JSON.parse(text)) as T;
}

export const freshTask = (): string => `test-${randomUUID()}`;

/** The seeded patient of a state, by its card where a state has two. */
export function patientIn(dev: DevJson, state: string, card: string | null = 'pm_card_visa'): string {
  const patient = dev.patients.find((candidate) => candidate.state === state && candidate.card === card);
  if (!patient) throw new Error(`no seeded patient in ${state}`);
  return patient.emrPatientId;
}

/** Messages to an address or number, newest first, with repeats. */
export async function receivedBy<Message>(dev: DevJson, to: string): Promise<Message[]> {
  const query = new URLSearchParams({ to });
  return (await sandbox<{ messages: Message[] }>(dev, `/messages?${query.toString()}`)).messages;
}

/** The mails of a mailbox, newest first; a mail that was sent again under its Message-ID counts once. */
export async function mailboxOf<Mail>(dev: DevJson, email: string): Promise<Mail[]> {
  const mails = await receivedBy<Mail & { id: string }>(dev, email);
  return [...new Map(mails.map((mail) => [mail.id, mail])).values()];
}

/** The same so many times at once. */
export const atOnce = <T>(times: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, work));

/**
 * Polls until `look` finds something; the test's own time limit is the bound. Polls less often the longer a wait
 * takes, since the polls of all tests together would load the system too much.
 */
export async function eventually<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  const begun = Date.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const pauseMs = Math.min(Math.max((Date.now() - begun) / 10, 50), 300);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
