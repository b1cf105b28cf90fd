import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { detailOf, type EventHandler, type Handlers } from '../../activities/events/deliveries.js';
import { asFailure } from '../../activities/failures.js';
import { findNewestContact } from '../../db/intake/contacts.js';
import { failureTypes } from '../../domain/failures.js';
import { withContactOf } from '../../domain/intake/contact.js';
import type { Intake } from '../../domain/intake/intake.js';
import { changePatient } from '../../integrations/emr/change-patient.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

/** Six calls at most, with room to spare below the attempt's own time. */
const callTimeoutMs = 2_000;

const contactConfirmed = z.object({ submissionId: z.string() });

/** What the intake gateway does when it hears of something. */
export const intakeEvents = (context: WorkerContext): Handlers<'intake'> => ({
  ...sessionEvents(context, 'intake'),
  'intake.contact_confirmed': writeContact(context),
});

/**
 * Writes the address and phone of a proved intake to its EMR patient (D86), unless a later one's are newer. Idempotent: a
 * record that has them is left alone.
 */
function writeContact({ sql, config }: WorkerContext): EventHandler {
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = config.service('intake');
  return async (event) => {
    const contact = await findNewestContact(sql, detailOf(event, contactConfirmed).submissionId);
    if (!contact) return;
    // Checked against the contract when it was accepted.
    const intake = JSON.parse(contact.body) as Intake;
    try {
      await changePatient(
        { baseUrl, token },
        contact.emrPatientId,
        (patient) => withContactOf(intake, patient),
        { timeoutMs: callTimeoutMs, signal: cancellationSignal() },
      );
    } catch (error) {
      if (isChangedByOthers(error))
        throw ApplicationFailure.create({ type: failureTypes.unavailable, message: error.message });
      throw asFailure(error);
    }
  };
}

/** Others kept changing the record while it was read: they will have done in a while. */
const isChangedByOthers = (error: unknown): error is OutboundError =>
  error instanceof OutboundError && error.fault.kind === 'status' && error.fault.status === 412;
