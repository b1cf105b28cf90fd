import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { detailOf, type EventHandler, type Handlers } from '../../activities/events/deliveries.js';
import { asFailure } from '../../activities/calls.js';
import { findNewestContact } from '../../db/intake/contacts.js';
import { failureTypes } from '../../domain/failures.js';
import { withContactOf } from '../../domain/intake/contact.js';
import { intakeOf } from '../../domain/intake/intake.js';
import { changePatient } from '../../integrations/emr/change-patient.js';
import { businessDay } from '../../platform/business-day.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

/** At most six calls, which must end before the attempt's own timeout. */
const callTimeoutMs = 2_000;

const contactConfirmed = z.object({ submissionId: z.string() });

export const intakeEvents = (context: WorkerContext): Handlers<'intake'> => ({
  ...sessionEvents(context, 'intake'),
  'intake.contact_confirmed': writeContact(context),
});

/**
 * Writes address and phone of a verified intake to its EMR patient (D86), unless a later intake has newer ones.
 * Idempotent: it skips a record that already has them.
 */
function writeContact({ sql, config }: WorkerContext): EventHandler {
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = config.service('intake');
  return async (event) => {
    const { submissionId } = detailOf(event, contactConfirmed);
    const contact = await findNewestContact(sql, submissionId);
    if (!contact) return;
    const today = businessDay(config.BUSINESS_TIMEZONE);
    try {
      await changePatient(
        { baseUrl, token },
        contact.emrPatientId,
        async (patient) => {
          // Another intake may have written between two reads.
          const newest = await findNewestContact(sql, submissionId);
          return newest && withContactOf(intakeOf(newest.body), patient, today);
        },
        { timeoutMs: callTimeoutMs, signal: cancellationSignal() },
      );
    } catch (error) {
      if (isChangedByOthers(error))
        throw ApplicationFailure.create({ type: failureTypes.unavailable, message: error.message });
      throw asFailure(error);
    }
  };
}

/** Other writers changed the record between read and write. Retry later. */
const isChangedByOthers = (error: unknown): error is OutboundError =>
  error instanceof OutboundError && error.fault.kind === 'status' && error.fault.status === 412;
