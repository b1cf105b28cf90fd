import { z } from 'zod';
import { pageQuery } from '../cursor.js';
import { instant } from '../instant.js';
import { email } from './admin-users-contract.js';
import { nextCursor, timestamp } from './organizations-contract.js';

export const auditQuery = pageQuery.extend({
  organizationId: z.guid().optional(),
  actor: email.optional().describe('E-mail address'),
  from: instant.optional(),
  to: instant.optional(),
});
export const auditEventList = z.object({
  auditEvents: z.array(
    z
      .object({
        id: z.uuid(),
        at: timestamp,
        actor: z.string().describe('E-mail address'),
        action: z.string(),
        target: z.string().describe('`<kind>:<id>`'),
        organizationId: z.uuid().nullable(),
        ip: z.string(),
        userAgent: z.string().nullable(),
      })
      .meta({ id: 'AuditEvent' }),
  ),
  nextCursor,
});
