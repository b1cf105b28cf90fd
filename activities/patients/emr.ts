import { activityInfo } from '@temporalio/activity';
import { type Demographics, fhirPatientOf } from '../../domain/patients/demographics.js';
import type { MrnClient } from '../../integrations/emr/mrn-client.js';
import { calling, callLimits } from '../calls.js';

export interface EmrPatientRequest {
  mrn: string;
  email: string;
  demographics: Demographics;
}

export interface MadePatient {
  emrPatientId: string;
  /** An earlier call got no response and may have created a patient. */
  calledBefore: boolean;
}

export const createMrnActivities = ({ emr, mrnSystemUri }: { emr: MrnClient; mrnSystemUri: string }) => ({
  /** Finds the EMR patients under a medical record number. Safe to retry: it only reads. */
  async findPatientsByMrn({ mrn }: { mrn: string }): Promise<string[]> {
    return calling(() => emr.findByMrn(mrn, callLimits()));
  },

  /**
   * Creates the patient in the EMR under its unique number. Safe to retry: the EMR creates none if the number exists.
   */
  async makePatientUnderMrn({ mrn, email, demographics }: EmrPatientRequest): Promise<MadePatient> {
    const patient = fhirPatientOf(demographics, email, { system: mrnSystemUri, value: mrn });
    const emrPatientId = await calling(() => emr.createUnlessKnown(patient, mrn, callLimits()));
    return { emrPatientId, calledBefore: activityInfo().attempt > 1 };
  },
});

export type MrnActivities = ReturnType<typeof createMrnActivities>;
