import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledSources } from '../../dev/compile.js';
import type { DevJson } from '../../dev/dev-json.js';
import { inheritedEnvironment, productEnvironment } from '../../dev/start/environment.js';
import { freePorts } from '../../dev/start/ports.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import type { ServiceName } from '../../platform/service-names.js';

export interface SecondApi {
  /** Where each of its services is reached; like those of `dev.json`. */
  services: Record<ServiceName, string>;
  /** Its health port. */
  health: string;
  /** The code with which its process has ended. */
  ended: Promise<number | null>;
  stop: () => Promise<void>;
}

/**
 * Further processes of some services beside those of the shared system, on its data, with settings of their own, and
 * workers of these queues.
 */
export async function startSecondApi(
  dev: DevJson,
  names: readonly ServiceName[],
  settings: Record<string, string>,
  queues = 'none',
): Promise<SecondApi> {
  const stateDir = process.env['SCRIPTRAIL_STATE_DIR'] ?? '.local';
  const host = '127.0.0.1';
  const ports = await freePorts(host);
  const product = productEnvironment({
    host,
    ports,
    secrets: loadSecrets(stateDir),
    sandboxDataDir: join(stateDir, 'sandbox'),
    settings: {
      DATABASE_URL: dev.databaseUrl,
      TEMPORAL_ADDRESS: dev.temporal.address,
      ...sharedUrls(dev, names),
      ...settings,
    },
  });
  const child = fork(
    join(await compiledSources(), 'main.js'),
    ['--api', names.join(','), '--workers', queues],
    {
      execArgv: [],
      env: {
        ...inheritedEnvironment(),
        ...product,
        HEALTH_PORT: String(ports.health),
        LOG_LEVEL: settings['LOG_LEVEL'] ?? 'error',
      },
    },
  );
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]);
  if (!isReady) throw new Error('The second API ended before it was ready; its log is above.');
  return {
    services: Object.fromEntries(names.map((name) => [name, product[`${name.toUpperCase()}_URL`]])) as Record<
      ServiceName,
      string
    >,
    health: `http://${host}:${ports.health}`,
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The services that it does not host are those of the shared system. */
const sharedUrls = ({ services }: DevJson, hosted: readonly ServiceName[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(services)
      .filter(([name]) => !(hosted as readonly string[]).includes(name))
      .map(([name, url]) => [`${name.toUpperCase()}_URL`, url]),
  );

const most = '1000000';
/** For whoever asks more often than any client may. */
export const unlimited = {
  RATE_LIMIT_UNVERIFIED_PER_MINUTE: most,
  RATE_LIMIT_PER_KEY_PER_MINUTE: most,
  RATE_LIMIT_CODES_PER_MINUTE: most,
  RATE_LIMIT_CARD_SESSIONS_PER_MINUTE: most,
};
