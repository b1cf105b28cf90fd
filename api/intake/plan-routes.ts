import { listActivePlans } from '../../db/intake/plans.js';
import { issuePlanToken } from '../../platform/crypto/plan-token.js';
import type { App, ServiceContext } from '../context.js';
import { fieldErrors, httpError } from '../http-errors.js';
import { plans } from './contract.js';
import { orFailWith } from './page-errors.js';

/** Active plans with their signed prices (page 2, Plan). */
export function planRoutes(app: App, { sql, config, logger }: ServiceContext): void {
  const { PLAN_TOKEN_SECRET } = config.service('intake');
  app.get(
    '/plans',
    {
      config: { errorCodes: ['unavailable'], access: { none: 'public: plans' } },
      schema: {
        tags: ['Plans'],
        summary: 'List the active plans with their tokens',
        response: { 200: plans, ...fieldErrors(429), 500: httpError },
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
