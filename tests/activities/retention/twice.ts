import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { requestErasure } from '../../../db/patients/erasures.js';
import { archivePatient } from '../../../db/patients/directory.js';
import type { AgeActivities, ErasureActivities } from '../../../activities/retention/retention.js';
import { newDirectoryPatient } from '../../api/patients/directory.js';
import { db, dev } from '../real-parts.js';
import type { Entries, Entry } from '../twice.js';

export const ann = { firstName: 'Ann', lastName: 'Quobble', dob: '1984-03-12', gender: 'female' };

/**
 * An erasure of Ann, as her archived intake says. It was asked for without a run, and in an hour: the shared system's own
 * sweep does not look at it.
 */
export async function erasure({
  payload = ann,
  laterEmail,
  ...replaced
}: { payload?: object; contactEmail?: string; laterEmail?: string } = {}) {
  const intake = { intakeType: 'glp-1', submittedAt: '2026-11-01T09:30:00.000Z', payload };
  const { patient, body, ask } = await newDirectoryPatient(dev, { intake, ...replaced });
  if (laterEmail !== undefined) await ask('PATCH', `/patients/${patient.id}`, { email_lower: laterEmail });
  await archivePatient(db, 'all', patient.id);
  const asked = await requestErasure(db, { patientId: patient.id, requestedBy: 'admin' });
  if (asked === undefined || asked === 'active') throw new Error('The erasure was not asked for');
  await db`update patients.erasure set requested_at = now() + interval '1 hour' where id = ${asked.id}`;
  return { erasureId: asked.id, patient, email: body.contactEmail.toLowerCase() };
}

/** An order of another client, which knows no patient of the EMR. */
export async function orderOf(patient: object, outcome: 'accepted' | null = 'accepted'): Promise<string> {
  const id = randomUUID();
  await db`
    insert into router.submission (
      id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
      request_payload, payload_hash, claim_id, outcome, status, pharmacy_order_id
    )
    values (
      ${id}, 'test', 'test', ${id}, 'http://127.0.0.1:9', 'NY', 'x', 'pharmacy_a', false,
      ${JSON.stringify({ patient })}, 'hash', ${id}, ${outcome}, 'submitted', ${outcome && id}
    )
  `;
  return id;
}

/** An intake, in which the month of the birth date comes first. */
export async function intakeOf(
  { dob, ...person }: typeof ann & { email: string },
  emrPatientId: string | null = randomUUID(),
): Promise<string> {
  const id = randomUUID();
  const { firstName, lastName, email } = person;
  const body = JSON.stringify({ ...person, dob: dob.replace(/^(....)-(.*)$/, '$2-$1') });
  await db`
    insert into intake.submission (
      id, first_name, last_name, email, phone, intake_type, emr_patient_id, status, body, data, body_hash, plan,
      plan_amount_cents
    )
    values (
      ${id}, ${firstName}, ${lastName}, ${email}, '1', 'glp-1', ${emrPatientId},
      ${emrPatientId === null ? 'pending_emr' : 'submitted'}, ${body}, ${body}::text::json, 'hash', 'monthly', 1
    )
  `;
  return id;
}

const counts = { erased: expect.any(Number), waiting: expect.any(Number) };
/** A repeat finds nothing left, and counts that. */
const answering = { answers: counts, thenAnswers: counts };

const activities: Entries<AgeActivities & ErasureActivities> = {
  applyAge: async () => {
    const id = randomUUID();
    await db`
      insert into orchestrator.downstream_call (id, type, resource, method, success, duration_ms, created_at)
      values (${id}, 'test', 'test', 'GET', true, 1, now() - interval '401 days')
    `;
    return {
      input: { rule: 'downstreamCalls' as const },
      answers: { count: expect.any(Number), isDone: true },
      thenAnswers: { count: expect.any(Number), isDone: true },
      seen: () => db`select id from orchestrator.downstream_call where id = ${id}`,
      once: [],
    };
  },
  openErasure: async () => {
    const { erasureId, patient, email } = await erasure();
    const emrPatientId = randomUUID();
    await intakeOf({ ...ann, email }, emrPatientId);
    const known = [patient.emr_patient_id, emrPatientId].sort();
    return {
      input: { erasureId },
      seen: async () => {
        const [row] = await db<{ emrPatientIds: string[] }[]>`
          select emr_patient_ids from patients.erasure where id = ${erasureId}
        `;
        return row?.emrPatientIds.sort();
      },
      once: known,
    };
  },
  eraseInNotification: async () => {
    const { erasureId, email } = await erasure();
    const id = randomUUID();
    await db`
      insert into notification.delivery (
        id, client_id, body_hash, notification_type, recipient_email, recipient_phone, asked_channels
      )
      values (${id}, 'test', 'hash', 'otp', ${email}, '+12025550101', '{email}')
    `;
    return {
      input: { erasureId },
      ...answering,
      seen: () => db`select recipient_email, recipient_phone from notification.delivery where id = ${id}`,
      once: [{ recipientEmail: null, recipientPhone: null }],
    };
  },
  eraseInRouter: async () => {
    const { erasureId, email } = await erasure();
    const id = await orderOf({ ...ann, email: email.toUpperCase() });
    return {
      input: { erasureId },
      ...answering,
      seen: () => db`select request_payload from router.submission where id = ${id}`,
      once: [{ requestPayload: '{"erased":true}' }],
    };
  },
  eraseInBridge: async () => {
    const { erasureId, patient } = await erasure();
    const body = Buffer.from(`\0{"subject": {"reference": "Patient\\/${patient.emr_patient_id}"}}`);
    const [row] = await db<{ id: string }[]>`
      insert into bridge.emr_webhook_events (raw_body) values (${body}) returning id
    `;
    return {
      input: { erasureId },
      ...answering,
      seen: () =>
        db`select raw_body, erased_at is not null as erased from bridge.emr_webhook_events where id = ${row!.id}`,
      once: [{ rawBody: Buffer.from('{"erased":true}'), erased: true }],
    };
  },
  eraseInOrchestrator: async () => {
    const { erasureId, patient } = await erasure();
    const id = randomUUID();
    const result = {
      success: true,
      completedSteps: [],
      warnings: [],
      medication: 'x',
      patientName: 'Ada',
      state: 'NY',
    };
    await db`
      insert into orchestrator.run (id, task_id, workflow_id, medication, emr_patient_id, status, result)
      values (${id}, ${id}, ${id}, 'x', ${patient.emr_patient_id}, 'completed', ${db.json(result)})
    `;
    return {
      input: { erasureId },
      ...answering,
      seen: () => db`select result from orchestrator.run where id = ${id}`,
      once: [{ result: { ...result, patientName: 'erased' } }],
    };
  },
  eraseInIntake: async () => {
    const { erasureId, email } = await erasure();
    const id = await intakeOf({ ...ann, email });
    return {
      input: { erasureId },
      ...answering,
      seen: () =>
        db`select first_name, last_name, email, phone, body, data, plan_amount_cents from intake.submission where id = ${id}`,
      once: [
        {
          firstName: 'erased',
          lastName: 'erased',
          email: 'erased',
          phone: null,
          body: '{"erased":true}',
          data: { erased: true },
          planAmountCents: 1,
        },
      ],
    };
  },
  eraseInPatients: async () => {
    const { erasureId, patient } = await erasure();
    return {
      input: { erasureId },
      ...answering,
      seen: () =>
        db`
          select payload, payload_hash <> encode(sha256(payload), 'hex') as keeps_hash, source_ip, user_agent
          from patients.intake_snapshots
          where patient_id = ${patient.id}
        `,
      once: [
        { payload: Buffer.from('{"erased":true}'), keepsHash: true, sourceIp: 'erased', userAgent: null },
      ],
    };
  },
  closeErasure: async () => {
    const { erasureId, patient } = await erasure();
    return {
      input: { erasureId },
      answers: false,
      seen: () =>
        db`
          select state, email_lower, completed_at = completed_at as is_timed
          from patients.erasure
          join patients.patient_directory as patient on patient.id = patient_id
          where patient.id = ${patient.id}
        `,
      once: [{ state: 'completed', emailLower: null, isTimed: true }],
    };
  },
};

export const retention: Record<string, Entry> = activities;
