import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { violatedConstraint } from '../../db/constraints.js';
import {
  archivePatient,
  backfillPatient,
  findByEmail,
  findPatient,
  type PatientKey,
} from '../../db/patients/directory.js';
import { futureBirthDateText, isBirthDate } from '../../domain/orderable-patient.js';
import { isEmrPatientOf, lookupStatusOf, type PatientRow } from '../../domain/patients/patient-directory.js';
import { createEmrClient, type EmrClient } from '../../integrations/emr/client.js';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import { businessDay } from '../../platform/business-day.js';
import type { App, ServiceContext } from '../context.js';
import { organizationsOf } from '../plugins/admin.js';
import {
  codedErrors,
  codedHttpError,
  codedUnfinished,
  conflict,
  forbidden,
  found,
  HttpError,
  idOf,
  InvalidField,
} from '../http-errors.js';
import { outboundAs } from '../outcomes.js';
import { membersOfTheBody, readable, writersOfTheBody, writersOfThePatient } from './authorize.js';
import { creationOf, learnOrganization, resultOf } from './create-patient.js';
import * as contract from './contract.js';

const common = { tags: ['Patients'], security: [{ adminToken: [] }] };
const { patientParams, bodyErrors, readingErrors } = contract;

/** Patients of the directory (page 3, Patient directory; D75-D77, D80). */
export function directoryRoutes(
  admin: App,
  context: ServiceContext,
  organizations: OrganizationClient,
): void {
  const { sql } = context;
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = context.config.service('patients');
  const emr = createEmrClient({ baseUrl, token });

  admin.post(
    '/v1/patients',
    {
      config: {
        errorCodes: ['mrn_exhausted', 'emr_unavailable', 'organization_unavailable'],
        ...writersOfTheBody,
        access: { action: 'patient.create' },
      },
      schema: {
        ...common,
        summary: 'Create a patient in the EMR and in the directory',
        description:
          'Creates the patient in both or in neither. Safe to repeat with an `Idempotency-Key`: the same key and body return the recorded answer with `Idempotent-Replayed: true`.',
        headers: contract.createHeaders,
        body: contract.newPatient,
        response: {
          201: contract.onePatient,
          ...bodyErrors,
          404: codedHttpError.describe('The caller knows no such organization'),
          409: codedHttpError.describe(
            'The organization is suspended or archived, or another body has used the key',
          ),
          502: codedHttpError.describe(
            '`emr_unavailable`: the EMR has not created the patient, and nothing is stored',
          ),
          503: codedUnfinished.describe(
            '`mrn_exhausted`: no free medical record number; `unavailable`: the outcome is not known yet, repeat the same request',
          ),
        },
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const { organizationId } = body;
      const { authorization = '' } = request.headers;
      await learnOrganization(context, organizations, { organizationId, authorization });
      if (!isBirthDate(body.demographics.dob, businessDay(context.config.BUSINESS_TIMEZONE)))
        throw new InvalidField('demographics.dob', futureBirthDateText);
      const creation = creationOf(request, body, headers['idempotency-key']);
      request.accessed = { records: [creation.id], organizationId };
      const created = await resultOf(context, creation);
      if (created.replayed) void reply.header('idempotent-replayed', 'true');
      return reply.code(201).send({ patient: created.patient });
    },
  );

  admin.post(
    '/v1/patients/email-lookup',
    {
      config: { ...membersOfTheBody(context), access: { action: 'patient.lookup' } },
      schema: {
        ...common,
        summary: 'Look up an e-mail address in all organizations',
        description: 'Returns the best match: own organization before others, active before archived.',
        body: contract.emailLookup,
        response: { 200: contract.emailMatch, ...readingErrors, ...codedErrors(400, 413, 415) },
      },
    },
    async ({ accessed, body }) => {
      accessed.organizationId = body.organizationId;
      const match = await findByEmail(sql, body);
      return {
        exists: match !== undefined,
        in_your_org: match?.inYourOrg === true,
        status: lookupStatusOf(match),
      };
    },
  );

  const read = async ({ admin, accessed }: FastifyRequest, key: PatientKey) => {
    const patient = found(await findPatient(sql, organizationsOf(admin), key));
    // By our id, so that the event has neither an EMR id nor text of the caller.
    Object.assign(accessed, noted(patient));
    return { patient };
  };
  const reading = { 200: contract.onePatient, ...readingErrors };

  admin.get(
    '/v1/patients/:id',
    {
      config: { ...readable, access: { action: 'patient.read', record: 'id' } },
      schema: { ...common, summary: 'Get a patient', params: patientParams, response: reading },
    },
    (request) => read(request, { id: idOf(request.params.id) }),
  );

  admin.get(
    '/v1/patients/by-mrn/:mrn',
    {
      config: { ...readable, access: { action: 'patient.read' } },
      schema: {
        ...common,
        summary: 'Find the patient with a medical record number, in either case',
        params: z.object({ mrn: z.string() }),
        response: reading,
      },
    },
    (request) => read(request, { mrn: request.params.mrn }),
  );

  for (const path of ['/v1/patients/by-emr-id/:emrPatientId', '/v1/patients/by-canvas-id/:emrPatientId'])
    admin.get(
      path,
      {
        config: { ...readable, access: { action: 'patient.read' } },
        schema: {
          ...common,
          summary: 'Find the patient with an EMR id',
          params: z.object({ emrPatientId: z.string() }),
          response: reading,
        },
      },
      (request) => read(request, { emrPatientId: request.params.emrPatientId }),
    );

  admin.patch(
    '/v1/patients/:id',
    {
      config: {
        errorCodes: ['conflict', 'immutable_identifier', 'emr_unavailable'],
        ...writersOfThePatient(context),
        access: { action: 'patient.update', record: 'id' },
      },
      schema: {
        ...common,
        summary: 'Fill identifiers',
        description:
          'An identifier changes once, from null to a value; `email_lower` can always change. The current value is accepted. Unless the caller is a superadmin, the EMR patient of `emr_patient_id` must have the MRN or legacy MRN of this patient.',
        params: patientParams,
        body: contract.backfill,
        response: {
          200: contract.onePatient,
          ...bodyErrors,
          ...codedErrors(404),
          502: codedHttpError.describe('`emr_unavailable`: the EMR patient could not be read'),
          409: codedHttpError.describe(
            '`immutable_identifier`: the identifier has another value; `conflict`: the patient is archived, or another patient has the EMR id',
          ),
        },
      },
    },
    async ({ accessed, admin, params, body }) => {
      const [scope, id] = [organizationsOf(admin), idOf(params.id)];
      const { emr_patient_id: emrPatientId } = body;
      if (emrPatientId !== undefined && !admin.isSuperadmin) {
        const row = found(await findPatient(sql, scope, { id }));
        if (isFillable(row)) await requireOwnEmrPatient(context, emr, row, emrPatientId);
      }
      const outcome = await backfillPatient(sql, scope, { id, wanted: body }).catch(takenAsConflict);
      const patient = filled(found(outcome));
      Object.assign(accessed, noted(patient));
      return { patient };
    },
  );

  admin.post(
    '/v1/patients/:id/archive',
    {
      config: { ...writersOfThePatient(context), access: { action: 'patient.archive', record: 'id' } },
      schema: {
        ...common,
        summary: 'Archive a patient',
        description: 'Permanent. Deactivates the EMR patient. A repeated request changes nothing.',
        params: patientParams,
        response: { ...reading, ...codedErrors(403) },
      },
    },
    async ({ accessed, admin, params }) => {
      const patient = found(await archivePatient(sql, organizationsOf(admin), idOf(params.id)));
      Object.assign(accessed, noted(patient));
      return { patient };
    },
  );
}

/** Other rows are an error for every caller (page 3, PATCH rules). */
const isFillable = ({ archived_at, emr_patient_id }: PatientRow) =>
  archived_at === null && emr_patient_id === null;

const noted = ({ id, organization_id: organizationId }: PatientRow) => ({ records: [id], organizationId });

type BackfillOutcome = NonNullable<Awaited<ReturnType<typeof backfillPatient>>>;

/** @throws HttpError 409 */
function filled(outcome: BackfillOutcome): PatientRow {
  if (!('refused' in outcome)) return outcome;
  if (outcome.refused === 'archived') throw conflict('The patient is archived');
  throw new HttpError(409, `${outcome.field} has a value already`, { code: 'immutable_identifier' });
}

function takenAsConflict(error: unknown): never {
  if (violatedConstraint(error) === 'patient_directory_emr_patient')
    throw conflict('Another patient has this emr_patient_id');
  throw error;
}

const readWithinMs = 5_000;

/**
 * Guards an EMR id to be filled in: archiving the patient deactivates that EMR patient (D96). The write itself rejects
 * an id that another row has.
 * @throws HttpError 403 unless the EMR patient has this row's MRN or `legacy_mrn`, 502 when the EMR is unavailable
 */
async function requireOwnEmrPatient(
  { sql, config }: Pick<ServiceContext, 'sql' | 'config'>,
  emr: EmrClient,
  row: PatientRow,
  emrPatientId: string,
): Promise<void> {
  if (await findPatient(sql, 'all', { emrPatientId })) return;
  const patient = await emr
    .readPatient(emrPatientId, { timeoutMs: readWithinMs })
    .catch(outboundAs(({ message }) => new HttpError(502, message, { code: 'emr_unavailable' })));
  const { MRN_SYSTEM_URI } = config.service('patients');
  if (!patient || !isEmrPatientOf(patient, row, MRN_SYSTEM_URI))
    throw forbidden('The EMR patient carries neither the MRN nor the legacy MRN of this patient');
}
