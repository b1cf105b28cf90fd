import { listActiveLicenses } from '../../db/registry/licenses.js';
import {
  addPhysician,
  findPhysician,
  listPhysicians,
  updatePhysician,
} from '../../db/registry/physicians.js';
import type { App, ServiceContext } from '../context.js';
import { pageOf } from '../cursor.js';
import { allowedEvent } from '../plugins/access.js';
import { answeredOnce, answerOnce } from '../plugins/answer-once.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { found, idOf, issueErrors } from '../http-errors.js';
import { officeKeysOnly, shownTo } from './authorize.js';
import * as contract from './contract.js';
import { withConstraintErrors } from './constraint-errors.js';
import { withWarnings } from './warnings.js';

const { common, errors, bodyErrors, notFoundError, emailTaken } = contract;
/** Physicians (page 1, Registry endpoints). Every registry key can read them; a physician's key cannot change them (D50). */
export function physicianRoutes(signed: App, { sql }: ServiceContext): void {
  const preValidation = officeKeysOnly;

  async function changePhysician(id: string, changes: Parameters<typeof updatePhysician>[2]) {
    const changed = await withConstraintErrors(updatePhysician(sql, idOf(id, 'Physician'), changes));
    return found(changed, 'Physician');
  }

  signed.get(
    '/physicians',
    {
      config: { access: { action: 'physician.list' } },
      schema: {
        ...common,
        summary: 'List physicians without signatures, oldest first',
        querystring: contract.listQuery,
        response: { 200: contract.physicianList, ...issueErrors(400), ...errors },
      },
    },
    async (request) => {
      const { platform, organization, active, limit, cursor } = request.query;
      const filter = { platform, organization, isActive: active, after: cursor };
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listPhysicians(sql, { ...filter, limit }),
        ({ position }) => position,
        String,
      );
      return { physicians: page.map((physician) => shownTo(request, physician)), nextCursor };
    },
  );

  signed.get(
    '/physicians/:id',
    {
      config: { access: { action: 'physician.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Get a physician with the active licenses',
        params: contract.idParams,
        response: { 200: contract.profileAnswer, ...errors, ...notFoundError },
      },
    },
    async (request) => {
      const id = idOf(request.params.id, 'Physician');
      const physician = found(await findPhysician(sql, id, allowedEvent(request, id)), 'Physician');
      request.accessed.isNoted = true;
      const licenses = await listActiveLicenses(sql, physician.id);
      return { physician: shownTo(request, physician), licenses };
    },
  );

  signed.post(
    '/physicians',
    {
      config: { access: { action: 'physician.create' } },
      preValidation,
      schema: {
        ...common,
        summary: 'Add a physician',
        description: answeredOnce,
        body: contract.newPhysician,
        response: { 201: contract.physicianAnswer, ...bodyErrors, ...emailTaken },
      },
    },
    ({ accessed, body }, reply) =>
      answerOnce({ sql, service: 'registry', status: 201 }, reply, async (sql) => {
        const physician = await withConstraintErrors(addPhysician(sql, body));
        accessed.records = [physician.id];
        return withWarnings(physician);
      }),
  );

  signed.put(
    '/physicians/:id',
    {
      config: { access: { action: 'physician.update', record: 'id' } },
      preValidation,
      schema: {
        ...common,
        summary: 'Change a physician',
        description: 'Fields that are left out do not change.',
        params: contract.idParams,
        body: contract.physicianChanges,
        response: { 200: contract.physicianAnswer, ...bodyErrors, ...notFoundError, ...emailTaken },
      },
    },
    async ({ params, body }) => withWarnings(await changePhysician(params.id, body)),
  );

  signed.delete(
    '/physicians/:id',
    {
      config: { access: { action: 'physician.revoke', record: 'id' } },
      preValidation,
      schema: {
        ...common,
        summary: 'Deactivate a physician',
        description: 'The record stays, and routing skips it.',
        params: contract.idParams,
        response: { 200: contract.physicianEnded, ...bodyErrors, ...notFoundError },
      },
    },
    async ({ params }) => ({
      success: true as const,
      ...withWarnings(await changePhysician(params.id, { isActive: false })),
    }),
  );

  signed.post(
    '/physicians/:id/reactivate',
    {
      config: { access: { action: 'physician.reactivate', record: 'id' } },
      preValidation: [officeKeysOnly, adminKeysOnly],
      schema: {
        ...common,
        summary: 'Reactivate a physician',
        description: 'For keys with scope `admin`.',
        params: contract.idParams,
        response: { 200: contract.physicianEnded, ...bodyErrors, ...notFoundError },
      },
    },
    async ({ params }) => ({
      success: true as const,
      ...withWarnings(await changePhysician(params.id, { isActive: true })),
    }),
  );
}
