import { z } from 'zod';
import { detailOf, type Handlers } from '../../activities/events/deliveries.js';
import { permanentFailure } from '../../activities/failures.js';
import { recordOrganization } from '../../db/notification/organizations.js';
import type { EventEnvelope } from '../../domain/events.js';
import { failureTypes } from '../../domain/failures.js';
import type { Notification } from '../../domain/notification/notification.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { invite, warn } from '../../starts/notification.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

const knownAdmin = z.object({ email: z.email().max(254), displayName: z.string() });

const codesLocked =
  'Too many wrong codes were entered to sign in as you, so for a day nobody can sign in as you with a code. The identity provider stays open. If it was not you, please tell whoever runs your portal.';

/** The notification that an event leads to: the same one however often the event comes. */
const mailOf = (
  { id, source }: EventEnvelope,
  request: Omit<Notification, 'logId' | 'clientId' | 'bodyHash'>,
): Notification => ({
  ...request,
  logId: uuidV5('notification', 'event', id),
  clientId: source,
  bodyHash: jsonHash(request),
});

/** What the notification service does when it hears of something (page 3, Events; D73). */
export const notificationEvents = (context: WorkerContext): Handlers<'notification'> => ({
  ...sessionEvents(context, 'notification'),

  /**
   * Mails an invited admin the way in. The invitation has a run of its own, which is not waited for: what happens next
   * to the same admin, a suspension say, must not stand behind a mail server. Idempotent by the event's id.
   */
  'admin.user_invited': async (event) => {
    const { email, displayName } = detailOf(event, knownAdmin);
    const request = {
      type: 'magic_link' as const,
      recipient: { email, name: displayName },
      variables: {
        magicLinkUrl: context.config.service('notification').ADMIN_PORTAL_URL,
        intakeType: '',
      },
    };
    await invite(context.temporal, event.id, mailOf(event, request));
  },

  /** Tells an admin that codes are locked, since somebody entered wrong ones (D92). As an invitation is mailed. */
  'admin.sign_in_locked': async (event) => {
    const { email, displayName } = detailOf(event, knownAdmin);
    const request = {
      type: 'support_message' as const,
      recipient: { email, name: displayName },
      variables: { patientName: displayName, message: codesLocked },
      channels: ['email' as const],
    };
    await warn(context.temporal, event.id, mailOf(event, request));
  },

  /** Idempotent by the organization: the first event stays on record. */
  'organization.created': async ({ id: eventId, organizationId }) => {
    if (organizationId === null)
      throw permanentFailure(failureTypes.rejected, 'The event names no organization');
    await recordOrganization(context.sql, { id: organizationId, eventId });
  },
});
