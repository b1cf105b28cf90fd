import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { issueAdminToken } from '../../platform/crypto/admin-token.js';
import type { ServiceName } from '../../platform/service-names.js';
import { defaultStateDir, readDevJson } from '../../dev/dev-json.js';
import { projectRoot } from '../../dev/project-root.js';
import { developmentSuperadmin } from '../../dev/seed/admins.js';
import { loadSecrets } from '../../dev/start/secrets.js';

/**
 * `npm run evidence -- fuzz [service …] [-- option …]`: runs schemathesis on the OpenAPI pages of the running system,
 * with signed calls. It changes the system's data. It needs Python 3; options go to `schemathesis run`.
 * Exits with 1 for a finding, or if an operation that clients start with never succeeds.
 */
const version = '4.32.5';
const keys: Partial<Record<ServiceName, string>> = {
  router: 'clinic',
  orchestrator: 'approvals',
  registry: 'registry',
  notification: 'notifier',
};
/** The organization service comes last, because a call may suspend the admin who signs them. */
const all: ServiceName[] = [
  ...['router', 'orchestrator', 'registry', 'intake', 'notification'],
  ...['patients', 'bridge', 'worklist', 'organization'],
] as ServiceName[];
/** The operations that clients start with. */
const firstCalls: Partial<Record<ServiceName, string>> = {
  orchestrator: 'POST /orchestrator/approve',
  router: 'POST /rx/prescriptions/submit',
  intake: 'POST /submit',
  patients: 'POST /v1/patients',
};
/** External services need no thousand repeats of one call. */
const maxExamples = '20';

const given = process.argv.slice(2);
const isService = (name: string): name is ServiceName => (all as string[]).includes(name);
const chosen = all.filter((name) => given.includes(name));
const options = given.filter((argument) => !isService(argument) && argument !== '--');

const dev = readDevJson(defaultStateDir());
const folder = mkdtempSync(join(tmpdir(), 'scriptrail-fuzz-'));
try {
  execFileSync('python3', ['-m', 'venv', join(folder, 'python')], { stdio: 'inherit' });
  const bin = join(folder, 'python/bin');
  execFileSync(join(bin, 'pip'), ['install', '--quiet', `schemathesis==${version}`], { stdio: 'inherit' });
  const organizationId = await newOrganization();
  for (const service of chosen.length > 0 ? chosen : all) await fuzz(service, bin, organizationId);
} finally {
  rmSync(folder, { recursive: true });
}

async function fuzz(service: ServiceName, bin: string, organizationId: string): Promise<void> {
  const calls = join(folder, `${service}.calls`);
  const key = dev.apiKeys[keys[service] ?? ''];
  const settings = {
    ...(key ? { key: { id: key.key, secret: key.secret } } : {}),
    token: await adminToken(),
    known: {
      emrPatientId: dev.patients.find(({ state }) => state === 'NY')?.emrPatientId,
      medication: 'semaglutide',
      organizationId,
      intakeType: 'glp-1',
      planToken: await planToken(),
    },
    calls,
  };
  const args = [
    ...['--config-file', join(projectRoot, 'evidence/fuzz/schemathesis.toml'), 'run'],
    ...[`${dev.services[service]}/openapi.json`, '--url', dev.services[service]],
    ...['--max-examples', maxExamples, '--rate-limit', 'auto', '--continue-on-failure'],
  ];
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    SCHEMATHESIS_HOOKS: join(projectRoot, 'evidence/fuzz/hooks.py'),
    FUZZ_SETTINGS: JSON.stringify(settings),
  };
  const { status } = spawnSync(join(bin, 'schemathesis'), [...args, ...options], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
  report(service, existsSync(calls) ? readFileSync(calls, 'utf8') : '');
}

function report(service: ServiceName, calls: string): void {
  const seen = calls
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t') as [operation: string, status: string]);
  const operations = new Set(seen.map(([operation]) => operation));
  const succeeded = new Map<string, number>();
  for (const [operation, status] of seen)
    if (status.startsWith('2')) succeeded.set(operation, (succeeded.get(operation) ?? 0) + 1);
  console.log(
    `${service}: ${seen.length} calls, ${succeeded.size} of ${operations.size} operations answered 2xx`,
  );
  const first = firstCalls[service];
  if (first === undefined) return;
  console.log(`${service}: ${first} answered 2xx ${succeeded.get(first) ?? 0} times`);
  if (operations.has(first) && !succeeded.has(first)) process.exitCode = 1;
}

function adminToken(): Promise<string> {
  const { adminJwtSecret } = loadSecrets(defaultStateDir());
  return issueAdminToken(adminJwtSecret, {
    sub: developmentSuperadmin.id,
    kind: 'admin',
    isSuperadmin: true,
    memberships: [],
    ver: 0,
  });
}

async function newOrganization(): Promise<string> {
  const response = await fetch(`${dev.services.organization}/v1/organizations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slug: `fuzz-${randomUUID().slice(0, 8)}`, displayName: 'Fuzz', kind: 'b2b' }),
  });
  const answer = z.object({ organization: z.object({ id: z.string() }) });
  return answer.parse(await response.json()).organization.id;
}

/** Valid for 15 minutes. */
async function planToken(): Promise<string> {
  const answer = z.object({ plans: z.array(z.object({ intakeType: z.string(), token: z.string() })) });
  const { plans } = answer.parse(await (await fetch(`${dev.services.intake}/plans`)).json());
  return plans.find(({ intakeType }) => intakeType === 'glp-1')?.token ?? '';
}
