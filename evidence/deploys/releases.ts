import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../../workers/bundle.js';
import { compiledSources } from '../../dev/compile.js';

/** Builds the system with the workflows of `next-workflows.ts`. */
interface NextRelease {
  /** A folder of `compiledSources`. */
  sources: string;
  remove: () => Promise<void>;
}

export async function buildNextRelease(): Promise<NextRelease> {
  const present = await compiledSources();
  // Beside it, so that imports find the same packages.
  const sources = await mkdtemp(join(dirname(present), 'next-'));
  await cp(present, sources, { recursive: true });
  const bundle = join(sources, 'workers/workflow-bundle.js');
  await writeFile(
    bundle,
    await bundleWorkflows(fileURLToPath(new URL('next-workflows.ts', import.meta.url))),
  );
  return { sources, remove: () => rm(sources, { recursive: true, force: true }) };
}
