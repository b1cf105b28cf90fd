import { activityInfo } from '@temporalio/activity';
import { type Demographics, fhirPatientOf } from '../../domain/patients/demographics.js';
import type { MrnClient } from '../../integrations/emr/mrn-client.js';
import { callLimits } from '../call-limits.js';
import { calling } from '../failures.js';

export interface EmrPatientRequest {
  mrn: string;
  email: string;
  demographics: Demographics;
}

export interface MadePatient {
  emrPatientId: string;
  /** An earlier call was not answered, so it may have had an effect of its own. */
  calledBefore: boolean;
}

export const createMrnActivities = ({ emr, mrnSystemUri }: { emr: MrnClient; mrnSystemUri: string }) => ({
  /**
   * The EMR patients under a medical record number.
   *
   * Safe to retry: it only reads.
   */
  async findPatientsByMrn({ mrn }: { mrn: string }): Promise<string[]> {
    return calling(() => emr.findByMrn(mrn, callLimits()));
  },

  /**
   * Makes the patient in the EMR, under the number that nobody else is given.
   *
   * Safe to retry: the EMR makes none where it has one under the number.
   */
  async makePatientUnderMrn({ mrn, email, demographics }: EmrPatientRequest): Promise<MadePatient> {
    const patient = fhirPatientOf(demographics, email, { system: mrnSystemUri, value: mrn });
    const emrPatientId = await calling(() => emr.createUnlessKnown(patient, mrn, callLimits()));
    return { emrPatientId, calledBefore: activityInfo().attempt > 1 };
  },
});

export type MrnActivities = ReturnType<typeof createMrnActivities>;
