import { fileURLToPath } from 'node:url';

/** The checkout: where children run, so that relative paths resolve wherever the command was given. */
export const projectRoot = fileURLToPath(new URL('..', import.meta.url));
