import type { Command } from 'commander';
import { bearer } from './admin.js';
import { scrubHistory, type WirePayload } from './scrub-history.js';
import { readSystem } from './system.js';
import { codeVocabulary } from './vocabulary.js';

const decodeWithinMs = 30_000;
/** The codec server takes 16 MiB, and a payload may be 2 MiB. */
const payloadsAtOnce = 100;

/**
 * `rx capture`: a real run's history as one that all later code must be able to carry on (CONTRIBUTING.md, "The replay
 * rule"). The Temporal client is loaded when it is asked for: every other command would take twice as long to start.
 */
export function addCaptureCommand(program: Command): void {
  program
    .command('capture')
    .argument('<workflow id>', 'of the run, as the Web UI shows it')
    .argument('[run id]', 'of one run of several under the id; the newest otherwise')
    .description("print a run's history, without whom it is about, to be kept under tests/replay/histories")
    .action(async (workflowId: string, runId?: string) => {
      const { fetchHistory } = await import('../platform/temporal/history.js');
      const history = await fetchHistory(workflowId, runId);
      const { events } = (await scrubHistory(history, decode, codeVocabulary())) as { events: object[] };
      // One event per line, so that a reader sees what there is.
      console.log(`{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}`);
    });
}

/** By the codec server, which notes in the audit who looked at which run (D88). */
async function decode(sealed: WirePayload[]): Promise<WirePayload[]> {
  const { codec } = readSystem().services;
  if (codec === undefined) throw new Error("The address of codec is not in the system's description.");
  const headers = { ...(await bearer()), 'content-type': 'application/json' };
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
}
