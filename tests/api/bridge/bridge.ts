import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledSources } from '../../../dev/compile.js';
import { defaultStateDir, type DevJson } from '../../../dev/dev-json.js';
import { projectRoot } from '../../../dev/project-root.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import type { Sql } from '../../../db/client.js';
import { hmacHex } from '../../../platform/crypto/signature.js';
import { eventually } from '../../helpers/client.js';
import { freePort } from '../../helpers/free-port.js';

export type Body = Record<string, unknown>;
export interface WebhookAnswer {
  status: number;
  headers: Headers;
  body: Body;
}

/** A webhook as the EMR sends it, about a resource of its own. */
export const webhookOf = (event: string, resource: Body = {}) => ({
  event,
  timestamp: '2026-03-04T05:06:07.000Z',
  resource: { resourceType: event.slice(0, event.indexOf('.')), id: `r-${randomUUID()}`, ...resource },
});

/** Sends it to the bridge; signed as the EMR does unless told otherwise. */
export async function sendWebhook(
  dev: DevJson,
  body: object | string | Uint8Array<ArrayBuffer>,
  options: { signature?: string | null; contentType?: string } = {},
): Promise<WebhookAnswer> {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const { signature = hmacHex(dev.webhookSecrets.emr, bytes), contentType } = options;
  const response = await fetch(`${dev.services.bridge}/webhooks/emr`, {
    method: 'POST',
    headers: {
      ...(signature === null ? {} : { 'x-emr-signature': signature }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    },
    body: bytes,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

/** The secrets of a bridge of one's own. */
const secrets = {
  hash: 'a secret of the tests for hashes',
  emr: 'a secret of the tests for the EMR',
};

/** The bridge's API in a process of its own, beside the shared one, with what `env` says otherwise. */
export async function startBridge(
  dev: DevJson,
  env: Record<string, string>,
): Promise<{ dev: DevJson; stop: () => Promise<void> }> {
  const port = await freePort();
  const settings = {
    BRIDGE_PORT: String(port),
    LOG_LEVEL: 'silent',
    TEMPORAL_ADDRESS: dev.temporal.address,
    NODE_ENV: 'development',
    BRIDGE_CODEC_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    EVENTS_CODEC_KEYS: `test:${Buffer.alloc(32, 2).toString('base64')}`,
    ADMIN_JWT_SECRET: loadSecrets(defaultStateDir()).adminJwtSecret,
    SECRET_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 3).toString('base64')}`,
    ID_HASH_SECRET: secrets.hash,
    EMR_WEBHOOK_SECRET: secrets.emr,
    EMR_BASE_URL: dev.emr.baseUrl,
    EMR_TOKEN: dev.emr.token,
    BRIDGE_DATABASE_URL: dev.databaseUrl,
    ORGANIZATION_URL: dev.services.organization,
    ...env,
  };
  const args = [join(await compiledSources(), 'main.js'), '--api', 'bridge', '--workers', 'none'];
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[];
  if (typeof message !== 'object') throw new Error('The bridge has not started');
  return {
    dev: {
      ...dev,
      services: { ...dev.services, bridge: `http://127.0.0.1:${port}` },
      webhookSecrets: { ...dev.webhookSecrets, emr: secrets.emr },
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Once a consumer has taken, or been given up on, the event that was made of a webhook: the delivery's state. */
export const settled = (sql: Sql, { body }: WebhookAnswer, consumer: string): Promise<string> =>
  eventually(async () => {
    const [delivery] = await sql<{ state: string }[]>`
      select state
      from bridge.event_delivery
      join bridge.emr_webhook_events as webhook on webhook.dispatched_outbox_id = event_id
      where webhook.id = ${body['webhookEventId'] as string} and consumer = ${consumer} and state <> 'pending'
    `;
    return delivery?.state;
  });

/** A prescription that becomes active in the EMR under a task's identifier (D44). */
export const activatedRequest = (taskId: string, emrPatientId: string, over: Body = {}) =>
  webhookOf('MedicationRequest.activated', {
    identifier: [{ system: 'https://scriptrail.health/mrn/task', value: taskId }],
    subject: { reference: `Patient/${emrPatientId}` },
    medicationCodeableConcept: { coding: [{ code: '1991302' }], text: 'semaglutide' },
    dosageInstruction: [{ text: 'inject 20 units weekly' }],
    ...over,
  });
