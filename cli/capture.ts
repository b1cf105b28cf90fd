import type { Command } from 'commander';
import { bearer } from './admin.js';
import { scrubHistory, type WirePayload } from './scrub-history.js';
import { readSystem } from './system.js';
import { codeVocabulary } from './vocabulary.js';

const decodeWithinMs = 30_000;
/** The codec server takes 16 MiB, and a payload may be 2 MiB. */
const payloadsAtOnce = 100;

/**
 * `rx capture`: prints a run's history as a replay test for later code (CONTRIBUTING.md, "The replay rule"). It imports
 * the Temporal client lazily: a static import would double the start time of every command.
 */
export function addCaptureCommand(program: Command): void {
  program
    .command('capture')
    .argument('<workflow id>', 'as shown in the Web UI')
    .argument('[run id]', 'the newest run by default')
    .description("print a run's history without patient data, for tests/replay/histories")
    .action(async (workflowId: string, runId?: string) => {
      const { fetchHistory } = await import('../platform/temporal/history.js');
      const history = await fetchHistory(workflowId, runId);
      const { events } = (await scrubHistory(history, await signInAtCodecServer(), codeVocabulary())) as {
        events: object[];
      };
      // One event per line makes diffs readable.
      console.log(`{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}`);
    });
}

/**
 * The codec server decodes, and records who read which run (D88).
 * @returns decodes for as long as an admin token is valid
 */
export async function signInAtCodecServer(): Promise<(sealed: WirePayload[]) => Promise<WirePayload[]>> {
  const { codec } = readSystem().services;
  if (codec === undefined) throw new Error("The address of codec is not in the system's description.");
  const headers = { ...(await bearer()), 'content-type': 'application/json' };
  return async (sealed) => {
    const opened: WirePayload[] = [];
    for (let first = 0; first < sealed.length; first += payloadsAtOnce) {
      const response = await fetch(new URL('/decode', codec), {
        method: 'POST',
        headers,
        body: JSON.stringify({ payloads: sealed.slice(first, first + payloadsAtOnce) }),
        signal: AbortSignal.timeout(decodeWithinMs),
      });
      if (!response.ok) throw new Error(`The codec server answered ${response.status}`);
      opened.push(...((await response.json()) as { payloads: WirePayload[] }).payloads);
    }
    return opened;
  };
}
