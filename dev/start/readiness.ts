import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '../../platform/service-names.js';

const limitMs = 60_000;
const answerMs = 2_000;

/**
 * Waits until every service is ready (`GET /ready`, D2).
 * @throws Error that names services not ready within 60 s and their last answer
 */
export async function awaitReadiness(
  services: Readonly<Record<ServiceName, string>>,
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = Date.now() + limitMs;
  const outcomes = await Promise.all(
    Object.entries(services).map(async ([name, url]) => {
      for (;;) {
        signal.throwIfAborted();
        const answer = await askReady(url);
        if (answer === 'ready') return [];
        if (Date.now() > deadlineMs) return [`${name} (${answer})`];
        await pause(50);
      }
    }),
  );
  const late = outcomes.flat();
  if (late.length > 0) throw new Error(`Not ready within 60 s: ${late.join(', ')}.`);
}

async function askReady(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(answerMs) });
    const text = await response.text();
    return response.status === 200 ? 'ready' : `status ${response.status}: ${text.slice(0, 200)}`;
  } catch (error) {
    return error instanceof Error ? error.message : 'no answer';
  }
}
