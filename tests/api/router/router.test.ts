import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { atOnce, call, sandbox, shared } from '../../helpers/client.js';
import { inState, named, prescription } from '../../helpers/prescription.js';

interface Answer {
  submissionId: string;
  pharmacy: string;
  status: string;
  pharmacyOrderId: string | null;
  error: string;
}
interface Order {
  pharmacy: string;
  orderId: string;
  idempotencyKey: string;
  test: boolean;
  body: Record<string, unknown>;
}

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

const submit = <T = Answer>(
  body: unknown,
  options: { key?: string; headers?: Record<string, string> } = {},
) =>
  call<T>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body,
    ...options,
  });
const read = (id: string, key = 'clinic') => call(dev, 'router', { key, path: `/rx/prescriptions/${id}` });

/** The pharmacies' orders for a submission, oldest first. */
async function ordersOf(submissionId: string): Promise<Order[]> {
  const { orders } = await sandbox<{ orders: Order[] }>(dev, '/orders');
  return orders.filter(({ idempotencyKey }) => idempotencyKey.startsWith(submissionId)).reverse();
}
const callbacksOf = (submissionId: string) => sql<
  { sequence: number; kind: string; state: string; payload: string }[]
>`
  select sequence, kind, state, payload from router.callback where submission_id = ${submissionId} order by sequence
`;

describe('POST /rx/prescriptions/submit', () => {
  test.each([
    ['WA', 'pharmacy_a', 'pharmacy_a'],
    ['NY', 'pharmacy_c', 'pharmacy_a'],
    ['tx', 'pharmacy_b', 'pharmacy_b'],
  ])('201 for %s: one order of %s, placed with %s', async (state, pharmacy, adapter) => {
    const { status, body, headers } = await submit(inState(state));
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['submissionId', 'pharmacy', 'status', 'pharmacyOrderId']);
    expect(body).toMatchObject({ pharmacy, status: 'submitted' });
    expect(headers.get('idempotent-replayed')).toBeNull();
    expect(await ordersOf(body.submissionId)).toMatchObject([
      {
        pharmacy: adapter,
        orderId: body.pharmacyOrderId,
        idempotencyKey: `${body.submissionId}-1`,
        test: false,
      },
    ]);
  });

  // tests/db/routing-table has every state.
  test('201 or 422 by the state, as page 1, Routing configuration, has it', async () => {
    const routes = { NY: 'pharmacy_c', TX: 'pharmacy_b', WA: 'pharmacy_a', DC: 'pharmacy_a' };
    const none = { CA: undefined, MN: undefined, PR: undefined, ZZ: undefined };
    for (const [state, pharmacy] of Object.entries({ ...routes, ...none })) {
      const { status, body } = await submit({ ...inState(state), test: true });
      if (pharmacy === undefined) {
        expect(body).toEqual({ error: `No pharmacy route configured for state: ${state}` });
        expect(status).toBe(422);
      } else {
        expect([status, state, body.pharmacy]).toEqual([201, state, pharmacy]);
      }
    }
  });

  test('422 names the state in upper case and stores nothing', async () => {
    const submission = inState('ca');
    const { status, body } = await submit(submission);
    expect([status, body]).toEqual([422, { error: 'No pharmacy route configured for state: CA' }]);
    const { sourceOrderId } = submission;
    expect(await sql`select 1 from router.submission where source_order_id = ${sourceOrderId}`).toHaveLength(
      0,
    );
    expect(
      await sql`select 1 from router.received_payload where position(${sourceOrderId} in body) > 0`,
    ).toHaveLength(0);
  });

  test('201 goes by routing.patientState before shipTo.state', async () => {
    const { body } = await submit({ ...inState('CA'), routing: { patientState: 'tx' } });
    expect(body.pharmacy).toBe('pharmacy_b');
    expect((await read(body.submissionId)).body['patientState']).toBe('TX');
  });

  test.each(['pharmacy_a', 'pharmacy_b', 'pharmacy_c'] as const)(
    '201 with preferredPharmacy %s, in an excluded state too',
    async (preferredPharmacy) => {
      const { status, body } = await submit({ ...inState('CA'), routing: { preferredPharmacy } });
      expect([status, body.pharmacy]).toEqual([201, preferredPharmacy]);
    },
  );

  test.each(['WA', 'TX'])(
    '201 with test set places the order with the sandbox of the pharmacy of %s',
    async (state) => {
      const { body } = await submit({ ...inState(state), test: true });
      expect(await ordersOf(body.submissionId)).toMatchObject([{ test: true }]);
    },
  );

  test('201 hands clinical data and signature on to pharmacy_b', async () => {
    const plain = inState('TX');
    const { body } = await submit({
      ...plain,
      prescriber: { ...plain.prescriber, signatureBase64: 'aW1hZ2U=' },
      clinical: { allergies: { known: true, entries: ['latex'] }, conditions: { known: false } },
    });
    const [order] = await ordersOf(body.submissionId);
    expect(order?.body).toMatchObject({
      catalogId: 'PB-SEMA-5',
      billTo: 'practice',
      signedPrescriptionImage: 'aW1hZ2U=',
      allergies: [{ description: 'latex' }],
    });
    expect(order?.body).not.toHaveProperty('diseases');
  });

  test('201 for a body just below 5 MiB, 413 above', async () => {
    const plain = inState('TX');
    const withSignature = (characters: number) => ({
      ...plain,
      prescriber: { ...plain.prescriber, signatureBase64: 'A'.repeat(characters) },
    });
    expect((await submit(withSignature(5_238_000))).status).toBe(201);
    expect(await submit(withSignature(5_243_000))).toMatchObject({
      status: 413,
      body: { error: 'Payload too large' },
    });
  });

  test('400 names the field at fault', async () => {
    const plain = prescription();
    const { status, body } = await submit({ ...plain, patient: { ...plain.patient, gender: 'other' } });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'Validation failed',
      details: { fieldErrors: { 'patient.gender': [expect.any(String)] }, formErrors: [] },
    });
  });

  test('201 at the limits: no refills, a zip of five characters, source and sourceOrderId of 200', async () => {
    const plain = prescription();
    const { status } = await submit({
      ...plain,
      source: 's'.repeat(200),
      sourceOrderId: plain.sourceOrderId.padEnd(200, '字'),
      shipTo: { ...plain.shipTo, zip: '12345' },
      medication: { ...plain.medication, refills: 0, daysSupply: 1, quantity: 0.1 },
    });
    expect(status).toBe(201);
  });

  test('400 for a body that is no object, in formErrors', async () => {
    expect(await submit('[]')).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: { fieldErrors: {}, formErrors: [expect.any(String)] } },
    });
  });

  test('400 for malformed JSON, 415 for another content type', async () => {
    expect((await submit('{"a":')).status).toBe(400);
    expect((await submit('{}', { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });

  test('502 with the text of the pharmacy for a medication it does not know', async () => {
    const { status, body } = await submit(named('ibuprofen'));
    expect(status).toBe(502);
    expect(body).toEqual({
      submissionId: body.submissionId,
      pharmacy: 'pharmacy_c',
      status: 'failed',
      pharmacyOrderId: null,
      error: 'Unknown SKU',
    });
    expect((await read(body.submissionId)).body).toMatchObject({
      status: 'failed',
      pharmacyOrderId: null,
      errorMessage: 'Unknown SKU',
      responsePayload: { error: 'Unknown SKU' },
    });
    expect(
      (await callbacksOf(body.submissionId)).map(({ payload }) => JSON.parse(payload) as unknown),
    ).toEqual([
      {
        submissionId: body.submissionId,
        sourceOrderId: expect.any(String),
        pharmacy: 'pharmacy_c',
        status: 'failed',
        pharmacyOrderId: null,
        error: 'Unknown SKU',
      },
    ]);
  });

  test('502 without a call for a medication that pharmacy_b has no catalog id for', async () => {
    const { status, body } = await submit({ ...named('NAD+'), routing: { preferredPharmacy: 'pharmacy_b' } });
    expect([status, body.error]).toEqual([502, 'pharmacy_b has no catalog id for this medication']);
    const { requests } = await sandbox<{ requests: { body: unknown }[] }>(dev, '/requests?target=pharmacy_b');
    expect(requests.filter((request) => JSON.stringify(request.body).includes(body.submissionId))).toEqual(
      [],
    );
  });
});

describe('a repeated submission', () => {
  test('201 again with Idempotent-Replayed for the same payload, whatever the order of its keys', async () => {
    const submission = prescription();
    const first = await submit(submission);
    const again = await submit(Object.fromEntries(Object.entries(submission).reverse()));
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await ordersOf(first.body.submissionId)).toHaveLength(1);
    expect(await callbacksOf(first.body.submissionId)).toHaveLength(1);
  });

  test('201 for all of twenty at once, with one order and one callback', async () => {
    const submission = prescription();
    const answers = await atOnce(20, () => submit(submission));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await ordersOf(answers[0]!.body.submissionId)).toHaveLength(1);
    expect(await callbacksOf(answers[0]!.body.submissionId)).toHaveLength(1);
  });

  test('409 for another payload, unknown fields included', async () => {
    const submission = prescription();
    const { body } = await submit(submission);
    expect(await submit({ ...submission, extra: 1 })).toMatchObject({
      status: 409,
      body: {
        error: 'sourceOrderId already used with a different payload',
        submissionId: body.submissionId,
      },
    });
  });

  test('409 for all but one of several payloads at once', async () => {
    const submission = prescription();
    const answers = await Promise.all([1, 2, 3, 4].map((note) => submit({ ...submission, note })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await ordersOf(answers[0]!.body.submissionId)).toHaveLength(1);
    expect(
      await sql`select 1 from router.received_payload where position(${submission.sourceOrderId} in body) > 0`,
    ).toHaveLength(0);
  });

  test('201 for a corrected payload after a rejection: same submission, next key, a callback of its own', async () => {
    const wrong = named('ibuprofen');
    const first = await submit(wrong);
    const { medication } = prescription();
    const second = await submit({ ...wrong, medication });
    expect(second).toMatchObject({ status: 201, body: { submissionId: first.body.submissionId } });
    expect(await ordersOf(first.body.submissionId)).toMatchObject([
      { idempotencyKey: `${first.body.submissionId}-2` },
    ]);
    expect(await callbacksOf(first.body.submissionId)).toMatchObject([
      { sequence: 1, kind: 'initial', state: 'pending' },
      { sequence: 2, kind: 'initial', state: 'pending' },
    ]);
    expect((await read(first.body.submissionId)).body).toMatchObject({
      medicationName: medication.name,
      errorMessage: null,
      requestPayload: { medication },
    });
  });

  test('201 for the same reference of another source or another client: each has its own submission', async () => {
    const submission = prescription();
    const answers = [
      await submit(submission),
      await submit({ ...submission, source: randomUUID() }),
      await submit(submission, { key: 'clinic_b' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.submissionId)).size).toBe(3);
  });
});

describe('GET /rx/prescriptions/:id', () => {
  test('200 with the whole record, the payload as it was sent', async () => {
    const submission = { ...prescription(), extra: { kept: [1.5, null] } };
    const { body } = await submit(submission);
    const answer = await read(body.submissionId);
    expect(answer.status).toBe(200);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.body).toEqual({
      id: body.submissionId,
      amendments: [],
      parcels: [],
      apiKeyId: dev.apiKeys['clinic']!.key,
      cancellation: null,
      holds: [],
      source: submission.source,
      sourceOrderId: submission.sourceOrderId,
      callbackUrl: submission.callbackUrl,
      patientState: 'NY',
      medicationName: submission.medication.name,
      pharmacy: 'pharmacy_c',
      pharmacyOrderId: body.pharmacyOrderId,
      status: 'submitted',
      trackingNumber: null,
      carrier: null,
      errorMessage: null,
      requestPayload: submission,
      responsePayload: { caseId: body.pharmacyOrderId, status: 'received' },
      submittedAt: timestamp,
      createdAt: timestamp,
      updatedAt: timestamp,
    });
  });

  test("403 for another client's, 404 for an unknown and for a malformed id, 401 unsigned", async () => {
    const { body } = await submit(prescription());
    expect(await read(body.submissionId, 'clinic_b')).toMatchObject({
      status: 403,
      body: { error: 'Forbidden' },
    });
    const notFound = { status: 404, body: { error: 'Submission not found' } };
    expect(await read(randomUUID())).toMatchObject(notFound);
    expect(await read('no-uuid')).toMatchObject(notFound);
    expect((await fetch(`${dev.services.router}/rx/prescriptions/${body.submissionId}`)).status).toBe(401);
  });
});
