import { z } from 'zod';
import { detailOf, type EventHandler, type Handlers } from '../../activities/events/deliveries.js';
import { recheckDomain } from '../../starts/organization.js';
import type { WorkerContext } from '../context.js';

const watched = z.object({ hostname: z.string() });

/** What the organization service does when it hears its own: hostnames are to be watched, or no longer. Idempotent. */
export function organizationEvents({ temporal }: WorkerContext): Handlers<'organization'> {
  const nudge: EventHandler = async (event) => {
    const { hostname } = detailOf(event, watched);
    await recheckDomain(temporal, { hostname, organizationId: event.organizationId });
  };
  return {
    'organization.custom_domain_registered': nudge,
    'organization.custom_domain_deactivated': nudge,
  };
}
