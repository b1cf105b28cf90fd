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

export const putPortalConfig = (sql: Sql, target: Target, config: PortalConfig) =>
  replace(sql, target, 'organization.portal_config_updated', async (sql, { id }) => {
    await sql`
      insert into organization.portal_config ${sql({ organizationId: id, ...config })}
      on conflict (organization_id) do update set ${sql({ ...config })}
    `;
    return config;
  });

export const putNotificationConfig = (sql: Sql, target: Target, config: NotificationConfig) =>
  replace(sql, target, 'organization.notification_config_updated', async (sql, { id }) => {
    await sql`
      insert into organization.notification_config ${sql({ organizationId: id, ...config })}
      on conflict (organization_id) do update set ${sql({ ...config })}
    `;
    return config;
  });

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
    {
      organization: PublicOrganization['organization'];
      branding: Branding | null;
      portalConfig: PortalConfig | null;
    }[]
  >`
    select
      jsonb_build_object(
        'id', tenant.id, 'slug', slug, 'kind', kind, 'displayName', display_name, 'status', status
      ) as organization,
      case when branding.organization_id is not null then jsonb_build_object(
        'primaryColor', primary_color, 'logoUrl', logo_url, 'faviconUrl', favicon_url,
        'emailHeaderImageUrl', email_header_image_url, 'displayNames', jsonb_build_object(
          'patientPortal', patient_portal_name, 'adminPortal', admin_portal_name, 'email', email_name
        )
      ) end as branding,
      case when config.organization_id is not null then jsonb_build_object(
        'messagingEnabled', messaging_enabled, 'selfSchedulingEnabled', self_scheduling_enabled,
        'refillSelfServiceEnabled', refill_self_service_enabled, 'termsUrl', terms_url
      ) end as portal_config
    from organization.custom_domain domain
    join organization.organization tenant on tenant.id = domain.organization_id
    left join organization.branding branding on branding.organization_id = tenant.id
    left join organization.portal_config config on config.organization_id = tenant.id
    where domain.hostname = ${hostname} and domain.state = 'active' and tenant.status <> 'archived'
  `;
  if (!row) return undefined;
  const { organization, branding, portalConfig } = row;
  return { organization, branding: branding ?? noBranding, portalConfig: portalConfig ?? noPortalConfig };
}
