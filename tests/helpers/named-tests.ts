import { existsSync, readFileSync } from 'node:fs';

/**
 * The file of a test that a page names by its path below `tests/`, without the ending; a folder has none of its own.
 */
export const fileOfTest = (path: string): string | undefined =>
  ['.test.ts', '.ts', ''].map((end) => `tests/${path}${end}`).find((file) => existsSync(file));

/** True if the file has a test of this title, with its placeholders. */
export function hasTitle(path: string, title: string): boolean {
  const file = fileOfTest(path);
  if (!file?.endsWith('.test.ts')) return false;
  const text = readFileSync(file, 'utf8');
  return ["'", '"', '`'].some((quote) =>
    text
      .split(`${quote}${title}${quote},`)
      .slice(0, -1)
      .some((before) => /(?<!\bdescribe)\($/.test(before.trimEnd())),
  );
}
