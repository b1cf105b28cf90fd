import {
  type Branding,
  noBranding,
  noPortalConfig,
  type NotificationConfig,
  type OrganizationStatus,
  type PortalConfig,
  type Refusal,
} from '../../domain/organization/organizations.js';
import type { Queryable, Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import type { Actor } from '../../domain/organization/actor.js';
import { writeAudit } from './audit.js';
import { changeOrganization, type Organization } from './organizations.js';
import type { Scope } from './scope.js';

export interface Target {
  scope: Scope;
  organizationId: string;
  by: Actor;
}

/** Replaces the branding; omitted fields have their defaults already (D74). */
export async function putBranding(sql: Sql, target: Target, branding: Branding): Promise<Branding | Refusal> {
  const { patientPortal, adminPortal, email } = branding.displayNames;
  const row = {
    organizationId: target.organizationId,
    primaryColor: branding.primaryColor,
    logoUrl: branding.logoUrl,
    faviconUrl: branding.faviconUrl,
    emailHeaderImageUrl: branding.emailHeaderImageUrl,
    patientPortalName: patientPortal,
    adminPortalName: adminPortal,
    emailName: email,
  };
  return replace(sql, target, 'organization.branding_updated', async (sql, { id }) => {
    const { organizationId: _id, ...values } = row;
    await sql`
      insert into organization.branding ${sql(row)} on conflict (organization_id) do update set ${sql(values)}
    `;
    await publishEvent(sql, 'organization', {
      detailType: 'organization.branding_updated',
      aggregateId: id,
      organizationId: id,
      detail: { organizationId: id, branding: { ...branding } },
    });
    return branding;
  });
}

export async function putPortalConfig(
  sql: Sql,
  target: Target,
  config: PortalConfig,
): Promise<PortalConfig | Refusal> {
  return replace(sql, target, 'organization.portal_config_updated', async (sql, { id }) => {
    await sql`
      insert into organization.portal_config ${sql({ organizationId: id, ...config })}
      on conflict (organization_id) do update set ${sql({ ...config })}
    `;
    return config;
  });
}

export async function putNotificationConfig(
  sql: Sql,
  target: Target,
  config: NotificationConfig,
): Promise<NotificationConfig | Refusal> {
  return replace(sql, target, 'organization.notification_config_updated', async (sql, { id }) => {
    await sql`
      insert into organization.notification_config ${sql({ organizationId: id, ...config })}
      on conflict (organization_id) do update set ${sql({ ...config })}
    `;
    return config;
  });
}

const replace = <T extends object>(
  sql: Sql,
  { scope, organizationId, by }: Target,
  action: string,
  write: (sql: Queryable, organization: Organization) => Promise<T>,
): Promise<T | Refusal> =>
  changeOrganization(sql, scope, organizationId, async (sql, organization) => {
    const written = await write(sql, organization);
    await writeAudit(sql, by, { action, target: `organization:${organizationId}`, organizationId });
    return written;
  });

/** The tenant data that a portal can read (page 3, Public resolver). */
export interface PublicOrganization {
  organization: Pick<Organization, 'id' | 'slug' | 'kind' | 'displayName'> & { status: OrganizationStatus };
  branding: Branding;
  portalConfig: PortalConfig;
}

/** Finds the unarchived tenant of an active custom domain. */
export async function resolveHostname(
  sql: Queryable,
  hostname: string,
): Promise<PublicOrganization | undefined> {
  const [row] = await sql<
    (PublicOrganization['organization'] & {
      brandingOf: string | null;
      primaryColor: string | null;
      logoUrl: string | null;
      faviconUrl: string | null;
      emailHeaderImageUrl: string | null;
      patientPortalName: string | null;
      adminPortalName: string | null;
      emailName: string | null;
      configOf: string | null;
      messagingEnabled: boolean;
      selfSchedulingEnabled: boolean;
      refillSelfServiceEnabled: boolean;
      termsUrl: string | null;
    })[]
  >`
    select tenant.id, tenant.slug, tenant.kind, tenant.display_name, tenant.status,
      branding.organization_id as branding_of, primary_color, logo_url, favicon_url, email_header_image_url,
      patient_portal_name, admin_portal_name, email_name,
      config.organization_id as config_of, messaging_enabled, self_scheduling_enabled,
      refill_self_service_enabled, terms_url
    from organization.custom_domain domain
    join organization.organization tenant on tenant.id = domain.organization_id
    left join organization.branding branding on branding.organization_id = tenant.id
    left join organization.portal_config config on config.organization_id = tenant.id
    where domain.hostname = ${hostname} and domain.state = 'active' and tenant.status <> 'archived'
  `;
  if (!row) return undefined;
  const { id, slug, kind, displayName, status } = row;
  return {
    organization: { id, slug, kind, displayName, status },
    branding:
      row.brandingOf === null
        ? noBranding
        : {
            primaryColor: row.primaryColor,
            logoUrl: row.logoUrl,
            faviconUrl: row.faviconUrl,
            emailHeaderImageUrl: row.emailHeaderImageUrl,
            displayNames: {
              patientPortal: row.patientPortalName,
              adminPortal: row.adminPortalName,
              email: row.emailName,
            },
          },
    portalConfig:
      row.configOf === null
        ? noPortalConfig
        : {
            messagingEnabled: row.messagingEnabled,
            selfSchedulingEnabled: row.selfSchedulingEnabled,
            refillSelfServiceEnabled: row.refillSelfServiceEnabled,
            termsUrl: row.termsUrl,
          },
  };
}
