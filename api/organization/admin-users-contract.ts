import { z } from 'zod';
import { adminStates, roles } from '../../domain/organization/memberships.js';
import { pageQuery } from '../cursor.js';
import { name, nextCursor, timestamp } from './organizations-contract.js';

const role = z.enum(roles);
export const email = z.email().max(254);

export const newAdminUser = z.object({ email, displayName: name }).meta({ id: 'NewAdminUser' });
export const adminUser = z
  .object({
    id: z.uuid(),
    email: z.string(),
    displayName: z.string(),
    state: z.enum(adminStates),
    isSuperadmin: z.boolean(),
    identityProviderId: z.string().nullable(),
    memberships: z
      .array(z.object({ organizationId: z.uuid(), role }))
      .describe('In organizations that the caller sees'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'AdminUser' });
export const oneAdminUser = z.object({ adminUser });
export const adminUserList = z.object({ adminUsers: z.array(adminUser), nextCursor });
export const adminUserQuery = pageQuery;

export const newMembership = z
  .object({ organizationId: z.guid().toLowerCase(), role })
  .meta({ id: 'NewMembership' });
export const oneMembership = z.object({
  membership: z
    .object({ adminUserId: z.uuid(), organizationId: z.uuid(), role, createdAt: timestamp })
    .meta({ id: 'AdminMembership' }),
});
export const newPhysicianMembership = z
  .object({ organizationId: z.guid().toLowerCase() })
  .meta({ id: 'NewPhysicianMembership' });
export const onePhysicianMembership = z.object({
  membership: z
    .object({ physicianId: z.guid(), organizationId: z.uuid(), createdAt: timestamp })
    .meta({ id: 'PhysicianMembership' }),
});
export const byMembership = z.object({ id: z.string(), orgId: z.string() });
