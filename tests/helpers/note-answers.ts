import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { expect } from '@jest/globals';
import { notesOf } from './documented-answers.js';

/** Runs before each test file that shares the system, and notes every answer that the file gets by `fetch`. */
const file = notesOf(relative(process.cwd(), expect.getState().testPath ?? ''));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, '');

const plainFetch = globalThis.fetch;
const noted = new Set<string>();
globalThis.fetch = async (input, init) => {
  const answer = await plainFetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  const code = answer.headers.get('error-code');
  const status = code === null ? String(answer.status) : `${answer.status} ${code}`;
  const note = `${method.toLowerCase()} ${pathname} ${status}\n`;
  if (!noted.has(note)) appendFileSync(file, note);
  noted.add(note);
  return answer;
};
