import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { pharmacies, pharmaciesOf, pharmacySystems, systemOf, variablesOf } from '../../domain/pharmacies.js';
import { createPharmacies, systems } from '../../integrations/pharmacies/registry.js';
import type { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceConfig } from '../../platform/config.js';
import { pharmacyShape } from '../../platform/pharmacy-settings.js';

/** A made-up setting of every name: its value says which it is. */
const settingsAt = (origin: string) =>
  new Proxy({}, { get: (_, name) => origin + String(name) }) as ServiceConfig<'router'>;
const settings = settingsAt('https://pharmacy.test/');
const calls = ['answerHold', 'askStatus', 'cancelOrder', 'catalog', 'findOrder', 'placeOrder'];

test('Every system has a complete adapter', () => {
  expect(Object.keys(systems).sort()).toEqual([...pharmacySystems].sort());
  for (const { create, webhook, words } of Object.values(systems)) {
    expect(Object.keys(create(settings)).sort()).toEqual(calls);
    expect(webhook.body.meta()?.id).toMatch(/Webhook$/);
    expect(words.holds.size * words.denials.size).toBeGreaterThan(0);
  }
});

test('Each pharmacy is called through its own system and no other', () => {
  const adapters = createPharmacies(settings);
  expect(Object.keys(adapters)).toEqual(pharmacies);
  for (const one of pharmacies)
    for (const other of pharmacies)
      expect([one, other, adapters[one] === adapters[other]]).toEqual([
        one,
        other,
        systemOf(one) === systemOf(other),
      ]);
  expect(pharmacies.map(systemOf)).toEqual(['pharmacy_a', 'pharmacy_b', 'pharmacy_a']);
  expect(pharmaciesOf('pharmacy_a')).toEqual(['pharmacy_a', 'pharmacy_c']);
});

test('Each pharmacy is called at the address of its system, live or sandbox', async () => {
  const called: string[] = [];
  const server = createServer((request, response) => {
    called.push(request.url?.split('/')[1] ?? '');
    response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const adapters = createPharmacies(settingsAt(`http://127.0.0.1:${port}/`));
    for (const pharmacy of pharmacies)
      for (const isTest of [false, true]) {
        called.length = 0;
        const limits = { idempotencyKey: 'key', test: isTest, timeoutMs: 5_000 };
        await expect(adapters[pharmacy].cancelOrder('order-1', null, limits)).rejects.toThrow();
        const { baseUrl, sandboxBaseUrl } = variablesOf(systemOf(pharmacy));
        expect(new Set(called)).toEqual(new Set([isTest ? sandboxBaseUrl : baseUrl]));
      }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.each([
  ['pharmacy_a', { caseId: 'order-1', rxStatus: 'processing', hold: { id: '', code: '' } }, null],
  ['pharmacy_a', { caseId: 'order-1', rxStatus: 'processing', hold: '' }, null],
  ['pharmacy_a', { caseId: 'order-1', rxStatus: 'processing', hold: { id: 'H1', code: null } }, 'H1'],
  ['pharmacy_a', { caseId: 'order-1', rxStatus: 'on-hold', hold: { code: 'DOSE' } }, 'malformed'],
  ['pharmacy_b', { tracking_id: 'order-1', rxstatus: 'processing', holdid: '', holdcode: '' }, null],
  ['pharmacy_b', { tracking_id: 'order-1', rxstatus: 'on-hold', holdmessage: 'Which dose?' }, 'malformed'],
  ['pharmacy_b', { tracking_id: 'order-1', rxstatus: 'on-hold', holdid: 'H1', holdcode: '' }, 'H1'],
] as const)('%s answers with %j, whose hold is %j', async (pharmacy, answer, expected) => {
  const server = createServer((request, response) => {
    const isToken = request.url?.endsWith('/oauth/token');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isToken ? { access_token: 'token', expires_in: 60 } : answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const adapter = createPharmacies(settingsAt(`http://127.0.0.1:${port}/`))[pharmacy];
    const asked = adapter.askStatus('order-1', { test: false, timeoutMs: 5_000 });
    const hold = await asked.then(
      (report) => report?.hold?.id ?? null,
      (error: unknown) => (error as OutboundError).fault.kind,
    );
    expect(hold).toBe(expected);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('Every variable of a system stands in the configuration page', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  for (const name of Object.keys(pharmacyShape)) expect(page).toContain(name);
});
