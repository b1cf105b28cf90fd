import { beforeAll, test } from '@jest/globals';
import fc from 'fast-check';
import { call, freshTask, shared } from '../../helpers/client.js';
import { type SignedRoute, signedRoutes } from '../../helpers/openapi.js';
import { prescription } from '../../helpers/prescription.js';
import { mutated } from '../nearly-right.js';

const dev = shared();
/** A hang is a fault too (reliability point 7). */
const answerWithinMs = 180_000;
const runs = 120;

let routes: SignedRoute[];
beforeAll(async () => {
  // A check takes on every schedule that is due, and a clock sets the day, for other tests too.
  const forAll = ['/orchestrator/refill-check', '/orchestrator/clock'];
  routes = (await signedRoutes(dev)).filter(({ path }) => !forAll.includes(path));
});

/** Answers that say 5xx about somebody else: a step that failed, a pharmacy or channels that refused. */
const isDocumented = (body: Record<string, unknown>): boolean =>
  'failedStep' in body || body['status'] === 'failed' || body['success'] === false;

async function expectNoFault({ service, method, path }: SignedRoute, body?: unknown): Promise<void> {
  const request = { key: 'admin', method, path, signal: AbortSignal.timeout(answerWithinMs) };
  const answer = await call(dev, service, { ...request, ...(method === 'GET' ? {} : { body }) });
  if (answer.status >= 500 && !isDocumented(answer.body))
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

const routeNamed = (path: string) => routes.find((route) => route.path === path)!;

/** Bodies that would do: the fields are then replaced one at a time. */
const validBodies: Record<string, () => object> = {
  // The medication is unknown, so that a body left whole ends at step 1.
  '/orchestrator/approve': () => ({ taskId: freshTask(), medication: 'x', emrPatientId: 'x', dosage: 'x' }),
  '/rx/prescriptions/submit': () => ({ ...prescription(), test: true, routing: { patientState: 'WA' } }),
  '/notify/send': () => ({
    type: 'prescription_approved',
    recipient: { email: 'fuzz@example.test', phone: '+12025550199', name: 'Fuzz' },
    variables: { patientName: 'Fuzz' },
    channels: ['email'],
  }),
};

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
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
    '%00',
    "'; --",
    '{{x}}',
    '\u202e',
  ),
  fc.string({ unit: 'binary' }),
  fc.date({ noInvalidDate: true }),
);

test('no 5xx for bodies that are nearly right', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...Object.keys(validBodies)),
    fc.nat(1_000),
    odd,
    (path, pick, value) => expectNoFault(routeNamed(path), mutated(validBodies[path]!(), pick, value)),
  );
  await fc.assert(property, { numRuns: runs });
});

test('no 5xx for any JSON, or no JSON at all, on any signed route', async () => {
  const body = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  );
  const property = fc.asyncProperty(fc.nat(1_000), body, (pick, text) =>
    expectNoFault(routes[pick % routes.length]!, text),
  );
  // Single bad inputs are sent to every route by name (bad-inputs.test.ts).
  await fc.assert(property, { numRuns: runs / 2 });
});

test('no 5xx for any path and query below a signed route', async () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
    fc.string(),
  );
  const names = fc.constantFrom(
    'platform',
    'state',
    'physicianId',
    'limit',
    'cursor',
    'active',
    'organization',
  );
  const query = fc.array(fc.tuple(names, part), { maxLength: 3 });
  const property = fc.asyncProperty(fc.nat(1_000), part, query, (pick, text, parameters) => {
    const route = routes[pick % routes.length]!;
    const path = route.path.replace(/[0-9a-f-]{36}/, () => encodeURIComponent(text) || '-');
    return expectNoFault({ ...route, path: `${path}?${new URLSearchParams(parameters).toString()}` }, {});
  });
  await fc.assert(property, { numRuns: runs });
});
