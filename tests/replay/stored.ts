import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Decision, RecordedRun } from '../../cli/rehearse/digest.js';
import type { HistoryJson } from '../../platform/temporal/history.js';

/** The workflow id of a replay case is the path of its files, `<workflowType>/<case>`. */
const folder = new URL('histories/', import.meta.url);
const fileOf = (id: string, extension: 'json' | 'txt') => new URL(`${id}.${extension}`, folder);

/** The ids of all stored histories. */
export function storedIds(): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('/') && file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/** A case whose decisions changed after a release has a second history, `<workflowType>/<case>.2`, beside the kept one. */
export const caseOf = (id: string): string => id.replace(/\.\d+$/, '');

/** Names of the newest history of a case, and of the one that would follow it. */
export function namesOf(id: string): { newest: string; next: string } {
  let number = 1;
  while (hasHistory(`${id}.${number + 1}`)) number += 1;
  return { newest: number === 1 ? id : `${id}.${number}`, next: `${id}.${number + 1}` };
}

export const storedFile = (id: string): URL => fileOf(id, 'json');
export const readText = (id: string): string => readFileSync(storedFile(id), 'utf8');

/** @param file where it is kept when that is not its id */
export const readHistory = (workflowId: string, file = workflowId): RecordedRun => ({
  workflowId,
  history: JSON.parse(readFileSync(fileOf(file, 'json'), 'utf8')) as HistoryJson,
});

export const hasHistory = (file: string): boolean => existsSync(fileOf(file, 'json'));
export const readDigest = (id: string): string => readFileSync(fileOf(id, 'txt'), 'utf8');

/** One event per line: short, and a change shows where it is. Who recorded it on which machine is left out. */
export function writeHistory({ workflowId, history: { events } }: RecordedRun, file = workflowId): void {
  const lines = events.map((event) => JSON.stringify(event, withoutIdentity)).join(',\n');
  write(fileOf(file, 'json'), `{"events":[\n${lines}\n]}\n`);
}

const withoutIdentity = (key: string, value: unknown) =>
  key === 'identity' || (typeof value === 'string' && /^\d+@/.test(value)) ? 'recorder' : value;

/** A line per decision, and below it how it is carried out. */
export const digestOf = (decisions: readonly Decision[]): string =>
  decisions
    .flatMap(({ name, fields, how }) => [
      [name, ...fields].join('  '),
      ...(how.length > 0 ? [`    ${how.join('  ')}`] : []),
    ])
    .map((line) => `${line}\n`)
    .join('');

export const writeDigest = (id: string, digest: string): void => write(fileOf(id, 'txt'), digest);

function write(file: URL, text: string): void {
  mkdirSync(new URL('./', file), { recursive: true });
  writeFileSync(file, text);
}

export function removeHistory(id: string): void {
  rmSync(fileOf(id, 'json'), { force: true });
  rmSync(fileOf(id, 'txt'), { force: true });
}
