import { findIncomplete, settleIncomplete } from '../../db/intake/incomplete-patients.js';
import { findRetry, resetRetry } from '../../db/intake/retry-queue.js';
import { judgePatient } from '../../domain/orderable-patient.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { businessDay } from '../../platform/business-day.js';
import { resumeIntake } from '../../starts/intake.js';
import type { ServiceContext } from '../context.js';
import type { AnswerHandlers } from '../plugins/work-items.js';
import { unavailable } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';

const emrTimeoutMs = 5_000;

/** Handles the answers to this service's work items (D109). */
export function answersOf({ sql, temporal, config }: ServiceContext): AnswerHandlers {
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = config.service('intake');
  const emr = createEmrClient({ baseUrl, token });
  return {
    intake_unplaced: {
      retry: async ({ item: { fact: submissionId } }) => {
        const retry = await findRetry(sql, submissionId);
        if (!retry) return 'The intake is gone';
        // A pending retry has been reset already.
        await resetRetry(sql, retry.id);
        await resumeIntake(temporal, submissionId);
        return null;
      },
    },
    patient_incomplete: {
      check_again: async ({ item: { fact: submissionId } }) => {
        const patient = await findIncomplete(sql, submissionId);
        if (!patient) return null;
        const record = await emr
          .readPatient(patient.emrPatientId, { timeoutMs: emrTimeoutMs })
          .catch(outboundAs(() => unavailable()));
        if (!record) return 'The EMR has no such patient';
        const today = businessDay(config.BUSINESS_TIMEZONE);
        const reading = judgePatient(record, { today });
        if ('missing' in reading) return `The record still lacks ${reading.missing.join(', ')}`;
        await settleIncomplete(sql, submissionId);
        return null;
      },
    },
    // A person merges the two patients in the EMR; the answer only records it.
    identity_mismatch: { settle: () => Promise.resolve(null) },
  };
}
