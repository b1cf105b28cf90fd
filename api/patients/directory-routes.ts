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
import { lookupStatusOf, type PatientRow } from '../../domain/patients/patient-directory.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import { businessDay } from '../../platform/business-day.js';
import type { App, ServiceContext } from '../context.js';
import { organizationsOf } from '../plugins/admin.js';
import {
  codedErrors,
  codedHttpError,
  codedUnfinished,
  conflict,
  found,
  idOf,
  HttpError,
  InvalidField,
} from '../http-errors.js';
import { membersOfTheBody, readable, writersOfTheBody, writersOfThePatient } from './authorize.js';
import * as contract from './contract.js';
import { creationOf, resultOf } from './create-patient.js';
import { learnOrganization } from './learn-organization.js';
import { requireOwnEmrPatient } from './own-emr-patient.js';

const common = { tags: ['Patients'], security: [{ adminToken: [] }] };
const { refusals, patientParams, withBody } = contract;
const emrParams = z.object({ emrPatientId: z.string() });

/** Creating, finding and changing patients (page 3, Patient directory; D75-D77, D80). */
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
      config: { ...writersOfTheBody, access: { action: 'patient.create' } },
      schema: {
        ...common,
        summary: 'Create a patient in the EMR and in the directory',
        description:
          'In both or in neither. Safe to repeat with an `Idempotency-Key`: the same key and body give the first answer again, with `Idempotent-Replayed: true`.',
        headers: contract.createHeaders,
        body: contract.newPatient,
        response: {
          201: contract.onePatient,
          ...withBody,
          404: codedHttpError.describe('No such organization for the caller'),
          409: codedHttpError.describe(
            'The organization is suspended or archived, or the key stands for another body',
          ),
          502: codedHttpError.describe(
            '`emr_unavailable`: the EMR did not take the patient, and nothing was stored',
          ),
          503: codedUnfinished.describe(
            '`mrn_exhausted`: no free medical record number was found; `unavailable`: not known yet, the same request finds out',
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
        summary: 'Whether an e-mail is known, here or elsewhere',
        description: 'Of several matches the best counts: own before other, active before archived.',
        body: contract.emailLookup,
        response: { 200: contract.emailMatch, ...withBody, ...codedErrors(404) },
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
    // Whatever it was asked for by: no number of the EMR's, and nobody's text, stands in the event.
    Object.assign(accessed, noted(patient));
    return { patient };
  };
  const reading = { 200: contract.onePatient, ...refusals, ...codedErrors(404) };

  admin.get(
    '/v1/patients/:id',
    {
      config: { ...readable, access: { action: 'patient.read', record: 'id' } },
      schema: { ...common, summary: 'A patient', params: patientParams, response: reading },
    },
    (request) => read(request, { id: idOf(request.params.id) }),
  );

  admin.get(
    '/v1/patients/by-mrn/:mrn',
    {
      config: { ...readable, access: { action: 'patient.read' } },
      schema: {
        ...common,
        summary: 'The patient with a medical record number, in either case',
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
          summary: 'The patient with an id in the EMR',
          params: emrParams,
          response: reading,
        },
      },
      (request) => read(request, { emrPatientId: request.params.emrPatientId }),
    );

  admin.patch(
    '/v1/patients/:id',
    {
      config: { ...writersOfThePatient(context), access: { action: 'patient.update', record: 'id' } },
      schema: {
        ...common,
        summary: 'Fill identifiers',
        description:
          'Identifiers go from null to a value once; `email_lower` may change. A value that is there already changes nothing. An `emr_patient_id` is taken only of an EMR patient that carries the MRN or the legacy MRN of this one, or from a superadmin.',
        params: patientParams,
        body: contract.backfill,
        response: {
          200: contract.onePatient,
          ...withBody,
          ...codedErrors(404),
          502: codedHttpError.describe('`emr_unavailable`: the EMR could not be asked whose patient it is'),
          409: codedHttpError.describe(
            '`immutable_identifier`: it has another value; `conflict`: the patient is archived, or another one has the EMR id',
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
      const outcome = await backfillPatient(sql, scope, { id, wanted: body }).catch(refuseTaken);
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
        description: 'For good; the EMR patient becomes inactive. Archiving again changes nothing.',
        params: patientParams,
        response: reading,
      },
    },
    async ({ accessed, admin, params }) => {
      const patient = found(await archivePatient(sql, organizationsOf(admin), idOf(params.id)));
      Object.assign(accessed, noted(patient));
      return { patient };
    },
  );
}

/** An archived row, and one that has an EMR patient, is refused whoever asks (page 3, PATCH rules). */
const isFillable = ({ archived_at, emr_patient_id }: PatientRow) =>
  archived_at === null && emr_patient_id === null;

const noted = ({ id, organization_id: organizationId }: PatientRow) => ({ records: [id], organizationId });

type BackfillOutcome = NonNullable<Awaited<ReturnType<typeof backfillPatient>>>;

/** @throws Refused 409 */
function filled(outcome: BackfillOutcome): PatientRow {
  if (!('refused' in outcome)) return outcome;
  if (outcome.refused === 'archived') throw conflict('The patient is archived');
  throw new HttpError(409, `${outcome.field} has a value already`, { code: 'immutable_identifier' });
}

function refuseTaken(error: unknown): never {
  if (violatedConstraint(error) === 'patient_directory_emr_patient')
    throw conflict('Another patient has this emr_patient_id');
  throw error;
}
