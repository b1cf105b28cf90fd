import { failureTypes } from '../../domain/failures.js';
import { noticeKey, type NoticeType } from '../../domain/orchestrator/notices.js';
import type { PatientContact } from '../../domain/orderable-patient.js';
import { usableContact } from '../../domain/usable-contact.js';
import type { NotificationClient } from '../../integrations/notification/client.js';
import { callLimits } from '../call-limits.js';
import { permanentFailure, waitingOutOwn } from '../failures.js';

/** A patient is told this; the template's other variables come with it. */
export interface Notice {
  type: NoticeType;
  /** The order, task or card that it is about; type and reference make the notice one. */
  reference: string;
  contact: PatientContact;
  variables: Record<string, string>;
}

export interface NotificationDependencies {
  notifications: NotificationClient;
  /** How long an outage of the notification service is waited out. */
  ownOutageMinutes: number;
}

export const createNotificationActivities = ({
  notifications,
  ownOutageMinutes,
}: NotificationDependencies) => ({
  /**
   * Tells the patient by e-mail, and by SMS where there is a phone number (D38). An address that cannot be used becomes a
   * skipped channel and silences no other (D150).
   * @throws Rejected when no channel could deliver
   *
   * Safe to retry: the notification service sends once per key.
   */
  async notifyPatient({ type, reference, contact, variables }: Notice): Promise<void> {
    const { name, email, phone, unusable } = usableContact(contact);
    if (email === undefined && phone === undefined)
      throw permanentFailure(failureTypes.rejected, 'The patient has no usable e-mail address or phone');
    const notification = {
      type,
      recipient: { name, email, phone, ...(unusable.length === 0 ? {} : { unusable }) },
      variables: { patientName: name, ...variables },
      channels: contact.phone === undefined ? (['email'] as const) : (['email', 'sms'] as const),
    };
    const idempotencyKey = noticeKey(type, reference);
    const delivered = await waitingOutOwn(ownOutageMinutes, () =>
      notifications.send(notification, { idempotencyKey, ...callLimits() }),
    );
    if (delivered.length === 0)
      throw permanentFailure(failureTypes.rejected, 'No channel could deliver the notification');
  },
});

export type NotificationActivities = ReturnType<typeof createNotificationActivities>;
