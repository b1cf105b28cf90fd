import type { Sql } from '../../db/client.js';
import { applyRule } from '../../db/retention/ages.js';
import { closeErasure, openScope, readScope } from '../../db/retention/erasures.js';
import {
  type Erased,
  eraseIntakes,
  eraseNotifications,
  type ErasedPage,
  erasePatientEvents,
  eraseRuns,
  eraseSnapshots,
  eraseWebhooks,
} from '../../db/retention/erasing.js';
import { eraseNotes, eraseOrders, findOrderIds } from '../../db/retention/erasing-orders.js';
import type { RuleName } from '../../domain/retention/ages.js';
import { retentionRules } from '../../domain/retention/ages.js';
import type { Logger } from '../../platform/logger.js';

export interface RetentionDependencies {
  /** The pool of the retention's own role. */
  sql: Sql;
  logger: Logger;
}

interface OfErasure {
  erasureId: string;
}

/** Statements that one attempt makes: some seconds, so that an outage or a deploy loses little. */
const pagesPerAttempt = 20;

/** What is past its age (D94). */
export const createAgeActivities = ({ sql, logger }: RetentionDependencies) => ({
  /**
   * Takes the next rows that have reached a rule's age.
   * @returns how many, and whether none is left
   *
   * Safe to retry: what is emptied or deleted is not found again. Of an attempt that was lost the count is lost too.
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
 * Erasing a patient (D94), a service at a time. They are given the erasure's id and answer with counts: what they look
 * for is read where it is used, so no run holds a value.
 */
export const createErasureActivities = ({ sql, logger }: RetentionDependencies) => {
  /** One part of an erasure, in one statement or in several. */
  const erasing =
    (part: string, ...erase: ((scope: Awaited<ReturnType<typeof readScope>>) => Promise<Erased>)[]) =>
    async ({ erasureId }: OfErasure): Promise<Erased> => {
      const scope = await readScope(sql, erasureId);
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
    /**
     * Notes every id that the EMR knows the patient under.
     *
     * Safe to retry: ids that are noted stay.
     */
    async openErasure({ erasureId }: OfErasure): Promise<void> {
      await openScope(sql, erasureId);
    },

    /**
     * Overwrites whom messages went to.
     *
     * Safe to retry: what is overwritten is not found again; so are the other parts.
     */
    eraseInNotification: erasing('notification', (scope) => eraseNotifications(sql, scope)),
    /** Overwrites orders, with what pharmacies and callbacks said of them. Safe to retry. */
    eraseInRouter: erasing('router', async (scope) => {
      const orders = { email: scope.email, ...(await findOrderIds(sql, scope)) };
      return throughPages(500, (page) => eraseOrders(sql, orders, page));
    }),
    /** Overwrites what the EMR reported. Safe to retry. */
    eraseInBridge: erasing(
      'bridge',
      // Each may be a megabyte.
      (scope) => throughPages(100, (page) => eraseWebhooks(sql, scope, page)),
    ),
    /** Overwrites names and directions, ends refills, and overwrites what people noted about either. Safe to retry. */
    eraseInOrchestrator: erasing(
      'orchestrator',
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
     * Overwrites the address, by which the rest was found, and says that the erasure is complete.
     *
     * Safe to retry: one that is complete stays as it is.
     */
    async closeErasure({ erasureId }: OfErasure): Promise<void> {
      await closeErasure(sql, erasureId);
    },
  };
};

export type ErasureActivities = ReturnType<typeof createErasureActivities>;

/** Before every id there is. */
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
