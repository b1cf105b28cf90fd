import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '../../dev/project-root.js';

test('deploy/keep.sh gives a process the environment of its unit and of the drop-ins of its instance', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptrail-keep-'));
  const unit = join(folder, 'probe@.service');
  writeFileSync(unit, '[Service]\nEnvironment=SECRETS_DIR=/secrets/%i\nExecStart=/usr/bin/env\n');
  for (const [name, port] of Object.entries({ one: 4021, two: 4022 })) {
    mkdirSync(join(folder, `probe@${name}.service.d`));
    writeFileSync(
      join(folder, `probe@${name}.service.d/health.conf`),
      `[Service]\nEnvironment=HEALTH_PORT=${port}\n`,
    );
  }
  const kept = spawn(join(projectRoot, 'deploy', 'keep.sh'), [unit, 'one'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [printed] = (await once(kept.stdout, 'data')) as [Buffer];
    const lines = printed.toString().split('\n');
    expect(lines.filter((line) => /^(SECRETS_DIR|HEALTH_PORT)=/.test(line))).toEqual([
      'SECRETS_DIR=/secrets/one',
      'HEALTH_PORT=4021',
    ]);
  } finally {
    const ended = once(kept, 'exit');
    kept.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  }
});
