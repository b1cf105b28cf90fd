import { startApi } from '../../api/server.js';
import { createSql } from '../../db/client.js';
import { services } from '../../api/services.js';
import { loadConfig } from '../../platform/config.js';
import type { StoringService } from '../../platform/service-names.js';
import { createLogger } from '../../platform/logger.js';
import { installRuntime } from '../../platform/temporal/runtime.js';
import { openImpatientClient, unservedKeys } from './impatient-client.js';

// A process of its own: it tells of the runs it begins, and is told how long to wait for them.
const names = process.argv.slice(2) as StoringService[];
const config = loadConfig(process.env, names);
const logger = createLogger({ level: 'error' });
installRuntime(logger);
const { TEMPORAL_ADDRESS: address = '', TEMPORAL_NAMESPACE: namespace = '' } = process.env;
const impatient = await openImpatientClient({ address, namespace }, unservedKeys, (begun) =>
  process.send?.({ begun }),
);
process.on('message', (patienceMs: number) => {
  impatient.patienceMs = patienceMs;
  process.send?.({ patienceMs });
});
process.on('disconnect', () => process.exit(0));
for (const name of names) {
  const sql = createSql(config.databaseUrl(name), { applicationName: name, max: 4 });
  await startApi(name, services[name], { config, logger, temporal: impatient.client, sql });
}
process.send?.({ ready: true });
