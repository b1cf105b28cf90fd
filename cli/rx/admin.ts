import type { Command } from 'commander';
import { issueAdminToken } from '../../platform/crypto/admin-token.js';
import { defaultStateDir, readDevJson } from '../dev-json.js';
import { developmentSuperadmin } from '../seed/admins.js';
import { loadSecrets } from '../start/secrets.js';

/** `rx admin token`: for the endpoints that want an admin instead of a signature. */
export function addAdminCommand(program: Command): void {
  program
    .command('admin')
    .description('administration')
    .command('token')
    .description('print a superadmin token that is valid for 15 minutes')
    .action(async () => console.log(await superadminToken()));
}

/** The header that a call to an endpoint for admins bears. */
export const bearer = async (): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await superadminToken()}`,
});

function superadminToken(): Promise<string> {
  // Says so when no system has been started.
  readDevJson();
  const secret = process.env['ADMIN_JWT_SECRET'] ?? loadSecrets(defaultStateDir()).adminJwtSecret;
  return issueAdminToken(secret, {
    sub: developmentSuperadmin.id,
    kind: 'admin',
    isSuperadmin: true,
    memberships: [],
    ver: 0,
  });
}
