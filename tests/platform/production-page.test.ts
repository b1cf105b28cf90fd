import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createSecrets } from '../../cli/secrets.js';
import { variableNames } from '../../platform/config.js';
import { serviceNames, servicePortOffsets } from '../../platform/service-names.js';

const page = readFileSync('docs/production.md', 'utf8');
/** Variables that others read: Temporal's server, its tools, SDK and Web UI, Postgres and psql, Node, Grafana. */
const ofOthers =
  /^(TEMPORAL_(ADDRESS|API_KEY|TLS.*|AUTH_.*|DISABLE_WRITE_ACTIONS|CODEC_PASS_ACCESS_TOKEN)|SQL_.*|BIND_ON_IP|POSTGRES_PWD|NODE_EXTRA_CA_CERTS|ON_ERROR_STOP|GRAFANA_PASSWORD)$/;
/** Variables that the command line reads, and makes files of. */
const ofTheCommandLine = [
  'SECRETS_DIR',
  'DATABASE_URL',
  'SCRIPTRAIL_SYSTEM',
  'POSTGRES_PASSWORD',
  'TEMPORAL_POSTGRES_PASSWORD',
];

test('docs/production.md names settings that there are', () => {
  const named = [...new Set(page.match(/(?<![\w<>])[A-Z][A-Z\d]*_[A-Z\d_]+\b/g))];
  expect(named.length).toBeGreaterThan(40);
  const known = [...variableNames, ...ofTheCommandLine];
  expect(named.filter((name) => !known.includes(name) && !ofOthers.test(name))).toEqual([]);
});

test('docs/production.md names scripts of npm that there are', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const named = [...page.matchAll(/npm run\s+([\w:-]+)/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('docs/production.md describes every service, and the keys of the commands of the runbooks, for rx', () => {
  const [, described = ''] = /^cat > ~\/system\.json <<END\n([^]*?)^END$/m.exec(page) ?? [];
  const { services, apiKeys } = JSON.parse(described.replaceAll(/\$\(node [^)]*\)/g, '{}')) as {
    services: Record<string, string>;
    apiKeys: Record<string, object>;
  };
  expect(services).toEqual(
    Object.fromEntries(
      serviceNames.map((name) => [name, `http://10.0.0.11:${4000 + servicePortOffsets[name]}`]),
    ),
  );
  expect(Object.keys(apiKeys).sort()).toEqual(['admin', 'approvals', 'orchestrator', 'registry']);
});

test('docs/production.md gives each unit a health port of its own', () => {
  const started = [...page.matchAll(/scriptrail(?:-api|-workers)?@\{([\w,]+)\}/g)];
  const units = started.flatMap(([, names = '']) => names.split(','));
  const [, before] = /^port=(\d+)$/m.exec(page) ?? [];
  const stated = [...page.matchAll(/4021\S*( up)? to (\d+)/g)].map(([, , last]) => Number(last));
  expect(stated).toEqual(stated.map(() => Number(before) + units.length));
  expect(stated.length).toBeGreaterThan(0);
});

test('docs/upgrading.md makes the secrets that a release adds, and removes those of owners again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptrail-secrets-'));
  const create = () => createSecrets(folder, { database: 'db.example.org:5432/scriptrail' });
  create();
  const made = readdirSync(folder);
  // docs/production.md takes these away, and a release adds the last one.
  const owners = [...page.matchAll(/(?:^rm secrets|\/etc\/scriptrail\/all)\/([A-Z_]+)(?= \/etc|$)/gm)];
  const taken = owners.map(([, name = '']) => name);
  for (const name of [...taken, 'PLAN_TOKEN_SECRET']) rmSync(join(folder, name));
  create();
  const upgrading = readFileSync('docs/upgrading.md', 'utf8');
  const [, removed = ''] = /^rm \/etc\/scriptrail\/all\/\{([\w,]+)\}/m.exec(upgrading) ?? [];
  for (const name of removed.split(',')) rmSync(join(folder, name));
  const kept = made.filter((name) => !removed.split(',').includes(name));
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
  expect(taken.sort()).toEqual(removed.split(',').sort());
  rmSync(folder, { recursive: true });
});
