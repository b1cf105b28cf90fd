import { randomUUID } from 'node:crypto';
import { addDays } from '../../domain/calendar.js';
import type { DevJson } from '../../dev/dev-json.js';
import { call, eventually, freshTask, sandbox } from '../helpers/client.js';
import { newPatient, saveCard } from '../helpers/patients.js';
import { startReceiver } from '../helpers/receiver.js';
import type { Take } from './examples-of-exceptions.js';

const key = 'admin';

/** An approval that is followed by its events and at the desk. */
export async function takeOfEvents(dev: DevJson, take: Take): Promise<void> {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const taskId = freshTask();
  const body = { taskId, medication: 'semaglutide', emrPatientId: patient.id };
  await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/approve', body });
  // Of one type, since each type has other fields.
  const query = `?taskId=${taskId}&types=order.submitted`;
  await eventually(async () => {
    const { events } = await take('orchestrator', 'GET', '/orchestrator/events', { query });
    return (events as unknown[]).length > 0;
  });

  const path = '/orchestrator/event-endpoint';
  const receiver = await startReceiver(() => 204);
  const endpoint = { url: receiver.url, types: ['order.*', 'payment.failed'] };
  await take('orchestrator', 'PUT', path, { body: endpoint });
  await take('orchestrator', 'GET', path);
  await take('orchestrator', 'POST', `${path}/test`);
  await take('orchestrator', 'POST', `${path}/rewind`, { body: { after: 0 } });
  await call(dev, 'orchestrator', { method: 'DELETE', path });
  await receiver.stop();

  await take('worklist', 'GET', '/v1/search', { query: `?q=${taskId}` });
  const parameters = { taskId };
  await take('worklist', 'GET', '/v1/orders/{taskId}', { parameters });
  const refund = { action: 'refund', data: { amountCents: 5_000 }, note: 'The parcel came late' };
  await take('worklist', 'POST', '/v1/orders/{taskId}/actions', { parameters, body: refund });
}

/** A day that is closed and a statement that is reconciled, each with one difference. */
export async function takeOfBooks(dev: DevJson, take: Take): Promise<void> {
  const date = addDays('1950-01-01', Math.floor(Math.random() * 25_000));
  const customer = await saveCard(dev, await newPatient(dev, 'NY'));
  const charge = { customer, amountCents: 29_900, at: `${date}T18:00:00Z` };
  await sandbox(dev, '/stripe/charges', { method: 'POST', body: charge });
  const closes = '/orchestrator/closes';
  const ofDay = { key, parameters: { date } };
  await take('orchestrator', 'POST', closes, { key, body: { date } });
  await take('orchestrator', 'GET', closes, { key, query: `?from=${date}&to=${date}` });
  await take('orchestrator', 'GET', `${closes}/{date}`, ofDay);
  const { lines } = await take('orchestrator', 'GET', `${closes}/{date}/lines`, ofDay);
  const settled = { answer: 'accept', note: 'Charged by hand' };
  const line = { date, id: firstId(lines) };
  await take('orchestrator', 'POST', `${closes}/{date}/lines/{id}/settle`, {
    key,
    parameters: line,
    body: settled,
  });
  await take('orchestrator', 'GET', '/orchestrator/months/{month}', {
    key,
    parameters: { month: date.slice(0, 7) },
  });

  const price = { key, parameters: { pharmacy: 'pharmacy_b', article: `item_${randomUUID().slice(0, 8)}` } };
  const from = date;
  await take('orchestrator', 'PUT', '/orchestrator/prices/{pharmacy}/{article}', {
    ...price,
    body: { cents: 8_000, from },
  });
  await take('orchestrator', 'GET', '/orchestrator/prices', { key });
  const statements = '/orchestrator/statements';
  const bill = { pharmacyOrderId: `case_${randomUUID()}`, amountCents: 8_000, shippedOn: from };
  const posted = await take('orchestrator', 'POST', statements, {
    key,
    query: '?pharmacy=pharmacy_b',
    body: { from, to: from, lines: [bill] },
  });
  const { id } = posted['statement'] as { id: string };
  const ofStatement = { key, parameters: { id } };
  await take('orchestrator', 'GET', statements, { key, query: '?pharmacy=pharmacy_b&limit=1' });
  await take('orchestrator', 'GET', `${statements}/{id}`, ofStatement);
  const billed = await take('orchestrator', 'GET', `${statements}/{id}/lines`, ofStatement);
  await take('orchestrator', 'POST', `${statements}/{id}/lines/{lineId}/settle`, {
    key,
    parameters: { id, lineId: firstId(billed['lines']) },
    body: { answer: 'accept', note: 'Credited with the next statement' },
  });
  await take('orchestrator', 'DELETE', `${statements}/{id}`, ofStatement);
}

const firstId = (lines: unknown): string => (lines as { id: string }[])[0]!.id;
