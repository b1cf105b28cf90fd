import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { DevJson } from '../../dev/dev-json.js';
import { createSql, type Sql } from '../../db/client.js';
import { type SpanReceiver, startSpanReceiver } from '../helpers/span-receiver.js';
import { startTestSystem, type TestSystem } from '../helpers/system.js';
import { openTemporal, type TemporalView } from '../helpers/temporal-view.js';
import { clearFaults } from './faults.js';

/**
 * The system that the tests of one Jest file break, one test after the other. Each file starts its own, because a fault
 * hits every caller. APIs and workers are two processes, so that a test can kill either.
 */
export let dev: DevJson;
export let stateDir: string;
/** The database as its owner sees it. */
export let sql: Sql;
export let temporal: TemporalView;
/** The collector of all traces of a file that searches everything. */
export let collector: SpanReceiver;

let isSearched = false;
/** For a file that searches what is logged and traced: the system logs and traces everything, which takes time. */
export const searchEverything = (): void => void (isSearched = true);

async function watched(): Promise<Record<string, string>> {
  collector = await startSpanReceiver();
  return {
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_SAMPLER_ARG: '1',
  };
}

let running: TestSystem;
beforeAll(async () => {
  // Lost orders stay lost here. long/lost-answers.test.ts tests how the router finds them.
  const env = { AUTO_APPROVE_FROM_EMR: 'true', ORDER_SETTLE_SECONDS: '3600' };
  running = await startTestSystem({ split: true, env: { ...env, ...(isSearched ? await watched() : {}) } });
  stateDir = running.stateDir;
  dev = running.system.dev;
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  temporal = await openTemporal(dev, stateDir);
});
afterEach(() => clearFaults(dev));
afterAll(async () => {
  await temporal.close();
  await sql.end();
  await running.stop();
  if (isSearched) await collector.close();
});
