import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { claimSubmission, type ClaimRequest } from '../../../../db/router/submission-claims.js';
import { keepPayload } from '../../../../db/router/submissions.js';
import type { DevJson } from '../../../../dev/dev-json.js';
import type { PrescriptionSubmission } from '../../../../domain/router/submission.js';
import { jsonHash, uuidV5 } from '../../../../platform/crypto/ids.js';
import { isRunning } from '../../../../starts/runs.js';
import { withKey } from '../../../cli/rx.js';
import { atOnce, call, eventually, shared } from '../../../helpers/client.js';
import { inState, named } from '../../../helpers/prescription.js';
import { openTemporal, type TemporalView } from '../../../helpers/temporal-view.js';
import { ordersUnder } from '../../orchestrator/approvals.js';

interface Answer {
  submissionId: string;
  pharmacy: string;
  status: string;
  pharmacyOrderId: string | null;
  error: string;
}

let dev: DevJson;
let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  dev = await withKey(shared(), 'durable', '--scopes', 'router', '--durable');
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  temporal = await openTemporal(dev);
});
afterAll(async () => {
  await temporal.close();
  await sql.end();
});

const submit = (body: PrescriptionSubmission, key = 'durable') =>
  call<Answer>(dev, 'router', { key, method: 'POST', path: '/rx/prescriptions/submit', body });
const idOf = ({ source, sourceOrderId }: PrescriptionSubmission) =>
  uuidV5('submission', dev.apiKeys['durable']!.key, source, sourceOrderId);
/** True if a submission has, or had, a run. */
const hasRun = async (submissionId: string) =>
  (await temporal.statusOf(`submission:${submissionId}`)) !== undefined;
const kindsOf = (submissionId: string) =>
  sql`select kind from router.callback where submission_id = ${submissionId}`;

/** A claim whose process has ended before it asked the pharmacy, or before it heard the answer. */
async function abandoned(submission: PrescriptionSubmission): Promise<ClaimRequest> {
  const body = JSON.stringify(submission);
  const claim: ClaimRequest = {
    submissionId: idOf(submission),
    claimId: randomUUID(),
    apiKeyId: dev.apiKeys['durable']!.key,
    source: submission.source,
    sourceOrderId: submission.sourceOrderId,
    callbackUrl: submission.callbackUrl,
    patientState: 'WA',
    medicationName: submission.medication.name,
    preferredPharmacy: null,
    isTest: false,
    payloadHash: jsonHash(JSON.parse(body)),
  };
  await keepPayload(sql, claim, body);
  await claimSubmission(sql, claim, 'service');
  return claim;
}

describe('a submission of a durable caller (D113)', () => {
  test('is placed, recorded and told of without a run; a repeat gives the recorded answer', async () => {
    const submission = inState('WA');
    const first = await submit(submission);
    const { submissionId, pharmacyOrderId } = first.body;
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(first.body).toEqual({
      submissionId: idOf(submission),
      pharmacy: 'pharmacy_a',
      status: 'submitted',
      pharmacyOrderId: expect.any(String),
    });
    expect(await ordersUnder(dev, submissionId)).toMatchObject([
      { orderId: pharmacyOrderId, idempotencyKey: `${submissionId}-1` },
    ]);
    expect(await kindsOf(submissionId)).toEqual([{ kind: 'initial' }]);
    expect(await sql`select 1 from router.received_payload where submission_id = ${submissionId}`).toEqual(
      [],
    );
    const read = await call(dev, 'router', { key: 'durable', path: `/rx/prescriptions/${submissionId}` });
    expect(read.body).toMatchObject({ status: 'submitted', pharmacyOrderId });

    const again = await submit(submission);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect(await hasRun(submissionId)).toBe(false);
  });

  test('many times at once is one order and one answer', async () => {
    const submission = inState('WA');
    const answers = await atOnce(8, () => submit(submission));
    const told = answers.map(({ status, body }) => ({ status, body }));
    expect(told).toEqual(told.map(() => ({ status: 201, body: told[0]?.body })));
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await ordersUnder(dev, idOf(submission))).toHaveLength(1);
  });

  test.each([
    ['no state that is served', inState('ZZ')],
    ['nothing that the pharmacy carries', { ...named('unheard-of'), shipTo: inState('TX').shipTo }],
  ])('with %s is refused in the words of a run, and has none', async (_name, submission) => {
    const byRun = await submit(submission, 'clinic');
    const here = await submit(submission);
    expect(here.status).toBeGreaterThan(400);
    expect(here.status).toBe(byRun.status);
    const words = ({ body: { submissionId: _id, ...rest } }: { body: Answer }) => rest;
    expect(words(here)).toEqual(words(byRun));
    expect(here.headers.get('x-order-outcome')).toBe(byRun.headers.get('x-order-outcome'));
    expect(await hasRun(idOf(submission))).toBe(false);
  });

  test('with another payload under a reference in use is 409', async () => {
    const submission = inState('WA');
    await submit(submission);
    expect(await submit({ ...submission, test: true })).toMatchObject({
      status: 409,
      body: { error: 'sourceOrderId already used with a different payload' },
    });
  });

  test('of any other client starts a run', async () => {
    const { status, body } = await submit(inState('WA'), 'clinic');
    expect([status, await hasRun(body.submissionId)]).toEqual([201, true]);
  });
});

describe('a first try whose process has ended', () => {
  test('is taken over by a repeat at once, under the same key', async () => {
    const submission = inState('WA');
    const { submissionId } = await abandoned(submission);
    const { status, body } = await submit(submission);
    expect([status, await hasRun(submissionId)]).toEqual([201, true]);
    expect(await ordersUnder(dev, submissionId)).toMatchObject([
      { orderId: body.pharmacyOrderId, idempotencyKey: `${submissionId}-1` },
    ]);
    expect(await kindsOf(submissionId)).toEqual([{ kind: 'initial' }]);
  });

  test('keeps its reference from another payload, since its order may exist', async () => {
    const submission = inState('WA');
    await abandoned(submission);
    const { status, headers, body } = await submit({ ...submission, test: true });
    expect([status, body.error]).toEqual([409, 'Outcome of the first submission is unknown']);
    expect(headers.get('x-order-outcome')).toBe('unknown');
    expect(headers.get('error-code')).toBe('conflict');
  });

  test('is taken over by a sweep when nobody asks again', async () => {
    const { submissionId } = await abandoned(inState('WA'));
    const outcome = await eventually(async () => {
      const [row] = await sql`select outcome, without_run from router.submission where id = ${submissionId}`;
      return row?.['outcome'] !== null && row;
    });
    expect(outcome).toEqual({ outcome: 'accepted', withoutRun: false });
    expect(await ordersUnder(dev, submissionId)).toHaveLength(1);
    expect(await hasRun(submissionId)).toBe(true);
  });

  test('is closed as any other when the run that took it over was ended from outside', async () => {
    const claim = await abandoned(inState('WA'));
    await claimSubmission(sql, { ...claim, takesOver: claim.claimId }, 'run');
    expect(await isRunning(temporal.client, `submission:${claim.submissionId}`)).toBe(false);
    const row = await eventually(async () => {
      const [row] = await sql`
        select outcome, error_message from router.submission where id = ${claim.submissionId}
      `;
      return row?.['outcome'] !== null && row;
    });
    expect(row).toEqual({ outcome: 'unanswered', errorMessage: 'Terminated by an operator' });
  });

  test('that had been accepted after all gives that order to the request that takes it over', async () => {
    const submission = inState('WA');
    const claim = await abandoned(submission);
    await sql`
      update router.submission set outcome = 'accepted', status = 'submitted', pharmacy_order_id = 'a-1'
      where id = ${claim.submissionId}
    `;
    const repeat = { ...claim, claimId: randomUUID(), takesOver: claim.claimId };
    await keepPayload(sql, repeat, JSON.stringify(submission));
    const claimed = await claimSubmission(sql, repeat, 'run');
    expect(claimed).toMatchObject({ recorded: { pharmacyOrderId: 'a-1' } });
    expect(await sql`select 1 from router.received_payload where claim_id = ${repeat.claimId}`).toEqual([]);
  });
});
