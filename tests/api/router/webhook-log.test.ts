import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { call, shared } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';

const dev = shared();

interface Logged {
  id: string;
  pharmacy: string;
  receivedAt: string;
  accepted: boolean;
  submissionId: string | null;
  status: number;
  error: string | null;
  body: string;
  bodyEncoding: string | null;
}
interface Answer {
  webhooks: Logged[];
  nextCursor: string | null;
  details: { fieldErrors: object };
}

const json = 'application/json';
const list = (query = '', key = 'admin') =>
  call<Answer>(dev, 'router', { key, path: `/rx/webhooks${query}` });

async function post(
  webhook: 'pharmacy_a' | 'pharmacy_b',
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<number> {
  const secret = dev.webhookSecrets[webhook];
  const response = await fetch(`${dev.services.router}/rx/webhooks/${webhook}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-secret': secret, ...headers },
    body,
  });
  await response.text();
  return response.status;
}

/** The entry of a webhook among the newest ones. Other tests send webhooks too. */
async function entryOf(body: string, query = ''): Promise<Logged | undefined> {
  const { status, body: page } = await list(`?limit=200${query}`);
  expect(status).toBe(200);
  return page.webhooks.find((one) => one.body === body);
}

describe('GET /rx/webhooks (D155)', () => {
  test('200: an accepted webhook is there byte for byte, with its order', async () => {
    const { body: order } = await call<{ submissionId: string; pharmacyOrderId: string }>(dev, 'router', {
      key: 'clinic',
      method: 'POST',
      path: '/rx/prescriptions/submit',
      body: inState('TX'),
    });
    const text = `\n{"rxstatus" : "In Transit","tracking_id":${JSON.stringify(order.pharmacyOrderId)}, "x":[1.50]} `;
    expect(await post('pharmacy_b', text)).toBe(200);
    const entry = {
      id: expect.stringMatching(/^\d+$/),
      pharmacy: 'pharmacy_b',
      receivedAt: expect.any(String),
      accepted: true,
      submissionId: order.submissionId,
      status: 200,
      error: null,
      body: text,
      bodyEncoding: null,
    };
    expect(await entryOf(text)).toEqual(entry);
    expect(await entryOf(text, '&pharmacy=pharmacy_b&accepted=true')).toEqual(entry);
    expect(await entryOf(text, '&accepted=false')).toBeUndefined();
    expect(await entryOf(text, '&pharmacy=pharmacy_a')).toBeUndefined();
  });

  test.each<[string, number, string, (mark: string) => string, string]>([
    ['an unknown order', 404, 'Unknown order', (mark) => `{"caseId":"${mark}","rxStatus":"shipped"}`, json],
    ['an unknown status', 400, 'rxStatus', (mark) => `{"caseId":"${mark}","rxStatus":"in-transit"}`, json],
    ['no order', 400, 'caseId', (mark) => `{"note":"${mark}"}`, json],
    ['malformed JSON', 400, 'Malformed JSON', (mark) => `{"caseId":"${mark}"`, json],
    ['another content type', 415, 'Unsupported content type', (mark) => mark, 'text/plain'],
  ])('200: a refused webhook is there byte for byte: %s', async (_name, status, error, bodyOf, type) => {
    const text = bodyOf(randomUUID());
    expect(await post('pharmacy_a', text, { 'content-type': type })).toBe(status);
    expect(await entryOf(text, '&pharmacy=pharmacy_a&accepted=false')).toEqual({
      id: expect.any(String),
      pharmacy: 'pharmacy_a',
      receivedAt: expect.any(String),
      accepted: false,
      submissionId: null,
      status,
      error: expect.stringContaining(error),
      body: text,
      bodyEncoding: null,
    });
    expect(await entryOf(text, '&accepted=true')).toBeUndefined();
  });

  test('200: bytes that are no text are there in Base64', async () => {
    for (const last of [0xff, 0x00]) {
      const bytes = Buffer.concat([Buffer.from(randomUUID()), Buffer.from([last])]);
      expect(await post('pharmacy_a', new Uint8Array(bytes))).toBe(400);
      expect(await entryOf(bytes.toString('base64'))).toMatchObject({ status: 400, bodyEncoding: 'base64' });
    }
  });

  test('A webhook with a wrong secret leaves nothing', async () => {
    const text = `{"caseId":"${randomUUID()}"}`;
    expect(await post('pharmacy_a', text, { 'x-webhook-secret': 'wrong' })).toBe(401);
    expect(await entryOf(text)).toBeUndefined();
  });

  test('200 page by page, newest first', async () => {
    const texts = Array.from({ length: 3 }, () => `{"caseId":"${randomUUID()}"}`);
    for (const text of texts) await post('pharmacy_b', text);
    const seen: Logged[] = [];
    let cursor: string | null = '';
    while (cursor !== null && seen.length < 20) {
      const rest: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await list(`?accepted=false&pharmacy=pharmacy_b&limit=1${rest}`);
      seen.push(...body.webhooks);
      cursor = body.nextCursor;
    }
    const bodies = seen.map(({ body }) => body);
    expect(bodies.filter((body) => texts.includes(body))).toEqual([...texts].reverse());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  });

  test('200: a page of large bodies ends early, and the next one continues', async () => {
    const marks = Array.from({ length: 10 }, (): string => randomUUID());
    for (const mark of marks) await post('pharmacy_a', `${mark}${' '.repeat(1_000_000)}`);
    const first = (await list('?accepted=false&limit=200')).body;
    const second = (await list(`?accepted=false&limit=50&cursor=${first.nextCursor}`)).body;
    // Other tests post small ones meanwhile.
    const marked = (webhooks: Logged[]) => webhooks.filter(({ body }) => marks.includes(body.trim()));
    expect(marked(first.webhooks).length).toBeLessThan(10);
    expect(marked([...first.webhooks, ...second.webhooks])).toHaveLength(10);
  });

  test('400 for an unknown pharmacy, filter and cursor; 403 for a key of another scope', async () => {
    for (const query of ['pharmacy=pharmacy_x', 'accepted=maybe', 'cursor=e30', 'limit=0'])
      expect([query, (await list(`?${query}`)).status]).toEqual([query, 400]);
    expect((await list('', 'clinic')).status).toBe(403);
  });
});
