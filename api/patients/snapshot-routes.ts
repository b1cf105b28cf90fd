import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findPatient } from '../../db/patients/directory.js';
import {
  appendSnapshot,
  findSnapshot,
  listSnapshots,
  type NewSnapshot,
  type Snapshot,
} from '../../db/patients/snapshots.js';
import { cutFromJson } from '../../platform/http/cut-json.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, encodeCursor, pageQuery } from '../cursor.js';
import { organizationsOf } from '../plugins/admin.js';
import { codedErrors, codedHttpError, conflict, found, idOf } from '../http-errors.js';
import { readable, writersOfThePatient } from './authorize.js';
import * as contract from './contract.js';

const common = { tags: ['Intake snapshots'], security: [{ adminToken: [] }] };
const { refusals, patientParams, withBody } = contract;

/** The archive of what was handed in: only ever added to, and erased from (page 3, Intake snapshots; D7, D75, D94). */
export function snapshotRoutes(admin: App, context: ServiceContext): void {
  const { sql } = context;

  admin.post(
    '/v1/patients/:id/intake-snapshots',
    {
      config: { ...writersOfThePatient(context), access: { action: 'snapshot.create', record: 'id' } },
      schema: {
        ...common,
        summary: 'Add a re-intake',
        description: 'The payload is kept byte for byte; the directory row stays as it is.',
        params: patientParams,
        body: contract.intake,
        response: {
          201: contract.oneSnapshot,
          ...withBody,
          ...codedErrors(404),
          409: codedHttpError.describe('The patient is archived'),
        },
      },
    },
    async (request, reply) => {
      const { admin, body, params } = request;
      const snapshot = {
        patientId: idOf(params.id),
        ...handedIn(request, body, cutFromJson(request.rawBody, ['payload'])),
      };
      const added = found(await appendSnapshot(sql, organizationsOf(admin), snapshot));
      if (added === 'archived') throw conflict('The patient is archived');
      request.accessed.organizationId = added.organizationId;
      return reply.code(201).send({ snapshot: presented(added) });
    },
  );

  admin.get(
    '/v1/patients/:id/intake-snapshots',
    {
      config: { ...readable, access: { action: 'snapshot.list', record: 'id' } },
      schema: {
        ...common,
        summary: 'The intakes of a patient, newest first',
        description: 'A page ends with the intake that brings it to 4 MiB, or with the last one of `limit`.',
        params: patientParams,
        querystring: pageQuery,
        response: { 200: contract.snapshotList, ...refusals, 400: withBody[400], ...codedErrors(404) },
      },
    },
    async ({ accessed, admin, params, query: { limit, cursor } }) => {
      const organizations = organizationsOf(admin);
      const patient = found(await findPatient(sql, organizations, { id: idOf(params.id) }));
      const { id: patientId } = patient;
      accessed.organizationId = patient.organization_id;
      const after = decodeCursor(cursor, z.uuid());
      const { snapshots, next } = await listSnapshots(sql, organizations, { patientId, after, limit });
      return {
        snapshots: snapshots.map(presented),
        nextCursor: next === null ? null : encodeCursor(next),
      };
    },
  );

  admin.get(
    '/v1/patients/:id/intake-snapshots/:snapshotId',
    {
      config: { ...readable, access: { action: 'snapshot.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'One intake of a patient',
        params: patientParams.extend({ snapshotId: z.string() }),
        response: { 200: contract.oneSnapshot, ...refusals, ...codedErrors(404) },
      },
    },
    async ({ accessed, admin, params }) => {
      const which = { patientId: idOf(params.id), id: idOf(params.snapshotId) };
      const snapshot = await findSnapshot(sql, organizationsOf(admin), which);
      accessed.organizationId = snapshot?.organizationId ?? null;
      return { snapshot: presented(found(snapshot)) };
    },
  );
}

/**
 * An intake with where it came from.
 * @param payload as cut from the body
 */
export const handedIn = (
  { ip, headers }: FastifyRequest,
  { intakeType, submittedAt }: z.infer<typeof contract.intake>,
  payload: Buffer,
): Omit<NewSnapshot, 'patientId' | 'organizationId'> => ({
  intakeType,
  submittedAt: new Date(submittedAt).toISOString(),
  payload,
  sourceIp: ip,
  userAgent: headers['user-agent'] ?? null,
});

const presented = (snapshot: Snapshot): z.infer<typeof contract.snapshot> => ({
  id: snapshot.id,
  patient_id: snapshot.patientId,
  organization_id: snapshot.organizationId,
  intake_type: snapshot.intakeType,
  submitted_at: snapshot.submittedAt.toISOString(),
  payload: JSON.parse(snapshot.payload.toString()) as unknown,
  payload_hash: snapshot.payloadHash,
  source_ip: snapshot.sourceIp,
  user_agent: snapshot.userAgent,
  created_at: snapshot.createdAt.toISOString(),
  ...(snapshot.erasedAt ? { erasedAt: snapshot.erasedAt.toISOString() } : {}),
});
