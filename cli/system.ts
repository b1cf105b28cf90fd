import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { serviceNames } from '../platform/service-names.js';

/**
 * A running system as its operators know it (docs/configuration.md, "The command line in production"). `dev.json` says
 * the same of a development system, and more.
 */
const systemSchema = z.object({
  /** Those that commands go to. */
  services: z.partialRecord(z.enum(serviceNames), z.url()),
  /** By the names that commands know them by. */
  apiKeys: z.record(z.string(), z.object({ key: z.string(), secret: z.string() })),
  temporal: z.object({ namespace: z.string(), ui: z.url() }),
  /** In whose name the endpoints for admins are asked. */
  admins: z.object({ superadmin: z.email() }).optional(),
  /** As the owner of the tables; `DATABASE_URL` wins over it. */
  databaseUrl: z.string().optional(),
  /** By which `rx listen` knows what is sent as events. */
  webhookSecrets: z.object({ events: z.string() }).optional(),
  /** Patients that can be named by a number. */
  patients: z.array(z.object({ emrPatientId: z.string() })).default([]),
});
export type System = z.infer<typeof systemSchema>;

/**
 * The system that commands go to: what the file of `SCRIPTRAIL_SYSTEM` describes.
 * @throws Error that says what is missing or wrong in the file
 */
export function readSystem(): System {
  const { SCRIPTRAIL_SYSTEM: path } = process.env;
  if (!path) throw new Error('SCRIPTRAIL_SYSTEM is missing: the file that describes the system.');
  let description: unknown;
  try {
    description = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read';
    throw new Error(`No system is described in ${path}, ${reason}: start one, or set SCRIPTRAIL_SYSTEM.`);
  }
  const { data, error } = systemSchema.safeParse(description);
  if (error) throw new Error(`${path} does not describe a system:\n${z.prettifyError(error)}`);
  return data;
}
