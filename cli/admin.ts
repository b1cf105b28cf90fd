import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { emailAddress } from '../platform/email-address.js';
import { addMissingSuperadmin, findSession } from '../db/organization/admin-users.js';
import { issueAdminToken } from '../platform/crypto/admin-token.js';
import { defaultStateDir, readDevJson } from '../dev/dev-json.js';
import { developmentSuperadmin } from '../dev/seed/admins.js';
import { loadSecrets } from '../dev/start/secrets.js';
import { withDatabase } from './database.js';

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
      const isNew = await withDatabase((sql) => addMissingSuperadmin(sql, superadmin));
      if (!isNew) throw new Error('An admin user with this email already exists; nothing was changed.');
      console.log(superadmin.id);
    });

  admin
    .command('token')
    .description('print a token of the development superadmin that is valid for 15 minutes')
    .action(async () => console.log(await superadminToken()));
}

/** The header that a call to an endpoint for admins bears. */
export const bearer = async (): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await superadminToken()}`,
});

async function superadminToken(): Promise<string> {
  // Says so when no system has been started.
  readDevJson();
  const secret = process.env['ADMIN_JWT_SECRET'] ?? loadSecrets(defaultStateDir()).adminJwtSecret;
  return issueAdminToken(secret, {
    sub: developmentSuperadmin.id,
    kind: 'admin',
    isSuperadmin: true,
    memberships: [],
    ver: await presentVersion(),
  });
}

/** The counter that a token must carry (D72); 0, as every admin begins, where the database cannot be asked. */
async function presentVersion(): Promise<number> {
  const session = await withDatabase((sql) => findSession(sql, developmentSuperadmin.id)).catch(
    () => undefined,
  );
  return session?.ver ?? 0;
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
