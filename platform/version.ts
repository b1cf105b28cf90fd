import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version of the release. `package.json` is the only place that states it for the product. */
export const version = versionAbove(dirname(fileURLToPath(import.meta.url)));

/** `dist` and the compiled sources of development lie at different depths below it. */
function versionAbove(folder: string): string {
  const file = join(folder, 'package.json');
  const stated = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version
    : undefined;
  if (stated !== undefined) return stated;
  if (dirname(folder) === folder) throw new Error('No package.json above this file states the version.');
  return versionAbove(dirname(folder));
}
