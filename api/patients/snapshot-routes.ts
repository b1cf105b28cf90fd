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
import { snakeCased } from '../snake-case.js';
import { readable, writersOfThePatient } from './authorize.js';
import * as contract from './contract.js';

const common = { tags: ['Intake snapshots'], security: [{ adminToken: [] }] };
const { patientParams, bodyErrors, readingErrors } = contract;

/** The append-only archive of intakes; only an erasure changes it (page 3, Intake snapshots; D7, D75, D94). */
export function snapshotRoutes(admin: App, context: ServiceContext): void {
  const { sql } = context;

  admin.post(
    '/v1/patients/:id/intake-snapshots',
    {
      config: { ...writersOfThePatient(context), access: { action: 'snapshot.create', record: 'id' } },
      schema: {
        ...common,
        summary: 'Add a re-intake',
        description: 'Stores the payload byte for byte. The directory row does not change.',
        params: patientParams,
        body: contract.intake,
        response: {
          201: contract.oneSnapshot,
          ...bodyErrors,
          ...codedErrors(404),
          409: codedHttpError.describe('The patient is archived'),
        },
      },
    },
    async (request, reply) => {
      const { admin, body, params } = request;
      const snapshot = {
        patientId: idOf(params.id),
        ...snapshotOf(request, body, cutFromJson(request.rawBody, ['payload'])),
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
        summary: 'List the intakes of a patient, newest first',
        description: 'A page ends at `limit`, or with the intake that brings it to 4 MiB.',
        params: patientParams,
        querystring: pageQuery,
        response: { 200: contract.snapshotList, ...readingErrors, 400: bodyErrors[400] },
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
        summary: 'Get an intake of a patient',
        params: patientParams.extend({ snapshotId: z.string() }),
        response: { 200: contract.oneSnapshot, ...readingErrors },
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

/** @param payload as cut from the body */
export const snapshotOf = (
  { ip, headers }: FastifyRequest,
  { intakeType, submittedAt }: z.infer<typeof contract.intake>,
  payload: Buffer,
): Omit<NewSnapshot, 'patientId' | 'organizationId'> => ({
  intakeType,
  submittedAt: submittedAt.toISOString(),
  payload,
  sourceIp: ip,
  userAgent: headers['user-agent'] ?? null,
});

const presented = ({ erasedAt, payload, ...snapshot }: Snapshot) => ({
  ...snakeCased(snapshot),
  payload: JSON.parse(payload.toString()) as unknown,
  ...(erasedAt ? { erasedAt } : {}),
});
