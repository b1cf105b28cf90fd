import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  isReduction,
  mayGrant,
  mayRevoke,
  reactivatedState,
  roles,
} from '../../../domain/organization/memberships.js';
import {
  isSlug,
  organizationStatuses,
  statusAfter,
  type StatusChange,
} from '../../../domain/organization/organizations.js';

const role = fc.constantFrom(...roles);
const present = fc.option(role, { nil: null });

describe('an organization', () => {
  it.each<[StatusChange, (string | undefined)[]]>([
    ['suspend', ['suspended', undefined, undefined]],
    ['archive', ['archived', 'archived', undefined]],
    ['reactivate', [undefined, 'active', undefined]],
  ])('%s leads from active, suspended and archived to %j', (change, expected) => {
    expect(organizationStatuses.map((status) => statusAfter(status, change))).toEqual(expected);
  });

  it('has a slug of 2-63 lower-case letters, digits and hyphens', () => {
    expect(['ab', 'a-1', '-'.repeat(63)].map(isSlug)).toEqual([true, true, true]);
    expect(['a', 'A1', 'a_b', 'a b', 'é1', 'x'.repeat(64), 'ab\n'].map(isSlug)).toEqual(Array(7).fill(false));
  });
});

describe('a membership', () => {
  it('org_admin is given, changed and taken away by superadmins only', () => {
    fc.assert(
      fc.property(role, present, (granted, held) => {
        expect(mayGrant('superadmin', granted, held)).toBe(true);
        expect(mayGrant('org_admin', granted, held)).toBe(granted !== 'org_admin' && held !== 'org_admin');
      }),
    );
    expect(roles.map((held) => mayRevoke('org_admin', held))).toEqual([false, true, true]);
    expect(roles.map((held) => mayRevoke('superadmin', held))).toEqual([true, true, true]);
  });

  it('is reduced by a lower role and by nothing else, and never both ways', () => {
    expect(isReduction('org_admin', 'org_user')).toBe(true);
    expect(isReduction('org_user', 'support')).toBe(true);
    fc.assert(
      fc.property(role, role, (a, b) => {
        expect(isReduction(a, b) && isReduction(b, a)).toBe(false);
        expect(isReduction(a, b) || isReduction(b, a)).toBe(a !== b);
        expect(isReduction(null, a)).toBe(false);
      }),
    );
  });

  it('brings a suspended admin back to what they were', () => {
    expect([reactivatedState(true), reactivatedState(false)]).toEqual(['active', 'invited']);
  });
});
