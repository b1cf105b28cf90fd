import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { pharmacies, pharmaciesOf, pharmacySystems, systemOf, variablesOf } from '../../domain/pharmacies.js';
import { assignedPharmacy } from '../../domain/router/pharmacy-routing.js';
import { createPharmacies, systems } from '../../integrations/pharmacies/registry.js';
import type { ServiceConfig } from '../../platform/config.js';
import { pharmacyShape } from '../../platform/pharmacy-settings.js';

/** A made-up setting of every name: its value says which it is. */
const settings = new Proxy(
  {},
  { get: (_, name) => `https://${String(name)}.test` },
) as ServiceConfig<'router'>;
const calls = ['answerHold', 'askStatus', 'cancelOrder', 'carries', 'findOrder', 'placeOrder'];

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

test('Each system is called at its own address, live or sandbox', async () => {
  const adapters = createPharmacies(settings);
  const called: string[] = [];
  const real = globalThis.fetch;
  globalThis.fetch = (url) => {
    called.push(new URL(String(url)).hostname);
    return Promise.resolve(new Response('', { status: 503 }));
  };
  try {
    for (const pharmacy of pharmacies)
      for (const isTest of [false, true]) {
        called.length = 0;
        await expect(
          adapters[pharmacy].cancelOrder('order-1', null, {
            idempotencyKey: 'key',
            test: isTest,
            timeoutMs: 1_000,
          }),
        ).rejects.toThrow();
        const { baseUrl, sandboxBaseUrl } = variablesOf(systemOf(pharmacy));
        expect(called).toEqual([(isTest ? sandboxBaseUrl : baseUrl).toLowerCase()]);
      }
  } finally {
    globalThis.fetch = real;
  }
});

test('Every variable of a system stands in the configuration page', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  for (const name of Object.keys(pharmacyShape)) expect(page).toContain(name);
});

test('Every pharmacy serves a state', () => {
  const serving = new Set(['TX', 'NY', 'OR'].map(assignedPharmacy));
  expect([...serving].sort()).toEqual([...pharmacies].sort());
});
