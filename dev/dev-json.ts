import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { serviceNames } from '../platform/service-names.js';
import { writeFileAtomically } from './atomic-file.js';
import { projectRoot } from './project-root.js';

const apiKey = z.object({
  key: z.string(),
  secret: z.string(),
  scopes: z.array(z.string()),
  physicianId: z.string().optional(),
  /** Present only if they differ from the default (D103, D113, D137). */
  receivesHolds: z.literal(true).optional(),
  initialCallback: z.literal(false).optional(),
  durable: z.literal(true).optional(),
  ownsFailures: z.literal(true).optional(),
});

const coupon = z.object({
  id: z.string(),
  percentOff: z.number().optional(),
  amountOffCents: z.number().int().optional(),
  valid: z.boolean().optional(),
});

/** The addresses and secrets of a running development system, for the command line and the tests. */
const devJsonSchema = z.object({
  services: z.record(z.enum(serviceNames), z.url()),
  /** Health endpoints; both are the same unless APIs and workers run in two processes. */
  health: z.object({ api: z.url(), workers: z.url() }),
  sandbox: z.url(),
  temporal: z.object({ address: z.string(), namespace: z.string(), ui: z.url() }),
  databaseUrl: z.string(),
  apiKeys: z.record(z.string(), apiKey),
  emr: z.object({ baseUrl: z.url(), token: z.string() }),
  stripe: z.object({ apiBase: z.url(), secretKey: z.string(), coupons: z.array(coupon) }),
  admins: z.object({ superadmin: z.email() }),
  webhookSecrets: z.object({
    pharmacy_a: z.string(),
    pharmacy_b: z.string(),
    emr: z.string(),
    events: z.string(),
    stripe: z.string(),
  }),
  intakeOrigins: z.array(z.string()),
  /** The settings of the year of care, by name. */
  settings: z.record(z.string(), z.string()),
  /** `api` and `workers` are equal in one process. A server that the system did not start has no pid. */
  pids: z.object({
    temporal: z.number().optional(),
    postgres: z.number().optional(),
    sandbox: z.number(),
    api: z.number(),
    workers: z.number(),
  }),
  patients: z.array(z.object({ emrPatientId: z.string(), state: z.string(), card: z.string().nullable() })),
});
export type DevJson = z.infer<typeof devJsonSchema>;

/** `.local` of the checkout, or the folder in `SCRIPTRAIL_STATE_DIR`. */
export function defaultStateDir(): string {
  const given = process.env['SCRIPTRAIL_STATE_DIR'];
  return given === undefined || given === '' ? join(projectRoot, '.local') : resolve(given);
}

export const devJsonPath = (stateDir: string): string => join(stateDir, 'dev.json');

/** @throws Error if no system has been started there */
export function readDevJson(stateDir = defaultStateDir()): DevJson {
  let text: string;
  try {
    text = readFileSync(devJsonPath(stateDir), 'utf8');
  } catch {
    throw new Error(`No development system has been started in ${stateDir}: run npm start first.`);
  }
  return devJsonSchema.parse(JSON.parse(text));
}

export function writeDevJson(stateDir: string, dev: DevJson): void {
  writeFileAtomically(devJsonPath(stateDir), `${JSON.stringify(dev, null, 2)}\n`);
}
