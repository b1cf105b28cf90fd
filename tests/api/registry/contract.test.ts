import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import * as contract from '../../../api/registry/contract.js';
import { rejectedFields } from '../../helpers/contract.js';

const physician = { firstName: 'Kim', lastName: 'Novak', npi: '1000000012' };
const license = { state: 'oh', licenseNumber: 'OH-1' };
const rule = { platform: 'platform_b', state: 'VT', physicianId: randomUUID(), priority: 3 };

const expectRejected = (schema: z.ZodType, value: object, field: string): void =>
  expect(new Set(rejectedFields(schema, value))).toEqual(new Set([field]));

test('a physician, a license and a rule are accepted with their least fields, and changes with none', () => {
  const name = 'é'.repeat(100);
  expect(rejectedFields(contract.newPhysician, { ...physician, firstName: name, lastName: name })).toEqual(
    [],
  );
  expect(rejectedFields(contract.newLicense, license)).toEqual([]);
  expect(rejectedFields(contract.newRule, rule)).toEqual([]);
  for (const changes of [contract.physicianChanges, contract.licenseChanges, contract.ruleChanges])
    expect(rejectedFields(changes, {})).toEqual([]);
});

test.each<[string, unknown]>([
  ['firstName', ''],
  ['firstName', 'x'.repeat(101)],
  ['firstName', null],
  ['lastName', 'x'.repeat(101)],
  ['lastName', 7],
  ['npi', '123'],
  ['npi', 1000000004],
  ['email', 'nobody'],
  ['email', `${'x'.repeat(300)}@example.test`],
  ['addressState', 'NYC'],
  ['signatureImage', 'iVBORw0KGgo='],
  ['platform', 'platform_c'],
  ['emrPractitionerId', 'practitioner'],
])('a new physician and changes to one are rejected at %s: %j', (field, value) => {
  expectRejected(contract.newPhysician, { ...physician, [field]: value }, field);
  expectRejected(contract.physicianChanges, { [field]: value }, field);
});

test.each<[string, unknown]>([
  ['state', 'ZZ'],
  ['state', 'PR'],
  ['state', 'Ohio'],
  ['licenseNumber', ''],
  ['licenseNumber', 7],
  ['expirationDate', '2030-02-30'],
  ['expirationDate', '01/02/2030'],
  ['licenseType', 'RN'],
  ['licenseType', 'md'],
])('a new license and changes to one are rejected at %s: %j', (field, value) => {
  expectRejected(contract.newLicense, { ...license, [field]: value }, field);
  expectRejected(contract.licenseChanges, { [field]: value }, field);
});

test.each<[string, unknown]>([
  ['platform', 'both'],
  ['state', 'ZZ'],
  ['state', 'Vermont'],
  ['physicianId', '42'],
  ['priority', '3'],
  ['priority', 1.5],
  ['priority', 2 ** 31],
])('a new rule and changes to one are rejected at %s: %j', (field, value) => {
  expectRejected(contract.newRule, { ...rule, [field]: value }, field);
  expectRejected(contract.ruleChanges, { [field]: value }, field);
});

test('a new record is rejected without each of its required fields', () => {
  for (const [schema, whole] of [
    [contract.newPhysician, physician],
    [contract.newLicense, license],
    [contract.newRule, rule],
  ] as const)
    for (const field of Object.keys(whole))
      expect(rejectedFields(schema, { ...whole, [field]: undefined })).toEqual([field]);
});

test.each<[string, object]>([
  ['platform', { state: 'NY' }],
  ['platform', { platform: 'platform_c', state: 'NY' }],
  ['platform', { platform: 'both', state: 'NY' }],
  ['state', { platform: 'platform_a' }],
  ['state', { platform: 'platform_a', state: 'NYC' }],
])('a query for a route is rejected at %s: %j', (field, query) => {
  expect(new Set(rejectedFields(contract.routeQuery, query))).toEqual(new Set([field]));
});

test.each([
  ['platform', 'both'],
  ['active', 'yes'],
  ['limit', '0'],
  ['limit', '201'],
  ['limit', 'x'],
  ['cursor', 'x'],
])('a list of physicians is rejected at %s: %s', (field, value) => {
  expect(rejectedFields(contract.listQuery, { [field]: value })).toEqual([field]);
});
