import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

async function run(command: string, args: string[], options: { cwd?: string; registry?: string } = {}) {
  const { cwd, registry } = options;
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: {
      ...process.env,
      npm_config_fetch_retries: '0',
      ...(registry === undefined ? {} : { npm_config_registry: registry }),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number]>]);
  return { output, code };
}

/** A registry that answers every question about advisories so, and knows no packages. */
async function registryAnswering(status: number, advisories: object) {
  const server = createServer((request, response) => {
    request.resume();
    const isAudit = request.url?.endsWith('/advisories/bulk') === true;
    response.writeHead(isAudit ? status : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAudit ? advisories : {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const checked = async (status: number, advisories: object) => {
  const { server, registry } = await registryAnswering(status, advisories);
  try {
    return await run('npm', ['run', '--silent', 'advisories'], { registry });
  } finally {
    server.close();
  }
};

test('npm run advisories: 0 where nothing is known, 1 with what is, 2 where nobody can be asked', async () => {
  expect(await checked(200, {})).toEqual({ code: 0, output: 'No advisory is known.\n' });

  const url = 'https://advisories.test/1';
  const advisory = { id: 1, url, title: 'Reads what it may not', severity: 'high', vulnerable_versions: '*' };
  const known = await checked(200, { pino: [advisory] });
  expect(known).toMatchObject({ code: 1, output: expect.stringMatching(/^high\s+pino$/m) });
  expect(known.output).toContain(`Reads what it may not ${url}`);

  const away = await checked(405, {});
  expect(away).toMatchObject({
    code: 2,
    output: expect.stringContaining('No advisory service could be asked'),
  });
});

test('npm run generate -- sbom: CycloneDX, every package of the lockfile with its hash, what is for development marked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) await copyFile(file, join(folder, file));
    const program = ['--import', import.meta.resolve('tsx'), resolve('dev/generate.ts'), 'sbom'];
    expect((await run(process.execPath, program, { cwd: folder })).code).toBe(0);
    const bom = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { purl: string; properties: { name: string }[]; hashes?: unknown[] }[];
    };
    expect(bom.bomFormat).toBe('CycloneDX');
    const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const isForDevelopment = new Map(
      bom.components.map(({ purl, properties }) => [
        decodeURIComponent(purl),
        properties.some(({ name }) => name === 'cdx:npm:package:development'),
      ]),
    );
    const marked = (of: object) =>
      Object.entries(of).map(([name, version]) => isForDevelopment.get(`pkg:npm/${name}@${String(version)}`));
    expect(new Set(marked(dependencies!))).toEqual(new Set([false]));
    expect(marked(devDependencies!)).not.toContain(undefined);
    expect(marked({ jest: devDependencies!['jest'] })).toEqual([true]);
    expect(bom.components.filter(({ hashes }) => !hashes || hashes.length === 0)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
