import { z } from 'zod';
import { pipelineSteps } from '../../domain/pipeline.js';

const maxIdLength = 200;

/** 1 to 200 printable characters (D6); `refill-` is the prefix of our own refill tasks (D32). */
const taskId = z
  .string()
  .min(1)
  .max(maxIdLength)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'Must be printable characters')
  .refine((value) => !value.startsWith('refill-'), 'Must not begin with refill-')
  .describe('The approval system’s task; approving it again gives the first answer');

export const approveRequest = z
  .object({
    taskId,
    medication: z
      .string()
      .min(1)
      .max(maxIdLength)
      .describe('Key of the medication config, e.g. `semaglutide`'),
    emrPatientId: z
      .string()
      .regex(/^[A-Za-z0-9.-]{1,64}$/, 'Must be a FHIR id')
      .describe('Id of the Patient in the EMR'),
    dosage: z.string().min(1).max(2000).optional().describe('Directions in place of the default ones'),
  })
  .meta({ id: 'ApproveRequest' });
export type ApproveRequest = z.infer<typeof approveRequest>;

const step = z.enum(pipelineSteps);
export const pipelineResult = z
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
  runId: z.string().describe('Id of the run, and Temporal’s first run id'),
  statusUrl: z.string(),
});
export const approvalFailed = z.object({ error: z.string(), failedStep: step, result: pipelineResult });

export const run = z
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
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'OrchestrationRun' });
export const status = z.object({ taskId: z.string(), runs: z.array(run) });

export const refusal = z.object({ error: z.string() }).meta({ id: 'Refusal' });
export const invalid = z
  .object({
    error: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'ValidationRefusal' });
export const internal = z.object({ error: z.string(), requestId: z.string() }).meta({ id: 'InternalError' });
