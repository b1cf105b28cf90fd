import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const patient = z.object({
  id: z.string(),
  organizationId: z.string(),
  emrPatientId: z.string().nullable(),
  state: z.string(),
  createdAt: z.string(),
});
export type DeskPatient = z.infer<typeof patient>;

const timeoutMs = 5_000;

/** The patient directory, for the desk. The search text stands in the body, never in the URL. */
export const createDeskPatientClient = (settings: SignedParty) => ({
  /**
   * Patients with any of the given marks, newest first, at most 20.
   * @param asked `organizations` limits them; undefined: all
   * @throws OutboundError
   */
  async find(asked: {
    q?: string;
    emrPatientIds?: readonly string[];
    organizations?: readonly string[];
  }): Promise<DeskPatient[]> {
    const call = { method: 'POST', resource: 'desk-patients', path: '/desk/patients', timeoutMs } as const;
    const response = await signedCall(settings, { ...call, body: asked });
    return parseAnswer(settings.party, response, z.object({ patients: z.array(patient) })).patients;
  },
});
