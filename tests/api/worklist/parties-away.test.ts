import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { adminToken, call, callAs, eventually, shared } from '../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { type SecondApi, startSecondApi } from '../../helpers/second-api.js';
import { approve, ordersOf, semaglutideFor } from '../orchestrator/approvals.js';
import { atPharmacy } from '../orchestrator/exceptions.js';

// Worklists beside the one of the system, whose other services are at addresses where nobody answers.
const dev = shared();
const nobody = 'http://127.0.0.1:9';
const apis: SecondApi[] = [];
let token: string;
let patient: TestPatient;
let taskId: string;
let itemId: string;

async function without(names: readonly string[]): Promise<DevJson> {
  const settings = Object.fromEntries(names.map((name) => [name, nobody]));
  const hosted = names.includes('EMR_BASE_URL') ? (['worklist', 'intake'] as const) : (['worklist'] as const);
  const api = await startSecondApi(dev, hosted, { ...settings, LOG_LEVEL: 'silent' });
  apis.push(api);
  return { ...dev, services: { ...dev.services, ...api.services } };
}
interface Page {
  missing: string[];
  results: { kind: string; id: string }[];
  task: { pharmacy: string; orderStatus: string | null };
  context: Record<string, unknown>;
  timeline: { kind: string; service: string }[];
  actions: { action: string; allowed: boolean }[];
  effects: Record<string, string>;
}
const read = async (at: DevJson, path: string) => {
  const { status, body } = await callAs<Page>(at, 'worklist', token, { path });
  return { status, ...body };
};
const search = (at: DevJson, q: string) => read(at, `/v1/search?${new URLSearchParams({ q }).toString()}`);

beforeAll(async () => {
  token = await adminToken(dev);
  patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  ({ taskId } = approval);
  expect((await approve(dev, approval)).status).toBe(200);
  const [order] = await ordersOf(dev, taskId);
  await atPharmacy(dev, order!, 'hold', { id: randomUUID(), code: 'clarify-rx', message: 'Weekly?' });
  const path = `/v1/work-items?kind=pharmacy_hold&taskId=${taskId}`;
  const items = () => callAs<{ workItems: { id: string }[] }>(dev, 'worklist', token, { path });
  itemId = (await eventually(async () => (await items()).body.workItems[0])).id;
});
afterAll(() => Promise.all(apis.map((api) => api.stop())));

test('Without router, intake and directory, the task is found, and the pages say what is missing', async () => {
  const at = await without(['ROUTER_URL', 'INTAKE_URL', 'PATIENTS_URL']);
  const found = await search(at, taskId);
  expect(found.results.map(({ id }) => id)).toEqual([taskId]);
  expect([...found.missing].sort()).toEqual(['Patient directory', 'Router']);
  const byAddress = await search(at, patient.email);
  expect([...byAddress.missing].sort()).toEqual(['Intake gateway', 'Patient directory', 'Router']);
  const order = await read(at, `/v1/orders/${taskId}`);
  expect([order.missing, order.task.orderStatus, order.context['shipTo']]).toEqual([['Router'], null, null]);
  expect(order.task.pharmacy).toBe('Pharmacy A');
  expect(order.actions.filter(({ allowed }) => allowed).length).toBeGreaterThan(3);
  const item = await read(at, `/v1/work-items/${itemId}`);
  expect([item.missing, item.context['question']]).toEqual([['Router'], null]);
  expect(item.context).toMatchObject({ medication: 'Semaglutide 5mg/mL', amountCents: 29_900 });
  expect(item.effects['cancel']).toContain('$299.00 is refunded');
});

test('Without the orchestrator an item still shows the order of the pharmacy; search and order are 503', async () => {
  const at = await without(['ORCHESTRATOR_URL']);
  const item = await read(at, `/v1/work-items/${itemId}`);
  expect(item.missing).toEqual(['Orchestrator']);
  expect(item.context).toMatchObject({ question: 'Weekly?', patient: { name: patient.name } });
  expect((await search(at, taskId)).status).toBe(503);
  expect((await read(at, `/v1/orders/${taskId}`)).status).toBe(503);
  expect((await read(at, '/v1/months/2026-01')).status).toBe(503);
});

test('Without the EMR an address finds whom the intakes know, and the page says that the EMR is missing', async () => {
  expect((await search(dev, patient.email)).results.map(({ id }) => id)).toContain(taskId);
  const at = await without(['EMR_BASE_URL']);
  const { missing, results } = await search(at, patient.email);
  expect([missing, results]).toEqual([['EMR'], []]);
});

test('A page of a gateway in place of an answer to a change is 503', async () => {
  const gateways: Server[] = [];
  const gatewayTo = async (target: string): Promise<string> => {
    const gateway = createServer(({ method, url = '', headers }, answer) => {
      if (method === 'POST')
        return void answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      const { host: _host, connection: _connection, ...sent } = headers;
      fetch(target + url, { headers: sent as Record<string, string> })
        .then(async (read) => answer.writeHead(read.status).end(await read.text()))
        .catch(() => answer.destroy());
    });
    gateways.push(gateway.listen(0, '127.0.0.1'));
    await once(gateway, 'listening');
    return `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  };
  const api = await startSecondApi(dev, ['worklist'], {
    ORGANIZATION_URL: await gatewayTo(dev.services.organization),
    ORCHESTRATOR_URL: await gatewayTo(dev.services.orchestrator),
    LOG_LEVEL: 'silent',
  });
  apis.push(api);
  const at = { ...dev, services: { ...dev.services, ...api.services } };
  const post = async (path: string, body: object, as?: string) =>
    (await callAs(at, 'worklist', as, { method: 'POST', path, body })).status;
  expect(await post('/v1/auth/otp/send', { email: 'ada@clinic.test' })).toBe(503);
  expect(await post('/v1/auth/refresh', {}, token)).toBe(503);
  expect(await post(`/v1/orders/${taskId}/actions`, { action: 'pause', note: 'Away' }, token)).toBe(503);
  for (const gateway of gateways) gateway.close();
});

test('Nobody but the worklist may ask the intake for the patients of an address', async () => {
  const body = { email: patient.email };
  const at = (key: string) => call(dev, 'intake', { key, method: 'POST', path: '/desk/patients', body });
  expect((await at('approvals')).status).toBe(403);
  expect((await at('worklist')).body).toEqual({ emrPatientIds: [patient.id], isEmrAway: false });
});
