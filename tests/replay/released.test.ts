import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { brokenReleases, releasedHistories } from './released.js';

test('No history of a release is changed or removed.', () => {
  expect(brokenReleases()).toEqual([]);
});

test('A history binds from the tag of its release on, and later ones may join it.', () => {
  const root = mkdtempSync(join(tmpdir(), 'released-'));
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
  const git = (...args: string[]) =>
    execFileSync('git', [...author, ...args], { cwd: root, stdio: 'ignore' });
  const write = (id: string, text: string) => {
    const file = join(root, 'tests/replay/histories', `${id}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const release = (tag: string) => {
    git('add', '.');
    git('commit', '--quiet', '--message', tag);
    git('tag', tag);
  };
  try {
    git('init', '--quiet');
    write('one/kept', '{}');
    write('one/changed', '{}');
    expect([brokenReleases(root), releasedHistories(root).size]).toEqual([[], 0]);
    release('v1.0.0');
    write('one/changed.2', '{}');
    expect([brokenReleases(root), releasedHistories(root).size]).toEqual([[], 2]);
    release('v1.1.0');

    write('one/changed', '{"events":[]}');
    rmSync(join(root, 'tests/replay/histories/one/changed.2.json'));
    const broken = ['one/changed of v1.0.0 is changed', 'one/changed.2 of v1.1.0 is gone'];
    expect(brokenReleases(root)).toEqual(broken);
    release('v1.2.0');
    expect(brokenReleases(root)).toEqual(broken);
  } finally {
    rmSync(root, { recursive: true });
  }
});
