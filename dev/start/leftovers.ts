import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { writeFileAtomically } from '../atomic-file.js';
import { isAlive, processIdentitySchema, signalProcess, type ProcessIdentity } from '../process-identity.js';
import type { Report } from '../progress.js';

const recordedChildSchema = processIdentitySchema.extend({
  name: z.string(),
  stopSignal: z.enum(['SIGTERM', 'SIGINT']),
});
/** A child as recorded on disk, in case its supervisor is killed. */
export type RecordedChild = z.infer<typeof recordedChildSchema>;

const recordPath = (stateDir: string): string => join(stateDir, 'children.json');
/**
 * Children of a killed supervisor lose nothing by a kill, so SIGKILL follows SIGTERM at once. Only Postgres has time:
 * if it is killed, its processes may keep the next server from starting.
 */
const politeMs: Record<RecordedChild['stopSignal'], number> = { SIGTERM: 0, SIGINT: 5_000 };

export function recordChildren(stateDir: string, children: readonly RecordedChild[]): void {
  writeFileAtomically(recordPath(stateDir), `${JSON.stringify(children, null, 2)}\n`);
}

/** Stops the processes that a killed start left running. Pid and start time must match the record. */
export async function stopLeftovers(stateDir: string, report: Report): Promise<void> {
  const left = readRecord(stateDir).filter(isAlive);
  if (left.length === 0) return;
  report(`Stopping what an earlier start left running: ${left.map(({ name }) => name).join(', ')}`);
  await Promise.all(left.map((child) => stopProcess(child, child.stopSignal, politeMs[child.stopSignal])));
  recordChildren(stateDir, []);
}

/** Signals a process and waits for its exit; sends SIGKILL after the timeout. */
export async function stopProcess(
  target: ProcessIdentity,
  signal: NodeJS.Signals,
  withinMs: number,
): Promise<void> {
  signalProcess(target, signal);
  const deadlineMs = Date.now() + withinMs;
  while (isAlive(target)) {
    if (Date.now() > deadlineMs) signalProcess(target, 'SIGKILL');
    await pause(20);
  }
}

function readRecord(stateDir: string): RecordedChild[] {
  const path = recordPath(stateDir);
  return existsSync(path) ? z.array(recordedChildSchema).parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
}
