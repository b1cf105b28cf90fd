import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  afterLook,
  dnsReason,
  dnsRecordOf,
  type DomainWatch,
  domainStates,
  isHostname,
  isPending,
  newWatch,
  patienceMs,
  provesOwnership,
  tlsReason,
} from '../../../domain/organization/custom-domains.js';

const minute = 60_000;
const hour = 60 * minute;

/** Looks by the clock that never find anything, from the registration on. @returns the pauses between them */
function pausesUntilGivenUp(): number[] {
  const pauses: number[] = [];
  let now = 0;
  let watch: DomainWatch = newWatch('pending_dns', now);
  while (watch.nextCheckAt !== null) {
    pauses.push(watch.nextCheckAt - now);
    now = watch.nextCheckAt;
    watch = afterLook(watch, { isMet: false, isAsked: false, now });
  }
  expect(now).toBe(patienceMs);
  return pauses;
}

describe('a hostname', () => {
  it.each(['care.example.com', 'a.io', 'xn--bcher-kva.example', 'a-b.c-d.test', '1.example'])(
    'may be %s',
    (text) => expect(isHostname(text)).toBe(true),
  );
  it.each([
    'localhost',
    '10.0.0.1',
    'a..b',
    '.a.b',
    'a.b.',
    '-a.com',
    'a-.com',
    'a_b.com',
    'a.com/x',
    'Ä.com',
    '',
  ])('is not %j', (text) => expect(isHostname(text)).toBe(false));
  it('is no longer than its DNS record may be', () => {
    const long = `${'a'.repeat(60)}.`.repeat(4);
    expect(dnsRecordOf(`${long}x`, '').name.length).toBeLessThanOrEqual(253);
    expect(isHostname(`${long}x`)).toBe(true);
    expect(isHostname(`${long}xx`)).toBe(false);
  });
});

describe('a pending hostname', () => {
  it('is looked at after 1 minute, then after pauses that double up to an hour, for 72 h', () => {
    const pauses = pausesUntilGivenUp();
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((minutes) => minutes * minute));
    expect(Math.max(...pauses)).toBe(hour);
    expect(pauses.reduce((sum, pause) => sum + pause)).toBe(72 * hour);
  });

  it('waits for its certificate once the record is there, with a clock of its own', () => {
    const watch = { ...newWatch('pending_dns', 0), checks: 9 };
    for (const isAsked of [true, false])
      expect(afterLook(watch, { isMet: true, isAsked, now: hour })).toEqual(newWatch('pending_tls', hour));
  });

  it('is never made active by a look', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...domainStates),
        fc.nat(200),
        fc.option(fc.nat(), { nil: null }),
        fc.boolean(),
        fc.boolean(),
        fc.nat(),
        (state, checks, nextCheckAt, isMet, isAsked, now) => {
          const after = afterLook({ state, checks, watchedSince: 0, nextCheckAt }, { isMet, isAsked, now });
          expect(after.state).toBe(state === 'pending_dns' && isMet ? 'pending_tls' : state);
          if (after.nextCheckAt !== null && after.nextCheckAt !== nextCheckAt) {
            expect(isPending(after.state)).toBe(true);
            expect(after.nextCheckAt).toBeGreaterThan(now);
            expect(after.nextCheckAt - now).toBeLessThanOrEqual(hour);
          }
        },
      ),
    );
  });

  it('keeps its clock when a look is asked for, and winds it up again when it had run out', () => {
    const watch = newWatch('pending_dns', 0);
    expect(afterLook(watch, { isMet: false, isAsked: true, now: 30_000 })).toEqual(watch);
    const over = { ...watch, checks: 80, nextCheckAt: null };
    expect(afterLook(over, { isMet: false, isAsked: true, now: 100 * hour })).toEqual(
      newWatch('pending_dns', 100 * hour),
    );
  });
});

describe('what is said of a pending hostname', () => {
  const record = dnsRecordOf('care.example.com', 'token-1');

  it('names the record that is expected', () => {
    expect(record).toEqual({ type: 'TXT', name: '_verify.care.example.com', value: 'token-1' });
  });

  it.each<[string, { values: string[]; fault: string | null }, string | null]>([
    ['is there among others', { values: ['v=spf1', ' token-1 '], fault: null }, null],
    ['is missing', { values: [], fault: null }, 'No TXT record at _verify.care.example.com'],
    [
      'has another value',
      { values: ['token-2', 'xtoken-1'], fault: null },
      'The TXT record at _verify.care.example.com has another value',
    ],
    [
      'could not be asked for',
      { values: [], fault: 'ETIMEOUT' },
      'DNS could not be asked for _verify.care.example.com (ETIMEOUT)',
    ],
  ])('when the record %s', (_case, seen, reason) => {
    expect(dnsReason(record, seen)).toBe(reason);
    expect(provesOwnership(seen, 'token-1')).toBe(reason === null);
  });

  it('tells of the certificate', () => {
    expect(tlsReason('a.test', { isValid: true, fault: null })).toBe(
      'a.test presents a valid certificate and can be activated',
    );
    expect(tlsReason('a.test', { isValid: false, fault: 'CERT_HAS_EXPIRED' })).toBe(
      'No valid certificate at a.test (CERT_HAS_EXPIRED)',
    );
  });
});
