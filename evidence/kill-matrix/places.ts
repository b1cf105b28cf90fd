import type { Queryable } from '../../db/client.js';
import { noticeKey } from '../../domain/orchestrator/notices.js';
import { uuidV5 } from '../../platform/crypto/ids.js';
import { mailboxOf } from '../../tests/helpers/client.js';
import {
  callsTo,
  chargesOf,
  endedRun,
  ordersOf,
  runsOf,
  shipmentsOf,
} from '../../tests/api/orchestrator/approvals.js';
import { type Approval, held, type Hold, locked, type Scene } from './scene.js';

export const steps = ['1', '2', '3', '4', '5', '6', '7', 'end'] as const;
export type Step = (typeof steps)[number];
/** `done`: after the effect and before its report. */
export const moments = ['before', 'during', 'done', 'reported'] as const;
export type Moment = (typeof moments)[number];

/** Where the test holds an approval for a kill, and how it detects that. */
export interface Place {
  /** For the reader of the table. */
  where: string;
  /**
   * Approvals of one stage start once those of earlier stages stand still, because a hold of this stage would catch
   * the others too.
   */
  stage: number;
  /** The process that waits there. */
  by: 'api' | 'workers';
  state?: string;
  /** Taken before the approval starts. */
  hold?: (scene: Scene, approval: Approval) => Promise<Hold>;
  /** An additional condition: the state of the run's record or history. */
  also?: (scene: Scene, approval: Approval) => Promise<boolean>;
  /** For `done` only: keeps us from recording the effect. Taken while the approval is held. */
  grip?: (scene: Scene, approval: Approval) => Promise<Hold>;
  /** For `done` only: true once the effect exists. */
  isDone?: (scene: Scene, approval: Approval) => Promise<boolean>;
}

type Held = NonNullable<Place['hold']>;
const row =
  (insert: (sql: Queryable, approval: Approval) => Promise<unknown>): Held =>
  (scene, approval) =>
    locked(scene, (sql) => insert(sql, approval));
const table =
  (name: string, mode: 'access exclusive' | 'share'): Held =>
  (scene) =>
    locked(scene, (sql) => sql.unsafe(`lock table ${name} in ${mode} mode`));

// Rows that a step would insert: its insert waits until the test rolls back.
const task = row(
  (sql, { taskId }) => sql`
    insert into orchestrator.task (task_id, kind, state, details_hash, run_id)
    values (${taskId}, 'approve', 'running', '', gen_random_uuid())
  `,
);
const submission = row(
  (sql, { submissionId, taskId }) => sql`
    insert into router.submission (
      id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
      request_payload, payload_hash, claim_id, status
    )
    values (${submissionId}, '', '', ${taskId}, '', '', '', 'pharmacy_a', true, '', '', gen_random_uuid(), 'processing')
  `,
);
const payment = row(
  (sql, { taskId }) => sql`
    insert into orchestrator.payment (task_id, emr_patient_id, amount_cents, status)
    values (${taskId}, '', 0, 'pending')
  `,
);
const shipment = row(
  (sql, { submissionId, taskId }) => sql`
    insert into orchestrator.shipment (submission_id, task_id, pharmacy, state)
    values (${submissionId}, ${taskId}, '', 'label_created')
  `,
);
const delivery: Held = (scene, { submissionId }) => {
  const client = scene.dev.apiKeys['orchestrator']!.key;
  const id = uuidV5('notification', client, noticeKey('prescription_approved', submissionId));
  return locked(
    scene,
    (sql) => sql`
      insert into notification.delivery (id, client_id, body_hash, notification_type, asked_channels)
      values (${id}, '', '', '', '{}')
    `,
  );
};
const schedule = row(
  (sql, { taskId }) => sql`
    insert into orchestrator.refill_schedule
      (emr_patient_id, medication, total_refills_allowed, last_fill_date, next_fill_date, created_by_task)
    values ('', '', 0, now(), now(), ${taskId})
  `,
);
const medications = table('orchestrator.medication_config', 'access exclusive');
const physicians = table('registry.physician', 'access exclusive');
const signatures = table('orchestrator.prescriber_signature', 'share');
const shipments = table('orchestrator.shipment', 'access exclusive');

// Calls to external services.
const emr: Held = (scene, { patient }) => held(scene, { target: 'emr', operation: 'read' }, patient.id);
const pharmacy: Held = (scene, { submissionId }) =>
  held(scene, { target: 'pharmacy_a', operation: 'order' }, submissionId);
const processor: Held = (scene, { taskId }) =>
  held(scene, { target: 'stripe', operation: 'paymentIntents.create' }, taskId);
const shipping: Held = (scene, { submissionId }) =>
  held(scene, { target: 'shipping', operation: 'create' }, submissionId);
const mail: Held = (scene, { patient }) => held(scene, { target: 'smtp' }, patient.email);

/** True once the history has everything before this activity, which waits for an answer. */
const waitsFor =
  (activity: string): NonNullable<Place['also']> =>
  async ({ temporal }, { taskId }) => {
    const { raw } = await temporal.client.workflow.getHandle(`approval:${taskId}`).describe();
    return raw.pendingActivities?.some(({ activityType }) => activityType?.name === activity) ?? false;
  };
const shows =
  (completed: number): NonNullable<Place['also']> =>
  async ({ dev }, { taskId }) => {
    const [run] = await runsOf(dev, taskId);
    return run?.completedSteps.length === completed;
  };

/** The place of each cell; a text is the reason why there is none. */
export const places: Record<Step, Record<Moment, Place | string>> = {
  '1': {
    before: { where: 'reads the medication', stage: 4, by: 'workers', hold: medications },
    during: { where: 'writes the claim', stage: 1, by: 'workers', hold: task },
    done: {
      where: 'the claim is committed',
      stage: 1,
      by: 'workers',
      hold: task,
      isDone: async ({ sql }, { taskId }) =>
        (await sql`select from orchestrator.task where task_id = ${taskId}`).length > 0,
    },
    reported: {
      where: 'schedules the activity of step 2',
      stage: 2,
      by: 'workers',
      hold: emr,
      also: waitsFor('fetchPatient'),
    },
  },
  '2': {
    before: 'step 2 calls the EMR right after step 1, without another write',
    during: { where: 'calls the EMR', stage: 2, by: 'workers', hold: emr },
    done: {
      where: 'the EMR has answered',
      stage: 2,
      by: 'workers',
      hold: emr,
      isDone: async ({ dev }, { patient }) =>
        (await callsTo(dev, 'emr')).some(
          ({ operation, path, status }) =>
            operation === 'read' && path.endsWith(patient.id) && status === 200,
        ),
    },
    reported: {
      where: 'schedules the activity of step 4',
      stage: 1,
      by: 'api',
      hold: submission,
      also: waitsFor('submitToPharmacy'),
    },
  },
  '3': {
    before: { where: 'calls the registry', stage: 3, by: 'api', hold: physicians },
    during: { where: 'stores the signature', stage: 3, by: 'workers', hold: signatures },
    done: {
      where: 'the signature is stored',
      stage: 3,
      by: 'workers',
      hold: signatures,
      isDone: async ({ sql }) => (await sql`select from orchestrator.prescriber_signature`).length > 0,
    },
    reported: {
      where: 'schedules the activity of step 4',
      stage: 1,
      by: 'api',
      hold: submission,
      also: waitsFor('submitToPharmacy'),
    },
  },
  '4': {
    before: { where: 'the router claims the order', stage: 1, by: 'api', hold: submission },
    during: { where: 'calls the pharmacy', stage: 1, by: 'api', hold: pharmacy },
    done: {
      where: 'ordered, the router records it',
      stage: 1,
      by: 'api',
      hold: pharmacy,
      grip: row(
        (sql, { submissionId }) =>
          sql`select from router.submission where id = ${submissionId} for no key update`,
      ),
      isDone: async ({ dev }, { taskId }) => (await ordersOf(dev, taskId)).length > 0,
    },
    reported: { where: 'step 5 fixes the amount', stage: 1, by: 'workers', hold: payment, also: shows(4) },
  },
  '5': {
    before: { where: 'fixes the amount', stage: 1, by: 'workers', hold: payment },
    during: { where: 'calls the processor', stage: 2, by: 'workers', hold: processor },
    done: {
      where: 'charged, the result is recorded',
      stage: 2,
      by: 'workers',
      hold: processor,
      grip: row(
        (sql, { taskId }) =>
          sql`select from orchestrator.payment where task_id = ${taskId} for no key update`,
      ),
      isDone: async ({ dev }, { taskId }) => (await chargesOf(dev, taskId)).length > 0,
    },
    reported: {
      // If the pharmacy ships by itself, step 6 makes no external call.
      where: 'step 6 opens the shipment',
      stage: 1,
      by: 'workers',
      state: 'WA',
      hold: shipment,
      also: waitsFor('shipOrder'),
    },
  },
  '6': {
    before: { where: 'looks for the label', stage: 2, by: 'workers', hold: shipments },
    during: { where: 'requests the label', stage: 2, by: 'workers', hold: shipping },
    done: {
      where: 'label made, the shipment is recorded',
      stage: 2,
      by: 'workers',
      hold: shipping,
      grip: shipment,
      isDone: async ({ dev }, { taskId }) => (await shipmentsOf(dev, taskId)).length > 0,
    },
    reported: {
      where: 'schedules the activity of step 7',
      stage: 1,
      by: 'api',
      hold: delivery,
      also: waitsFor('notifyPatient'),
    },
  },
  '7': {
    before: { where: 'opens the log entry', stage: 1, by: 'api', hold: delivery },
    during: { where: 'sends the e-mail', stage: 2, by: 'api', hold: mail },
    done: {
      where: 'the e-mail is sent',
      stage: 2,
      by: 'api',
      hold: mail,
      isDone: async ({ dev }, { patient }) => (await mailboxOf(dev, patient.email)).length > 0,
    },
    reported: {
      where: 'schedules the activity of the end',
      stage: 1,
      by: 'workers',
      hold: schedule,
      also: waitsFor('recordOutcome'),
    },
  },
  end: {
    before: 'the end is one transaction right after step 7',
    during: { where: 'writes the end', stage: 1, by: 'workers', hold: schedule },
    done: {
      where: 'the end is on record',
      stage: 1,
      by: 'workers',
      hold: schedule,
      isDone: async ({ dev }, { taskId }) => (await endedRun(dev, taskId)) !== undefined,
    },
    reported: {
      where: 'the run has ended',
      stage: 1,
      by: 'workers',
      also: async ({ temporal }, { taskId }) =>
        (await temporal.statusOf(`approval:${taskId}`)) === 'COMPLETED',
    },
  },
};

/** The service whose answer a step may lose; other steps make no external call. */
export const answers: Partial<Record<Step, { target: string; operation?: string }>> = {
  '2': { target: 'emr', operation: 'read' },
  '4': { target: 'pharmacy_a', operation: 'order' },
  '5': { target: 'stripe', operation: 'paymentIntents.create' },
  '6': { target: 'shipping', operation: 'create' },
  '7': { target: 'smtp' },
};
