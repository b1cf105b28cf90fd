import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, atOnce, call, shared } from '../../helpers/client.js';
import { freshSignature } from '../../helpers/png.js';

const dev = shared();
type Fields = Record<string, unknown>;

type Shown<T> = Pick<Answer<T>, 'status' | 'body'>;

async function send<T = Fields>(
  method: string,
  path: string,
  body?: unknown,
  key = 'registry',
): Promise<Shown<T>> {
  const answer = await call<T>(dev, 'registry', { key, method, path, body });
  return { status: answer.status, body: answer.body };
}

const freshEmail = () => `${randomUUID()}@example.test`;
const whole = () => ({
  firstName: 'Robin',
  lastName: 'Okafor',
  npi: '1000000004',
  email: freshEmail(),
  suffix: 'MD',
  deaNumber: 'AB1234563',
  phone: '+12025550111',
  fax: '+12025550112',
  addressLine1: '9 Elm Court',
  addressCity: 'Albany',
  addressState: 'ny',
  addressZip: '12207',
  signatureImage: freshSignature().toString('base64'),
  organization: `Clinic ${randomUUID()}`,
  platform: 'platform_b',
  emrPractitionerId: randomUUID(),
});
const least = () => ({ firstName: 'Robin', lastName: 'Okafor', npi: '1000000004' });

async function newPhysician(fields: Fields = {}): Promise<string> {
  const { body } = await send<{ physician: { id: string } }>('POST', '/physicians', {
    ...least(),
    ...fields,
  });
  return body.physician.id;
}

async function newLicense(physicianId: string, fields: Fields = {}): Promise<string> {
  const license = { state: 'OH', licenseNumber: 'OH-7', ...fields };
  const path = `/physicians/${physicianId}/licenses`;
  return (await send<{ license: { id: string } }>('POST', path, license)).body.license.id;
}

const refused = (path: string) => ({
  status: 400,
  body: { error: 'Validation failed', details: [{ path, message: expect.any(String) }] },
});
const unknownPhysician = { status: 404, body: { error: 'Physician not found' } };
const unknownLicense = { status: 404, body: { error: 'License not found' } };
const emailTaken = { status: 409, body: { error: 'A physician with this email already exists' } };
const stateTaken = { status: 409, body: { error: 'An active license for this state already exists' } };
const nobody = [randomUUID(), '42'];

describe('POST /physicians', () => {
  test('201: with every field, as GET shows it afterwards', async () => {
    const fields = whole();
    const { status, body } = await send<{ physician: { id: string } }>('POST', '/physicians', fields);
    expect(status).toBe(201);
    expect(body).toEqual({
      physician: { ...fields, id: expect.any(String), addressState: 'NY', isActive: true },
    });
    const read = await send('GET', `/physicians/${body.physician.id}`);
    expect(read).toEqual({ status: 200, body: { ...body, licenses: [] } });
  });

  test('201: with the least fields; the rest is null, the platform both; unknown fields are ignored', async () => {
    const fields = { ...least(), isActive: false, id: randomUUID(), position: 1 };
    const { status, body } = await send<{ physician: Fields }>('POST', '/physicians', fields);
    expect(status).toBe(201);
    expect(body.physician).toMatchObject({ ...least(), platform: 'both', isActive: true });
    expect(body.physician['id']).not.toBe(fields.id);
    for (const name of ['email', 'suffix', 'phone', 'organization', 'signatureImage', 'emrPractitionerId'])
      expect(body.physician[name]).toBeNull();
  });

  test('400 names the field at fault', async () => {
    expect(await send('POST', '/physicians', { ...least(), npi: '123' })).toEqual(refused('npi'));
  });

  test('400: without a body', async () => {
    expect((await send('POST', '/physicians')).status).toBe(400);
  });

  test('409: an e-mail address that is taken, in any case', async () => {
    const email = freshEmail();
    await newPhysician({ email });
    expect(await send('POST', '/physicians', { ...least(), email: email.toUpperCase() })).toEqual(emailTaken);
  });

  test('409: of twenty equal ones at once one is added', async () => {
    const fields = { ...least(), email: freshEmail() };
    const answers = await atOnce(20, () => send('POST', '/physicians', fields));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(19).fill(emailTaken));
  });
});

describe('PUT /physicians/:id', () => {
  test('200: changes what is given and nothing else', async () => {
    const fields = whole();
    const id = await newPhysician(fields);
    const changes = { phone: '+12025550199', addressState: 'oh', fax: null };
    const { status, body } = await send('PUT', `/physicians/${id}`, changes);
    expect(status).toBe(200);
    expect(body).toEqual({
      physician: { ...fields, id, isActive: true, phone: changes.phone, addressState: 'OH', fax: null },
    });
  });

  test('200: nothing given, nothing changed', async () => {
    const id = await newPhysician(whole());
    const before = await send<{ physician: Fields }>('GET', `/physicians/${id}`);
    const after = await send('PUT', `/physicians/${id}`, {});
    expect(after).toEqual({ status: 200, body: { physician: before.body.physician } });
  });

  test('200: takes back what an answer showed, and ignores isActive', async () => {
    const id = await newPhysician();
    const { body } = await send<{ physician: Fields }>('GET', `/physicians/${id}`);
    const answer = await send('PUT', `/physicians/${id}`, { ...body.physician, isActive: false });
    expect(answer).toEqual({ status: 200, body: { physician: body.physician } });
  });

  test('400 names the field at fault', async () => {
    const id = await newPhysician();
    expect(await send('PUT', `/physicians/${id}`, { platform: 'platform_c' })).toEqual(refused('platform'));
  });

  test('404: an unknown physician', async () => {
    for (const id of nobody)
      expect(await send('PUT', `/physicians/${id}`, { suffix: 'DO' })).toEqual(unknownPhysician);
  });

  test("409: another's e-mail address; the own one stays allowed", async () => {
    const [email, own] = [freshEmail(), freshEmail()];
    await newPhysician({ email });
    const id = await newPhysician({ email: own });
    expect(await send('PUT', `/physicians/${id}`, { email })).toEqual(emailTaken);
    expect((await send('PUT', `/physicians/${id}`, { email: own.toUpperCase() })).status).toBe(200);
  });
});

describe('DELETE /physicians/:id and POST /physicians/:id/reactivate', () => {
  test('200: out of use, kept, left out of the list, also when asked for twice; and back again', async () => {
    const organization = randomUUID();
    const id = await newPhysician({ organization });
    const listed = async () =>
      (await send<{ physicians: unknown[] }>('GET', `/physicians?organization=${organization}`)).body
        .physicians;
    for (let times = 0; times < 2; times += 1) {
      expect(await send('DELETE', `/physicians/${id}`)).toMatchObject({
        status: 200,
        body: { success: true, physician: { id, organization, isActive: false } },
      });
      expect(await listed()).toEqual([]);
    }
    expect((await send('GET', `/physicians/${id}`)).body).toMatchObject({ physician: { isActive: false } });
    for (let times = 0; times < 2; times += 1) {
      expect(await send('POST', `/physicians/${id}/reactivate`, undefined, 'admin')).toMatchObject({
        status: 200,
        body: { success: true, physician: { id, isActive: true } },
      });
      expect(await listed()).toHaveLength(1);
    }
  });

  test('404: an unknown physician', async () => {
    for (const id of nobody) {
      expect(await send('DELETE', `/physicians/${id}`)).toEqual(unknownPhysician);
      expect(await send('POST', `/physicians/${id}/reactivate`, {}, 'admin')).toEqual(unknownPhysician);
    }
  });
});

describe('POST /physicians/:id/licenses', () => {
  test('201: with every field, the state in capitals, as GET shows it afterwards', async () => {
    const id = await newPhysician();
    const fields = { state: 'dc', licenseNumber: 'DC-1', expirationDate: '2031-02-28', licenseType: 'APRN' };
    const { status, body } = await send('POST', `/physicians/${id}/licenses`, fields);
    expect(status).toBe(201);
    expect(body).toEqual({
      license: { ...fields, id: expect.any(String), physicianId: id, state: 'DC', isActive: true },
    });
    const licenses = { licenses: [body['license']] };
    expect(await send('GET', `/physicians/${id}/licenses`)).toEqual({ status: 200, body: licenses });
  });

  test('201: with the least fields it does not expire', async () => {
    const id = await newPhysician();
    const { body } = await send('POST', `/physicians/${id}/licenses`, { state: 'OH', licenseNumber: 'OH-1' });
    expect(body).toMatchObject({ license: { expirationDate: null, licenseType: null } });
    expect((await send('GET', `/physicians/${id}/verify-license?state=OH`)).body).toMatchObject({
      licensed: true,
    });
  });

  test('400 names the field at fault', async () => {
    const body = { state: 'ZZ', licenseNumber: 'OH-1' };
    expect(await send('POST', `/physicians/${randomUUID()}/licenses`, body)).toEqual(refused('state'));
  });

  test('404: an unknown physician', async () => {
    for (const id of nobody)
      expect(
        await send('POST', `/physicians/${id}/licenses`, { state: 'OH', licenseNumber: 'OH-1' }),
      ).toEqual(unknownPhysician);
  });

  test('409: a second active one in a state; one out of use does not count', async () => {
    const id = await newPhysician();
    const first = await newLicense(id);
    const second = { state: 'oh', licenseNumber: 'OH-8' };
    expect(await send('POST', `/physicians/${id}/licenses`, second)).toEqual(stateTaken);
    await send('DELETE', `/physicians/${id}/licenses/${first}`);
    expect((await send('POST', `/physicians/${id}/licenses`, second)).status).toBe(201);
  });

  test('409: of twenty equal ones at once one is added', async () => {
    const path = `/physicians/${await newPhysician()}/licenses`;
    const license = { state: 'OH', licenseNumber: 'OH-1' };
    const answers = await atOnce(20, () => send('POST', path, license));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(19).fill(stateTaken));
  });
});

describe('PUT and DELETE /physicians/:id/licenses/:lid', () => {
  let physicianId: string;
  let path: string;
  beforeEach(async () => {
    physicianId = await newPhysician();
    path = `/physicians/${physicianId}/licenses/${await newLicense(physicianId, { licenseType: 'MD' })}`;
  });

  test('PUT 200: changes what is given and nothing else', async () => {
    expect(await send('PUT', path, { state: 'pa', expirationDate: '2031-12-31' })).toMatchObject({
      status: 200,
      body: {
        license: { state: 'PA', licenseNumber: 'OH-7', expirationDate: '2031-12-31', licenseType: 'MD' },
      },
    });
    expect((await send('PUT', path, { expirationDate: null })).body).toMatchObject({
      license: { state: 'PA', expirationDate: null, isActive: true },
    });
    expect((await send('PUT', path, {})).status).toBe(200);
  });

  test('PUT 400 names the field at fault', async () => {
    expect(await send('PUT', path, { licenseType: 'md' })).toEqual(refused('licenseType'));
  });

  test('PUT 409: into a state that has an active one', async () => {
    await newLicense(physicianId, { state: 'PA' });
    expect(await send('PUT', path, { state: 'PA' })).toEqual(stateTaken);
  });

  test('DELETE 200: out of use, also when asked for twice, and no longer shown', async () => {
    for (let times = 0; times < 2; times += 1)
      expect(await send('DELETE', path)).toMatchObject({
        status: 200,
        body: { success: true, license: { physicianId, state: 'OH', isActive: false } },
      });
    expect((await send('GET', `/physicians/${physicianId}/licenses`)).body).toEqual({ licenses: [] });
    expect((await send('GET', `/physicians/${physicianId}/verify-license?state=OH`)).body).toEqual({
      licensed: false,
      state: 'OH',
    });
  });

  test("PUT, DELETE 404: an unknown license, another physician's, an unknown physician", async () => {
    const elsewhere = await newLicense(await newPhysician());
    for (const id of [...nobody, elsewhere]) {
      const license = `/physicians/${physicianId}/licenses/${id}`;
      expect(await send('PUT', license, { licenseNumber: '1' })).toEqual(unknownLicense);
      expect(await send('DELETE', license)).toEqual(unknownLicense);
    }
    for (const id of nobody) {
      const license = `/physicians/${id}/licenses/${randomUUID()}`;
      expect(await send('PUT', license, { licenseNumber: '1' })).toEqual(unknownPhysician);
      expect(await send('DELETE', license)).toEqual(unknownPhysician);
    }
  });
});
