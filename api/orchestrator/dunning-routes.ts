import { z } from 'zod';
import { listDunnings } from '../../db/orchestrator/dunning.js';
import { planOf } from '../../domain/orchestrator/dunning.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { instant } from '../instant.js';
import { issueErrors } from '../http-errors.js';
import * as contract from './payment-contract.js';

const position = z.object({ openedAt: instant, reference: z.string() });

/** What is unpaid, and what is being done about it (D107). */
export function paymentRecoveryRoutes(signed: App, { sql, config }: ServiceContext): void {
  const { PAYMENT_RETRY_DAYS: retryDays, PAYMENT_RECOVERY_DAYS: recoveryDays } =
    config.service('orchestrator');
  signed.get(
    '/orchestrator/payment-recoveries',
    {
      config: { access: { action: 'payment.list' } },
      schema: {
        tags: ['Operators'],
        security: [{ signature: [] }],
        summary: 'Charges that have failed, and how it stands with them, newest first',
        querystring: contract.recoveriesQuery,
        response: { 200: contract.recoveries, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { state, limit, cursor } }) => {
      const before = decodeCursor(cursor, position);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listDunnings(sql, { state, limit, ...(before === undefined ? {} : { before }) }),
        ({ openedAt, reference }) => ({ openedAt, reference }),
      );
      const recoveries = page.map((recovery) => ({
        ...recovery,
        nextAt: recovery.state === 'open' ? recovery.nextAt : null,
        endsAt: new Date(planOf(recovery.openedAt.getTime(), { retryDays, recoveryDays }).endsAt),
      }));
      return { recoveries, nextCursor };
    },
  );
}
