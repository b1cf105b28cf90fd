import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../../workers/bundle.js';
import { compiledSources } from '../../dev/compile.js';

/** A build of the system whose workflows are those of `next-workflows.ts`. */
interface NextRelease {
  /** As `compiledSources` gives it. */
  sources: string;
  remove: () => Promise<void>;
}

export async function buildNextRelease(): Promise<NextRelease> {
  const present = await compiledSources();
  // Beside it, so that the same packages are found.
  const sources = await mkdtemp(join(dirname(present), 'next-'));
  await cp(present, sources, { recursive: true });
  const bundle = join(sources, 'workers/workflow-bundle.js');
  await writeFile(
    bundle,
    await bundleWorkflows(fileURLToPath(new URL('next-workflows.ts', import.meta.url))),
  );
  return { sources, remove: () => rm(sources, { recursive: true, force: true }) };
}
