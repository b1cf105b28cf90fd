import { z } from 'zod';
import type { EventHandler } from '../../activities/events/deliveries.js';
import { refuse } from '../../activities/failures.js';
import { recordOrganization } from '../../db/notification/organizations.js';
import type { SubscribedType } from '../../domain/events.js';
import { failureTypes } from '../../domain/failures.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { invite } from '../../starts/notification.js';
import type { WorkerContext } from '../context.js';

type Handlers = Pick<
  Record<SubscribedType<'notification'>, EventHandler>,
  'admin.user_invited' | 'organization.created'
>;

const invitedAdmin = z.object({ email: z.email().max(254), displayName: z.string() });

/** What the notification service does with the organization service's events (page 3, Events; D73). */
export const notificationHandlers = ({ config, sql, temporal }: WorkerContext): Handlers => ({
  /**
   * Mails an invited admin the way in. The invitation has a run of its own, which is not waited for: what happens next
   * to the same admin, a suspension say, must not stand behind a mail server. Idempotent by the event's id.
   */
  'admin.user_invited': async (event) => {
    const invited = invitedAdmin.safeParse(event.detail);
    if (!invited.success) throw refuse(failureTypes.rejected, 'The invitation has no e-mail address or name');
    const { email, displayName } = invited.data;
    const request = {
      type: 'magic_link' as const,
      recipient: { email, name: displayName },
      variables: {
        magicLinkUrl: config.service('notification').ADMIN_PORTAL_URL,
        intakeType: '',
      },
    };
    const logId = uuidV5('notification', 'event', event.id);
    const invitation = { ...request, logId, clientId: event.source, bodyHash: jsonHash(request) };
    await invite(temporal, event.id, invitation);
  },

  /** Idempotent by the organization: the first event stays on record. */
  'organization.created': async ({ id: eventId, organizationId }) => {
    if (organizationId === null) throw refuse(failureTypes.rejected, 'The event names no organization');
    await recordOrganization(sql, { id: organizationId, eventId });
  },
});
