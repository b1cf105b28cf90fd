import { fileURLToPath } from 'node:url';

/** The checkout. Children run here, so that relative paths resolve from any folder. */
export const projectRoot = fileURLToPath(new URL('..', import.meta.url));
