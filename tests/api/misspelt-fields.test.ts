import { beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '../../api/services.js';
import type { ServiceName } from '../../platform/service-names.js';
import { adminToken, call, freshTask, patientIn, shared } from '../helpers/client.js';
import {
  bodyTextsOf,
  credentialsFor,
  type DocumentedRoute,
  documentedRoutes,
} from '../helpers/documented-routes.js';

const dev = shared();
const freeFields = ['variables', 'payload', 'answers', 'data'];

const isCovered = ({ service, path, security }: DocumentedRoute): boolean =>
  // The protocol of the codec server is Temporal's.
  service !== 'codec' &&
  path !== '/api/pharmacy-router/callback' &&
  security?.some((named) => 'signature' in named || 'adminToken' in named) === true;

const misspelt = (name: string): string => name.toUpperCase();

/** The places of all text fields of a route's body that has a name in the contract. */
const placesOf = (route: DocumentedRoute) =>
  bodyTextsOf(route)
    .map(({ at }) => at)
    .filter((at) => at.length > 0)
    .filter((at) => !at.some((name) => freeFields.includes(name)))
    .filter((at) => misspelt(at.at(-1)!) !== at.at(-1));

const routes = (await documentedRoutes(dev, Object.keys(services) as ServiceName[]))
  .filter((route) => isCovered(route) && placesOf(route).length > 0)
  // A path of another pharmacy is rejected before its body.
  .map((route) => ({ ...route, path: route.path.replace(/(catalog|prices)\/x/, '$1/pharmacy_a') }))
  .map((route) => [`${route.service} ${route.method} ${route.template}`, route] as const);

/** A body whose text fields are all misspelt, within objects and lists that are not. */
function misspeltBody(places: readonly (readonly string[])[]): object {
  const body = {};
  for (const at of places) {
    let target: Record<string, unknown> = body;
    for (const [index, name] of at.slice(0, -1).entries())
      target = (target[name] ??= at[index + 1] === '0' ? [] : {}) as Record<string, unknown>;
    target[misspelt(at.at(-1)!)] = 'x';
  }
  return body;
}

describe('misspelt fields (D136)', () => {
  let token: string;
  beforeAll(async () => {
    token = await adminToken(dev);
  });

  test.each(routes)('%s names each misspelt field with its path', async (_name, route) => {
    const places = placesOf(route);
    const body = JSON.stringify(misspeltBody(places));
    const response = await fetch(`${dev.services[route.service]}${route.path}`, {
      method: route.method,
      headers: { 'content-type': 'application/json', ...credentialsFor(dev, token, route, body) },
      body,
    });
    const text = await response.text();
    expect([response.status, text]).toEqual([400, expect.any(String)]);
    for (const at of places) {
      const last = at.at(-1)!;
      expect(text).toContain(`Unknown field ${misspelt(last)}, did you mean ${last}?`);
      expect(text).toContain([...at.slice(0, -1), misspelt(last)].join('.'));
    }
  });

  test('A misspelt dosage starts nothing, and all misspellings come in one answer', async () => {
    const taskId = freshTask();
    const body = {
      taskId,
      medication: 'semaglutide',
      emrPatientId: patientIn(dev, 'NY'),
      dosge: 'Inject 20 units',
    };
    const refused = await call(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/approve',
      body: { ...body, task_id: 'x', emrPatientID: 'y' },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: [{ path: 'dosge', message: 'Unknown field dosge, did you mean dosage?' }],
      },
    });
    const status = await call(dev, 'orchestrator', {
      method: 'GET',
      path: `/orchestrator/status/${taskId}`,
    });
    expect(status.status).toBe(404);

    const swapped = await call(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/preflight',
      body: { taskId, mediction: 'semaglutide', emr_patient_id: 'x', dosage: 'Inject 20 units' },
    });
    expect(swapped).toMatchObject({
      status: 400,
      body: {
        details: expect.arrayContaining([
          { path: 'mediction', message: 'Unknown field mediction, did you mean medication?' },
          { path: 'emr_patient_id', message: 'Unknown field emr_patient_id, did you mean emrPatientId?' },
        ]),
      },
    });
  });

  test('A router body keeps the paths of nested fields', async () => {
    const { status, body } = await call<{ details: { fieldErrors: Record<string, string[]> } }>(
      dev,
      'router',
      {
        key: 'clinic',
        method: 'POST',
        path: '/rx/prescriptions/submit',
        body: { patient: { frstName: 'x' }, shipTo: { addressLine3: 'x', stat: 'NY' } },
      },
    );
    expect(status).toBe(400);
    expect(body.details.fieldErrors).toMatchObject({
      'patient.frstName': ['Unknown field frstName, did you mean firstName?'],
      'shipTo.stat': ['Unknown field stat, did you mean state?'],
    });
    expect(body.details.fieldErrors).not.toHaveProperty('shipTo.addressLine3');
  });
});
