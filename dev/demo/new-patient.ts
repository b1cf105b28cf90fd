import { randomUUID } from 'node:crypto';
import { withDatabase } from '../../cli/database.js';
import type { DevJson } from '../dev-json.js';
import { seedPatient } from '../seed/patients.js';
import { seedPaymentProfiles } from '../seed/payment-profiles.js';

/** Creates a patient with a saved card that no other demo uses. */
export async function newPatient(
  { emr, stripe }: DevJson,
  { state, card }: { state: string; card: string },
): Promise<{ emrPatientId: string; email: string }> {
  const patient = await seedPatient(
    { EMR_BASE_URL: emr.baseUrl, EMR_TOKEN: emr.token },
    {
      name: ['Nell', `Demo${randomUUID().slice(0, 8)}`],
      gender: 'female',
      birthDate: '1984-02-29',
      phone: '+12025550101',
      address: ['18 Larch Lane', 'Sampleton', state, '98101'],
      card,
    },
    `demo-${randomUUID()}`,
  );
  const processor = { STRIPE_API_BASE: stripe.apiBase, STRIPE_SECRET_KEY: stripe.secretKey };
  await withDatabase((sql) => seedPaymentProfiles(sql, processor, [patient]));
  return patient;
}
