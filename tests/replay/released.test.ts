import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { readText, runOf, storedIds } from './stored.js';

const releases = new URL('../../releases/', import.meta.url);
const present = new Set(storedIds());

/** Those of all releases, by their paths; of runs that a release had in flight, or that were captured from one since. */
const kept = readdirSync(releases, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^[^/]+\/histories\/.*\.json$/.test(file))
  .sort();
const textOf = (file: string) => readFileSync(new URL(file, releases), 'utf8');
const idOf = (file: string) => file.replace(/^[^/]+\/histories\//, '').replace(/\.json$/, '');
/** What the present cases have word for word is replayed in replay.test.ts. */
const isPresent = (file: string) => {
  const id = idOf(file);
  return present.has(id) && readText(id) === textOf(file);
};

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
});

describe('the histories that releases keep', () => {
  it('are there for every release with pages', () => {
    const released = readdirSync(releases);
    expect(released.filter((version) => !kept.some((file) => file.startsWith(`${version}/`)))).toEqual([]);
  });

  it('are carried on by the present code', async () => {
    const workflowBundle = { codePath: process.env['SCRIPTRAIL_TEST_BUNDLE']! };
    const histories = kept.filter((file) => !isPresent(file)).map((file) => runOf(textOf(file), idOf(file)));
    const broken: Record<string, string> = {};
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories))
      if (error) broken[workflowId] = error.message;
    const advice =
      'runs in flight would break: keep the old commands with patched() (CONTRIBUTING.md, "The replay rule")';
    expect({ broken, advice }).toEqual({ broken: {}, advice });
  });

  it('hold nobody: no payload of theirs was captured unscrubbed', () => {
    const sealed = kept.filter((file) =>
      textOf(file).includes(Buffer.from('binary/encrypted').toString('base64')),
    );
    expect(sealed).toEqual([]);
  });
});
