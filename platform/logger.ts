import { pino, type Logger } from 'pino';
import { currentRequestId } from './request-context.js';

export type { Logger };

/**
 * The only fields a log line may carry. Anything else is dropped, so that a patient's data cannot reach a log by
 * somebody logging one object too many. `patientId` is the directory's, never the EMR's; `entry` is the outbox's.
 */
const allowedFields = new Set([
  'service', 'requestId', 'method', 'route', 'statusCode', 'durationMs', 'port', 'address', 'taskQueue', 'queues',
  'workflowType', 'workflowId', 'runId', 'activityType', 'attempt', 'taskId', 'submissionId', 'step', 'pharmacy',
  'party', 'reason', 'warning', 'outcome', 'count', 'keyId', 'logId', 'channel', 'notificationType', 'signal',
  'webhookEventId', 'patientId', 'entry', 'err', 'sdkComponent', 'namespace', 'actor', 'pid', 'hosted', 'migration', 'from', 'to', 'state',
]); // prettier-ignore

export const allowedOf = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => allowedFields.has(name)));

/**
 * Type, code and stack frames of an error; its message only where its class vouches by a field `safeToLog` that we
 * compose it ourselves, without personal data.
 */
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

/** JSON lines on standard output; one logger per process, children per service. */
export function createLogger(options: { level: string; service?: string }): Logger {
  return pino({
    level: options.level,
    base: options.service === undefined ? {} : { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    formatters: {
      level: (label) => ({ level: label }),
      log: allowedOf,
    },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
  });
}
