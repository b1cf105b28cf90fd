import { readContact } from '../../domain/orderable-patient.js';
import { usableContact } from '../../domain/usable-contact.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { createNotificationClient, type Delivered } from '../../integrations/notification/client.js';
import { ownServices } from '../../integrations/own-services.js';
import { businessDay } from '../../platform/business-day.js';
import type { ServiceContext } from '../context.js';
import { conflict, HttpError, notFound, unavailable } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';
import { readTaskFacts } from './task-facts.js';

const readTimeoutMs = 5_000;
/** Longer than the notification service waits for its channels. */
const sendTimeoutMs = 35_000;

/**
 * Sends the last message about a task again, to the contact that the EMR has now (D135). The notification service sends
 * it once per key.
 * @returns a function that throws HttpError 404, 409 if there is no message, no contact or no patient, 502 if no channel
 * delivers, and 503 while the EMR or the notification service is away
 */
export function createSendingAgain({ config, sql }: ServiceContext) {
  const own = config.service('orchestrator');
  const emr = createEmrClient({ baseUrl: own.EMR_BASE_URL, token: own.EMR_TOKEN });
  const notifications = createNotificationClient(ownServices(own).notification);

  return async (taskId: string, idempotencyKey: string): Promise<Delivered> => {
    const told = await readTaskFacts(sql, taskId);
    if (!told) throw notFound('Task not found');
    const emrPatientId = told.runs.findLast((run) => run.emrPatientId !== null)?.emrPatientId;
    if (!emrPatientId) throw conflict('No message was sent yet');
    const recipient = await recipientOf(emrPatientId);
    const again = {
      keys: told.messageKeys,
      recipient,
      channels: recipient.phone === undefined ? (['email'] as const) : (['email', 'sms'] as const),
    };
    const sent = await notifications
      .sendAgain(again, { timeoutMs: sendTimeoutMs, idempotencyKey })
      .catch(outboundAs(() => unavailable()));
    if (!sent) throw conflict('No message was sent yet');
    if (!sent.channels.some(({ status }) => status === 'sent'))
      throw new HttpError(502, 'No channel could deliver', { code: 'not_delivered' });
    return sent;
  };

  async function recipientOf(emrPatientId: string) {
    const resource = await emr
      .readPatient(emrPatientId, { timeoutMs: readTimeoutMs })
      .catch(outboundAs(() => unavailable()));
    if (!resource) throw conflict('Patient not found in EMR');
    const reading = {
      today: businessDay(config.BUSINESS_TIMEZONE),
      consentExtension: own.EMR_CONSENT_EXTENSION,
    };
    const { unusable, ...recipient } = usableContact(readContact(resource, reading));
    if (recipient.email === undefined && recipient.phone === undefined)
      throw conflict('The patient has no usable e-mail address or phone');
    return { ...recipient, ...(unusable.length === 0 ? {} : { unusable }) };
  }
}
