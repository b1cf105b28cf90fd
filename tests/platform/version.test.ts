import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { rx } from '../../cli/program.js';
import { manifests } from '../../deploy/manifests/manifests.js';
import { version } from '../../platform/version.js';

const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const json = (file: string) =>
  JSON.parse(text(file)) as { version: string; packages: Record<string, { version?: string }> };
/** All versions that a text states in this way. */
const stated = (where: string, how: RegExp) => [...new Set([...where.matchAll(how)].map(([, one]) => one))];

describe('the version of package.json', () => {
  test('is what the code knows, and what rx prints', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(version).toBe(json('package.json').version);
    expect(rx.version()).toBe(version);
  });

  test('is the version of the lockfile and of the client', () => {
    const lock = json('package-lock.json');
    expect([lock.version, lock.packages['']?.version]).toEqual([version, version]);
    expect(json('clients/typescript/package.json').version).toBe(version);
    expect(stated(text('clients/typescript/README.md'), /scriptrail-client-(.+?)\.tgz/g)).toEqual([version]);
  });

  test('is the version of the images', () => {
    expect(stated(text('docker-compose.yml'), /SCRIPTRAIL_VERSION:-(.+?)\}/g)).toEqual([version]);
    expect(stated(Object.values(manifests()).join(''), /image: .*scriptrail:(\S+)/g)).toEqual([version]);
  });

  test('is the version that the production page installs', () => {
    const page = text('docs/production.md');
    expect(stated(page, /\/opt\/scriptrail-([\d.]+\d)/g)).toEqual([version]);
    expect(stated(page, /scriptrail:([\d.]+\d)/g)).toEqual([version]);
  });

  test('opens the changelog', () => {
    expect(/^## (\S+)/m.exec(text('CHANGELOG.md'))?.[1]).toBe(version);
  });
});
