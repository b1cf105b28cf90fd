import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { serviceNames } from '../platform/service-names.js';
import { approvalWorkflowId } from '../workflows/ids.js';

/** Describes a running system to the command line (docs/configuration.md, "The command line in production"). */
const systemSchema = z.object({
  services: z.partialRecord(z.enum(serviceNames), z.url()),
  /** By the name that `--key` takes. */
  apiKeys: z.record(z.string(), z.object({ key: z.string(), secret: z.string() })),
  temporal: z.object({ namespace: z.string(), ui: z.url() }),
  /** Commands call admin endpoints as this superadmin. */
  admins: z.object({ superadmin: z.email() }).optional(),
  /** With the role that owns the tables; `DATABASE_URL` overrides it. */
  databaseUrl: z.string().optional(),
  /** `rx listen` verifies events with it. */
  webhookSecrets: z.object({ events: z.string() }).optional(),
  /** `--patient` takes an index into this list. */
  patients: z.array(z.object({ emrPatientId: z.string() })).default([]),
});
export type System = z.infer<typeof systemSchema>;

/** Reads the file that `SCRIPTRAIL_SYSTEM` names. @throws Error that says what is missing or wrong */
export function readSystem(): System {
  const { SCRIPTRAIL_SYSTEM: path } = process.env;
  if (!path) throw new Error('SCRIPTRAIL_SYSTEM is missing: set it to the file that describes the system.');
  let description: unknown;
  try {
    description = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read';
    throw new Error(`${path} does not describe a system, ${reason}: start one, or set SCRIPTRAIL_SYSTEM.`);
  }
  const { data, error } = systemSchema.safeParse(description);
  if (error) throw new Error(`${path} does not describe a system:\n${z.prettifyError(error)}`);
  return data;
}

/** The address of a run in Temporal's Web UI. */
export const runLink = ({ temporal }: System, workflowId: string): string =>
  `${temporal.ui}/namespaces/${temporal.namespace}/workflows/${workflowId}`;

export const approvalLink = (system: System, taskId: string): string =>
  runLink(system, approvalWorkflowId(taskId));

/** All runs of a task in the Web UI, refills included. */
export const taskLink = ({ temporal }: System, taskId: string): string =>
  `${temporal.ui}/namespaces/${temporal.namespace}/workflows?query=${encodeURIComponent(`RxTask="${taskId}"`)}`;
