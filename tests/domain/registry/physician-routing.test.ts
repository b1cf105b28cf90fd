import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  chooseCandidate,
  isExpired,
  noPhysicianReason,
  refusalReason,
  type RoutingCandidate,
} from '../../../domain/registry/physician-routing.js';

const today = '2024-06-15';
const candidate = (change: Partial<RoutingCandidate> = {}): RoutingCandidate => ({
  priority: 5,
  position: 1,
  isActive: true,
  license: { expirationDate: null },
  ...change,
});

const candidates = fc.array(
  fc.record({
    priority: fc.integer({ min: -2, max: 2 }),
    position: fc.integer({ min: 1, max: 50 }),
    isActive: fc.boolean(),
    license: fc.option(
      fc.record({ expirationDate: fc.constantFrom(null, '2024-06-14', '2024-06-15', '2024-06-16') }),
    ),
  }),
);
const mayPrescribe = ({ isActive, license }: RoutingCandidate) =>
  isActive && license !== null && !isExpired(license, today);

describe('the routing of a platform and state', () => {
  test('chooses the highest priority', () => {
    const best = candidate({ priority: 10, position: 2 });
    expect(chooseCandidate([candidate(), best], today)).toBe(best);
  });

  test('among equal priorities chooses the physician added first', () => {
    const first = candidate({ position: 1 });
    expect(chooseCandidate([candidate({ position: 2 }), first], today)).toBe(first);
  });

  test.each([
    ['is inactive', { isActive: false }],
    ['has no active license there', { license: null }],
    ['has an expired license', { license: { expirationDate: '2024-06-14' } }],
  ])('passes over a better one who %s', (_why, change) => {
    const fallback = candidate();
    expect(chooseCandidate([candidate({ priority: 10, ...change }), fallback], today)).toBe(fallback);
  });

  test('chooses nobody when nobody may prescribe', () => {
    expect(chooseCandidate<RoutingCandidate>([], today)).toBeUndefined();
    expect(chooseCandidate([candidate({ isActive: false })], today)).toBeUndefined();
    expect(noPhysicianReason('platform_b', 'PR')).toBe('No physician available for platform_b in PR');
  });

  test('the chosen one may prescribe and nobody else who may comes before them', () => {
    fc.assert(
      fc.property(candidates, (rows) => {
        const chosen = chooseCandidate(rows, today);
        const able = rows.filter(mayPrescribe);
        expect(chosen === undefined).toBe(able.length === 0);
        if (!chosen) return;
        expect(mayPrescribe(chosen)).toBe(true);
        const better = able.filter(
          ({ priority, position }) =>
            priority > chosen.priority || (priority === chosen.priority && position < chosen.position),
        );
        expect(better).toEqual([]);
      }),
    );
  });
});

describe('a license', () => {
  test('is valid to the end of its expiration date', () => {
    expect(isExpired({ expirationDate: '2024-06-15' }, today)).toBe(false);
    expect(isExpired({ expirationDate: '2024-06-14' }, today)).toBe(true);
  });

  test('without an expiration date does not expire', () => {
    expect(isExpired({ expirationDate: null }, '9999-12-31')).toBe(false);
  });
});

describe('the reason why a physician may not prescribe', () => {
  const active = { isActive: true };
  const valid = { expirationDate: null };
  const expired = { expirationDate: '2024-06-14' };

  test.each([
    ['Physician not found', undefined, undefined],
    ['Physician is inactive', { isActive: false }, undefined],
    ['Physician is inactive', { isActive: false }, expired],
    ['No active license in TX', active, undefined],
    ['License expired', active, expired],
    [undefined, active, valid],
  ])('is %j', (reason, physician, license) => {
    expect(refusalReason(physician, license, 'TX', today)).toBe(reason);
  });

  test('is none exactly for those whom routing may choose', () => {
    fc.assert(
      fc.property(candidates, (rows) => {
        for (const row of rows) {
          const reason = refusalReason(row, row.license ?? undefined, 'TX', today);
          expect(chooseCandidate([row], today) === undefined).toBe(reason !== undefined);
        }
      }),
    );
  });
});
