import { z } from 'zod';
import type { EventHandler } from '../../activities/events/deliveries.js';
import type { SubscribedType } from '../../domain/events.js';
import type { WorkerContext } from '../context.js';
import { nudgeDomain } from '../../starts/organization.js';

const watched = z.object({ hostname: z.string() });

/** Its own events that the organization service takes: hostnames that are to be watched, or no longer. Idempotent. */
export function organizationHandlers(
  context: WorkerContext,
): Record<SubscribedType<'organization'>, EventHandler> {
  const nudge: EventHandler = ({ detail, organizationId }) =>
    nudgeDomain(context.temporal, { hostname: watched.parse(detail).hostname, organizationId });
  return {
    'organization.custom_domain_registered': nudge,
    'organization.custom_domain_deactivated': nudge,
  };
}
