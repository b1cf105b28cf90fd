import { askPlan } from '../../../db/orchestrator/plan-checks.js';
import { insertPlan } from '../../../db/orchestrator/plans.js';
import { beginPlan } from '../../../domain/orchestrator/plans.js';
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { findDunning } from '../../../db/orchestrator/dunning.js';
import { findPaymentProfile } from '../../../db/orchestrator/payment-profiles.js';
import { findSchedule, insertSchedule } from '../../../db/orchestrator/refill-schedules.js';
import { chargesOf, endedRun, messagesTo, ordersOf } from '../../api/orchestrator/approvals.js';
import { refundsOf } from '../../api/orchestrator/exceptions.js';
import { activatedRequest } from '../../api/bridge/bridge.js';
import { dayFromToday } from '../../api/orchestrator/refills.js';
import { eventually, freshTask, patientIn } from '../../helpers/client.js';
import { newPatient } from '../../helpers/patients.js';
import { eventOf, eventQueue, workItemsOf } from '../events.js';
import { idPart } from '../../../platform/crypto/ids.js';
import { rerouteWorkflowId } from '../../../workflows/ids.js';
import { contextOf, db, dev } from '../real-parts.js';
import { consuming, type Entries, type Entry } from '../twice.js';
import { changes, unrefunded } from './changes-twice.js';
import { closes } from './closes-twice.js';
import { endpoints } from './endpoints-twice.js';
import { statements } from './statements-twice.js';
import { recoveries } from './recoveries-twice.js';
import { replacements } from './replacements-twice.js';
import { failedCharge, paidCharge, unpaidCharges } from './unpaid-twice.js';
import { claim, details, madeOf, order, own, steps } from './steps-twice.js';

async function claimed(taskId?: string, emrPatientId?: string) {
  const request = claim(taskId, emrPatientId);
  await own.claimTask(request);
  return request;
}
const denial = () => {
  const runId = randomUUID();
  return { taskId: freshTask(), runId, workflowId: `test:${runId}`, emrPatientId: null };
};
const taskAndRuns = async (taskId: string) => ({
  task: await db`select kind, state from orchestrator.task where task_id = ${taskId}`,
  runs: await db`select status, completed_steps from orchestrator.run where task_id = ${taskId}`,
});

const newSchedule = async (
  over: { nextFillDate?: string; createdByTask?: string; emrPatientId?: string } = {},
) => {
  const schedule = await insertSchedule(db, {
    emrPatientId: randomUUID(),
    medication: 'semaglutide',
    dosage: null,
    totalRefillsAllowed: 3,
    refillsSent: 0,
    daysSupply: 30,
    lastFillDate: dayFromToday(0),
    nextFillDate: dayFromToday(27),
    client: '',
    createdByTask: null,
    requestedBy: null,
    ...over,
  });
  return schedule!;
};
/** A plan after its first fill. Unless it was filled later, its second is due in three days. */
const newPlan = (emrPatientId: string = randomUUID(), lastFillDate = dayFromToday(-22)): Promise<string> =>
  db.begin((sql) => {
    const position = beginPlan({
      phases: [
        {
          medication: 'semaglutide',
          dosage: null,
          fills: 3,
          daysSupply: 28,
          checkIn: 'fill',
          decision: 'none',
        },
      ],
      startDate: dayFromToday(0),
      prescribedUntil: dayFromToday(365),
      running: { phase: 1, sent: 1, lastFillDate },
    });
    const planRef = randomUUID();
    const plan = {
      client: '',
      planRef,
      bodyHash: '',
      emrPatientId,
      treatment: 'weight',
      position: position!,
      requestedBy: '',
    };
    return insertPlan(sql, plan, null);
  });
/** A check whose one entry is a schedule that is not due (any more). */
async function check() {
  const [checkId, { id }] = [randomUUID(), await newSchedule()];
  await db`
    insert into orchestrator.refill_check_result (check_id, position, schedule_id) values (${checkId}, 1, ${id})
  `;
  return checkId;
}
/** Other tests may have schedules that are due. */
const atLeastOne = { asymmetricMatch: (count: unknown) => typeof count === 'number' && count >= 1 };
const resultsOf = (checkId: string) => db`
  select position, processed, reason from orchestrator.refill_check_result where check_id = ${checkId}
`;

const shipmentOf = (submissionId: string) => db`
  select state, shipment_id, tracking_number, carrier, is_first_order
  from orchestrator.shipment where submission_id = ${submissionId}
`;
/** An order of ours that its pharmacy has shipped. */
async function shipped() {
  const request = await claimed();
  const { submissionId, pharmacy, pharmacyOrderId } = order();
  return {
    submissionId,
    sourceOrderId: request.taskId,
    pharmacy,
    pharmacyOrderId,
    state: 'shipped' as const,
    trackingNumber: '1Z999',
    carrier: null,
  };
}

const activities: Entries<typeof own> = {
  ...steps,
  ...eventQueue('orchestrator', 'work_item.opened'),
  ...changes,
  ...replacements,
  ...unpaidCharges,
  ...recoveries,
  ...closes,
  ...endpoints,
  ...statements,
  claimTask: async () => {
    const input = claim();
    return {
      input,
      answers: { config: expect.objectContaining({ unit: 'mL' }) },
      seen: () => taskAndRuns(input.taskId),
      once: {
        task: [{ kind: 'approve', state: 'running' }],
        runs: [{ status: 'pending', completedSteps: ['medication_config'] }],
      },
    };
  },
  recordOutcome: async () => {
    const { runId, taskId, emrPatientId } = await claimed();
    const { id: scheduleId } = await newSchedule();
    const pharmacyCase = { ...order(), emrPatientId };
    const result = {
      success: true,
      completedSteps: ['medication_config' as const],
      warnings: [],
      medication: 'Semaglutide',
      patientName: 'Ada Test',
      state: 'NY',
    };
    return {
      input: {
        runId,
        reference: taskId,
        result,
        order: pharmacyCase,
        allows: {
          taskId,
          emrPatientId,
          medication: 'semaglutide',
          dosage: null,
          totalRefillsAllowed: 3,
          daysSupply: 30,
        },
        refill: { scheduleId, n: 1 },
      },
      // As it is recorded.
      thenAnswers: result,
      seen: async () => ({
        ...(await taskAndRuns(taskId)),
        cases: await db`
          select submission_id from orchestrator.pharmacy_case where case_id = ${pharmacyCase.pharmacyOrderId}
        `,
        schedules: await db`
          select status, refills_sent from orchestrator.refill_schedule where emr_patient_id = ${emrPatientId}
        `,
        refillsSent: (await findSchedule(db, scheduleId))?.refillsSent,
      }),
      once: {
        task: [{ kind: 'approve', state: 'completed' }],
        runs: [{ status: 'completed', completedSteps: ['medication_config'] }],
        cases: [{ submissionId: pharmacyCase.submissionId }],
        schedules: [{ status: 'active', refillsSent: 0 }],
        refillsSent: 1,
      },
    };
  },
  claimDenial: async () => {
    const input = denial();
    return {
      input,
      answers: true,
      seen: () => taskAndRuns(input.taskId),
      once: { task: [{ kind: 'deny', state: 'running' }], runs: [{ status: 'denied', completedSteps: [] }] },
    };
  },
  finishDenial: async () => {
    const request = denial();
    await own.claimDenial(request);
    return {
      input: { runId: request.runId },
      seen: async () => (await taskAndRuns(request.taskId)).task,
      once: [{ kind: 'deny', state: 'denied' }],
    };
  },
  // A schedule that is due, and that nobody but this check runs: it is cancelled before a real check could.
  listDueSchedules: async () => {
    const checkId = randomUUID();
    const { id } = await newSchedule({ nextFillDate: dayFromToday(-1) });
    return {
      input: { checkId },
      answers: atLeastOne,
      seen: async () => {
        await db`update orchestrator.refill_schedule set status = 'cancelled' where id = ${id}`;
        return db`
          select processed from orchestrator.refill_check_result
          where check_id = ${checkId} and schedule_id = ${id}
        `;
      },
      once: [{ processed: null }],
    };
  },
  announceRefills: async () => {
    const { id } = await newSchedule({ nextFillDate: dayFromToday(3) });
    const planId = await newPlan();
    return {
      input: { scheduleIds: [id, planId] },
      answers: false,
      seen: async () => ({
        notices:
          await db`select detail from orchestrator.outbox where aggregate_id = ${`notice-refill-${id}-1`}`,
        asked: await db`
          select detail_type from orchestrator.outbox where aggregate_id = ${`plan:${planId}`}
        `,
      }),
      once: {
        notices: [{ detail: { scheduleId: id, n: 1 } }],
        asked: [{ detailType: 'plan.changed' }],
      },
    };
  },
  judgePage: async () => {
    const checkId = await check();
    return {
      input: { checkId, after: 0, size: 10 },
      answers: [],
      seen: () => resultsOf(checkId),
      once: [{ position: 1, processed: false, reason: 'not_due' }],
    };
  },
  recordPage: async () => {
    const checkId = await check();
    return {
      input: { checkId, outcomes: [{ position: 1, processed: true, reason: null }] },
      seen: () => resultsOf(checkId),
      once: [{ position: 1, processed: true, reason: null }],
    };
  },
  shipOrder: async () => {
    const [made, taskId] = [order(), freshTask()];
    const { submissionId, pharmacy } = made;
    return {
      input: {
        shipment: { submissionId, taskId, emrPatientId: randomUUID(), pharmacy },
        order: made,
        patient: details,
      },
      seen: async () => ({ made: await madeOf(submissionId), record: await shipmentOf(submissionId) }),
      once: {
        made: [expect.any(String)],
        record: [expect.objectContaining({ state: 'label_created', shipmentId: expect.any(String) })],
      },
    };
  },
  readFollowedPlan: async () => {
    const planId = await newPlan();
    return {
      input: { planId },
      answers: expect.objectContaining({ state: 'active', fill: 2, phase: 1, waiting: [] }),
    };
  },
  planLabelLooks: async () => ({
    input: { lostAtMs: 0 },
    answers: { looksAtMs: [expect.any(Number)] },
    thenAnswers: { looksAtMs: [expect.any(Number)] },
  }),
  needsLabel: async () => ({ input: { submissionId: randomUUID() }, answers: true }),
  recordSettledLabel: async () => {
    const { runId, taskId, emrPatientId } = await claimed();
    const { submissionId, pharmacy } = order();
    const label = { shipmentId: 'shp_test', trackingNumber: '1Z999', carrier: 'ups' };
    return {
      input: { runId, shipment: { submissionId, taskId, emrPatientId, pharmacy, label } },
      seen: async () => ({
        shipment: await shipmentOf(submissionId),
        run: await db`select settled_at from orchestrator.run where id = ${runId}`,
      }),
      once: {
        shipment: [{ state: 'label_created', ...label, isFirstOrder: null }],
        run: [{ settledAt: expect.any(Date) }],
      },
    };
  },
  recordFailedShipment: async () => {
    const submissionId = randomUUID();
    return {
      input: { submissionId, reference: freshTask(), reason: 'unanswered' },
      seen: () => workItemsOf('orchestrator', submissionId),
      once: [{ kind: 'shipment_failed', reason: 'unanswered', state: 'open', told: 1 }],
    };
  },
  recordShipmentUpdate: async () => {
    const input = await shipped();
    const { submissionId, trackingNumber } = input;
    const shipment = expect.objectContaining({ submissionId, isFirstOrder: true });
    const parcels = [{ n: 1, trackingNumber, carrier: null, shipmentId: null }];
    return {
      input,
      answers: expect.objectContaining({ shipment, parcels }),
      seen: async () => ({
        shipment: await shipmentOf(submissionId),
        parcels: await db`select n from orchestrator.parcel where submission_id = ${submissionId}`,
      }),
      once: {
        shipment: [{ state: 'shipped', shipmentId: null, trackingNumber, carrier: null, isFirstOrder: true }],
        parcels: [{ n: 1 }],
      },
    };
  },
  createShipment: async () => {
    const update = await shipped();
    await own.recordShipmentUpdate(update);
    const recipient = { name: 'Ada Test', phone: details.phone, ...details.address };
    return {
      input: { update, recipient, parcel: { n: 1, trackingNumber: '1Z999', carrier: null } },
      answers: { carrier: 'ups' },
      seen: async () => ({
        made: await madeOf(update.submissionId),
        record: await shipmentOf(update.submissionId),
      }),
      once: {
        made: [expect.any(String)],
        record: [expect.objectContaining({ shipmentId: expect.any(String), carrier: 'ups' })],
      },
    };
  },
};

export const orchestrator: Record<string, Entry> = {
  ...activities,
  ...consuming('orchestrator', {
    'emr.medication_request.activated': async () => {
      const taskId = freshTask();
      const { event: emrEventName, resource } = activatedRequest(taskId, patientIn(dev, 'NY'));
      const event = eventOf('bridge', 'emr.medication_request.activated', { emrEventName, resource });
      return {
        event,
        seen: async () => {
          await eventually(() => endedRun(dev, taskId));
          return {
            events: await db`select outcome from orchestrator.emr_event where event_id = ${event.id}`,
            task: (await taskAndRuns(taskId)).task,
            orders: (await ordersOf(dev, taskId)).length,
            charges: (await chargesOf(dev, taskId)).length,
          };
        },
        once: {
          events: [{ outcome: 'approval_started' }],
          task: [{ kind: 'approve', state: 'completed' }],
          orders: 1,
          charges: 1,
        },
      };
    },
    'order.settled': async () => {
      const { runId, taskId } = await claimed();
      const submissionId = randomUUID();
      const result = {
        success: false,
        completedSteps: [],
        warnings: [],
        medication: '',
        patientName: '',
        state: '',
      };
      await own.recordOutcome({ runId, reference: taskId, unknownSubmissionId: submissionId, result });
      const clientId = dev.apiKeys['orchestrator']!.key;
      const detail = { submissionId, clientId, sourceOrderId: taskId, pharmacy: 'pharmacy_a' };
      return {
        event: eventOf('router', 'order.settled', { ...detail, pharmacyOrderId: null }),
        seen: () => workItemsOf('orchestrator', taskId),
        once: [{ kind: 'approval_failed', reason: 'order_rejected', state: 'open', told: 1 }],
      };
    },
    'emr.patient.updated': async () => {
      const { id: emrPatientId } = await newPatient(dev, 'NY', (complete) => ({
        ...complete,
        active: false,
      }));
      const { id } = await newSchedule({ emrPatientId });
      return {
        event: eventOf('bridge', 'emr.patient.updated', { resourceId: emrPatientId }),
        seen: () => findSchedule(db, id),
        once: expect.objectContaining({ status: 'paused', pausedReason: 'patient_inactive' }),
      };
    },
    'patient.archived': async () => {
      const { id, emrPatientId } = await newSchedule();
      return {
        event: eventOf('patients', 'patient.archived', { emrPatientId }),
        seen: () => findSchedule(db, id),
        once: expect.objectContaining({ status: 'paused', pausedReason: 'patient_archived' }),
      };
    },
    'order.missing': async () => {
      const { runId, taskId } = await claimed();
      const result = { completedSteps: [], warnings: [], medication: '', patientName: '', state: '' };
      await own.recordOutcome({ runId, reference: taskId, result: { success: true, ...result } });
      const clientId = dev.apiKeys['orchestrator']!.key;
      const order = { submissionId: randomUUID(), clientId, sourceOrderId: taskId };
      return {
        event: eventOf('router', 'order.missing', {
          ...order,
          pharmacy: 'pharmacy_a',
          pharmacyOrderId: 'c-1',
        }),
        seen: () => workItemsOf('orchestrator', taskId),
        once: [{ kind: 'order_missing', reason: 'not_found', state: 'open', told: 1 }],
      };
    },
    'order.reroute_asked': async () => {
      const { runId, taskId } = await claimed();
      const nothing = { completedSteps: [], warnings: [], medication: '', patientName: '', state: '' };
      const failedStep = 'patient_details' as const;
      await own.recordOutcome({
        runId,
        reference: taskId,
        result: { success: false, failedStep, ...nothing },
      });
      const asked = { submissionId: randomUUID(), sourceOrderId: taskId, requestedBy: 'kim@example.test' };
      return {
        event: eventOf('router', 'order.reroute_asked', { ...asked, pharmacy: 'pharmacy_b' }),
        seen: () => db`select task_id from orchestrator.order_reference where task_id = ${taskId} and n > 2`,
        once: [],
        // The event is retried until the run that it started has ended.
        meanwhile: () =>
          contextOf('orchestrator')
            .temporal.workflow.getHandle(rerouteWorkflowId(idPart(taskId)))
            .result()
            .catch(() => undefined),
      };
    },
    'payment.refund_due': async () => {
      const { taskId } = await unrefunded();
      return {
        event: eventOf('orchestrator', 'payment.refund_due', { reference: taskId }),
        seen: async () => {
          await eventually(async () => {
            const [payment] =
              await db`select refunded_cents from orchestrator.payment where task_id = ${taskId}`;
            return payment?.['refundedCents'] === 29_900;
          });
          return (await refundsOf(dev, taskId)).map(({ amountCents }) => amountCents);
        },
        once: [29_900],
      };
    },
    'order.shipped_after_cancel': async () => {
      const { taskId } = await claimed();
      const submissionId = randomUUID();
      const detail = { submissionId, sourceOrderId: taskId, status: 'shipped' };
      return {
        event: eventOf('router', 'order.shipped_after_cancel', detail),
        seen: () => workItemsOf('orchestrator', taskId),
        once: [{ kind: 'shipped_after_cancel', reason: 'shipped', state: 'open', told: 1 }],
      };
    },
    // The router knows nothing of this hold, so the refills stay as they are.
    'order.directions_changed': async () => {
      const { taskId } = await claimed();
      const clientId = dev.apiKeys['orchestrator']!.key;
      const changed = { submissionId: randomUUID(), clientId, sourceOrderId: taskId, holdId: 'h1' };
      return {
        event: eventOf('router', 'order.directions_changed', changed),
        seen: () => db`select dosage from orchestrator.direction_change where task_id = ${taskId}`,
        once: [],
      };
    },
    'payment.recovery_due': async () => {
      const { taskId } = await failedCharge();
      return {
        event: eventOf('orchestrator', 'payment.recovery_due', { reference: taskId }),
        seen: () => eventually(async () => (await findDunning(db, taskId))?.messagesSent === 1),
        once: true,
      };
    },
    'payment.succeeded': async () => {
      const { taskId, patient } = await paidCharge();
      return {
        event: eventOf('orchestrator', 'payment.succeeded', { reference: taskId, attempt: 1 }),
        seen: async () => (await messagesTo(dev, patient)).map(({ channel }) => channel),
        once: ['email'],
      };
    },
    'refill.notice_due': async () => {
      const patient = await newPatient(dev);
      const { id } = await newSchedule({ emrPatientId: patient.id, nextFillDate: dayFromToday(2) });
      return {
        event: eventOf('orchestrator', 'refill.notice_due', { scheduleId: id, n: 1 }),
        seen: async () => (await messagesTo(dev, patient)).map(({ channel }) => channel),
        once: ['email'],
      };
    },
    'refill.schedule_erased': async () => {
      const scheduleId = await newPlan();
      await db`update orchestrator.refill_schedule set status = 'cancelled' where id = ${scheduleId}`;
      return {
        event: eventOf('orchestrator', 'refill.schedule_erased', { scheduleId }),
        seen: () => db`select type from orchestrator.client_event where plan_id = ${scheduleId}`,
        once: [{ type: 'plan.stopped' }],
      };
    },
    'plan.notice_due': async () => {
      const patient = await newPatient(dev);
      const planId = await newPlan(patient.id);
      await askPlan(db, planId, { today: dayFromToday(0), timeZone: 'UTC', askDays: 10, graceDays: 7 });
      const due = { planId, fill: 2, round: 0, stage: 2 };
      return {
        event: eventOf('orchestrator', 'plan.notice_due', due),
        seen: async () => (await messagesTo(dev, patient)).map(({ channel }) => channel),
        once: ['email'],
      };
    },
    'plan.treatment_changed': async () => {
      const patient = await newPatient(dev);
      // The running system's own check of plans has nothing to ask of it yet.
      const planId = await newPlan(patient.id, dayFromToday(0));
      await db`
        insert into orchestrator.plan_fill (plan_id, n, phase, is_first, medication, dosage, days_supply, counted_at)
        values (${planId}, 2, 1, false, 'tirzepatide', null, 28, now())
      `;
      return {
        event: eventOf('orchestrator', 'plan.treatment_changed', { planId, n: 2 }),
        seen: async () => (await messagesTo(dev, patient)).map(({ channel }) => channel),
        once: ['email'],
      };
    },
    'plan.changed': async () => {
      const planId = await newPlan();
      return {
        event: eventOf('orchestrator', 'plan.changed', { planId, mayBeDue: true }),
        // It is not due.
        seen: () => db`select refills_sent from orchestrator.refill_schedule where id = ${planId}`,
        once: [{ refillsSent: 1 }],
      };
    },
    'intake.payment_profile_saved': async () => {
      const emrPatientId = randomUUID();
      const card = { customerId: 'cus_test', paymentMethodId: 'pm_test' };
      return {
        event: eventOf('intake', 'intake.payment_profile_saved', {
          submissionId: randomUUID(),
          emrPatientId,
          ...card,
          couponCode: null,
          planAmountCents: 29_900,
          intakeType: null,
          emailProven: true,
          savedAt: new Date().toISOString(),
        }),
        seen: () => findPaymentProfile(db, emrPatientId),
        once: expect.objectContaining({ ...card, amountCents: 29_900 }),
      };
    },
  }),
};
