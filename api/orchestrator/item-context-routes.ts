import { z } from 'zod';
import { countOpenLines } from '../../db/orchestrator/book-lines.js';
import { findNewestRefill } from '../../db/orchestrator/cancellations.js';
import { findClose } from '../../db/orchestrator/closes.js';
import { findEndpoint } from '../../db/orchestrator/event-endpoints.js';
import { findStatement } from '../../db/orchestrator/statements.js';
import { isCalendarDay } from '../../domain/calendar.js';
import { pharmacyTitle } from '../../domain/pharmacies.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findPlanFacts, findTaskFacts } from '../../db/orchestrator/item-context.js';
import { findSchedule } from '../../db/orchestrator/refill-schedules.js';
import { countingAddress, readAddress, readContact } from '../../domain/orderable-patient.js';
import { refillOfOrder, scheduleIdOf } from '../../domain/orchestrator/refills.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { businessDay } from '../../platform/business-day.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { App, ServiceContext } from '../context.js';
import { found, idOf, issueErrors } from '../http-errors.js';
import {
  bookContext,
  endpointContext,
  noContext,
  taskContext,
} from '../../integrations/worklist/contexts.js';
import { heldReference } from './cancel.js';
import { clientQuery, keyOf } from './whose.js';

/** A person waits for it: a slower EMR counts as away. */
const timeoutMs = 4_000;

/** The task's fields that the desk shows beside its work item (D143). */
export function itemContextRoutes(signed: App, { sql, config, logger }: ServiceContext): void {
  const own = config.service('orchestrator');
  const emr = createEmrClient({ baseUrl: own.EMR_BASE_URL, token: own.EMR_TOKEN });

  signed.get(
    '/orchestrator/work-items/context/:taskId',
    {
      config: { access: { action: 'item.read' } },
      schema: {
        tags: ['Work items'],
        security: [{ signature: [] }],
        summary: 'A person needs these fields of a task to answer its work item',
        description: 'The patient is null while the EMR is away.',
        params: z.object({ taskId: z.string() }),
        querystring: z.object({
          ...clientQuery,
          fill: z.literal('next').optional().describe('The next fill of a plan, not its newest order'),
        }),
        response: { 200: taskContext, ...issueErrors(400, 401, 403, 404, 429, 500) },
      },
    },
    async (request) => {
      const { taskId } = request.params;
      const key = await keyOf(sql, request, taskId);
      const planId = scheduleIdOf(taskId);
      const isNext =
        planId !== null &&
        (request.query.fill === 'next' || (await findNewestRefill(sql, planId)) === undefined);
      const ofPlan = isNext ? await findPlanFacts(sql, planId) : undefined;
      const facts = found(ofPlan ?? (await findTaskFacts(sql, await heldReference(sql, key))), 'Task');
      request.accessed.records = [taskId];
      const { amountCents, submissionId, leftCents, refillsLeft } = facts;
      const scheduleId = planId ?? refillOfOrder(key)?.scheduleId;
      const [medication, schedule, patient] = await Promise.all([
        findMedicationConfig(sql, facts.medication),
        scheduleId === undefined ? undefined : findSchedule(sql, scheduleId),
        patientOf(facts.emrPatientId),
      ]);
      return {
        submissionId,
        leftCents,
        refillsLeft,
        context: {
          ...noContext,
          patient,
          medication: medication?.displayName ?? facts.medication,
          directions: facts.dosage ?? medication?.sig ?? null,
          quantity: schedule?.quantity ?? (medication ? Number(medication.quantity) : null),
          daysSupply: schedule?.daysSupply ?? medication?.daysSupply ?? null,
          amountCents,
        },
      };
    },
  );

  signed.get(
    '/orchestrator/work-items/books/:book',
    {
      config: { access: { none: 'a number of lines, no patient' } },
      schema: {
        tags: ['Work items'],
        security: [{ signature: [] }],
        summary: 'A person needs these fields of a close or a statement to answer its work item',
        description: 'A close is named by its day, a statement by its id.',
        params: z.object({ book: z.string() }),
        response: { 200: bookContext, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ params: { book } }) => {
      if (isCalendarDay(book)) {
        found(await findClose(sql, book), 'Close');
        return { differences: await countOpenLines(sql, { date: book }), pharmacy: null };
      }
      const { id, pharmacy } = found(await findStatement(sql, idOf(book, 'Statement')), 'Statement');
      return {
        differences: await countOpenLines(sql, { statementId: id }),
        pharmacy: pharmacyTitle(pharmacy),
      };
    },
  );

  signed.get(
    '/orchestrator/work-items/event-endpoint',
    {
      config: { access: { none: 'an address of the client’s own system' } },
      schema: {
        tags: ['Work items'],
        security: [{ signature: [] }],
        summary: 'A person needs these fields of an event endpoint to answer its work item',
        querystring: z.object(clientQuery),
        response: { 200: endpointContext, ...issueErrors(400, 401, 403, 404, 429, 500) },
      },
    },
    async ({ whose: { client } }) => {
      const { url, lastError } = found(await findEndpoint(sql, client), 'Endpoint');
      return { callbackUrl: url, lastError };
    },
  );

  async function patientOf(emrPatientId: string) {
    const record = await emr.readPatient(emrPatientId, { timeoutMs }).catch((err: unknown) => {
      if (!(err instanceof OutboundError)) throw err;
      logger.warn({ err }, 'the EMR did not return the patient of a work item');
    });
    if (!record) return null;
    const today = businessDay(config.BUSINESS_TIMEZONE);
    const { name } = readContact(record, { today, consentExtension: own.EMR_CONSENT_EXTENSION });
    return { name, state: readAddress(countingAddress(record, today) ?? {}).state ?? null };
  }
}
