import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  approveRequest,
  cancelRequest,
  denyRequest,
  replacementRequest,
  rerouteRequest,
  runsQuery,
} from '../../../api/orchestrator/contract.js';
import { newRefillSchedule } from '../../../api/orchestrator/refill-contract.js';
import { rejectedFields } from '../../helpers/contract.js';

const approval = { taskId: 'task-1', medication: 'semaglutide', emrPatientId: 'p1', dosage: 'Once a week' };
const replacing = { taskId: 'refill-1', reason: 'wrong_item', paidBy: 'company' };
const shipTo = { addressLine1: '1 Main St', city: 'Troy', state: 'ny', zip: '121801234', country: 'usa' };
const schedule = { emrPatientId: 'p1', medication: 'nad', totalRefillsAllowed: 2 };

describe('accepted requests', () => {
  test.each([
    ['an approval at its limits', approveRequest, { ...approval, emrPatientId: 'x'.repeat(64) }],
    ['a denial of a task alone', denyRequest, { taskId: 'task' }],
    ['a cancellation of refills', cancelRequest, { taskId: 'refill-1', reason: 'No', stopRefills: true }],
    ['a reroute', rerouteRequest, { taskId: 'task', pharmacy: 'pharmacy_b' }],
    [
      'a replacement to another address',
      replacementRequest,
      { ...replacing, shipTo, note: 'Left in the rain' },
    ],
    ['a refill schedule', newRefillSchedule, schedule],
    ['runs of a time with an offset', runsQuery, { from: '2099-01-01T00:00:00+02:00' }],
  ])('%s', (_name, schema, body) => {
    expect(rejectedFields(schema, body)).toEqual([]);
  });
});

test.each([
  ['taskId', undefined],
  ['taskId', ''],
  ['taskId', 'x'.repeat(201)],
  ['taskId', 'line\nbreak'],
  ['taskId', 'bell\u0007'],
  ['taskId', 'zero\u200bwidth'],
  ['taskId', 'line\u2028separator'],
  ['taskId', 'refill-5f0c2a7e'],
  ['taskId', 7],
  ['taskId', null],
  ['medication', undefined],
  ['medication', ''],
  ['medication', 'x'.repeat(201)],
  ['medication', ['semaglutide']],
  ['emrPatientId', undefined],
  ['emrPatientId', ''],
  ['emrPatientId', 'x'.repeat(65)],
  ['emrPatientId', '../Patient'],
  ['emrPatientId', 'a b'],
  ['emrPatientId', true],
  ['dosage', ''],
  ['dosage', null],
  ['dosage', 'x'.repeat(2001)],
])('an approval is rejected at %s: %j', (field, value) => {
  const rejected = rejectedFields(approveRequest, { ...approval, [field]: value });
  expect(new Set(rejected)).toEqual(new Set([field]));
});

test.each<[string, object]>([
  ['taskId', {}],
  ['taskId', { taskId: '' }],
  ['taskId', { taskId: 7 }],
  ['taskId', { taskId: 'x'.repeat(201) }],
  ['taskId', { taskId: 'line\nbreak' }],
  ['taskId', { taskId: `refill-${randomUUID()}` }],
  ['emrPatientId', { taskId: 'task', emrPatientId: 'a/b' }],
  ['emrPatientId', { taskId: 'task', emrPatientId: '' }],
  ['reason', { taskId: 'task', reason: null }],
  ['reason', { taskId: 'task', reason: 'x'.repeat(2001) }],
])('a denial is rejected at %s: %j', (field, body) => {
  expect(new Set(rejectedFields(denyRequest, body))).toEqual(new Set([field]));
});

test.each<[string, object]>([
  ['taskId', { reason: 'No' }],
  ['taskId', { taskId: 'x'.repeat(201), reason: 'No' }],
  ['reason', { taskId: 'task' }],
  ['reason', { taskId: 'task', reason: '' }],
  ['reason', { taskId: 'task', reason: 'x'.repeat(501) }],
  ['stopRefills', { taskId: 'task', reason: 'No', stopRefills: 'yes' }],
])('a cancellation is rejected at %s: %j', (field, body) => {
  expect(rejectedFields(cancelRequest, body)).toEqual([field]);
});

test.each<[string, object]>([
  ['taskId', { pharmacy: 'pharmacy_b' }],
  ['pharmacy', { taskId: 'task' }],
  ['pharmacy', { taskId: 'task', pharmacy: 'pharmacy_d' }],
])('a reroute is rejected at %s: %j', (field, body) => {
  expect(rejectedFields(rerouteRequest, body)).toEqual([field]);
});

test.each<[string, object]>([
  ['taskId', { taskId: undefined }],
  ['reason', { reason: 'stolen' }],
  ['paidBy', { paidBy: undefined }],
  ['note', { note: 'x'.repeat(501) }],
  ['shipTo', { shipTo: null }],
  ['shipTo.addressLine1', { shipTo: { ...shipTo, addressLine1: ' ' } }],
  ['shipTo.zip', { shipTo: { ...shipTo, zip: '1218' } }],
  ['shipTo.country', { shipTo: { ...shipTo, country: 'Canada' } }],
])('a replacement is rejected at %s: %j', (field, body) => {
  expect(rejectedFields(replacementRequest, { ...replacing, ...body })).toEqual([field]);
});

test.each<[string, object]>([
  ['medication', { medication: undefined }],
  ['emrPatientId', { emrPatientId: 'a b' }],
  ['totalRefillsAllowed', { totalRefillsAllowed: -1 }],
  ['totalRefillsAllowed', { totalRefillsAllowed: 1.5 }],
  ['totalRefillsAllowed', { totalRefillsAllowed: '3' }],
  ['totalRefillsAllowed', { totalRefillsAllowed: undefined }],
  ['refillsSent', { refillsSent: -1 }],
  ['daysSupply', { daysSupply: 0 }],
  ['lastFillDate', { lastFillDate: '2023-02-29' }],
  ['lastFillDate', { lastFillDate: '0000-01-01' }],
  ['lastFillDate', { lastFillDate: '9999-12-31' }],
  ['nextFillDate', { nextFillDate: '2026-1-1' }],
  ['nextFillDate', { nextFillDate: null }],
])('a refill schedule is rejected at %s: %j', (field, change) => {
  expect(rejectedFields(newRefillSchedule, { ...schedule, ...change })).toEqual([field]);
});

test.each<[string, string]>([
  ['status', 'done'],
  ['warning', 'rain'],
  ['from', 'yesterday'],
  ['to', '2026-02-30T00:00:00Z'],
  ['limit', '201'],
])('a list of runs is rejected at %s: %s', (field, value) => {
  expect(rejectedFields(runsQuery, { [field]: value })).toEqual([field]);
});
