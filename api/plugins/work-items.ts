import { z } from 'zod';
import { closeWorkItem, findWorkItem, type OwnWorkItem, type WorkItemSchema } from '../../db/work-items.js';
import type { WorkItemAnswer, WorkItemKind } from '../../domain/work-items.js';
import type { Key } from '../../platform/crypto/key-ring.js';
import type { App, ServiceContext } from '../context.js';
import { fieldErrors, found, idOf, InvalidField } from '../refusals.js';
import { text } from '../text.js';
import { registerSigned } from './signed.js';

/** A person's answer to an item of this service. */
interface PersonsAnswer {
  item: OwnWorkItem;
  /** The person's e-mail address. */
  by: string;
  /** What came along, to be judged here. */
  data: Readonly<Record<string, unknown>>;
}

/**
 * What a service does when its item is answered: null when it has done so, or what it begun will by itself; else why
 * not, in a word or a sentence that names nobody. Safe to repeat.
 */
type AnswerHandler = (answer: PersonsAnswer) => Promise<string | null>;
export type AnswerHandlers = {
  [K in WorkItemKind]?: Partial<Record<Exclude<WorkItemAnswer<K>, 'dismiss'>, AnswerHandler>>;
};

const given = z
  .object({
    answer: text(50).min(1),
    by: text(320).min(1),
    data: z.record(z.string(), z.unknown()).default({}),
  })
  .meta({ id: 'PersonsAnswer' });
const done = z
  .object({ state: z.enum(['done', 'refused']), reason: z.string().nullable() })
  .meta({ id: 'AnswerDone' });

/**
 * Takes people's answers to the items of this service from the worklist (D109). An item is closed by the first answer
 * that is done; the same again is done again, and any other is refused.
 */
export const registerWorkItemAnswers = (
  app: App,
  context: ServiceContext,
  {
    schema,
    path,
    encryptionKeys,
    handlers,
  }: { schema: WorkItemSchema; path: string; encryptionKeys: readonly Key[]; handlers: AnswerHandlers },
): Promise<void> =>
  registerSigned(app, context, { scope: 'worklist', encryptionKeys }, (signed) => {
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
          response: {
            200: done,
            ...fieldErrors(400, 401, 403, 404, 413, 415, 429, 500, 503),
          },
        },
      },
      async ({ params: { id }, body: { answer, by, data } }) => {
        const { sql } = context;
        const item = found(await findWorkItem(sql, schema, idOf(id, 'Work item')), 'Work item');
        if (item.state === 'closed') {
          const isSame = item.closedBy === by && item.answer === answer;
          return isSame ? wasDone : { state: 'refused' as const, reason: 'It is closed' };
        }
        const handlersOf = handlers[item.kind] as Readonly<Record<string, AnswerHandler>> | undefined;
        const handle = answer === 'dismiss' ? dismiss : handlersOf?.[answer];
        if (!handle || !item.answers.includes(answer))
          throw new InvalidField('answer', `Must be one of ${item.answers.join(', ')}`);
        const reason = await handle({ item, by, data });
        if (reason !== null) return { state: 'refused' as const, reason };
        await sql.begin((sql) =>
          closeWorkItem(sql, schema, item, { closedBy: by, answer: answer as WorkItemAnswer }),
        );
        return wasDone;
      },
    );
  });

const wasDone = { state: 'done' as const, reason: null };
const dismiss: AnswerHandler = () => Promise.resolve(null);
