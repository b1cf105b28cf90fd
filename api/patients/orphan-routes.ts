import { z } from 'zod';
import { listOrphans, type Orphan, settleOrphan } from '../../db/patients/orphans.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf, pageQuery } from '../cursor.js';
import { organizationsOf } from '../plugins/admin.js';
import { codedErrors, found, idOf } from '../http-errors.js';
import { superadminOnly } from './authorize.js';
import * as contract from './contract.js';

const common = { tags: ['Orphans'], security: [{ adminToken: [] }] };
const { refusals, withBody } = contract;

/** EMR patients without a directory row, for operators to reconcile (page 3, Atomic create; D84). Superadmins only. */
export function orphanRoutes(admin: App, { sql }: ServiceContext): void {
  admin.get(
    '/v1/orphans',
    {
      config: { ...superadminOnly, access: { action: 'orphan.list' } },
      schema: {
        ...common,
        summary: 'EMR patients without a directory row, newest first',
        querystring: pageQuery,
        response: { 200: contract.orphanList, ...refusals, 400: withBody[400] },
      },
    },
    async ({ admin, query: { limit, cursor } }) => {
      const after = decodeCursor(cursor, z.uuid());
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listOrphans(sql, organizationsOf(admin), { after, limit }),
        ({ id }) => id,
      );
      return { orphans: page.map(presented), nextCursor };
    },
  );

  admin.post(
    '/v1/orphans/:id/settle',
    {
      config: { ...superadminOnly, access: { action: 'orphan.settle', record: 'id' } },
      schema: {
        ...common,
        summary: 'Mark an orphan as reconciled',
        description: 'Settling again changes nothing.',
        params: z.object({ id: z.string() }),
        response: { 200: contract.oneOrphan, ...refusals, ...codedErrors(404) },
      },
    },
    async ({ admin, params }) => {
      const settled = { id: idOf(params.id), settledBy: admin.sub };
      const orphan = await settleOrphan(sql, organizationsOf(admin), settled);
      return { orphan: presented(found(orphan)) };
    },
  );
}

const presented = (orphan: Orphan): z.infer<typeof contract.orphan> => ({
  id: orphan.id,
  emr_patient_id: orphan.emrPatientId,
  mrn: orphan.mrn,
  organization_id: orphan.organizationId,
  reason: orphan.reason,
  created_at: orphan.createdAt.toISOString(),
  settled_at: orphan.settledAt?.toISOString() ?? null,
  settled_by: orphan.settledBy,
});
