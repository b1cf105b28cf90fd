import { namesOneOf, type Person, personOf } from '../../domain/retention/people.js';
import type { Queryable } from '../client.js';
import { erasedBody } from './erasing.js';

/** The values to erase. They never leave the process or enter a workflow. */
export interface ErasureScope {
  patientId: string;
  mrn: string;
  emrPatientIds: string[];
  /** Intakes under an address of the patient that name the patient. */
  intakeIds: string[];
  /** Lower case. Another patient has none of them, and no intake under them may be another person's. */
  emails: string[];
  /** The patient, as intakes under the patient's ids and the archive say. */
  people: Person[];
}

/**
 * The scope of an erasure, with every EMR id of the patient: from the directory, and from intakes under an address that
 * name the patient. The erasure keeps what it overwrites elsewhere, until it closes.
 * @throws when there is no such erasure
 */
export async function openScope(sql: Queryable, erasureId: string): Promise<ErasureScope> {
  const { addresses: known, ...patient } = await readPatient(sql, erasureId);
  const own = await listOwnIntakes(sql, patient);
  const people = [...patient.people, ...own.flatMap(({ intake }) => personOf(intake) ?? [])];
  const addresses = [...new Set([...known, ...own.flatMap(({ email }) => email ?? [])])];

  const others = await listOtherIntakes(sql, patient, addresses);
  const theirs = others.filter(({ isTaken, intake }) => !isTaken && namesOneOf(people, intake));
  const shared = new Set([
    ...(await listOthersAddresses(sql, patient, addresses)),
    ...others.filter((intake) => !theirs.includes(intake)).map(({ email }) => email),
  ]);
  const emails = addresses.filter((email) => !shared.has(email));
  const emrPatientIds = [
    ...new Set([...patient.emrPatientIds, ...theirs.flatMap(({ emrPatientId }) => emrPatientId ?? [])]),
  ];
  const scope = { ...patient, emrPatientIds, emails, people: distinct(people) };
  await sql`
    update patients.erasure set
      emr_patient_ids = ${emrPatientIds}, emails = ${emails}, people = ${sql.json(scope.people as never)},
      leaves_by_address = leaves_by_address or ${shared.size > 0 || (addresses.length > 0 && people.length === 0)}
    where id = ${erasureId}
  `;
  return { ...scope, intakeIds: theirs.map(({ id }) => id) };
}

type Patient = Omit<ErasureScope, 'intakeIds' | 'emails'>;

async function readPatient(sql: Queryable, erasureId: string): Promise<Patient & { addresses: string[] }> {
  const [patient] = await sql<(Patient & { addresses: string[] })[]>`
    select patient.id as patient_id, patient.mrn, people,
      array(
        select unnest(emr_patient_ids) union select patient.emr_patient_id where patient.emr_patient_id is not null
      ) as emr_patient_ids,
      array_remove(emails || former_emails || email_lower, null) as addresses
    from patients.erasure
    join patients.patient_directory as patient on patient.id = patient_id
    where erasure.id = ${erasureId}
  `;
  if (!patient) throw new Error('There is no such erasure');
  return patient;
}

/** Intakes under the patient's ids, which joined the patient's EMR record, and the archived ones. */
async function listOwnIntakes(
  sql: Queryable,
  { patientId, emrPatientIds }: Patient,
): Promise<{ email: string | null; intake: unknown }[]> {
  const joined = await sql<{ email: string; intake: unknown }[]>`
    select email, data as intake
    from intake.submission
    where emr_patient_id = any(${emrPatientIds}) and body <> ${erasedBody}
  `;
  const archived = await sql<{ payload: Buffer }[]>`
    select payload from patients.intake_snapshots where patient_id = ${patientId} and erased_at is null
  `;
  return [
    ...joined,
    ...archived.map(({ payload }) => ({ email: null, intake: JSON.parse(payload.toString()) as unknown })),
  ];
}

/** Intakes under the addresses that are not under the patient's ids. `isTaken`: another patient has the EMR's id. */
const listOtherIntakes = (
  sql: Queryable,
  { patientId, emrPatientIds }: Patient,
  addresses: readonly string[],
) =>
  sql<{ id: string; email: string; emrPatientId: string | null; isTaken: boolean; intake: unknown }[]>`
    select id, email, emr_patient_id, data as intake, exists (
      select from patients.patient_directory as other
      where other.emr_patient_id = submission.emr_patient_id and other.id <> ${patientId}
    ) as is_taken
    from intake.submission
    where email = any(${addresses}) and body <> ${erasedBody}
      and (emr_patient_id is null or emr_patient_id <> all(${emrPatientIds}))
  `;

async function listOthersAddresses(
  sql: Queryable,
  { patientId }: Patient,
  addresses: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select unnest(former_emails || email_lower) as email
    from patients.patient_directory
    where id <> ${patientId}
      and (email_lower = any(${addresses}) or (former_emails <> '{}' and former_emails && ${addresses}))
  `;
  return rows.map(({ email }) => email).filter((email) => addresses.includes(email));
}

const distinct = (people: readonly Person[]): Person[] => [
  ...new Map(people.map((person) => [JSON.stringify(person), person])).values(),
];

/**
 * Completes an erasure and deletes the addresses and names that identified the data. Idempotent.
 * @returns whether records stay that only an address links to the patient
 */
export async function closeErasure(sql: Queryable, erasureId: string): Promise<boolean> {
  await sql`
    with closed as (
      update patients.erasure set state = 'completed', completed_at = now(), emails = '{}', people = '[]'
      where id = ${erasureId} and state = 'running'
      returning patient_id
    )
    update patients.patient_directory set email_lower = null, former_emails = '{}', updated_at = now()
    where id in (select patient_id from closed) and (email_lower is not null or former_emails <> '{}')
  `;
  const [row] = await sql<{ leavesByAddress: boolean }[]>`
    select leaves_by_address from patients.erasure where id = ${erasureId}
  `;
  return row?.leavesByAddress ?? false;
}

/** Erasures running for longer than `olderThanSeconds`, oldest first: their workflows may be gone. */
export async function listRunningErasures(sql: Queryable, olderThanSeconds: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from patients.erasure
    where state = 'running' and requested_at < now() - make_interval(secs => ${olderThanSeconds})
    order by requested_at
    limit 100
  `;
  return rows.map(({ id }) => id);
}
