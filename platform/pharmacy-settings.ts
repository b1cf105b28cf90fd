import type { z } from 'zod';
import { pharmacySystems, type PharmacyVariables, variablesOf } from '../domain/pharmacies.js';
import { key, secret, url } from './config-values.js';

type PharmacyShape = Record<PharmacyVariables['url'], typeof url> &
  Record<PharmacyVariables['credential'], typeof key> &
  Record<PharmacyVariables['article'], z.ZodOptional<typeof key>> &
  Record<PharmacyVariables['webhookSecret'], typeof secret> &
  Record<PharmacyVariables['sandboxWebhookSecret'], z.ZodOptional<typeof secret>>;

/**
 * The settings of every pharmacy system. If its sandbox has a webhook secret, the sandbox may only report on test
 * orders, and the pharmacy only on live orders.
 */
export const pharmacyShape = Object.fromEntries(
  pharmacySystems.flatMap((system) => {
    const names = variablesOf(system);
    return [
      [names.baseUrl, url],
      [names.sandboxBaseUrl, url],
      ...names.credentials.map((name) => [name, key]),
      ...names.articles.map((name) => [name, key.optional()]),
      [names.webhookSecret, secret],
      [names.sandboxWebhookSecret, secret.optional()],
    ];
  }),
) as PharmacyShape;
