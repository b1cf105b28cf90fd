import { failureTypes } from '../../domain/failures.js';
import type { PatientDetails } from '../../domain/patient.js';
import type { NotificationClient } from '../../integrations/notification/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { callLimits } from '../call-limits.js';
import { asFailure, refuse } from '../failures.js';

export interface ApprovalNotice {
  submissionId: string;
  patient: PatientDetails;
  /** Display name. */
  medication: string;
  pharmacy: string;
}

export const createNotificationActivities = ({ notifications }: { notifications: NotificationClient }) => ({
  /**
   * Step 7: tells the patient by e-mail and SMS that the prescription is approved.
   * @throws Rejected when no channel could deliver (D38)
   *
   * Safe to retry: the notification service sends once per key.
   */
  async notifyPatient({ submissionId, patient, medication, pharmacy }: ApprovalNotice): Promise<void> {
    const patientName = `${patient.firstName} ${patient.lastName}`;
    const notification = {
      type: 'prescription_approved',
      recipient: {
        ...(patient.email === undefined ? {} : { email: patient.email }),
        phone: patient.phone,
        name: patientName,
      },
      variables: { patientName, medication, pharmacyName: pharmacyName(pharmacy) },
      channels: ['email', 'sms'] as ('email' | 'sms')[],
    };
    try {
      const idempotencyKey = `prescription_approved:${submissionId}`;
      const delivered = await notifications.send(notification, { idempotencyKey, ...callLimits() });
      if (delivered.length === 0)
        throw refuse(failureTypes.rejected, 'No channel could deliver the notification');
    } catch (error) {
      // A call that hung has outlasted every channel's own budget; only quick faults are worth another try.
      if (error instanceof OutboundError && error.fault.kind === 'timeout')
        throw refuse(failureTypes.unavailable, error.message);
      throw asFailure(error);
    }
  },
});

export type NotificationActivities = ReturnType<typeof createNotificationActivities>;

/** `pharmacy_c` as a person reads it: `Pharmacy C`. */
const pharmacyName = (pharmacy: string): string =>
  pharmacy.replace(/^pharmacy_(\w)$/, (_match, letter: string) => `Pharmacy ${letter.toUpperCase()}`);
