import { readdirSync, readFileSync } from 'node:fs';

const folders = ['domain/', 'workflows/'].map((folder) => new URL(`../${folder}`, import.meta.url));
/** String literals, property names, and prefixes of workflow ids. */
const named = /'([^'\\\n]{1,60})'|"([^"\\\n]{1,60})"|`([a-z-]+):\$|\b([A-Za-z_]\w*):/g;

/** Every text in the source of the rules and workflows. None is about a patient. */
export function codeVocabulary(): ReadonlySet<string> {
  const words = new Set<string>();
  for (const folder of folders)
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/(?<!\.d)\.[tj]s$/.test(file))
        for (const [, single, double, prefix, key] of readFileSync(new URL(file, folder), 'utf8').matchAll(
          named,
        ))
          words.add((single ?? double ?? prefix ?? key ?? '').replace(/:$/, ''));
  return words;
}
