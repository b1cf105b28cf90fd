import { expect, test } from '@jest/globals';
import { createdId, resourcesOf } from '../../integrations/emr/bundles.js';

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
