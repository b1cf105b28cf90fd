import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { createdId, resourcesOf } from '../../integrations/emr/bundles.js';
import { createPatientStatusClient } from '../../integrations/emr/change-patient.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { createMrnClient } from '../../integrations/emr/mrn-client.js';
import { createEmrOrganizations } from '../../integrations/emr/organizations.js';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** An EMR that answers as told. */
async function emrThat(
  answers: (request: IncomingMessage) => { status?: number; headers?: Record<string, string>; body: object },
) {
  const server = createServer((request, response) => {
    const { status = 200, headers = {}, body } = answers(request);
    request.resume();
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'token' };
}
const limits = { timeoutMs: 5_000 };

const baseUrl = 'https://emr.example.test/fhir';
const answer = (body: unknown, headers = {}) => ({
  status: 200,
  headers,
  body: body === '' ? '' : JSON.stringify(body),
});
const page = (id: string, next?: string) =>
  answer({
    resourceType: 'Bundle',
    entry: [{ resource: { resourceType: 'Patient', id } }],
    link:
      next === undefined
        ? []
        : [
            { relation: 'self', url: 'x' },
            { relation: 'next', url: next },
          ],
  });

test.each([
  'Patient/7',
  '/fhir/Patient/7/_history/1',
  `${baseUrl}/Patient/7`,
  `${baseUrl}/Patient/7/_history/1`,
])('a create without a body is known by Location %s', (location) => {
  expect(createdId('Patient', answer('', { location }))).toBe('7');
  expect(createdId('Patient', answer(null, { location }))).toBe('7');
});

test('a body says more than Location, unless it is of something else', () => {
  const location = 'Patient/7';
  expect(createdId('Patient', answer({ resourceType: 'Patient', id: '8' }, { location }))).toBe('8');
  expect(createdId('Patient', answer({ resourceType: 'OperationOutcome', id: '9' }, { location }))).toBe('7');
  expect(() => createdId('Patient', answer('', { location: 'Organization/7' }))).toThrow('unexpected shape');
});

test('a search is read to its end', async () => {
  const asked: string[] = [];
  const found = await resourcesOf(baseUrl, page('1', `${baseUrl}?page=2`), (url) => {
    asked.push(url);
    return Promise.resolve(asked.length === 1 ? page('2', 'Patient?page=3') : page('3'));
  });
  expect(found).toHaveLength(3);
  expect(asked).toEqual([`${baseUrl}?page=2`, `${baseUrl}/Patient?page=3`]);
});

test.each([
  ['leads to another host', 'https://elsewhere.example.test/fhir?page=2&email=secret', 0],
  ['does not end', `${baseUrl}?email=secret`, 19],
])('a search that %s fails without naming the link', async (_what, next, calls) => {
  let asked = 0;
  const search = resourcesOf(baseUrl, page('1', next), () => {
    asked += 1;
    return Promise.resolve(page('1', next));
  });
  const error = await search.catch((error: unknown) => error);
  expect(error).toMatchObject({ isFinal: false });
  expect(String(error)).not.toContain('secret');
  expect(asked).toBe(calls);
});

const organizationIds = 'https://scriptrail.health/organization';
const mrns = 'https://mrn.example.test';
const emrWith = async (resourceType: string, system: string) => {
  const resource = (id: string, identifier?: object) => ({
    resourceType,
    id,
    ...(identifier && { identifier: [identifier] }),
  });
  const unmarked = resource('1');
  const entry = [
    unmarked,
    resource('2', { system, value: 'other' }),
    resource('3', { system: 'https://other.example.test', value: 'ours' }),
    resource('4', { system, value: 'ours' }),
  ].map((resource) => ({ resource }));
  return emrThat(({ headers }) => ({
    body: 'if-none-exist' in headers ? unmarked : { resourceType: 'Bundle', entry },
  }));
};

test('An EMR that ignores the identifier of a search gives us no organization of others', async () => {
  const organizations = createEmrOrganizations(await emrWith('Organization', organizationIds));
  expect(await organizations.find('ours', limits)).toEqual([{ id: '4', name: null }]);
  expect(await organizations.create({ organizationId: 'ours', name: 'Clinic' }, limits)).toBeUndefined();
});

test('An EMR that ignores the identifier of a search gives us no patient of others', async () => {
  const patients = createMrnClient({ ...(await emrWith('Patient', mrns)), mrnSystemUri: mrns });
  expect(await patients.findByMrn('ours', limits)).toEqual(['4']);
  const create = patients.createUnlessKnown({ resourceType: 'Patient' }, 'ours', limits);
  await expect(create).rejects.toThrow('EMR sent an answer of an unexpected shape');
});

/** An EMR with one patient, which counts its writes. */
async function emrWithPatient(headers: Record<string, string>, meta?: object) {
  const written: unknown[] = [];
  const emr = await emrThat((request) => {
    if (request.method === 'PUT') written.push(request.headers['if-match']);
    return { headers, body: { resourceType: 'Patient', id: '1', meta } };
  });
  return { emr, written };
}

test.each([
  ['its tag', { etag: 'W/"7"' }, { versionId: '8' }, 'W/"7"'],
  ['the version in it, without a tag', {}, { versionId: '8' }, 'W/"8"'],
  ['no version where the EMR keeps none', {}, undefined, undefined],
])('A patient is changed under %s', async (_what, headers, meta, version) => {
  const { emr, written } = await emrWithPatient(headers, meta);
  expect(await createPatientStatusClient(emr).deactivatePatient('1', limits)).toBe(200);
  expect(written).toEqual([version]);
});

test('The record of another patient is no answer', async () => {
  const { emr, written } = await emrWithPatient({ etag: 'W/"7"' });
  const text = 'EMR sent an answer of an unexpected shape';
  await expect(createEmrClient(emr).readPatient('2', limits)).rejects.toThrow(text);
  await expect(createPatientStatusClient(emr).deactivatePatient('2', limits)).rejects.toThrow(text);
  expect(written).toEqual([]);
});

test('a search by e-mail finds a patient although fields of the record are null', async () => {
  const email = { system: 'email', value: 'Ada@example.test' };
  const patients = [
    { id: '2', name: null, telecom: [null, { system: 'phone', value: null }, email] },
    { id: '1', name: [{ family: null, given: [null] }], birthDate: null, telecom: [email] },
    { id: '3', telecom: null },
  ];
  const entry = patients.map((patient) => ({ resource: { resourceType: 'Patient', ...patient } }));
  const emr = createEmrClient(await emrThat(() => ({ body: { resourceType: 'Bundle', entry } })));
  const found = await emr.findPatientsByEmail('ada@example.test', limits);
  expect(found.map(({ id }) => id)).toEqual(['1', '2']);
});
