import { z } from 'zod';
import { findErasure, requestErasure } from '../../db/patients/erasures.js';
import { erasureDetails } from '../../domain/retention/erasures.js';
import { beginErasure } from '../../starts/retention.js';
import type { App, ServiceContext } from '../context.js';
import { codedErrors, codedHttpError, conflict, found, idOf } from '../http-errors.js';
import { superadminOnly } from './authorize.js';
import * as contract from './contract.js';

const common = { tags: ['Erasures'], security: [{ adminToken: [] }] };
const { errors, patientParams } = contract;

/** Erasure of archived patients in every service (D94). Superadmins only. */
export function erasureRoutes(admin: App, { sql, temporal, logger }: ServiceContext): void {
  admin.post(
    '/v1/patients/:id/erase',
    {
      config: { ...superadminOnly, access: { action: 'patient.erase', record: 'id' } },
      schema: {
        ...common,
        summary: 'Erase a patient',
        description:
          'Overwrites personal values and stored bodies in every service; ids, amounts and times stay. A repeated request returns the running erasure, or runs a completed one again for data received since. External services keep their data.',
        params: patientParams,
        response: {
          202: contract.startedErasure,
          ...errors,
          ...codedErrors(404),
          409: codedHttpError.describe('The patient is not archived'),
        },
      },
    },
    async ({ admin, params }, reply) => {
      const request = { patientId: idOf(params.id), requestedBy: admin.sub };
      const erasure = found(await requestErasure(sql, request));
      if (erasure === 'active') throw conflict('Only an archived patient can be erased');
      const { id, patientId, state } = erasure;
      // Best effort: the sweep starts the workflow of a running erasure that has none.
      await beginErasure(temporal, id).catch((err: unknown) =>
        logger.warn({ err, patientId }, 'an erasure waits for the sweep'),
      );
      return reply.code(202).send({ erasure: { id, state } });
    },
  );

  admin.get(
    '/v1/erasures/:id',
    {
      config: { ...superadminOnly, access: { action: 'erasure.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Get the state of an erasure',
        params: z.object({ id: z.string() }),
        response: { 200: contract.oneErasure, ...errors, ...codedErrors(404) },
      },
    },
    async ({ params }) => {
      const { leavesByAddress, ...erasure } = found(
        await findErasure(sql, idOf(params.id, 'Erasure')),
        'Erasure',
      );
      return { erasure: { ...erasure, details: erasureDetails(erasure.state, leavesByAddress) } };
    },
  );
}
