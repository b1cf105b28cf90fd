import fc from 'fast-check';

/** `MODEL_SEED` makes other stories; a failure names the seed, and the path to its shortest story. */
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_123);

/** @throws with the seed and the shortest story that goes wrong */
export const holds = <Story>(
  stories: fc.Arbitrary<Story>,
  numRuns: number,
  live: (story: Story) => Promise<void>,
): Promise<void> => fc.assert(fc.asyncProperty(stories, live), { seed, numRuns });

/**
 * The same for something broken on purpose.
 * @returns the shortest story that shows it, and what was found
 * @throws when nothing was found
 */
export async function shortestFailure<Story>(
  stories: fc.Arbitrary<Story>,
  numRuns: number,
  live: (story: Story) => Promise<void>,
): Promise<{ story: Story; found: string; firstFound: Story }> {
  const checked = await fc.check(fc.asyncProperty(stories, live), { seed, numRuns, verbose: true });
  if (!checked.failed || checked.counterexample === null)
    throw new Error(`${checked.numRuns} stories with seed ${seed} show nothing of what was broken`);
  const [story] = checked.counterexample;
  const firstFound = checked.failures[0]?.[0] ?? story;
  return { story, firstFound, found: String(checked.errorInstance) };
}

/** Batches of commands: those of one batch are sent at once, and the next one when all are answered. */
export const batchesOf = <Command>(
  command: fc.Arbitrary<Command>,
  { batches, atOnce }: { batches: number; atOnce: number },
): fc.Arbitrary<Command[][]> =>
  fc.array(fc.array(command, { minLength: 1, maxLength: atOnce }), { minLength: 1, maxLength: batches });
