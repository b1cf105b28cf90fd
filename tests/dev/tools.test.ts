import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Progress } from '../../dev/progress.js';
import { resolveTemporalCli } from '../../dev/tools/temporal-cli.js';
import { resolveTestServer } from '../../dev/tools/test-server.js';
import { emptyFolder, fakeTool, messageOf } from './helpers.js';

const original = { ...process.env };
let bin: string;
let cache: string;
const said: string[] = [];
const progress: Progress = {
  say: (line) => void said.push(line),
  during: (what, work) => {
    said.push(what);
    return work();
  },
};

/** Nobody listens there, so an official download fails at once and no test leaves this machine. */
const nobody = 'http://127.0.0.1:1';

beforeEach(async () => {
  bin = await emptyFolder();
  cache = await emptyFolder();
  said.length = 0;
  process.env = { HOME: original['HOME'], PATH: bin, XDG_CACHE_HOME: cache, HTTPS_PROXY: nobody };
});
afterEach(() => {
  process.env = { ...original };
});

/** A Go that records its arguments and "builds" a script in the given place. */
const fakeGo = `
echo "$CGO_ENABLED $GOTOOLCHAIN $*" >> "$GO_NOTES"
if [ "$1" = build ]; then while [ "$1" != -o ]; do shift; done; /bin/echo '#!/bin/sh' > "$2"; /bin/chmod 755 "$2"; fi`;

async function withFakeGo(): Promise<() => Promise<string[]>> {
  const notes = join(await emptyFolder(), 'notes');
  process.env['GO_NOTES'] = notes;
  await fakeTool(bin, 'go', fakeGo);
  return async () => (await readFile(notes, 'utf8')).trim().split('\n');
}

describe('the Temporal CLI', () => {
  test('is the one that TEMPORAL_CLI_PATH names, before one on PATH', async () => {
    await fakeTool(bin, 'temporal', 'exit 0');
    const own = await fakeTool(await emptyFolder(), 'my-temporal', 'exit 0');
    process.env['TEMPORAL_CLI_PATH'] = own;
    expect(await resolveTemporalCli(progress)).toBe(own);
  });

  test('is refused in one sentence when TEMPORAL_CLI_PATH names a file that cannot be run', async () => {
    await fakeTool(bin, 'temporal', 'exit 0');
    const text = join(await emptyFolder(), 'notes.txt');
    await writeFile(text, 'not a program');
    process.env['TEMPORAL_CLI_PATH'] = text;
    expect(await messageOf(resolveTemporalCli(progress))).toBe(
      `TEMPORAL_CLI_PATH is set to ${text}, which is not an executable file.`,
    );
  });

  test('is the one on PATH before the one in the cache', async () => {
    const installed = await fakeTool(bin, 'temporal', 'exit 0');
    await cached('temporal', '1.5.1');
    expect(await resolveTemporalCli(progress)).toBe(installed);
  });

  test('is the one in the cache before anything is downloaded or built', async () => {
    await fakeTool(bin, 'go', 'exit 1');
    const kept = await cached('temporal', '1.5.1');
    expect(await resolveTemporalCli(progress)).toBe(kept);
  });

  test('is built with Go where it cannot be downloaded, and found in the cache from then on', async () => {
    const notes = await withFakeGo();
    const built = await resolveTemporalCli(progress);
    expect(built).toBe(join(cache, 'scriptrail', 'temporal-1.5.1', 'temporal'));
    expect((await notes()).map((line) => line.split(' ').slice(0, 4).join(' '))).toEqual([
      '0 local mod init',
      '0 local get -tool',
      '0 local build -trimpath',
    ]);
    expect(await resolveTemporalCli(progress)).toBe(built);
    expect(await notes()).toHaveLength(3);
    expect(await readdir(join(cache, 'scriptrail'))).toEqual(['temporal-1.5.1']);
  });

  test('is built once by two starts at the same time', async () => {
    const notes = await withFakeGo();
    const [one, two] = await Promise.all([resolveTemporalCli(progress), resolveTemporalCli(progress)]);
    expect(one).toBe(two);
    expect((await notes()).filter((line) => line.includes(' build '))).toHaveLength(1);
  });

  test('is given up in one sentence that says why each way failed and what to do', async () => {
    const message = await messageOf(resolveTemporalCli(progress));
    expect(message).toMatch(
      /^No Temporal CLI to be had \(official download: .+; building it with Go \(some minutes\): go is not installed\): install .+ TEMPORAL_CLI_PATH .+ install Go .+\.$/,
    );
    expect(message).not.toContain('\n');
  });

  test('names the last line of a build that fails', async () => {
    await fakeTool(bin, 'go', 'echo working; echo "no space left on device" >&2; exit 3');
    expect(await messageOf(resolveTemporalCli(progress))).toContain(
      'go mod ended with code 3: no space left on device',
    );
    expect(await readdir(join(cache, 'scriptrail'))).toEqual([]);
  });

  test('is not waited for when a proxy takes the connection and stays silent', async () => {
    const silent = await listenSilently();
    process.env['HTTPS_PROXY'] = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect(await messageOf(resolveTemporalCli(progress))).toContain('official download: nothing arrives');
    expect(said[0]).toMatch(/^Getting the Temporal CLI 1\.5\.1: official download$/);
    silent.close();
  });
});

describe('the time-skipping test server', () => {
  test('is the one that TEMPORAL_TEST_SERVER_PATH names', async () => {
    const own = await fakeTool(bin, 'my-test-server', 'exit 0');
    process.env['TEMPORAL_TEST_SERVER_PATH'] = own;
    expect(await resolveTestServer(progress)).toBe(own);
  });

  test('is put together by Maven and becomes the Java process itself', async () => {
    await fakeTool(
      bin,
      'mvn',
      'for a in "$@"; do case $a in -DoutputDirectory=*) /bin/mkdir -p "${a#*=}";; esac; done',
    );
    await fakeTool(bin, 'java', 'echo "$$ $*"');
    const server = await resolveTestServer(progress);
    expect(server).toBe(join(cache, 'scriptrail', 'temporal-test-server-1.38.0', 'temporal-test-server'));
    const shell = `echo $$; exec '${server}' 7777`;
    const output = execFileSync('/bin/sh', ['-c', shell], {
      encoding: 'utf8',
      env: { PATH: `${bin}:${original['PATH'] ?? ''}` },
    });
    const [shellPid, java = ''] = output.trim().split('\n');
    expect(java.split(' ')[0]).toBe(shellPid);
    expect(java).toContain(join(cache, 'scriptrail', 'temporal-test-server-1.38.0', 'lib'));
    expect(java).toMatch(/io\.temporal\.testserver\.TestServer 7777$/);
  });

  test('is given up in one sentence where there is Java but no Maven', async () => {
    await fakeTool(bin, 'java', 'exit 0');
    expect(await messageOf(resolveTestServer(progress))).toMatch(
      /^No time-skipping test server to be had \(official download: .+; .+: mvn is not installed\): set TEMPORAL_TEST_SERVER_PATH .+\.$/,
    );
  });
});

async function cached(file: string, version: string): Promise<string> {
  const folder = join(cache, 'scriptrail', `${file}-${version}`);
  await mkdir(folder, { recursive: true });
  return fakeTool(folder, file, 'exit 0');
}

const listenSilently = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => void socket.on('error', () => undefined).unref());
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
