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

const ann = { firstName: 'Ann', lastName: 'Quobble', dob: '1984-03-12', gender: 'female' };

/** An erasure of Ann, whose archived intake says who she is. */
const erasureOfAnn = (contactEmail = `${randomUUID()}@example.test`) =>
  erasure({
    contactEmail,
    intake: { intakeType: 'glp-1', submittedAt: '2026-11-01T09:30:00.000Z', payload: ann },
  });

/** An order of another client, which knows no patient of the EMR. */
async function orderOf(patient: object, outcome: 'accepted' | null = 'accepted'): Promise<string> {
  const id = randomUUID();
  await db`
    insert into router.submission (
      id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
      request_payload, payload_hash, claim_id, outcome, status, pharmacy_order_id
    )
    values (
      ${id}, 'test', 'test', ${id}, 'http://127.0.0.1:9', 'NY', 'x', 'pharmacy_a', false,
      ${JSON.stringify({ patient })}, 'hash', ${id}, ${outcome}, ${outcome && 'submitted'}, ${outcome && id}
    )
  `;
  return id;
}

/** A person's note on the work item of an order. */
async function noteOn(submissionId: string): Promise<string> {
  const [row] = await db<{ position: string }[]>`
    with item as (
      insert into worklist.work_item (id, source, kind, reason, title, refers_to, answers, opened_at, due_at)
      values (
        ${randomUUID()}, 'router', 'callback_dead', 'test', 'Test', ${db.json({ submissionId })}, '{dismiss}', now(), now()
      )
      returning id
    )
    insert into worklist.history (item_id, actor, action, note) select id, 'root', 'noted', 'Called Ann' from item
    returning position
  `;
  return row!.position;
}

test("people's notes about another client's order go with the order", async () => {
  const { erasureId, email } = await erasureOfAnn();
  const [hers, others] = [
    await noteOn(await orderOf({ ...ann, email })),
    await noteOn(await orderOf({ ...ann, email: `jo${email}` })),
  ];
  await running(activities.eraseInRouter, { erasureId });
  expect(
    await db`select note from worklist.history where position in (${hers}, ${others}) order by position`,
  ).toEqual([{ note: 'erased' }, { note: 'Called Ann' }]);
});
