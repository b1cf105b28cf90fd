import { z } from 'zod';
import { listOrphans, settleOrphan } from '../../db/patients/orphans.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf, pageQuery } from '../cursor.js';
import { organizationsOf } from '../plugins/admin.js';
import { codedErrors, found, idOf } from '../http-errors.js';
import { snakeCased } from '../snake-case.js';
import { superadminOnly } from './authorize.js';
import * as contract from './contract.js';

const common = { tags: ['Orphans'], security: [{ adminToken: [] }] };
const { errors, bodyErrors } = contract;

/** EMR patients without a directory row, which operators reconcile (page 3, Atomic create; D84). Superadmins only. */
export function orphanRoutes(admin: App, { sql }: ServiceContext): void {
  admin.get(
    '/v1/orphans',
    {
      config: { ...superadminOnly, access: { action: 'orphan.list' } },
      schema: {
        ...common,
        summary: 'List EMR patients without a directory row, newest first',
        querystring: pageQuery,
        response: { 200: contract.orphanList, ...errors, 400: bodyErrors[400] },
      },
    },
    async ({ admin, query: { limit, cursor } }) => {
      const after = decodeCursor(cursor, z.uuid());
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listOrphans(sql, organizationsOf(admin), { after, limit }),
        ({ id }) => id,
      );
      return { orphans: page.map(snakeCased), nextCursor };
    },
  );

  admin.post(
    '/v1/orphans/:id/settle',
    {
      config: { ...superadminOnly, access: { action: 'orphan.settle', record: 'id' } },
      schema: {
        ...common,
        summary: 'Mark an orphan as reconciled',
        description: 'A repeated request changes nothing.',
        params: z.object({ id: z.string() }),
        response: { 200: contract.oneOrphan, ...errors, ...codedErrors(404) },
      },
    },
    async ({ admin, params }) => {
      const settled = { id: idOf(params.id), settledBy: admin.sub };
      const orphan = await settleOrphan(sql, organizationsOf(admin), settled);
      return { orphan: snakeCased(found(orphan)) };
    },
  );
}
