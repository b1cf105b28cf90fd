import type { MailOutcome } from '../../domain/mail.js';
import type { CheckedCase } from '../replay/cases.js';
import { failingFirst, refusal } from './orchestrator/pipeline-activities.js';

type Send = () => Promise<MailOutcome>;

/** A mail activity that ends so at its attempts, and with `sent` after them. */
export const outcomes = (...given: MailOutcome[]): Send => {
  let calls = 0;
  return async () => given[calls++] ?? 'sent';
};

/** The cases of a workflow that mails one code with this activity. */
export function codeMails<Args extends [object]>(args: Args, activity: string) {
  /** @param attempts the numbers under which it is asked to mail the code, which are its keys */
  const mailing = (
    behavior: string,
    send: Send,
    result: string,
    attempts: number[],
  ): CheckedCase<Args> & { skipTime: true } => ({
    args,
    activities: { [activity]: send },
    skipTime: true,
    expect: {
      behavior,
      result,
      inputs: { [activity]: attempts.map((attempt) => ({ ...args[0], attempt })) },
    },
  });
  return {
    sent: mailing('it is mailed once when all is well', outcomes('sent'), 'sent', [1]),
    sentAtLast: mailing(
      'a mail that no channel delivered is tried again, each time under a key of its own',
      outcomes('undelivered', 'undelivered', 'sent'),
      'sent',
      [1, 2, 3],
    ),
    obsolete: mailing(
      'it is not mailed any more once it can be entered no more',
      outcomes('undelivered', 'obsolete'),
      'obsolete',
      [1, 2],
    ),
    refused: {
      ...mailing('', refusal('Notification service answered 401'), '', []),
      expect: {
        behavior: 'it is red when the service refuses the request',
        failure: { name: 'ActivityFailure' },
        times: { [activity]: 1 },
      },
    },
    /** Further than the recorded ones go. */
    awayForLong: mailing(
      'a service that is away for long is asked under the same key',
      failingFirst(30, outcomes('sent')) as Send,
      'sent',
      Array<number>(31).fill(1),
    ),
  };
}
