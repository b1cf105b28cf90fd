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
/** Closed runs stay readable for 30 days; the tables, not the retention, are what keeps an effect from repeating. */
const retentionSeconds = 30 * 24 * 3600;
/** Twice as long as a server keeps the names of search attributes by heart. */
const knownWithinMs = 120_000;
/** The gRPC statuses of a query that names what is not known, of a namespace that is not there, and of one that is. */
const invalidArgument = '3';
const notFound = '5';
const alreadyExists = '6';

/**
 * Prepares the namespace of any Temporal server, reached by the standard environment: makes it where it is missing, and
 * sees to search attributes and retention. Safe to repeat.
 * @throws Error of the server where it is not ours to make namespaces, as in Temporal Cloud, where they are made before
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
  await untilServed(isServed);

  /** Every host of the server learns of it by itself, within ten seconds or so. */
  async function isServed(): Promise<boolean> {
    return workflowService.countWorkflowExecutions({ namespace, query: '' }).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) !== notFound) throw error;
        return false;
      },
    );
  }
}

async function untilServed(isServed: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + knownWithinMs;
  while (!(await isServed())) {
    if (Date.now() > deadline)
      throw new Error('The namespace was made, but is not served yet: run this again.');
    await sleep(200);
  }
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
  await untilKnown(connection, namespace);
}

/** The server takes its time to know what was added: until then it refuses every start of ours. */
async function untilKnown(connection: Connection, namespace: string): Promise<void> {
  const query = Object.keys(searchAttributeTypes)
    .map((name) => `${name} is null`)
    .join(' and ');
  const deadline = Date.now() + knownWithinMs;
  for (;;) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return;
    } catch (error) {
      if (codeOf(error) !== invalidArgument || Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

/** Never shortens what an operator has set. */
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
