import { pino } from 'pino';
import { currentRequestId } from './request-context.js';
import { currentTraceId } from './tracing.js';

/**
 * The only fields of log lines, so that no patient data reaches a log by accident. The compiler rejects others, and
 * `allowedOf` drops those of libraries. `patientId` is the directory's, never the EMR's; `entry` is the outbox's.
 */
const fieldNames = [
  'service',
  'requestId',
  'traceId',
  'method',
  'route',
  'statusCode',
  'durationMs',
  'port',
  'hosted',
  'queues',
  'version',
  'signal',
  'party',
  'reason',
  'state',
  'count',
  'actor',
  'taskId',
  'submissionId',
  'logId',
  'webhookEventId',
  'patientId',
  'physicianId',
  'codeId',
  'retryId',
  'entry',
  'runId',
  'workflowId',
  'workflowType',
  'activityType',
  'attempt',
  'taskQueue',
  'namespace',
  'sdkComponent',
] as const;
type FieldName = (typeof fieldNames)[number];
type Loggable = string | number | null | readonly string[];

export type LogFields = Partial<Readonly<Record<FieldName, Loggable>>> & { readonly err?: unknown };

interface Log {
  (message: string): void;
  (fields: LogFields, message: string): void;
}

export interface Logger {
  info: Log;
  warn: Log;
  error: Log;
  fatal: Log;
  child: (fields: LogFields) => Logger;
}

const allowed: ReadonlySet<string> = new Set([...fieldNames, 'err']);

export const allowedOf = (fields: object): LogFields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => allowed.has(name)));

/** Type, code and stack frames of an error. Its message too if its class has `safeToLog`: we compose it without patient data. */
export function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  const frames = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .join('\n');
  const safe = 'safeToLog' in error || error.name === 'ConfigError';
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(safe ? { message: error.message } : {}),
    ...(frames === undefined ? {} : { stack: frames }),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}

export function createLogger(options: { level: string; service?: string }): Logger {
  return pino({
    level: options.level,
    base: options.service === undefined ? {} : { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => ({ ...allowedOf(fields) }),
    },
    mixin: () => {
      const requestId = currentRequestId();
      const traceId = currentTraceId();
      return {
        ...(requestId === undefined ? {} : { requestId }),
        ...(traceId === undefined ? {} : { traceId }),
      };
    },
  });
}
