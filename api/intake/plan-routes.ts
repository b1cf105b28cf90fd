import { z } from 'zod';
import { listActivePlans } from '../../db/intake/plans.js';
import { issuePlanToken } from '../../platform/crypto/plan-token.js';
import type { App, ServiceContext } from '../context.js';
import { orFailWith, refusal } from './answers.js';

const plan = z
  .object({
    id: z.uuid(),
    intakeType: z.enum(['glp-1', 'nad', 'micro']),
    plan: z.string().describe('Such as `monthly`'),
    displayName: z.string(),
    amountCents: z.int(),
    interval: z.string().describe('`month`'),
    token: z.string().describe('Fixes the price; to be handed in with the intake within 15 minutes'),
  })
  .meta({ id: 'Plan' });

/** What can be bought, each with its price signed (page 2, Plan). */
export function planRoutes(app: App, { sql, config, logger }: ServiceContext): void {
  const { PLAN_TOKEN_SECRET } = config.service('intake');
  app.get(
    '/plans',
    {
      schema: {
        tags: ['Plans'],
        summary: 'List the active plans with their tokens',
        response: { 200: z.object({ plans: z.array(plan) }), 429: refusal, 500: refusal },
      },
    },
    () =>
      orFailWith('Failed to load plans', logger, async () => {
        const issuedAt = Date.now();
        const plans = await listActivePlans(sql);
        return {
          plans: plans.map((plan) => ({
            ...plan,
            token: issuePlanToken(PLAN_TOKEN_SECRET, { ...plan, issuedAt }),
          })),
        };
      }),
  );
}
