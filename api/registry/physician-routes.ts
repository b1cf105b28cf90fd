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
import {
  bodyRefusals,
  common,
  emailTaken,
  idParams,
  listQuery,
  newPhysician,
  physicianAnswer,
  physicianChanges,
  physicianEnded,
  physicianList,
  profileAnswer,
  refusals,
  unknownThing,
} from './contract.js';
import { unlessViolated } from './refuse.js';
import { withWarnings } from './warnings.js';

/**
 * Physicians (page 1, Registry endpoints): every key of the registry reads, keys without a physician change (D50). Nothing is deleted, only
 * taken out of use.
 */
export function physicianRoutes(signed: App, { sql }: ServiceContext): void {
  const preValidation = officeKeysOnly;

  async function changePhysician(id: string, changes: Parameters<typeof updatePhysician>[2]) {
    const changed = await unlessViolated(updatePhysician(sql, idOf(id, 'Physician'), changes));
    return found(changed, 'Physician');
  }

  signed.get(
    '/physicians',
    {
      config: { access: { action: 'physician.list' } },
      schema: {
        ...common,
        summary: 'Physicians in the order of adding, without signatures',
        querystring: listQuery,
        response: { 200: physicianList, ...issueErrors(400), ...refusals },
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
        summary: 'A physician with the active licenses',
        params: idParams,
        response: { 200: profileAnswer, ...refusals, ...unknownThing },
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
        body: newPhysician,
        response: { 201: physicianAnswer, ...bodyRefusals, ...emailTaken },
      },
    },
    ({ accessed, body }, reply) =>
      answerOnce({ sql, service: 'registry', status: 201 }, reply, async (sql) => {
        const physician = await unlessViolated(addPhysician(sql, body));
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
        description: 'Only the fields that are given change.',
        params: idParams,
        body: physicianChanges,
        response: { 200: physicianAnswer, ...bodyRefusals, ...unknownThing, ...emailTaken },
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
        summary: 'Take a physician out of use',
        description: 'The record stays, inactive: routing passes it over.',
        params: idParams,
        response: { 200: physicianEnded, ...bodyRefusals, ...unknownThing },
      },
    },
    async ({ params }) => ({
      success: true as const,
      physician: await changePhysician(params.id, { isActive: false }),
    }),
  );

  signed.post(
    '/physicians/:id/reactivate',
    {
      config: { access: { action: 'physician.reactivate', record: 'id' } },
      preValidation: [officeKeysOnly, adminKeysOnly],
      schema: {
        ...common,
        summary: 'Put a physician back into use',
        description: 'For keys with scope `admin`.',
        params: idParams,
        response: { 200: physicianEnded, ...bodyRefusals, ...unknownThing },
      },
    },
    async ({ params }) => ({
      success: true as const,
      physician: await changePhysician(params.id, { isActive: true }),
    }),
  );
}
