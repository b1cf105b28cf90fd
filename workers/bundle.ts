import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { failureConverterPath } from '../platform/temporal/codec.js';

/** Exists in a build only (`dev/build.ts`). */
const prebuilt = fileURLToPath(new URL('workflow-bundle.js', import.meta.url));
const root = new URL('../', import.meta.url);
const sources = [
  'workflows/',
  'domain/',
  'platform/temporal/failure-converter.cjs',
  'workers/bundle.ts',
  'package-lock.json',
];

/**
 * Returns the path of the file that bundles all workflows. A build contains it; in development it is made once per
 * state of the sources.
 */
export async function workflowBundle(): Promise<string> {
  if (existsSync(prebuilt)) return prebuilt;
  const folder = new URL('node_modules/.cache/scriptrail/', root);
  const file = fileURLToPath(new URL(`workflows-${await fingerprint()}.js`, folder));
  if (await stat(file).catch(() => undefined)) return file;
  const code = await bundleWorkflows(fileURLToPath(new URL('workflows/bundle.ts', root)));
  await mkdir(folder, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, code);
  await rename(unfinished, file);
  return file;
}

/**
 * @param workflowsPath the module that exports the workflows
 * @returns the text of the bundle
 */
export async function bundleWorkflows(workflowsPath: string): Promise<string> {
  const interceptors = fileURLToPath(new URL('workflows/interceptors.ts', root));
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [interceptors],
    // Loaded once per thread rather than per run, which is safe because none of them keeps state of a run.
    preloadModules: [workflowsPath, interceptors],
    failureConverterPath,
    // Stack traces name file and line. Sources in the map would cost memory in each worker thread.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
    logger: new DefaultLogger('ERROR'),
  });
  return code;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const files = source.endsWith('/') ? await readdir(new URL(source, root), { recursive: true }) : [''];
    for (const file of files.sort()) {
      const path = new URL(source + file, root);
      if ((await stat(path)).isFile()) hash.update(file).update(await readFile(path));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
