import { loadClientConnectConfig } from '@temporalio/envconfig';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { searchAttributeTypes } from '../../domain/search-attributes.js';
import { temporal } from './proto.js';

const { IndexedValueType } = temporal.api.enums.v1;
const indexedValueTypes = {
  KEYWORD: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  KEYWORD_LIST: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
  DATETIME: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
} as const;
/** Operators can read closed workflows for 30 days. Tables, not histories, prevent repeated effects. */
const retentionSeconds = 30 * 24 * 3600;
/** Twice the time that a server caches search attributes. */
const knownWithinMs = 120_000;
const invalidArgument = '3';
const notFound = '5';
const alreadyExists = '6';

/**
 * Prepares the namespace that the standard environment names: creates it if missing, adds search attributes and raises
 * the retention. Safe to repeat.
 * @throws Error of the server if we may not create namespaces, as in Temporal Cloud
 */
export async function setupTemporal(env: NodeJS.ProcessEnv): Promise<void> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig({
    overrideEnvVars: definedOnly(env),
  });
  const connection = await Connection.connect(connectionOptions);
  try {
    await ensureNamespace(connection, namespace);
    await registerSearchAttributes(connection, namespace);
    await raiseRetention(connection, namespace);
  } finally {
    await connection.close();
  }
}

async function ensureNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  try {
    await workflowService.describeNamespace({ namespace });
    return;
  } catch (error) {
    if (codeOf(error) !== notFound) throw error;
  }
  const workflowExecutionRetentionPeriod = { seconds: retentionSeconds as never };
  await workflowService
    .registerNamespace({ namespace, workflowExecutionRetentionPeriod })
    .catch((error: unknown) => {
      if (codeOf(error) !== alreadyExists) throw error;
    });
  // Each host of the server refreshes its namespaces, about every ten seconds.
  await untilKnown({ workflowService }, namespace, '', notFound);
}

const codeOf = (error: unknown): string | undefined =>
  isGrpcServiceError(error) ? String(error.code) : undefined;

async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(searchAttributeTypes).filter(([name]) => !(name in customAttributes));
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, indexedValueTypes[type]])),
  });
  const query = Object.keys(searchAttributeTypes).map((name) => `${name} is null`);
  // Until the server knows them, it rejects every start of ours.
  await untilKnown(connection, namespace, query.join(' and '), invalidArgument);
}

/** Repeats a query while it fails with this code. */
async function untilKnown(
  { workflowService }: Pick<Connection, 'workflowService'>,
  namespace: string,
  query: string,
  code: string,
): Promise<void> {
  const deadline = Date.now() + knownWithinMs;
  for (;;) {
    try {
      await workflowService.countWorkflowExecutions({ namespace, query });
      return;
    } catch (error) {
      if (codeOf(error) !== code || Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

/** Keeps a longer retention. */
async function raiseRetention(connection: Connection, namespace: string): Promise<void> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  if (Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) >= retentionSeconds) return;
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: { seconds: retentionSeconds as never } },
  });
}

const definedOnly = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
