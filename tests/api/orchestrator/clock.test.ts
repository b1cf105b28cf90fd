import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { call, shared } from '../../helpers/client.js';
import { startSecondApi } from '../../helpers/second-api.js';
import { checkRefills, dayFromToday, newSchedule, schedulesAt } from './refills.js';

const dev = shared();
const path = '/orchestrator/clock';

describe('the clock for trying (D146), which no test sets in the shared system', () => {
  test('200: today is the real date while nobody has set another', async () => {
    const { status, body } = await call(dev, 'orchestrator', { path });
    expect([status, body]).toEqual([200, { today: dayFromToday(0), isReal: true }]);
  });

  test.each([{}, { today: '' }, { today: '2027-02-29' }, { today: '27-03-01' }, { today: 20_270_301 }])(
    '400 on today: %j',
    async (body) => {
      const answer = await call<{ details: { path: string }[] }>(dev, 'orchestrator', {
        key: 'admin',
        method: 'PUT',
        path,
        body,
      });
      expect([answer.status, answer.body.details.map((detail) => detail.path)]).toEqual([400, ['today']]);
    },
  );

  test('401 unsigned, 403 for a key without scope admin', async () => {
    expect((await fetch(`${dev.services.orchestrator}${path}`, { method: 'PUT' })).status).toBe(401);
    const { status } = await call(dev, 'orchestrator', { method: 'PUT', path, body: { today: null } });
    expect(status).toBe(403);
  });

  test('404 outside development, where a check takes no ids', async () => {
    const second = await startSecondApi(dev, ['orchestrator'], { NODE_ENV: 'test' });
    try {
      const elsewhere = { ...dev, services: second.services };
      const put = { method: 'PUT', body: { today: '2027-03-01' } };
      for (const asked of [{}, put])
        expect((await call(elsewhere, 'orchestrator', { key: 'admin', path, ...asked })).status).toBe(404);
      expect(await checkRefills(elsewhere, { scheduleIds: [] })).toMatchObject({
        status: 400,
        body: { details: [{ path: '', message: 'must be empty or {}' }] },
      });
    } finally {
      await second.stop();
    }
  });
});

describe('POST /orchestrator/refill-check {scheduleIds}', () => {
  test('200: looks at these schedules only, and at none of an empty list', async () => {
    const due = { emrPatientId: 'nobody', nextFillDate: dayFromToday(0) };
    const [chosen, other] = [await newSchedule(dev, due), await newSchedule(dev, due)];
    const later = await newSchedule(dev, { ...due, nextFillDate: dayFromToday(1) });
    const asked = (ids: string[]) => checkRefills(dev, { scheduleIds: ids });
    expect((await asked([])).body).toEqual({ processed: 0, results: [] });
    const { status, body } = await asked([chosen.id, later.id, randomUUID()]);
    expect([status, body]).toMatchObject([
      200,
      { processed: 1, results: [{ scheduleId: chosen.id, processed: false, reason: 'patient_details' }] },
    ]);
    for (const { id } of [chosen, other, later]) await schedulesAt(dev, `/${id}/cancel`, { method: 'POST' });
  });

  test.each([{ scheduleIds: 'all' }, { scheduleIds: ['no-uuid'] }, { schedule_ids: [] }])(
    '400 for %j',
    async (body) => {
      const request = { method: 'POST', path: '/orchestrator/refill-check', body };
      expect((await call(dev, 'orchestrator', request)).status).toBe(400);
    },
  );
});
