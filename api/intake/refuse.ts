import type { FastifySchemaValidationError } from 'fastify';
import type { Logger } from '../../platform/logger.js';
import { HttpError } from '../http-errors.js';

/**
 * For a route whose page has a text of its own for fields that are not given; what is given and wrong is a validation
 * failure like any other. To be its `schemaErrorFormatter`.
 */
export const requiring =
  (fields: readonly string[], text: string) =>
  (issues: readonly FastifySchemaValidationError[]): Error => {
    const isMissing = ({ keyword, instancePath }: FastifySchemaValidationError) =>
      instancePath === '/' ||
      (['invalid_type', 'too_small'].includes(keyword) && fields.includes(instancePath.slice(1)));
    return issues.some(isMissing) ? new HttpError(400, text) : new Error('Validation failed');
  };

/** Does what the page answers with a text of its own when it fails for any reason but a refusal. @throws Refused 500 */
export async function orFailWith<T>(error: string, logger: Logger, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof HttpError) throw err;
    logger.error({ err }, error);
    throw new HttpError(500, error);
  }
}
