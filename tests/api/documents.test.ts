import { expect, test } from '@jest/globals';
import type { ServiceName } from '../../platform/service-names.js';
import { shared } from '../helpers/client.js';
import { openApiOf } from '../helpers/openapi.js';

const dev = shared();

interface Body {
  required: boolean;
  content: Record<string, { schema: { $ref?: string } }>;
}

/** The body that a page asks for, and the fields of its schema. */
async function documentedBody(
  service: ServiceName,
  path: string,
): Promise<{ required: boolean; fields: string[] }> {
  const document = await openApiOf(dev, service);
  const { requestBody } = document.paths[path]!['post'] as unknown as { requestBody: Body };
  const { $ref = '' } = requestBody.content['application/json']!.schema;
  const { schemas } = (
    document as unknown as { components: { schemas: Record<string, { properties: object }> } }
  ).components;
  const fields = Object.keys(schemas[$ref.split('/').at(-1)!]?.properties ?? {});
  return { required: requestBody.required, fields };
}

test('the page of the intake gateway documents the body that POST /submit takes', async () => {
  const { required, fields } = await documentedBody('intake', '/submit');
  expect(required).toBe(true);
  expect(fields).toEqual([
    'firstName',
    'lastName',
    'dob',
    'gender',
    'email',
    'phone',
    'state',
    'address',
    'intakeType',
    'planToken',
    'couponCode',
    'emailProof',
  ]);
});

test.each([
  ['intake', '/payment-intent'],
  ['router', '/rx/prescriptions/{id}/cancel'],
] as const)(
  'the body that the %s service takes or not at POST %s is documented as optional',
  async (service, path) => {
    const { paths } = await openApiOf(dev, service);
    expect(paths[path]!['post']).toMatchObject({ requestBody: { required: false } });
  },
);

test.each([
  ['organization', '/v1'],
  ['patients', '/v1'],
  ['bridge', ''],
] as const)(
  'the outbox routes of the %s service document every status they answer',
  async (service, prefix) => {
    const { paths } = await openApiOf(dev, service);
    const statusesOf = (route: string) =>
      Object.keys(paths[`${prefix}/admin/workers/outbox/${route}`]!['post']!.responses);
    const always = ['200', '400', '401', '403', '413', '415', '429', '500'];
    expect(statusesOf('tick')).toEqual([...always, '503']);
    expect(statusesOf('redrive')).toEqual(always);
  },
);
