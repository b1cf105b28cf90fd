import type { Sql } from '../../db/client.js';
import { addMissingSuperadmin } from '../../db/organization/admin-users.js';
import { uuidV5 } from '../../platform/crypto/ids.js';

/** The superadmin of a development system, with the same id in every system. */
export const developmentSuperadmin = {
  id: uuidV5('seed', 'superadmin'),
  email: 'root@scriptrail.test',
  displayName: 'Root',
};

export async function seedAdmins(sql: Sql): Promise<void> {
  await addMissingSuperadmin(sql, developmentSuperadmin);
}
