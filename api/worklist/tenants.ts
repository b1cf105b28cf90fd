import { createDeskPatientClient } from '../../integrations/worklist/patients.js';
import type { AdminClaims } from '../../platform/crypto/admin-token.js';
import type { ServiceContext } from '../context.js';
import { unavailable } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';
import { partyAt } from './parties.js';

/** The patient directory as the worklist asks it. */
export const deskPatients = (context: ServiceContext) =>
  createDeskPatientClient(partyAt(context, 'PATIENTS_URL'));

/** Finds the organization of a patient among those of an admin (D135). @throws HttpError 503 while the directory is away */
export function createTenancy(context: ServiceContext) {
  const patients = deskPatients(context);
  return async ({ memberships }: AdminClaims, emrPatientId: string): Promise<string | undefined> => {
    const organizations = memberships.map(({ orgId }) => orgId);
    if (emrPatientId === '' || organizations.length === 0) return undefined;
    const asked = { emrPatientIds: [emrPatientId], organizations };
    const [patient] = await patients.find(asked).catch(outboundAs(() => unavailable()));
    return patient?.organizationId;
  };
}
