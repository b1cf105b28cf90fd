import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliveryHeaders } from '../../platform/crypto/signature.js';
import { call, eventually, freshTask, patientIn, shared } from '../helpers/client.js';
import { newPatient } from '../helpers/patients.js';
import { inState } from '../helpers/prescription.js';
import { booked } from '../api/orchestrator/exceptions.js';
import { shipAt } from '../api/orchestrator/replacements.js';
import { rx } from './rx.js';
import { freePort } from '../helpers/free-port.js';

const dev = shared();
const execute = promisify(execFile);
/** The folder of a person who has the client's package, its README and its programs, and nothing else of ours. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scriptrail-integrating-'));
  const packed = await execute('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: 'clients/typescript',
  });
  const archive = join(folder, packed.stdout.trim().split('\n').at(-1)!);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: folder });
  for (const page of [
    'clients/typescript/README.md',
    'clients/python/README.md',
    'clients/typescript/programs.md',
  ])
    for (const [, name = '', program = ''] of (await readFile(page, 'utf8')).matchAll(
      /```(?:js|python)\n(?:\/\/|#) (\S+\.(?:mjs|py))\n(.*?)```/gs,
    ))
      await writeFile(join(folder, name), program);
  // Packages that a receiver installs itself.
  for (const framework of ['fastify', 'express'])
    await symlink(resolve('node_modules', framework), join(folder, 'node_modules', framework));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (program: string, env: Record<string, string>) =>
  execute(process.execPath, [program], { cwd: folder, env: { ...process.env, ...env } }).then(
    ({ stdout }) => ({ exitCode: 0, stdout }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { exitCode: code, stdout: stdout + stderr };
    },
  );

const keyOf = (name: string) => ({ id: dev.apiKeys[name]!.key, secret: dev.apiKeys[name]!.secret });
const approvals = () => {
  const { id, secret } = keyOf('approvals');
  return { ORCHESTRATOR_URL: dev.services.orchestrator, KEY_ID: id, KEY_SECRET: secret, TASK: freshTask() };
};

/** A first program of a page, as its reader starts it, with the environment or settings that it asks for. */
const firstPrograms = [
  { name: 'first.mjs', command: process.execPath, lines: 10 },
  { name: 'first.py', command: 'python3', lines: 25 },
];

describe.each(firstPrograms)('The first program $name', ({ name, command, lines }) => {
  test('approves and follows its order until it is delivered, killed and started again in between', async () => {
    const program = await readFile(join(folder, name), 'utf8');
    expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(lines);
    const { ORCHESTRATOR_URL, KEY_ID, KEY_SECRET, TASK } = approvals();
    const PATIENT = (await newPatient(dev, 'WA')).id;
    const [, shown = ''] =
      /```json\n(.*?)```/s.exec(await readFile('clients/typescript/README.md', 'utf8')) ?? [];
    const settings = JSON.parse(shown) as { orchestrator: object; approval: object };
    Object.assign(settings.orchestrator, {
      baseUrl: ORCHESTRATOR_URL,
      key: { id: KEY_ID, secret: KEY_SECRET },
    });
    Object.assign(settings.approval, { taskId: TASK, emrPatientId: PATIENT });
    await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
    await rm(join(folder, 'cursor'), { force: true });
    const env = { ...process.env, ORCHESTRATOR_URL, KEY_ID, KEY_SECRET, TASK, PATIENT };
    const start = () => {
      const reader = spawn(command, [name], { cwd: folder, env });
      const read = {
        output: '',
        errors: '',
        // Reads all output, since a line may arrive in parts.
        get types() {
          return [...(this.output.match(/^[a-z]+\.[a-z]+(?= )/gm) ?? [])];
        },
      };
      reader.stdout.on('data', (chunk: Buffer) => (read.output += chunk.toString()));
      reader.stderr.on('data', (chunk: Buffer) => (read.errors += chunk.toString()));
      // After it, all that was printed has been read.
      return { reader, read, exit: once(reader, 'close') };
    };

    const first = start();
    await eventually(async () => {
      if (first.reader.exitCode !== null) throw new Error(first.read.errors);
      return first.read.types.includes('approval.completed');
    });
    first.reader.kill('SIGKILL');
    await first.exit;
    const [order] = await booked(dev, TASK);
    await shipAt(dev, order!);
    const second = start();
    await eventually(async () => second.read.types.includes('order.shipped'));
    await shipAt(dev, order!, 'delivered');
    expect(await second.exit).toEqual([0, null]);
    // The one that was killed may not have saved the cursor of the last it printed.
    expect(
      [...new Set([...first.read.types, ...second.read.types])].filter((type) => !type.startsWith('payment')),
    ).toEqual(['order.submitted', 'approval.completed', 'order.shipped', 'order.delivered']);
    expect(second.read.types).not.toContain('order.submitted');

    const third = start();
    expect(await third.exit).toEqual([0, null]);
    expect(third.read.types.at(-1)).toBe('order.delivered');
  });
});

describe('clients/typescript/programs.md', () => {
  test('approves and waits', async () => {
    const told = await run('approve.mjs', { ...approvals(), PATIENT: patientIn(dev, 'NY') });
    expect(told).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^ordered as [0-9a-f-]{36}; left undone: nothing\n$/),
    });
  });

  test('says where an approval stopped', async () => {
    const told = await run('approve.mjs', { ...approvals(), PATIENT: patientIn(dev, 'CA') });
    expect(told).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining('stopped at pharmacy_submission: '),
    });
  });

  test('submits, and receives what becomes of it', async () => {
    const { id, secret } = keyOf('clinic');
    const told = await run('submit.mjs', {
      ROUTER_URL: dev.services.router,
      KEY_ID: id,
      KEY_SECRET: secret,
      PORT: String(await freePort()),
      PRESCRIPTION: JSON.stringify(inState('WA')),
    });
    expect(told.stdout).toContain('pharmacy_a has it as ');
    expect(told.stdout).toContain('received: submitted\n');
    expect(told.exitCode).toBe(0);
  });

  test('takes an intake', async () => {
    const EMAIL = `ada.${randomUUID()}@patients.test`;
    const told = await run('intake.mjs', { INTAKE_URL: dev.services.intake, EMAIL });
    expect(told).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^taken as [0-9a-f-]{36}\n$/) });
  });
});

describe('a receiver as the README has it', () => {
  const body = JSON.stringify({ submissionId: randomUUID(), sourceOrderId: 'o', status: 'shipped' });
  test.each(['fastify', 'express'])(
    'with %s takes what is signed and refuses the rest',
    async (framework) => {
      const port = String(await freePort());
      const env = { ...process.env, SECRET: 'the-secret', PORT: port };
      const receiver = spawn(process.execPath, [`${framework}.mjs`], { cwd: folder, env });
      let printed = '';
      receiver.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      const send = (secret: string) =>
        fetch(`http://127.0.0.1:${port}/callbacks`, {
          method: 'POST',
          headers: { ...deliveryHeaders(secret, 'id-1', body), 'content-type': 'application/json' },
          body,
        });
      const taken = await eventually(() => send('the-secret').catch(() => undefined));
      expect(taken.status).toBe(204);
      const refused = await send('guess');
      expect({ status: refused.status, body: await refused.json() }).toEqual({
        status: 401,
        body: { error: 'wrong_signature' },
      });
      await eventually(async () => printed === 'shipped\n');
      receiver.kill();
      await once(receiver, 'exit');
    },
  );
});

test('rx listen prints a callback, verified', async () => {
  const port = String(await freePort());
  const prescription = { ...inState('WA'), callbackUrl: `http://127.0.0.1:${port}/` };
  const path = '/rx/prescriptions/submit';
  const submitted = await call(dev, 'router', { key: 'clinic', method: 'POST', path, body: prescription });
  // The callback waits for its receiver.
  const { stdout, stderr } = await rx('listen', '--port', port, '--count', '1');
  expect(stderr).toContain(`Listening at http://127.0.0.1:${port}/`);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    payload: { submissionId: submitted.body['submissionId'], status: 'submitted' },
  });
});
