import { z } from 'zod';
import { findForDesk } from '../../db/patients/desk.js';
import { text } from '../../platform/http/text.js';
import type { App, ServiceContext } from '../context.js';
import { codedErrors } from '../http-errors.js';
import { registerSigned } from '../plugins/signed.js';

const id = text(200).min(1);
const asked = z
  .object({
    q: id.optional().describe('A patient id, MRN, EMR patient id or e-mail address'),
    emrPatientIds: z.array(id).max(100).default([]),
    organizations: z.array(id).max(1_000).optional().describe('If omitted, all'),
  })
  .meta({ id: 'DeskPatientsRequest' });
const patients = z.object({
  patients: z.array(
    z
      .object({
        id: z.uuid(),
        organizationId: z.uuid(),
        emrPatientId: z.string().nullable(),
        state: z.enum(['active', 'archived']),
        createdAt: z.iso.datetime(),
      })
      .meta({ id: 'DeskPatient' }),
  ),
});

/** Finds patients for the desk, by ids and without their data (D134, D135). Only the worklist asks. */
export async function deskRoutes(app: App, context: ServiceContext): Promise<void> {
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = context.config.service('patients');
  await registerSigned(app, context, { scope: 'worklist', encryptionKeys }, (signed) => {
    signed.post(
      '/desk/patients',
      {
        config: { access: { action: 'desk.lookup' } },
        schema: {
          tags: ['Patients'],
          security: [{ signature: [] }],
          summary: 'Find patients by an id or address',
          body: asked,
          response: { 200: patients, ...codedErrors(400, 401, 403, 413, 415, 429, 500, 503) },
        },
      },
      async ({ accessed, body: { organizations, ...marks } }) => {
        const found = await findForDesk(context.sql, organizations ?? 'all', marks);
        accessed.records = found.map(({ id }) => id);
        const patients = found.map(({ archivedAt, createdAt, ...ids }) => ({
          ...ids,
          state: archivedAt === null ? ('active' as const) : ('archived' as const),
          createdAt: createdAt.toISOString(),
        }));
        return { patients };
      },
    );
  });
}
