import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { toWire, type WirePayload } from '../../../api/codec/contract.js';
import { createSql } from '../../../db/client.js';
import { defaultStateDir } from '../../../dev/dev-json.js';
import { silent } from '../../../dev/progress.js';
import { resolveTemporalCli } from '../../../dev/tools/temporal-cli.js';
import { developmentSuperadmin } from '../../../dev/seed/admins.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { keyRing } from '../../../platform/config-values.js';
import { type AdminClaims, issueAdminToken } from '../../../platform/crypto/admin-token.js';
import { EncryptionCodec, encryptedDataConverter } from '../../../platform/temporal/codec.js';
import { adminToken, eventually, shared } from '../../helpers/client.js';
import { startSecondApi } from '../../helpers/second-api.js';
import { ask, newInvited, root } from '../organization/tenants.js';

const dev = shared();
const secrets = loadSecrets(defaultStateDir());
const { adminJwtSecret: ADMIN_JWT_SECRET } = secrets;
const webUi = dev.temporal.ui;
const canary = `canary ${randomUUID()}`;

async function encrypted(value: unknown, ring = secrets.routerCodecKeys): Promise<WirePayload> {
  const codec = new EncryptionCodec({ own: keyRing.parse(ring) }, 'client');
  const context = { type: 'workflow', namespace: 'default', workflowId: `codec-${randomUUID()}` } as const;
  const [payload] = await codec.encode([defaultPayloadConverter.toPayload(value)], context);
  return toWire(payload!);
}

const superadmin: AdminClaims = {
  sub: developmentSuperadmin.id,
  kind: 'admin',
  isSuperadmin: true,
  memberships: [],
  ver: 0,
};
const bearer = async (claims: Partial<AdminClaims> = {}, secret = ADMIN_JWT_SECRET) => ({
  authorization: `Bearer ${await issueAdminToken(secret, { ...superadmin, ...claims })}`,
});

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

async function post(path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(dev.services.codec + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}
const preflight = (origin: string) =>
  fetch(`${dev.services.codec}/decode`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-namespace',
    },
  });
const texts = ({ body }: Answer): string[] =>
  (body as { payloads: WirePayload[] }).payloads.map(({ data = '' }) =>
    Buffer.from(data, 'base64').toString(),
  );

function logLines(containing: string): string[] {
  const folder = join(defaultStateDir(), 'logs');
  return readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter((line) => line.includes(containing));
}

/** Written a moment after the answer. */
const auditOf = (namespace: string): Promise<string[]> =>
  eventually(async () => {
    const lines = logLines(namespace);
    return lines.length > 0 && lines;
  });

describe('POST /decode', () => {
  test('200: shows a superadmin what the codec hid', async () => {
    const payloads = [await encrypted(canary), await encrypted({ n: 1 })];
    const answer = await post('/decode', { payloads }, await bearer());
    expect(answer.status).toBe(200);
    expect(texts(answer)).toEqual([JSON.stringify(canary), '{"n":1}']);
  });

  test('200: has the rings of all services, and that of their events (D90)', async () => {
    const rings = [secrets.intakeCodecKeys, secrets.bridgeCodecKeys, secrets.eventsCodecKeys];
    const payloads = await Promise.all(rings.map((ring) => encrypted(canary, ring)));
    const answer = await post('/decode', { payloads }, await bearer());
    expect(texts(answer)).toEqual(rings.map(() => JSON.stringify(canary)));
  });

  test('200: passes through what was never encrypted', async () => {
    const payloads = ['plain', undefined].map((value) => toWire(defaultPayloadConverter.toPayload(value)));
    expect((await post('/decode', { payloads }, await bearer())).body).toEqual({ payloads });
  });

  test('401: refuses a missing, a malformed and a foreign token', async () => {
    const foreign = await bearer({}, 'another-secret-of-more-than-32-bytes!');
    for (const headers of [{}, { authorization: 'Bearer x.y.z' }, foreign]) {
      const answer = await post('/decode', { payloads: [await encrypted(canary)] }, headers);
      expect([answer.status, answer.body]).toEqual([401, { error: 'Unauthorized' }]);
    }
  });

  test('403: refuses an admin who is no superadmin', async () => {
    const headers = await bearer({ isSuperadmin: false });
    const answer = await post('/decode', { payloads: [await encrypted(canary)] }, headers);
    expect([answer.status, answer.body]).toEqual([403, { error: 'Forbidden' }]);
  });

  test('401: refuses a token of nobody, of no superadmin, and one that has ended, long before its time is over', async () => {
    expect((await post('/decode', { payloads: [] }, await bearer({ sub: randomUUID() }))).status).toBe(401);

    const { id } = await newInvited();
    expect((await post('/decode', { payloads: [] }, await bearer({ sub: id }))).status).toBe(401);
    const superadminId = randomUUID();
    const token = await adminToken(dev, { sub: superadminId, isSuperadmin: true });
    const headers = { authorization: `Bearer ${token}` };
    expect((await post('/decode', { payloads: [] }, headers)).status).toBe(200);
    await ask(await root(), 'POST', `/v1/admin-users/${superadminId}/suspend`);
    await eventually(async () => (await post('/decode', { payloads: [] }, headers)).status === 401);
  });

  test('429: a wrong token counts for the address that sends it, and one a minute is recorded (D162)', async () => {
    const alone = await startSecondApi(dev, ['codec'], { RATE_LIMIT_UNVERIFIED_PER_MINUTE: '2' });
    const requestId = randomUUID();
    const decode = async (headers: Record<string, string>) => {
      const response = await fetch(`${alone.services.codec}/decode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...headers },
        body: JSON.stringify({ payloads: [] }),
      });
      return response.status;
    };
    const forged = { authorization: 'Bearer x.y.z' };
    expect([await decode(forged), await decode(forged), await decode(forged)]).toEqual([401, 401, 429]);
    expect(await decode(await bearer())).toBe(200);
    await alone.stop();
    const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
    const [refused, ...others] = await sql`
      select actor, action, record, outcome from access.access_event
      where request_id = ${requestId} and outcome = 'refused'
    `;
    await sql.end();
    expect(refused).toEqual({ actor: 'unknown', action: 'auth.refuse', record: null, outcome: 'refused' });
    // The minute may end meanwhile.
    expect(others.length).toBeLessThanOrEqual(1);
  });

  test('503: refuses when the organization service cannot be asked', async () => {
    const settings = { ORGANIZATION_URL: 'http://127.0.0.1:1' };
    const alone = await startSecondApi(dev, ['codec'], settings);
    const response = await fetch(`${alone.services.codec}/decode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await bearer()) },
      body: JSON.stringify({ payloads: [await encrypted(canary)] }),
    });
    expect([response.status, await response.json()]).toEqual([
      503,
      { error: 'The organization service is unavailable' },
    ]);
    expect(response.headers.get('retry-after')).toBe('5');
    await alone.stop();
  });

  test('200: the Temporal command line shows a run to who bears such a token, and else nothing of it', async () => {
    const { address, namespace } = dev.temporal;
    const connection = await Connection.connect({ address });
    const dataConverter = encryptedDataConverter({ own: keyRing.parse(secrets.routerCodecKeys) }, 'client');
    const run = { taskQueue: `nobody-${randomUUID()}`, workflowId: `shown-${randomUUID()}`, args: [canary] };
    const handle = await new Client({ connection, namespace, dataConverter }).workflow.start('any', run);
    const cli = await resolveTemporalCli(silent);
    const at = ['--address', address, '--namespace', namespace, '--workflow-id', run.workflowId];
    const show = (...codec: string[]) =>
      promisify(execFile)(cli, ['workflow', 'show', '--detailed', ...at, ...codec]);
    const byCodec = ['--codec-endpoint', dev.services.codec];
    const { authorization } = await bearer();
    const shown = await show(...byCodec, '--codec-auth', authorization);
    expect(shown.stdout).toContain(canary);
    expect((await show()).stdout).not.toContain(canary);
    const notSuperadmin = await bearer({ isSuperadmin: false });
    for (const auth of [[], ['--codec-auth', notSuperadmin.authorization]]) {
      const said = await show(...byCodec, ...auth).catch((refused: unknown) => refused);
      expect((said as { stdout: string }).stdout).not.toContain(canary);
    }
    await handle.terminate();
    await connection.close();
  });

  test('400: a payload that was changed, or sealed with an unknown key, is refused', async () => {
    const good = await encrypted(canary);
    const bytes = Buffer.from(good.data!, 'base64');
    bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
    const changed = { ...good, data: bytes.toString('base64') };
    const keyId = Buffer.from('k9').toString('base64');
    const foreign = { ...good, metadata: { ...good.metadata, 'encryption-key-id': keyId } };
    for (const bad of [changed, foreign]) {
      const answer = await post('/decode', { payloads: [good, bad] }, await bearer());
      expect([answer.status, answer.body]).toEqual([400, { error: 'Payload cannot be decoded' }]);
    }
  });

  test('400: a body of another shape', async () => {
    for (const body of [{}, { payloads: [{ data: 'not base64!' }] }])
      expect(await post('/decode', body, await bearer())).toMatchObject({
        status: 400,
        body: { error: 'Validation failed', details: [{ message: expect.any(String) }] },
      });
  });

  test('leaves one line with actor, count and namespace, and none of the content', async () => {
    const namespace = `audited-${randomUUID()}`;
    const payloads = [await encrypted(canary), await encrypted(canary)];
    await post('/decode', { payloads }, { ...(await bearer()), 'x-namespace': namespace });
    const audit = await auditOf(namespace);
    expect(audit.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { actor: superadmin.sub, count: 2, namespace, msg: 'payloads decoded' },
    ]);
    expect(audit.join()).not.toContain('canary');
  });

  test('404: there is no encoding', async () => {
    expect((await post('/encode', { payloads: [] }, await bearer())).status).toBe(404);
  });
});

describe('the random path of a development system', () => {
  test('200: decodes without a token', async () => {
    const answer = await post(
      `/${secrets.codecPathToken}/decode`,
      { payloads: [await encrypted(canary)] },
      {},
    );
    expect([answer.status, texts(answer)]).toEqual([200, [JSON.stringify(canary)]]);
  });

  test('404: any other path opens nothing', async () => {
    const answer = await post('/0123456789abcdef/decode', { payloads: [await encrypted(canary)] }, {});
    expect([answer.status, answer.body]).toEqual([404, { error: 'Not found' }]);
  });

  test('stays out of the log', async () => {
    const namespace = `audited-${randomUUID()}`;
    await post(`/${secrets.codecPathToken}/decode`, { payloads: [] }, {});
    await post('/decode', { payloads: [] }, { ...(await bearer()), 'x-namespace': namespace });
    expect(await auditOf(namespace)).toHaveLength(1);
    expect(logLines(secrets.codecPathToken)).toEqual([]);
  });
});

describe('the Web UI in a browser', () => {
  test('204: its preflight is answered', async () => {
    const answer = await preflight(webUi);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(webUi);
    expect(answer.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    expect(answer.headers.get('access-control-allow-headers')).toBe(
      'content-type, x-namespace, authorization',
    );
  });

  test('reads the answer, and the refusal too', async () => {
    for (const headers of [await bearer(), {}]) {
      const answer = await post('/decode', { payloads: [] }, { origin: webUi, ...headers });
      expect(answer.headers.get('access-control-allow-origin')).toBe(webUi);
    }
  });

  test('another origin gets no CORS headers', async () => {
    const origin = 'http://localhost:1';
    const answers = [
      await preflight(origin),
      await post('/decode', { payloads: [] }, { origin, ...(await bearer()) }),
    ];
    for (const { headers } of answers)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
