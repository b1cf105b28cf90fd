import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { hasNoKnownField, misspeltFields } from '../../api/plugins/misspelt-fields.js';

const patient = z.object({ firstName: z.string(), zip: z.string().optional() });
const contract = z.object({
  dosage: z.string().optional(),
  patient: patient.nullable().default(null),
  lines: z.array(z.object({ quantity: z.number() })).readonly(),
  either: z.union([z.object({ pharmacy: z.string() }), z.object({ carrier: z.string() })]).optional(),
  read: z.object({ amount: z.string() }).transform(({ amount }) => amount),
  prepared: z.preprocess((value) => value, z.object({ amount: z.string() })),
  variables: z.object({ color: z.string() }).optional(),
});

const found = (body: unknown) =>
  misspeltFields([contract], body).map(({ path, name }) => `${path.join('.')}: ${name}`);

describe('misspelt fields of a body', () => {
  test.each([
    ['in the body itself', { dosge: '', Lines: [] }, ['dosge: dosage', 'Lines: lines']],
    ['in an object', { patient: { firstname: '' } }, ['patient.firstname: firstName']],
    [
      'in each entry of a list',
      { lines: [{ quanity: 1 }, { quantity: 1 }, { qauntity: 1 }] },
      ['lines.0.quanity: quantity', 'lines.2.qauntity: quantity'],
    ],
    ['in any form of a union', { either: { carier: '' } }, ['either.carier: carrier']],
    ['in an object that is transformed', { read: { amout: '' } }, ['read.amout: amount']],
    ['in an object that is prepared', { prepared: { amout: '' } }, ['prepared.amout: amount']],
  ])('are found %s', (_where, body, expected) => {
    expect(found(body)).toEqual(expected);
  });

  test.each([
    ['the field that it resembles is present', { dosage: '', dosge: '' }],
    ['it resembles a field of another object only', { dosage: '', quanity: 1 }],
    ['the caller names these contents freely', { variables: { colour: '' } }],
    ['it resembles none', { notes: '' }],
    ['the body is a list', [{ dosge: '' }]],
    ['the body is null', null],
    ['the body is a text', 'dosge'],
  ])('are not reported if %s', (_why, body) => {
    expect(found(body)).toEqual([]);
  });
});

describe('a body', () => {
  const either = z.union([contract.nullish(), z.object({ only: z.string() })]);

  test.each([[{ notes: '' }], [{ notes: '', quantity: 1 }]])('has no known field: %j', (body) => {
    expect(hasNoKnownField(either, body)).toBe(true);
  });

  test.each([
    [{ notes: '', dosage: '' }],
    [{ only: '' }],
    [{}],
    [[{ notes: '' }]],
    [null],
    [undefined],
    ['notes'],
  ])('belongs to the route, or is for its contract to judge: %j', (body) => {
    expect(hasNoKnownField(either, body)).toBe(false);
  });

  test('belongs to a route that takes any field', () => {
    expect(hasNoKnownField(z.record(z.string(), z.unknown()), { notes: '' })).toBe(false);
  });
});
