import type { Failure, Outcome } from '../starts/runs.js';
import { OutboundError } from '../platform/http/outbound.js';
import { unavailable } from './http-errors.js';

/**
 * The result of a run, or the failure that the caller gives a meaning to.
 * @param run what a caller calls it, to follow "The", the ids it goes by, and the refusal of a request whose id stands
 * for something else
 * @throws Refused 503 for a run whose end is not known here: it takes longer than a caller should wait, or was ended from
 * outside; or that refusal
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
      throw run.conflict ?? new Error(`A ${run.what} has no purpose of its own to conflict with`);
    default:
      return outcome;
  }
}

/** A failure that no answer is written for: ours to look into, so 500; the text stays in the log. */
export const runFailed = ({ type, message }: Failure): Error =>
  new Error(`The run failed with ${type ?? 'no type'}: ${message}`);

/** For `catch`: throws `errorOf` in place of a failed call to an external service, and any other error unchanged. */
export const outboundAs =
  (errorOf: (error: OutboundError) => Error) =>
  (error: unknown): never => {
    throw error instanceof OutboundError ? errorOf(error) : error;
  };
