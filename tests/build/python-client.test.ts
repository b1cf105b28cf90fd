import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serviceNames } from '../../platform/service-names.js';
import { freshTask, patientIn, shared } from '../helpers/client.js';
import { openApiOf } from '../helpers/openapi.js';

/** Clients that a generator for Python makes of the OpenAPI pages, by the recipe of clients/python/README.md. */
const dev = shared();
const execute = promisify(execFile);
let folder: string;
let page: string;

/** Some machines that test have no Python. */
const hasPython = (() => {
  try {
    execFileSync('python3', ['-c', 'import venv, ensurepip'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scriptrail-python-'));
  page = await readFile('clients/python/README.md', 'utf8');
  if (!hasPython) return;
  const [, generator = ''] = /pip install (openapi-python-client==\S+)/.exec(page) ?? [];
  await execute('python3', ['-m', 'venv', 'env'], { cwd: folder });
  await execute(join(folder, 'env/bin/pip'), ['install', '--quiet', generator], { cwd: folder });
  const [, signing = ''] = /```python\n# sign\.py\n(.*?)```/s.exec(page) ?? [];
  await writeFile(join(folder, 'sign.py'), signing);
  await writeFile(join(folder, 'generate.py'), generate);
  await writeFile(join(folder, 'calls.py'), calls);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The command of the page for each service, in one process, since each start loads the generator. */
const generate = `
import sys
from openapi_python_client.cli import app

for service in sys.argv[1:]:
    options = ["--path", service + ".json", "--output-path", service, "--fail-on-warning"]
    if app(["generate", *options], standalone_mode=False):
        sys.exit("The client of " + service + " is not complete")
`;

const calls = `
import json, os
from orchestrator.scriptrail_prescription_orchestrator_client import Client
from orchestrator.scriptrail_prescription_orchestrator_client.api.approval import approve
from orchestrator.scriptrail_prescription_orchestrator_client.api.events import list_events
from orchestrator.scriptrail_prescription_orchestrator_client.models import ApproveRequest
from sign import signing

my = json.loads(os.environ["SETTINGS"])
client = Client(base_url=my["url"], httpx_args=signing(my["key"], my["secret"]))
approved = approve.sync_detailed(client=client, body=ApproveRequest.from_dict(my["approval"]))
types = []
while "approval.completed" not in types:
    page = list_events.sync(client=client, task_id=my["approval"]["taskId"])
    types = [event.type_ if isinstance(event.type_, str) else event.type_.value for event in page.events]
print(json.dumps({"status": int(approved.status_code), "types": types}))
`;

(hasPython ? test : test.skip)(
  'a generated Python client of every page is complete, and the signing hook of the page lets it approve and read events',
  async () => {
    const env = { ...process.env, PATH: `${join(folder, 'env/bin')}:${process.env['PATH'] ?? ''}` };
    for (const service of serviceNames)
      await writeFile(join(folder, `${service}.json`), JSON.stringify(await openApiOf(dev, service)));
    await execute('python3', ['generate.py', ...serviceNames], { cwd: folder, env });
    await execute('python3', ['-m', 'compileall', '-q', ...serviceNames], { cwd: folder, env });
    const { key, secret } = dev.apiKeys['approvals']!;
    const settings = {
      url: dev.services.orchestrator,
      key,
      secret,
      approval: { taskId: freshTask(), medication: 'semaglutide', emrPatientId: patientIn(dev, 'NY') },
    };
    const { stdout } = await execute('python3', ['calls.py'], {
      cwd: folder,
      env: { ...env, SETTINGS: JSON.stringify(settings) },
    });
    const { status, types } = JSON.parse(stdout) as { status: number; types: string[] };
    expect([status, types.at(-1)]).toEqual([200, 'approval.completed']);
  },
  600_000,
);
