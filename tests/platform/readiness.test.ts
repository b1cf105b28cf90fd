import { afterAll, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { createApp } from '../../api/app.js';
import type { ServiceContext } from '../../api/context.js';
import { services } from '../../api/services.js';
import { createSql, type Sql } from '../../db/client.js';
import { productEnvironment } from '../../dev/start/environment.js';
import { portsFrom } from '../../dev/start/ports.js';
import { makeSecrets } from '../../dev/start/secrets.js';
import { loadConfig } from '../../platform/config.js';
import { createLogger } from '../../platform/logger.js';
import { serviceNames } from '../../platform/service-names.js';

const config = loadConfig(
  productEnvironment({
    host: '127.0.0.1',
    ports: portsFrom({}),
    secrets: makeSecrets(),
    sandboxDataDir: '/sandbox',
    settings: {},
  }),
  serviceNames,
);
/** Nothing listens there. */
const sql: Sql = createSql('postgres://nobody@127.0.0.1:1/none', { applicationName: 'test' });
afterAll(() => sql.end());
const context = {
  config,
  sql,
  logger: createLogger({ level: 'silent' }),
  temporal: new Client(),
} satisfies ServiceContext;

test('however many ask whether a service is ready, what it depends on is looked at once at a time', async () => {
  let looks = 0;
  let answer: (value?: unknown) => void = () => undefined;
  const postgres = () => {
    looks += 1;
    return new Promise((resolve) => (answer = resolve));
  };
  const app = await createApp(
    { ...services.patients, routes: async () => undefined, probes: () => ({ postgres }) },
    context,
  );
  const asked = Array.from({ length: 20 }, () => app.inject('/ready'));
  // Asked last: by its answer the others have been heard.
  await app.inject('/health');
  answer();
  expect(new Set((await Promise.all(asked)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(looks).toBe(1);

  const later = app.inject('/ready');
  await app.inject('/health');
  answer();
  expect([(await later).statusCode, looks]).toEqual([200, 2]);
  await app.close();
});
