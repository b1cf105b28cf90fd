import { describe, expect, test } from '@jest/globals';
import { sign } from '../../../platform/crypto/signature.js';
import { call, freshTask, shared } from '../../helpers/client.js';
import { approve } from './approvals.js';

const dev = shared();
/** Fails at step 1: all that is asked here is whether it gets so far. */
const anything = () => ({ taskId: freshTask(), medication: 'aspirin', emrPatientId: 'nobody' });

describe('POST /orchestrator/approve: who may', () => {
  const path = '/orchestrator/approve';
  const approvals = dev.apiKeys['approvals']!;
  const minutesAway = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

  /** Signed correctly for the time and key given. */
  async function refused(timestamp: string, credentials: { key: string; secret: string } = approvals) {
    const text = JSON.stringify(anything());
    const headers = {
      'x-api-key': credentials.key,
      'x-timestamp': timestamp,
      'x-signature': sign(credentials.secret, timestamp, text),
    };
    const { status, body } = await call(dev, 'orchestrator', { method: 'POST', path, body: text, headers });
    return [status, body];
  }

  test.each(['x-api-key', 'x-timestamp', 'x-signature'])(
    '401 Missing authentication headers: %s',
    async (name) => {
      const timestamp = minutesAway(0);
      const headers = new Headers({
        'content-type': 'application/json',
        'x-api-key': approvals.key,
        'x-timestamp': timestamp,
        'x-signature': sign(approvals.secret, timestamp, '{}'),
      });
      headers.delete(name);
      const response = await fetch(dev.services.orchestrator + path, { method: 'POST', headers, body: '{}' });
      expect([response.status, await response.json()]).toEqual([
        401,
        { error: 'Missing authentication headers' },
      ]);
    },
  );

  test.each(['yesterday', '1700000000', '2026-13-01T00:00:00Z', ''])(
    '401 Invalid timestamp: %j',
    async (timestamp) => {
      expect(await refused(timestamp)).toEqual([401, { error: 'Invalid timestamp' }]);
    },
  );

  test.each([-5.1, 5.1, -60 * 24 * 365])('401 Timestamp expired: %d minutes off', async (minutes) => {
    expect(await refused(minutesAway(minutes))).toEqual([401, { error: 'Timestamp expired' }]);
  });

  test.each([-4.9, 4.9])('a clock %d minutes off is accepted', async (minutes) => {
    const timestamp = minutesAway(minutes);
    const text = JSON.stringify(anything());
    const signed = { 'x-timestamp': timestamp, 'x-signature': sign(approvals.secret, timestamp, text) };
    expect((await approve(dev, text, { headers: signed })).status).toBe(500);
  });

  test('401 Invalid signature: wrong, upper-case or for another body, unknown key, inactive key', async () => {
    const invalid = [401, { error: 'Invalid signature' }];
    const timestamp = minutesAway(0);
    const text = JSON.stringify(anything());
    const right = sign(approvals.secret, timestamp, text);
    for (const signature of [
      '',
      'f'.repeat(64),
      right.toUpperCase(),
      sign(approvals.secret, timestamp, '{}'),
    ]) {
      const headers = { 'x-timestamp': timestamp, 'x-signature': signature };
      const { status, body } = await approve(dev, text, { headers });
      expect([status, body]).toEqual(invalid);
    }
    expect(await refused(timestamp, { key: 'nobody', secret: approvals.secret })).toEqual(invalid);
    expect(await refused(timestamp, { key: `${'k'.repeat(65)}\t'`, secret: 'x' })).toEqual(invalid);
    expect(await refused(timestamp, dev.apiKeys['inactive'])).toEqual(invalid);
  });

  test('401 Invalid timestamp: the present time without a zone; with any, it is accepted', async () => {
    const local = minutesAway(0).replace('Z', '');
    expect(await refused(local)).toEqual([401, { error: 'Invalid timestamp' }]);
    for (const timestamp of [`${local}+00:00`, `${local}+0000`, `${local.slice(0, 16)}Z`]) {
      const text = JSON.stringify(anything());
      const signed = { 'x-timestamp': timestamp, 'x-signature': sign(approvals.secret, timestamp, text) };
      expect([timestamp, (await approve(dev, text, { headers: signed })).status]).toEqual([timestamp, 500]);
    }
  });

  test.each(['text/plain', 'foo', ';', 'a/b/c'])('401 comes before 415 (%s) and 400', async (type) => {
    const headers = { 'x-signature': 'wrong', 'content-type': type };
    expect((await approve(dev, '{', { headers })).status).toBe(401);
  });

  test('an admin key may do what every other may', async () => {
    expect((await approve(dev, anything(), { key: 'admin' })).status).toBe(500);
  });
});
