import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a file once, atomically, and reads it at every later start. */
export async function keptFile(file: string, make: () => Promise<string>): Promise<string> {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const text = await make();
  const draft = `${file}.new`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
  return text;
}
