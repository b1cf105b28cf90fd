import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  findStatement,
  listStatements,
  postStatement,
  removeStatement,
  type Statement,
} from '../../db/orchestrator/statements.js';
import { reconcileStatement } from '../../starts/statements.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { conflict, found, idOf, InvalidField, issueErrors } from '../http-errors.js';
import { endOf, runFailed } from '../outcomes.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { asShown, lineQuery, settlement } from './line-contract.js';
import { answerLines } from './lines.js';
import { createSettling } from './settle-line.js';
import * as contract from './statement-contract.js';
import { readStatementCsv } from './statement-csv.js';

const common = { tags: ['Statements'], security: [{ signature: [] }] };
const access = { none: 'sums and references of a pharmacy, no patient' } as const;
const bodyLimit = 5 * 1024 * 1024;
const answerWithinMs = 60_000;

/** The bills of pharmacies (D133), for keys with the scope `admin`. */
export function statementRoutes(signed: App, context: ServiceContext): void {
  const { sql, temporal } = context;
  const { settle } = createSettling(context);
  const statementOf = async (id: string): Promise<Statement> =>
    found(await findStatement(sql, idOf(id, 'Statement')), 'Statement');

  signed.post(
    '/orchestrator/statements',
    {
      bodyLimit,
      config: { access, readBody: readStatementCsv },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Post the statement of a pharmacy',
        description:
          'Matches what the pharmacy bills with what it shipped. `text/csv` (RFC 4180, UTF-8) has a header with `pharmacyOrderId`, `amountCents`, `shippedOn` and `description`, and the days in the query. The same bytes again respond 200. Responds 202 if it takes longer than 60 s; post the same again, or read it. A statement with faulty lines is not stored: correct those that `details` names.',
        querystring: contract.postQuery,
        body: contract.newStatement,
        response: {
          200: contract.oneStatement.describe('It was posted before'),
          201: contract.oneStatement,
          202: contract.oneStatement,
          ...issueErrors(400, 401, 403, 413, 415, 429, 500, 503),
          409: contract.covered.describe(
            'Another statement of the pharmacy covers a day of it. Delete `statementId` first to post a corrected one',
          ),
        },
      },
    },
    async ({ query: { pharmacy }, body: { from, to, lines }, rawBody }, reply) => {
      if (to < from) throw new InvalidField('to', 'Must not be before from');
      const sha256 = createHash('sha256').update(rawBody).digest('hex');
      const posted = await postStatement(sql, { pharmacy, from, to, sha256, lines });
      if ('coveredBy' in posted)
        throw conflict('Days are covered by another statement', { statementId: posted.coveredBy });
      const { statement, isNew } = posted;
      if (statement.state === 'running') {
        const outcome = await reconcileStatement(temporal, statement, answerWithinMs);
        if (outcome.state !== 'timed_out') {
          const end = endOf(outcome, { what: 'statement', ids: { statementId: statement.id } });
          if (end.state === 'failed') throw runFailed(end.failure);
        }
      }
      const now = await statementOf(statement.id);
      const status = now.state === 'running' ? 202 : isNew ? 201 : 200;
      return reply.code(status).send({ statement: now });
    },
  );

  signed.get(
    '/orchestrator/statements',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'List statements, the last posted first',
        description: '`from` and `to` select those that cover a day of that period.',
        querystring: contract.listQuery,
        response: { 200: contract.statements, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { limit, cursor, ...wanted } }) => {
      const before = decodeCursor(cursor, z.uuid());
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listStatements(sql, { ...wanted, before, limit }),
        ({ id }) => id,
      );
      return { statements: page, nextCursor };
    },
  );

  signed.get(
    '/orchestrator/statements/:id',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Read a statement',
        params: contract.statementParams,
        response: { 200: contract.oneStatement, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ params: { id } }) => ({ statement: await statementOf(id) }),
  );

  signed.delete(
    '/orchestrator/statements/:id',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Remove a statement',
        description: 'A corrected one for the same days can then be posted. Its work item is closed.',
        params: contract.statementParams,
        response: { 200: contract.oneStatement, ...issueErrors(400, 401, 403, 404, 413, 415, 429, 500) },
      },
    },
    async ({ params: { id } }) => ({
      statement: found(await removeStatement(sql, idOf(id, 'Statement')), 'Statement'),
    }),
  );

  signed.get(
    '/orchestrator/statements/:id/lines',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'List the lines of a reconciled statement',
        description:
          'One for each bill, and one for each order that was shipped on those days and not billed. `Accept: text/csv` gets all lines as CSV with a header.',
        params: contract.statementParams,
        querystring: lineQuery,
        response: { 200: contract.lines, ...issueErrors(400, 401, 403, 404, 429, 500) },
      },
    },
    async (request, reply) => {
      const { id: statementId } = await statementOf(request.params.id);
      return answerLines(sql, { statementId }, request, reply);
    },
  );

  signed.post(
    '/orchestrator/statements/:id/lines/:lineId/settle',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Settle a line of a statement',
        description:
          '`recheck` looks again at its order alone and settles what is in order by now; `accept` settles it by your word. A settled line is returned unchanged. Nothing is billed or refunded.',
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
    async ({ apiKey, params: { id, lineId }, body: { answer, note = null } }) => {
      const { id: statementId } = await statementOf(id);
      return { line: asShown(await settle({ statementId }, lineId, { answer, note, by: apiKey.id })) };
    },
  );
}
