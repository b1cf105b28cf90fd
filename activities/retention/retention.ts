import type { Sql } from '../../db/client.js';
import { applyRule } from '../../db/retention/ages.js';
import { closeErasure, type ErasureScope, openScope } from '../../db/retention/erasures.js';
import {
  endRefills,
  type Erased,
  eraseIntakes,
  eraseNotifications,
  type ErasedPage,
  erasePatientEvents,
  eraseRuns,
  eraseSnapshots,
  eraseWebhooks,
} from '../../db/retention/erasing.js';
import { eraseNotes, eraseOrders, findNamedOrders, findOrderIds } from '../../db/retention/erasing-orders.js';
import { retentionRules, type RuleName } from '../../domain/retention/ages.js';
import type { Logger } from '../../platform/logger.js';

export interface RetentionDependencies {
  /** The pool of retention's own role. */
  sql: Sql;
  logger: Logger;
}

interface OfErasure {
  erasureId: string;
}

/** Statements per attempt, which take seconds, so that an outage or a deployment loses little. */
const pagesPerAttempt = 20;

/** Deletes or overwrites rows past their age (D94). */
export const createAgeActivities = ({ sql, logger }: RetentionDependencies) => ({
  /**
   * Takes the next rows that have reached a rule's age. Safe to retry: processed rows are not found again; the count
   * of a lost attempt is lost.
   * @returns the number of rows, and whether none is left
   */
  async applyAge({ rule }: { rule: RuleName }): Promise<{ count: number; isDone: boolean }> {
    let count = 0;
    let isDone = false;
    for (let page = 0; page < pagesPerAttempt && !isDone; page += 1) {
      const rows = await applyRule(sql, rule);
      count += rows;
      isDone = rows === 0;
    }
    if (count > 0) {
      const { what, then } = retentionRules[rule];
      logger.info({ count }, `${then}: ${what} past their age`);
    }
    return { count, isDone };
  },
});

export type AgeActivities = ReturnType<typeof createAgeActivities>;

/**
 * Erases a patient (D94), one service at a time. Inputs are the erasure's id and outputs are counts, so no run holds
 * personal data.
 */
export const createErasureActivities = ({ sql, logger }: RetentionDependencies) => {
  /** One part of an erasure. */
  const erasing =
    (part: string, ...erase: ((scope: ErasureScope) => Promise<Erased>)[]) =>
    async ({ erasureId }: OfErasure): Promise<Erased> => {
      const scope = await openScope(sql, erasureId);
      const sum = { erased: 0, waiting: 0 };
      for (const one of erase) {
        const { erased, waiting } = await one(scope);
        sum.erased += erased;
        sum.waiting += waiting;
      }
      logger.info({ count: sum.erased }, `erased of a patient in ${part}`);
      return sum;
    };

  return {
    /** Stores what identifies the patient. Safe to retry: what is stored stays. */
    async openErasure({ erasureId }: OfErasure): Promise<void> {
      await openScope(sql, erasureId);
    },

    /** Overwrites recipients. Safe to retry: erased rows are not found again, here and in every part. */
    eraseInNotification: erasing('notification', (scope) => eraseNotifications(sql, scope)),
    /** Overwrites orders, with the answers of pharmacies and receivers. Safe to retry. */
    eraseInRouter: erasing('router', async (scope) => {
      const { submissionIds, ...others } = await findOrderIds(sql, scope);
      return throughPages(500, async (page) => {
        const named = await findNamedOrders(sql, scope, page);
        const orders = { ...others, submissionIds: [...submissionIds, ...named], emails: scope.emails };
        return eraseOrders(sql, orders, page);
      });
    }),
    /** Overwrites EMR reports. Safe to retry. */
    eraseInBridge: erasing(
      'bridge',
      // Each webhook may be a megabyte.
      (scope) => throughPages(100, (page) => eraseWebhooks(sql, scope, page)),
    ),
    /** Overwrites names and directions, ends refills, and overwrites people's notes about both. Safe to retry. */
    eraseInOrchestrator: erasing(
      'orchestrator',
      (scope) => endRefills(sql, scope),
      (scope) => eraseRuns(sql, scope),
      async (scope) => {
        const known = { ...scope, ...(await findOrderIds(sql, scope)) };
        return throughPages(500, (page) => eraseNotes(sql, known, page), '0');
      },
    ),
    /** Overwrites intakes. Safe to retry. */
    eraseInIntake: erasing('intake', (scope) => eraseIntakes(sql, scope)),
    /** Overwrites the archive and the directory's events. Safe to retry. */
    eraseInPatients: erasing(
      'patients',
      (scope) => eraseSnapshots(sql, scope),
      (scope) => erasePatientEvents(sql, scope),
    ),

    /**
     * Overwrites the address, which found the rest, and closes. Safe to retry: a closed erasure stays so.
     * @returns whether records stay that only an address links to the patient
     */
    closeErasure: ({ erasureId }: OfErasure) => closeErasure(sql, erasureId),
  };
};

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

const firstId = '00000000-0000-0000-0000-000000000000';

async function throughPages(
  size: number,
  erase: (page: { after: string; size: number }) => Promise<ErasedPage>,
  first = firstId,
): Promise<Erased> {
  const sum = { erased: 0, waiting: 0 };
  for (let after: string | null = first; after !== null;) {
    const page: ErasedPage = await erase({ after, size });
    sum.erased += page.erased;
    sum.waiting += page.waiting;
    after = page.last;
  }
  return sum;
}
