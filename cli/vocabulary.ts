import { readdirSync, readFileSync } from 'node:fs';

/** Rules and workflows stand beside this room, as sources and in a build. */
const rooms = ['domain/', 'workflows/'].map((room) => new URL(`../${room}`, import.meta.url));
/** Texts in quotes, the keys of tables, and what ids of runs begin with. */
const named = /'([^'\\\n]{1,60})'|"([^"\\\n]{1,60})"|`([a-z-]+):\$|\b([A-Za-z_]\w*):/g;

/** Every text that the rules and workflows name themselves: what says nothing about anybody. */
export function codeVocabulary(): ReadonlySet<string> {
  const words = new Set<string>();
  for (const room of rooms)
    for (const file of readdirSync(room, { recursive: true, encoding: 'utf8' }))
      if (/(?<!\.d)\.[tj]s$/.test(file))
        for (const [, single, double, prefix, key] of readFileSync(new URL(file, room), 'utf8').matchAll(
          named,
        ))
          words.add((single ?? double ?? prefix ?? key ?? '').replace(/:$/, ''));
  return words;
}
