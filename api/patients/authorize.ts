import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findPatient } from '../../db/patients/directory.js';
import { findOrganizationStatus } from '../../db/patients/organizations.js';
import type { ServiceContext } from '../context.js';
import { organizationsOf, type Policy, type Role } from '../plugins/admin.js';
import { isUuid } from '../http-errors.js';
import type { patientParams } from './contract.js';

/** `support` only reads (page 3, role matrix). */
const writers: readonly Role[] = ['org_admin', 'org_user'];
const members: readonly Role[] = [...writers, 'support'];

/** For routes whose queries see only the caller's organizations. */
export const readable: { policy: Policy } = { policy: { allows: 'admins' } };
export const superadminOnly: { policy: Policy } = { policy: { allows: 'superadmin' } };

const organizationInBody = ({ body }: FastifyRequest): string =>
  (body as { organizationId: string }).organizationId;
/** Members of the organization in the body. Only superadmins see an archived one (page 3, Organization status). */
export const membersOfTheBody = ({ sql }: Pick<ServiceContext, 'sql'>): { policy: Policy } => ({
  policy: {
    allows: members,
    organizationIn: 'body',
    organizationOf: async (request) => {
      const id = organizationInBody(request);
      return (await findOrganizationStatus(sql, id)) === 'archived' ? undefined : id;
    },
  },
});
/** Writers of the organization in the body. The handler answers 409 for a closed one (D75). */
export const writersOfTheBody: { policy: Policy } = {
  policy: { allows: writers, organizationIn: 'body', organizationOf: organizationInBody },
};

/** Writers of the organization of the patient in the path. */
export const writersOfThePatient = ({ sql }: Pick<ServiceContext, 'sql'>): { policy: Policy } => ({
  policy: {
    allows: writers,
    organizationOf: async ({ admin, params }) => {
      const { id } = params as z.infer<typeof patientParams>;
      if (!isUuid(id)) return undefined;
      return (await findPatient(sql, organizationsOf(admin), { id }))?.organization_id;
    },
  },
});
