import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventFields, eventTypes, fieldsOf } from '../../../domain/orchestrator/events.js';

test('An event has every field of its type and no other, null where the stored one lacks it', () => {
  expect(fieldsOf('order.shipped', { submissionId: 's', carrier: 'UPS', name: 'Pat' })).toEqual({
    submissionId: 's',
    trackingNumber: null,
    carrier: 'UPS',
  });
});

test('The reference names every type of event with its fields', () => {
  const page = readFileSync('docs/services/orchestrator.md', 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  for (const type of eventTypes) {
    const row = rows.find((line) => line.split('|')[1]!.includes(`\`${type}\``)) ?? '';
    const named = new Set(row.match(/\w+/g));
    expect([type, Object.keys(eventFields[type]).filter((field) => !named.has(field))]).toEqual([type, []]);
  }
});
