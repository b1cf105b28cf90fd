import { z } from 'zod';
import { pharmacies } from '../../domain/pharmacies.js';
import { createPharmacies } from '../../integrations/pharmacies/registry.js';
import type { App, ServiceContext } from '../context.js';
import { fieldErrors } from '../http-errors.js';
import * as contract from './contract.js';
import { ownSubmission, submissionParams } from './prescription-routes.js';

/** Whether another pharmacy could take over (D105). */
export function fillingRoutes(signed: App, context: ServiceContext): void {
  const adapters = createPharmacies(context.config.service('router'));
  signed.get(
    '/rx/prescriptions/:id/pharmacies/:pharmacy',
    {
      config: { access: { action: 'prescription.read', record: 'id' } },
      schema: {
        tags: ['Prescriptions'],
        security: [{ signature: [] }],
        summary: 'Whether a pharmacy can fill a prescription',
        description: 'Says nothing of its stock, only that it has an article for the medication.',
        params: submissionParams.extend({ pharmacy: z.enum(pharmacies) }),
        response: { 200: contract.filling, ...fieldErrors(400, 401, 403, 404, 429, 500) },
      },
    },
    async ({ apiKey, params: { id, pharmacy } }) => {
      const { medicationName } = await ownSubmission(context, apiKey.id, id);
      return { pharmacy, fills: adapters[pharmacy].carries(medicationName) };
    },
  );
}
