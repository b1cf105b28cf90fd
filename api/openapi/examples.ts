import { existsSync, readFileSync } from 'node:fs';
import type { Examples } from './page.js';

/**
 * Requests and answers of a development system as they were recorded (`npm run generate -- examples`), by the name that the
 * service's health has.
 */
export function examplesOf(healthName: string): Examples {
  const file = new URL(`examples/${healthName}.json`, import.meta.url);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Examples) : {};
}
