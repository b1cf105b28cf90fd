import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../dev/project-root.js';

const folder = 'tests/replay/histories';

interface Released {
  release: string;
  /** The file's id in git, a hash of its content. */
  blob: string;
}

/**
 * The histories of all releases by their ids, as the tags `v*` hold them. Nothing stores them a second time. A copy
 * without git or tags has none.
 */
export function releasedHistories(root = projectRoot): Map<string, Released> {
  const released = new Map<string, Released>();
  for (const release of git(root, 'tag', '--list', 'v*', '--sort=v:refname').split('\n').filter(Boolean)) {
    for (const line of git(root, 'ls-tree', '-r', release, '--', folder).split('\n')) {
      const [, blob, id] = /^\d+ blob (\w+)\t.*\/histories\/(.+)\.json$/.exec(line) ?? [];
      // A later release does not lift what an earlier one has bound.
      if (blob !== undefined && id !== undefined && !released.has(id)) released.set(id, { release, blob });
    }
  }
  return released;
}

/** Differences of later code in histories of releases; empty as long as the replay rule is kept. */
export function brokenReleases(root = projectRoot): string[] {
  return [...releasedHistories(root)].flatMap(([id, { release, blob }]) => {
    const file = join(root, folder, `${id}.json`);
    if (!existsSync(file)) return [`${id} of ${release} is gone`];
    return blobOf(readFileSync(file)) === blob ? [] : [`${id} of ${release} is changed`];
  });
}

const blobOf = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

const git = (cwd: string, ...args: string[]): string => {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  return status === 0 ? stdout : '';
};
