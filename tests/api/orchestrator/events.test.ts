import { describe, expect, test } from '@jest/globals';
import { call, eventually, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { approve, semaglutideFor } from './approvals.js';

const dev = shared();

interface Page {
  events: { type: string; taskId: string; sequence: number; data: Record<string, unknown> }[];
  nextAfter: number;
}
const read = (query: string) => call<Page>(dev, 'orchestrator', { path: `/orchestrator/events?${query}` });

describe('GET /orchestrator/events (D129)', () => {
  test('tells what became of an approval, once each', async () => {
    const patient = await newPatient(dev, 'NY');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    const { nextAfter: newest } = (await read('after=latest')).body;
    expect((await approve(dev, approval)).status).toBe(200);
    await approve(dev, approval);
    const of = `taskId=${approval.taskId}&after=${newest}`;
    const events = await eventually(async () => {
      const { events } = (await read(of)).body;
      return events.some(({ type }) => type === 'approval.completed') && events;
    });
    expect(events.map(({ type }) => type)).toEqual([
      'payment.succeeded',
      'order.submitted',
      'approval.completed',
    ]);
    const { submissionId } = events[2]!.data;
    expect(events.map(({ data }) => data)).toEqual([
      { amountCents: expect.any(Number), currency: 'usd' },
      { submissionId, pharmacy: 'pharmacy_c', reference: approval.taskId },
      { runId: expect.any(String), submissionId, warnings: [] },
    ]);
    const orders = (await read(`${of}&types=order.*,refill.sent`)).body;
    expect(orders.events.map(({ type }) => type)).toEqual(['order.submitted']);
    expect(orders.nextAfter).toBeGreaterThanOrEqual(events[2]!.sequence);
  });

  test('tells that an approval failed, with its code', async () => {
    const approval = semaglutideFor('nobody');
    expect((await approve(dev, approval)).status).toBe(500);
    const [failed] = await eventually(async () => {
      const { events } = (await read(`taskId=${approval.taskId}`)).body;
      return events.length > 0 && events;
    });
    expect(failed).toMatchObject({
      type: 'approval.failed',
      data: { failedStep: 'patient_details', code: 'patient_not_found' },
    });
  });

  test.each(['types=order.lost', 'types=nothing.*', 'after=-1', 'limit=0', 'after=newest'])(
    'rejects %s',
    async (query) => expect((await read(query)).status).toBe(400),
  );
});
