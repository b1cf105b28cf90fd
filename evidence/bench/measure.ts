import { performance } from 'node:perf_hooks';

export type Work = () => Promise<unknown>;

/** Measures one call in milliseconds. */
async function timed(work: Work): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/**
 * Times several works in turns, so that other load affects all of them alike.
 * @returns per work its times in milliseconds, ascending
 */
export async function timeInTurns<Name extends string>(
  works: Record<Name, Work>,
  { rounds, withinMs }: { rounds: number; withinMs: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(works) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const endAt = performance.now() + withinMs;
  for (let round = 0; round < rounds && performance.now() < endAt; round += 1)
    for (const name of names) times[name].push(await timed(works[name]));
  for (const name of names) times[name].sort((a, b) => a - b);
  return times;
}

/** Runs a work `runs` times or for `withinMs`, with `inFlight` concurrent calls. */
export async function flood(
  work: Work,
  { runs, inFlight, withinMs = Infinity }: { runs: number; inFlight: number; withinMs?: number },
): Promise<{ done: number; tookMs: number }> {
  const endAt = performance.now() + withinMs;
  let started = 0;
  const lane = async () => {
    while (started < runs && performance.now() < endAt) {
      started += 1;
      await work();
    }
  };
  const tookMs = await timed(() => Promise.all(Array.from({ length: inFlight }, lane)));
  return { done: started, tookMs };
}

/** @param ascending sorted values @param share 0.5 for the median */
export function quantile(ascending: readonly number[], share: number): number {
  const value = ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}
