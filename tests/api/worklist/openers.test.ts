import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordSync, reviveSyncAttempt, upsertSyncAttempt } from '../../../db/bridge/sync-attempts.js';
import { createSql, type Sql } from '../../../db/client.js';
import { completeRetry, recordFailedRetry } from '../../../db/intake/retry-queue.js';
import { recordLook } from '../../../db/organization/custom-domains.js';
import { insertOrphans, settleAdopted } from '../../../db/patients/orphans.js';
import type { WorkItemSchema } from '../../../db/work-items.js';
import type { WorkItemKind } from '../../../domain/work-items.js';
import { adminToken, atOnce, callAs, eventually, shared } from '../../helpers/client.js';
import { newIntake, postIntake } from '../intake/intakes.js';
import { ask, newTenant, root } from '../organization/tenants.js';

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 4 });
});
afterAll(() => sql.end());

/** A fact of a service: how it comes about, and how it heals by itself. */
interface Fact {
  schema: WorkItemSchema;
  kind: WorkItemKind;
  fact: string;
  /** The references that its item names. */
  names?: Record<string, string>;
  happens: () => Promise<unknown>;
  heals: () => Promise<unknown>;
}

const farOff = Date.now() + 24 * 3_600_000;

async function missedSync(): Promise<Fact> {
  const patientId = randomUUID();
  const { id } = await upsertSyncAttempt(sql, {
    idempotencyKey: randomUUID(),
    internalEventName: 'test.happened',
    targetResourceType: 'Patient',
    targetResourceId: randomUUID(),
    patientId,
  });
  await sql`update bridge.emr_sync_attempts set next_attempt_at = ${new Date(farOff)} where id = ${id}`;
  let series = 1;
  const record = (status: 'failed' | 'succeeded') =>
    recordSync(sql, {
      id,
      series,
      firstAttemptAt: Date.now(),
      responseStatus: 422,
      error: null,
      verdict: { status, nextAttemptAt: null },
    });
  const revive = async () => {
    await reviveSyncAttempt(sql, id);
    await sql`update bridge.emr_sync_attempts set next_attempt_at = ${new Date(farOff)} where id = ${id}`;
    series += 1;
  };
  return {
    schema: 'bridge',
    kind: 'emr_sync_failed',
    fact: id,
    names: { syncAttemptId: id, patientId },
    happens: () => record('failed'),
    heals: async () => {
      await revive();
      await record('succeeded');
    },
  };
}

async function unverifiedDomain(): Promise<Fact> {
  const { id: organizationId } = await newTenant();
  const hostname = `care-${randomUUID()}.example.test`;
  await ask(await root(), 'POST', `/v1/organizations/${organizationId}/custom-domains`, { hostname });
  const [domain] = await sql<{ id: string }[]>`
    select id from organization.custom_domain where hostname = ${hostname}
  `;
  const look = (
    from: 'pending_dns' | 'pending_tls',
    watch: { state: 'pending_dns' | 'pending_tls'; nextCheckAt: number | null },
  ) =>
    recordLook(sql, {
      domainId: domain!.id,
      from,
      reason: null,
      checkedAt: Date.now(),
      by: null,
      watch: { checks: 1, watchedSince: Date.now(), ...watch },
    });
  return {
    schema: 'organization',
    kind: 'domain_unverified',
    fact: domain!.id,
    happens: () => look('pending_dns', { state: 'pending_dns', nextCheckAt: null }),
    heals: () => look('pending_dns', { state: 'pending_tls', nextCheckAt: farOff }),
  };
}

async function orphan(): Promise<Fact> {
  const found = { emrPatientIds: [randomUUID()], mrn: 'M-1', organizationId: randomUUID(), reason: 'test' };
  const happens = () => sql.begin((sql) => insertOrphans(sql, found));
  await happens();
  const [row] = await sql<{ id: string }[]>`
    select id from patients.orphan_log where emr_patient_id = ${found.emrPatientIds[0]!}
  `;
  return {
    schema: 'patients',
    kind: 'orphan_patient',
    fact: row!.id,
    names: { orphanId: row!.id, patientId: found.emrPatientIds[0]! },
    happens,
    heals: () => sql.begin((sql) => settleAdopted(sql, found.emrPatientIds[0]!)),
  };
}

async function unplacedIntake(): Promise<Fact> {
  const { body } = await eventually(async () => {
    const answer = await postIntake(dev, await newIntake(dev));
    if (answer.status !== 200) return false;
    // One that a busy EMR keeps waiting has a retry of its own.
    const { submissionId } = answer.body;
    const waiting = await sql`select from intake.retry_queue where submission_id = ${submissionId}`;
    return waiting.length === 0 && answer;
  });
  const { submissionId } = body;
  // As if the EMR had been away when it was handed in.
  await sql`
    update intake.submission set status = 'pending_emr', emr_patient_id = null where id = ${submissionId}
  `;
  await sql`
    insert into intake.retry_queue (submission_id, last_error, next_retry_at)
    values (${submissionId}, 'EMR answered 503', ${new Date(farOff)})
  `;
  const failed = {
    submissionId,
    attempts: 10,
    error: 'EMR answered 503',
    verdict: { status: 'failed' },
  } as const;
  return {
    schema: 'intake',
    kind: 'intake_unplaced',
    fact: submissionId,
    names: { intakeId: submissionId },
    happens: () => recordFailedRetry(sql, failed),
    heals: () => completeRetry(sql, { submissionId, emrPatientId: randomUUID() }),
  };
}

const itemsOf = ({ schema, kind, fact }: Fact) => sql<
  { id: string; state: string; closedBy: string | null; refersTo: object }[]
>`
  select id, state, closed_by, refers_to from ${sql(`${schema}.work_item`)} where kind = ${kind} and fact = ${fact}
`;

test.each([
  ['a change that the EMR refuses', missedSync],
  ['a hostname that is not looked at any more', unverifiedDomain],
  ['a patient in the EMR of whom nobody knows', orphan],
  ['an intake whose patient could not be made', unplacedIntake],
])('%s is one item, however often it is reported, and closed by what heals it', async (_title, make) => {
  const fact = await make();
  await atOnce(3, fact.happens);
  await fact.happens();
  expect(await itemsOf(fact)).toMatchObject([{ state: 'open', closedBy: null }]);
  const [item] = await itemsOf(fact);
  if (fact.names) expect(item!.refersTo).toEqual(fact.names);
  // And so it stands in the list of all services.
  const read = async () =>
    callAs<{ workItem?: { state: string }; history: { action: string }[] }>(
      dev,
      'worklist',
      await adminToken(dev),
      {
        path: `/v1/work-items/${item!.id}`,
      },
    );
  await eventually(async () => (await read()).body.workItem?.state === 'open');
  await fact.heals();
  expect(await itemsOf(fact)).toMatchObject([{ id: item!.id, state: 'closed', closedBy: 'system' }]);
  const { body } = await eventually(async () => {
    const answer = await read();
    return answer.body.workItem?.state === 'closed' && answer;
  });
  expect(body.history.map(({ action }) => action)).toEqual(['opened', 'closed']);
});

test('a patient without a gender is an item, until the record in the EMR has one', async () => {
  const { body } = await eventually(async () => {
    const answer = await postIntake(dev, await newIntake(dev, { gender: undefined }));
    return answer.status === 200 && answer;
  });
  const item = await eventually(async () => {
    const [row] = await sql<{ id: string; reason: string; refersTo: Record<string, string> }[]>`
      select id, reason, refers_to from intake.work_item
      where kind = 'patient_incomplete' and fact = ${body.submissionId} and state = 'open'
    `;
    return row;
  });
  expect(item).toMatchObject({ reason: 'no_gender', refersTo: { intakeId: body.submissionId } });
  const token = await adminToken(dev);
  const path = `/v1/work-items/${item.id}`;
  await eventually(async () => (await callAs(dev, 'worklist', token, { path })).status === 200);
  const check = { method: 'POST', path: `${path}/answer`, body: { answer: 'check_again' } };
  expect((await callAs(dev, 'worklist', token, check)).status).toBe(409);

  const emr = `${dev.emr.baseUrl}/Patient/${item.refersTo['emrPatientId'] ?? ''}`;
  const headers = { authorization: `Bearer ${dev.emr.token}`, 'content-type': 'application/fhir+json' };
  const patient = (await (await fetch(emr, { headers })).json()) as object;
  const completed = await fetch(emr, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ ...patient, gender: 'female' }),
  });
  expect(completed.ok).toBe(true);
  const answered = await callAs<{ workItem: { state: string } }>(dev, 'worklist', token, check);
  expect([answered.status, answered.body.workItem.state]).toEqual([200, 'closed']);
});
