import { z } from 'zod';
import { orchestratorToday } from '../../db/orchestrator/clock.js';
import { type Close, findClose, listCloses } from '../../db/orchestrator/closes.js';
import { isCalendarDay } from '../../domain/calendar.js';
import { closeDay } from '../../starts/daily-close.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { found, InvalidField, issueErrors, unknown } from '../http-errors.js';
import { endOf, runFailed } from '../outcomes.js';
import { adminKeysOnly } from '../plugins/signed.js';
import * as contract from './close-contract.js';
import { asShown, lineQuery, settlement } from './line-contract.js';
import { answerLines } from './lines.js';
import { createSettling } from './settle-line.js';

const common = { tags: ['Closes'], security: [{ signature: [] }] };
const access = { none: 'sums and references of a day, no patient' } as const;
const answerWithinMs = 60_000;

/** The daily close (D131, D132), for keys with the scope `admin`. */
export function closeRoutes(signed: App, context: ServiceContext): void {
  const { sql, temporal } = context;
  const today = orchestratorToday(context);
  const { settle } = createSettling(context);
  const closeOf = async (date: string): Promise<Close> =>
    found(isCalendarDay(date) ? await findClose(sql, date) : undefined, 'Close');

  signed.post(
    '/orchestrator/closes',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Close a day',
        description:
          'Matches the books of the day with those of the processor and the shipping service. Responds 202 if it takes longer than 60 s; ask again for its end. A closed day returns its close. Changes no order, charge or label.',
        body: contract.newClose,
        response: {
          200: contract.oneClose,
          202: contract.oneClose,
          ...issueErrors(400, 401, 403, 413, 415, 429, 500, 503),
        },
      },
    },
    async ({ body: { date } }, reply) => {
      if (date >= (await today())) throw new InvalidField('date', 'Must be before today');
      const known = await findClose(sql, date);
      if (known?.state === 'closed') return { close: presented(known) };
      const outcome = await closeDay(temporal, date, answerWithinMs);
      if (outcome.state !== 'timed_out') {
        const end = endOf(outcome, { what: 'close', ids: { date } });
        if (end.state === 'failed') throw runFailed(end.failure);
      }
      const close = presented((await findClose(sql, date)) ?? notOpened(date));
      return reply.code(close.state === 'closed' ? 200 : 202).send({ close });
    },
  );

  signed.get(
    '/orchestrator/closes',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'List closes, newest first',
        querystring: contract.closeQuery,
        response: { 200: contract.closes, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { from, to, limit, cursor } }) => {
      const before = decodeCursor(cursor, z.string().refine(isCalendarDay));
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listCloses(sql, { from, to, before, limit }),
        ({ date }) => date,
      );
      return { closes: page.map(presented), nextCursor };
    },
  );

  signed.get(
    '/orchestrator/closes/:date',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Read a close',
        params: contract.closeParams,
        response: { 200: contract.oneClose, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ params: { date } }) => ({ close: presented(await closeOf(date)) }),
  );

  signed.get(
    '/orchestrator/closes/:date/lines',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'List the lines of a close',
        description:
          'A `difference` waits for its settlement; an `explained` line says `because` of what it may differ. `Accept: text/csv` gets all lines as CSV with a header.',
        params: contract.closeParams,
        querystring: lineQuery,
        response: { 200: contract.lines, ...issueErrors(400, 401, 403, 404, 429, 500) },
      },
    },
    async (request, reply) => {
      const { date } = await closeOf(request.params.date);
      return answerLines(sql, { date }, request, reply);
    },
  );

  signed.post(
    '/orchestrator/closes/:date/lines/:id/settle',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Settle a line of a close',
        description:
          '`recheck` looks again at its reference alone and settles what is in order by now; `accept` settles it by your word. A settled line is returned unchanged. Nothing is charged or refunded.',
        params: contract.lineParams,
        body: settlement,
        response: {
          200: contract.oneLine,
          ...issueErrors(400, 401, 403, 404, 413, 415, 429, 500, 503),
          409: contract.stillDifferent.describe(
            '`recheck` found the same difference. Mend it first, or `accept` it',
          ),
        },
      },
    },
    async ({ apiKey, params: { date, id }, body: { answer, note = null } }) => {
      if (!isCalendarDay(date)) throw unknown('Close');
      const settled = await settle({ date }, id, { answer, note, by: apiKey.id });
      return { line: asShown(settled) };
    },
  );
}

const notOpened = (date: string): Close => ({
  date,
  state: 'running',
  orders: 0,
  charges: 0,
  chargedCents: 0,
  refundedCents: 0,
  labels: 0,
  matched: 0,
  explained: 0,
  differences: 0,
  settled: 0,
});

const presented = ({ orders, charges, chargedCents, refundedCents, labels, ...close }: Close) => ({
  ...close,
  totals: { orders, charges, chargedCents, refundedCents, labels },
});
