import { beforeAll, test } from '@jest/globals';
import fc from 'fast-check';
import { shared } from '../../../helpers/client.js';
import { newBody, newDirectoryPatient } from '../directory.js';
import { mutated } from '../../nearly-right.js';

const dev = shared();
const runs = 150;
type Made = Awaited<ReturnType<typeof newDirectoryPatient>>;
let made: Made;
beforeAll(async () => {
  made = await newDirectoryPatient(dev);
});

/** Bodies that would do: one of their fields is then replaced. */
const bodies: Record<string, (of: Made) => object> = {
  'POST ': ({ organizationId }) =>
    newBody(organizationId, {
      identifiers: { payment_customer_id: 'cus_1', identity_provider_id: 'idp_1', legacy_mrn: 'old-1' },
    }),
  'POST /email-lookup': ({ organizationId }) => ({ organizationId, email: 'a@example.test' }),
  'PATCH /:id': () => ({
    emr_patient_id: 'x',
    payment_customer_id: 'x',
    identity_provider_id: 'x',
    legacy_mrn: 'x',
    email_lower: 'a@example.test',
  }),
  'POST /:id/intake-snapshots': ({ body }) => body.intake,
};

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    true,
    [],
    {},
    'x'.repeat(5_000),
    "'; --",
    '\u202e',
    '%00',
  ),
  fc.string({ unit: 'binary' }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.emailAddress(),
);

test('no 5xx for bodies that are nearly right', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...Object.keys(bodies)),
    fc.nat(1_000),
    odd,
    async (route, pick, value) => {
      const [method = '', path = ''] = route.split(' ');
      const body = mutated(bodies[route]!(made), pick, value);
      const answer = await made.ask(method, `/patients${path.replace(':id', made.patient.id)}`, body);
      if (answer.status >= 500)
        throw new Error(`${route} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
  );
  await fc.assert(property, { numRuns: runs });
});
