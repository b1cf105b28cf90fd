import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectRoot } from '../../dev/project-root.js';
import { serviceNames } from '../../platform/service-names.js';
import { version } from '../../platform/version.js';

const folder = mkdtempSync(join(tmpdir(), 'scriptrail-release-test-'));
const clone = join(folder, 'clone');
const out = join(folder, 'release');
const program = join(projectRoot, 'dev/release.ts');
const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
const release = (...args: string[]) =>
  execFileSync(process.execPath, ['--import', import.meta.resolve('tsx'), program, ...args], {
    cwd: clone,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const json = (name: string) => JSON.parse(readFileSync(join(out, name), 'utf8')) as unknown;

beforeAll(() => {
  // The tag is of the clone alone.
  execFileSync('git', ['clone', '--quiet', '--no-tags', projectRoot, clone]);
  git('tag', `v${version}`);
  release(`v${version}`, out);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('A release of a tag has the product, the client, every OpenAPI page, an SBOM and checksums that fit.', () => {
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  expect(sums.length).toBe(serviceNames.length + 4);
  expect(sums.filter((line) => line !== `${sha256(join(out, line.slice(66)))}  ${line.slice(66)}`)).toEqual(
    [],
  );
  expect(readdirSync(out).sort()).toEqual(
    [
      'SHA256SUMS',
      'openapi',
      'provenance.json',
      'sbom.cdx.json',
      `scriptrail-${version}.tar.gz`,
      `scriptrail-client-${version}.tgz`,
    ].sort(),
  );
  expect(readdirSync(join(out, 'openapi')).sort()).toEqual(serviceNames.map((name) => `${name}.json`).sort());
  expect(json('sbom.cdx.json')).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'scriptrail', version } },
  });
});

test('The provenance names the commit, the lockfile and the hash of each file.', () => {
  const product = `scriptrail-${version}.tar.gz`;
  expect(json('provenance.json')).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://slsa.dev/provenance/v1',
    subject: expect.arrayContaining([{ name: product, digest: { sha256: sha256(join(out, product)) } }]),
    predicate: {
      buildDefinition: {
        externalParameters: { tag: `v${version}` },
        resolvedDependencies: expect.arrayContaining([
          expect.objectContaining({ digest: { gitCommit: git('rev-parse', 'HEAD') } }),
          { uri: 'file:package-lock.json', digest: { sha256: sha256(join(clone, 'package-lock.json')) } },
        ]),
      },
    },
  });
});

test('The product of a release knows its version.', () => {
  const product = join(folder, 'product');
  execFileSync('mkdir', [product]);
  execFileSync('tar', ['-xzf', join(out, `scriptrail-${version}.tar.gz`), '-C', product]);
  execFileSync('ln', ['-s', join(projectRoot, 'node_modules'), product]);
  expect(readdirSync(product)).toEqual(expect.arrayContaining(['deploy', 'docs', 'observability']));
  const printed = execFileSync(process.execPath, [join(product, 'dist/cli/main.js'), '--version']);
  expect(printed.toString().trim()).toBe(version);
});

test('A folder that holds something stays as it is.', () => {
  expect(() => release(`v${version}`, folder)).toThrow(`${folder} is not empty`);
  expect(readdirSync(folder)).toContain('clone');
});

test('A tag that is not of its version is no release.', () => {
  git('tag', 'v99.0.0');
  expect(() => release('v99.0.0', join(folder, 'wrong'))).toThrow(`v99.0.0 holds version ${version}`);
});
