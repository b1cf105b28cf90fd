import { z } from 'zod';
import { detailOf, type Handlers } from '../../activities/events/deliveries.js';
import { permanentFailure } from '../../activities/calls.js';
import { recordOrganization } from '../../db/notification/organizations.js';
import type { EventEnvelope } from '../../domain/events.js';
import { failureTypes } from '../../domain/failures.js';
import type { Notification } from '../../domain/notification/notification.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { emailAddress } from '../../platform/http/text.js';
import { invite, warn } from '../../starts/notification.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

const knownAdmin = z.object({ email: emailAddress, displayName: z.string() });

const codesLocked =
  'Somebody entered too many wrong codes for your account. Sign-in by code is locked for a day. You can still sign in through the identity provider. If it was not you, contact the administrator of your portal.';

/** The notification of an event. A redelivered event gives the same log id. */
const mailOf = (
  { id, source }: EventEnvelope,
  request: Omit<Notification, 'logId' | 'clientId' | 'bodyHash'>,
): Notification => ({
  ...request,
  logId: uuidV5('notification', 'event', id),
  clientId: source,
  bodyHash: jsonHash(request),
});

/** The event handlers of the notification service (page 3, Events; D73). */
export const notificationEvents = (context: WorkerContext): Handlers<'notification'> => ({
  ...sessionEvents(context, 'notification'),

  /**
   * Mails an invited admin the link to the portal. The handler does not wait for the mail: a slow mail server must not
   * delay the next event of the admin, such as a suspension. Idempotent by the event's id.
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

  /** Mails an admin that sign-in codes are locked after too many wrong ones (D92). Idempotent by the event's id. */
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

  /** Idempotent by the organization; the first event stays on record. */
  'organization.created': async ({ id: eventId, organizationId }) => {
    if (organizationId === null)
      throw permanentFailure(failureTypes.rejected, 'The event names no organization');
    await recordOrganization(context.sql, { id: organizationId, eventId });
  },
});
