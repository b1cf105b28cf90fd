import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serviceNames } from '../../platform/service-names.js';
import { adminToken, freshTask, patientIn, shared } from '../helpers/client.js';
import { openApiOf } from '../helpers/openapi.js';
import { inState } from '../helpers/prescription.js';
import { newIntake } from '../api/intake/intakes.js';

/** Clients that somebody else's generator makes of the OpenAPI pages, with nothing of ours. */
const dev = shared();
const execute = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scriptrail-generated-'));
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  // Our compiler judges the generated code, not the generator's own.
  const packages = ['@hey-api/openapi-ts@0.95.0', 'typescript@5.9.3', '@types/node@20.19.43'];
  await execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
  });
  for (const service of serviceNames)
    await writeFile(join(folder, `${service}.json`), JSON.stringify(await openApiOf(dev, service)));
  await writeFile(join(folder, 'generate.mjs'), generator);
  await writeFile(join(folder, 'calls.ts'), calls);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(strict));
  await execute(process.execPath, ['generate.mjs', ...serviceNames], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const strict = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
  },
  include: ['*.ts', 'generated'],
};

const generator = `
import { createClient } from '@hey-api/openapi-ts';
const plugins = ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'];
for (const service of process.argv.slice(2))
  await createClient({ input: service + '.json', output: 'generated/' + service, plugins, logs: { level: 'error' } });
`;

const calls = `
import { createHash, createHmac, randomUUID } from 'node:crypto';
import * as bridge from './generated/bridge';
import * as codec from './generated/codec';
import * as intake from './generated/intake';
import * as notification from './generated/notification';
import * as orchestrator from './generated/orchestrator';
import * as organization from './generated/organization';
import * as patients from './generated/patients';
import * as registry from './generated/registry';
import * as router from './generated/router';
import * as worklist from './generated/worklist';
import { client as bridgeClient } from './generated/bridge/client.gen';
import { client as codecClient } from './generated/codec/client.gen';
import { client as intakeClient } from './generated/intake/client.gen';
import { client as notificationClient } from './generated/notification/client.gen';
import { client as orchestratorClient } from './generated/orchestrator/client.gen';
import { client as organizationClient } from './generated/organization/client.gen';
import { client as patientsClient } from './generated/patients/client.gen';
import { client as registryClient } from './generated/registry/client.gen';
import { client as routerClient } from './generated/router/client.gen';
import { client as worklistClient } from './generated/worklist/client.gen';

const { urls, keys, token, approval, prescription, application, greeting } = JSON.parse(process.env['SETTINGS'] ?? '');
interface Key { key: string; secret: string }
const signing = ({ key, secret }: Key): typeof fetch => async (input, init) => {
  const request = new Request(input, init);
  const body = await request.clone().text();
  const { pathname, search } = new URL(request.url);
  const [timestamp, nonce] = [new Date().toISOString(), randomUUID()];
  const hash = createHash('sha256').update(body).digest('hex');
  const text = ['v2', request.method, pathname + search, timestamp, nonce, hash].join('\\n');
  request.headers.set('X-API-Key', key);
  request.headers.set('X-Signature-Version', '2');
  request.headers.set('X-Timestamp', timestamp);
  request.headers.set('X-Nonce', nonce);
  request.headers.set('X-Signature', createHmac('sha256', secret).update(text).digest('hex'));
  return fetch(request);
};
orchestratorClient.setConfig({ baseUrl: urls.orchestrator, fetch: signing(keys.approvals) });
routerClient.setConfig({ baseUrl: urls.router, fetch: signing(keys.clinic) });
registryClient.setConfig({ baseUrl: urls.registry, fetch: signing(keys.registry) });
notificationClient.setConfig({ baseUrl: urls.notification, fetch: signing(keys.notifier) });
intakeClient.setConfig({ baseUrl: urls.intake });
organizationClient.setConfig({ baseUrl: urls.organization, auth: token });
patientsClient.setConfig({ baseUrl: urls.patients, auth: token });
bridgeClient.setConfig({ baseUrl: urls.bridge, auth: token });
worklistClient.setConfig({ baseUrl: urls.worklist, auth: token });
codecClient.setConfig({ baseUrl: urls.codec, auth: token });

const approved = await orchestrator.approve({ body: approval });
const steps: string[] | undefined = approved.data && 'result' in approved.data ? approved.data.result.completedSteps : undefined;
const answers = {
  orchestrator: approved,
  router: await router.submitPrescription({ body: prescription }),
  registry: await registry.listPhysicians({ query: { limit: 1 } }),
  notification: await notification.sendNotification({ body: greeting }),
  intake: await intake.submitIntake({ body: application }),
  organization: await organization.listOrganizations({ query: { limit: 1 } }),
  patients: await patients.listOrphans({ query: { limit: 1 } }),
  bridge: await bridge.listWebhookEvents({ query: { limit: 1 } }),
  worklist: await worklist.listWorkItems({ query: { limit: 1 } }),
  codec: await codec.decode({ body: { payloads: [] } }),
};
const told = Object.entries(answers).map(([name, { response, error }]) => [name, response?.status ?? String(error)]);
console.log(JSON.stringify({ steps: steps?.length, ...Object.fromEntries(told) }));
`;

test('clients made by another generator compile in strict mode, and each calls its service', async () => {
  await execute(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: folder });
  const settings = {
    urls: dev.services,
    keys: dev.apiKeys,
    token: await adminToken(dev),
    approval: { taskId: freshTask(), medication: 'semaglutide', emrPatientId: patientIn(dev, 'NY') },
    prescription: inState('WA'),
    application: await newIntake(dev),
    greeting: {
      type: 'welcome',
      channels: ['email'],
      variables: { firstName: 'Ada' },
      recipient: { email: 'ada@patients.test' },
    },
  };
  const { stdout } = await execute(process.execPath, ['--import', import.meta.resolve('tsx'), 'calls.ts'], {
    cwd: folder,
    env: { ...process.env, SETTINGS: JSON.stringify(settings) },
  });
  expect(JSON.parse(stdout)).toEqual({
    steps: 7,
    ...Object.fromEntries(serviceNames.map((service) => [service, 200])),
    router: 201,
  });
});
