import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';

async function run(
  command: string,
  args: string[],
  options: { cwd?: string; registry?: string; images?: string } = {},
) {
  const { cwd, registry, images } = options;
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: {
      ...process.env,
      npm_config_fetch_retries: '0',
      ...(registry === undefined ? {} : { npm_config_registry: registry }),
      ...(images === undefined ? {} : { IMAGE_REGISTRY: images }),
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

describe('npm run generate -- images', () => {
  const digestOf = (path: string) => `sha256:${createHash('sha256').update(path).digest('hex')}`;
  const tags: Record<string, string[]> = {
    'library/postgres': ['18.1', '18.6', '18.10', '18.7-alpine', '19.1', '18', 'latest'],
    'temporalio/server': ['1.32.1', '1.32.3', '1.33.0'],
    'temporalio/admin-tools': ['1.32.1', '1.32.3'],
    'library/node': ['24.21.0-bookworm-slim', '24.22.1-bookworm-slim', '24.23.0', '26.0.0-bookworm-slim'],
  };
  const written = {
    'docker-compose.yml': `services:
  postgres: { image: \${POSTGRES_IMAGE:-postgres:18.6} }
  schema:
    image: \${TEMPORAL_ADMIN_TOOLS_IMAGE:-temporalio/admin-tools:1.32.1}
  temporal:
    image: \${TEMPORAL_IMAGE:-temporalio/server:1.32.1}
  ours:
    image: scriptrail:\${SCRIPTRAIL_VERSION:-0.1.0}
`,
    'observability/docker-compose.yml': '',
    Dockerfile: 'ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim\nFROM ${NODE_IMAGE}\n',
  };

  /** A registry that gives tags and digests to whoever has asked for a token, two tags a page. */
  async function imageRegistry() {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const [, name = '', rest = ''] = /^\/v2\/(.+?)\/(tags\/list|manifests\/.+)$/.exec(url.pathname) ?? [];
      if (url.pathname === '/token') {
        response.end(JSON.stringify({ token: url.searchParams.get('scope') }));
      } else if (request.headers.authorization !== `Bearer pull ${name}`) {
        const realm = `Bearer realm="${url.origin}/token",service="registry",scope="pull ${name}"`;
        response.writeHead(401, { 'www-authenticate': realm }).end();
      } else if (rest.startsWith('manifests/')) {
        response.writeHead(200, { 'docker-content-digest': digestOf(`${name} ${rest}`) }).end();
      } else {
        const from = Number(url.searchParams.get('from') ?? 0);
        const all = tags[name] ?? [];
        const next = from + 2 < all.length ? { link: `<${url.pathname}?from=${from + 2}>; rel="next"` } : {};
        response.writeHead(200, next).end(JSON.stringify({ name, tags: all.slice(from, from + 2) }));
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  async function inFolder(use: (folder: string) => Promise<void>) {
    const folder = await mkdtemp(join(tmpdir(), 'images-'));
    await mkdir(join(folder, 'observability'));
    for (const [file, content] of Object.entries(written)) await writeFile(join(folder, file), content);
    await use(folder).finally(() => rm(folder, { recursive: true }));
  }
  const generate = (cwd: string, images: string, ...options: string[]) =>
    run(
      process.execPath,
      ['--import', import.meta.resolve('tsx'), resolve('dev/generate.ts'), 'images', ...options],
      { cwd, images },
    );

  test('raises each image within its major, those of one publisher alike, and pins its digest', () =>
    inFolder(async (folder) => {
      const { server, url } = await imageRegistry();
      const looked = await generate(folder, url, '--check');
      expect(looked).toMatchObject({ code: 1, output: expect.stringContaining('postgres:18.6 -> ') });
      expect(await readFile(join(folder, 'docker-compose.yml'), 'utf8')).toBe(written['docker-compose.yml']);

      expect((await generate(folder, url)).code).toBe(0);
      const text = await readFile(join(folder, 'docker-compose.yml'), 'utf8');
      const pinned = (name: string, tag: string) => `:${tag}@${digestOf(`${name} manifests/${tag}`)}}`;
      expect(text).toContain(`postgres${pinned('library/postgres', '18.10')}`);
      for (const name of ['temporalio/server', 'temporalio/admin-tools'])
        expect(text).toContain(name + pinned(name, '1.32.3'));
      expect(text).toContain('image: scriptrail:${SCRIPTRAIL_VERSION:-0.1.0}');
      expect(await readFile(join(folder, 'Dockerfile'), 'utf8')).toBe(
        `ARG NODE_IMAGE=docker.io/library/node:24.22.1-bookworm-slim@${digestOf('library/node manifests/24.22.1-bookworm-slim')}\nFROM \${NODE_IMAGE}\n`,
      );
      expect((await generate(folder, url, '--check')).code).toBe(0);
      server.close();
    }));

  test('writes nothing where no registry can be asked, and names what has no digest', () =>
    inFolder(async (folder) => {
      const away = await generate(folder, 'http://127.0.0.1:1');
      expect(away).toMatchObject({
        code: 2,
        output: expect.stringContaining('Without a digest: postgres:18.6,'),
      });
      expect(await readFile(join(folder, 'docker-compose.yml'), 'utf8')).toBe(written['docker-compose.yml']);
    }));
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
