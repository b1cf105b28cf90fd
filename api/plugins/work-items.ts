import { z } from 'zod';
import { redriveDelivery } from '../../db/redrive.js';
import {
  beginAnswer,
  dropAnswer,
  findWorkItem,
  finishAnswer,
  type OwnWorkItem,
  type WorkItemSchema,
} from '../../db/work-items.js';
import type { WorkItemAnswer, WorkItemKind } from '../../domain/work-items.js';
import type { Key } from '../../platform/crypto/key-ring.js';
import type { App, ServiceContext } from '../context.js';
import {
  codedErrors,
  fieldErrors,
  found,
  idOf,
  InvalidField,
  issueErrors,
  HttpError,
} from '../http-errors.js';
import { text } from '../../platform/http/text.js';
import { registerSigned } from './signed.js';

interface PersonsAnswer {
  item: OwnWorkItem;
  /** The person's e-mail address. */
  by: string;
  /** The person's text. */
  note: string | null;
  /** Not validated yet. */
  data: Readonly<Record<string, unknown>>;
}

/**
 * Applies an answer. Returns null if it did, or if a workflow will; otherwise the reason, without personal data. Safe to
 * repeat.
 */
export type AnswerHandler = (answer: PersonsAnswer) => Promise<string | null>;
export type AnswerHandlers = {
  [K in WorkItemKind]?: Partial<Record<Exclude<WorkItemAnswer<K>, 'dismiss'>, AnswerHandler>>;
};

/** How long a handler waits for a workflow; shorter than the timeout of the worklist's call. */
export const answerWithinMs = 8_000;

/** Client errors become the reason of a rejected answer. Other errors propagate, so the worklist retries. */
async function orReason(work: Promise<string | null>): Promise<string | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HttpError && [404, 409, 422, 502].includes(error.statusCode)) return error.message;
    if (error instanceof InvalidField) return `data.${error.path}: ${error.message}`;
    throw error;
  }
}

/** The validated data of an answer. @throws HttpError 422 with the invalid field */
export function dataOf<T>({ data }: PersonsAnswer, schema: z.ZodType<T>): T {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = ['data', ...(issue?.path ?? [])].join('.');
  throw new HttpError(422, `${path}: ${issue?.message ?? 'Invalid'}`);
}

const given = z
  .object({
    answer: text(50).min(1),
    by: text(320).min(1),
    note: text(2000).nullable().default(null).describe("The person's text"),
    data: z.record(z.string(), z.unknown()).default({}),
  })
  .meta({ id: 'PersonsAnswer' });
const done = z
  .object({ state: z.enum(['done', 'refused']), reason: z.string().nullable() })
  .meta({ id: 'AnswerDone' });

const statuses = [400, 401, 403, 404, 413, 415, 429, 500, 503] as const;
const errorsOf: Record<WorkItemSchema, Record<number, z.ZodType>> = {
  router: fieldErrors(...statuses),
  intake: fieldErrors(...statuses),
  orchestrator: issueErrors(...statuses),
  organization: codedErrors(...statuses),
  patients: codedErrors(...statuses),
  bridge: codedErrors(...statuses),
};

/**
 * Receives people's answers to the service's work items from the worklist (D109). The first applied answer closes an item.
 * Its repeat succeeds again, and any other answer is rejected.
 */
export async function registerWorkItemAnswers(
  app: App,
  context: ServiceContext,
  {
    schema,
    path,
    encryptionKeys,
    handlers,
  }: { schema: WorkItemSchema; path: string; encryptionKeys: readonly Key[]; handlers: AnswerHandlers },
): Promise<void> {
  await registerSigned(app, context, { scope: 'worklist', encryptionKeys }, (signed) => {
    signed.post(
      `${path}/:id/answer`,
      {
        config: { access: { action: 'item.answer', record: 'id' } },
        schema: {
          tags: ['Work items'],
          security: [{ signature: [] }],
          summary: "A person's answer to a work item of this service",
          params: z.object({ id: z.string() }),
          body: given,
          response: { 200: done, ...errorsOf[schema] },
        },
      },
      async ({ accessed, params: { id }, body: { answer, by, note, data } }) => {
        const { sql } = context;
        accessed.onBehalfOf = by;
        const item = found(await findWorkItem(sql, schema, idOf(id, 'Work item')), 'Work item');
        if (item.state === 'closed') {
          const isSame = item.closedBy === by && item.answer === answer;
          return isSame ? applied : rejected('It is closed');
        }
        accessed.organizationId = item.organizationId;
        const ofKind: Readonly<Record<string, AnswerHandler>> = {
          ...(handlers[item.kind] as Readonly<Record<string, AnswerHandler>> | undefined),
          ...(item.kind === 'event_dead' ? { redeliver: redeliverEvent } : {}),
        };
        const handle = answer === 'dismiss' ? dismiss : ofKind[answer];
        if (!handle || !item.answers.includes(answer))
          throw new InvalidField('answer', `Must be one of ${item.answers.join(', ')}`);
        const own = { answer: answer as WorkItemAnswer, by };
        await beginAnswer(sql, schema, item.id, own);
        const reason = await orReason(handle({ item, by, note, data }));
        if (reason !== null) {
          await dropAnswer(sql, schema, item.id);
          return rejected(reason);
        }
        const isClosed = await sql.begin((sql) => finishAnswer(sql, schema, item.id, own));
        return isClosed ? applied : rejected('The retry failed');
      },
    );
  });

  /** Every service with events can send a dead event to its consumer again. */
  async function redeliverEvent({ item: { refersTo } }: PersonsAnswer): Promise<string | null> {
    const { eventId = '', consumer = '' } = refersTo;
    return (await redriveDelivery(context.sql, schema, { eventId, consumer })) ? null : 'The event is gone';
  }
}

const applied = { state: 'done' as const, reason: null };
const rejected = (reason: string) => ({ state: 'refused' as const, reason });
const dismiss: AnswerHandler = () => Promise.resolve(null);
