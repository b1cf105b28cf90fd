import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createErasureActivities } from '../../../activities/retention/retention.js';
import { closeParts, contextOf, db, running } from '../real-parts.js';
import { erasure } from './twice.js';

const activities = createErasureActivities(contextOf('retention'));
afterAll(closeParts);

const erasedBody = '{"erased":true}';

describe('an address in a webhook', () => {
  const contactEmail = `ann.${randomUUID()}@example.test`;
  const hers = [
    `{"email":"${contactEmail.toUpperCase()}"}`,
    `{"text":"\\n${contactEmail}\\t"}`,
    `{"text":"Her address is ${contactEmail}."}`,
    `{"text":"Ann \\u003c${contactEmail}\\u003e"}`,
    contactEmail,
  ];
  const others = [
    `{"email":"jo${contactEmail}"}`,
    `{"email":"jo.${contactEmail}"}`,
    `{"email":"jo-${contactEmail}"}`,
    `{"email":"${contactEmail}.test"}`,
    `{"email":"${contactEmail}ing"}`,
    `{"email":"${contactEmail.replaceAll('.', 'x')}"}`,
  ];

  test('of the EMR is hers only as a whole', async () => {
    const { erasureId } = await erasure({ contactEmail });
    const rows = [...hers, ...others].map((body) => ({ id: randomUUID(), rawBody: Buffer.from(body) }));
    await db`insert into bridge.emr_webhook_events ${db(rows)}`;
    await running(activities.eraseInBridge, { erasureId });
    const stored = await db<{ id: string; rawBody: Buffer }[]>`
      select id, raw_body from bridge.emr_webhook_events where id = any(${rows.map(({ id }) => id)})
    `;
    const bodies = rows.map(({ id }) => stored.find((row) => row.id === id)!.rawBody.toString());
    expect(bodies).toEqual([...hers.map(() => erasedBody), ...others]);
  });

  test('of a pharmacy is hers only as a whole', async () => {
    const { erasureId } = await erasure({ contactEmail: `joint.${contactEmail}` });
    const body = `{"email":"joint.${contactEmail}"}`;
    const longer = `{"email":"in.joint.${contactEmail}"}`;
    await db`
      insert into router.webhook_log ${db(
        [body, longer].map((body) => ({ webhook: 'pharmacy_a', accepted: false, status: 404, body })),
      )}
    `;
    await running(activities.eraseInRouter, { erasureId });
    expect(await db`select body from router.webhook_log where body in (${body}, ${longer})`).toEqual([
      { body: longer },
    ]);
  });
});
