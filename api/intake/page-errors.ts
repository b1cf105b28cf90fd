import type { FastifySchemaValidationError } from 'fastify';
import { isDatabaseAway } from '../../db/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { Logger } from '../../platform/logger.js';
import { isTemporalAway } from '../../starts/runs.js';
import { HttpError } from '../http-errors.js';

/** A `schemaErrorFormatter` for a page that fixes the text for missing fields. Wrong values stay validation errors. */
export const requiring =
  (fields: readonly string[], text: string) =>
  (issues: readonly FastifySchemaValidationError[]): Error => {
    const isMissing = ({ keyword, instancePath }: FastifySchemaValidationError) =>
      instancePath === '/' ||
      (['invalid_type', 'too_small'].includes(keyword) && fields.includes(instancePath.slice(1)));
    return issues.some(isMissing) ? new HttpError(400, text) : new Error('Validation failed');
  };

/** For work whose 500 text the page fixes. @throws HttpError 500 in place of any other error than an HttpError */
export async function orFailWith<T>(error: string, logger: Logger, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof HttpError) throw err;
    logger.error({ err }, error);
    const isAway = isDatabaseAway(err) || isTemporalAway(err) || err instanceof OutboundError;
    throw new HttpError(500, error, { code: isAway ? 'unavailable' : 'internal' });
  }
}
