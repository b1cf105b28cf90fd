import { randomBytes, randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { type CallbackActivities, createCallbackActivities } from '../../activities/router/callbacks.js';
import { createEgressActivities } from '../../activities/bridge/egress.js';
import {
  createEventConsumerActivities,
  createEventQueueActivities,
  type EventConsumerActivities,
  type EventQueueActivities,
} from '../../activities/events/deliveries.js';
import { addApiKey } from '../../db/access/api-keys.js';
import { dispatchWebhook } from '../../db/bridge/dispatch.js';
import { reviveSyncAttempt, upsertSyncAttempt } from '../../db/bridge/sync-attempts.js';
import type { Sql } from '../../db/client.js';
import { redrive } from '../../db/redrive.js';
import { queueCallback, redeliverCallback } from '../../db/router/callbacks.js';
import { judgeSync } from '../../domain/bridge/emr-sync.js';
import { judgeFailedDelivery } from '../../domain/events.js';
import { judgeAttempt } from '../../domain/router/callbacks.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { createLogger } from '../../platform/logger.js';
import { passOutbox } from '../../starts/outbox.js';
import type { Aggregate, ReceiverAnswer } from './queue-model.js';

type Arrived = (of: Aggregate, item: string, id: string) => void;

/** An ordered queue of the product: its tables, activities and verdicts, with a receiver of the test's own. */
interface Queue {
  /** @returns the item's name, by which its receiver knows it too */
  add: (of: Aggregate) => Promise<string>;
  /**
   * The delivering run's work between two looks at its table; a wait is over at once. @returns false: nothing is left
   */
  turn: (of: Aggregate, answer: ReceiverAnswer) => Promise<boolean>;
  /** Dead items are redriven. */
  redrive: (of: Aggregate) => Promise<unknown>;
}
export type MakeQueue = (sql: Sql, arrived: Arrived) => Promise<Queue>;

type EventActivities = EventQueueActivities & EventConsumerActivities;
const logger = createLogger({ level: 'silent' });
const inActivity = <Input, Answer>(
  activity: (input: Input) => Promise<Answer>,
  input: Input,
): Promise<Answer> => new MockActivityEnvironment().run<[Input], Answer, typeof activity>(activity, input);
const isTaking = (answer: ReceiverAnswer | undefined) => answer === 'taken' || answer === 'lost';
/** Longer than anything is tried. */
const patienceMs = 100 * 60 * 60_000;

/** The callbacks of two submissions (D26). @param change breaks an activity */
export const callbacks =
  (change: (own: CallbackActivities, sql: Sql) => Partial<CallbackActivities> = () => ({})): MakeQueue =>
  async (sql, arrived) => {
    const keys = new KeyRing([{ id: 'k', key: randomBytes(32) }]);
    const apiKeyId = randomUUID();
    await addApiKey(sql, {
      id: apiKeyId,
      name: apiKeyId,
      sealedSecret: keys.encryptText('secret', apiKeyId),
      scopes: ['router'],
      physicianId: null,
      requestsPerMinute: null,
      signatureVersion: 1,
      receivesHolds: false,
      durable: false,
      ownsFailures: false,
      initialCallback: true,
    });
    const submissions = { a: randomUUID(), b: randomUUID() };
    for (const id of Object.values(submissions))
      await sql`
        insert into router.submission (
          id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
          request_payload, payload_hash, claim_id, outcome, status, pharmacy_order_id
        )
        values (
          ${id}, ${apiKeyId}, 'models', ${id}, 'http://127.0.0.1:9/', 'WA', 'x', 'pharmacy_a', true,
          '{}', 'x', ${randomUUID()}, 'accepted', 'submitted', ${id}
        )
      `;
    const answered = new Map<Aggregate, ReceiverAnswer>();
    const own = createCallbackActivities({
      sql,
      keys,
      send: async ({ headers, body }) => {
        const { of, item } = JSON.parse(body) as { of: Aggregate; item: string };
        arrived(of, item, headers['x-callback-id'] ?? '');
        return { status: isTaking(answered.get(of)) ? 200 : 503 };
      },
    });
    const activities = { ...own, ...change(own, sql) };
    return {
      add: async (of) => {
        const item = randomUUID();
        const payload = { of, item };
        await sql.begin((sql) =>
          queueCallback(sql, { submissionId: submissions[of], kind: 'update', payload }),
        );
        return item;
      },
      turn: async (of, answer) => {
        const submissionId = submissions[of];
        const next = await activities.nextCallback({ submissionId });
        if (!next) return false;
        answered.set(of, answer);
        const { callbackId, series } = next;
        const result = await inActivity(activities.deliverCallback, { callbackId });
        if (answer === 'lost' || 'skipped' in result) return true;
        const [attempts, firstAttemptAt] = [next.attempts + 1, next.firstAttemptAt ?? Date.now()];
        const now = firstAttemptAt + (answer === 'refused' ? patienceMs : 0);
        const { status } = result.attempt;
        await activities.recordCallbackAttempt({
          ...result.attempt,
          attemptId: randomUUID(),
          submissionId,
          callbackId,
          series,
          attempts,
          firstAttemptAt,
          verdict: judgeAttempt({ status, attempts, firstAttemptAt, now, random: 0 }),
        });
        return true;
      },
      redrive: async (of) => {
        const submissionId = submissions[of];
        const dead = await sql<{ id: string }[]>`
          select id from router.callback where submission_id = ${submissionId} and state = 'dead'
        `;
        for (const { id } of dead) await redeliverCallback(sql, { submissionId, callbackId: id });
      },
    };
  };

/** The events of two records of the bridge, from its outbox to the sink (D73). @param change breaks an activity */
export const events =
  (change: (own: EventActivities) => Partial<EventActivities> = () => ({})): MakeQueue =>
  async (sql, arrived) => {
    const ids = { a: randomUUID(), b: randomUUID() };
    const answered = new Map<Aggregate, ReceiverAnswer>();
    const nudged = new Set<string>();
    const own = {
      ...createEventQueueActivities({ sql, schema: 'bridge' }),
      ...createEventConsumerActivities({
        sink: async ({ id, detail }) => {
          const { resource } = detail as { resource: { of: Aggregate; item: string } };
          arrived(resource.of, resource.item, id);
          if (!isTaking(answered.get(resource.of))) throw new Error('away');
        },
      }),
    };
    const activities = { ...own, ...change(own) };
    const ship = async ({ aggregateId }: { aggregateId: string }) => void nudged.add(aggregateId);
    return {
      add: async (of) => {
        const item = randomUUID();
        const at = new Date().toISOString();
        const resource = { id: ids[of], of, item };
        await dispatchWebhook(
          sql,
          {
            webhookEventId: randomUUID(),
            emrEventName: 'Observation.updated',
            resourceType: 'Observation',
            resourceId: ids[of],
            emrEventTimestamp: at,
            receivedAt: at,
            resource,
          },
          ids[of],
        );
        return item;
      },
      turn: async (of, answer) => {
        while ((await passOutbox({ sql, logger, schema: 'bridge', ship }, 'wait')) > 0);
        const queue = { consumer: 'sink', aggregateId: ids[of] } as const;
        // A queue without a signal has no run that would look.
        const next = nudged.has(ids[of]) ? await activities.nextEvent(queue) : null;
        if (!next) {
          nudged.delete(ids[of]);
          return false;
        }
        answered.set(of, answer);
        const { event } = next;
        const failure = await activities.consumeEvent({ consumer: 'sink', event }).then(
          () => undefined,
          (error: unknown) => String(error),
        );
        if (answer === 'lost') return true;
        const [attempts, firstAttemptAt] = [next.attempts + 1, next.firstAttemptAt ?? Date.now()];
        const isRefused = answer === 'refused';
        const verdict =
          failure === undefined
            ? ({ state: 'delivered' } as const)
            : judgeFailedDelivery({ error: failure, isRefused, attempts, firstAttemptAt, now: Date.now() });
        await activities.recordEventDelivery({
          eventId: event.id,
          consumer: 'sink',
          attempts,
          firstAttemptAt,
          verdict,
        });
        return true;
      },
      redrive: () => redrive(sql, 'bridge', { from: new Date(0), to: new Date('9999-01-01'), state: 'dead' }),
    };
  };

/**
 * Two changes on their way to the EMR, each a queue of one, however often it is asked for (D82).
 * @param keyOf the idempotency key of a change
 */
export const egress =
  (keyOf: (id: string) => string = (id) => id): MakeQueue =>
  async (sql, arrived) => {
    const ids = { a: randomUUID(), b: randomUUID() };
    const rows = { a: new Set<string>(), b: new Set<string>() };
    const under = new Map<string, { of: Aggregate; row: string; answer: ReceiverAnswer }>();
    const activities = createEgressActivities({
      sql,
      logger,
      emr: {
        deactivatePatient: async (id) => {
          const { of, row, answer } = under.get(id)!;
          arrived(of, id, row);
          if (isTaking(answer)) return 200;
          throw new OutboundError('EMR', {
            kind: 'status',
            status: answer === 'refused' ? 400 : 503,
            body: '',
          });
        },
      },
    });
    return {
      add: async (of) => {
        const { id } = await upsertSyncAttempt(sql, {
          idempotencyKey: keyOf(ids[of]),
          internalEventName: 'patient.archived',
          targetResourceType: 'Patient',
          targetResourceId: ids[of],
        });
        rows[of].add(id);
        return ids[of];
      },
      turn: async (of, answer) => {
        for (const row of rows[of]) {
          const pending = await activities.pendingSync({ syncAttemptId: row });
          if (!pending) continue;
          under.set(ids[of], { of, row, answer });
          const result = await inActivity((input) => activities.syncToEmrOnce(input), { syncAttemptId: row });
          if (answer === 'lost' || result === null) return true;
          const [firstAttemptAt, now] = [pending.firstAttemptAt ?? Date.now(), Date.now()];
          await activities.recordSync({
            id: row,
            series: pending.series,
            firstAttemptAt,
            responseStatus: result.status,
            error: null,
            verdict: judgeSync({ result, firstAttemptAt, now }),
          });
          return true;
        }
        return false;
      },
      redrive: (of) => Promise.all([...rows[of]].map((row) => reviveSyncAttempt(sql, row))),
    };
  };
