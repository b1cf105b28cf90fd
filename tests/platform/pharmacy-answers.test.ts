import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { readPharmacyAnswer } from '../../integrations/pharmacies/adapter.js';
import { systems } from '../../integrations/pharmacies/registry.js';
import type { ServiceConfig } from '../../platform/config.js';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

test('The error of a pharmacy is cut to 500 characters, and never within one', () => {
  const body = JSON.stringify({ error: `${'x'.repeat(499)}😀` });
  const response = { status: 400, headers: {}, body };
  expect(readPharmacyAnswer('pharmacy_a', response, () => undefined)).toEqual({
    accepted: false,
    status: 400,
    error: 'x'.repeat(499),
    response: body,
  });
});

const systemsOf = {
  pharmacy_a: {
    list: 'orders',
    order: (caseId: string, externalId: string) => ({ caseId, externalId, rxStatus: 'processing' }),
  },
  pharmacy_b: {
    list: 'prescriptions',
    order: (tracking_id: string, reference: string) => ({ tracking_id, reference, rxstatus: 'processing' }),
  },
};

/** A pharmacy that lists these orders whatever it is asked for, and shows the last of them. */
async function pharmacyWith(system: keyof typeof systemsOf, references: readonly string[]) {
  const { list, order } = systemsOf[system];
  const orders = references.map((reference, n) => order(`order-${n}`, reference));
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('/oauth/token')) response.end('{"access_token":"token","expires_in":60}');
    else response.end(JSON.stringify(url.includes('?') ? { [list]: orders } : orders.at(-1)));
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { PHARMACY_A_BASE_URL: baseUrl, PHARMACY_A_API_KEY: 'key', PHARMACY_B_BASE_URL: baseUrl };
  return systems[system].create(settings as ServiceConfig<'router'>);
}
const limits = { test: false, timeoutMs: 5_000 };

test.each(['pharmacy_a', 'pharmacy_b'] as const)(
  'An order of somebody else in an answer of %s is never ours',
  async (system) => {
    const pharmacy = await pharmacyWith(system, ['other', 'ours', 'other']);
    expect(await pharmacy.findOrder('ours', limits)).toMatchObject({ pharmacyOrderId: 'order-1' });
    await expect(pharmacy.findOrder('missing', limits)).rejects.toThrow('an answer of an unexpected shape');
    await expect(pharmacy.askStatus('order-1', limits)).rejects.toThrow('an answer of an unexpected shape');
    expect(await pharmacy.askStatus('order-2', limits)).toMatchObject({ status: 'processing' });
    expect(await (await pharmacyWith(system, [])).findOrder('ours', limits)).toBeUndefined();
  },
);
