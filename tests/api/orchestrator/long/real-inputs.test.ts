import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Patient } from 'fhir/r4.js';
import { call, eventually, freshTask, sandbox, shared } from '../../../helpers/client.js';
import { changeInEmr, newPatient } from '../../../helpers/patients.js';
import { approve, messagesTo, type Order, ordersOf, semaglutideFor } from '../approvals.js';
import { checkRefills, dayFromToday, newSchedule } from '../refills.js';
import { lost, replace, shipped } from '../replacements.js';

const dev = shared();
const ended = { end: '2019-04' };
const at = (line: string, more: object = {}) => ({
  line: [line],
  city: 'Sampleton',
  state: 'WA',
  postalCode: '98101',
  ...more,
});
const absent = [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }];

describe('an order goes by the entries that count', () => {
  test.each<[string, Partial<Patient>, { patient?: object; shipTo?: object }]>([
    [
      'a maiden name before the usual one',
      {
        name: [
          { use: 'maiden', family: 'Marsh', given: ['Ina'], period: ended },
          { use: 'usual', family: 'Field', given: ['Ina'] },
        ],
      },
      { patient: { firstName: 'Ina', lastName: 'Field' } },
    ],
    [
      'an anonymous name before the usual one',
      {
        name: [
          { use: 'anonymous', family: 'Roe', given: ['Jo'] },
          { use: 'usual', family: 'Field', given: ['Ina'] },
        ],
      },
      { patient: { firstName: 'Ina', lastName: 'Field' } },
    ],
    [
      'an address that has ended before one without a use',
      { address: [at('4 Then Rd', { period: ended }), at('9 Now Rd', { period: { start: '2019-04' } })] },
      { shipTo: { line1: '9 Now Rd' } },
    ],
    [
      'a mobile number without a value before the home number',
      {
        telecom: [
          { system: 'phone', use: 'mobile', _value: { extension: absent } },
          { system: 'phone', use: 'home', value: '(206) 555-0172 ext. 8' },
        ],
      },
      { patient: { phone: '2065550172' }, shipTo: { phone: '2065550172' } },
    ],
  ])('%s', async (_what, changes, expected) => {
    const { id } = await newPatient(dev, 'WA', (complete) => ({ ...complete, ...changes }));
    const approval = semaglutideFor(id);
    expect((await approve(dev, approval)).status).toBe(200);
    expect(await ordersOf(dev, approval.taskId)).toMatchObject([{ pharmacy: 'pharmacy_a', body: expected }]);
  });

  test('a refill reads the record as it is by then', async () => {
    const patient = await newPatient(dev, 'WA');
    const family = `Now${randomUUID().slice(0, 8)}`;
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(0) });
    await changeInEmr(dev, patient, (record) => {
      record.name = [
        { use: 'maiden', family: 'Then', given: ['Ada'] },
        { use: 'usual', family: ` ${family} `, given: [' Ada '], suffix: ['III'] },
        { use: 'temp', family: 'Guest', given: ['A'] },
      ];
      record.address = [
        at('1 Bill St', { use: 'billing', state: 'TX', postalCode: '78701' }),
        at('2 Later St', { use: 'home', period: { start: '2090' } }),
        at('PO Box 3', { use: 'work', type: 'postal' }),
        at('5 Pine St', { use: 'work', type: 'both', line: ['5 Pine St', 'A', 'B'], state: 'US-WA' }),
      ];
      record.telecom = [
        { system: 'phone', value: '1 206 555 0188 x4', rank: 2 },
        { system: 'phone', use: 'work', value: '2065550199', rank: 1 },
        { system: 'email', value: patient.email, rank: 2 },
        { system: 'email', value: 'ask my clinic', rank: 1 },
      ];
    });
    expect((await checkRefills(dev, { scheduleIds: [id] })).body.results).toMatchObject([
      { processed: true },
    ]);
    const { orders } = await sandbox<{ orders: Order[] }>(dev, '/orders');
    expect(orders.filter(({ body }) => JSON.stringify(body).includes(family))).toMatchObject([
      {
        pharmacy: 'pharmacy_a',
        body: {
          patient: { firstName: 'Ada', lastName: `${family} III`, phone: '2065550199', email: patient.email },
          shipTo: { line1: '5 Pine St', line2: 'A, B', state: 'WA' },
        },
      },
    ]);
  });
});

test('A name that no order takes is cut for a message, not left out', async () => {
  const patient = await newPatient(dev, 'WA', (complete) => ({
    ...complete,
    name: [{ family: 'R'.repeat(501), given: ['Ina'] }],
  }));
  const body = { taskId: freshTask(), emrPatientId: patient.id };
  await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body });
  const texts = await eventually(async () => {
    const told = await messagesTo(dev, patient);
    return told.length > 0 && told.map(({ text, html }) => text ?? html);
  });
  expect(texts.every((text) => text?.includes(`Ina ${'R'.repeat(196)}`))).toBe(true);
  expect(JSON.stringify(texts)).not.toContain('R'.repeat(197));
});

describe('another address for a replacement', () => {
  const shipTo = { addressLine1: ' 1 Elm St ', city: ' Olympia ', state: ' wa ', zip: ' 98501 ' };

  test('is read without white space around its fields', async () => {
    const { taskId } = await shipped(dev);
    const answer = await eventually(async () => {
      const tried = await replace(dev, lost(taskId, { shipTo }));
      return tried.status !== 409 && tried;
    });
    expect([answer.status, answer.body.replacement]).toMatchObject([200, { state: 'ordered' }]);
    const { orders } = await sandbox<{ orders: Order[] }>(dev, '/orders');
    const id = answer.body.replacement.submissionId;
    expect(orders.find(({ body }) => body['externalId'] === id)?.body['shipTo']).toMatchObject({
      line1: '1 Elm St',
      city: 'Olympia',
      state: 'WA',
      zip: '98501',
    });
  });

  test.each([
    ['zip', '985012'],
    ['zip', '    '],
    ['state', '  '],
    ['addressLine1', ' \t '],
    ['country', 'Canada'],
  ])('is 400 at its %s: %j', async (field, value) => {
    const { status, body } = await replace(dev, lost(freshTask(), { shipTo: { ...shipTo, [field]: value } }));
    expect([status, ...new Set(body.details.map(({ path }) => path))]).toEqual([400, `shipTo.${field}`]);
  });
});

test('Every write of a physician warns of digits that cannot be right', async () => {
  const ask = (method: string, path: string, body?: object) =>
    call<{ physician: { id: string }; warnings?: string[] }>(dev, 'registry', {
      key: 'admin',
      method,
      path,
      body,
    });
  const named = { firstName: 'Kim', lastName: 'Digit' };
  const wrong = { npi: '1234567890', deaNumber: 'AB1234567' };
  const { status, body } = await ask('POST', '/physicians', { ...named, ...wrong });
  const both = ['npi_check_digit', 'dea_check_digit'];
  expect([status, body.warnings]).toEqual([201, both]);
  const path = `/physicians/${body.physician.id}`;
  expect((await ask('PUT', path, { phone: '+12025550111' })).body.warnings).toEqual(both);
  expect((await ask('DELETE', path)).body.warnings).toEqual(both);
  expect((await ask('POST', `${path}/reactivate`)).body.warnings).toEqual(both);
  const right = { npi: '1245319599', deaNumber: 'AB1234563' };
  expect((await ask('PUT', path, right)).body).not.toHaveProperty('warnings');
});
