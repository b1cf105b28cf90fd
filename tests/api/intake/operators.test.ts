import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { adminToken, type Answer, callAs, eventually, shared } from '../../helpers/client.js';
import { handedIn, newIntake, postIntake } from './intakes.js';
import { rx } from '../../cli/rx.js';

const dev = shared();
interface Body {
  error?: string;
  retry?: Retry;
  retries?: Retry[];
  nextCursor?: string | null;
  submission?: { id: string; status: string };
}
interface Retry {
  id: string;
  submission_id: string;
  status: string;
  attempts: number;
  last_error: string | null;
}

let sql: Sql;
let root: string;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  root = await adminToken(dev);
});
afterAll(() => sql.end());

const ask = (path: string, token: string | undefined = root, method = 'GET'): Promise<Answer<Body>> =>
  callAs<Body>(dev, 'intake', token, { method, path });
const reset = (id: string, token = root) => ask(`/admin/intake-retries/${id}/reset`, token, 'POST');

/** A submission whose patient the EMR has not made, as three failures leave it behind. */
async function parkedIntake(): Promise<{ retryId: string; submissionId: string; email: string }> {
  const intake = await newIntake(dev);
  const { submissionId } = await handedIn(dev, intake);
  const retryId = randomUUID();
  await sql.begin(async (sql) => {
    await sql`
      update intake.submission set status = 'pending_emr', emr_patient_id = null where id = ${submissionId}
    `;
    // On a busy machine it may have failed by itself.
    await sql`delete from intake.retry_queue where submission_id = ${submissionId}`;
    await sql`
      insert into intake.retry_queue (id, submission_id, attempts, last_error, status)
      values (${retryId}, ${submissionId}, 3, 'EMR answered 503', 'failed')
    `;
  });
  return { retryId, submissionId, email: intake.email };
}

const submissionStatus = async (id: string) =>
  (await ask(`/admin/intake-submissions/${id}`)).body.submission?.status;

const routes = [
  ['GET', `/admin/intake-submissions/${randomUUID()}`],
  ['GET', '/admin/intake-retries'],
  ['POST', `/admin/intake-retries/${randomUUID()}/reset`],
] as const;

describe('every operators’ endpoint answers', () => {
  test.each(routes)('401 without a token, or with one that is none: %s %s', async (method, path) => {
    const unauthorized = { status: 401, body: { error: 'Unauthorized' } };
    expect(await callAs(dev, 'intake', undefined, { method, path })).toMatchObject(unauthorized);
    expect(await ask(path, 'a.b.c', method)).toMatchObject(unauthorized);
  });

  test.each(routes)('401 for a token older than a revocation: %s %s', async (method, path) => {
    const sub = randomUUID();
    await sql`insert into intake.admin_session (admin_id, ver) values (${sub}, 2)`;
    const old = await adminToken(dev, { sub, isSuperadmin: true, ver: 1 });
    expect(await ask(path, old, method)).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
  });

  test.each(routes)('403 for an admin who is no superadmin: %s %s', async (method, path) => {
    const memberships = [{ orgId: randomUUID(), role: 'org_admin' as const }];
    const admin = await adminToken(dev, { sub: randomUUID(), memberships });
    expect(await ask(path, admin, method)).toMatchObject({ status: 403, body: { error: 'Forbidden' } });
  });
});

describe('GET /admin/intake-submissions/:id answers', () => {
  test('200 with the submission', async () => {
    const { submissionId } = (await postIntake(dev, await newIntake(dev))).body;
    expect(await ask(`/admin/intake-submissions/${submissionId}`)).toMatchObject({
      status: 200,
      body: { submission: { id: submissionId, status: 'submitted' } },
    });
  });

  test.each([randomUUID(), 'none', '%20'])('404 `Submission not found` for %s', async (id) => {
    expect(await ask(`/admin/intake-submissions/${id}`)).toMatchObject({
      status: 404,
      body: { error: 'Submission not found' },
    });
  });
});

describe('GET /admin/intake-retries answers', () => {
  test('200 with the entries of a status, newest first, page by page', async () => {
    const parked = [await parkedIntake(), await parkedIntake(), await parkedIntake()].reverse();
    const seen: Retry[] = [];
    for (let cursor: string | null | undefined = ''; typeof cursor === 'string';) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { status, body } = await ask(`/admin/intake-retries?status=failed&limit=2${next}`);
      expect(status).toBe(200);
      seen.push(...(body.retries ?? []));
      cursor = body.nextCursor;
    }
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(['failed']));
    const own = seen.filter(({ id }) => parked.some(({ retryId }) => retryId === id));
    expect(own.map(({ id }) => id)).toEqual(parked.map(({ retryId }) => retryId));
    expect(own[0]).toEqual({
      id: parked[0]?.retryId,
      submission_id: parked[0]?.submissionId,
      action: 'create_patient',
      attempts: 3,
      last_error: 'EMR answered 503',
      status: 'failed',
      created_at: expect.any(String),
      next_retry_at: null,
    });
  });

  test.each(['status=open', 'limit=0', 'limit=201', 'cursor=none'])('400 for %s', async (query) => {
    expect(await ask(`/admin/intake-retries?${query}`)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: { formErrors: [] } },
    });
  });
});

describe('POST /admin/intake-retries/:id/reset answers', () => {
  test('200 with the entry pending again, and the patient is there soon', async () => {
    const { retryId, submissionId } = await parkedIntake();
    expect(await reset(retryId)).toMatchObject({
      status: 200,
      body: { retry: { id: retryId, submission_id: submissionId, status: 'pending', attempts: 0 } },
    });
    await eventually(async () => (await submissionStatus(submissionId)) === 'submitted');
  });

  test('409 unless it has failed, also to the second of two at once', async () => {
    const { retryId, submissionId } = await parkedIntake();
    const answers = await Promise.all([reset(retryId), reset(retryId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await eventually(async () => (await submissionStatus(submissionId)) === 'submitted');
    expect(await reset(retryId)).toMatchObject({ status: 409, body: { error: 'Retry is completed' } });
  });

  test.each([randomUUID(), 'none'])('404 `Retry not found` for %s', async (id) => {
    expect(await reset(id)).toMatchObject({ status: 404, body: { error: 'Retry not found' } });
  });

  test('404 for the retry of an erased intake, which has nothing to create a patient from', async () => {
    const { submissionId, retryId } = await parkedIntake();
    await sql`update intake.submission set body = '{"erased":true}' where id = ${submissionId}`;
    expect(await reset(retryId)).toMatchObject({ status: 404, body: { error: 'Retry not found' } });
  });
});

describe('rx', () => {
  test('lists retries, resets one, and shows the submission', async () => {
    const { retryId, submissionId, email } = await parkedIntake();
    const listed = await rx('intake-retries', 'list', '--status', 'failed', '--json');
    expect(listed.exitCode).toBe(0);
    expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ id: retryId, attempts: 3 }));
    expect((await rx('intake-retries', 'list')).stdout).toContain(submissionId);
    const again = await rx('intake-retries', 'reset', retryId);
    expect(again.stdout).toContain(`${retryId} is pending`);
    await eventually(async () => (await submissionStatus(submissionId)) === 'submitted');
    const shown = await rx('intake-submissions', 'show', submissionId);
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: submissionId, email, status: 'submitted' });
    const twice = await rx('intake-retries', 'reset', retryId);
    expect([twice.exitCode, twice.stderr]).toEqual([1, expect.stringContaining('Retry is completed (409)')]);
  });
});
