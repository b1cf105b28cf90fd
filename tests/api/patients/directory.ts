import { randomInt, randomUUID } from 'node:crypto';
import { type DevJson, defaultStateDir } from '../../../dev/dev-json.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { createSql, type Sql } from '../../../db/client.js';
import { keepAskedStatus } from '../../../db/patients/organizations.js';
import type { OrganizationStatus, PatientRow } from '../../../domain/patients/patient-directory.js';
import type { Role } from '../../../api/plugins/admin.js';
import { adminToken, type Answer, callAs } from '../../helpers/client.js';

/** Possible answers of the directory, whatever the route. */
export interface DirectoryAnswer {
  patient: PatientRow;
  snapshot: SnapshotRow;
  snapshots: SnapshotRow[];
  orphans: OrphanRow[];
  orphan: OrphanRow;
  nextCursor: string | null;
  processed: number;
  error: string;
  message: string;
  details: { path: string; message: string }[];
}
interface SnapshotRow {
  id: string;
  patient_id: string;
  intake_type: string;
  submitted_at: string;
  payload: unknown;
  payload_hash: string;
  source_ip: string;
  user_agent: string | null;
}
interface OrphanRow {
  id: string;
  emr_patient_id: string;
  mrn: string;
  organization_id: string;
  reason: string;
  settled_at: string | null;
  settled_by: string | null;
}

/** The database as its owner sees it. */
export async function asOwner<T>(dev: DevJson, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** The database as the directory's own role sees it. */
export function ownRoleUrl(dev: DevJson): string {
  const url = new URL(dev.databaseUrl);
  url.username = 'scriptrail_patients';
  url.password = loadSecrets(defaultStateDir()).patientsDatabasePassword;
  return url.href;
}

/** An organization that the directory knows the state of. */
export async function organization(dev: DevJson, status: OrganizationStatus = 'active'): Promise<string> {
  const organizationId = randomUUID();
  await asOwner(dev, (sql) => keepAskedStatus(sql, { organizationId, status }));
  return organizationId;
}

/** The token of an admin who has a role in an organization. */
export const memberOf = (
  dev: DevJson,
  orgId: string,
  role: Role = 'org_user',
  sub: string = randomUUID(),
  stateDir?: string,
): Promise<string> => adminToken(dev, { sub, memberships: [{ orgId, role }] }, stateDir);

export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<DirectoryAnswer>>;

/** Calls of the directory with one token, or none. */
export const asking =
  (dev: DevJson, token: string | undefined): Ask =>
  (method, path, body, headers = {}) =>
    callAs<DirectoryAnswer>(dev, 'patients', token, {
      method,
      path: `/v1${path}`,
      ...(body === undefined ? {} : { body }),
      headers,
    });

/** An invented person's create. */
export function newBody(organizationId: string, replaced: object = {}) {
  const family = `Test${randomUUID().slice(0, 8)}`;
  return {
    organizationId,
    contactEmail: `Ada.${family}@Example.test`,
    demographics: {
      firstName: 'Ada',
      lastName: family,
      dob: '1984-03-12',
      gender: 'female',
      phone: `(202) ${randomInt(200, 1000)}-${randomInt(1000, 10_000)}`,
      address: { line1: '18 Larch Lane', line2: 'Flat 3', city: 'Sampleton', state: 'NY', zip: '13202' },
    },
    intake: {
      intakeType: 'glp-1',
      submittedAt: '2026-11-01T09:30:00.000Z',
      payload: { goal: 'weight', answers: [1, 2, 3] },
    },
    ...replaced,
  };
}

/** An organization with a member and a patient of theirs. */
export async function newDirectoryPatient(dev: DevJson, replaced: object = {}) {
  const organizationId = await organization(dev);
  const ask = asking(dev, await memberOf(dev, organizationId));
  const body = newBody(organizationId, replaced);
  const answer = await ask('POST', '/patients', body);
  if (answer.status !== 201) throw new Error(`making a patient was answered ${answer.status}`);
  return { organizationId, ask, body, patient: answer.body.patient };
}

/** The events of a patient, oldest first. */
export const eventsOf = (dev: DevJson, patientId: string) =>
  asOwner(
    dev,
    (sql) => sql<{ detailType: string; organizationId: string; detail: unknown }[]>`
      select detail_type, organization_id, detail
      from patients.outbox
      where aggregate_id = ${patientId}
      order by sequence
    `,
  );

/** The patients that the EMR holds under a record number. */
export async function emrPatientsUnder(dev: DevJson, mrn: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${dev.emr.baseUrl}/Patient/_search`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${dev.emr.token}`,
      'content-type': 'application/x-www-form-urlencoded',
      'x-sandbox-bypass': '1',
    },
    body: new URLSearchParams({ identifier: `https://scriptrail.health/mrn|${mrn}` }),
  });
  const bundle = (await response.json()) as { entry?: { resource: Record<string, unknown> }[] };
  return (bundle.entry ?? []).map(({ resource }) => resource);
}
