import { z } from 'zod';
import { isCalendarDay } from '../../domain/calendar.js';
import {
  maxDosageLength,
  maxTaskIdLength,
  pipelineSteps,
  printable,
  refillPrefix,
} from '../../domain/orchestrator/pipeline.js';
import { replacementPayers, replacementReasons } from '../../domain/orchestrator/replacement.js';
import { preflightCodes } from '../../domain/orchestrator/preflight.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { pageQuery } from '../cursor.js';
import { instant } from '../instant.js';
import { httpError } from '../http-errors.js';
import { onBehalfOf } from './on-behalf-of.js';
import { clientOfEntry, clientQuery } from './whose.js';
import { replacement, shipTo } from './replacement-contract.js';
import { filled, guid, text } from '../../platform/http/text.js';

/** 1 to 200 printable characters (D6). */
export const anyTaskId = filled(maxTaskIdLength)
  .regex(printable, 'Must be printable characters')
  .describe('The task; `refill-<scheduleId>` for the newest refill of a schedule');
/** Our own refill tasks use the prefix `refill-` (D32). */
const taskId = anyTaskId
  .refine((value) => !value.startsWith(refillPrefix), `Must not begin with ${refillPrefix}`)
  .describe('Task id of the approval system; approving it again returns the recorded answer');

/** Longer than the headers of a request can be, so no `Prefer` header is rejected. */
const maxPreferCharacters = 65_536;
export const approveHeaders = z.looseObject({
  prefer: text(maxPreferCharacters).optional().describe('`respond-async`: respond 202 at once'),
});

export const approveRequest = z
  .object({
    taskId,
    medication: filled(maxTaskIdLength).describe('Key of the medication config, e.g. `semaglutide`'),
    emrPatientId: text(64, 'Must be a FHIR id')
      .regex(/^[A-Za-z0-9.-]{1,64}$/, 'Must be a FHIR id')
      .describe('Id of the Patient in the EMR'),
    dosage: filled(maxDosageLength).optional().describe('Directions that replace the default'),
  })
  .meta({ id: 'ApproveRequest' });
export type ApproveRequest = z.infer<typeof approveRequest>;

const step = z.enum(pipelineSteps);
const pipelineResult = z
  .object({
    success: z.boolean(),
    completedSteps: z.array(step),
    failedStep: step.optional(),
    error: z.string().optional(),
    warnings: z.array(z.enum(['payment_failed', 'shipment_failed', 'notification_failed'])),
    medication: z.string(),
    patientName: z.string(),
    state: z.string(),
    submissionId: z.string().optional(),
  })
  .meta({ id: 'PipelineResult' });

export const approved = z.object({ success: z.literal(true), result: pipelineResult });
export const accepted = z.object({
  taskId: z.string(),
  runId: z.string().describe('Id of the run, equal to Temporal’s first run id'),
  statusUrl: z.string(),
});
export const approvalFailed = z
  .object({ error: z.string(), failedStep: step, result: pipelineResult })
  .meta({ id: 'ApprovalFailed' });

const cancellation = z
  .object({
    state: z.enum(['pending', 'approved', 'denied']),
    reason: z.string().nullable().describe('Code of a denial'),
    refundedCents: z.number().int(),
    refillsCancelled: z.number().int().describe('Number of canceled refills'),
    replacementsCancelled: z.number().int().describe('Number of canceled replacements'),
  })
  .meta({ id: 'ApprovalCancellation' });

export const preflightAnswer = z
  .object({
    ready: z.boolean().describe('False if a finding blocks'),
    findings: z.array(
      z.object({
        code: z.enum(preflightCodes),
        step,
        severity: z.enum(['blocks', 'warns']),
        message: z.string().describe('Contains field names, never values'),
        remedy: z.string(),
      }),
    ),
  })
  .meta({ id: 'Preflight' });

const run = z
  .object({
    id: z.string(),
    taskId: z.string(),
    medication: z.string(),
    emrPatientId: z.string(),
    status: z.enum(['pending', 'completed', 'failed', 'denied']),
    completedSteps: z.array(z.string()),
    failedStep: z.string().nullable(),
    error: z.string().nullable(),
    warnings: z.array(z.string()),
    result: pipelineResult.nullable(),
    paidAt: z.date().optional().describe('When a charge succeeded after the warning `payment_failed`'),
    settledAt: z.date().optional().describe('When a label was found after the warning `shipment_failed`'),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'ListedRun' });
const cancellableRun = run
  .extend({
    cancellation: cancellation.nullable().describe('Cancellation of the order of this run'),
    replacements: z.array(replacement).describe('Replacements of the order of this run, oldest first'),
  })
  .meta({ id: 'OrchestrationRun' });
export const status = z.object({ taskId: z.string(), runs: z.array(cancellableRun) });

export const cancelRequest = z
  .object({
    taskId: anyTaskId,
    reason: filled(500).describe('Sent to the pharmacy and the patient'),
    stopRefills: z.boolean().optional().describe('For a refill: also cancels the later ones'),
    ...onBehalfOf,
  })
  .meta({ id: 'ApprovalCancelRequest' });
export type CancelRequest = z.infer<typeof cancelRequest>;
export const cancelled = z
  .object({ success: z.literal(true), taskId: z.string(), cancellation })
  .meta({ id: 'ApprovalCancelled' });

export const rerouteRequest = z
  .object({
    taskId: anyTaskId,
    pharmacy: z.enum(pharmacies).describe('The new pharmacy; with `shipTo`, it may be the first one'),
    shipTo: shipTo.optional().describe('Another address in the same state; if omitted, the first one'),
    ...onBehalfOf,
  })
  .meta({ id: 'RerouteRequest' });
export type RerouteRequest = z.infer<typeof rerouteRequest>;
export const rerouted = z
  .object({
    success: z.literal(true),
    taskId: z.string(),
    submissionId: z.string(),
    pharmacy: z.enum(pharmacies),
    reference: z.string().describe('Reference of the new order: `<taskId>#<n>`'),
  })
  .meta({ id: 'Rerouted' });
export const notReroutable = httpError
  .extend({
    cancellation: cancellation.optional().describe('Present if the pharmacy denied the cancellation'),
  })
  .meta({ id: 'NotReroutable' });

export const sendAgainRequest = z
  .object({ taskId: anyTaskId, ...onBehalfOf })
  .meta({ id: 'SendAgainRequest' });
export const sentAgain = z
  .object({
    success: z.literal(true),
    taskId: z.string(),
    notice: z.object({
      type: z.string().describe('A notification type'),
      channels: z.array(z.object({ channel: z.string(), status: z.enum(['sent', 'failed', 'skipped']) })),
    }),
  })
  .meta({ id: 'SentAgain' });

export const replacementRequest = z
  .object({
    taskId: anyTaskId,
    reason: z.enum(replacementReasons),
    paidBy: z.enum(replacementPayers).describe('Only `patient` is charged'),
    note: text(500).optional(),
    shipTo: shipTo.optional().describe('If omitted, the address of the first order'),
    ...onBehalfOf,
  })
  .meta({ id: 'ReplacementRequest' });
export type ReplacementRequest = z.infer<typeof replacementRequest>;
export const replaced = z
  .object({ success: z.literal(true), taskId: z.string(), replacement })
  .meta({ id: 'Replaced' });

export const fhirId = approveRequest.shape.emrPatientId;
/** Bounded so that adding decades of supply stays a valid date. */
const noDay = 'Must be a calendar date, YYYY-MM-DD, of the years 1900 to 2999';
export const day = text(10, noDay)
  .refine((day) => isCalendarDay(day) && day >= '1900' && day < '3000', noDay)
  .meta({ format: 'date' });

export const denyRequest = z
  .object({
    taskId,
    reason: text(2000).optional().describe('Sent to the patient'),
    emrPatientId: fhirId.optional().describe('The patient to notify; if omitted, no one is notified'),
  })
  .meta({ id: 'DenyRequest' });
export type DenyRequest = z.infer<typeof denyRequest>;
export const denied = z.object({ success: z.literal(true), taskId: z.string(), denied: z.literal(true) });

/** Longer than any value that the router accepts. */
const line = text(1_000);
/** Both callback payloads of the router (page 1, Callback payloads); the initial one has no tracking. */
export const routerCallback = z
  .object({
    // Any UUID version: an id that is not ours is unknown, not malformed (D39).
    submissionId: guid,
    sourceOrderId: line.min(1),
    pharmacy: line,
    status: z.enum(['submitted', 'failed', 'shipped', 'delivered', 'cancelled', 'processing']),
    pharmacyOrderId: line.nullable(),
    trackingNumber: line.nullish(),
    carrier: line.nullish(),
    error: line.nullish(),
    hold: z
      .looseObject({
        id: line.optional(),
        code: line.nullish(),
        until: line.nullish(),
        state: z.enum(['open', 'answered', 'released']).optional(),
      })
      .optional()
      .describe('Present in callbacks for a hold (D100)'),
  })
  .meta({ id: 'RouterCallback' });
export type RouterCallback = z.infer<typeof routerCallback>;
export const received = z.object({ ok: z.literal(true) });

export const runsQuery = pageQuery.extend({
  ...clientQuery,
  status: z.enum(['pending', 'completed', 'failed', 'denied']).optional(),
  warning: z.enum(['payment_failed', 'shipment_failed', 'notification_failed']).optional(),
  from: instant.optional(),
  to: instant.optional(),
});
const requestedRun = run
  .extend({
    ...clientOfEntry,
    requestedBy: z.string().nullable().describe('Id of the key that requested the run'),
  })
  .meta({ id: 'RequestedRun' });
export const runs = z.object({ runs: z.array(requestedRun), nextCursor: z.string().nullable() });
export const payment = z.object({
  payment: z.object({
    status: z.enum(['pending', 'succeeded', 'failed']),
    amountCents: z.number().int(),
    currency: z.string(),
  }),
});
