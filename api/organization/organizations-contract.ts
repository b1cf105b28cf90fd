import { z } from 'zod';
import { isSlug, organizationKinds, organizationStatuses } from '../../domain/organization/organizations.js';
import { pageQuery } from '../cursor.js';

export const timestamp = z.iso.datetime();
/** A name that people read: no control characters. */
export const name = z.string().regex(/^[^\p{Cc}]{1,200}$/u, 'Must be 1-200 printable characters');
const slug = z.string().refine(isSlug, 'Must be 2-63 of a-z, 0-9 and hyphens').describe('Unique');

export const newOrganization = z
  .object({ slug, displayName: name, kind: z.enum(organizationKinds) })
  .meta({ id: 'NewOrganization' });
export const organizationChanges = z
  .object({ slug: slug.optional(), displayName: name.optional() })
  .meta({ id: 'OrganizationChanges' });

export const organization = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    displayName: z.string(),
    kind: z.enum(organizationKinds),
    emrOrganizationId: z.string(),
    status: z.enum(organizationStatuses),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Organization' });
export const oneOrganization = z.object({ organization });
export const nextCursor = z.string().nullable().describe('For the next page; null at the end');
export const organizationList = z.object({ organizations: z.array(organization), nextCursor });
export const organizationQuery = pageQuery;
export const byId = z.object({ id: z.string() });
