import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { storedFile, storedIds } from './stored.js';

/** `npm run replay:keep -- releases/<version>`: a release keeps the histories as they are, for all code after it. */
const folder = join(process.argv[2] ?? '', 'histories');
if (process.argv[2] === undefined) throw new Error('Say the folder of the release: releases/<version>');
for (const id of storedIds()) {
  const kept = join(folder, `${id}.json`);
  mkdirSync(dirname(kept), { recursive: true });
  copyFileSync(storedFile(id), kept);
}
