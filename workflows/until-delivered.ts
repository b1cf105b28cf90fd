import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { MailOutcome } from '../domain/mail.js';
import { Retries } from './stuck.js';

const shortestPauseSeconds = 5;

/** Resends an undelivered mail with growing pauses, until it is sent or obsolete. */
export async function untilDelivered(
  send: (attempt: number) => Promise<MailOutcome>,
  { longestPauseSeconds = 60 }: { longestPauseSeconds?: number } = {},
): Promise<Exclude<MailOutcome, 'undelivered'>> {
  const retries = new Retries();
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send(attempt);
    if (outcome !== 'undelivered') {
      retries.succeeded();
      return outcome;
    }
    const pauseSeconds = Math.min(shortestPauseSeconds * 2 ** (attempt - 1), longestPauseSeconds);
    setCurrentDetails(
      `**Attempt ${attempt} was not delivered.** The notification service's log has the reason. The next one follows in ${pauseSeconds} s.`,
    );
    retries.failed({ step: 'notification', pauseMs: pauseSeconds * 1_000 });
    await sleep(`${pauseSeconds} s`);
  }
}
