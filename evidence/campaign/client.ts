import { setTimeout as pause } from 'node:timers/promises';
import type { DevJson } from '../../dev/dev-json.js';
import { endedRun } from '../../tests/api/orchestrator/approvals.js';
import type { Answer } from '../../tests/helpers/client.js';
import type { Case } from './stories.js';

/** The patience of a client without a result, from its first request. */
const patienceMs = 600_000;

/** The final record of a task, also if an outage failed its first run and a bulk retry resumed it. */
export async function learn(dev: DevJson, known: Case): Promise<void> {
  const run = await endedRun(dev, known.reference.replace(/^(refill-.*)-\d+$/, '$1'));
  if (!run || (run.status !== 'completed' && run.status !== 'failed')) return;
  const { status, failedStep, error, warnings } = run;
  Object.assign(known, { status, failedStep, error, warnings });
  // Another client's check may send a refill.
  known.startedMs = Math.min(known.startedMs, Date.parse(String(run.createdAt)));
  known.endedMs = Date.parse(String(run.updatedAt));
}

/** Repeats a request until one of these statuses answers it, as a client does after a network error, 5xx or 429. */
export const repeated = <T>(
  known: Case,
  send: () => Promise<Answer<T>>,
  ends: readonly number[] = [200],
): Promise<Answer<T>> =>
  until(known, async () => {
    known.requests += 1;
    const answer = await send();
    // A failed run answers 500 with its step. A 500 without a step is our own fault, so the client repeats.
    const { failedStep } = answer.body as { failedStep?: string };
    const isEnd = ends.includes(answer.status) && (answer.status !== 500 || failedStep !== undefined);
    return (isEnd || (answer.status >= 400 && answer.status < 429)) && answer;
  });

/** Polls, whatever is down meanwhile. @throws Error on timeout */
export async function until<T>({ startedMs }: Case, look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (Date.now() > startedMs + patienceMs) throw new Error('The client gave up');
    await pause(500);
  }
}
