import { z } from 'zod';
import { findCancellation, findNewestRefill } from '../../db/orchestrator/cancellations.js';
import { findDeskOrder, findScheduleOf } from '../../db/orchestrator/desk-orders.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findPlan } from '../../db/orchestrator/plans.js';
import { isRefillUnderWay } from '../../db/orchestrator/refill-schedules.js';
import { listReplacementsOfTasks } from '../../db/orchestrator/replacements.js';
import { ownTaskId } from '../../domain/clients.js';
import { heldBecause } from '../../domain/orchestrator/cancellation.js';
import { scheduleIdOf } from '../../domain/orchestrator/refills.js';
import { pharmacyTitle } from '../../domain/pharmacies.js';
import type { App, ServiceContext } from '../context.js';
import { deskOrder } from '../../integrations/worklist/orders.js';
import { issueErrors, notFound } from '../http-errors.js';
import { idempotencyHeaders } from '../idempotency.js';
import { isKeyKnown } from './keyed.js';
import { presentedPlan } from './plans.js';
import { presentedSchedule } from './schedules.js';
import { asKnown, clientQuery, keyOf } from './whose.js';

/** The fields of a task and its refills that the desk shows (D135). */
export function orderRoutes(signed: App, { sql }: ServiceContext): void {
  signed.get(
    '/orchestrator/orders/:taskId',
    {
      config: { access: { action: 'order.read' } },
      schema: {
        tags: ['Work items'],
        security: [{ signature: [] }],
        summary: 'Get a task with its order, charge and refills',
        description:
          'For `refill-<scheduleId>` the newest refill, also before the first one. The reference of an order finds its task.',
        params: z.object({ taskId: z.string() }),
        querystring: z.object(clientQuery),
        headers: idempotencyHeaders('Tells in `isRepeated` whether a change has used this key'),
        response: { 200: deskOrder, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async (request) => {
      const { taskId } = request.params;
      const key = await keyOf(sql, request, taskId);
      const scheduleId = scheduleIdOf(key);
      const named = scheduleId === null ? key : await findNewestRefill(sql, scheduleId);
      const order = named === undefined ? undefined : await findDeskOrder(sql, named);
      const reference = order?.reference;
      const of = order?.taskId ?? key;
      const schedule = await findScheduleOf(sql, { taskId: of, scheduleId: scheduleIdOf(of) });
      const { emrPatientId, medication } = order ?? schedule ?? {};
      if (emrPatientId === undefined || medication === undefined) throw notFound('Task not found');
      request.accessed.records = [taskId];
      const [config, plan, replacements, cancellation] = await Promise.all([
        findMedicationConfig(sql, medication),
        schedule && findPlan(sql, schedule.id),
        reference === undefined ? [] : listReplacementsOfTasks(sql, [reference]),
        reference === undefined ? undefined : findCancellation(sql, reference),
      ]);
      const { status = null, failedStep = null, submissionId = null, pharmacy = null } = order ?? {};
      const { tracking = null, payment = null } = order ?? {};
      return {
        order: {
          // The desk acts on the task, whichever of its orders was named.
          taskId: scheduleId === null && reference !== undefined ? ownTaskId(reference) : taskId,
          ...{ emrPatientId, status, failedStep, submissionId, tracking, payment },
          medication: config?.displayName ?? medication,
          pharmacy: pharmacy === null ? null : pharmacyTitle(pharmacy),
          heldBecause: (order && heldBecause(order)) ?? null,
          refills: schedule ? await presentedSchedule(sql, schedule) : null,
          isRejected: order?.isRejected ?? false,
          isChargingOver: order?.isChargingOver ?? false,
          isRefillUnderWay: schedule !== undefined && (await isRefillUnderWay(sql, schedule)),
          isRepeated: await isKeyKnown(sql, request),
          plan: plan ? presentedPlan(plan) : null,
          replacements: replacements.map((one) => ({ ...asKnown(one), at: one.at.toISOString() })),
          cancellation: cancellation ?? null,
        },
      };
    },
  );
}
