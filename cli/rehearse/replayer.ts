import { constants, setPriority } from 'node:os';
import { messageWithAdvice } from '../../platform/certificate-advice.js';
import { openTemporal } from '../../platform/temporal/history.js';
import { signInAtCodecServer } from '../codec-server.js';
import { scrubHistory } from '../scrub-history.js';
import { codeVocabulary } from '../vocabulary.js';
import { type Builds, compareBuilds, type Difference } from './compare.js';
import { type RecordedRun, runOf, silenceSdk } from './digest.js';

export interface RunId {
  workflowId: string;
  runId: string;
}

/** What a process of `rx rehearse` is sent: batches of runs, and once the builds. */
export type Task = { builds: Builds } | { runs: readonly RunId[] };

/** What became of a batch. */
export interface Replays {
  replayed: number;
  found: { workflowId: string; difference: Difference }[];
}
export type Answer = Replays | { failure: string };

/** A process of `rx rehearse`: reads batches of runs and replays them, one batch after the other. */
function answerBatches(): void {
  silenceSdk();
  // Live workers may share the machine, and come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const temporal = openTemporal();
  const vocabulary = codeVocabulary();
  let take: (builds: Builds) => void;
  const builds = new Promise<Builds>((resolve) => (take = resolve));
  let turn = Promise.resolve();

  /** The runs by their ids, without patient data. */
  async function recorded(runs: readonly RunId[]): Promise<Map<string, RecordedRun>> {
    const { fetch } = await temporal;
    const decode = await signInAtCodecServer();
    const read = new Map<string, RecordedRun>();
    for (const { workflowId, runId } of runs) {
      const history = await fetch(workflowId, runId).catch(unlessGone);
      if (history === undefined) continue;
      const scrubbed = (await scrubHistory(history, decode, vocabulary)) as RecordedRun['history'];
      read.set(workflowId, runOf(scrubbed, workflowId));
    }
    return read;
  }

  async function compared(reading: Promise<Map<string, RecordedRun>>): Promise<Replays> {
    const runs = await reading;
    const differences = await compareBuilds([...runs.values()], await builds);
    const found = [...runs.keys()].flatMap((workflowId, index) => {
      const difference = differences[index];
      return difference ? { workflowId, difference } : [];
    });
    return { replayed: runs.size, found };
  }

  process.on('message', (task: Task) => {
    if ('builds' in task) {
      take(task.builds);
      return;
    }
    // Read while the batch before it is replayed.
    const reading = recorded(task.runs);
    turn = Promise.allSettled([turn, reading]).then(async () => {
      const answer: Answer = await compared(reading).catch((error: unknown) => ({
        failure: messageWithAdvice(error),
      }));
      process.send?.(answer);
    });
  });
  // The command has ended, in whatever way.
  process.once('disconnect', () => process.exit());
}

/** Temporal drops runs after their retention, also while we read. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error;
}

answerBatches();
