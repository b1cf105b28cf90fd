import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { developmentSuperadmin } from '../../dev/seed/admins.js';
import { createSql, type Sql } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { eventually } from '../helpers/client.js';
import { rx, rxWith } from './rx.js';
import { type Admin, ask, dev, freshEmail, newInvited } from '../api/organization/tenants.js';
import { mailsTo } from '../api/intake/visitors.js';

describe('rx admin create', () => {
  test('adds a superadmin who signs in with a code by mail, and prints the id', async () => {
    const email = freshEmail();
    const { exitCode, stdout, stderr } = await rx('admin', 'create', email, 'Robin Root');
    expect([exitCode, stderr]).toEqual([0, '']);
    await ask(undefined, 'POST', '/v1/auth/otp/send', { email });
    const code = await eventually(async () => {
      const [mail] = await mailsTo(dev, email);
      return mail && /\b\d{6}\b/.exec(mail.text)?.[0];
    });
    const { status, body } = await ask<{ token: string; admin: Admin }>(
      undefined,
      'POST',
      '/v1/auth/otp/check',
      { email, code },
    );
    expect([status, body.admin]).toMatchObject([
      200,
      { id: stdout.trim(), email, displayName: 'Robin Root', state: 'active', isSuperadmin: true },
    ]);
    expect((await ask(body.token, 'GET', '/v1/audit-events')).status).toBe(200);
  });

  test('changes nothing for an address that is there, in whatever case, and says so', async () => {
    const { id, email } = await newInvited();
    const { exitCode, stderr } = await rx('admin', 'create', email.toUpperCase(), 'Robin Root');
    expect([exitCode, stderr]).toEqual([1, 'An admin with this email exists; nothing was changed.\n']);
    const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
    const rows = await sql`select is_superadmin from organization.admin_user where id = ${id}`;
    await sql.end();
    expect(rows).toMatchObject([{ isSuperadmin: false }]);
  });

  test.each([
    ['no address', 'robin', 'Robin Root'],
    ['a blank name', 'robin@example.test', ' '],
    ['a name of two lines', 'robin@example.test', 'Robin\nRoot'],
  ])('refuses %s', async (_what, email, name) => {
    const { exitCode, stderr } = await rx('admin', 'create', email, name);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Give ')]);
  });
});

describe('rx admin token', () => {
  // A database of its own: raising the counter in the shared one would end everybody's tokens.
  const name = `admin_${randomUUID().replaceAll('-', '')}`;
  let owner: Sql;
  let databaseUrl: string;
  beforeAll(async () => {
    owner = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
    await owner.unsafe(`create database ${name}`);
    const url = new URL(dev.databaseUrl);
    url.pathname = `/${name}`;
    databaseUrl = url.href;
    await migrate({ databaseUrl, serviceDatabaseUrls: {} });
  });
  afterAll(async () => {
    await owner.unsafe(`drop database ${name}`);
    await owner.end();
  });
  const claimsWith = async (url: string) => {
    const { stdout } = await rxWith({ DATABASE_URL: url }, 'admin', 'token');
    return decodeJwt(stdout.trim());
  };

  test('carries the present counter of the superadmin, so that it holds after the counter was raised', async () => {
    const { id, email, displayName } = developmentSuperadmin;
    const sql = createSql(databaseUrl, { applicationName: 'test', max: 1 });
    await sql`
      insert into organization.admin_user (id, email, display_name, is_superadmin, state, ver)
      values (${id}, ${email}, ${displayName}, true, 'active', 3)
    `;
    await sql.end();
    expect(await claimsWith(databaseUrl)).toMatchObject({ sub: id, isSuperadmin: true, ver: 3 });
  });

  test('is not made in the name of a superadmin who is locked out', async () => {
    const sql = createSql(databaseUrl, { applicationName: 'test', max: 1 });
    await sql`update organization.admin_user set state = 'suspended' where id = ${developmentSuperadmin.id}`;
    await sql.end();
    expect(await rxWith({ DATABASE_URL: databaseUrl }, 'admin', 'token')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `No active admin has the address ${developmentSuperadmin.email}.\n`,
    });
  });
});
