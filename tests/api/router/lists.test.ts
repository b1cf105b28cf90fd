import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createSql } from '../../../db/client.js';
import { call, shared } from '../../helpers/client.js';
import { inState, prescription } from '../../helpers/prescription.js';

const dev = shared();
interface Entry {
  id: string;
  status: string;
  pharmacy: string;
  sourceOrderId: string;
}
interface Page {
  prescriptions: Entry[];
  nextCursor: string | null;
}

async function submit(body: object, key = 'clinic'): Promise<string> {
  const answer = await call<{ submissionId: string }>(dev, 'router', {
    key,
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body,
  });
  return answer.body.submissionId;
}
const list = <T = Page>(query = '', key = 'clinic') =>
  call<T>(dev, 'router', { key, path: `/rx/prescriptions${query}` });

describe('GET /rx/prescriptions', () => {
  test('200 with own submissions only, newest first, without payloads', async () => {
    const first = await submit(prescription());
    const foreign = await submit(prescription(), 'clinic_b');
    const second = await submit(inState('TX'));
    const { status, body } = await list();
    expect(status).toBe(200);
    const ids = body.prescriptions.map(({ id }) => id);
    expect(ids.indexOf(second)).toBeLessThan(ids.indexOf(first));
    expect(ids).not.toContain(foreign);
    expect(body.prescriptions[0]).not.toHaveProperty('requestPayload');
    expect(body.prescriptions[ids.indexOf(second)]).toMatchObject({
      pharmacy: 'pharmacy_b',
      status: 'submitted',
    });
  });

  test('200 page by page finds each once', async () => {
    // A client of its own would be needed for an exact count: here, a reference used from several sources.
    const sourceOrderId = randomUUID();
    const ids = [];
    for (let index = 0; index < 5; index += 1)
      ids.push(await submit({ ...prescription(), sourceOrderId, source: `source-${index}` }));
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body }: { body: Page } = await list(`?limit=2&sourceOrderId=${sourceOrderId}${after}`);
      expect(body.prescriptions.length).toBeLessThanOrEqual(2);
      found.push(...body.prescriptions.map(({ id }) => id));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(found).toEqual([...ids].reverse());
  });

  test('200 filtered by status and by pharmacy', async () => {
    const sourceOrderId = randomUUID();
    const good = await submit({ ...inState('TX'), sourceOrderId, source: 'good' });
    const { medication } = prescription();
    const bad = await submit({
      ...prescription(),
      sourceOrderId,
      source: 'bad',
      medication: { ...medication, name: 'ibuprofen' },
    });
    const of = async (query: string) =>
      (await list(`?sourceOrderId=${sourceOrderId}${query}`)).body.prescriptions.map(({ id }) => id);
    expect(await of('')).toEqual([bad, good]);
    expect(await of('&status=failed')).toEqual([bad]);
    expect(await of('&pharmacy=pharmacy_b')).toEqual([good]);
    expect(await of('&status=failed&pharmacy=pharmacy_b')).toEqual([]);
  });

  test('200 with fifty where no limit is given, and with up to 200', async () => {
    const sourceOrderId = randomUUID();
    const id = await submit({ ...prescription(), sourceOrderId });
    const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
    await sql`
      insert into router.submission
      select (jsonb_populate_record(submission, jsonb_build_object('id', gen_random_uuid(), 'source', n))).*
      from router.submission, generate_series(1, 50) n
      where id = ${id}
    `;
    await sql.end();
    const page = async (query: string) => (await list(`?sourceOrderId=${sourceOrderId}${query}`)).body;
    const first = await page('');
    expect([first.prescriptions.length, first.nextCursor]).toEqual([50, expect.any(String)]);
    const whole = await page('&limit=200');
    expect([whole.prescriptions.length, whole.nextCursor]).toEqual([51, null]);
  });

  test.each(['limit=0', 'cursor=!', 'cursor=abc'])('400 for %s, by field', async (query) => {
    const { status, body } = await list(`?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'Validation failed',
      details: {
        fieldErrors: { [query.slice(0, query.indexOf('='))]: [expect.any(String)] },
        formErrors: [],
      },
    });
  });
});

describe('the routing administration', () => {
  const get = (path: string, key = 'admin') => call<{ routes: object[] }>(dev, 'router', { key, path });
  const put = (state: string, body: unknown, key = 'admin') =>
    call(dev, 'router', { key, method: 'PUT', path: `/rx/routing/${state}`, body });
  // States that no other test routes by.
  afterAll(async () => {
    await put('OK', { pharmacy: 'pharmacy_b', priority: 1, isActive: false });
  });

  test('GET /rx/routing: 200 with the assignments of page 1, Routing configuration', async () => {
    const { status, body } = await get('/rx/routing');
    expect(status).toBe(200);
    expect(body.routes).toEqual(
      expect.arrayContaining([
        { state: 'TX', pharmacy: 'pharmacy_b', priority: 10, isActive: true },
        { state: 'NY', pharmacy: 'pharmacy_c', priority: 10, isActive: true },
        { state: 'WA', pharmacy: 'pharmacy_a', priority: 10, isActive: true },
      ]),
    );
  });

  test('GET /rx/routing/:state: 200 in either case, 400 for what is no state code', async () => {
    const tx = { routes: [{ state: 'TX', pharmacy: 'pharmacy_b', priority: 10, isActive: true }] };
    expect((await get('/rx/routing/tx')).body).toEqual(tx);
    expect((await get('/rx/routing/MN')).body).toEqual({ routes: [] });
    expect(await get('/rx/routing/TEX')).toMatchObject({
      status: 400,
      body: { details: { fieldErrors: { state: [expect.any(String)] } } },
    });
  });

  test('PUT /rx/routing/:state: 200 adds a route and replaces it, and submissions follow', async () => {
    const ask = () =>
      call(dev, 'router', {
        key: 'clinic',
        method: 'POST',
        path: '/rx/prescriptions/submit',
        body: inState('OK'),
      });
    const route = { state: 'OK', pharmacy: 'pharmacy_b', priority: 1, isActive: true };
    const { state: _state, ...body } = route;
    expect(await put('ok', body)).toMatchObject({ status: 200, body: { route } });
    expect(await ask()).toMatchObject({ status: 201, body: { pharmacy: 'pharmacy_b' } });
    expect((await put('OK', { ...body, isActive: false })).status).toBe(200);
    expect(await ask()).toMatchObject({
      status: 422,
      body: { error: 'No pharmacy route configured for state: OK' },
    });
    expect((await get('/rx/routing/OK')).body.routes).toEqual([{ ...route, isActive: false }]);
  });

  test.each<[string, string, object]>([
    ['priority', 'OK', { pharmacy: 'pharmacy_a', priority: 1.5, isActive: true }],
    ['state', '1A', { pharmacy: 'pharmacy_b', priority: 1, isActive: false }],
    ['state', 'ZZ', { pharmacy: 'pharmacy_b', priority: 1, isActive: false }],
    ['state', 'pr', { pharmacy: 'pharmacy_b', priority: 1, isActive: false }],
  ])('PUT /rx/routing/:state: 400 names %s', async (field, state, body) => {
    expect(await put(state, body)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: { fieldErrors: { [field]: [expect.any(String)] } } },
    });
  });

  test('401 unsigned and 403 without the scope admin, for each of the three', async () => {
    const refused = { status: 403, body: { error: 'Key not allowed for this service' } };
    expect(await get('/rx/routing', 'clinic')).toMatchObject(refused);
    expect(await get('/rx/routing/TX', 'clinic')).toMatchObject(refused);
    expect(await put('TX', {}, 'clinic')).toMatchObject(refused);
    for (const method of ['GET', 'PUT'])
      expect((await fetch(`${dev.services.router}/rx/routing/TX`, { method })).status).toBe(401);
    expect((await fetch(`${dev.services.router}/rx/routing`)).status).toBe(401);
  });
});
