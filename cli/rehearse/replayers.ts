import { type ChildProcess, fork } from 'node:child_process';
import type { Batch } from './batches.js';
import type { Builds } from './compare.js';
import { moduleOf, thisBuild } from './digest.js';
import type { Answer, Replays, RunId } from './replayer.js';

/** The SDK replays in the thread that asks, so each core has a process. */
const processes = 2;
/** One is read while another is replayed. */
const batchesEach = 2;

/**
 * Replays batches in processes of their own, which read the first ones while the builds are bundled.
 * @returns what became of each, in their order
 */
export async function* replayAll(
  batches: AsyncIterable<Batch>,
  builds: Promise<Builds>,
): AsyncGenerator<Replays & { until: string }> {
  const replayers: Replayer[] = [];
  const pending: Promise<Replays & { until: string }>[] = [];
  let next = 0;
  // Thrown with the first batch, or at the end where there is none.
  builds.catch(() => undefined);
  try {
    for await (const { runs, until } of batches) {
      const replayer = (replayers[next] ??= new Replayer(builds));
      next = (next + 1) % processes;
      const answer = Promise.all([replayer.replay(runs), builds]).then(([replays]) => ({
        ...replays,
        until,
      }));
      // The loop throws it when it comes to this batch.
      answer.catch(() => undefined);
      pending.push(answer);
      if (pending.length === processes * batchesEach) yield* pending.splice(0, 1);
    }
    yield* pending;
    await builds;
  } finally {
    for (const replayer of replayers) replayer.stop();
  }
}

class Replayer {
  readonly #child: ChildProcess = fork(moduleOf(thisBuild, 'cli/rehearse/replayer'));
  /** Batches without an answer, which come in their order. */
  readonly #asked: { resolve: (replays: Replays) => void; reject: (error: Error) => void }[] = [];

  constructor(builds: Promise<Builds>) {
    builds.then(
      // Where it cannot be told, it has ended.
      (made) => this.#child.send({ builds: made }, () => undefined),
      () => undefined,
    );
    this.#child.on('message', (answer: Answer) => {
      const asked = this.#asked.shift();
      if ('failure' in answer) asked?.reject(new Error(answer.failure));
      else asked?.resolve(answer);
    });
    this.#child.once('exit', () => {
      for (const { reject } of this.#asked.splice(0)) reject(new Error('A process that replays has ended.'));
    });
  }

  replay(runs: readonly RunId[]): Promise<Replays> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#child.send({ runs }, (error) => error && reject(error));
    });
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
