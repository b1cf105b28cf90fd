import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { addMissingSuperadmin, findAdminByEmail } from '../db/organization/admin-users.js';
import { emailAddress } from '../platform/email-address.js';
import { issueAdminToken } from '../platform/crypto/admin-token.js';
import { noteAccess } from './note-access.js';
import { withDatabase } from './database.js';
import { readSystem } from './system.js';

/** `rx admin`: the first superadmin, and a token for the endpoints that want an admin instead of a signature. */
export function addAdminCommand(program: Command): void {
  const admin = program.command('admin').description('administration: the first superadmin, tokens');

  admin
    .command('create')
    .argument('<email>', 'where codes for signing in go', readEmail)
    .argument('<name>', 'of the person', readName)
    .description('add a superadmin, who signs in with a code by mail or through the identity provider')
    .action(async (email: string, displayName: string) => {
      const superadmin = { id: randomUUID(), email, displayName };
      const isNew = await withDatabase((sql) =>
        sql.begin(async (sql) => {
          const isAdded = await addMissingSuperadmin(sql, superadmin);
          if (isAdded) await noteAccess(sql, 'admin.create', superadmin.id);
          return isAdded;
        }),
      );
      if (!isNew) throw new Error('An admin user with this email already exists; nothing was changed.');
      console.log(superadmin.id);
    });

  admin
    .command('token')
    .description("print a token of the system's superadmin that is valid for 15 minutes")
    .action(async () => console.log(await superadminToken()));
}

/** The header that a call to an endpoint for admins bears. */
export const bearer = async (): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await superadminToken()}`,
});

/**
 * As if the system's superadmin had signed in: what is done with it stands in the audit under that name (D72).
 * @throws Error when the system names none, `ADMIN_JWT_SECRET` is missing, or no active admin has the address
 */
async function superadminToken(): Promise<string> {
  const email = readSystem().admins?.superadmin;
  if (email === undefined) throw new Error("No superadmin is named in the system's description.");
  const { ADMIN_JWT_SECRET: secret } = process.env;
  if (!secret) throw new Error('ADMIN_JWT_SECRET is missing: what the services verify admin tokens with.');
  const admin = await withDatabase(async (sql) => {
    const found = await findAdminByEmail(sql, email);
    if (found?.state !== 'active') throw new Error(`No active admin has the address ${email}.`);
    await noteAccess(sql, 'session.start', found.id);
    return found;
  });
  return issueAdminToken(secret, {
    sub: admin.id,
    kind: 'admin',
    isSuperadmin: admin.isSuperadmin,
    memberships: admin.memberships.map(({ organizationId, role }) => ({ orgId: organizationId, role })),
    ver: admin.ver,
  });
}

function readEmail(text: string): string {
  if (!emailAddress.safeParse(text).success) throw new InvalidArgumentError('An e-mail address is needed.');
  return text;
}

function readName(text: string): string {
  if (!/^[^\p{Cc}]{1,200}$/u.test(text) || text.trim() === '')
    throw new InvalidArgumentError('A name of 1-200 printable characters is needed.');
  return text;
}
