import { randomUUID } from 'node:crypto';
import type { Patient } from 'fhir/r4.js';
import type { DevJson } from '../../../dev/dev-json.js';
import { type Answer, callAs, eventually } from '../../helpers/client.js';

export interface SubmitAnswer {
  success?: true;
  submissionId: string;
  error?: string;
  details?: { fieldErrors: Record<string, string[]>; formErrors: string[] };
}

export interface StoredSubmission {
  id: string;
  email: string;
  state: string;
  status: 'submitted' | 'pending_emr';
  emr_patient_id: string | null;
  data: unknown;
  [field: string]: unknown;
}

/** A token for the plan of an intake type, as a browser gets it. */
export async function planToken(dev: DevJson, intakeType = 'glp-1'): Promise<string> {
  const { body } = await callAs<{ plans: { intakeType: string; token: string }[] }>(
    dev,
    'intake',
    undefined,
    {
      path: '/plans',
    },
  );
  const plan = body.plans.find((candidate) => candidate.intakeType === intakeType);
  if (!plan) throw new Error(`no plan for ${intakeType}`);
  return plan.token;
}

export const freshEmail = (): string => `ada.${randomUUID()}@patients.test`;

/** The intake of somebody whom no other test knows, as the form sends it. */
export const newIntake = async (dev: DevJson, change: Record<string, unknown> = {}) => ({
  firstName: 'Ada',
  lastName: 'Test',
  dob: '02-29-1984',
  gender: 'female',
  email: freshEmail(),
  phone: '+1 (202) 555-0101',
  state: 'NY',
  address: { line1: '18 Larch Lane', line2: 'Flat 3', city: 'Sampleton', state: 'NY', zip: '13202' },
  intakeType: 'glp-1',
  planToken: await planToken(dev),
  ...change,
});

export const postIntake = (
  dev: DevJson,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<SubmitAnswer>> =>
  callAs<SubmitAnswer>(dev, 'intake', undefined, { method: 'POST', path: '/submit', body, headers });

/** Many at once, each until it is taken: where the machine is busy a run is late (500), and the same request finds it. */
export const postAtOnce = (dev: DevJson, intakes: readonly unknown[]): Promise<Answer<SubmitAnswer>[]> =>
  Promise.all(
    intakes.map((intake) => {
      const key = { 'idempotency-key': randomUUID() };
      return eventually(async () => {
        const answer = await postIntake(dev, intake, key);
        return answer.status === 200 && answer;
      });
    }),
  );

/** An intake that is taken, where that is not what the test is about: as {@link postAtOnce}. */
export const handedIn = async (dev: DevJson, intake: unknown): Promise<SubmitAnswer> =>
  (await postAtOnce(dev, [intake]))[0]!.body;

/** The patients that the EMR itself finds under an address; a fault set for others does not reach this look. */
export async function emrPatients(dev: DevJson, email: string): Promise<Patient[]> {
  const response = await fetch(`${dev.emr.baseUrl}/Patient/_search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dev.emr.token}`, 'x-sandbox-bypass': '1' },
    body: new URLSearchParams({ email }),
  });
  if (!response.ok) throw new Error(`the EMR answered ${response.status}`);
  const { entry = [] } = (await response.json()) as { entry?: { resource: Patient }[] };
  return entry.map(({ resource }) => resource);
}

export async function storedSubmission(dev: DevJson, token: string, id: string): Promise<StoredSubmission> {
  const path = `/admin/intake-submissions/${id}`;
  const { status, body } = await callAs<{ submission: StoredSubmission }>(dev, 'intake', token, { path });
  if (status !== 200) throw new Error(`the intake gateway answered ${status}`);
  return body.submission;
}
