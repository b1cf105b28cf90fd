import { z } from 'zod';
import { findPatientsOfEmail } from '../../db/intake/desk.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { text } from '../../platform/http/text.js';
import type { App, ServiceContext } from '../context.js';
import { fieldErrors } from '../http-errors.js';
import { registerSigned } from '../plugins/signed.js';

/** The worklist waits for 5 s. */
const emrTimeoutMs = 3_000;
const maxFound = 20;

/** Finds the patients of an address for the desk, also those whom only the EMR knows (D134). Only the worklist asks. */
export async function deskRoutes(app: App, context: ServiceContext): Promise<void> {
  const { EMR_BASE_URL, EMR_TOKEN, ...own } = context.config.service('intake');
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = own;
  const emr = createEmrClient({ baseUrl: EMR_BASE_URL, token: EMR_TOKEN });
  /** @returns undefined while the EMR is away */
  const inEmr = async (email: string): Promise<string[] | undefined> => {
    try {
      return (await emr.findPatientsByEmail(email, { timeoutMs: emrTimeoutMs })).map(({ id }) => id);
    } catch (err) {
      if (!(err instanceof OutboundError)) throw err;
      context.logger.warn({ err }, 'the EMR did not take part in a search');
      return undefined;
    }
  };
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
            200: z.object({
              emrPatientIds: z.array(z.string()).describe('By the intakes, then by the EMR; at most 20'),
              isEmrAway: z.boolean().describe('The EMR has not answered'),
            }),
            ...fieldErrors(400, 401, 403, 413, 415, 429, 500),
          },
        },
      },
      async ({ body: { email } }) => {
        const [known, there] = await Promise.all([findPatientsOfEmail(context.sql, email), inEmr(email)]);
        const emrPatientIds = [...new Set([...known, ...(there ?? [])])].slice(0, maxFound);
        return { emrPatientIds, isEmrAway: there === undefined };
      },
    );
  });
}
