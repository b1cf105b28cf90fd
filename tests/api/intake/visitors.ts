import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledSources } from '../../../dev/compile.js';
import { defaultStateDir, type DevJson } from '../../../dev/dev-json.js';
import { projectRoot } from '../../../dev/project-root.js';
import { inheritedEnvironment } from '../../../dev/start/environment.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { type Answer, callAs, eventually, mailboxOf } from '../../helpers/client.js';
import { freePort } from '../../helpers/free-port.js';

/** A call to the intake gateway, which is public; with a body it is a POST. */
export const visit = <T = Record<string, unknown>>(
  dev: DevJson,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> =>
  callAs<T>(dev, 'intake', undefined, {
    path,
    headers,
    ...(body === undefined ? {} : { method: 'POST', body }),
  });

export const freshAddress = (): string => `visitor-${randomUUID()}@example.test`;

interface Mail {
  /** Nobody, of a chat message. */
  to: string | null;
  subject: string;
  text: string;
}

/** The mails an address has received, newest first. */
export const mailsTo = (dev: DevJson, address: string): Promise<Mail[]> => mailboxOf<Mail>(dev, address);

/** The code in the newest mail to an address, once it has received so many. */
export const codeSentTo = (dev: DevJson, address: string, mails = 1): Promise<string> =>
  eventually(async () => {
    const received = await mailsTo(dev, address);
    return received.length >= mails && /\b\d{6}\b/.exec(received[0]?.text ?? '')?.[0];
  });

/** Asks for a code and reads it in the mailbox. */
export async function newCode(dev: DevJson, email: string): Promise<string> {
  const before = (await mailsTo(dev, email)).length;
  const { status } = await visit(dev, '/verify-email/send', { email });
  if (status !== 200) throw new Error(`no code was sent: ${status}`);
  return codeSentTo(dev, email, before + 1);
}

/** Proves that an address is one's own, as a person does with their mailbox. @returns the proof */
export async function proofOf(dev: DevJson, email: string): Promise<string> {
  const code = await newCode(dev, email);
  const { body } = await visit<{ emailProof?: string }>(dev, '/verify-email/check', { email, code });
  if (body.emailProof === undefined) throw new Error('the code proved nothing');
  return body.emailProof;
}

/** Another code than this one. */
export const notThe = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0');

/**
 * An intake gateway beside the one of the system: a process of its own with its own settings, production's limits
 * among them, on the same database and workers.
 * @returns the system as seen by who talks to that gateway
 */
export async function ownIntake(
  dev: DevJson,
  settings: Record<string, string> = {},
): Promise<{ dev: DevJson; stop: () => Promise<void> }> {
  const secrets = loadSecrets(defaultStateDir());
  const databaseUrl = new URL(dev.databaseUrl);
  databaseUrl.username = 'scriptrail_intake';
  databaseUrl.password = secrets.intakeDatabasePassword;
  const port = await freePort();
  const gateway = fork(join(await compiledSources(), 'main.js'), ['--api', 'intake', '--workers', 'none'], {
    cwd: projectRoot,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...inheritedEnvironment(),
      LOG_LEVEL: 'silent',
      INTAKE_PORT: String(port),
      TEMPORAL_ADDRESS: dev.temporal.address,
      TEMPORAL_NAMESPACE: dev.temporal.namespace,
      NODE_ENV: 'development',
      INTAKE_CODEC_KEYS: secrets.intakeCodecKeys,
      EVENTS_CODEC_KEYS: secrets.eventsCodecKeys,
      ADMIN_JWT_SECRET: secrets.adminJwtSecret,
      SECRET_ENCRYPTION_KEYS: secrets.secretEncryptionKeys,
      ID_HASH_SECRET: secrets.idHashSecret,
      PLAN_TOKEN_SECRET: secrets.planTokenSecret,
      EMR_BASE_URL: dev.emr.baseUrl,
      EMR_TOKEN: dev.emr.token,
      STRIPE_API_BASE: dev.stripe.apiBase,
      STRIPE_SECRET_KEY: dev.stripe.secretKey,
      INTAKE_DATABASE_URL: databaseUrl.href,
      INTAKE_API_KEY: 'intake',
      INTAKE_API_SECRET: secrets.intakeApiSecret,
      INTAKE_FORM_URL: `${dev.services.intake}/`,
      NOTIFICATION_URL: dev.services.notification,
      ORGANIZATION_URL: dev.services.organization,
      ...settings,
    },
  });
  const ended = once(gateway, 'exit');
  const isReady = await Promise.race([once(gateway, 'message').then(() => true), ended.then(() => false)]);
  if (!isReady) throw new Error('The intake did not start');
  return {
    dev: { ...dev, services: { ...dev.services, intake: `http://127.0.0.1:${port}` } },
    stop: async () => {
      gateway.kill('SIGTERM');
      await ended;
    },
  };
}
