import { z } from 'zod';
import { detailOf, type Handlers } from '../../activities/events/deliveries.js';
import { refuse } from '../../activities/failures.js';
import { recordOrganization } from '../../db/notification/organizations.js';
import { failureTypes } from '../../domain/failures.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { invite } from '../../starts/notification.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

const invitedAdmin = z.object({ email: z.email().max(254), displayName: z.string() });

/** What the notification service does when it hears of something (page 3, Events; D73). */
export const notificationEvents = (context: WorkerContext): Handlers<'notification'> => ({
  ...sessionEvents(context, 'notification'),

  /**
   * Mails an invited admin the way in. The invitation has a run of its own, which is not waited for: what happens next
   * to the same admin, a suspension say, must not stand behind a mail server. Idempotent by the event's id.
   */
  'admin.user_invited': async (event) => {
    const { email, displayName } = detailOf(event, invitedAdmin);
    const request = {
      type: 'magic_link' as const,
      recipient: { email, name: displayName },
      variables: {
        magicLinkUrl: context.config.service('notification').ADMIN_PORTAL_URL,
        intakeType: '',
      },
    };
    const logId = uuidV5('notification', 'event', event.id);
    const invitation = { ...request, logId, clientId: event.source, bodyHash: jsonHash(request) };
    await invite(context.temporal, event.id, invitation);
  },

  /** Idempotent by the organization: the first event stays on record. */
  'organization.created': async ({ id: eventId, organizationId }) => {
    if (organizationId === null) throw refuse(failureTypes.rejected, 'The event names no organization');
    await recordOrganization(context.sql, { id: organizationId, eventId });
  },
});
