import { writeFileSync } from 'node:fs';
import { manifests } from './manifests.js';

/** `npm run generate -- manifests`: writes deploy/kubernetes. */
for (const [name, text] of Object.entries(manifests())) writeFileSync(`deploy/kubernetes/${name}`, text);
