import { z } from 'zod';
import { domainStates, isHostname } from '../../domain/organization/custom-domains.js';
import { adminStates, roles } from '../../domain/organization/memberships.js';
import {
  type Branding,
  isSlug,
  type NotificationConfig,
  organizationKinds,
  organizationStatuses,
  type PortalConfig,
} from '../../domain/organization/organizations.js';
import { typedCode } from '../../domain/one-time-code.js';
import { nextCursor, pageQuery } from '../cursor.js';
import { instant, timestamp } from '../instant.js';
import { emailAddress, guid, text, webUrl } from '../../platform/http/text.js';

/** A name that people read. */
const name = text(400, 'Must be 1-200 printable characters')
  .regex(/^[^\p{Cc}]{1,200}$/u, { error: 'Must be 1-200 printable characters', abort: true })
  .refine((name) => /\S/.test(name), 'Must not be blank');
const noSlug = 'Must be 2-63 of a-z, 0-9 and hyphens';
const slug = text(63, noSlug).refine(isSlug, noSlug).describe('Unique');

export const newOrganization = z
  .object({ slug, displayName: name, kind: z.enum(organizationKinds) })
  .meta({ id: 'NewOrganization' });
export const organizationChanges = z
  .object({ slug: slug.optional(), displayName: name.optional() })
  .meta({ id: 'OrganizationChanges' });

const organization = z
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
export const organizationList = z.object({ organizations: z.array(organization), nextCursor });
export const byId = z.object({ id: z.string() });

const webAddress = webUrl.nullable().default(null);
const optionalName = name.nullable().default(null);
const flag = z.boolean().default(false);

export const branding = z
  .object({
    primaryColor: text(9, 'Must be a colour such as #1a7f5a')
      .regex(/^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/, 'Must be a colour such as #1a7f5a')
      .nullable()
      .default(null),
    logoUrl: webAddress,
    faviconUrl: webAddress,
    emailHeaderImageUrl: webAddress,
    displayNames: z
      .object({ patientPortal: optionalName, adminPortal: optionalName, email: optionalName })
      .default({ patientPortal: null, adminPortal: null, email: null })
      .describe('The name to display on each surface'),
  })
  .meta({ id: 'Branding' }) satisfies z.ZodType<Branding>;
export const oneBranding = z.object({ branding });

export const portalConfig = z
  .object({
    messagingEnabled: flag,
    selfSchedulingEnabled: flag,
    refillSelfServiceEnabled: flag,
    termsUrl: webAddress,
  })
  .meta({ id: 'PortalConfig' }) satisfies z.ZodType<PortalConfig>;
export const onePortalConfig = z.object({ portalConfig });

export const notificationConfig = z
  .object({
    fromAddress: emailAddress.nullable().default(null),
    fromName: optionalName,
    smsSenderNumber: text(16, 'Must be a phone number or short code')
      .regex(/^\+?[0-9]{3,15}$/, 'Must be a phone number or short code')
      .nullable()
      .default(null),
    emailConfigurationSet: optionalName,
    defaultTemplateSet: optionalName,
  })
  .meta({ id: 'NotificationConfig' }) satisfies z.ZodType<NotificationConfig>;
export const oneNotificationConfig = z.object({ notificationConfig });

const role = z.enum(roles);

export const newAdminUser = z.object({ email: emailAddress, displayName: name }).meta({ id: 'NewAdminUser' });
export const adminUserChange = z.object({ isOperator: z.boolean() }).meta({ id: 'AdminUserChange' });
const adminUser = z
  .object({
    id: z.uuid(),
    email: z.string(),
    displayName: z.string(),
    state: z.enum(adminStates),
    isSuperadmin: z.boolean(),
    isOperator: z.boolean().describe('Works the desk for all organizations'),
    identityProviderId: z.string().nullable(),
    memberships: z
      .array(z.object({ organizationId: z.uuid(), role }))
      .describe('In organizations that the caller can see'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'AdminUser' });
export const oneAdminUser = z.object({ adminUser });
export const adminUserList = z.object({ adminUsers: z.array(adminUser), nextCursor });

export const newMembership = z
  .object({ organizationId: guid.toLowerCase(), role })
  .meta({ id: 'NewMembership' });
export const oneMembership = z.object({
  membership: z
    .object({ adminUserId: z.uuid(), organizationId: z.uuid(), role, createdAt: timestamp })
    .meta({ id: 'AdminMembership' }),
});
export const newPhysicianMembership = z
  .object({ organizationId: guid.toLowerCase() })
  .meta({ id: 'NewPhysicianMembership' });
export const onePhysicianMembership = z.object({
  membership: z
    .object({ physicianId: z.guid(), organizationId: z.uuid(), createdAt: timestamp })
    .meta({ id: 'PhysicianMembership' }),
});
export const byMembership = z.object({ id: z.string(), orgId: z.string() });

export const codeRequest = z.object({ email: emailAddress }).meta({ id: 'SignInCodeRequest' });
export const done = z.object({ success: z.literal(true) });
const code = text(20).overwrite(typedCode);
export const codeCheck = z.object({ email: emailAddress, code }).meta({ id: 'SignInCodeCheck' });
export const tokenExchange = z
  .object({
    idToken: text(4_000).min(1),
    code: code.optional().describe('The mailed code, after a 409'),
  })
  .meta({ id: 'TokenExchange' });
const caller = z
  .object({ ip: text(45), userAgent: text(500).nullable() })
  .meta({ id: 'DeskCaller' })
  .describe('Where the request came from');
export const deskCodeRequest = codeRequest.extend({ caller }).meta({ id: 'DeskCodeRequest' });
export const deskCodeCheck = codeCheck.extend({ caller }).meta({ id: 'DeskCodeCheck' });
export const deskTokenExchange = tokenExchange.extend({ caller }).meta({ id: 'DeskTokenExchange' });
export const refreshed = z
  .object({ token: z.string(), expiresAt: timestamp })
  .meta({ id: 'RefreshedSession' });
export const ownAdmin = z.object({ admin: adminUser });
export const session = z
  .object({ token: z.string(), expiresAt: timestamp, admin: adminUser })
  .meta({ id: 'AdminSession' });

const notHostname = 'Must be a hostname such as care.example.com';
export const newCustomDomain = z
  .object({
    hostname: text(253, notHostname).toLowerCase().refine(isHostname, notHostname),
  })
  .meta({ id: 'NewCustomDomain' });

const dnsRecord = z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() });
const customDomain = z
  .object({
    hostname: z.string(),
    state: z.enum(domainStates),
    dnsRecord: dnsRecord.describe('The record that proves ownership'),
    observed: z
      .object({ type: z.literal('TXT'), name: z.string(), values: z.array(z.string()) })
      .nullable()
      .describe('The values at the last lookup; null before the first one'),
    lastCheckedAt: timestamp.nullable(),
    nextCheckAt: timestamp.nullable().describe('Null when no lookup is scheduled'),
    reason: z.string().nullable().describe('Why the hostname is still pending'),
  })
  .meta({ id: 'CustomDomain' });
export const oneCustomDomain = z.object({ customDomain });
export const registeredDomain = z.object({ customDomain, dnsRecord });
export const customDomainList = z.object({ customDomains: z.array(customDomain) });
export const byHostname = z.object({ id: z.string(), domain: z.string() });

export const resolveQuery = z.object({ hostname: text(1_000).min(1) });
export const resolved = z
  .object({
    organization: organization.pick({ id: true, slug: true, kind: true, displayName: true, status: true }),
    branding,
    portalConfig,
  })
  .meta({ id: 'ResolvedHostname' });

/** A value to find events by. An unknown value finds none. */
const eventText = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^\P{C}+$/u, { message: 'Must be printable characters' });
export const accessQuery = pageQuery.extend({
  actor: eventText.optional().describe('E-mail address of an admin, or id of an API key'),
  record: eventText.optional(),
  action: eventText.optional(),
  from: instant.optional(),
  to: instant.optional(),
});
export const accessEventList = z.object({
  accessEvents: z.array(
    z
      .object({
        at: timestamp,
        actor: z
          .string()
          .describe('E-mail address of an admin, id of an API key, or name of a part of Scriptrail'),
        actorKind: z.enum(['admin', 'key', 'system']),
        action: z.string().describe('`<noun>.<verb>`'),
        record: z.string().nullable().describe('Id of the record; null for none or several'),
        organizationId: z.guid().nullable().describe('As the request named it'),
        ip: z.string().nullable(),
        userAgent: z.string().nullable(),
        requestId: z.string().nullable(),
        outcome: z.enum(['allowed', 'refused', 'failed']),
        onBehalfOf: z
          .string()
          .optional()
          .describe('E-mail address of the person for whom the key acted, as the key said'),
      })
      .meta({ id: 'AccessEvent' }),
  ),
  nextCursor,
});

export const accessDayList = z.object({
  days: z.array(
    z
      .object({
        day: z.iso.date().describe('A day in UTC that has ended'),
        events: z.int(),
        hash: z
          .string()
          .describe(
            'SHA-256 over the hash of the day before and the day’s events, in hex: keep it elsewhere too',
          ),
      })
      .meta({ id: 'AccessDay' }),
  ),
  nextCursor,
});

export const auditQuery = pageQuery.extend({
  organizationId: guid.optional(),
  actor: emailAddress.optional().describe('E-mail address'),
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
