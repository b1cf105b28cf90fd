import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSearchRequest } from '@medplum/core';
import { startSandbox } from '../../../../sandbox/app.js';
import { readConfig } from '../../../../sandbox/config.js';
import { EmrRepository } from '../../../../sandbox/parties/emr/repository.js';
import { call, freshSettings, useSandbox, type Answer } from '../../helpers.js';

const sandbox = useSandbox();
const MRN = 'https://mrn.test';

const fhir = (path: string, init: RequestInit & { json?: unknown } = {}): Promise<Answer> =>
  sandbox.call(`/fhir/R4${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${sandbox.config().SANDBOX_EMR_TOKEN}`,
      ...(init.json !== undefined && { 'content-type': 'application/fhir+json' }),
      ...(init.headers as Record<string, string>),
    },
  });
const patient = (mrn: string, over: object = {}) => ({
  resourceType: 'Patient',
  identifier: [{ system: MRN, value: mrn }],
  name: [{ use: 'official', given: ['Ada'], family: 'Test' }],
  telecom: [{ system: 'email', value: `${mrn}@patients.test` }],
  ...over,
});
const created = async (mrn: string): Promise<{ id: string; meta: { versionId: string } }> =>
  (await fhir('/Patient', { json: patient(mrn) })).body as { id: string; meta: { versionId: string } };

test('describes itself to anyone and answers everything else only with the token', async () => {
  expect(await sandbox.call('/fhir/R4/metadata')).toMatchObject({
    status: 200,
    body: { resourceType: 'CapabilityStatement', fhirVersion: '4.0.1' },
  });
  expect(await sandbox.call('/fhir/R4/Patient/x')).toMatchObject({
    status: 401,
    body: { resourceType: 'OperationOutcome' },
  });
});

test('creates, reads, updates and deletes a patient as application/fhir+json', async () => {
  const made = await fhir('/Patient', { json: patient(randomUUID(), { id: 'chosen' }) });
  expect(made.status).toBe(201);
  expect(made.headers.get('content-type')).toMatch(/^application\/fhir\+json/);
  const { id } = made.body as { id: string };
  expect(id).not.toBe('chosen');
  expect(made.headers.get('location')).toContain(`/fhir/R4/Patient/${id}/_history/`);

  expect(await fhir(`/Patient/${id}`)).toMatchObject({
    status: 200,
    body: { id, name: [{ family: 'Test' }] },
  });
  const update = { method: 'PUT', json: { ...patient(randomUUID()), id, gender: 'female' } };
  expect(await fhir(`/Patient/${id}`, update)).toMatchObject({ status: 200, body: { id, gender: 'female' } });
  expect((await fhir(`/Patient/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await fhir(`/Patient/${id}`)).status).toBe(404);
});

test('lets a client choose the id by creating with PUT', async () => {
  const id = randomUUID();
  await fhir(`/Patient/${id}`, { method: 'PUT', json: { ...patient(id), id } });
  expect(await fhir(`/Patient/${id}`)).toMatchObject({ status: 200, body: { id } });
});

test('refuses what is no valid resource on create and on update', async () => {
  const refused = { status: 400, body: { resourceType: 'OperationOutcome' } };
  expect(await fhir('/Patient', { json: patient('x', { birthday: '1980-01-01' }) })).toMatchObject(refused);
  expect(await fhir('/Patient', { json: 'text' })).toMatchObject(refused);
  expect(await fhir('/Patient', { method: 'POST', body: '{"resourceType":' })).toMatchObject(refused);
  const { id } = await created(randomUUID());
  const update = { method: 'PUT', json: { ...patient('x'), id, name: 'Ada' } };
  expect(await fhir(`/Patient/${id}`, update)).toMatchObject(refused);
  expect((await fhir('/Starship/1')).status).toBe(404);
});

test('finds patients by e-mail in any case, by identifier, and by both, in the address or in a form', async () => {
  const mrn = randomUUID();
  const { id } = await created(mrn);
  const form = (body: Record<string, string>) =>
    fhir('/Patient/_search', { method: 'POST', body: new URLSearchParams(body) });
  const one = { status: 200, body: { total: 1, entry: [{ resource: { id } }] } };
  expect(await form({ email: `${mrn}@patients.test` })).toMatchObject(one);
  expect(await form({ email: `${mrn.toUpperCase()}@PATIENTS.TEST` })).toMatchObject(one);
  expect(await form({ identifier: `${MRN}|${mrn}` })).toMatchObject(one);
  expect(await form({ identifier: mrn, family: 'test' })).toMatchObject(one);
  expect(await fhir(`/Patient?identifier=${encodeURIComponent(`${MRN}|${mrn}`)}`)).toMatchObject(one);
  expect(await form({ identifier: `https://other.test|${mrn}` })).toMatchObject({ body: { total: 0 } });
  expect(await form({ identifier: mrn, family: 'nobody' })).toMatchObject({ body: { total: 0 } });
});

test('no longer finds a patient by an e-mail that an update took away', async () => {
  const mrn = randomUUID();
  const { id } = await created(mrn);
  await fhir(`/Patient/${id}`, { method: 'PUT', json: { ...patient(mrn), id, telecom: [] } });
  expect(await fhir(`/Patient?email=${mrn}@patients.test`)).toMatchObject({ body: { total: 0 } });
});

test('makes one patient out of twenty conditional creates at once', async () => {
  // Asked of the store itself: over HTTP each call has a turn of the event loop of its own and none can meet.
  const { SANDBOX_DATA_DIR: directory } = readConfig(await freshSettings());
  const store = await EmrRepository.open(join(directory, 'emr.jsonl'));
  const made = await Promise.all(
    Array.from({ length: 20 }, () =>
      store.conditionalCreate(
        { resourceType: 'Patient', identifier: [{ system: MRN, value: 'M1' }] },
        parseSearchRequest(`Patient?identifier=${MRN}|M1`),
      ),
    ),
  );
  expect(new Set(made.map(({ resource }) => resource.id)).size).toBe(1);
  store.close();
});

test('answers a repeated conditional create with the first patient', async () => {
  const mrn = randomUUID();
  const create = () =>
    fhir('/Patient', {
      json: patient(mrn),
      headers: { 'if-none-exist': `identifier=${MRN}|${mrn}` },
    });
  const first = await create();
  expect(first.status).toBe(201);
  expect(await create()).toMatchObject({ status: 200, body: first.body });
});

test('refuses an update of a version that is no longer the newest', async () => {
  const { id, meta } = await created(randomUUID());
  const update = (version: string) =>
    fhir(`/Patient/${id}`, {
      method: 'PUT',
      json: { ...patient(randomUUID()), id },
      headers: { 'if-match': `W/"${version}"` },
    });
  expect((await update(meta.versionId)).status).toBe(200);
  expect((await update(meta.versionId)).status).toBe(412);
});

test('names read, search, create and update in the record of requests', async () => {
  const { id } = await created(randomUUID());
  await fhir(`/Patient/${id}`);
  await fhir('/Patient/_search', { method: 'POST', body: new URLSearchParams({ _id: id }) });
  await fhir(`/Patient/${id}`, { method: 'PUT', json: { ...patient(randomUUID()), id } });
  const operations = (await sandbox.requests('emr')).slice(0, 4).map(({ operation }) => operation);
  expect(operations).toEqual(['update', 'search', 'read', 'create']);
});

test('brings every resource back after a restart, with the same ids and versions', async () => {
  const config = readConfig(await freshSettings());
  const authorization = `Bearer ${config.SANDBOX_EMR_TOKEN}`;
  const first = await startSandbox(config);
  const made = await call(`${first.url}/fhir/R4/Patient`, {
    json: patient('M1'),
    headers: { authorization },
  });
  const gone = await call(`${first.url}/fhir/R4/Patient`, {
    json: patient('M2'),
    headers: { authorization },
  });
  const { id } = made.body as { id: string };
  const goneUrl = `/fhir/R4/Patient/${(gone.body as { id: string }).id}`;
  await call(first.url + goneUrl, { method: 'DELETE', headers: { authorization } });
  await first.close();

  const second = await startSandbox(config);
  try {
    expect((await call(`${second.url}/fhir/R4/Patient/${id}`, { headers: { authorization } })).body).toEqual(
      made.body,
    );
    expect((await call(second.url + goneUrl, { headers: { authorization } })).status).toBe(404);
    const found = await call(`${second.url}/fhir/R4/Patient?email=m1@patients.test`, {
      headers: { authorization },
    });
    expect(found.body).toMatchObject({ total: 1, entry: [{ resource: { id } }] });
  } finally {
    await second.close();
  }
});
