import { mkdirSync, writeFileSync } from 'node:fs';
import { manifests } from './manifests.js';

/** `npm run generate -- manifests`: writes deploy/kubernetes. */
mkdirSync('deploy/kubernetes', { recursive: true });
for (const [name, text] of Object.entries(manifests())) writeFileSync(`deploy/kubernetes/${name}`, text);
