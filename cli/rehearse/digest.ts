import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DataConverter, defaultPayloadConverter, type Payload } from '@temporalio/common';
import proto, { type coresdk } from '@temporalio/proto';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type InjectedSinks,
  Runtime,
  Worker,
  type WorkflowBundle,
} from '@temporalio/worker';
import { failureConverterPath } from '../../platform/temporal/codec.js';
import type { HistoryJson } from '../../platform/temporal/history.js';
import type { CommandSinks } from './watch-commands.js';

/** Leaves out the SDK's log lines: a replay that fails is an answer. */
export const silenceSdk = (): void =>
  void Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  });

const { WorkflowCommand } = proto.coresdk.workflow_commands;
export const thisBuild = fileURLToPath(new URL('../../', import.meta.url));

/** A module of a build, which has sources or what was compiled of them. */
export function moduleOf(build: string, name: string): string {
  const compiled = join(build, `${name}.js`);
  return existsSync(compiled) ? compiled : join(build, `${name}.ts`);
}

/**
 * The workflows with an interceptor that tells their decisions.
 * @param build the folder of a build or a checkout
 * @param changed code that must not pass as the same
 */
export function watchedBundle(
  build = thisBuild,
  changed?: { workflows: string; interceptors: string },
): Promise<WorkflowBundle> {
  const workflowsPath = changed?.workflows ?? moduleOf(build, 'workflows/index');
  const workflowInterceptorModules = [
    moduleOf(build, 'workflows/interceptors'),
    ...(changed ? [changed.interceptors] : []),
    moduleOf(build, 'cli/rehearse/watch-commands'),
  ];
  return bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules,
    // As workers do: modules are loaded once, not for each run.
    preloadModules: [workflowsPath, ...workflowInterceptorModules],
    failureConverterPath,
    logger: new DefaultLogger('ERROR'),
  });
}

/**
 * Local activities that run side by side may be answered in another order in a replay. That breaks the run if the
 * steps after them differ.
 */
export const overlap = '(!) two local activities at once';

/** A history under the id of its run. */
export interface RecordedRun {
  workflowId: string;
  history: HistoryJson;
}

interface Started {
  workflowId?: string;
  workflowType?: { name?: string };
}

/** Start and input of a run, from its history. */
export const startOf = ({ events }: HistoryJson): Started =>
  events[0]?.['workflowExecutionStartedEventAttributes'] ?? {};

/**
 * A history with the id of its run, of which the ids of its children are made. @param or where the server did not note
 * it
 */
export const runOf = (history: HistoryJson, or: string): RecordedRun => ({
  workflowId: startOf(history).workflowId ?? or,
  history,
});

/** One decision of a workflow, readable: what replay itself does not compare. */
export interface Decision {
  /** Its kind and type, such as `scheduleActivity chargePayment`. */
  name: string;
  /** Its subject, such as arguments and summary, a line per field. */
  fields: string[];
  /**
   * How it is carried out, such as timeouts and retries. Empty where the last one of that name in the run had the
   * same.
   */
  how: string[];
}

export interface Replayed {
  /** Everything the present code decides on this history. */
  decisions: Decision[];
  /** That the code does not fit the history. */
  error: Error | undefined;
}

/** Replays histories with a bundle of {@link watchedBundle}. @returns by the id of the run */
export async function replayWatched(
  workflowBundle: WorkflowBundle,
  histories: Iterable<RecordedRun>,
  dataConverter?: DataConverter,
): Promise<Map<string, Replayed>> {
  const decided = new Map<string, Decision[]>();
  const options = new Map<string, string>();
  const sinks: InjectedSinks<CommandSinks> = {
    commands: {
      decided: {
        callDuringReplay: true,
        fn({ workflowId, runId, firstExecutionRunId, taskQueue }, commands, details) {
          const told = commands.map((command) => {
            const { name, fields, how } = describe(command, taskQueue);
            const asBefore = options.get(`${workflowId} ${name}`) === how.join('\n');
            options.set(`${workflowId} ${name}`, how.join('\n'));
            return { name, fields, how: asBefore ? [] : how };
          });
          const note = (name: string, fields: string[] = []) => told.push({ name, fields, how: [] });
          if (commands.filter((command) => command.scheduleLocalActivity).length > 1) note(overlap);
          if (details !== undefined) note('currentDetails', [asText(details)]);
          const hidden = (line: string) =>
            masked(line.replaceAll(runId, '<run>').replaceAll(firstExecutionRunId, '<run>'));
          decided.set(workflowId, [
            ...(decided.get(workflowId) ?? []),
            ...told.map(({ name, fields, how }) => ({
              name: hidden(name),
              fields: fields.map(hidden),
              how: how.map(hidden),
            })),
          ]);
        },
      },
    },
  };
  const replayed = new Map<string, Replayed>();
  const worker = { workflowBundle, sinks, ...(dataConverter ? { dataConverter } : {}) };
  for await (const { workflowId, error } of Worker.runReplayHistories(worker, histories))
    replayed.set(workflowId, { decisions: decided.get(workflowId) ?? [], error });
  return replayed;
}

/** Without what the next recording has otherwise: random ids and moments. */
const masked = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\b2\d{3}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\b\d{13}\b/g, '<time>');

/** The protocol's own numbers, which follow from the order; where and by whom a failure was thrown. */
const untold = new Set(['seq', 'activityId', 'attempt', 'stackTrace', 'namespace', 'identity']);

/** How a command is executed. Shown again only where it differs from the last command of that type in the run. */
const carriedOut = /Timeout$|^retryPolicy$|^cancellationType$|^parentClosePolicy$|^workflowIdReusePolicy$/;

/** One command; its queue where that is not the run's own. */
function describe(command: coresdk.workflow_commands.IWorkflowCommand, ownQueue: string): Decision {
  const options = { enums: String, longs: Number };
  const { userMetadata, ...rest } = WorkflowCommand.toObject(command as never, options);
  const [[kind, body] = ['nothing', {}]] = Object.entries(rest);
  const fields = plain({ ...(body as object), ...(userMetadata as object) }) as Record<string, unknown>;
  const { activityType, workflowType, ...told } = fields;
  if (told['taskQueue'] === ownQueue) delete told['taskQueue'];
  const line = ([key, value]: [string, unknown]) => `${key}: ${asText(value)}`;
  const isHow = ([key]: [string, unknown]) => kind !== 'startTimer' && carriedOut.test(key);
  const named = [kind, activityType ?? workflowType].filter((word) => word !== undefined).map(asText);
  const entries = Object.entries(told);
  return {
    name: named.join(' '),
    fields: entries.filter((field) => !isHow(field)).map(line),
    how: entries.filter(isHow).map(line),
  };
}

const asText = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\n', '\\n') : JSON.stringify(value);

/** Payloads as the values they hold, durations in milliseconds, and nothing that is empty or as usual. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('metadata' in value && 'data' in value) return defaultPayloadConverter.fromPayload(value as Payload);
  if ('seconds' in value || 'nanos' in value) return duration(value as Duration);
  const told = Object.entries(value).filter(([key, held]) => !untold.has(key) && !isUsual(held));
  return Object.fromEntries(
    told.map(([key, held]) => {
      const shown = plain(held);
      return [key, key === 'encodedAttributes' ? (shown as { message: string }).message : shown];
    }),
  );
}

interface Duration {
  seconds?: number;
  nanos?: number;
}

/** Written values are round; others were computed from the clock or by chance. */
function duration({ seconds = 0, nanos = 0 }: Duration): string {
  const ms = seconds * 1000 + nanos / 1e6;
  return ms % 50 === 0 ? `${ms} ms` : '<computed>';
}

const isUsual = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  value === 'UNSPECIFIED' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
