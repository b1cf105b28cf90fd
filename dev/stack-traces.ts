import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Stack traces name the lines of the sources, to be loaded by `--import` before compiled ones. Unlike Node's
 * `--enable-source-maps` it reads a map when a trace is looked at, not every map of every package at each start, which
 * is a quarter of what a start takes.
 */
const compiled = fileURLToPath(new URL('../', import.meta.url));
const maps = new Map<string, SourceMap | undefined>();

Error.prepareStackTrace = (error, frames) =>
  [
    String(error),
    ...frames.map((frame: { toString: () => string }) => `    at ${named(frame.toString())}`),
  ].join('\n');

const named = (frame: string): string =>
  frame.replace(/file:\/\/(\/[^:]+\.js):(\d+):(\d+)/, (text, file: string, line: string, column: string) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalLine' in entry)) return text;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });

function mapOf(file: string): SourceMap | undefined {
  if (!file.startsWith(compiled)) return undefined;
  if (!maps.has(file)) {
    const path = `${file}.map`;
    maps.set(
      file,
      existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as never) : undefined,
    );
  }
  return maps.get(file);
}
