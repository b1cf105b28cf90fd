import { Client } from '@temporalio/client';
import { createApp } from '../../api/app.js';
import type { Service, ServiceContext } from '../../api/context.js';
import { services } from '../../api/services.js';
import { createSql } from '../../db/client.js';
import { loadConfig } from '../../platform/config.js';
import { createLogger } from '../../platform/logger.js';
import { type ServiceName, serviceNames } from '../../platform/service-names.js';
import { productEnvironment } from '../start/environment.js';
import { portsFrom } from '../start/ports.js';
import { makeSecrets } from '../start/secrets.js';

/** The OpenAPI page of every service, as `/openapi.json` answers it. No system has to run. */
export async function openApiPages(
  mode: 'development' | 'production' = 'development',
): Promise<Record<ServiceName, object>> {
  const environment = productEnvironment({
    host: '127.0.0.1',
    ports: portsFrom({}),
    secrets: makeSecrets(),
    sandboxDataDir: '/sandbox',
    settings: {},
  });
  const config = { ...loadConfig(environment, serviceNames), NODE_ENV: mode };
  // No server listens there, and rendering a page makes no call.
  const sql = createSql('postgres://nobody@127.0.0.1:1/none', { applicationName: 'pages' });
  const logger = createLogger({ level: 'silent' });
  const context: ServiceContext = { config, logger, sql, temporal: new Client() };
  const pages = await Promise.all(
    serviceNames.map(async (name) => {
      const app = await createApp(services[name] as Service, context);
      const page = app.swagger();
      await app.close();
      return [name, page] as const;
    }),
  );
  await sql.end();
  return Object.fromEntries(pages) as Record<ServiceName, object>;
}
