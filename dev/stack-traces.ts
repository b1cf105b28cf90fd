import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `--import` loads this before compiled code, so that stack traces show lines of the sources. It reads a map only for
 * a trace. Node's `--enable-source-maps` reads every map at each start, which takes a quarter of the start.
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
    return `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
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
