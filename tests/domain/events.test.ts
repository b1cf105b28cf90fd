import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { consumersOf, isOneOf, judgeFailedDelivery } from '../../domain/events.js';

describe('the consumers of an event', () => {
  test.each([
    ['organization', 'organization.created', ['notification', 'patients', 'sink']],
    ['organization', 'organization.suspended', ['patients', 'sink']],
    ['organization', 'admin.user_invited', ['notification', 'sink']],
    ['organization', 'organization.custom_domain_registered', ['organization', 'sink']],
    [
      'organization',
      'admin.membership_revoked',
      ['notification', 'intake', 'patients', 'bridge', 'worklist', 'sink'],
    ],
    [
      'organization',
      'admin.operator_revoked',
      ['notification', 'intake', 'patients', 'bridge', 'worklist', 'sink'],
    ],
    [
      'organization',
      'admin.user_suspended',
      ['notification', 'intake', 'patients', 'bridge', 'worklist', 'sink'],
    ],
    [
      'organization',
      'admin.user_signed_out',
      ['notification', 'intake', 'patients', 'bridge', 'worklist', 'sink'],
    ],
    ['organization', 'admin.sign_in_locked', ['notification', 'sink']],
    ['patients', 'patient.created', ['sink']],
    ['patients', 'patient.archived', ['bridge', 'orchestrator', 'sink']],
    ['bridge', 'emr.patient.updated', ['orchestrator', 'sink']],
    ['bridge', 'emr.medication_request.activated', ['orchestrator', 'sink']],
    ['bridge', 'emr.medication_dispense.completed', ['router', 'sink']],
    ['bridge', 'emr.task.completed', ['sink']],
    ['bridge', 'work_item.opened', ['worklist']],
    ['intake', 'intake.payment_profile_saved', ['orchestrator']],
    ['intake', 'intake.contact_confirmed', ['intake']],
  ])('of %s, %s, are %j', (source, detailType, consumers) => {
    expect(consumersOf({ source, detailType })).toEqual(consumers);
  });
});

describe('the outside is told', () => {
  test.each([
    [[], true],
    [['patient.archived'], true],
    [['patient.created', 'patient.archived'], true],
    [['patient.*'], true],
    [['patient.created'], false],
    [['patient.archive'], false],
    [['pat.*', 'emr.*'], false],
  ])('of %j: of patient.archived %s', (types, isTold) => {
    expect(isOneOf(types, 'patient.archived')).toBe(isTold);
  });
});

describe('a delivery that failed', () => {
  const now = 1_000_000_000;
  const failed = { error: 'away', isRefused: false, firstAttemptAt: now, now };

  test('is tried again after pauses that double up to ten minutes', () => {
    const pauses = [1, 2, 3, 10, 11, 50].map((attempts) => {
      const verdict = judgeFailedDelivery({ ...failed, attempts });
      return verdict.state === 'pending' && verdict.dueAt - now;
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 512_000, 600_000, 600_000]);
  });

  test('is given up at once when it is refused, and 72 h after its first attempt', () => {
    expect(judgeFailedDelivery({ ...failed, isRefused: true, attempts: 1 })).toEqual({
      state: 'dead',
      error: 'away',
    });
    const hours = (count: number) => now + count * 3_600_000;
    expect(judgeFailedDelivery({ ...failed, attempts: 9, now: hours(72) }).state).toBe('dead');
    expect(judgeFailedDelivery({ ...failed, attempts: 9, now: hours(72) - 1 }).state).toBe('pending');
  });

  test('is never due before now, nor later than ten minutes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 0, max: 250_000_000 }),
        (attempts, late) => {
          const verdict = judgeFailedDelivery({ ...failed, attempts, now: now + late });
          if (verdict.state !== 'pending') return;
          expect(verdict.dueAt).toBeGreaterThan(now + late);
          expect(verdict.dueAt - now - late).toBeLessThanOrEqual(600_000);
        },
      ),
    );
  });
});
