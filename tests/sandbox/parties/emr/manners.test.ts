import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { type Answer, useSandbox } from '../../helpers.js';

const sandbox = useSandbox();
const fhir = (path: string, init: RequestInit & { json?: unknown } = {}): Promise<Answer> =>
  sandbox.call(`/fhir/R4${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${sandbox.config().SANDBOX_EMR_TOKEN}`,
      ...(init.json !== undefined && { 'content-type': 'application/fhir+json' }),
      ...(init.headers as Record<string, string>),
    },
  });
const setManners = (json: object) => sandbox.call('/_sandbox/emr/manners', { method: 'PUT', json });
const create = (family: string, headers = {}) =>
  fhir('/Patient', { json: { resourceType: 'Patient', name: [{ family }], active: true }, headers });
interface Page {
  entry?: { resource: { id: string } }[];
  link?: { relation: string; url: string }[];
}

afterEach(async () => {
  await sandbox.call('/_sandbox/emr/manners', { method: 'DELETE' });
});

test.each([
  ['null', null],
  ['empty', ''],
])('a create is answered with %s and its location, unless the call is spared', async (kind, body) => {
  expect((await setManners({ create: kind, conditional: true, page: null })).status).toBe(200);
  const made = await create('Rivers');
  expect([made.status, made.body]).toEqual([201, body]);
  const id = /\/fhir\/R4\/Patient\/([^/]+)\/_history\//.exec(made.headers.get('location') ?? '')?.[1];
  expect((await fhir(`/Patient/${id}`)).body).toMatchObject({ name: [{ family: 'Rivers' }] });
  const spared = await create('Rivers', { 'x-sandbox-bypass': '1' });
  expect(spared.body).toMatchObject({ resourceType: 'Patient' });
});

test('conditional creates do not work where the EMR has none', async () => {
  const value = randomUUID();
  const conditional = () =>
    fhir('/Patient', {
      json: { resourceType: 'Patient', identifier: [{ system: 'https://mrn.test', value }] },
      headers: { 'if-none-exist': `identifier=https://mrn.test|${value}` },
    });
  expect((await conditional()).status).toBe(201);
  expect((await conditional()).status).toBe(200);
  await setManners({ create: 'resource', conditional: false, page: null });
  expect((await conditional()).status).toBe(201);
});

test('a search has pages of that size, linked to the last one, also as a form', async () => {
  const value = randomUUID();
  for (let n = 0; n < 5; n += 1)
    await fhir('/Patient', {
      json: { resourceType: 'Patient', identifier: [{ system: 'https://mrn.test', value }] },
    });
  await setManners({ create: 'resource', conditional: true, page: 2 });
  const first = await fhir(`/Patient?identifier=https://mrn.test|${value}`);
  const asForm = await fhir('/Patient/_search', {
    method: 'POST',
    body: new URLSearchParams({ identifier: `https://mrn.test|${value}` }),
  });
  for (const { body } of [first, asForm]) {
    const sizes: number[] = [];
    const ids = new Set<string>();
    for (let page: Page | undefined = body as Page; page;) {
      sizes.push(page.entry?.length ?? 0);
      for (const { resource } of page.entry ?? []) ids.add(resource.id);
      const next: string | undefined = page.link?.find(({ relation }) => relation === 'next')?.url;
      page = next === undefined ? undefined : ((await fhir(next.split('/fhir/R4')[1] ?? '')).body as Page);
    }
    expect([sizes, ids.size]).toEqual([[2, 2, 1], 5]);
  }
  await sandbox.call('/_sandbox/emr/manners', { method: 'DELETE' });
  const { body } = await fhir(`/Patient?identifier=https://mrn.test|${value}`);
  expect((body as Page).entry).toHaveLength(5);
});
