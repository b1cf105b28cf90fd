import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { type Answer, call, shared } from '../../helpers/client.js';
import { freshSignature } from '../../helpers/png.js';
import { approve, ordersOf, semaglutideFor } from '../orchestrator/approvals.js';
import { newPatient } from '../../helpers/patients.js';
import { withKey } from '../../cli/rx.js';

/** The shared system with the key `own` of a physician of this file. */
let dev: DevJson = shared();
let physicianId: string;

type Shown<T> = Pick<Answer<T>, 'status' | 'body'>;

async function send<T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  key = 'own',
): Promise<Shown<T>> {
  const answer = await call<T>(dev, 'registry', { key, method, path, body });
  return { status: answer.status, body: answer.body };
}

async function newPhysician(fields: object = {}): Promise<string> {
  const { body } = await send<{ physician: { id: string } }>(
    'POST',
    '/physicians',
    { firstName: 'Sam', lastName: 'Ito', npi: '1000000020', ...fields },
    'registry',
  );
  return body.physician.id;
}

beforeAll(async () => {
  physicianId = await newPhysician();
  dev = await withKey(dev, 'own', '--scopes', 'registry', '--physician', physicianId);
});

const nobody = { status: 404, body: { error: 'Physician not found' } };
const refused = (path: string) => ({
  status: 400,
  body: { error: 'Validation failed', details: [{ path, message: expect.any(String) }] },
});

describe('GET /physicians/me', () => {
  test('200: the profile and active licenses of the physician whose key it is', async () => {
    const license = { state: 'OH', licenseNumber: 'OH-3' };
    await send('POST', `/physicians/${physicianId}/licenses`, license, 'registry');
    const me = await send('GET', '/physicians/me');
    expect(me).toMatchObject({
      status: 200,
      body: { physician: { id: physicianId, lastName: 'Ito' }, licenses: [license] },
    });
    expect(me).toEqual(await send('GET', `/physicians/${physicianId}`));
  });

  test('200: physician_a of the seed', async () => {
    const { body } = await send('GET', '/physicians/me', undefined, 'physician_a');
    expect(body).toMatchObject({
      physician: { id: dev.apiKeys['physician_a']?.physicianId, suffix: 'FNP-C' },
    });
  });

  test('404: a key without a physician', async () => {
    for (const key of ['registry', 'admin'])
      expect(await send('GET', '/physicians/me', undefined, key)).toEqual(nobody);
  });

  test('404: a key of a physician who is not known', async () => {
    const lost = await withKey(dev, 'lost', '--scopes', 'registry', '--physician', randomUUID());
    const ask = (method: string, path: string, body?: unknown) =>
      call(lost, 'registry', { key: 'lost', method, path, body });
    const signature = { signatureImage: freshSignature().toString('base64') };
    for (const { status, body } of [
      await ask('GET', '/physicians/me'),
      await ask('PUT', '/physicians/me', {}),
      await ask('POST', '/physicians/me/signature', signature),
    ])
      expect({ status, body }).toEqual(nobody);
  });
});

describe('PUT /physicians/me', () => {
  test('200: changes what is given of the own profile, and nothing else', async () => {
    const before = await send<{ physician: object; licenses: object[] }>('GET', '/physicians/me');
    const changes = { phone: '+12025550133', addressState: 'VT' };
    const after = await send('PUT', '/physicians/me', { ...changes, id: randomUUID(), isActive: false });
    const physician = { ...before.body.physician, ...changes };
    expect(after).toEqual({ status: 200, body: { physician, licenses: before.body.licenses } });
    expect(await send('GET', '/physicians/me')).toEqual(after);
  });

  test('400: what orders are signed with is an office’s to change; the value that is there passes', async () => {
    const { body: before } = await send<{ physician: Record<string, unknown> }>('GET', '/physicians/me');
    for (const [name, value] of Object.entries({
      firstName: 'Else',
      lastName: 'Else',
      suffix: 'MD',
      npi: '1000000038',
      deaNumber: 'AB1234563',
      emrPractitionerId: randomUUID(),
      platform: 'platform_b',
    }))
      expect(await send('PUT', '/physicians/me', { phone: '+12025550134', [name]: value })).toEqual(
        refused(name),
      );
    expect((await send('GET', '/physicians/me')).body).toEqual(before);
    const { id: _id, isActive: _isActive, ...same } = before.physician;
    expect(await send('PUT', '/physicians/me', same)).toEqual({ status: 200, body: before });
  });

  test('400: as PUT /physicians/:id', async () => {
    expect(await send('PUT', '/physicians/me', { npi: 'x' })).toEqual(refused('npi'));
    expect(await send('PUT', '/physicians/me', { signatureImage: 'x' })).toEqual(refused('signatureImage'));
    expect((await send('PUT', '/physicians/me')).status).toBe(400);
  });

  test('404: a key without a physician, whatever the body', async () => {
    for (const body of [{ phone: '1' }, { npi: 'x' }])
      expect(await send('PUT', '/physicians/me', body, 'registry')).toEqual(nobody);
  });

  test("409: another's e-mail address", async () => {
    const email = `${randomUUID()}@example.test`;
    await newPhysician({ email });
    expect(await send('PUT', '/physicians/me', { email })).toEqual({
      status: 409,
      body: { error: 'A physician with this email already exists' },
    });
  });
});

test("a physician's key is told no colleague's DEA number, nor signature; an office's is", async () => {
  const organization = randomUUID();
  const signatureImage = freshSignature().toString('base64');
  const secret = { deaNumber: 'AB1234563', signatureImage };
  const colleague = await newPhysician({ ...secret, organization });
  await send('PUT', `/physicians/${physicianId}`, { ...secret, organization }, 'registry');

  type Shown = { physician: object; physicians: { id: string; deaNumber?: string }[] };
  const shown = async (id: string, key: string) =>
    (await send<Shown>('GET', `/physicians/${id}`, undefined, key)).body.physician;
  for (const name of ['deaNumber', 'signatureImage'])
    expect(await shown(colleague, 'own')).not.toHaveProperty(name);
  expect(await shown(colleague, 'registry')).toMatchObject(secret);
  expect(await shown(physicianId, 'own')).toMatchObject(secret);

  const numbers = async (key: string) => {
    const { body } = await send<Shown>('GET', `/physicians?organization=${organization}`, undefined, key);
    return body.physicians.map(({ deaNumber }) => deaNumber);
  };
  expect(await numbers('own')).toEqual([secret.deaNumber, undefined]);
  expect(await numbers('registry')).toEqual([secret.deaNumber, secret.deaNumber]);

  const route = '/route?platform=platform_a&state=TX';
  type Routed = { physician: { deaNumber?: string | null } };
  expect((await send<Routed>('GET', route)).body.physician).not.toHaveProperty('deaNumber');
  expect((await send<Routed>('GET', route, undefined, 'registry')).body.physician).toHaveProperty(
    'deaNumber',
  );
});

describe('POST /physicians/me/signature', () => {
  const path = '/physicians/me/signature';

  test('200: kept as handed in, shown by /me and by id, left out of the list', async () => {
    const organization = randomUUID();
    await send('PUT', '/physicians/me', { organization });
    const base64 = freshSignature().toString('base64');
    for (const signatureImage of [base64, `data:image/png;base64,${base64}`]) {
      expect(await send('POST', path, { signatureImage })).toEqual({ status: 200, body: { success: true } });
      for (const read of ['/physicians/me', `/physicians/${physicianId}`])
        expect((await send('GET', read)).body).toMatchObject({ physician: { signatureImage } });
    }
    const { body } = await send<{ physicians: object[] }>('GET', `/physicians?organization=${organization}`);
    expect(body.physicians).toHaveLength(1);
    expect(body.physicians[0]).not.toHaveProperty('signatureImage');
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'signed'],
    ['a PNG cut short', freshSignature().subarray(0, 40).toString('base64')],
    ['more than 512 KiB', freshSignature(512 * 1024).toString('base64')],
    ['4 MiB, within the limit of the body', freshSignature(3 * 1024 * 1024).toString('base64')],
  ])('400: %s', async (_what, signatureImage) => {
    expect(await send('POST', path, { signatureImage })).toEqual(refused('signatureImage'));
  });

  test('404: a key without a physician', async () => {
    expect(await send('POST', path, { signatureImage: 'x' }, 'registry')).toEqual(nobody);
  });

  test('413: a body over 5 MiB', async () => {
    const answer = await send('POST', path, { signatureImage: 'A'.repeat(5 * 1024 * 1024) });
    expect(answer).toEqual({ status: 413, body: { error: 'Payload too large' } });
  });
});

describe('a signature in the registry', () => {
  test('reaches pharmacy_b with an approval, as the signed prescription image', async () => {
    const { body } = await send<{ physician: { id: string } }>('GET', '/route?platform=platform_a&state=TX');
    const texan = await withKey(dev, 'texan', '--scopes', 'registry', '--physician', body.physician.id);
    const setSignature = (signatureImage: string | null) =>
      call(texan, 'registry', {
        key: 'texan',
        method: 'PUT',
        path: '/physicians/me',
        body: { signatureImage },
      });
    const approvedOrder = async () => {
      const approval = semaglutideFor((await newPatient(dev, 'TX')).id);
      expect((await approve(dev, approval)).body).toMatchObject({ success: true });
      return (await ordersOf(dev, approval.taskId))[0];
    };
    // The largest there is, which must not be too large for anything on the way.
    const image = freshSignature(512 * 1024 - freshSignature(0).length).toString('base64');
    const signed = { pharmacy: 'pharmacy_b', body: { signedPrescriptionImage: image } };
    try {
      await setSignature(`data:image/png;base64,${image}`);
      expect(await approvedOrder()).toMatchObject(signed);
      await setSignature(image);
      expect(await approvedOrder()).toMatchObject(signed);
    } finally {
      await setSignature(null);
    }
    expect((await approvedOrder())?.body).not.toHaveProperty('signedPrescriptionImage');
  });
});
