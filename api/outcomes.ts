import type { Failure, Outcome } from '../starts/runs.js';
import { OutboundError } from '../platform/http/outbound.js';
import { unavailable } from './http-errors.js';

/**
 * The result or the failure of a completed workflow.
 * @param run its name in error texts, its ids, and the error for an id that is in use for something else
 * @throws HttpError 503 if the workflow still runs or was terminated; or `run.conflict`
 */
export function endOf<T>(
  outcome: Outcome<T>,
  run: { what: string; ids: Readonly<Record<string, string>>; conflict?: Error },
): Extract<Outcome<T>, { state: 'completed' | 'failed' }> {
  switch (outcome.state) {
    case 'timed_out':
      throw unavailable(`The ${run.what} is still under way`, run.ids);
    case 'terminated':
      throw unavailable(`The ${run.what} was ended by an operator`, run.ids);
    case 'conflict':
      throw run.conflict ?? new Error(`The workflow id of a ${run.what} is in use`);
    default:
      return outcome;
  }
}

/** An unexpected failure. The response is 500 and only the log has the text. */
export const runFailed = ({ type, message }: Failure): Error =>
  new Error(`The run failed with ${type ?? 'no type'}: ${message}`);

/** For `catch`: throws `errorOf` in place of a failed call to an external service, and any other error unchanged. */
export const outboundAs =
  (errorOf: (error: OutboundError) => Error) =>
  (error: unknown): never => {
    throw error instanceof OutboundError ? errorOf(error) : error;
  };
