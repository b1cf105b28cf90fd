import { mkdirSync, writeFileSync } from 'node:fs';
import { manifests } from './manifests.js';

/** `npm run generate -- manifests [<image>]`: writes deploy/kubernetes. */
mkdirSync('deploy/kubernetes', { recursive: true });
for (const [name, text] of Object.entries(manifests(process.argv[2])))
  writeFileSync(`deploy/kubernetes/${name}`, text);
