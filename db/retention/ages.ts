import { messageAgainDays, retentionRules, type RuleName } from '../../domain/retention/ages.js';
import type { Fragment, Queryable } from '../client.js';
import { type OutboxService, outboxServices } from '../redrive.js';

/** Rows per statement: about 100 ms, far below the statement timeout. */
const pageSize = 1_000;

/** Empties or deletes the next rows that reached a rule's age (D94). @returns how many; 0 when none is left */
export const applyRule = (sql: Queryable, rule: RuleName): Promise<number> =>
  statements[rule](sql, retentionRules[rule].days);

type Statement = (sql: Queryable, days: number) => Promise<number>;

const statements: Record<RuleName, Statement> = {
  outboxDetails: inOutboxes(async (sql, schema, days) => {
    const { count } = await sql`
      update ${sql(`${schema}.outbox`)} set detail = null
      where id in (
        select id
        from ${sql(`${schema}.outbox`)} as entry
        where shipped_at < now() - make_interval(days => ${days}) and detail is not null
          and ${hasNoDelivery(sql, schema, ['pending', 'dead'])}
        order by shipped_at
        limit ${pageSize}
      )
    `;
    return count;
  }),

  outboxEntries: inOutboxes(async (sql, schema, days) => {
    const { count } = await sql`
      with entry as (
        select id
        from ${sql(`${schema}.outbox`)} as entry
        where shipped_at < now() - make_interval(days => ${days}) and ${hasNoDelivery(sql, schema, ['pending'])}
        order by shipped_at
        limit ${pageSize}
      ), delivery as (
        delete from ${sql(`${schema}.event_delivery`)} where event_id in (select id from entry)
      )
      delete from ${sql(`${schema}.outbox`)} where id in (select id from entry)
    `;
    return count;
  }),

  unsignedWebhooks: async (sql, days) => {
    await sql`delete from bridge.unsigned_webhooks where hour < now() - interval '1 day'`;
    return deleteAged(sql, 'bridge.emr_webhook_events', {
      aged: sql`not signature_valid and received_at < now() - make_interval(days => ${days})`,
    });
  },

  refusedWebhooks: (sql, days) =>
    deleteAged(sql, 'router.webhook_log', {
      aged: sql`not accepted and received_at < now() - make_interval(days => ${days})`,
    }),

  callbackAttempts: (sql, days) =>
    deleteAged(sql, 'router.callback_attempt', { aged: sql`at < now() - make_interval(days => ${days})` }),

  notifications: async (sql, days) => {
    const { count: emptied } = await sql`
      update notification.delivery set variables = null
      where id in (
        select id from notification.delivery
        where variables is not null and created_at < now() - make_interval(days => ${messageAgainDays})
        order by created_at
        limit ${pageSize}
      )
    `;
    const deleted = await deleteAged(sql, 'notification.delivery', {
      aged: sql`created_at < now() - make_interval(days => ${days})`,
    });
    return emptied + deleted;
  },

  downstreamCalls: async (sql, days) => {
    const calls = await deleteAged(sql, 'orchestrator.downstream_call', {
      aged: sql`created_at < now() - make_interval(days => ${days})`,
    });
    // Webhook events of the processor.
    const events = await deleteAged(sql, 'orchestrator.processor_event', {
      aged: sql`received_at < now() - make_interval(days => ${days})`,
    });
    return calls + events;
  },

  clientEvents: (sql, days) =>
    deleteAged(sql, 'orchestrator.client_event', {
      aged: sql`at < now() - make_interval(days => ${days}) and sequence is not null`,
    }),

  workItems: async (sql, days) => {
    const { count } = await sql`
      with aged as (
        select id from worklist.work_item where closed_at < now() - make_interval(days => ${days}) limit ${pageSize}
      ), history as (
        delete from worklist.history where item_id in (select id from aged)
      )
      delete from worklist.work_item where id in (select id from aged)
    `;
    const actions = await deleteAged(sql, 'worklist.order_history', {
      aged: sql`at < now() - make_interval(days => ${days})`,
    });
    return count + actions;
  },

  recoveries: async (sql, days) => {
    // Delete the items first; a bulk retry may have thousands.
    const items = await sql`
      delete from orchestrator.recovery_item
      where (recovery_id, position) in (
        select recovery_id, position
        from orchestrator.recovery
        cross join lateral (
          select recovery_id, position from orchestrator.recovery_item where recovery_id = recovery.id limit ${pageSize}
        ) as item
        where ended_at < now() - make_interval(days => ${days})
        limit ${pageSize}
      )
    `;
    if (items.count > 0) return items.count;
    return deleteAged(sql, 'orchestrator.recovery', {
      aged: sql`ended_at < now() - make_interval(days => ${days})`,
    });
  },
};

async function deleteAged(sql: Queryable, table: string, { aged }: { aged: Fragment }): Promise<number> {
  const { count } = await sql`
    delete from ${sql(table)} where id in (select id from ${sql(table)} where ${aged} limit ${pageSize})
  `;
  return count;
}

/** No delivery of the entry is in one of the states. */
const hasNoDelivery = (sql: Queryable, schema: OutboxService, states: string[]) => sql`
  not exists (
    select from ${sql(`${schema}.event_delivery`)} where event_id = entry.id and state = any(${states})
  )
`;

/** Processes one outbox after the other. */
function inOutboxes(
  page: (sql: Queryable, schema: OutboxService, days: number) => Promise<number>,
): Statement {
  return async (sql, days) => {
    for (const schema of outboxServices) {
      const count = await page(sql, schema, days);
      if (count > 0) return count;
    }
    return 0;
  };
}
