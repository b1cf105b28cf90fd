import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostedNames } from '../platform/service-names.js';
import { productEnvironment } from './start/environment.js';
import { freePorts, portsFrom } from './start/ports.js';
import { loadSecrets } from './start/secrets.js';
import { startSystem } from './start/system.js';

/**
 * The last step of `npm run image` (deploy/image.sh). It runs the commands of an image against a new development
 * system, with every setting in a file. Each service with all its queues must become ready, stay healthy, and stop on
 * a signal.
 */
const image = process.argv[2];
if (image === undefined) throw new Error('Which image?');
const stateDir = mkdtempSync(join(tmpdir(), 'scriptrail-image-'));
// Postgres drops root's rights and still has to read this folder.
chmodSync(stateDir, 0o755);
const container = execFileSync('buildah', ['from', '--pull-never', image], { encoding: 'utf8' }).trim();
let failed = 0;
const system = await startSystem({ stateDir, portBase: 0, quiet: true });
try {
  // The image sets NODE_ENV to production.
  const { NODE_ENV = '', ...files } = await settings();
  const secrets = writeSettings(join(stateDir, 'settings'), {
    ...files,
    DATABASE_URL: system.dev.databaseUrl,
  });
  run('the user', 'test "$(id -u)" = 1000 && ! touch dist/main.js 2>/dev/null');
  run(
    'nothing of development',
    'test ! -e node_modules/typescript && test ! -e dist/dev && test ! -e dist/sandbox',
  );
  run('migrations', 'node dist/db/main.js');
  run('temporal-setup', 'node dist/cli/temporal-setup.js');
  run('own keys', 'node dist/cli/main.js keys own');
  for (const name of hostedNames) run(name, untilReady(name));

  function run(what: string, command: string): void {
    const mounted = [
      '--volume',
      `${secrets}:/run/secrets:ro`,
      '--env',
      'SECRETS_DIR=/run/secrets',
      '--env',
      `NODE_ENV=${NODE_ENV}`,
    ];
    const { status, stdout, stderr } = spawnSync(
      'buildah',
      ['run', '--user', 'node', ...mounted, container, '--', 'sh', '-euc', command],
      { encoding: 'utf8' },
    );
    const isWell = status === 0;
    if (!isWell) failed++;
    const said = (isWell ? stdout : stdout + stderr)
      .trim()
      .split('\n')
      .slice(isWell ? -1 : -20)
      .join('\n');
    console.log(`${isWell ? 'ok  ' : 'FAILED'} ${what}: ${said}`);
  }
} finally {
  await system.stop();
  execFileSync('buildah', ['rm', container]);
  rmSync(stateDir, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

function untilReady(name: string): string {
  return `
  rm -f /tmp/log; touch /tmp/log
  node dist/main.js --service ${name} >>/tmp/log 2>&1 & pid=$!
  until grep -q '"msg":"ready"' /tmp/log; do kill -0 $pid || { cat /tmp/log; exit 1; }; sleep 0.3; done
  until node dist/cli/health-check.js 2>/dev/null; do sleep 0.5; done
  kill -TERM $pid && wait $pid && echo 'ready, healthy, stopped with 0'`;
}

async function settings(): Promise<Record<string, string>> {
  const { databaseUrl, temporal, sandbox } = system.dev;
  const running = portsFrom({ PORT_BASE: String(Number(new URL(sandbox).port) - 100) });
  return productEnvironment({
    host: '127.0.0.1',
    ports: { ...(await freePorts('127.0.0.1')), sandbox: running.sandbox, smtp: running.smtp },
    secrets: loadSecrets(stateDir),
    sandboxDataDir: join(stateDir, 'sandbox'),
    settings: { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporal.address },
  });
}

function writeSettings(folder: string, all: Record<string, string>): string {
  mkdirSync(folder);
  for (const [name, value] of Object.entries(all))
    writeFileSync(join(folder, name), `${value}\n`, { mode: 0o400 });
  for (const path of [folder, ...Object.keys(all).map((name) => join(folder, name))])
    chownSync(path, 1000, 1000);
  return folder;
}
