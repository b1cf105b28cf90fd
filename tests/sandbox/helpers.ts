import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../sandbox/app.js';
import { readConfig, type Config } from '../../sandbox/config.js';

const directories: string[] = [];
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
});

/** Settings on free ports and in a directory of their own, which goes when the test file ends. */
export async function freshSettings(): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'scriptrail-sandbox-'));
  directories.push(directory);
  const anyPort = { SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0', SANDBOX_TLS_PORT: '0', SANDBOX_DNS_PORT: '0' };
  return { ...anyPort, SANDBOX_DATA_DIR: directory };
}

/** An answer with its body read: JSON where it is JSON, else text. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

export async function call(url: string, init: RequestInit & { json?: unknown } = {}): Promise<Answer> {
  const { json, ...rest } = init;
  const response = await fetch(url, {
    ...rest,
    ...(json !== undefined && {
      method: rest.method ?? 'POST',
      body: JSON.stringify(json),
      headers: { 'content-type': 'application/json', ...(rest.headers as Record<string, string>) },
    }),
  });
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Plain text is an answer too.
  }
  return { status: response.status, headers: response.headers, body };
}

/** One sandbox for a test file. A test reads it when it runs. */
export function useSandbox(extra: Record<string, string> = {}) {
  let sandbox: Sandbox;
  let config: Config;
  beforeAll(async () => {
    config = readConfig({ ...(await freshSettings()), ...extra });
    sandbox = await startSandbox(config);
  });
  afterAll(async () => {
    await sandbox.close();
  });
  return {
    url: () => sandbox.url,
    smtpPort: () => sandbox.ports['smtp'] ?? 0,
    tlsPort: () => sandbox.ports['tls'] ?? 0,
    dnsPort: () => sandbox.ports['dns'] ?? 0,
    config: () => config,
    call: (path: string, init?: RequestInit & { json?: unknown }) => call(sandbox.url + path, init),
    setFault: (fault: object) => call(`${sandbox.url}/_sandbox/faults`, { json: fault }),
    clearFaults: () => call(`${sandbox.url}/_sandbox/faults`, { method: 'DELETE' }),
    requests: async (target: string) => {
      const { body } = await call(`${sandbox.url}/_sandbox/requests?target=${target}`);
      return (body as { requests: Record<string, unknown>[] }).requests;
    },
  };
}

/** A valid order of each pharmacy, in its native format. */
export const orderA = (over: object = {}) => ({
  externalId: 'order-1',
  sku: '12565',
  quantity: 2,
  daysSupply: 30,
  refills: 3,
  sig: 'inject weekly',
  patient: { firstName: 'Ada', lastName: 'Test', dob: '1980-02-29', gender: 'f', phone: '5551230000' },
  shipTo: {
    firstName: 'Ada',
    lastName: 'Test',
    phone: '5551230000',
    line1: '1 Main St',
    city: 'Albany',
    state: 'NY',
    zip: '12201',
  },
  prescriber: { firstName: 'Pat', lastName: 'Scribe', npi: '1234567890' },
  ...over,
});

export const orderB = (over: object = {}) => ({
  reference: 'order-1',
  catalogId: 'PB-SEMA-5',
  quantity: 2,
  daysSupply: 30,
  refills: 3,
  directions: 'inject weekly',
  billTo: 'practice',
  patient: {
    firstName: 'Ada',
    lastName: 'Test',
    birthDate: '1980-02-29',
    gender: 'female',
    phone: '5551230000',
  },
  shipping: {
    firstName: 'Ada',
    lastName: 'Test',
    phone: '5551230000',
    address1: '1 Main St',
    city: 'Austin',
    state: 'TX',
    zip: '73301',
  },
  prescriber: { firstName: 'Pat', lastName: 'Scribe', npi: '1234567890' },
  ...over,
});
