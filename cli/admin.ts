import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { addMissingSuperadmin, findAdminByEmail } from '../db/organization/admin-users.js';
import { emailAddress } from '../platform/http/text.js';
import { issueAdminToken } from '../platform/crypto/admin-token.js';

import { noteAccess, withDatabase } from './database.js';
import { readSystem } from './system.js';

/** `rx admin`: adds superadmins, and prints tokens for admin endpoints. */
export function addAdminCommand(program: Command): void {
  const admin = program.command('admin').description('superadmins and their tokens');

  admin
    .command('create')
    .argument('<email>', 'receives the sign-in codes', readEmail)
    .argument('<name>', 'name of the person', readName)
    .description('add a superadmin, who signs in with a mailed code or the identity provider')
    .action(async (email: string, displayName: string) => {
      const superadmin = { id: randomUUID(), email, displayName };
      const isNew = await withDatabase((sql) =>
        sql.begin(async (sql) => {
          const isAdded = await addMissingSuperadmin(sql, superadmin);
          if (isAdded) await noteAccess(sql, 'admin.create', superadmin.id);
          return isAdded;
        }),
      );
      if (!isNew) throw new Error('An admin with this email exists; nothing was changed.');
      console.log(superadmin.id);
    });

  admin
    .command('token')
    .description("print a token of the system's superadmin that is valid for 15 minutes")
    .action(async () => console.log(await superadminToken()));
}

export const bearer = async (): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await superadminToken()}`,
});

/**
 * Signs in the system's superadmin; the audit log names that admin (D72).
 * @throws Error if the system names none, `ADMIN_JWT_SECRET` is missing, or no active admin has the address
 */
async function superadminToken(): Promise<string> {
  const email = readSystem().admins?.superadmin;
  if (email === undefined) throw new Error("The system's description names no superadmin.");
  const { ADMIN_JWT_SECRET: secret } = process.env;
  if (!secret) throw new Error('ADMIN_JWT_SECRET is missing: set it to the secret of the services.');
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
  if (!emailAddress.safeParse(text).success) throw new InvalidArgumentError('Give an e-mail address.');
  return text;
}

function readName(text: string): string {
  if (!/^[^\p{Cc}]{1,200}$/u.test(text) || text.trim() === '')
    throw new InvalidArgumentError('Give a name of 1-200 printable characters.');
  return text;
}
