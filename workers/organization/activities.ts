import { createEventActivities } from '../../activities/events/deliveries.js';
import { createCreationActivities } from '../../activities/organization/creation.js';
import { createDomainActivities } from '../../activities/organization/domains.js';
import { createSignInActivities } from '../../activities/organization/sign-in.js';
import { createDnsClient } from '../../integrations/custom-domain/dns.js';
import { createTlsProbe } from '../../integrations/custom-domain/tls.js';
import { createEmrOrganizations } from '../../integrations/emr/organizations.js';
import { createNotificationClient } from '../../integrations/notification/client.js';
import type { WorkerContext } from '../context.js';
import { eventSink } from '../publishing.js';
import { organizationEvents } from './events.js';

export const organizationActivities = (context: WorkerContext) => {
  const { config, sql } = context;
  const settings = config.service('organization');
  const dns = createDnsClient(settings.DNS_SERVERS);
  return {
    ...createEventActivities(sql, 'organization', {
      organization: organizationEvents(context),
      sink: eventSink(settings),
    }),
    ...createCreationActivities({
      sql,
      emr: createEmrOrganizations({ baseUrl: settings.EMR_BASE_URL, token: settings.EMR_TOKEN }),
    }),
    ...createDomainActivities({
      sql,
      dns,
      tls: createTlsProbe({
        dns,
        port: settings.DOMAIN_TLS_PORT,
        caFile: settings.DOMAIN_TLS_CA,
        allowPrivate: config.NODE_ENV !== 'production',
      }),
    }),
    ...createSignInActivities({
      sql,
      notifications: createNotificationClient({
        party: 'Notification service',
        baseUrl: settings.NOTIFICATION_URL,
        keyId: settings.ORGANIZATION_API_KEY,
        secret: settings.ORGANIZATION_API_SECRET,
      }),
    }),
  };
};
