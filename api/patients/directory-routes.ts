import { z } from 'zod';
import { violatedConstraint } from '../../db/constraints.js';
import {
  archivePatient,
  backfillPatient,
  findByEmail,
  findPatient,
  type PatientKey,
} from '../../db/patients/directory.js';
import { lookupStatusOf, type PatientRow } from '../../domain/patients/patient-directory.js';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import type { App, ServiceContext } from '../context.js';
import type { AdminClaims } from '../../platform/crypto/admin-token.js';
import { organizationsOf } from '../plugins/admin.js';
import { codedErrors, codedRefusal, codedUnfinished, conflict, found, idOf, Refused } from '../refusals.js';
import { membersOfTheBody, readable, writersOfTheBody, writersOfThePatient } from './authorize.js';
import * as contract from './contract.js';
import { creationOf, resultOf } from './create-patient.js';
import { learnOrganization } from './learn-organization.js';

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

  admin.post(
    '/v1/patients',
    {
      config: writersOfTheBody,
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
          404: codedRefusal.describe('No such organization for the caller'),
          409: codedRefusal.describe(
            'The organization is suspended or archived, or the key stands for another body',
          ),
          502: codedRefusal.describe(
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
      const created = await resultOf(context, creationOf(request, body, headers['idempotency-key']));
      if (created.replayed) void reply.header('idempotent-replayed', 'true');
      return reply.code(201).send({ patient: created.patient });
    },
  );

  admin.post(
    '/v1/patients/email-lookup',
    {
      config: membersOfTheBody(context),
      schema: {
        ...common,
        summary: 'Whether an e-mail is known, here or elsewhere',
        description: 'Of several matches the best counts: own before other, active before archived.',
        body: contract.emailLookup,
        response: { 200: contract.emailMatch, ...withBody, ...codedErrors(404) },
      },
    },
    async ({ body }) => {
      const match = await findByEmail(sql, body);
      return {
        exists: match !== undefined,
        in_your_org: match?.inYourOrg === true,
        status: lookupStatusOf(match),
      };
    },
  );

  const read = async (caller: AdminClaims, key: PatientKey) => ({
    patient: found(await findPatient(sql, organizationsOf(caller), key)),
  });
  const reading = { 200: contract.onePatient, ...refusals, ...codedErrors(404) };

  admin.get(
    '/v1/patients/:id',
    {
      config: readable,
      schema: { ...common, summary: 'A patient', params: patientParams, response: reading },
    },
    ({ admin, params }) => read(admin, { id: idOf(params.id) }),
  );

  admin.get(
    '/v1/patients/by-mrn/:mrn',
    {
      config: readable,
      schema: {
        ...common,
        summary: 'The patient with a medical record number, in either case',
        params: z.object({ mrn: z.string() }),
        response: reading,
      },
    },
    ({ admin, params: { mrn } }) => read(admin, { mrn }),
  );

  for (const path of ['/v1/patients/by-emr-id/:emrPatientId', '/v1/patients/by-canvas-id/:emrPatientId'])
    admin.get(
      path,
      {
        config: readable,
        schema: {
          ...common,
          summary: 'The patient with an id in the EMR',
          params: emrParams,
          response: reading,
        },
      },
      ({ admin, params: { emrPatientId } }) => read(admin, { emrPatientId }),
    );

  admin.patch(
    '/v1/patients/:id',
    {
      config: writersOfThePatient(context),
      schema: {
        ...common,
        summary: 'Fill identifiers',
        description:
          'Identifiers go from null to a value once; `email_lower` may change. A value that is there already changes nothing.',
        params: patientParams,
        body: contract.backfill,
        response: {
          200: contract.onePatient,
          ...withBody,
          ...codedErrors(404),
          409: codedRefusal.describe(
            '`immutable_identifier`: it has another value; `conflict`: the patient is archived, or another one has the EMR id',
          ),
        },
      },
    },
    async ({ admin, params, body }) => {
      const change = { id: idOf(params.id), wanted: body };
      const outcome = await backfillPatient(sql, organizationsOf(admin), change).catch(refuseTaken);
      return { patient: filled(found(outcome)) };
    },
  );

  admin.post(
    '/v1/patients/:id/archive',
    {
      config: writersOfThePatient(context),
      schema: {
        ...common,
        summary: 'Archive a patient',
        description: 'For good; the EMR patient becomes inactive. Archiving again changes nothing.',
        params: patientParams,
        response: reading,
      },
    },
    async ({ admin, params }) => ({
      patient: found(await archivePatient(sql, organizationsOf(admin), idOf(params.id))),
    }),
  );
}

type BackfillOutcome = NonNullable<Awaited<ReturnType<typeof backfillPatient>>>;

/** @throws Refused 409 */
function filled(outcome: BackfillOutcome): PatientRow {
  if (!('refused' in outcome)) return outcome;
  if (outcome.refused === 'archived') throw conflict('The patient is archived');
  throw new Refused(409, `${outcome.field} has a value already`, { code: 'immutable_identifier' });
}

function refuseTaken(error: unknown): never {
  if (violatedConstraint(error) === 'patient_directory_emr_patient')
    throw conflict('Another patient has this emr_patient_id');
  throw error;
}
