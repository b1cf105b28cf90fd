import { z } from 'zod';
import { findPatientsOfEmail } from '../../db/intake/desk.js';
import { text } from '../../platform/http/text.js';
import type { App, ServiceContext } from '../context.js';
import { fieldErrors } from '../http-errors.js';
import { registerSigned } from '../plugins/signed.js';

/** Finds the patients of an address for the desk (D134). Only the worklist asks. */
export async function deskRoutes(app: App, context: ServiceContext): Promise<void> {
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = context.config.service('intake');
  await registerSigned(app, context, { scope: 'worklist', encryptionKeys }, (signed) => {
    signed.post(
      '/desk/patients',
      {
        config: { access: { action: 'desk.lookup' } },
        schema: {
          tags: ['Operators'],
          security: [{ signature: [] }],
          summary: 'Find the patients of an e-mail address',
          body: z.object({ email: text(200).min(1) }).meta({ id: 'IntakePatientsRequest' }),
          response: {
            200: z.object({ emrPatientIds: z.array(z.string()) }),
            ...fieldErrors(400, 401, 403, 413, 415, 429, 500),
          },
        },
      },
      async ({ body: { email } }) => ({ emrPatientIds: await findPatientsOfEmail(context.sql, email) }),
    );
  });
}
