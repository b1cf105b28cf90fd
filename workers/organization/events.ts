import { z } from 'zod';
import { detailOf, type EventHandler, type Handlers } from '../../activities/events/deliveries.js';
import { recheckDomain } from '../../starts/organization.js';
import type { WorkerContext } from '../context.js';

const watched = z.object({ hostname: z.string() });

/** Starts or wakes the workflow that watches a hostname. Idempotent. */
export function organizationEvents({ temporal }: WorkerContext): Handlers<'organization'> {
  const watch: EventHandler = async (event) => {
    const { hostname } = detailOf(event, watched);
    await recheckDomain(temporal, { hostname, organizationId: event.organizationId });
  };
  return {
    'organization.custom_domain_registered': watch,
    'organization.custom_domain_deactivated': watch,
  };
}
