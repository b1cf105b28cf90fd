import { ownTaskId } from '../../domain/clients.js';
import { failureTypes } from '../../domain/failures.js';
import { noticeKey, type NoticeType } from '../../domain/orchestrator/notices.js';
import type { PatientContact } from '../../domain/orderable-patient.js';
import { usableContact } from '../../domain/usable-contact.js';
import type { NotificationClient } from '../../integrations/notification/client.js';
import { callLimits, permanentFailure, waitingOutOwn } from '../calls.js';

/** A message to a patient, with the template's other variables. */
export interface Notice {
  type: NoticeType;
  /** The order, task or card it concerns; type and reference identify the notice. */
  reference: string;
  contact: PatientContact;
  variables: Record<string, string>;
}

export interface NotificationDependencies {
  notifications: NotificationClient;
  /** How long to wait out an outage of the notification service. */
  ownOutageMinutes: number;
}

export const createNotificationActivities = ({
  notifications,
  ownOutageMinutes,
}: NotificationDependencies) => ({
  /**
   * Notifies the patient by e-mail, and by SMS if there is a phone number (D38). An unusable address becomes a skipped
   * channel and blocks no other (D150). Safe to retry: the notification service sends once per key.
   * @throws Rejected when no channel could deliver
   */
  async notifyPatient({ type, reference, contact, variables }: Notice): Promise<void> {
    const { name, email, phone, unusable } = usableContact(contact);
    if (email === undefined && phone === undefined)
      throw permanentFailure(failureTypes.rejected, 'The patient has no usable e-mail address or phone');
    const notification = {
      type,
      recipient: { name, email, phone, ...(unusable.length === 0 ? {} : { unusable }) },
      variables: {
        patientName: name,
        ...variables,
        ...(variables['orderNumber'] !== undefined && { orderNumber: ownTaskId(variables['orderNumber']) }),
      },
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
